"""An archive without the attempts that were abandoned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from everyleaf.graph.agents import AgentTree
    from everyleaf.graph.solve import Forest
    from everyleaf.graph.trees import Tree
    from everyleaf.model import SessionRecords


class ActiveRecords(Struct, frozen=True):
    """What is left of an archive."""

    files: tuple[SessionRecords, ...]
    before: dict[int, tuple[int, ...]]
    """Source → lines of all its records, in order."""
    after: dict[int, frozenset[int]]
    """Source → lines of those that are left; without agents that go."""

    def holds(self, source: int, line: int) -> bool:
        """Return whether a record beside the tree stays: the one before it does, too."""
        above = [at for at in self.before[source] if at <= line]
        return not above or above[-1] in self.after.get(source, frozenset())


def drop_abandoned(forest: Forest) -> ActiveRecords:
    """Return the records of `forest` that stand on ACTIVE paths, or on copies of such.

    An agent goes with the call that started it, a title with the path that it names.
    Solving what is returned finds no fork to an abandoned path. Linear in the records.
    """
    kept = _kept_uuids(forest)
    gone_agents = _gone_agents(forest, kept)
    files: list[SessionRecords] = []
    for session in forest.sessions:
        gone = {
            uuid
            for agent in gone_agents
            if agent.session == session.name
            for uuid in agent.tree.index
        }
        files += [_reduced(file, kept[session.name], gone) for file in session.files]
        names = {agent.agent_id for agent in gone_agents if agent.session == session.name}
        files += [file for file in session.agent_files if file.agent_id not in names]
    return ActiveRecords(
        tuple(files), {f.source: _lines(f) for f in forest.files}, _by_source(files)
    )


def _by_source(files: Iterable[SessionRecords]) -> dict[int, frozenset[int]]:
    return {file.source: frozenset(_lines(file)) for file in files}


def _lines(file: SessionRecords) -> tuple[int, ...]:
    return tuple(record.line for record in file.records)


def _reduced(
    file: SessionRecords, kept: AbstractSet[str], gone: AbstractSet[str]
) -> SessionRecords:
    """Return `file` with the messages that are `kept`, and no sidechain that is `gone`."""
    records = tuple(
        record
        for record in file.records
        if (record.uuid not in gone if record.is_sidechain else record.uuid in kept)
    )
    markers = (m for m in file.markers if m.leaf_uuid is None or m.leaf_uuid in kept)
    told = tuple(record for record in file.told if record.uuid not in gone)
    return replace(file, records=records, markers=tuple(markers), told=told)


def _kept_uuids(forest: Forest) -> dict[str, frozenset[str]]:
    """Return session → uuids of its records that stand on paths which stay."""
    units, container = forest.units, forest.containment.container
    placed = bytearray(len(units.parents))
    for leaf in forest.refs:
        if forest.verdicts[container.get(leaf, leaf)].is_active:
            for unit_id in units.up(leaf):
                if placed[unit_id]:
                    break
                placed[unit_id] = 1
    return {
        tree.session: frozenset(
            uuid
            for uuid, position in tree.index.items()
            if placed[units.id_of(tree, position)]
        )
        for tree in forest.trees
    }


def _gone_agents(forest: Forest, kept: dict[str, frozenset[str]]) -> list[AgentTree]:
    """Return the agents that go.

    An agent goes if its call was made, and only where nothing stays: in the conversation,
    or by an agent that goes.
    """
    made: dict[tuple[str, str], bool] = {}
    for tree in forest.trees:
        _note_calls(tree, kept[tree.session], made)
    pending = list(forest.agents)
    gone: list[AgentTree] = []
    while pending:
        callers = {call for agent in pending for call in _calls_in(agent)}
        later: list[AgentTree] = []
        for agent in pending:
            call = (agent.session, forest.calls.get((agent.session, agent.agent_id), ""))
            if call not in made and call in callers:
                later.append(agent)
                continue
            is_gone = not made.get(call, True)
            gone += [agent] if is_gone else []
            uuids = frozenset[str]() if is_gone else agent.tree.index.keys()
            _note_calls(agent.tree, uuids, made)
        if len(later) == len(pending):  # Agents that call each other: nobody else did.
            return gone
        pending = later
    return gone


def _note_calls(
    tree: Tree, kept: AbstractSet[str], made: dict[tuple[str, str], bool]
) -> None:
    for record in tree.records:
        for call in record.tool_use_ids:
            key = (tree.session, call)
            made[key] = made.get(key, False) or record.uuid in kept


def _calls_in(agent: AgentTree) -> set[tuple[str, str]]:
    return {
        (agent.session, call)
        for record in agent.tree.records
        for call in record.tool_use_ids
    }
