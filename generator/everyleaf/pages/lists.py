"""The pages that list: index, projects, sessions, report. Pure: from facts alone."""

from __future__ import annotations

import json
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.forest import Status
from everyleaf.outputs import Output
from everyleaf.pages.addresses import (
    INDEX_URL,
    NOT_FOUND_URL,
    PATHS_URL,
    REPORT_URL,
    SEARCH_URL,
    draw_page,
    project_url,
    relative,
    transcript_url,
)
from everyleaf.pages.facts import by_project, newest_first
from everyleaf.pages.rows import index_view, project_view
from everyleaf.pages.sessionpage import report_view, session_view
from everyleaf.pages.wording import month_key, month_of, shortened
from everyleaf.render.entries import anchor_of
from everyleaf.render.markdown_text import literal
from everyleaf.render.view import NavLink, PageView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import format_moment
from everyleaf.theming.headers import HEADERS_URL, header_rules, write_headers
from everyleaf.theming.load import load_theme

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.sessionpage import ReportFacts

ATTRIBUTES_URL = ".gitattributes"
ATTRIBUTES = """\
# Made by everyleaf: folded in reviews, the same bytes on every system, and what two people
# published side by side is merged line by line.
* linguist-generated -text
manifest.json merge=union
paths.jsonl merge=union
index.md merge=union
"""
SITEMAP_URL = "sitemap.xml"
MAX_ADDRESSES = 50_000
"""In one file. Source: sitemaps.org, "Sitemap file requirements"."""
_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


class ListPages(Struct, frozen=True):
    """The lists of a site."""

    outputs: tuple[Output, ...]
    owners: Mapping[str, tuple[str, ...]]
    """The session that accounts for a session's page; other lists are the site's own."""


def render_lists(
    sessions: Iterable[SessionFacts],
    settings: SiteSettings,
    reading: ReportFacts,
    *,
    drawn: Container[str] = (),
    gone: Container[str] = (),
) -> ListPages:
    """Return every list of the site, for sessions fresh or kept from earlier builds.

    Sessions in `drawn` have got their own page already; those in `gone` are marked, since
    their files are not there any more. Near-linear in the number of
    sessions and paths.

    Raises:
        ThemeError: The theme is missing or broken.
    """
    ordered = newest_first(sessions)
    outputs = [_page(ATTRIBUTES_URL, ATTRIBUTES)]
    if settings.has_markdown:
        text = markdown_index(ordered, settings)
        outputs.append(_page(settings.markdown_index_url, text))
    owners: dict[str, tuple[str, ...]] = {}
    if settings.has_html:
        # Markdown alone is for repositories: there, a new message changes no list, and no
        # host sends headers.
        rules = header_rules(is_public=settings.is_public, has_search=settings.has_search)
        outputs.append(_page(HEADERS_URL, write_headers(rules)))
        outputs.append(Output(PATHS_URL, paths_jsonl(ordered)))
        outputs.extend(_html_lists(ordered, settings, reading, gone))
        if settings.has_search:
            view = search_view(ordered)
            outputs.append(_draw(settings, "search.html.j2", SEARCH_URL, view))
        outputs.extend(sitemaps(ordered, settings))
        for session in ordered:
            if session.session not in drawn:
                outputs.append(render_session(session, settings))
                owners[session.url] = (session.session,)
    return ListPages(tuple(outputs), owners)


def render_session(session: SessionFacts, settings: SiteSettings) -> Output:
    """Return the page of a session: from its own facts, whatever other sessions there are.

    Raises:
        ThemeError: The theme is missing or broken.
    """
    view = session_view(session)
    return _draw(settings, "session.html.j2", session.url, view)


def _html_lists(
    ordered: Sequence[SessionFacts],
    settings: SiteSettings,
    reading: ReportFacts,
    gone: Container[str],
) -> list[Output]:
    report = report_view(ordered, reading)
    outputs = [
        _draw(settings, "index.html.j2", INDEX_URL, index_view(ordered, settings, gone)),
        _draw(settings, "report.html.j2", REPORT_URL, report),
        _draw(settings, "notfound.html.j2", NOT_FOUND_URL, PageView(title="Not found")),
    ]
    outputs += extra_pages(settings)
    for project, some in by_project(ordered):
        view = project_view(project, some, gone)
        outputs.append(_draw(settings, "project.html.j2", project_url(project), view))
    return outputs


def paths_jsonl(ordered: Iterable[SessionFacts]) -> bytes:
    """Return one JSON object a kept path, in the order of the lists: for scripts."""
    lines = (
        {
            "session": session.session,
            "project": session.project,
            "number": path.number,
            "of": session.of,
            "status": path.status,
            "title": path.title,
            "label": path.label,
            "started": path.started,
            "ended": path.ended,
            "messages": path.messages,
            "prompts": path.prompts,
            "compactions": path.compactions,
            "url": path.url,
            "markdown_url": path.markdown_url,
        }
        for session in ordered
        for path in session.paths
    )
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    return text.encode("utf-8", "replace")


