"""Where themes are: inside the package in a wheel, beside it in a checkout, or anywhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import ThemeError
from everyleaf.theming.manifest import load_manifest
from everyleaf.theming.places import CANDIDATES, MANIFEST_NAME

if TYPE_CHECKING:
    from everyleaf.theming.manifest import ThemeManifest

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class ThemeSource(Struct, frozen=True):
    """The folder of one theme, before anything of it is used."""

    name: str
    """The folder's name; templates of other themes call this one by it."""
    theme_dir: Path
    manifest: ThemeManifest


def find_theme_dir(name: str, *, candidates: tuple[Path, ...] = CANDIDATES) -> Path:
    """Return the folder of the theme `name`, which is a built-in one's name or a folder.

    A built-in one is in the first of `candidates` that has it. `importlib.resources` cannot
    see a top-level folder in an editable install, hence the second: the checkout that the
    package lies in.

    Raises:
        ThemeError: There is no theme of that name, and no folder with a manifest.
    """
    if _NAME.fullmatch(name):
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
    manifests = (
        file for themes_dir in candidates for file in themes_dir.glob(f"*/{MANIFEST_NAME}")
    )
    return sorted({file.parent.name for file in manifests})


def find_theme_chain(theme_dir: Path) -> tuple[ThemeSource, ...]:
    """Return the theme in `theme_dir`, then what it extends, to the one that extends none.

    Raises:
        ThemeError: A base is not there, two themes of the chain have one name or extend
            each other, or a manifest does not fit.
    """
    chain: list[ThemeSource] = []
    at: Path | None = theme_dir
    while at is not None:
        source = ThemeSource(at.name, at, load_manifest(at / MANIFEST_NAME))
        _check_name(source, chain)
        chain.append(source)
        at = _base_dir(source)
    return tuple(chain)


def _check_name(source: ThemeSource, chain: list[ThemeSource]) -> None:
    way = " → ".join([*(before.name for before in chain), source.name])
    if any(before.theme_dir.samefile(source.theme_dir) for before in chain):
        raise ThemeError(
            f"themes extend each other: {way}",
            hint="one of them has to extend a built-in theme, or none",
        )
    if any(before.name == source.name for before in chain):
        raise ThemeError(
            f"two themes that extend one another are both named {source.name!r}",
            hint="rename your theme's folder: templates are told apart by its name",
        )


def _base_dir(source: ThemeSource) -> Path | None:
    base = source.manifest.extends
    if not base:
        return None
    try:
        if base.startswith("."):
            return find_theme_dir(str(source.theme_dir / base))
        return find_theme_dir(base if _NAME.fullmatch(base) else "")
    except ThemeError as error:
        raise ThemeError(
            f"theme {source.name!r} extends {base!r}, which is not there",
            hint=f"built in: {', '.join(list_themes())}; a folder begins with a dot",
        ) from error
