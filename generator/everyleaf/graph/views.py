"""What pages show of units: their records as turns, and where paths part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from everyleaf.graph import forest as forests
from everyleaf.graph.containment import Copies
from everyleaf.graph.forest import PathRef, SeamKind, TurnKind
from everyleaf.graph.status import LeafVerdict
from everyleaf.graph.trees import Tree
from everyleaf.graph.units import NONE, UnitIndex
from everyleaf.grouping import grouped

Key = tuple[str, int]
"""(tree key, unit number)."""

_LOOK_AHEAD = 20
"""Turns to look down for the first words of a branch."""


class Views(Struct, frozen=True):
    """Makes `Turn` values of units, with the variants that other files hold of a record."""

    _units: UnitIndex
    _copies: Copies

    def key(self, unit_id: int) -> Key:
        """Return the name of a main turn."""
        tree, unit = self._units.unit(unit_id)
        return (tree.key, unit)

    def turn(self, unit_id: int) -> forests.Turn:
        """Return the main turn `unit_id`."""
        tree, unit = self._units.unit(unit_id)
        is_foreign = unit_id in self._units.foreign
        return self._turn(tree, unit, SeamKind.CARRIED_ON if is_foreign else None)

    def agent_turns(self, tree: Tree) -> dict[Key, forests.Turn]:
        """Return all turns of an agent's tree."""
        name = tree.key  # Made each time it is asked for.
        return {(name, unit): self._turn(tree, unit) for unit in range(len(tree.units))}

    def _turn(self, tree: Tree, unit: int, seam: SeamKind | None = None) -> forests.Turn:
        members = tree.units.members[unit]
        return forests.Turn(
            index=unit,
            session=tree.session,
            source=tree.files[tree.file_of[members[0]]].source,
            kind=tree.units.kinds[unit],
            records=tuple(
                forests.PlacedRecord(
                    envelope=tree.records[at],
                    canonical=tree.canonical[at],
                    kind=tree.kinds[at],
                    variants=self._variants(tree, at),
                    source=tree.files[tree.file_of[at]].source,
                )
                for at in members
            ),
            seam=seam or _own_seam(tree, unit),
        )

    def _variants(self, tree: Tree, at: int) -> tuple[forests.Variant, ...]:
        """Return the copies of a record that say something else, each content once.

        Copies in other sessions count too: whichever path is dropped, nothing that was said
        is. What an agent's file repeats of the conversation is no copy.
        """
        if not tree.is_conversation[at]:
            return ()
        name = tree.canonical[at]
        shared = self._copies.shared.get(name) if tree.agent_id is None else None
        if shared is None and at not in tree.other_copies:
            return ()  # As nearly all are: building again asks for every record.
        found = [(tree, copy) for copy in tree.other_copies.get(at, ())]
        for place in sorted(shared.values()) if shared else ():
            other, unit = self._units.unit(place)
            for there in other.units.members[unit] if other is not tree else ():
                if other.canonical[there] == name and other.is_conversation[there]:
                    found.append((other, (other.file_of[there], other.records[there])))
                    found += [(other, copy) for copy in other.other_copies.get(there, ())]
        variants: dict[int, forests.Variant | None] = {tree.records[at].digest: None}
        for holder, (number, copy) in found:
            source = holder.files[number].source
            variants.setdefault(copy.digest, forests.Variant(source, holder.session, copy))
        return tuple(filter(None, variants.values()))


def _own_seam(tree: Tree, unit: int) -> SeamKind | None:
    edge = tree.units.edges[unit]
    if edge in tree.cycle_roots:
        return SeamKind.CYCLE
    is_root = tree.units.parents[unit] == NONE
    if edge in tree.inferred:
        return SeamKind.EARLIER_MISSING if is_root else SeamKind.INFERRED
    if is_root and tree.units.kinds[unit] is TurnKind.BOUNDARY and tree.agent_id is None:
        return SeamKind.EARLIER_MISSING
    return None


