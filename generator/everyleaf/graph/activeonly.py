"""An archive without the attempts that were abandoned."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from everyleaf.graph.agents import AgentTree
    from everyleaf.graph.solve import Forest
    from everyleaf.graph.trees import Tree
    from everyleaf.model import SessionRecords

    Calls = set[tuple[str, str]]
    """Tool calls: (session, tool_use_id)."""


class ActiveRecords(Struct, frozen=True):
    """What is left of an archive."""

    files: tuple[SessionRecords, ...]
    before: dict[int, tuple[int, ...]]
    """Source → lines of all its records, in order."""
    after: dict[int, frozenset[int]]
    """Source → lines of those that are left; without agents that go."""

    def holds(self, source: int, line: int) -> bool:
        """Return whether a record beside the tree stays: the one before it does, too."""
        before = self.before[source]
        at = bisect_right(before, line)
        return not at or before[at - 1] in self.after.get(source, frozenset())


def drop_abandoned(forest: Forest) -> ActiveRecords:
    """Return the records of `forest` that stand on ACTIVE paths, or on copies of such.

    An agent goes with the call that started it, a title with the path that it names.
    Solving what is returned finds no fork to an abandoned path. Linear in the records.
    """
    kept = _kept_uuids(forest)
    gone = {agent.key: agent for agent in _gone_agents(forest, kept)}
    gone_uuids: dict[str, set[str]] = {}
    for agent in gone.values():
        gone_uuids.setdefault(agent.session, set()).update(agent.tree.index)
    files: list[SessionRecords] = []
    for session in forest.sessions:
        name = session.name
        uuids = gone_uuids.get(name, set())
        files += [_reduced(file, kept[name], uuids) for file in session.files]
        files += [file for file in session.agent_files if (name, file.agent_id) not in gone]
    return ActiveRecords(
        files=tuple(files),
        before={file.source: tuple(r.line for r in file.records) for file in forest.files},
        after={file.source: frozenset(r.line for r in file.records) for file in files},
    )


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
    placed = units.on_paths(
        leaf for leaf in forest.refs if forest.verdicts[container.get(leaf, leaf)].is_active
    )
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
    made: Calls = set()
    staying: Calls = set()
    for tree in forest.trees:
        made |= _calls_in(tree)
        staying |= _calls_in(tree, kept[tree.session])
    pending = list(forest.agents)
    gone: list[AgentTree] = []
    while pending:
        callers = {call for agent in pending for call in _calls_in(agent.tree)}
        later: list[AgentTree] = []
        for agent in pending:
            call = (agent.session, forest.calls.get(agent.key, ""))
            if call in callers and call not in made:
                later.append(agent)
                continue
            calls = _calls_in(agent.tree)
            if call in made and call not in staying:
                gone.append(agent)
            else:
                staying |= calls
            made |= calls
        if len(later) == len(pending):  # Agents that call each other: nobody else did.
            break
        pending = later
    return gone


def _calls_in(tree: Tree, kept: AbstractSet[str] | None = None) -> Calls:
    """Return the calls in the records of `tree`; with `kept`, in those records alone."""
    return {
        (tree.session, call)
        for record in tree.records
        if kept is None or record.uuid in kept
        for call in record.tool_use_ids
    }
