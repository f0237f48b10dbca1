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
from everyleaf.pages.drawing import PageTurn
from everyleaf.pages.facts import (
    AgentFacts,
    EditFacts,
    PathFacts,
    SessionFacts,
    write_session_facts,
)
from everyleaf.pages.filepages import edits_made
from everyleaf.pages.fragments import ChunkFiles, FragmentBook
from everyleaf.pages.markdown import MarkdownPage, agent_markdown, transcript_markdown
from everyleaf.pages.pagesink import PageSink, Show
from everyleaf.pages.sourcing import open_group
from everyleaf.pages.work import FamilyWork, PageCounts, SessionWork, first_paths
from everyleaf.render.view import PageView
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
        for item in sorted(
            session.paths, key=lambda one: one.path.status is Status.ABANDONED
        ):
            one = pathpage.path_page(family, session, item)
            self._put_path(one)
            calls.add(
                one.shown, addresses.transcript_url(one.path.session, one.path.number)
            )
            self.findings.add_path(one)
            runs.add(one)
            paths.append(summary.path_facts(one, first_on))
            home = {turn.key for turn in one.shown if homes.get(turn.key) == one.path.ref}
            edits += edits_made(one, one.shown, home, path=one.path.number)
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

    def _put_path(self, one: pathpage.PathPage) -> None:
        path, settings = one.path, self.family.settings
        if settings.has_html:
            view, body = transcript.transcript_view(one), transcript.transcript_body(one)
            here = addresses.transcript_url(path.session, path.number)

            def fill(show: Show) -> PageView:
                return replace(view, body=body.items(show))

            inputs = (view, body.inputs())
            self._put_html("transcript.html.j2", here, inputs, fill, path.session)
        if settings.has_markdown:
            url = self.family.markdown_url(path.ref)
            self._put_markdown(url, transcript_markdown(one, url), path.session)
        self._put_blobs(one.shown, path.session)

    def _put_agents(
        self, session: SessionWork, calls: pathpage.CallPlaces, edits: list[EditFacts]
    ) -> tuple[AgentFacts, ...]:
        """Put the pages of a session's agents in the sink; add what they did to `edits`."""
        family = self.family
        tours = [
            pathpage.subagent_page(family, session, agent)
            for agent in session.agents
            if agent.leaves
        ]
        for one in tours:
            calls.add(
                one.all_turns, addresses.agent_url(session.session, one.agent.agent_id)
            )
            self.findings.add_agent(one)
            edits += edits_made(one, one.all_turns, agent=one.agent.agent_id)
        for one in tours:
            self._put_agent(one, calls)
        known = {one.agent.agent_id: one for one in tours}
        return tuple(
            summary.agent_facts(family.settings, agent, known.get(agent.agent_id))
            for agent in session.agents
        )

    def _put_agent(self, one: pathpage.SubagentPage, calls: pathpage.CallPlaces) -> None:
        settings, agent = self.family.settings, one.agent
        if settings.has_html:
            view = transcript.agent_view(one, calls.url_of(agent.tool_use_id))
            bodies = transcript.agent_bodies(one)
            here = addresses.agent_url(agent.session, agent.agent_id)
            inputs = (view, [body.inputs() for body in bodies])
            fill = partial(transcript.with_bodies, view, bodies)
            self._put_html("agent.html.j2", here, inputs, fill, agent.session)
        if settings.has_markdown:
            folder = settings.markdown_dir
            url = addresses.agent_markdown_url(agent.session, agent.agent_id, folder=folder)
            self._put_markdown(url, agent_markdown(one, url), agent.session)
        self._put_blobs(one.all_turns, agent.session)

    def _put_html(
        self,
        template: str,
        url: str,
        inputs: object,
        fill: Callable[[Show], PageView],
        session: str,
    ) -> None:
        def whole(show: Show) -> Iterator[str]:
            return addresses.page_pieces(self.family.settings, template, url, fill(show))

        self._put_page(url, inputs, self.family.show_html, whole, session)

    def _put_markdown(self, url: str, page: MarkdownPage, session: str) -> None:
        show = self.family.show_markdown
        self._put_page(url, page.inputs(), show, page.pieces, session)

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

    def _put_blobs(self, page_turns: Iterable[PageTurn], session: str) -> None:
        for page_turn in page_turns:
            for name in page_turn.fragment.blobs:
                body = partial(self.family.drawer.blob, name, page_turn.fragment)
                self.sink.put_blob(name, body, (session,))
