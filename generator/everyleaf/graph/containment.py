"""Paths whose records another path holds: found, verified, dropped (`paths.md` §5).

`Copies` says where records occur again and which trees hold a whole chain; the search goes
from there to single paths.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

from msgspec import Struct, field

from everyleaf.graph.forest import PathRef
from everyleaf.graph.status import LeafVerdict
from everyleaf.graph.units import NONE, UnitIndex
from everyleaf.grouping import DisjointSets, grouped

FAIL = -2
"""No single chain of the tree holds all the ids."""

_ALL = -1
"""The mask of every tree: where no conversation record has been met yet."""


class Copies:
    """Answers which root's tree holds a chain of records, near-linear in the archive.

    A *tree* here is everything below one root of one session, with the chain above it where
    the conversation was carried on from another session; it is named by the unit id of its
    root. No list of paths is kept for any id: only, for ids under several roots, one unit a
    tree.
    """

    def __init__(self, units: UnitIndex) -> None:
        """Index the ids that occur in more than one tree."""
        self.units = units
        self.shared: dict[str, dict[int, int]] = {}
        """Canonical id → {root: unit}, for ids that occur under several roots."""
        self._index_shared()
        self._bits: dict[int, int] = {}
        self._roots: list[int] = []
        self._carried: dict[int, int] = {}
        """Unit → mask of the trees that carried a conversation on from there or below."""
        self._mark_carried()
        self.holders: list[int] = [0] * len(units.parents)
        """Unit → mask of the *other* trees that hold every id from the top down to it."""
        self.marks: list[int] = [0] * len(units.parents)
        """Unit → sum of the hashes of the ids down to it, where others hold them too."""
        self.same: list[int] = [NONE] * len(units.parents)
        """Unit → first unit with the very same ids from the top down; only where held."""
        self._find_holders()
        self._first: dict[int, int] = {}
        self._last: dict[int, int] = {}
        self._numbered: set[int] = set()
        self._covers: dict[int, dict[int, int]] = {}
        self._partial: dict[int, dict[int, int]] = {}

    def holder_roots(self, unit_id: int) -> list[int]:
        """Return the other trees that hold every id down to `unit_id`, sorted by root."""
        mask = self.holders[unit_id]
        found: list[int] = []
        while mask:
            low = mask & -mask
            found.append(self._roots[low.bit_length() - 1])
            mask ^= low
        return sorted(found)

    def cover(self, unit_id: int, root: int) -> int:
        """Return the deepest unit under `root` that all holders of a chain must pass.

        `NONE` where the chain above the root holds them all, `FAIL` where no single chain
        does. Memoised: each unit is looked at once a tree.
        """
        return self._walk(unit_id, root, self._covers, is_partial=False)

    def merges_branches(self, unit_id: int, root: int) -> bool:
        """Return whether a unit's chain holds records of two branches of `root`'s."""
        return self._walk(unit_id, root, self._partial, is_partial=True) == FAIL

    def _walk(
        self, unit_id: int, root: int, memo: dict[int, dict[int, int]], *, is_partial: bool
    ) -> int:
        """Return the cover of a chain; if `is_partial`, of those ids that `root` holds."""
        known = memo.setdefault(root, {})
        trail: list[int] = []
        at = unit_id
        while at != NONE and self._key(at) not in known:
            trail.append(at)
            at = self.units.parents[at]
        deepest = known[self._key(at)] if at != NONE else NONE
        for unit in reversed(trail):
            for name in self.units.ids(unit) if deepest != FAIL else ():
                found = self._occurrence(name, unit, root)
                if found != FAIL or not is_partial:
                    deepest = self._step(deepest, found)
                if deepest == FAIL:
                    break
            known[self._key(unit)] = deepest
        return deepest

    def _key(self, unit_id: int) -> int:
        """Return what remembers a unit's cover: chains with the same ids share it."""
        first = NONE if self._carried else self.same[unit_id]
        return unit_id if first == NONE else first

    def is_at_or_below(self, unit_id: int, above: int) -> bool:
        """Return whether `unit_id` is `above` or hangs from it, both under one root."""
        self._number(self.units.roots[above])
        return self._first[above] <= self._first[unit_id] <= self._last[above]

    def span(self, unit_id: int) -> tuple[int, int]:
        """Return the first and last place of the subtree of `unit_id` in its preorder."""
        self._number(self.units.roots[unit_id])
        return self._first[unit_id], self._last[unit_id]

    def _step(self, deepest: int, found: int) -> int:
        if found == NONE:
            return deepest
        if found == FAIL or deepest == NONE:
            return found
        if self.units.parents[found] == deepest or self.is_at_or_below(found, deepest):
            return found
        return deepest if self.is_at_or_below(deepest, found) else FAIL

    def _occurrence(self, name: str, unit: int, root: int) -> int:
        """Return where the tree `root` holds `name` of `unit`; `NONE`: above the root."""
        places = self.shared.get(name)
        bit = 1 << self._bits[root] if root in self._bits else 0
        if places is None:
            if self._carried.get(unit, 0) & bit:
                return NONE
            return unit if self.units.roots[unit] == root else FAIL
        if self._carried and any(
            self._carried.get(place, 0) & bit for place in places.values()
        ):
            return NONE
        return places.get(root, FAIL)

    def _index_shared(self) -> None:
        units, shared = self.units, self.shared
        again = _ids_met_again(units)
        if not again:
            return
        for tree, start in zip(units.trees, units.starts, strict=True):
            unit_of = tree.units.of
            for unit, name in compress(
                zip(unit_of, tree.canonical, strict=True), tree.is_conversation
            ):
                if name in again:
                    unit_id = start + unit
                    shared.setdefault(name, {}).setdefault(units.roots[unit_id], unit_id)
        for name in again:
            if len(shared[name]) == 1:
                del shared[name]

    def _mark_carried(self) -> None:
        units, carried = self.units, self._carried
        if not units.foreign:
            return
        for unit_id in reversed(units.order):
            mask = carried.get(unit_id, 0)
            if unit_id in units.foreign:
                mask |= 1 << self._bit(unit_id)
            above = units.parents[unit_id]
            if mask and above != NONE:
                # Below a root that carried on, its own bit matters only above the root.
                carried[above] = carried.get(above, 0) | mask

    def _find_holders(self) -> None:
        units, carried, holders = self.units, self._carried, self.holders
        parents, roots, same, marks = units.parents, units.roots, self.same, self.marks
        if not self.shared and not carried:
            return
        masks = {name: self._mask(places) for name, places in self.shared.items()}
        known: dict[tuple[object, ...], int] = {}
        equal: dict[int, int] = {}
        for unit_id in units.order:
            above, root = parents[unit_id], roots[unit_id]
            held = _ALL if above == NONE else holders[above]
            if above != NONE and roots[above] != root:
                held |= 1 << self._bit(roots[above])
            if not held:
                continue
            names = units.ids(unit_id)
            for name in names:
                held &= masks[name] if name in masks else carried.get(unit_id, 0)
            if held > 0 and root in self._bits:
                held &= ~(1 << self._bits[root])
            if not held:
                continue
            # Masks are wide and mostly equal: one of each is enough.
            holders[unit_id] = equal.setdefault(held, held)
            first, mark = (NONE, 0) if above == NONE else (same[above], marks[above])
            marks[unit_id] = mark + sum(map(hash, names))
            same[unit_id] = known.setdefault((first, *names), unit_id) if names else first
        self.holders = [max(held, 0) for held in holders]

    def _mask(self, places: dict[int, int]) -> int:
        mask = 0
        for root, place in places.items():
            mask |= 1 << self._bit(root) | self._carried.get(place, 0)
        return mask

    def _bit(self, root: int) -> int:
        bit = self._bits.setdefault(root, len(self._bits))
        if bit == len(self._roots):
            self._roots.append(root)
        return bit

    def _number(self, root: int) -> None:
        """Number the units under `root` in preorder, once."""
        if root in self._numbered:
            return
        self._numbered.add(root)
        place = 0
        waiting = [root]
        stack: list[int] = []
        while waiting:
            unit_id = waiting.pop()
            if unit_id < 0:
                self._last[stack.pop()] = place - 1
                continue
            self._first[unit_id] = place
            place += 1
            stack.append(unit_id)
            waiting.append(-1)
            waiting += reversed(self.units.children(unit_id))


