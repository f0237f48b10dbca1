"""Small files to begin with, for a folder to publish from; none is ever overwritten."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from everyleaf.errors import OutputError

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "everyleaf.toml"

KITS = {
    "netlify": {SETTINGS: "everyleaf.toml", "netlify.toml": "netlify.toml"},
    "pages": {SETTINGS: "everyleaf.toml", ".github/workflows/everyleaf.yml": "pages.yml"},
    "repo": {SETTINGS: "repo.toml"},
    "pre-commit": {".githooks/pre-commit": "pre-commit"},
}
"""What is asked for → place in the folder → the file to begin with."""

NEXT = {
    "netlify": "everyleaf build, commit site/, and let Netlify publish the repository",
    "pages": "everyleaf build, commit site/, and choose GitHub Actions under Pages",
    "repo": "everyleaf build, and commit docs/transcripts/",
    "pre-commit": "git config core.hooksPath .githooks",
}
"""What is left to do by hand."""


@dataclass(frozen=True, slots=True)
class Started:
    """What became of a kit's files: places in the folder, in the order of the kit."""

    wrote: tuple[str, ...]
    kept: tuple[str, ...]
    """Those that were there already, and stay as they are."""


def start(folder: Path, kit: str) -> Started:
    """Write the files of `kit` into `folder`, but for those that are there.

    Raises:
        OutputError: one cannot be written, or a link leads out of the folder.
    """
    wrote: list[str] = []
    kept: list[str] = []
    for place, starter in KITS[kit].items():
        file = folder / place
        body = files("everyleaf").joinpath("starters", starter).read_bytes()
        try:
            if folder.resolve() not in file.resolve().parents:
                raise OutputError(f"{str(file)!r} leads out of the folder by a link")
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("xb") as new:
                new.write(body)
            file.chmod(0o755 if body.startswith(b"#!") else 0o644)
        except FileExistsError:
            kept.append(place)
        except OSError as error:
            raise OutputError(f"cannot write {str(file)!r}: {error.strerror}") from error
        else:
            wrote.append(place)
    return Started(tuple(wrote), tuple(kept))
