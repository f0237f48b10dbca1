"""Paths whose records another path holds: found, verified, dropped (`paths.md` §5)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.copies import FAIL
from everyleaf.graph.units import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from everyleaf.graph.copies import Copies
    from everyleaf.graph.forest import PathRef
    from everyleaf.graph.status import LeafVerdict
    from everyleaf.graph.units import UnitIndex


class Containment(Struct, frozen=True):
    """Which leaves stay, and what became of the others."""

    container: dict[int, int]
    """Dropped leaf → the kept leaf that holds all of its records."""
    merged: frozenset[int]
    """Leaves that put branches of another session into one line."""


def find_contained(
    copies: Copies,
    refs: Mapping[int, PathRef],
    verdicts: Mapping[int, LeafVerdict],
    *,
    within_trees: bool = False,
) -> Containment:
    """Return which leaves hold others, of those in `refs` (paths without records left out).

    `within_trees` also compares the paths of one tree, which only strict mode needs: turns
    are contracted so that no path of a tree holds another. Near-linear.
    """
    search = _Search(copies, refs, verdicts)
    if not within_trees:
        search.unite_twins()
    for leaf in refs:
        search.look_for_holders(leaf, within_trees=within_trees)
    return search.conclude()


class _Search:
    def __init__(
        self,
        copies: Copies,
        refs: Mapping[int, PathRef],
        verdicts: Mapping[int, LeafVerdict],
    ) -> None:
        self.units: UnitIndex = copies.units
        self.copies = copies
        self.refs = refs
        self.verdicts = verdicts
        self.by_root: dict[int, list[int]] = {}
        for leaf in refs:
            self.by_root.setdefault(self.units.roots[leaf], []).append(leaf)
        self.in_preorder: dict[int, tuple[list[int], list[int]]] = {}
        self.found: list[tuple[int, int, int]] = []
        """(leaf, root, cover): every path below `cover` holds all of the leaf's records."""
        self.same: dict[int, int] = {}
        """Union-find over leaves with equal records."""
        self.merged: set[int] = set()
        self.twin_roots: dict[int, set[int]] = {}
        """Leaf → the trees in which a leaf with equal records is known."""

    def unite_twins(self) -> None:
        """Unite leaves with equal records, each compared with the first of its set alone.

        So ten copies of a session take ten comparisons a path, not ninety. Equal size and
        equal sum of hashes find the sets; the very same ids all the way down, or else
        covers in both directions, prove them.
        """
        units, copies = self.units, self.copies
        sets: dict[tuple[int, int], list[int]] = {}
        for leaf in self.refs:
            if copies.holders[leaf]:
                sets.setdefault((units.sizes[leaf], copies.marks[leaf]), []).append(leaf)
        for first, *others in sets.values():
            roots = {units.roots[first]}
            for leaf in others:
                if units.roots[leaf] in roots:
                    continue
                if copies.same[leaf] == copies.same[first] or (
                    self._holds_all(leaf, first) and self._holds_all(first, leaf)
                ):
                    self._unite(leaf, first)
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
                self._unite(leaf, other)
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

    def _first_larger(self, leaf: int, root: int, cover: int) -> int | None:
        size = self.units.sizes[leaf]
        for other in self._leaves_below(root, cover):
            if self.units.sizes[other] > size and other not in self.merged:
                return other
        return None

    def _unite(self, one: int, other: int) -> None:
        low, high = sorted((self._leader(one), self._leader(other)))
        self.same[high] = low

    def _leader(self, leaf: int) -> int:
        while (above := self.same.get(leaf, leaf)) != leaf:
            leaf = above
        return leaf

    def conclude(self) -> Containment:
        """Return what is kept, equal paths reduced to the preferred one of each set."""
        groups: dict[int, list[int]] = {}
        for leaf in sorted({*self.same, *self.same.values()}):
            groups.setdefault(self._leader(leaf), []).append(leaf)
        container: dict[int, int] = {}
        for members in groups.values():
            kept = min(members, key=self._preference)
            container.update((leaf, kept) for leaf in members if leaf != kept)
        for leaf, root, cover in self.found:
            if leaf not in container:
                holder = self._first_larger(leaf, root, cover)
                if holder is not None:
                    container[leaf] = holder
        return Containment(_resolve(container), frozenset(self.merged))

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