def _ids_met_again(units: UnitIndex) -> set[str]:
    """Return the canonical ids that several trees hold, or that one holds twice."""
    met: set[str] = set()
    again: set[str] = set()
    for tree in units.trees:
        names = list(compress(tree.canonical, tree.is_conversation))
        own = set(names)
        if len(own) < len(names):
            again.update(name for name, count in Counter(names).items() if count > 1)
        again |= own & met
        met |= own
    return again


def find_contained(
    copies: Copies,
    refs: Mapping[int, PathRef],
    verdicts: Mapping[int, LeafVerdict],
    *,
    within_trees: bool = False,
) -> tuple[dict[int, int], frozenset[int]]:
    """Return which leaves of `refs` others hold (paths without records are left out).

    That is: dropped leaf → the kept leaf that holds all of its records; and the leaves that
    put branches of another session into one line.

    `within_trees` also compares the paths of one tree, which only strict mode needs: turns
    are contracted so that no path of a tree holds another. Near-linear.
    """
    by_root = grouped((copies.units.roots[leaf], leaf) for leaf in refs)
    search = _Search(copies, refs, verdicts, copies.units, by_root)
    if not within_trees:
        search.unite_twins()
    for leaf in refs:
        search.look_for_holders(leaf, within_trees=within_trees)
    return search.conclude()


