"""Small files to begin with, for a folder to publish from; none is ever overwritten."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from everyleaf.errors import OutputError, SourceError
from everyleaf.gitrepo import find_origin
from everyleaf.sources.discover import default_inputs, find_sources
from everyleaf.sources.lines import first_cwds
from everyleaf.sources.projects import project_names, slug

Settings = Mapping[str, bool | str | list[str]]

SETTINGS = "everyleaf.toml"

KITS = {
    "netlify": {SETTINGS: "everyleaf.toml", "netlify.toml": "netlify.toml"},
    "pages": {SETTINGS: "everyleaf.toml", ".github/workflows/everyleaf.yml": "pages.yml"},
    "repo": {SETTINGS: "repo.toml"},
    # Of a merge without conflicts git asks another hook; both look at what is staged.
    "pre-commit": {
        ".githooks/pre-commit": "pre-commit",
        ".githooks/pre-merge-commit": "pre-commit",
    },
}
"""What is asked for → place in the folder → the file to begin with."""

NEXT = {
    "netlify": "{build}, commit {out}/, and let Netlify publish the repository",
    "pages": "{build}, commit {out}/, and choose GitHub Actions under Pages",
    "repo": "{build}, and commit {out}/",
    "pre-commit": "git config core.hooksPath .githooks",
}
"""What is left to do by hand."""

_GITHUB = re.compile(r"(?:^|[/@])github\.com[/:]([\w-]+)/([\w.-]+?)(?:\.git)?/?$")


def find_projects(folder: Path) -> tuple[list[str], list[str]]:
    """Return the projects whose sessions ran in `folder`, and all that the CLI has any of.

    By the names that a build gives them. Of each session only the beginning is read.
    """
    try:
        found = find_sources((default_inputs(),))
    except SourceError:
        return [], []
    sessions = [(file.project, first_cwds(file.location)) for file in found.files]
    names = project_names(sessions)
    place = str(folder.resolve())
    here = {
        names[project]
        for project, cwds in sessions
        if place in cwds[:1] or slug(project).casefold() == slug(place).casefold()
    }
    return sorted(here), sorted(set(names.values()))


def pages_url(folder: Path) -> str:
    """Return where GitHub Pages shows the repository of `folder`; empty: it is not there.

    A domain of one's own stands in a file `CNAME`.
    """
    domain = folder / "CNAME"
    if domain.is_file() and re.fullmatch(r"[\w.-]+\s*", text := domain.read_text("utf-8")):
        return f"https://{text.strip()}/"
    found = _GITHUB.search(find_origin(folder))
    if found is None:
        return ""
    host = f"{found[1].lower()}.github.io"
    return f"https://{host}/" if found[2].lower() == host else f"https://{host}/{found[2]}/"


def start(
    folder: Path, kit: str, settings: Settings | None = None, *, out: str = "site"
) -> tuple[list[str], list[str]]:
    """Write the files of `kit` into `folder`, but for those that are there.

    Returns the places in it of those that were written, and of those that were there.

    A settings file says `settings` in place of what it says, or proposes, of the same keys;
    files for a host say that `out` is published.

    Raises:
        OutputError: one cannot be written, or a link leads out of the folder.
    """
    wrote: list[str] = []
    kept: list[str] = []
    for place, starter in KITS[kit].items():
        file = folder / place
        body = files("everyleaf").joinpath("starters", starter).read_bytes()
        if place == SETTINGS:
            body = _with_settings(body.decode(), settings or {}).encode()
        else:
            body = re.sub(rb"\bsite\b", out.encode(), body)
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
    return wrote, kept


def _with_settings(text: str, settings: Settings) -> str:
    r"""Return the settings file `text` with `settings` where they stood, or were proposed.

    >>> _with_settings('# project = ["parser"]\nprivate = true\n', {"project": ["a"]})
    'project = ["a"]\nprivate = true\n'
    """
    for key, value in settings.items():
        # What JSON writes of such a value is TOML, but for one character.
        said = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        line = f"# {key} = {said}" if value is False else f"{key} = {said}"
        said_before = re.compile(rf"^(?:# )?{key} = .*$", re.MULTILINE)
        text = said_before.sub(line.replace("\\", r"\\"), text)
    return text
