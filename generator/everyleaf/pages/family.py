"""Draws a family of sessions: what a worker does.

FamilyWork ─▶ TurnDrawer (each turn once) ─▶ tours ─▶ pages, Markdown, blobs, facts

What a page is made of is known before it is drawn, so that one that stands costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.collector import collector_relaxed
from everyleaf.graph.forest import Status
from everyleaf.outputs import add_checksums
from everyleaf.pages import addresses, comparepages, pathpage, summary, transcript
from everyleaf.pages.facts import (
    AgentFacts,
    EditFacts,
    PathFacts,
    SessionFacts,
    write_session_facts,
)
from everyleaf.pages.filepages import edits_made
from everyleaf.pages.fragments import ChunkFiles, FragmentBook
from everyleaf.pages.markdown import markdown_page
from everyleaf.pages.pagesink import PageSink, Show
from everyleaf.pages.sourcing import open_group
from everyleaf.pages.work import FamilyWork, PageCounts, SessionWork, first_paths
from everyleaf.search.pages import write_search_pages


@collector_relaxed()
def render_family(  # noqa: PLR0913  (all but three are named, or left out)
    work: FamilyWork,
    settings: addresses.SiteSettings,
    sink: PageSink,
    book: FragmentBook | None = None,
    *,
    ahead: ChunkFiles | None = None,
    put_aside: Callable[[comparepages.Comparisons], None] | None = None,
) -> tuple[tuple[SessionFacts, ...], PageCounts]:
    """Put all pages, Markdown files, blobs and facts of a family in `sink`, one at a time.

    Return the facts, and what had to be drawn. A turn is drawn at most once in each
    format, and only if a page that does not stand shows it, or `book` does not know
    it, it was not drawn `ahead`, and no page that stands has it. Linear in all of them.
    Comparisons are only `put_aside`, if that is given, before there is a page: other jobs
    draw them meanwhile.
    """
    family = open_group(work, settings, book=book, ahead=ahead)
    if put_aside is not None:
        for part in comparepages.iter_parts(family):
            put_aside(part)
    press = _Press(family, sink, summary.SearchPages(work))
    facts = tuple(map(press.put_session, work.sessions))
    if settings.has_search:
        for session, found in press.findings.by_session():
            sink.put(addresses.words_url(session), write_search_pages(found), session)
    if family.compared and put_aside is None:
        pages = comparepages.ComparePages(settings, work, family.drawer)
        pages.put(comparepages.iter_compared(family), sink)
    drawer = family.drawer
    return facts, PageCounts(drawer.drawn, drawer.records, sink.pages)


class _Press(Struct, frozen=True):
    """Puts the pages of a family in the sink."""

    family: pathpage.GroupContext
    sink: PageSink
    findings: summary.SearchPages

    def put_session(self, session: SessionWork) -> SessionFacts:
        """Put all pages of a session but comparisons in the sink and return its facts."""
        family = self.family
        calls = pathpage.CallPlaces()
        runs = summary.SessionRuns(session, family.work.tree)
        paths: list[PathFacts] = []
        edits: list[EditFacts] = []
        homes = self.findings.homes
        first_on = first_paths(family.work.tree, session.paths)
        # ACTIVE paths first: a call that stands on several pages is looked up on theirs.
        for path in sorted(session.paths, key=lambda one: one.status is Status.ABANDONED):
            one = pathpage.path_page(family, session, path)
            self._put_conversation(one, calls)
            calls.add(one)
            self.findings.add_path(one)
            runs.add(one)
            paths.append(summary.path_facts(one, first_on))
            home = {turn.key for turn in one.shown if homes.get(turn.key) == one.path.ref}
            edits += edits_made(one, home)
        paths.sort(key=lambda path: path.number)
        edits.sort(key=lambda one: one.path)
        agents = self._put_agents(session, calls, edits)
        facts = summary.session_facts(
            family.settings, session, tuple(paths), agents, runs.facts()
        )
        facts = replace(facts, edits=tuple(edits))
        name = session.session
        body = write_session_facts(facts)
        if not family.settings.has_html:
            body = add_checksums(body, self.sink.digests.get(name, {}))
        self.sink.put(addresses.facts_url(name), body, name)
        return facts

    def _put_agents(
        self, session: SessionWork, calls: pathpage.CallPlaces, edits: list[EditFacts]
    ) -> tuple[AgentFacts, ...]:
        """Put the pages of a session's agents in the sink; add what they did to `edits`."""
        family = self.family
        tours = {
            agent.agent_id: pathpage.subagent_page(family, session, agent)
            for agent in session.agents
            if agent.leaves
        }
        for one in tours.values():
            calls.add(one)
            self.findings.add_agent(one)
            edits += edits_made(one)
        for one in tours.values():
            self._put_conversation(one, calls)
        return tuple(
            summary.agent_facts(agent, tours.get(agent.agent_id))
            for agent in session.agents
        )

    def _put_conversation(
        self, one: pathpage.PathPage | pathpage.SubagentPage, calls: pathpage.CallPlaces
    ) -> None:
        """Put the page, the Markdown and the blobs of a path or a subagent in the sink."""
        family, session = self.family, one.session.session
        if family.settings.has_html:
            view, bodies = transcript.view_and_bodies(one, calls)
            is_agent = isinstance(one, pathpage.SubagentPage)
            template = "agent.html.j2" if is_agent else "transcript.html.j2"

            def whole(show: Show) -> Iterator[str]:
                filled = transcript.with_bodies(view, bodies, show)
                return addresses.page_pieces(family.settings, template, one.url, filled)

            inputs = (view, [body.inputs() for body in bodies])
            self._put_page(one.url, inputs, family.drawer.html, whole, session)
        if family.settings.has_markdown:
            page, show = markdown_page(one), family.drawer.markdown
            self._put_page(one.markdown_url, page.inputs(), show, page.pieces, session)
        for page_turn in one.shown:
            for name in page_turn.fragment.blobs:
                body = partial(family.drawer.blob, name, page_turn.fragment)
                self.sink.put_blob(name, body, (session,))

    def _put_page(
        self,
        url: str,
        inputs: object,
        show: Show,
        fill: Callable[[Show], Iterable[str]],
        session: str,
    ) -> None:
        is_drawn = self.family.drawer.is_drawn
        draw = partial(self.sink.turns.draw, url, show, fill, is_drawn)
        self.sink.put_page(url, inputs, draw, (session,))