class Forks:
    """Where kept paths part, and where a reader is sent on each branch."""

    def __init__(
        self,
        copies: Copies,
        refs: Mapping[int, PathRef],
        container: Mapping[int, int],
        verdicts: Mapping[int, LeafVerdict],
    ) -> None:
        """Find every fork.

        Args:
            copies: Where records occur several times.
            refs: Leaf → its path, dropped ones included.
            container: Dropped leaf → the kept leaf that holds it.
            verdicts: Leaf → whether it is ACTIVE.
        """
        self._units = copies.units
        self._copies = copies
        self._refs = refs
        self._container = container
        self._verdicts = verdicts
        foreign = sorted(self._units.foreign.items())
        self._carried_on = grouped((above, root) for root, above in foreign)
        self.target = self._find_targets()
        """Unit id → the leaf below to send a reader to, kept if any is; -1: none."""
        self.branches: dict[int, tuple[forests.Branch, ...]] = {}
        """Id of the unit before a fork → its branches."""
        self._collect()

    def _find_targets(self) -> list[int]:
        """Return, for each unit, where to send a reader: kept, ACTIVE, lowest first."""
        ranked = sorted(self._refs, key=self._rank)
        best = [len(ranked)] * len(self._units.parents)
        for place, leaf in enumerate(ranked):
            best[leaf] = place
        for unit_id in reversed(self._units.order):
            above = self._units.parents[unit_id]
            if above != NONE and best[unit_id] < best[above]:
                best[above] = best[unit_id]
        ranked.append(NONE)
        return [ranked[place] for place in best]

    def _rank(self, leaf: int) -> tuple[bool, bool, PathRef]:
        is_active = self._verdicts[leaf].is_active
        return (leaf in self._container, not is_active, self._refs[leaf])

    def _below(self, unit_id: int) -> list[int]:
        return [*self._units.children(unit_id), *self._carried_on.get(unit_id, ())]

    def _collect(self) -> None:
        units = self._units
        wide = [
            start + unit
            for tree, start in zip(units.trees, units.starts, strict=True)
            for unit, children in enumerate(tree.units.children)
            if len(children) > 1
        ]
        forks = {
            unit_id: self._below(unit_id) for unit_id in sorted({*wide, *self._carried_on})
        }
        forks = {unit_id: below for unit_id, below in forks.items() if len(below) > 1}
        elsewhere: dict[int, list[tuple[int, int]]] = {}
        for fork, below in forks.items():
            for twin in self._twins(fork, below):
                root = units.roots[twin]
                for child in below:
                    kept = self._kept(child)
                    if kept != NONE and units.roots[kept] != root:
                        elsewhere.setdefault(twin, []).append((fork, child))
        for unit_id in sorted({*forks, *elsewhere}):
            own = [(unit_id, child) for child in forks.get(unit_id) or self._below(unit_id)]
            self._add(unit_id, own + elsewhere.get(unit_id, []))

    def _twins(self, fork: int, below: list[int]) -> list[int]:
        """Return what stands for `fork` in the trees that hold one of its dropped paths."""
        names = self._units.ids(fork)
        places = self._copies.shared.get(names[-1]) if names else None
        if places is None:
            return []
        roots = {
            self._units.roots[self._container[leaf]]
            for leaf in (self.target[child] for child in below)
            if leaf in self._container
        }
        return [
            places[root]
            for root in sorted(roots)
            if root in places and places[root] != fork
        ]

    def _kept(self, child: int) -> int:
        leaf = self.target[child]
        return self._container.get(leaf, leaf)

    def _add(self, unit_id: int, ways: Sequence[tuple[int, int]]) -> None:
        branches: dict[PathRef, forests.Branch] = {}
        for fork, child in ways:
            leaf = self._kept(child)
            if leaf == NONE or self._refs[leaf] in branches:
                continue
            tree, unit = self._units.unit(child)
            branches[self._refs[leaf]] = forests.Branch(
                turn=(tree.key, unit),
                path=self._refs[leaf],
                status=self._verdicts[leaf].status,
                words=self._words(child),
                messages=self._units.sizes[leaf] - self._units.sizes[fork],
                uuid=self._first_uuid(child, leaf),
            )
        if len(branches) > 1:
            self.branches[unit_id] = tuple(branches.values())

    def _first_uuid(self, child: int, leaf: int) -> str:
        """Return the uuid by which the path to `leaf` has the first record of `child`."""
        names = self._units.ids(child)
        if not names:
            return ""
        place = child
        if self.target[child] in self._container:
            places = self._copies.shared.get(names[0], {})
            place = places.get(self._units.roots[leaf], NONE)
        return "" if place == NONE else self._units.find(place, names[0]).uuid

    def _words(self, child: int) -> str:
        at = child
        for _ in range(_LOOK_AHEAD):
            words, below = self._units.words(at), self._below(at)
            if words or not below:
                return words
            at = below[0]
        return ""