def extra_pages(settings: SiteSettings) -> list[Output]:
    """Return the pages that the theme adds."""
    return [
        _draw(settings, page.template, page.url, PageView(title=page.title))
        for page in load_theme(settings.theme).pages
    ]


def _draw(settings: SiteSettings, template: str, url: str, view: PageView) -> Output:
    return Output(url, draw_page(settings, template, url, view))


def _page(url: str, text: str) -> Output:
    return Output(url, text.encode("utf-8", "replace"))


class SearchView(PageView, frozen=True, kw_only=True):
    """Search in all messages (`search.html.j2`)."""

    projects: tuple[str, ...]
    """What one can choose, by name."""
    months: tuple[NavLink, ...]
    """What one can choose, newest first: `March 2026`, with `2026-03` as its address."""


def search_view(sessions: Iterable[SessionFacts]) -> SearchView:
    """Return the view of the page that searches the messages of `sessions`."""
    projects: set[str] = set()
    months: dict[str, str] = {}
    for session in sessions:
        projects.add(visible(session.project))
        ends = [path.ended for path in session.paths]
        ends += [agent.ended for agent in session.agents]
        months.update((month_key(end), month_of(end)) for end in ends)
    months.pop("", None)
    return SearchView(
        title="Search",
        projects=tuple(sorted(projects)),
        months=tuple(
            NavLink(name, key) for key, name in sorted(months.items(), reverse=True)
        ),
    )


class StubView(PageView, frozen=True, kw_only=True):
    """A page that leads on (`stub.html.j2`)."""

    target: str
    """Where the conversation stands now, down to its last message; relative to the page."""


def stub_page(url: str, target: str, settings: SiteSettings) -> Output:
    """Return the page at `url` that leads to `target`, both site-relative."""
    view = StubView(title="This page has moved", target=relative(url, target))
    return _draw(settings, "stub.html.j2", url, view)


def stubs(
    sessions: Iterable[SessionFacts], settings: SiteSettings, published: Container[str]
) -> Iterator[tuple[Output, str]]:
    """Yield a stub, with its session, for each dropped path that has a page in `published`.

    `published` holds the addresses of the last build.
    """
    if not settings.has_html:
        return
    for session in sessions:
        for copy in session.dropped:
            url = transcript_url(copy.path.session, copy.path.number)
            if url in published:
                page = transcript_url(copy.by.session, copy.by.number)
                anchor = anchor_of(copy.leaf_uuid)
                yield stub_page(url, f"{page}#{anchor}", settings), session.session


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
    addresses = [settings.absolute(url) for url in _page_urls(sessions)]
    if len(addresses) <= most:
        return [_sitemap(SITEMAP_URL, "urlset", "url", addresses)]
    parts = [
        _sitemap(f"sitemap-{number}.xml", "urlset", "url", addresses[first : first + most])
        for number, first in enumerate(range(0, len(addresses), most), 1)
    ]
    names = [settings.absolute(part.url) for part in parts]
    return [_sitemap(SITEMAP_URL, "sitemapindex", "sitemap", names), *parts]


def _page_urls(sessions: Iterable[SessionFacts]) -> list[str]:
    """Return the addresses of all pages that someone may look for, sorted."""
    urls = {INDEX_URL}
    for session in sessions:
        urls |= {project_url(session.project), session.url}
        urls.update(url for path in session.paths for url in (path.url, path.compare_url))
        urls.update(agent.url for agent in session.agents)
    return sorted(urls - {""})


def _sitemap(url: str, outer: str, inner: str, addresses: Sequence[str]) -> Output:
    lines = (
        f"<{inner}><loc>{escape(address, quote=False)}</loc></{inner}>"
        for address in addresses
    )
    first = f'<?xml version="1.0" encoding="UTF-8"?>\n<{outer} xmlns="{_SCHEMA}">'
    return Output(url, "\n".join([first, *lines, f"</{outer}>\n"]).encode("ascii"))


def markdown_index(sessions: Iterable[SessionFacts], settings: SiteSettings) -> str:
    """Return the index of the Markdown files: by project and month, one line a path.

    By the time at which a path began, since another message would change the one at which
    it ended, and without counts: a new path adds a line, a new message changes none.
    """
    here = settings.markdown_index_url
    blocks = [f"# {literal(visible(settings.title))}"]
    for project, some in by_project(newest_first(sessions, _started)):
        blocks.append(f"## {literal(visible(project))}")
        for month, group in groupby(some, key=lambda session: month_of(_started(session))):
            lines = [line for session in group for line in _index_lines(session, here)]
            if lines:
                blocks.extend([f"### {month}", "\n".join(lines)])
    return "\n\n".join(blocks) + "\n"


def _started(session: SessionFacts) -> str:
    return session.started


def _index_lines(session: SessionFacts, here: str) -> Iterator[str]:
    for path in session.paths:
        if not path.markdown_url:
            continue
        title = literal(shortened(path.title or session.title) or "Untitled")
        url = relative(here, path.markdown_url)
        line = f"- {format_moment(path.started)[:10]} [{title}]({url})"
        if path.status is Status.ABANDONED:
            label = shortened(path.label)
            line += f" — ABANDONED{': ' + literal(label) if label else ''}"
        yield line
