"""`theme.toml`: what a theme declares about itself."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from everyleaf.errors import ThemeError

if TYPE_CHECKING:
    from pathlib import Path


class ThemeManifest(BaseModel):
    """The keys of `theme.toml`; ours, so an unknown one is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    """The theme's name for people."""
    description: str = ""
    """What it is like, in a sentence."""
    stylesheets: tuple[str, ...] = ()
    """Names of files in `static/`, linked from every page in this order."""
    early_scripts: tuple[str, ...] = ()
    """Classic scripts that run before the first paint; each delays it: keep them tiny."""
    scripts: tuple[str, ...] = ()
    """Classic scripts, deferred (modules do not load from `file:`)."""


def load_manifest(file: Path) -> ThemeManifest:
    """Return the manifest in `file`.

    Raises:
        ThemeError: The file is unreadable or no TOML, or has misfits: all are named.
    """
    try:
        return ThemeManifest.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(
            f"cannot read {file.name!r} of theme {_name(file)}: {error}"
        ) from error
    except ValidationError as error:
        misfits = "; ".join(
            f"{'.'.join(map(str, misfit['loc']))}: {misfit['msg']}"
            for misfit in error.errors()
        )
        raise ThemeError(
            f"{file.name!r} of theme {_name(file)} is not valid: {misfits}"
        ) from error


def _name(file: Path) -> str:
    return repr(file.parent.name)
