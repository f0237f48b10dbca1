"""Everything that the pages of a path or a subagent are made of, for all formats.

That is their turns, and what these add up to, with the agents that they called.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from msgspec import Struct

from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Branch, ConversationPath, PathRef
from everyleaf.grouping import grouped
from everyleaf.model import Kind
from everyleaf.pages import addresses, work as works
from everyleaf.pages.drawing import PageTurn, TurnDrawer
from everyleaf.pages.facts import AgentsIncluded
from everyleaf.pages.forks import Linked, Prefix
from everyleaf.pages.wording import titled
from everyleaf.transcript.document import TurnFacts
from everyleaf.transcript.facts import RunningFacts, Totals, merge_facts


class GroupContext(Struct, frozen=True):
    """What the pages of a session group have in common."""

    work: works.FamilyWork
    settings: addresses.SiteSettings
    drawer: TurnDrawer
    paths: Mapping[PathRef, ConversationPath]
    """Kept paths of the group's sessions."""
    called: CalledAgents
    sums: PathSums
    compared: Mapping[PathRef, tuple[PathRef, ...]]
    """The paths that each one has a compare page with."""
    linked: Linked
    """What pages leave out."""

    def html_url(self, ref: PathRef) -> str:
        """Return the HTML page of a path; empty if it has none."""
        is_known = ref in self.paths and self.settings.has_html
        return addresses.transcript_url(ref.session, ref.number) if is_known else ""

    def compare_url(self, ref: PathRef, other: PathRef) -> str:
        """Return the page that compares two paths; empty if there is none."""
        has_page = other in self.compared.get(ref, ())
        return addresses.compare_url(ref, other) if has_page else ""

    def is_withdrawn(self, ref: PathRef) -> bool:
        """Return whether a path of the group ends with a prompt that was taken back."""
        path = self.paths.get(ref)
        return path is not None and path.is_withdrawn

    def markdown_url(self, ref: PathRef) -> str:
        """Return the Markdown file of a path of the group; empty if it has none."""
        path = self.paths.get(ref)
        if path is None or not self.settings.has_markdown:
            return ""
        folder = self.settings.markdown_dir
        return addresses.markdown_url(
            path.session, path.number, path.of, path.status, folder=folder
        )


class ConversationPage(Struct, frozen=True, kw_only=True):
    """What the pages of a path and of a subagent have in common."""

    group: GroupContext
    session: works.SessionWork
    url: str
    """The address of its HTML page, site-relative."""
    markdown_url: str
    """That of its Markdown file; empty if it has none."""
    shown: tuple[PageTurn, ...]
    """From the root on; of a page that leaves out what the path shares, what is its own.
    Of a subagent, the turns of all runs, each once."""
    totals: Totals
    """Of the whole path, or of a subagent's main line."""
    with_agents: AgentsIncluded | None
    """The same with the subagents that were called in it; None: none were."""


class PathPage(ConversationPage, frozen=True, kw_only=True):
    """One path with the turns that its page holds and what all of them add up to."""

    path: ConversationPath
    above: PageTurn | None
    """The last turn that is shared; None where the path shares nothing."""
    own: PageTurn | None
    """The first turn behind it; None where there is none, or no `above`."""
    left_out: Prefix | None
    """The beginning that the page leaves out, and links to; None: it is whole."""

    @property
    def shared_with(self) -> tuple[PathRef | None, int]:
        """Return the path whose page shows what this one shares, and how many messages."""
        if self.left_out:
            return self.left_out.host, self.left_out.messages
        return self.path.taken_over_by, self.path.shared

    @property
    def tells_budget(self) -> bool:
        """Return whether it is short because its session would repeat too much."""
        is_auto = self.group.settings.shared_prefix is SharedPrefix.AUTO
        return self.left_out is not None and is_auto and not self.path.is_withdrawn

    @property
    def instead(self) -> Branch | None:
        """Return what was gone on with in place of a withdrawn prompt; else None."""
        ways = self.above.branches if self.above and self.path.is_withdrawn else ()
        return next((way for way in ways if way.path == self.path.taken_over_by), None)

    def neighbour(self, step: int) -> PathRef | None:
        """Return the kept path of the session that is `step` paths further on."""
        paths = self.session.paths
        at = bisect_left(paths, self.path.number, key=attrgetter("number")) + step
        return paths[at].ref if 0 <= at < len(paths) else None


