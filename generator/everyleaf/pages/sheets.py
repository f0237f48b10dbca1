"""A view becomes a page: what all pages of a site have in common is filled in here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.pages.addresses import NOT_FOUND_URL, SEARCH_URL, relative
from everyleaf.theming.load import load_theme

if TYPE_CHECKING:
    from everyleaf.pages.settings import SiteSettings
    from everyleaf.render.view import PageView


def draw_page(settings: SiteSettings, template: str, url: str, view: PageView) -> bytes:
    """Return the page `url` of the site as bytes: a template of its theme with `view`.

    Raises:
        ThemeError: The theme is missing or broken.
    """
    has_search = settings.has_search and url != SEARCH_URL
    whole = replace(
        view,
        is_public=settings.is_public,
        is_redacted=settings.is_redacted,
        canonical="" if url == NOT_FOUND_URL else settings.absolute(url),
        search_url=relative(url, SEARCH_URL) if has_search else "",
    )
    return load_theme(settings.theme).encode(template, whole)
