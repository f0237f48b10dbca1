"""The tree of a session: its runs in their places, with what each one holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.opening.families import find_work
from everyleaf.pages.summary import SessionRuns
from everyleaf.pages.treeview import place_runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.forest import ConversationPath, Turn
    from everyleaf.opening.named import Asked
    from everyleaf.pages.facts import RunFacts
    from everyleaf.pages.treeview import Placed
    from everyleaf.pages.work import AgentWork, FamilyWork, SessionWork


class RunNode(Struct, frozen=True):
    """A chain of turns without a fork, in its place."""

    placed: Placed
    """Row, lane, and the row above it."""
    depth: int
    """How many lanes it hangs from; each of them goes on after it."""
    is_first: bool
    """It begins its lane."""
    agents: tuple[AgentWork, ...]
    """Those that were started in it, in the order of the calls."""
    uuids: tuple[str, ...]
    """Its records, in reading order."""

    @property
    def run(self) -> RunFacts:
        """Return what it adds up to."""
        return self.placed.run


class SessionTree(Struct, frozen=True):
    """A session with its runs by row: ways that were left before what stayed."""

    session: SessionWork
    nodes: tuple[RunNode, ...]
    paths: tuple[ConversationPath, ...]
    """By number."""
    nested: tuple[AgentWork, ...]
    """Agents that other agents started."""
    loose: tuple[AgentWork, ...]
    """Agents whose call is nowhere."""
    uuid: str
    """The record that was asked for; empty: none was."""

    @property
    def runs(self) -> tuple[RunFacts, ...]:
        """Return the runs by row, parents before what goes on from them."""
        return tuple(node.run for node in self.nodes)


def grow_session_tree(asked: Asked) -> SessionTree:
    """Return the tree of the session that was asked for. Linear in its records.

    Raises:
        SourceError: it holds no conversation of its own.
    """
    work, session = find_work(asked.archive, asked.session)
    if not session.paths:
        raise SourceError(
            f"session {session.session!r} has no path of its own",
            hint="`everyleaf check` says what is odd about it",
        )
    runs = SessionRuns(session, work.tree)
    turns = {run.number: [work.tree.turns[key] for key in run.keys] for run in runs.runs}
    started = {agent.tool_use_id: agent for agent in session.agents if agent.tool_use_id}
    nodes: list[RunNode] = []
    depths: dict[int, int] = {}
    for placed in place_runs(runs.facts()):
        above = None if placed.above is None else nodes[placed.above].placed.lane
        is_first = placed.lane not in depths
        depth = 0 if above is None else depths[above] + 1
        depth = depths.setdefault(placed.lane, depth)
        own = turns[placed.run.number]
        agents = tuple(started.pop(call) for call in _calls(own) if call in started)
        uuids = tuple(record.envelope.uuid for turn in own for record in turn.records)
        nodes.append(RunNode(placed, depth, is_first, agents, uuids))
    placed_agents = {agent.agent_id for node in nodes for agent in node.agents}
    others = [agent for agent in session.agents if agent.agent_id not in placed_agents]
    called = _called_by_agents(work, session)
    return SessionTree(
        session=session,
        nodes=tuple(nodes),
        paths=tuple(item.path for item in session.paths),
        nested=tuple(agent for agent in others if agent.tool_use_id in called),
        loose=tuple(agent for agent in others if agent.tool_use_id not in called),
        uuid=asked.uuid,
    )


def _called_by_agents(work: FamilyWork, session: SessionWork) -> frozenset[str | None]:
    keys = {leaf[0] for agent in session.agents for leaf in agent.leaves}
    turns = [turn for key, turn in work.tree.turns.items() if key[0] in keys]
    return frozenset(_calls(turns))


def _calls(turns: list[Turn]) -> Iterator[str]:
    names = (
        name
        for turn in turns
        for record in turn.records
        for name in record.envelope.tool_use_ids
    )
    yield from dict.fromkeys(names)