def path_page(
    group: GroupContext, session: works.SessionWork, path: ConversationPath
) -> PathPage:
    """Return all that the pages of `path` need.

    Cost: that of the turns that its page holds.
    """
    tree, drawer = group.work.tree, group.drawer
    leaf = tree.leaves[path.ref]
    left_out = group.linked.prefixes.get(path.ref)
    above, own = (
        (left_out.above, list(works.climb(tree, leaf, (left_out.above,)))[::-1])
        if left_out
        else works.own_turns(tree, path)
    )
    keys = own if left_out else tree.chain(leaf)
    prompts = group.sums.prompts_before(own[0]) if left_out and own else 0
    shown = drawer.walk_along(keys, prompts=prompts)
    totals, with_agents = group.sums.of(path.ref)
    return PathPage(
        group=group,
        session=session,
        url=addresses.transcript_url(path.session, path.number),
        markdown_url=group.markdown_url(path.ref),
        path=path,
        shown=tuple(shown),
        above=drawer.walk_along([above])[0] if above else None,
        own=shown[-len(own)] if own else None,
        left_out=left_out,
        totals=totals,
        with_agents=with_agents,
    )


class SubagentPage(ConversationPage, frozen=True, kw_only=True):
    """A subagent with the turns of its runs."""

    agent: works.AgentWork
    turns: tuple[PageTurn, ...]
    """The main line, from its root."""
    runs: tuple[tuple[PageTurn, ...], ...]
    """Of each further run, what no run before it has."""

    @property
    def source(self) -> tuple[str, str]:
        """Return the fact that says where it is known from, if not from its own file."""
        told = "what its caller noted of it; its own file is missing"
        return ("Source", told if self.agent.is_told else "")

    @property
    def asked(self) -> str:
        """Return the first words of what it was asked; empty where that is not known."""
        return works.first_words_of(
            [page_turn.turn for page_turn in self.turns], Kind.PROMPT
        )

    @property
    def title(self) -> str:
        """Return what the agent is called on pages."""
        agent = self.agent
        named = agent.description or self.asked or agent.agent_type
        return titled(named or f"Agent {agent.agent_id}")


def subagent_page(
    group: GroupContext, session: works.SessionWork, agent: works.AgentWork
) -> SubagentPage:
    """Return all that the pages of `agent` need."""
    main, settings = group.called.line(agent), group.settings
    markdown_url = addresses.agent_markdown_url(
        agent.session, agent.agent_id, folder=settings.markdown_dir
    )
    seen = {page_turn.key for page_turn in main}
    runs: list[tuple[PageTurn, ...]] = []
    for leaf in (leaf for at, leaf in enumerate(agent.leaves) if at != agent.main):
        line = group.drawer.walk(leaf)
        runs.append(tuple(page_turn for page_turn in line if page_turn.key not in seen))
        seen.update(page_turn.key for page_turn in line)
    return SubagentPage(
        group=group,
        session=session,
        url=addresses.agent_url(agent.session, agent.agent_id),
        markdown_url=markdown_url if settings.has_markdown else "",
        agent=agent,
        shown=tuple(chain(main, *runs)),
        turns=main,
        runs=tuple(runs),
        totals=merge_facts(page_turn.fragment.facts for page_turn in main),
        with_agents=group.called.include(main, me=(agent.session, agent.agent_id)),
    )


class CallPlaces(Struct):
    """The address of each call of a session, on the page that was added first."""

    _urls: dict[str, str] = {}
    _seen: set[works.TurnKey] = set()

    def add(self, page: ConversationPage) -> None:
        """Note the calls on `page`; turns that an earlier page has cost nothing."""
        for page_turn in page.shown:
            if page_turn.key in self._seen:
                continue
            self._seen.add(page_turn.key)
            for placed in page_turn.turn.records:
                anchor = page_turn.fragment.anchors.get(placed.envelope.uuid)
                if placed.kind is Kind.REPLY and anchor:
                    for call in placed.envelope.tool_use_ids:
                        self._urls.setdefault(call, f"{page.url}#{anchor}")

    def url_of(self, tool_use_id: str | None) -> str:
        """Return the site-relative address of a call; empty where it is not published."""
        return self._urls.get(tool_use_id or "", "")


class CalledAgents:
    """Finds the subagents behind the calls of a group's turns; each is drawn once."""

    def __init__(self, work: works.FamilyWork, drawer: TurnDrawer) -> None:
        """Look among the agents of the sessions of `work`, whose turns `drawer` has."""
        self.tree = work.tree
        self.drawer = drawer
        self.agents = work.agents()
        self._below = grouped(
            ((agent.session, agent.parent_agent_id), key)
            for key, agent in self.agents.items()
            if agent.parent_agent_id
        )
        """The agents that name an agent as their parent."""
        self._lines: dict[works.AgentKey, tuple[PageTurn, ...]] = {}

    def line(self, agent: works.AgentWork) -> tuple[PageTurn, ...]:
        """Return the main line of `agent`, from its root."""
        key = (agent.session, agent.agent_id)
        if key not in self._lines:
            leaf = agent.leaves[agent.main]
            self._lines[key] = tuple(self.drawer.walk(leaf))
        return self._lines[key]

    def include(
        self, page_turns: Sequence[PageTurn], *, me: works.AgentKey | None = None
    ) -> AgentsIncluded | None:
        """Return `page_turns` with the agents called in them; None where none were.

        `me` is the agent whose turns these are; it is not counted again.
        """
        reached: dict[works.AgentKey, None] = {me: None} if me else {}
        calls = (key for page_turn in page_turns for key in calls_of(page_turn))
        found = list(
            self.reach([*calls, *(self._below.get(me, ()) if me else ())], reached)
        )
        if not found:
            return None
        running = RunningFacts()
        for page_turn in page_turns:
            running.add(page_turn.fragment.facts)
        for agent in found:
            for page_turn in self.line(agent):
                running.add(page_turn.fragment.facts, is_agent=True)
        return _included(len(found), running.total())

    def reach(
        self, calls: Iterable[works.AgentKey], reached: dict[works.AgentKey, None]
    ) -> Iterator[works.AgentWork]:
        """Yield the agents that `calls` lead to, in the order met, however deep.

        Those in `reached` are passed over; those that are yielded are put there.
        """
        waiting = [*calls][::-1]
        while waiting:
            key = waiting.pop()
            agent = self.agents.get(key)
            if agent is None or not agent.leaves or key in reached:
                continue
            reached[key] = None
            yield agent
            called = (key for page_turn in self.line(agent) for key in calls_of(page_turn))
            waiting.extend(reversed((*called, *self._below.get(key, ()))))