class _Search(Struct):
    copies: Copies
    refs: Mapping[int, PathRef]
    verdicts: Mapping[int, LeafVerdict]
    units: UnitIndex
    by_root: Mapping[int, Sequence[int]]
    in_preorder: dict[int, tuple[list[int], list[int]]] = {}
    found: list[tuple[int, int, int]] = []
    """(leaf, root, cover): every path below `cover` holds all of the leaf's records."""
    same: DisjointSets[int] = field(default_factory=DisjointSets[int])
    """Leaves with equal records."""
    merged: set[int] = set()
    twin_roots: dict[int, set[int]] = {}
    """Leaf → the trees in which a leaf with equal records is known."""

    def unite_twins(self) -> None:
        """Unite leaves with equal records, each compared with the first of its set alone.

        So ten copies of a session take ten comparisons a path, not ninety. Equal size and
        equal sum of hashes find the sets; the very same ids all the way down, or else
        covers in both directions, prove them.
        """
        units, copies = self.units, self.copies
        sets = grouped(
            ((units.sizes[leaf], copies.marks[leaf]), leaf)
            for leaf in self.refs
            if copies.holders[leaf]
        )
        for first, *others in sets.values():
            roots = {units.roots[first]}
            for leaf in others:
                if units.roots[leaf] in roots:
                    continue
                if copies.same[leaf] == copies.same[first] or (
                    self._holds_all(leaf, first) and self._holds_all(first, leaf)
                ):
                    self.same.union(leaf, first)
                    roots.add(units.roots[leaf])
                    self.twin_roots[leaf] = self.twin_roots[first] = roots

    def look_for_holders(self, leaf: int, *, within_trees: bool) -> None:
        """Look for the paths that hold all of `leaf`'s."""
        roots: Iterable[int] = self.copies.holder_roots(leaf)
        if within_trees:
            roots = [*roots, self.units.roots[leaf]]
        twins = self.twin_roots.get(leaf, ())
        for root in roots:
            if root not in self.by_root or root in twins:
                continue
            cover = self.copies.cover(leaf, root)
            if cover != FAIL:
                self.found.append((leaf, root, cover))
                self._compare(leaf, root, cover, within_trees=within_trees)

    def _compare(self, leaf: int, root: int, cover: int, *, within_trees: bool) -> None:
        sizes = self.units.sizes
        own_root = self.units.roots[leaf]
        can_merge = own_root != root and len(self.by_root[own_root]) > 1
        is_end = cover != NONE and (
            # Without turns, notes may hang from the last conversation record.
            sizes[cover] == sizes[leaf] if within_trees else not self.units.children(cover)
        )
        if not can_merge and not is_end:
            return
        for other in self._leaves_below(root, cover):
            if other == leaf:
                continue
            if sizes[other] == sizes[leaf] and self._holds_all(leaf, other):
                self.same.union(leaf, other)
            elif can_merge and self.copies.merges_branches(other, own_root):
                self.merged.add(other)

    def _holds_all(self, leaf: int, other: int) -> bool:
        """Return whether `leaf` holds all of `other`'s: sizes mislead where ids repeat."""
        cover = self.copies.cover(other, self.units.roots[leaf])
        if cover == FAIL:
            return False
        return cover == NONE or self.copies.is_at_or_below(leaf, cover)

    def _leaves_below(self, root: int, cover: int) -> list[int]:
        """Return the leaves below `cover` (`NONE`: all under `root`), ACTIVE ones first."""
        if root not in self.in_preorder:
            members = sorted(self.by_root[root], key=lambda leaf: self.copies.span(leaf)[0])
            places = [self.copies.span(leaf)[0] for leaf in members]
            self.in_preorder[root] = (places, members)
        places, members = self.in_preorder[root]
        low, high = self.copies.span(root if cover == NONE else cover)
        below = members[bisect_left(places, low) : bisect_right(places, high)]
        if len(below) == 1:
            return below
        return sorted(below, key=lambda leaf: (not self.verdicts[leaf].is_active, leaf))

    def conclude(self) -> tuple[dict[int, int], frozenset[int]]:
        """Return dropped leaf → kept one, the preferred of equal paths; and the merged."""
        groups = self.same.groups(self.same.members())
        container: dict[int, int] = {}
        for members in groups.values():
            kept = min(members, key=self._preference)
            container.update((leaf, kept) for leaf in members if leaf != kept)
        for leaf, root, cover in self.found:
            if leaf not in container:
                size = self.units.sizes[leaf]
                for other in self._leaves_below(root, cover):
                    if self.units.sizes[other] > size and other not in self.merged:
                        container[leaf] = other
                        break
        return _resolve(container), frozenset(self.merged)

    def _preference(self, leaf: int) -> tuple[bool, bool, str, str, int]:
        """Return what sorts equal paths, the one to keep first."""
        unit_id = self.units.conversation_at(leaf)
        tree, unit = self.units.unit(unit_id)
        is_copy = any(tree.records[at].forked_from for at in tree.units.members[unit])
        last, ref = self.units.last_said(unit_id), self.refs[leaf]
        is_active = self.verdicts[leaf].is_active
        return (not is_active, is_copy, last.timestamp, ref.session, ref.number)


def _resolve(container: Mapping[int, int]) -> dict[int, int]:
    """Return `container` with every holder followed to one that is kept itself."""
    final: dict[int, int] = {}
    for leaf in container:
        trail: list[int] = []
        at = leaf
        while at in container and at not in final:
            trail.append(at)
            at = container[at]
        kept = final.get(at, at)
        final.update(dict.fromkeys(trail, kept))
    return final
