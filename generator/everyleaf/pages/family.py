"""Draws a family of sessions: what a worker does.

FamilyWork ─▶ TurnDrawer (each turn once) ─▶ tours ─▶ pages, Markdown, blobs, facts
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from everyleaf.frozen import dataclass
from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import (
    agent_markdown_url,
    agent_url,
    blob_url,
    compare_url,
    facts_url,
    transcript_url,
    words_url,
)
from everyleaf.pages.agents import agent_markdown, agent_tour, agent_view
from everyleaf.pages.called import find_called
from everyleaf.pages.calls import CallPlaces
from everyleaf.pages.comparing import ComparePages
from everyleaf.pages.facts import write_session_facts
from everyleaf.pages.found import Findings
from everyleaf.pages.markdown import transcript_markdown
from everyleaf.pages.pairs import iter_pairs, opponents
from everyleaf.pages.prefixes import find_linked
from everyleaf.pages.runs import SessionRuns
from everyleaf.pages.sheets import draw_page
from everyleaf.pages.sourcing import open_drawer
from everyleaf.pages.summary import agent_facts, path_facts, session_facts
from everyleaf.pages.sums import PathSums
from everyleaf.pages.tour import Family, tour
from everyleaf.pages.transcript import transcript_view
from everyleaf.pages.walk import first_paths, index_leaves, index_paths
from everyleaf.render.output import Output
from everyleaf.search.pages import write_search_pages
from everyleaf.workers import collector_relaxed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from everyleaf.pages.facts import AgentFacts, PathFacts, SessionFacts
    from everyleaf.pages.settings import SiteSettings
    from everyleaf.pages.tour import Tour
    from everyleaf.pages.walk import Stop
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork


@dataclass(frozen=True, slots=True)
class PageCounts:
    """What a family took."""

    turns: int
    """Times that a turn was drawn."""
    records: int
    """Records in those turns."""
    pages: int
    """HTML pages and Markdown files."""


@dataclass(frozen=True, slots=True)
class FamilyPages:
    """Everything that a family adds to the site."""

    outputs: tuple[Output, ...]
    """Empty where something else took them."""
    owners: Mapping[str, tuple[str, ...]]
    """The sessions that account for each url, sorted."""
    facts: tuple[SessionFacts, ...]
    counts: PageCounts


@collector_relaxed()
def render_family(
    work: FamilyWork, settings: SiteSettings, take: Callable[[Output], None] | None = None
) -> FamilyPages:
    """Return all pages, Markdown files, blobs and facts of a family of sessions.

    What is ready is handed to `take`, one page at a time, if that is given. Every turn is
    drawn once in each format; pages are put together from what was drawn, so the cost is
    that of the records plus the length of the pages.

    Raises:
        OSError: A source cannot be read any more.
        ThemeError: The theme is missing or broken.
    """
    paths = index_paths(work)
    compared = opponents(paths if settings.has_html else {})
    items = [
        item
        for session in work.sessions
        for item in session.paths
        if item.path.ref in compared
    ]
    drawer = open_drawer(work, settings, sketched=first_paths(work.tree, items))
    called = find_called(work, drawer)
    linked = find_linked(work, settings.shared_prefix)
    sums = PathSums(drawer, called, index_leaves(work))
    family = Family(work, settings, drawer, paths, called, sums, compared, linked)
    outputs: list[Output] = []
    shelf = _Shelf(family, take or outputs.append)
    facts = tuple(_render_session(shelf, session) for session in work.sessions)
    _render_comparisons(shelf)
    if settings.has_search:
        for session, pages in shelf.findings.by_session():
            shelf.put(words_url(session), write_search_pages(pages), session)
    return FamilyPages(
        outputs=tuple(outputs),
        owners={url: tuple(sorted(owners)) for url, owners in sorted(shelf.owners.items())},
        facts=facts,
        counts=PageCounts(drawer.drawn, drawer.records, shelf.pages),
    )


class _Shelf:
    """Takes what is ready, with the session that it is for."""

    def __init__(self, family: Family, take: Callable[[Output], None]) -> None:
        self.family = family
        self.take = take
        self.owners: defaultdict[str, set[str]] = defaultdict(set)
        self.findings = Findings(family.work)
        self.pages = 0

    def put_page(self, url: str, text: str, session: str) -> None:
        self.pages += 1
        self.put(url, text.encode("utf-8", "replace"), session)

    def put(self, url: str, body: bytes, session: str) -> None:
        self.take(Output(url, body))
        self.owners[url].add(session)

    def put_blob(self, name: str, body: bytes, sessions: Iterable[str]) -> None:
        url = blob_url(name)
        if url not in self.owners:
            self.take(Output(url, body))
        self.owners[url].update(sessions)

    def put_blobs(self, stops: Sequence[Stop], session: str) -> None:
        for stop in stops:
            for name in stop.drawn.blobs:
                self.put_blob(name, self.family.drawer.blobs[name].body, (session,))


def _render_session(shelf: _Shelf, session: SessionWork) -> SessionFacts:
    """Put all pages of a session on the shelf and return its facts."""
    family = shelf.family
    calls = CallPlaces()
    runs = SessionRuns(session, family.work.tree)
    paths: list[PathFacts] = []
    first_on = first_paths(family.work.tree, session.paths)
    # ACTIVE paths first: a call that stands on several pages is looked up on theirs.
    for item in sorted(session.paths, key=_is_abandoned):
        one = tour(family, session, item)
        _render_path(shelf, one)
        calls.add(one.shown, transcript_url(one.path.session, one.path.number))
        shelf.findings.add_path(one)
        runs.add(one)
        paths.append(path_facts(one, first_on))
    paths.sort(key=lambda path: path.number)
    agents = _render_agents(shelf, session, calls)
    facts = session_facts(family.settings, session, tuple(paths), agents, runs.facts())
    shelf.put(facts_url(session.session), write_session_facts(facts), session.session)
    return facts


def _is_abandoned(item: PathWork) -> bool:
    return item.path.status is Status.ABANDONED


def _render_path(shelf: _Shelf, one: Tour) -> None:
    path, settings = one.path, shelf.family.settings
    if settings.has_html:
        here = transcript_url(path.session, path.number)
        page = draw_page(settings, "transcript.html.j2", here, transcript_view(one))
        shelf.put_page(here, page, path.session)
    if settings.has_markdown:
        url = shelf.family.markdown_url(path.ref)
        shelf.put_page(url, transcript_markdown(one, url), path.session)
    shelf.put_blobs(one.shown, path.session)


def _render_comparisons(shelf: _Shelf) -> None:
    """Put the pages that hold two paths against each other on the shelf."""
    family = shelf.family
    if not family.compared:
        return
    pages = ComparePages(family)
    for pair in iter_pairs(family.compared):
        url, sessions = compare_url(*pair), sorted({ref.session for ref in pair})
        text, blobs = pages.page(pair)
        shelf.put_page(url, text, sessions[0])
        shelf.owners[url].update(sessions)
        for name, blob in sorted(blobs.items()):
            shelf.put_blob(name, blob.body, sessions)


def _render_agents(
    shelf: _Shelf, session: SessionWork, calls: CallPlaces
) -> tuple[AgentFacts, ...]:
    """Put the pages of a session's agents on the shelf; agents call agents, too."""
    family, settings = shelf.family, shelf.family.settings
    tours = [agent_tour(family, session, agent) for agent in session.agents if agent.leaves]
    for one in tours:
        calls.add(one.all_stops, agent_url(session.session, one.agent.agent_id))
        shelf.findings.add_agent(one)
    for one in tours:
        agent = one.agent
        if settings.has_html:
            view = agent_view(one, calls.url_of(agent.tool_use_id))
            here = agent_url(session.session, agent.agent_id)
            page = draw_page(settings, "agent.html.j2", here, view)
            shelf.put_page(here, page, session.session)
        if settings.has_markdown:
            folder = settings.markdown_dir
            url = agent_markdown_url(session.session, agent.agent_id, folder=folder)
            shelf.put_page(url, agent_markdown(one, url), session.session)
        shelf.put_blobs(one.all_stops, session.session)
    known = {one.agent.agent_id: one for one in tours}
    return tuple(
        agent_facts(settings, agent, known.get(agent.agent_id)) for agent in session.agents
    )
