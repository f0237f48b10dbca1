"""Where themes are: inside the package in a wheel, beside it in a checkout, or anywhere.

No theme is loaded here: what a build makes depends on these folders, and to compare them
with an earlier build must cost little.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from pathlib import Path

from everyleaf.errors import ThemeError

MANIFEST_NAME = "theme.toml"
THEME_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PACKAGE_DIR = Path(__file__).resolve().parent.parent
CANDIDATES = (_PACKAGE_DIR / "_themes", _PACKAGE_DIR.parent.parent / "themes")
"""Where the built-in themes are: inside the package in a wheel, beside it in a checkout."""


def theme_dirs(name: str) -> list[Path]:
    """Return the folders that decide what the theme `name` makes; some may not exist.

    All built-in themes, since a theme can extend one, and a person's own with those that it
    leads to. What is wrong with a theme is not seen here.
    """
    dirs = list(CANDIDATES)
    own = Path(name)
    while (own / MANIFEST_NAME).is_file() and own not in dirs:
        dirs.append(own)
        base: object = ""
        with suppress(OSError, ValueError):
            told = (own / MANIFEST_NAME).read_text(encoding="utf-8")
            base = tomllib.loads(told).get("extends")
        if not isinstance(base, str) or not base.startswith("."):
            break
        own = (own / base).resolve()
    return dirs


def find_theme_dir(name: str, *, candidates: tuple[Path, ...] = CANDIDATES) -> Path:
    """Return the folder of the theme `name`, which is a built-in one's name or a folder.

    A built-in one is in the first of `candidates` that has it. `importlib.resources` cannot
    see a top-level folder in an editable install, hence the second: the checkout that the
    package lies in.

    Raises:
        ThemeError: There is no theme of that name, and no folder with a manifest.
    """
    if THEME_NAME.fullmatch(name):
        for themes_dir in candidates:
            if (themes_dir / name / MANIFEST_NAME).is_file():
                return themes_dir / name
    known = ", ".join(list_themes(candidates=candidates)) or "none"
    if name and Path(name).is_dir():
        if (Path(name) / MANIFEST_NAME).is_file():
            return Path(name).resolve()
        raise ThemeError(
            f"folder {name!r} is no theme: it has no {MANIFEST_NAME}",
            hint=f'write one: title = "Mine", extends = "default"; built in: {known}',
        )
    raise ThemeError(
        f"cannot find a theme named {name!r}",
        hint=f"name a folder that holds a {MANIFEST_NAME}, or one of these: {known}",
    )


def list_themes(*, candidates: tuple[Path, ...] = CANDIDATES) -> list[str]:
    """Return the names of all themes in `candidates`, sorted, each once."""
    found = (themes_dir.glob(f"*/{MANIFEST_NAME}") for themes_dir in candidates)
    return sorted({file.parent.name for files in found for file in files})
