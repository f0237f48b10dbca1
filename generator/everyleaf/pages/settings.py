"""What all pages of a site have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from msgspec import Struct

from everyleaf.config import Detail, Format, Left, SharedPrefix
from everyleaf.pages.addresses import INDEX_URL, MARKDOWN_DIR

if TYPE_CHECKING:
    from everyleaf.config import BuildOptions


class SiteSettings(Struct, frozen=True):
    """The title, the theme and the formats of a site."""

    title: str
    theme: str = "default"
    has_html: bool = True
    has_markdown: bool = True
    detail: Detail = Detail.FULL
    without: tuple[Left, ...] = ()
    """What is left out of every conversation, sorted."""
    has_front_matter: bool = False
    """Markdown files begin with a block of YAML."""
    shared_prefix: SharedPrefix = SharedPrefix.AUTO
    base_url: str = ""
    """Where the site will stand, with a slash at the end; empty: not known."""
    is_public: bool = False
    """Search engines may list it."""
    is_redacted: bool = True
    """Secrets were masked; without, every page says that they were not."""
    has_search: bool = False
    """Its messages can be searched."""

    @property
    def markdown_dir(self) -> str:
        """Return the folder of the Markdown files: the root where there is no HTML."""
        return MARKDOWN_DIR if self.has_html else ""

    @property
    def base_path(self) -> str:
        """Return the part of `base_url` behind the host; empty if it is not known."""
        return urlsplit(self.base_url).path

    def absolute(self, url: str) -> str:
        """Return the absolute address of the page `url`; empty if it is not known.

        The first page is the folder itself.
        """
        shown = "" if url == INDEX_URL else quote(url)
        return f"{self.base_url}{shown}" if self.base_url else ""


def settings_of(options: BuildOptions) -> SiteSettings:
    """Return what all pages of the site that is asked for have in common.

    Raises:
        ThemeError: its theme is missing or broken.
    """
    has_html = Format.HTML in options.formats
    return SiteSettings(
        title=options.title,
        theme=options.theme,
        has_html=has_html,
        has_markdown=Format.MARKDOWN in options.formats,
        detail=options.detail,
        without=options.without,
        has_front_matter=options.has_front_matter,
        shared_prefix=options.shared_prefix,
        base_url=options.base_url,
        is_public=options.is_public,
        is_redacted=options.redact.is_on,
        has_search=options.has_search and has_html and _has_scripts(options.theme),
    )


def _has_scripts(theme: str) -> bool:
    from everyleaf.theming.load import load_theme  # noqa: PLC0415  (slow to import)

    return load_theme(theme).has_scripts
