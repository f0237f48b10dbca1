"""`theme.toml`: what a theme declares about itself, and which themes it goes on from."""

from __future__ import annotations

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from everyleaf.errors import ThemeError
from everyleaf.theming.locate import MANIFEST_NAME, THEME_NAME, find_theme_dir, list_themes


class PageKind(StrEnum):
    """The pages of a site; each is drawn by the template `<kind>.html.j2`."""

    INDEX = "index"
    PROJECT = "project"
    SESSION = "session"
    TRANSCRIPT = "transcript"
    AGENT = "agent"
    COMPARE = "compare"
    FILE = "file"
    REPORT = "report"
    NOT_FOUND = "notfound"
    SEARCH = "search"
    STUB = "stub"
    COMPARE_ALONE = "comparealone"
    """What `everyleaf diff --format html` prints: its style sheets stand inside it."""


RESERVED_URLS = frozenset({"index.html", "report.html", "search.html", "404.html"})
"""What a theme's own page may not be called."""


class _Declaration(BaseModel):
    """Ours, so an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class PageFiles(_Declaration):
    """Files that one kind of page loads besides those of every page."""

    stylesheets: tuple[str, ...] = ()
    """Names of files in `static/`, linked in this order."""
    scripts: tuple[str, ...] = ()
    """Classic scripts, deferred (modules do not load from `file:`)."""


class ExtraPage(_Declaration):
    """A page that the theme adds to the site."""

    url: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*\.html$")]
    """Where it stands: a name at the root of the site, `about.html`."""
    template: str
    """Name of its template, which is given a `PageView`."""
    title: str
    """Its title; the text of the link to it at the foot of the index."""

    @field_validator("url")
    @classmethod
    def _check_that_it_is_free(cls, url: str) -> str:
        if url in RESERVED_URLS:
            raise ValueError(f"{url} is a page of every site")
        return url


class ThemeManifest(PageFiles):
    """The keys of `theme.toml`."""

    title: str
    """The theme's name for people."""
    description: str = ""
    """What it is like, in a sentence."""
    extends: str = ""
    """The theme that this one goes on from: a built-in one's name, or a folder, which
    begins with a dot and is seen from this one; empty: none."""
    inherits_files: bool = True
    """Whether pages load the style sheets and scripts of the theme it extends, too."""
    early_scripts: tuple[str, ...] = ()
    """Classic scripts that run before the first paint; each delays it: keep them tiny."""
    kinds: dict[PageKind, PageFiles] = {}
    """What pages of one kind load after that: `[kinds.transcript]`."""
    pages: tuple[ExtraPage, ...] = ()
    """Pages to add: `[[pages]]`."""

    def static_names(self) -> list[str]:
        """Return the names of all static files that the manifest mentions."""
        lists = [self, *self.kinds.values()]
        named = [name for files in lists for name in (*files.stylesheets, *files.scripts)]
        return [*self.early_scripts, *named]


def load_manifest(file: Path) -> ThemeManifest:
    """Return the manifest in `file`.

    Raises:
        ThemeError: The file is unreadable or no TOML, or has misfits: all are named.
    """
    try:
        return ThemeManifest.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeError(
            f"cannot read {file.name!r} of theme {file.parent.name!r}: {error}"
        ) from error
    except ValidationError as error:
        misfits = "; ".join(
            f"{'.'.join(map(str, misfit['loc']))}: {misfit['msg']}"
            for misfit in error.errors()
        )
        raise ThemeError(
            f"{file.name!r} of theme {file.parent.name!r} is not valid: {misfits}",
            hint="`everyleaf manual themes` lists the keys",
        ) from error


class ThemeSource(Struct, frozen=True):
    """The folder of one theme, before anything of it is used."""

    name: str
    """The folder's name; templates of other themes call this one by it."""
    theme_dir: Path
    manifest: ThemeManifest


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
        way = " → ".join([*(before.name for before in chain), source.name])
        if any(before.theme_dir.samefile(at) for before in chain):
            raise ThemeError(
                f"themes extend each other: {way}",
                hint="one of them has to extend a built-in theme, or none",
            )
        if any(before.name == source.name for before in chain):
            raise ThemeError(
                f"two themes that extend one another are both named {source.name!r}",
                hint="rename your theme's folder: templates are told apart by its name",
            )
        chain.append(source)
        at = _base_dir(source) if source.manifest.extends else None
    return tuple(chain)


def _base_dir(source: ThemeSource) -> Path:
    base = source.manifest.extends
    try:
        if base.startswith("."):
            return find_theme_dir(str(source.theme_dir / base))
        return find_theme_dir(base if THEME_NAME.fullmatch(base) else "")
    except ThemeError as error:
        raise ThemeError(
            f"theme {source.name!r} extends {base!r}, which is not there",
            hint=f"built in: {', '.join(list_themes())}; a folder begins with a dot",
        ) from error
