"""A theme, loaded once a process: compiled templates and assets named by their content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
    UndefinedError,
)

from everyleaf.digest import digest_hex
from everyleaf.errors import ThemeError
from everyleaf.theming import formats
from everyleaf.theming.characters import visible
from everyleaf.theming.headers import content_security_policy
from everyleaf.theming.locate import MANIFEST_NAME, find_theme_dir
from everyleaf.theming.manifest import ThemeManifest, load_manifest

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping
    from pathlib import Path

    from jinja2 import Template


@dataclass(frozen=True, slots=True)
class Asset:
    """A static file of a theme: `url` is site-relative and holds a digest of `body`."""

    url: str
    body: bytes


class Theme:
    """Templates and assets of one theme.

    Templates see `theme` (this), `csp`, `search_csp` (for a page that searches), and the
    filters of `theming.formats`. Whatever they print is escaped and made `visible`, and an
    undefined name is an error.
    """

    def __init__(self, theme_dir: Path) -> None:
        """Load the theme in `theme_dir`, whose name is the theme's.

        Raises:
            ThemeError: Its manifest does not fit, or names a static file that is not there.
        """
        self.name = theme_dir.name
        self.manifest: ThemeManifest = load_manifest(theme_dir / MANIFEST_NAME)
        self._assets: Mapping[str, Asset] = _load_assets(theme_dir / "static")
        self._environment = _environment(theme_dir / "templates")
        names = cast("MutableMapping[str, object]", self._environment.globals)
        names.update(theme=self, csp=content_security_policy())
        names["search_csp"] = content_security_policy(allows_wasm=True)
        self._check_manifest()

    def asset_url(self, name: str) -> str:
        """Return the site-relative address of the static file `name`.

        Raises:
            ThemeError: The theme has no such file.
        """
        try:
            return self._assets[name].url
        except KeyError as error:
            raise ThemeError(
                f"theme {self.name!r} has no static file {name!r}",
                hint="check theme.toml and the theme's static folder",
            ) from error

    def assets(self) -> list[Asset]:
        """Return all static files, sorted by address."""
        return sorted(self._assets.values(), key=lambda asset: asset.url)

    def template(self, name: str) -> Template:
        """Return the compiled template `name`.

        Raises:
            ThemeError: There is none, or its syntax is wrong.
        """
        try:
            return self._environment.get_template(name)
        except TemplateNotFound as error:
            raise ThemeError(
                f"theme {self.name!r} has no template {error.name!r}"
            ) from error
        except TemplateSyntaxError as error:
            raise ThemeError(
                f"template {error.name!r} of theme {self.name!r} is broken",
                hint=f"line {error.lineno}: {error.message}",
            ) from error

    def render(self, name: str, page: object) -> str:
        """Return the template `name` filled with the view `page`.

        Raises:
            ThemeError: The template is missing, broken, or uses a name that is not defined.
        """
        try:
            return self.template(name).render(page=page)
        except UndefinedError as error:
            raise ThemeError(
                f"template {name!r} of theme {self.name!r} uses what is not there: {error}",
                hint="see render/view.py for what a page has",
            ) from error

    def _check_manifest(self) -> None:
        manifest = self.manifest
        for name in (*manifest.stylesheets, *manifest.early_scripts, *manifest.scripts):
            self.asset_url(name)


@lru_cache(maxsize=8)
def load_theme(name: str) -> Theme:
    """Return the theme `name`, loaded once a process.

    Raises:
        ThemeError: There is no such theme, or it is broken.
    """
    return Theme(find_theme_dir(name))


def _shown(value: object) -> object:
    """Return what an expression of a template prints; `Markup` was looked at when made."""
    return visible(value) if type(value) is str else value


def _load_assets(static_dir: Path) -> dict[str, Asset]:
    files = sorted(file for file in static_dir.glob("*") if file.is_file())
    return {file.name: _load_asset(file) for file in files}


def _load_asset(file: Path) -> Asset:
    body = file.read_bytes()
    return Asset(f"assets/{file.stem}.{digest_hex(body, size=6)}{file.suffix}", body)


def _environment(templates_dir: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(templates_dir),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_shown,
    )
    filters = cast("dict[str, object]", environment.filters)
    filters.update(
        count=formats.format_count,
        count_of=formats.count_of,
        duration=formats.format_duration,
        moment=formats.format_moment,
        clock=formats.format_clock,
        first_words=formats.first_words,
        tool_name=formats.tool_name,
    )
    return environment
