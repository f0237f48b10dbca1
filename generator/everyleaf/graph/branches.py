"""Where kept paths part, and where a reader is sent on each branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.atlas import NONE
from everyleaf.graph.forest import Branch, PathRef, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.graph.atlas import Atlas
    from everyleaf.graph.copies import Copies

_LOOK_AHEAD = 20
"""Turns to look down for the first words of a branch."""


class Forks:
    """The forks of an archive as its pages show them."""

    def __init__(
        self,
        atlas: Atlas,
        copies: Copies,
        refs: Mapping[int, PathRef],
        container: Mapping[int, int],
        active: frozenset[int],
    ) -> None:
        """Find every fork.

        Args:
            atlas: All main conversations.
            copies: Where records occur several times.
            refs: Leaf → its path, dropped ones included.
            container: Dropped leaf → the kept leaf that holds it.
            active: The leaves that are ACTIVE.
        """
        self._atlas = atlas
        self._copies = copies
        self._refs = refs
        self._container = container
        self._active = active
        self._carried_on: dict[int, list[int]] = {}
        for root, above in sorted(atlas.foreign.items()):
            self._carried_on.setdefault(above, []).append(root)
        self._target = self._find_targets()
        self.branches: dict[int, tuple[Branch, ...]] = {}
        """gid of the unit before a fork → its branches."""
        self._collect()

    def target(self, gid: int) -> int:
        """Return the leaf below `gid` to send a reader to, kept if any is; -1 for none."""
        return self._target[gid]

    def _find_targets(self) -> list[int]:
        """Return, for each unit, where to send a reader: kept, ACTIVE, lowest first."""
        atlas = self._atlas
        target = [NONE] * len(atlas.parents)
        for gid in reversed(atlas.order):
            if gid in self._refs:
                self._offer(target, gid, gid)
            leaf, above = target[gid], atlas.parents[gid]
            if above >= 0 and leaf >= 0:
                if target[above] == NONE:
                    target[above] = leaf
                else:
                    self._offer(target, above, leaf)
        return target

    def _offer(self, target: list[int], gid: int, leaf: int) -> None:
        best = target[gid]
        if best == NONE or (best != leaf and self._rank(leaf) < self._rank(best)):
            target[gid] = leaf

    def _rank(self, leaf: int) -> tuple[bool, bool, PathRef]:
        return (leaf in self._container, leaf not in self._active, self._refs[leaf])

    def _below(self, gid: int) -> list[int]:
        return [*self._atlas.children(gid), *self._carried_on.get(gid, ())]

    def _collect(self) -> None:
        atlas = self._atlas
        wide = [
            start + unit
            for tree, start in zip(atlas.trees, atlas.starts, strict=True)
            for unit, children in enumerate(tree.units.children)
            if len(children) > 1
        ]
        forks = {gid: self._below(gid) for gid in sorted({*wide, *self._carried_on})}
        forks = {gid: below for gid, below in forks.items() if len(below) > 1}
        elsewhere: dict[int, list[tuple[int, int]]] = {}
        for fork, below in forks.items():
            for twin in self._twins(fork, below):
                root = atlas.roots[twin]
                for child in below:
                    kept = self._kept(child)
                    if kept != NONE and atlas.roots[kept] != root:
                        elsewhere.setdefault(twin, []).append((fork, child))
        for gid in sorted({*forks, *elsewhere}):
            own = [(gid, child) for child in forks.get(gid) or self._below(gid)]
            self._add(gid, own + elsewhere.get(gid, []))

    def _twins(self, fork: int, below: list[int]) -> list[int]:
        """Return what stands for `fork` in the trees that hold one of its dropped paths."""
        names = self._atlas.ids(fork)
        places = self._copies.shared.get(names[-1]) if names else None
        if places is None:
            return []
        roots = {
            self._atlas.roots[self._container[leaf]]
            for leaf in (self._target[child] for child in below)
            if leaf in self._container
        }
        return [
            places[root]
            for root in sorted(roots)
            if root in places and places[root] != fork
        ]

    def _kept(self, child: int) -> int:
        leaf = self._target[child]
        return self._container.get(leaf, leaf)

    def _add(self, gid: int, ways: Sequence[tuple[int, int]]) -> None:
        branches: dict[PathRef, Branch] = {}
        for fork, child in ways:
            leaf = self._kept(child)
            if leaf == NONE or self._refs[leaf] in branches:
                continue
            tree, unit = self._atlas.unit(child)
            branches[self._refs[leaf]] = Branch(
                turn=(tree.key, unit),
                path=self._refs[leaf],
                status=Status.ACTIVE if leaf in self._active else Status.ABANDONED,
                words=self._words(child),
                messages=self._atlas.sizes[leaf] - self._atlas.sizes[fork],
                uuid=self._first_uuid(child, leaf),
            )
        if len(branches) > 1:
            self.branches[gid] = tuple(branches.values())

    def _first_uuid(self, child: int, leaf: int) -> str:
        """Return the uuid by which the path to `leaf` has the first record of `child`."""
        names = self._atlas.ids(child)
        if not names:
            return ""
        place = child
        if self._target[child] in self._container:
            places = self._copies.shared.get(names[0], {})
            place = places.get(self._atlas.roots[leaf], NONE)
        if place == NONE:
            return ""
        tree, unit = self._atlas.unit(place)
        members = tree.units.members[unit]
        return next(
            tree.records[at].uuid for at in members if tree.canonical[at] == names[0]
        )

    def _words(self, child: int) -> str:
        at = child
        for _ in range(_LOOK_AHEAD):
            tree, unit = self._atlas.unit(at)
            for position in tree.units.members[unit]:
                if tree.records[position].words:
                    return tree.records[position].words
            below = self._below(at)
            if not below:
                break
            at = below[0]
        return ""
