"""The subagents that a path called, and theirs: whose work its facts can include."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.pages.walk import walk
from everyleaf.transcript.pathfacts import RunningFacts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.walk import Stop
    from everyleaf.pages.work import AgentWork, FamilyWork
    from everyleaf.transcript.pathfacts import PathFacts

AgentKey = tuple[str, str]
"""(session, agent id)."""


class WithAgents(Struct, frozen=True):
    """A conversation together with the subagents that worked for it."""

    agents: int
    """How many, those that agents called included."""
    totals: PathFacts
    """What the turns of all of them add up to; of an agent, its main line counts."""


class CalledAgents(Struct):
    """Finds the subagents behind the calls of a family's turns; each is drawn once."""

    agents: Mapping[AgentKey, AgentWork]
    below: Mapping[AgentKey, tuple[AgentKey, ...]]
    """The agents that name an agent as their parent."""
    work: FamilyWork
    drawer: TurnDrawer
    _lines: dict[AgentKey, tuple[Stop, ...]] = field(
        default_factory=dict["AgentKey", "tuple[Stop, ...]"]
    )

    def line(self, agent: AgentWork) -> tuple[Stop, ...]:
        """Return the main line of `agent`, from its root."""
        key = (agent.session, agent.agent_id)
        if key not in self._lines:
            leaf = agent.leaves[agent.main]
            self._lines[key] = tuple(walk(self.work.tree, leaf, self.drawer))
        return self._lines[key]

    def include(
        self, stops: Sequence[Stop], *, me: AgentKey | None = None
    ) -> WithAgents | None:
        """Return `stops` with the agents called in them; None where none were.

        `me` is the agent whose turns these are; it is not counted again.
        """
        reached: dict[AgentKey, None] = {me: None} if me else {}
        calls = (key for stop in stops for key in calls_of(stop))
        found = list(self.reach([*calls, *(self.below.get(me, ()) if me else ())], reached))
        if not found:
            return None
        running = RunningFacts()
        for stop in stops:
            running.add(stop.drawn.facts)
        for agent in found:
            for stop in self.line(agent):
                running.add(stop.drawn.facts, is_agent=True)
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
            called = (key for stop in self.line(agent) for key in calls_of(stop))
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


def calls_of(stop: Stop) -> Iterator[AgentKey]:
    """Yield the agents that the calls of a turn lead to."""
    for agent_id in stop.drawn.facts.agents:
        yield stop.turn.session, agent_id
