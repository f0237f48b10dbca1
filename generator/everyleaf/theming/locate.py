"""Where themes are: inside the package in a wheel, beside it in a checkout."""

from __future__ import annotations

import re
from pathlib import Path

from everyleaf.errors import ThemeError

MANIFEST_NAME = "theme.toml"
_PACKAGE_DIR = Path(__file__).resolve().parent.parent
_CANDIDATES = (_PACKAGE_DIR / "_themes", _PACKAGE_DIR.parent.parent / "themes")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def find_theme_dir(name: str, *, candidates: tuple[Path, ...] = _CANDIDATES) -> Path:
    """Return the folder of the theme `name` in the first of `candidates` that has it.

    `importlib.resources` cannot see a top-level folder in an editable install, hence the
    second candidate: the checkout that the package lies in.

    Raises:
        ThemeError: `name` is no theme name, or no candidate holds a theme of that name.
    """
    if _NAME.fullmatch(name):
        for themes_dir in candidates:
            if (themes_dir / name / MANIFEST_NAME).is_file():
                return themes_dir / name
    known = ", ".join(list_themes(candidates=candidates)) or "none"
    raise ThemeError(f"cannot find a theme named {name!r}", hint=f"themes here: {known}")


def list_themes(*, candidates: tuple[Path, ...] = _CANDIDATES) -> list[str]:
    """Return the names of all themes in `candidates`, sorted, each once."""
    manifests = (
        file for themes_dir in candidates for file in themes_dir.glob(f"*/{MANIFEST_NAME}")
    )
    return sorted({file.parent.name for file in manifests})
