"""A solved archive as work for drawers: families of sessions that share records."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.agents import AgentTree
from everyleaf.graph.describe import Description
from everyleaf.graph.forest import ConversationPath, PlacedRecord, Turn
from everyleaf.graph.solve import Forest
from everyleaf.graph.units import NONE
from everyleaf.graph.views import Views
from everyleaf.grouping import DisjointSets, grouped
from everyleaf.issues import Issue
from everyleaf.model import CONVERSATION, Envelope, Kind
from everyleaf.pages import work


class SiteContext(Struct, frozen=True):
    """What families need to know beside the graph."""

    projects: Mapping[str, str]
    """Project folder → name to show."""
    sources: Mapping[int, work.SourceRef]
    issues: Mapping[str, Sequence[Issue]]
    """Session → what was odd about its files."""
    asides: Mapping[int, tuple[Envelope, ...]] = {}
    """Source → records beside the tree that are shown, in the order of the file."""


def iter_families(
    forest: Forest, description: Description, around: SiteContext
) -> Iterator[work.FamilyWork]:
    """Yield the work of every family, one at a time, largest first.

    Sessions that share a record, or go on in each other's files, are one family, so that
    each record is drawn once. Largest first, so that none is left for the end.
    """
    maker = _FamilyMaker(forest, description, around)
    for members in _group(forest):
        yield maker.make(members)


def _group(forest: Forest) -> list[list[int]]:
    """Return the numbers of the trees of each family, largest family first."""
    together, tree_of = DisjointSets[int](), forest.units.tree_of
    for places in forest.copies.shared.values():
        first, *rest = places.values()
        for unit_id in rest:
            together.union(tree_of[first], tree_of[unit_id])
    for root, above in forest.units.foreign.items():
        together.union(tree_of[root], tree_of[above])
    groups = together.groups(range(len(forest.trees)))
    trees = forest.trees

    def size(members: list[int]) -> int:
        return sum(record.size_bytes for n in members for record in trees[n].records)

    # Those of one size stay in the order of their first trees.
    return sorted(groups.values(), key=size, reverse=True)


class _FamilyMaker:
    def __init__(
        self, forest: Forest, description: Description, around: SiteContext
    ) -> None:
        self.forest = forest
        self.description = description
        self.around = around
        self.views = Views(forest.units, forest.copies)
        self.leaves = grouped((forest.refs[leaf].session, leaf) for leaf in forest.kept)
        self.agents = grouped((agent.session, agent) for agent in forest.agents)
        self.dropped = grouped(
            (contained.path.session, contained)
            for path in description.paths.values()
            for contained in path.contains
        )

    def make(self, members: list[int]) -> work.FamilyWork:
        """Return the work of the family of the trees with these numbers."""
        tree = work.TurnTree({}, {}, {}, {})
        sessions = tuple(self._session(number, tree) for number in members)
        tree.turns.update(place_asides(tree.turns, self.around.asides))
        return work.FamilyWork(
            tree=tree,
            sessions=sessions,
            sources={
                number: self.around.sources[number]
                for number in work.sources_of(tree.turns.values())
            },
            withdrawn=frozenset(
                uuid
                for turn in tree.turns.values()
                for placed in turn.records
                for uuid in placed.envelope.withdraws
            ),
        )

    def _session(self, number: int, tree: work.TurnTree) -> work.SessionWork:
        name = self.forest.trees[number].session
        paths = [self._path(leaf, tree) for leaf in self.leaves.get(name, [])]
        agents = [self._agent(agent, tree) for agent in self.agents.get(name, [])]
        ends = [path.ended for path in paths] or [agent.ended for agent in agents]
        owner = self.forest.sessions[number].project
        issues = self.around.issues.get(name, ())
        return work.SessionWork(
            session=name,
            project=self.around.projects[owner],
            title=self.description.titles[name],
            ended=max(ends, default=""),
            paths=tuple(paths),
            dropped=tuple(sorted(self.dropped.get(name, []), key=attrgetter("path"))),
            agents=tuple(sorted(agents, key=lambda one: (one.started, one.agent_id))),
            is_warmup=name in self.description.warmups,
            issues=tuple((issue.line, str(issue.code), issue.message) for issue in issues),
            mentions=self.description.mentions.get(name, ()),
        )

    def _path(self, leaf: int, tree: work.TurnTree) -> ConversationPath:
        units, views, branches = self.forest.units, self.views, self.forest.forks.branches
        ref = self.forest.refs[leaf]
        tree.leaves[ref] = at = views.key(leaf)
        for unit_id in units.up(leaf):
            if at in tree.turns:
                break
            key, above = at, units.parents[unit_id]
            at = key if above == NONE else views.key(above)  # One value, as there are many.
            tree.turns[key] = views.turn(unit_id)
            tree.parents[key] = None if above == NONE else at
            if unit_id in branches:
                tree.branches[key] = branches[unit_id]
        return self.description.paths[ref]

    def _agent(self, agent: AgentTree, turn_tree: work.TurnTree) -> work.AgentWork:
        tree = agent.tree
        turns = self.views.agent_turns(tree)
        turn_tree.turns.update(turns)
        keys = list(turns)  # In the order of their units; each stands for many.
        turn_tree.parents.update(
            (key, None if above < 0 else keys[above])
            for key, above in zip(keys, tree.units.parents, strict=True)
        )
        spoken = [
            record
            for record, kind in zip(tree.records, tree.kinds, strict=True)
            if kind in CONVERSATION
        ]
        times = [record.timestamp for record in spoken if record.timestamp]
        return work.AgentWork(
            agent_id=agent.agent_id,
            session=agent.session,
            agent_type=agent.meta.agent_type,
            description=agent.meta.description,
            parent_agent_id=agent.meta.parent_agent_id,
            tool_use_id=self.forest.calls.get((agent.session, agent.agent_id)),
            leaves=tuple(keys[leaf] for leaf in agent.leaves),
            started=times[0] if times else "",
            ended=times[-1] if times else "",
            messages=len(spoken),
            main=agent.leaves.index(agent.main_leaf) if agent.leaves else 0,
            is_told=agent.is_told,
        )


def place_asides(
    turns: Mapping[work.TurnKey, Turn], asides: Mapping[int, Sequence[Envelope]]
) -> dict[work.TurnKey, Turn]:
    """Return the turns that change: each with the `asides` (by source) of its lines.

    An aside stands behind the record written last before it, else behind the first one. One
    of a source that holds no record of `turns` is left out. Cost: n log n in the records.
    """
    if not asides:
        return {}
    spots = grouped(
        (placed.source, (placed.envelope.line, key, at))
        for key, turn in turns.items()
        for at, placed in enumerate(turn.records)
        if placed.source in asides
    )
    # Turn → (index of a record in it, what goes behind that).
    behind = defaultdict[work.TurnKey, list[tuple[int, PlacedRecord]]](list)
    naming: list[PlacedRecord] = []
    for source, some in sorted(spots.items()):
        some.sort()
        lines = [line for line, _, _ in some]
        for aside in asides[source]:
            placed = PlacedRecord(aside, aside.uuid, Kind.NOTE, source=source)
            if aside.tool_use_ids:
                naming.append(placed)
            else:
                _, key, at = some[max(bisect_right(lines, aside.line) - 1, 0)]
                behind[key].append((at, placed))
    for key, placed in _find_answers(turns, naming) if naming else ():
        behind[key].append((len(turns[key].records) - 1, placed))
    return {key: _with(turns[key], added) for key, added in behind.items()}


def _find_answers(
    turns: Mapping[work.TurnKey, Turn], naming: Iterable[PlacedRecord]
) -> Iterator[tuple[work.TurnKey, PlacedRecord]]:
    """Yield each of `naming` with every turn that has a result which it names."""
    answered = {
        call: key
        for key, turn in turns.items()
        for placed in turn.records
        if placed.kind is Kind.RESULT
        for call in placed.envelope.tool_use_ids
    }
    for aside in naming:
        named = (answered.get(call) for call in aside.envelope.tool_use_ids)
        yield from ((key, aside) for key in dict.fromkeys(named) if key is not None)


def _with(turn: Turn, added: Sequence[tuple[int, PlacedRecord]]) -> Turn:
    records: list[PlacedRecord] = []
    for at, placed in enumerate(turn.records):
        records += [placed, *(aside for behind, aside in added if behind == at)]
    return replace(turn, records=tuple(records))
