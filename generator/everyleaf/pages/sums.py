"""What each path of a family adds up to: every turn is added once, not once a path."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.pages.called import WithAgents
from everyleaf.transcript.pathfacts import RunningFacts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from everyleaf.graph.forest import PathRef
    from everyleaf.pages.called import AgentKey, CalledAgents
    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.work import AgentWork, TurnKey, TurnTree
    from everyleaf.transcript.document import TurnFacts
    from everyleaf.transcript.pathfacts import PathFacts


class PathSum(Struct, frozen=True):
    """What the turns of a path add up to."""

    totals: PathFacts
    with_agents: WithAgents | None
    """The same with the subagents that the path called; None: it called none."""


class PathSums:
    """Follows paths of a family through the tree of its turns, in one go."""

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
        facts = self._drawer.turn(key).facts
        self._own.take_back(facts)
        met = self._met.pop(key, None)
        if met is None:
            return
        for of_agent in reversed(list(self._lines(met))):
            self._joint.take_back(of_agent, is_agent=True)
        self._joint.take_back(facts)
        for agent in met:
            del self._reached[agent.session, agent.agent_id]

    def _lines(self, agents: Sequence[AgentWork]) -> Iterator[TurnFacts]:
        for agent in agents:
            for stop in self._called.line(agent):
                yield stop.drawn.facts


def _ways_down(
    tree: TurnTree, leaves: defaultdict[TurnKey, list[PathRef]]
) -> defaultdict[TurnKey | None, list[TurnKey]]:
    """Return the turns below each turn that a path of `leaves` goes through."""
    below: defaultdict[TurnKey | None, list[TurnKey]] = defaultdict(list)
    seen: set[TurnKey] = set()
    for leaf in leaves:
        key: TurnKey | None = leaf
        while key is not None and key not in seen:
            seen.add(key)
            below[tree.parents[key]].append(key)
            key = tree.parents[key]
    return below
