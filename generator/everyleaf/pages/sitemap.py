"""`sitemap.xml`: every page of the site by its absolute address, for search engines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from everyleaf.outputs import Output
from everyleaf.pages.addresses import INDEX_URL, project_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.settings import SiteSettings

SITEMAP_URL = "sitemap.xml"
MAX_ADDRESSES = 50_000
"""In one file. Source: sitemaps.org, "Sitemap file requirements"."""

_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemaps(
    sessions: Iterable[SessionFacts],
    settings: SiteSettings,
    *,
    most: int = MAX_ADDRESSES,
) -> list[Output]:
    """Return the sitemap of the pages of `sessions`; nothing without a base address.

    With more than `most` pages it names further files, `sitemap-1.xml` and so on.
    """
    if not (settings.base_url and settings.has_html):
        return []
    addresses = [settings.absolute(url) for url in _pages(sessions)]
    if len(addresses) <= most:
        return [_file(SITEMAP_URL, "urlset", "url", addresses)]
    parts = [
        _file(f"sitemap-{number}.xml", "urlset", "url", addresses[first : first + most])
        for number, first in enumerate(range(0, len(addresses), most), 1)
    ]
    names = [settings.absolute(part.url) for part in parts]
    return [_file(SITEMAP_URL, "sitemapindex", "sitemap", names), *parts]


def _pages(sessions: Iterable[SessionFacts]) -> list[str]:
    """Return the addresses of all pages that someone may look for, sorted."""
    urls = {INDEX_URL}
    for session in sessions:
        urls |= {project_url(session.project), session.url}
        urls.update(url for path in session.paths for url in (path.url, path.compare_url))
        urls.update(agent.url for agent in session.agents)
    return sorted(urls - {""})


def _file(url: str, outer: str, inner: str, addresses: Sequence[str]) -> Output:
    return Output(url, "".join(_lines(outer, inner, addresses)).encode("ascii"))


def _lines(outer: str, inner: str, addresses: Sequence[str]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<{outer} xmlns="{_SCHEMA}">\n'
    for address in addresses:
        yield f"<{inner}><loc>{escape(address, quote=False)}</loc></{inner}>\n"
    yield f"</{outer}>\n"
