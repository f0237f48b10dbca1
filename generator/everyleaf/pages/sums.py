"""What paths and subagents add up to, with the agents that they called."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.pages.walk import climb, walk
from everyleaf.transcript.pathfacts import RunningFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.forest import PathRef
    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.walk import PageTurn
    from everyleaf.pages.work import AgentWork, FamilyWork, TurnKey, TurnTree
    from everyleaf.transcript.document import TurnFacts
    from everyleaf.transcript.pathfacts import Totals

AgentKey = tuple[str, str]
"""(session, agent id)."""


class WithAgents(Struct, frozen=True):
    """A conversation together with the subagents that worked for it."""

    agents: int
    """How many, those that agents called included."""
    totals: Totals
    """What the turns of all of them add up to; of an agent, its main line counts."""


class CalledAgents(Struct):
    """Finds the subagents behind the calls of a group's turns; each is drawn once."""

    agents: Mapping[AgentKey, AgentWork]
    below: Mapping[AgentKey, tuple[AgentKey, ...]]
    """The agents that name an agent as their parent."""
    work: FamilyWork
    drawer: TurnDrawer
    _lines: dict[AgentKey, tuple[PageTurn, ...]] = field(
        default_factory=dict["AgentKey", "tuple[PageTurn, ...]"]
    )

    def line(self, agent: AgentWork) -> tuple[PageTurn, ...]:
        """Return the main line of `agent`, from its root."""
        key = (agent.session, agent.agent_id)
        if key not in self._lines:
            leaf = agent.leaves[agent.main]
            self._lines[key] = tuple(walk(self.work.tree, leaf, self.drawer))
        return self._lines[key]

    def include(
        self, page_turns: Sequence[PageTurn], *, me: AgentKey | None = None
    ) -> WithAgents | None:
        """Return `page_turns` with the agents called in them; None where none were.

        `me` is the agent whose turns these are; it is not counted again.
        """
        reached: dict[AgentKey, None] = {me: None} if me else {}
        calls = (key for page_turn in page_turns for key in calls_of(page_turn))
        found = list(self.reach([*calls, *(self.below.get(me, ()) if me else ())], reached))
        if not found:
            return None
        running = RunningFacts()
        for page_turn in page_turns:
            running.add(page_turn.fragment.facts)
        for agent in found:
            for page_turn in self.line(agent):
                running.add(page_turn.fragment.facts, is_agent=True)
        return WithAgents(agents=len(found), totals=running.total())

    def reach(
        self, calls: Iterable[AgentKey], reached: dict[AgentKey, None]
    ) -> Iterator[AgentWork]:
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
            waiting.extend(reversed((*called, *self.below.get(key, ()))))


def find_called(work: FamilyWork, drawer: TurnDrawer) -> CalledAgents:
    """Return what finds the agents of the sessions of `work`."""
    agents = {
        (agent.session, agent.agent_id): agent
        for session in work.sessions
        for agent in session.agents
    }
    below: dict[AgentKey, tuple[AgentKey, ...]] = {}
    for key, agent in agents.items():
        if agent.parent_agent_id:
            parent = (agent.session, agent.parent_agent_id)
            below[parent] = (*below.get(parent, ()), key)
    return CalledAgents(agents, below, work, drawer)


def calls_of(page_turn: PageTurn) -> Iterator[AgentKey]:
    """Yield the agents that the calls of a turn lead to."""
    for agent_id in page_turn.fragment.facts.agents:
        yield page_turn.turn.session, agent_id


class PathSum(Struct, frozen=True):
    """What the turns of a path add up to."""

    totals: Totals
    with_agents: WithAgents | None
    """The same with the subagents that the path called; None: it called none."""


class PathSums:
    """Follows paths of a group through the tree of its turns, in one go."""

    def __init__(
        self, drawer: TurnDrawer, called: CalledAgents, leaves: Mapping[PathRef, TurnKey]
    ) -> None:
        """Take the last turn of each path; the first question costs all of their turns."""
        self.steps = 0
        """How often the facts of a turn were added."""
        self._tree = called.work.tree
        self._drawer = drawer
        self._called = called
        self._ends: defaultdict[TurnKey, list[PathRef]] = defaultdict(list)
        for ref, leaf in leaves.items():
            self._ends[leaf].append(ref)
        self._sums: dict[PathRef, PathSum] = {}
        self._prompts: dict[TurnKey, int] = {}
        self._own, self._joint = RunningFacts(), RunningFacts()
        self._reached: dict[AgentKey, None] = {}
        self._met: dict[TurnKey, list[AgentWork]] = {}

    def of(self, ref: PathRef) -> PathSum:
        """Return what the path adds up to."""
        self._follow()
        return self._sums[ref]

    def prompts_before(self, key: TurnKey) -> int:
        """Return how many numbered prompts stand before a turn, on each of its pages."""
        self._follow()
        above = self._tree.parents[key]
        return self._prompts[above] if above else 0

    def _follow(self) -> None:
        if self._sums or not self._ends:
            return
        below = _ways_down(self._tree, self._ends)
        waiting = [(key, False) for key in reversed(below[None])]
        while waiting:
            key, is_done = waiting.pop()
            if is_done:
                self._leave(key)
                continue
            self._enter(key)
            for ref in self._ends.get(key, ()):
                self._sums[ref] = self._sum()
            waiting.append((key, True))
            waiting.extend((child, False) for child in reversed(below.get(key, ())))

    def _sum(self) -> PathSum:
        agents = len(self._reached)
        joint = WithAgents(agents, self._joint.total()) if agents else None
        return PathSum(self._own.total(), joint)

    def _enter(self, key: TurnKey) -> None:
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

    def _leave(self, key: TurnKey) -> None:
        self._own.take_back()
        met = self._met.pop(key, None)
        if met is None:
            return
        for _ in self._lines(met):
            self._joint.take_back()
        self._joint.take_back()
        for agent in met:
            del self._reached[agent.session, agent.agent_id]

    def _lines(self, agents: Sequence[AgentWork]) -> Iterator[TurnFacts]:
        for agent in agents:
            for page_turn in self._called.line(agent):
                yield page_turn.fragment.facts


def _ways_down(
    tree: TurnTree, leaves: Iterable[TurnKey]
) -> defaultdict[TurnKey | None, list[TurnKey]]:
    """Return the turns below each turn that a path of `leaves` goes through."""
    below: defaultdict[TurnKey | None, list[TurnKey]] = defaultdict(list)
    seen: set[TurnKey] = set()
    for leaf in leaves:
        for key in climb(tree, leaf, seen):
            seen.add(key)
            below[tree.parents[key]].append(key)
    return below