def calls_of(page_turn: PageTurn) -> Iterator[works.AgentKey]:
    """Yield the agents that the calls of a turn lead to."""
    for agent_id in page_turn.fragment.facts.agents:
        yield page_turn.turn.session, agent_id


def _included(agents: int, totals: Totals) -> AgentsIncluded:
    return AgentsIncluded(**addresses.fields_of(AgentsIncluded, totals), agents=agents)


class PathSums:
    """Follows paths of a group through the tree of its turns, in one go."""

    def __init__(self, called: CalledAgents, paths: Iterable[PathRef]) -> None:
        """Take the paths to follow; the first question costs all of their turns."""
        self.steps = 0
        """How often the facts of a turn were added."""
        self._tree, self._drawer = called.tree, called.drawer
        self._called = called
        self._ends = grouped((self._tree.leaves[ref], ref) for ref in paths)
        self._sums: dict[PathRef, tuple[Totals, AgentsIncluded | None]] = {}
        self._prompts: dict[works.TurnKey, int] = {}
        self._own, self._joint = RunningFacts(), RunningFacts()
        self._reached: dict[works.AgentKey, None] = {}
        self._met: dict[works.TurnKey, list[works.AgentWork]] = {}

    def of(self, ref: PathRef) -> tuple[Totals, AgentsIncluded | None]:
        """Return what the path adds up to, alone and with the agents that it called."""
        self.follow()
        return self._sums[ref]

    def prompts_before(self, key: works.TurnKey) -> int:
        """Return how many numbered prompts stand before a turn, on each of its pages."""
        self.follow()
        above = self._tree.parents[key]
        return self._prompts[above] if above else 0

    def follow(self) -> None:
        """Ask for all turns, each after the one above it."""
        if self._sums or not self._ends:
            return
        met = works.first_owners(self._tree, ((leaf, leaf) for leaf in self._ends))
        below = grouped((self._tree.parents[key], key) for key in met)
        waiting = [(key, False) for key in reversed(below[None])]
        while waiting:
            key, is_done = waiting.pop()
            if is_done:
                self._leave(key)
                continue
            self._enter(key)
            for ref in self._ends.get(key, ()):
                agents = len(self._reached)
                joint = _included(agents, self._joint.total()) if agents else None
                self._sums[ref] = (self._own.total(), joint)
            if waiting:
                waiting.append((key, True))
            else:  # All that follow are behind it.
                self._own.settle()
                self._joint.settle()
            waiting.extend((child, False) for child in reversed(below.get(key, ())))
        self._own = self._joint = RunningFacts()

    def _enter(self, key: works.TurnKey) -> None:
        self.steps += 1
        drawn, above = self._drawer.turn(key), self._tree.parents[key]
        self._prompts[key] = len(drawn.numbered) + (self._prompts[above] if above else 0)
        self._own.add(drawn.facts)
        if not self._called.agents:
            return
        self._joint.add(drawn.facts)
        session = self._tree.turns[key].session
        calls = ((session, agent_id) for agent_id in drawn.facts.agents)
        met = list(self._called.reach(calls, self._reached))
        for facts in self._lines(met):
            self.steps += 1
            self._joint.add(facts, is_agent=True)
        self._met[key] = met

    def _leave(self, key: works.TurnKey) -> None:
        self._own.take_back()
        met = self._met.pop(key, None)
        if met is None:
            return
        for _ in self._lines(met):
            self._joint.take_back()
        self._joint.take_back()
        for agent in met:
            del self._reached[agent.session, agent.agent_id]

    def _lines(self, agents: Sequence[works.AgentWork]) -> Iterator[TurnFacts]:
        for agent in agents:
            for page_turn in self._called.line(agent):
                yield page_turn.fragment.facts
