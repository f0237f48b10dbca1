"""The static files of a theme and of those that it extends, named by their content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.errors import ThemeError
from everyleaf.theming.manifest import PageFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from everyleaf.theming.locate import ThemeSource
    from everyleaf.theming.manifest import PageKind


class Asset(Struct, frozen=True):
    """A static file of a theme: `url` is site-relative and holds a digest of `body`."""

    url: str
    body: bytes


class ThemeFiles:
    """Static files by name; a theme's own stands for one of the same name in its base."""

    def __init__(self, chain: Sequence[ThemeSource]) -> None:
        """Load the files of `chain`, which begins with the theme itself.

        Raises:
            ThemeError: A file lies outside its theme, or a manifest names one that is not
                there.
        """
        self.theme = chain[0].name
        self._sources = _that_lend_files(chain)
        self._assets: dict[str, Asset] = {}
        for source in self._sources:
            for file in files_inside(source.theme_dir, "static"):
                self._assets[file.name] = _load_asset(file)
        for source in self._sources:
            for name in source.manifest.static_names():
                self.asset(name)

    def asset(self, name: str) -> Asset:
        """Return the file `name`.

        Raises:
            ThemeError: There is none.
        """
        try:
            return self._assets[name]
        except KeyError as error:
            raise ThemeError(
                f"theme {self.theme!r} has no static file {name!r}",
                hint="check theme.toml and the theme's static folder",
            ) from error

    def all(self) -> list[Asset]:
        """Return every file, sorted by address."""
        return sorted(self._assets.values(), key=lambda asset: asset.url)

    def loaded_by(self, kind: PageKind | None) -> PageFiles:
        """Return what pages of `kind` load, the base's first: later ones prevail."""
        lists: list[PageFiles] = []
        for source in self._sources:
            lists.append(source.manifest)
            if kind is not None and kind in source.manifest.kinds:
                lists.append(source.manifest.kinds[kind])
        return PageFiles(
            stylesheets=_each_once(name for files in lists for name in files.stylesheets),
            scripts=_each_once(name for files in lists for name in files.scripts),
        )

    def early_scripts(self) -> tuple[str, ...]:
        """Return the names of the scripts that run before the first paint."""
        return _each_once(
            name for source in self._sources for name in source.manifest.early_scripts
        )


def files_inside(theme_dir: Path, folder: str) -> list[Path]:
    """Return the files in `folder` of `theme_dir`, at any depth, sorted; may be none.

    Raises:
        ThemeError: One is a link to somewhere outside `theme_dir`.
    """
    home = theme_dir.resolve()
    inside = sorted((theme_dir / folder).rglob("*"))
    for file in inside:
        if not file.resolve().is_relative_to(home):
            name = file.relative_to(theme_dir).as_posix()
            raise ThemeError(
                f"{name!r} of theme {theme_dir.name!r} leads out of the theme",
                hint="copy the file into the theme's folder instead of linking to it",
            )
    return [file for file in inside if file.is_file()]


def _that_lend_files(chain: Sequence[ThemeSource]) -> list[ThemeSource]:
    """Return the themes whose files pages load, the deepest base first."""
    lending: list[ThemeSource] = []
    for source in chain:
        lending.append(source)
        if not source.manifest.inherits_files:
            break
    return lending[::-1]


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _load_asset(file: Path) -> Asset:
    body = file.read_bytes()
    return Asset(f"assets/{file.stem}.{digest_hex(body, size=6)}{file.suffix}", body)
