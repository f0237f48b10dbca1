"""The pages that list: index, projects, sessions, report. Pure: from facts alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.outputs import Output
from everyleaf.pages import addresses, feeds, listviews
from everyleaf.pages.facts import ReportFacts, SessionFacts, by_project, newest_first
from everyleaf.pages.filepages import ListedFacts, file_pages
from everyleaf.pages.pagesink import PageSink
from everyleaf.pages.reportpage import report_view
from everyleaf.pages.sessionpage import session_view
from everyleaf.pages.wording import month_key, month_of
from everyleaf.render.entries import anchor_of
from everyleaf.render.view import NavLink, PageView
from everyleaf.theming.formats import visible
from everyleaf.theming.headers import HEADERS_URL, HeaderRule, header_rules, write_headers
from everyleaf.theming.load import load_theme

ATTRIBUTES_URL = ".gitattributes"
ATTRIBUTES = """\
# Made by everyleaf: folded in reviews, the same bytes on every system, and what two people
# published side by side is merged line by line.
* linguist-generated -text
manifest.json merge=union
paths.jsonl merge=union
index*.md merge=union
"""
_DIGEST = re.compile(rb"sha256-[A-Za-z0-9+/]+=*")

LOST = PageView(title="Not found")
Whole = Callable[[Sequence[SessionFacts]], list[SessionFacts]]


class ListDrawer(Struct, frozen=True):
    """Draws the lists of a site, but for those that stand and are made of the same."""

    settings: addresses.SiteSettings
    sink: PageSink
    gone: Container[str] = ()
    """Sessions whose files are not there any more: they are marked."""
    digests: Mapping[str, bytes] = {}
    """Of what lists show of a session, where that is known."""
    whole: Whole = list
    """Returns all facts of sessions; the others may be briefs."""

    def page(
        self,
        template: str,
        url: str,
        view: Callable[[], PageView],
        inputs: object,
        sessions: Iterable[str] = (),
    ) -> None:
        """Put a page; its `view` is asked for if its `inputs` have changed."""
        draw = partial(addresses.draw_page, self.settings, template, url)
        self.sink.put_page(url, [template, inputs], lambda: draw(view()), sessions)

    def view(self, template: str, url: str, view: PageView) -> None:
        """Put a page that is made of its view."""
        self.page(template, url, lambda: view, view)

    def file(self, url: str, body: bytes) -> None:
        """Put what is no page."""
        self.sink.put_page(url, body, lambda: body, ())

    def text(self, url: str, text: str) -> None:
        """Put a text."""
        self.file(url, text.encode("utf-8", "replace"))

    def inputs(self, sessions: Iterable[SessionFacts]) -> list[object]:
        """Return what changes whenever something of `sessions` does."""
        return [self.digests.get(one.session, one) for one in sessions]

    def listed(self, sessions: Sequence[SessionFacts]) -> list[object]:
        """Return the same, and which of them are gone, as their rows say."""
        gone = [one.session for one in sessions if one.session in self.gone]
        return [self.inputs(sessions), gone]

    def files(self, sessions: Iterable[ListedFacts], first: int, step: int) -> None:
        """Put pages of files that `sessions` edited: the `first`, and each `step`-th."""
        pages = file_pages(sessions) if self.settings.has_html else ()
        for page in islice(pages, first, None, step):
            if page.target:
                self.view("stub.html.j2", page.url, _moved(page.url, page.target))
            else:
                inputs = [page.url, page.project, page.file, page.digests]
                self.page("file.html.j2", page.url, page.view, inputs)

    def months(self, ordered: Sequence[SessionFacts], project: str | None) -> None:
        """Put the further pages of a long list."""
        parts = listviews.split_list(ordered, project)
        for number, part in enumerate(parts):
            if part.name:
                near = parts[number - 1 : number + 2]
                inputs = [self.listed(part.sessions), [(one.url, one.name) for one in near]]
                view = partial(self._month, parts, number, project)
                self.page("project.html.j2", part.url, view, inputs)

    def _month(
        self, parts: list[listviews.ListPart], number: int, project: str | None
    ) -> PageView:
        part = replace(parts[number], sessions=tuple(self.whole(parts[number].sessions)))
        parts = [*parts[:number], part, *parts[number + 1 :]]
        return listviews.month_view(parts, number, project, self.gone)

    def index(self, ordered: Sequence[SessionFacts]) -> PageView:
        """Return what the index shows."""
        known = [*self.whole(ordered[: listviews.LONG]), *ordered[listviews.LONG :]]
        return listviews.index_view(known, self.settings, self.gone)

    def project(self, project: str, some: Sequence[SessionFacts]) -> PageView:
        """Return what the page of a project shows, of which `some` are."""
        return listviews.project_view(project, self.whole(some), self.gone)


def put_lists(
    lists: ListDrawer,
    sessions: Iterable[SessionFacts],
    reading: ReportFacts,
    drawn: Container[str] = (),
) -> None:
    """Put all lists of the site, for sessions fresh or kept from earlier builds.

    Sessions in `drawn` have got their own page already. Near-linear in the number of
    sessions and paths.
    """
    ordered, settings = newest_first(sessions), lists.settings
    lists.text(ATTRIBUTES_URL, ATTRIBUTES)
    if settings.has_markdown:
        index, months = feeds.markdown_index(ordered, settings)
        lists.text(settings.markdown_index_url, index)
        for url, some, body in months:
            lists.sink.put_page(url, lists.inputs(some), body, ())
    if not settings.has_html:
        # Markdown alone is for repositories: there, a new message changes no list, and no
        # host sends headers.
        return
    _put_fixed(lists)
    lists.file(addresses.PATHS_URL, feeds.paths_jsonl(ordered))
    view = partial(lists.index, ordered)
    lists.page("index.html.j2", addresses.INDEX_URL, view, lists.listed(ordered))
    lists.view("report.html.j2", addresses.REPORT_URL, report_view(ordered, reading))
    if settings.has_search:
        lists.view("search.html.j2", addresses.SEARCH_URL, search_view(ordered))
    if settings.has_markdown:
        lists.text(feeds.LLMS_URL, feeds.llms_txt(ordered, settings))
    known = lists.whole(ordered) if settings.base_url else ()
    for output in (*feeds.sitemaps(known, settings), *feeds.feed(known, settings)):
        lists.file(output.url, output.body)
    lists.months(ordered, None)
    for project, some in by_project(ordered):
        url = addresses.project_url(project)
        view = partial(lists.project, project, some)
        lists.page("project.html.j2", url, view, lists.listed(some))
        lists.months(some, project)
    for session in ordered:
        if session.session not in drawn:
            put_session(lists.whole([session])[0], settings, lists.sink)


def put_session(
    session: SessionFacts, settings: addresses.SiteSettings, sink: PageSink
) -> None:
    """Put the page of a session: from its own facts, whatever other sessions there are."""
    lists = ListDrawer(settings, sink)
    view = partial(session_view, session)
    lists.page("session.html.j2", session.url, view, session, (session.session,))


def _put_fixed(lists: ListDrawer) -> None:
    """Put what no session changes: pages of the theme, and the headers that fit them."""
    for page in load_theme(lists.settings.theme).pages:
        lists.view(page.template, page.url, PageView(title=page.title))
    lists.view("notfound.html.j2", addresses.NOT_FOUND_URL, LOST)
    lists.text(HEADERS_URL, write_headers(site_headers(lists.settings)))


def site_headers(settings: addresses.SiteSettings) -> tuple[HeaderRule, ...]:
    """Return the headers that a host should send.

    The page for lost readers has its style inside, as no link to a style sheet is right at
    any depth: what its own policy allows, that of the header has to allow as well.
    """
    drawn = addresses.draw_page(settings, "notfound.html.j2", addresses.NOT_FOUND_URL, LOST)
    return header_rules(
        is_public=settings.is_public,
        has_search=settings.has_search,
        styles=dict.fromkeys(found.decode() for found in _DIGEST.findall(drawn)),
        frames=settings.frames,
    )


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


def _moved(url: str, target: str) -> StubView:
    return StubView(title="This page has moved", target=addresses.relative(url, target))


def stubs(
    sessions: Iterable[SessionFacts],
    settings: addresses.SiteSettings,
    published: Container[str],
) -> Iterator[tuple[Output, str]]:
    """Yield a stub, with its session, for each dropped path that has a page in `published`.

    `published` holds the addresses of the last build.
    """
    if not settings.has_html:
        return
    for session in sessions:
        for copy in session.dropped:
            url = addresses.transcript_url(copy.path.session, copy.path.number)
            if url in published:
                page = addresses.transcript_url(copy.by.session, copy.by.number)
                view = _moved(url, f"{page}#{anchor_of(copy.leaf_uuid)}")
                body = addresses.draw_page(settings, "stub.html.j2", url, view)
                yield Output(url, body), session.session
