"""The folders that a theme may be made of, found without loading any."""

from __future__ import annotations

import tomllib
from pathlib import Path

MANIFEST_NAME = "theme.toml"
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
        base = _base(own)
        if not base.startswith("."):
            break
        own = (own / base).resolve()
    return dirs


def _base(theme_dir: Path) -> str:
    try:
        manifest = tomllib.loads((theme_dir / MANIFEST_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    base = manifest.get("extends", "")
    return base if isinstance(base, str) else ""
