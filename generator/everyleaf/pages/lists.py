"""The pages that list: index, projects, sessions, report. Pure: from facts alone."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.outputs import Output
from everyleaf.pages.addresses import (
    INDEX_URL,
    NOT_FOUND_URL,
    PATHS_URL,
    REPORT_URL,
    SEARCH_URL,
    project_url,
    relative,
    root_of,
)
from everyleaf.pages.listviews import ListView, ProjectCard
from everyleaf.pages.markdownindex import markdown_index, markdown_index_url
from everyleaf.pages.relations import relations_view
from everyleaf.pages.report import report_view
from everyleaf.pages.rows import RowStyle, group_rows, models_of, newest_first, session_row
from everyleaf.pages.searchpage import search_view
from everyleaf.pages.sessionpage import session_view
from everyleaf.pages.sheets import draw_page
from everyleaf.pages.sitemap import sitemaps
from everyleaf.render.view import Fact, NavLink, PageView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count, format_moment
from everyleaf.theming.headers import HEADERS_URL, header_rules, write_headers
from everyleaf.theming.load import load_theme

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.reading import Reading
    from everyleaf.pages.settings import SiteSettings


class ListPages(Struct, frozen=True):
    """The lists of a site."""

    outputs: tuple[Output, ...]
    owners: Mapping[str, tuple[str, ...]]
    """The session that accounts for a session's page; other lists are the site's own."""


ATTRIBUTES_URL = ".gitattributes"
ATTRIBUTES = """\
# Made by everyleaf: folded in reviews, the same bytes on every system, and what two people
# published side by side is merged line by line.
* linguist-generated -text
manifest.json merge=union
paths.jsonl merge=union
index.md merge=union
"""


def render_lists(
    sessions: Iterable[SessionFacts],
    settings: SiteSettings,
    reading: Reading,
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
        outputs.append(_page(markdown_index_url(settings), text))
    owners: dict[str, tuple[str, ...]] = {}
    if settings.has_html:
        # Markdown alone is for repositories: there, a new message changes no list, and no
        # host sends headers.
        outputs.append(_headers(settings))
        outputs.append(Output(PATHS_URL, paths_jsonl(ordered)))
        outputs.extend(_html_lists(ordered, settings, reading, gone))
        if settings.has_search:
            view = search_view(ordered, settings)
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
    view = session_view(session, settings)
    return _draw(settings, "session.html.j2", session.url, view)


def _html_lists(
    ordered: Sequence[SessionFacts],
    settings: SiteSettings,
    reading: Reading,
    gone: Container[str],
) -> list[Output]:
    by_project: defaultdict[str, list[SessionFacts]] = defaultdict(list)
    for session in ordered:
        by_project[session.project].append(session)
    report = report_view(ordered, settings, reading)
    outputs = [
        _draw(settings, "index.html.j2", INDEX_URL, index_view(ordered, settings, gone)),
        _draw(settings, "report.html.j2", REPORT_URL, report),
        _draw(settings, "notfound.html.j2", NOT_FOUND_URL, _not_found_view(settings)),
    ]
    outputs += extra_pages(settings)
    for project, some in sorted(by_project.items()):
        view = project_view(project, some, settings, gone)
        outputs.append(_draw(settings, "project.html.j2", project_url(project), view))
    return outputs


def _not_found_view(settings: SiteSettings) -> PageView:
    # A host shows it for addresses of any depth. Without a base address, from where it
    # stands is the one way to link that also works in a subfolder, if only for addresses
    # at the top level.
    title = visible(settings.title)
    return PageView(title="Not found", site_title=title, root=settings.base_path)


def index_view(
    ordered: Sequence[SessionFacts], settings: SiteSettings, gone: Container[str] = ()
) -> ListView:
    """Return the view of the archive's first page."""
    by_project: defaultdict[str, list[SessionFacts]] = defaultdict(list)
    for session in ordered:
        by_project[session.project].append(session)
    links = [NavLink("Report: what was odd in the files", REPORT_URL)]
    if settings.has_markdown:
        links.append(NavLink("Markdown index", markdown_index_url(settings)))
    bare = _list_view(ordered, settings, INDEX_URL, visible(settings.title), gone)
    return replace(
        bare,
        lede="Claude Code conversations: every path taken, also those that were left.",
        projects=tuple(_card(name, some) for name, some in sorted(by_project.items())),
        links=tuple(links),
    )


def project_view(
    project: str,
    ordered: Sequence[SessionFacts],
    settings: SiteSettings,
    gone: Container[str] = (),
) -> ListView:
    """Return the view of a project's page."""
    here = project_url(project)
    return replace(
        _list_view(ordered, settings, here, visible(project), gone),
        lede="Sessions of this project, newest first.",
        relations=relations_view(ordered, here),
    )


def _list_view(
    ordered: Sequence[SessionFacts],
    settings: SiteSettings,
    here: str,
    title: str,
    gone: Container[str],
) -> ListView:
    is_index = here == INDEX_URL
    warmups = [session for session in ordered if _is_minor(session)]
    shown = [session for session in ordered if not _is_minor(session)]
    style = RowStyle(here, models_of(ordered), shows_project=is_index, gone=gone)
    return ListView(
        title=title,
        site_title=visible(settings.title),
        root=root_of(here),
        lede="",
        stats=tuple(_stats(ordered)),
        models=tuple(map(visible, style.models)),
        groups=group_rows(shown, style),
        warmups=tuple(session_row(session, style) for session in warmups),
    )


def _is_minor(session: SessionFacts) -> bool:
    return session.is_warmup or not (session.paths or session.agents)


def _stats(ordered: Sequence[SessionFacts]) -> list[Fact]:
    paths = [path for session in ordered for path in session.paths]
    active = sum(path.status is Status.ACTIVE for path in paths)
    times = sorted(filter(None, (session.ended for session in ordered)))
    stats = [
        Fact("sessions" if len(ordered) != 1 else "session", format_count(len(ordered))),
        Fact("paths" if len(paths) != 1 else "path", format_count(len(paths))),
        Fact("active", format_count(active)),
        Fact("abandoned", format_count(len(paths) - active)),
    ]
    if times:
        first, last = format_moment(times[0])[:10], format_moment(times[-1])[:10]
        stats.append(Fact("", first if first == last else f"{first} to {last}"))
    return stats


def _card(project: str, some: Sequence[SessionFacts]) -> ProjectCard:
    last = format_moment(some[0].ended)[:10]
    meta = ", ".join(
        filter(None, (count_of(len(some), "session"), last and f"last {last}"))
    )
    return ProjectCard(visible(project), relative(INDEX_URL, project_url(project)), meta)


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


def _headers(settings: SiteSettings) -> Output:
    rules = header_rules(is_public=settings.is_public, has_search=settings.has_search)
    return _page(HEADERS_URL, write_headers(rules))


def extra_pages(settings: SiteSettings) -> list[Output]:
    """Return the pages that the theme adds."""
    return [
        _draw(
            settings,
            page.template,
            page.url,
            PageView(title=page.title, site_title=visible(settings.title), root=""),
        )
        for page in load_theme(settings.theme).pages
    ]


def _draw(settings: SiteSettings, template: str, url: str, view: PageView) -> Output:
    return Output(url, draw_page(settings, template, url, view))


def _page(url: str, text: str) -> Output:
    return Output(url, text.encode("utf-8", "replace"))
