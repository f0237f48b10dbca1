"""All main conversations side by side: units under one numbering, sums down each chain.

A *gid* is a unit's number in the whole archive: the tree's start plus the number there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import TurnKind
from everyleaf.graph.trees import is_said
from everyleaf.issues import IssueCode
from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.trees import Tree
    from everyleaf.issues import Issue

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _STEERING = Kind.PROMPT, Kind.STEERING
_T_BOUNDARY = TurnKind.BOUNDARY

NONE = -1


class Atlas:
    """Parallel lists over the units of many trees. Built in linear time, then read only."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        """Number the units of `trees`, whose edges and turns are final."""
        self.trees = trees
        self.starts: list[int] = []
        self.tree_of: list[int] = []
        """gid → number of the tree."""
        self.issues: list[Issue] = []
        total = 0
        for number, tree in enumerate(trees):
            self.starts.append(total)
            self.tree_of += [number] * len(tree.units)
            total += len(tree.units)
        self.start_of = {
            id(tree): start for tree, start in zip(trees, self.starts, strict=True)
        }
        self.parents: list[int] = [NONE] * total
        """gid of the unit above: in another session where that was carried on."""
        self.roots: list[int] = [NONE] * total
        """gid of the root in the unit's own tree."""
        self.foreign: dict[int, int] = {}
        """Roots whose conversation began in another session: gid → unit above."""
        self._set_parents()
        self.order = self._topological_order()
        """All gids, parents before children, across sessions too."""
        self.sizes: list[int] = []
        """Conversation records from the very root down to and with the unit."""
        self.prompts: list[int] = []
        self.compactions: list[int] = []
        self.repaired: list[int] = []
        """Inferred edges, likewise."""
        self._accumulate()

    def unit(self, gid: int) -> tuple[Tree, int]:
        """Return the tree and the unit number there."""
        number = self.tree_of[gid]
        return self.trees[number], gid - self.starts[number]

    def members(self, gid: int) -> list[int]:
        """Return the record positions of the unit, in file order."""
        tree, unit = self.unit(gid)
        return tree.units.members[unit]

    def children(self, gid: int) -> list[int]:
        """Return the units below, of the same session, first-written first."""
        number = self.tree_of[gid]
        start = self.starts[number]
        return [start + child for child in self.trees[number].units.children[gid - start]]

    def ids(self, gid: int) -> list[str]:
        """Return the canonical ids of the unit's conversation records, in file order."""
        number = self.tree_of[gid]
        tree = self.trees[number]
        canonical, is_conversation = tree.canonical, tree.is_conversation
        members = tree.units.members[gid - self.starts[number]]
        return [canonical[at] for at in members if is_conversation[at]]

    def inferred(self, chain: Sequence[int]) -> tuple[str, ...]:
        """Return the uuids of the records in the units `chain` whose edge was repaired."""
        found: list[str] = []
        for gid in chain:
            tree, unit = self.unit(gid)
            if tree.inferred:
                members = tree.units.members[unit]
                found += [tree.records[at].uuid for at in members if at in tree.inferred]
        return tuple(found)

    def gid_of(self, tree: Tree, position: int) -> int:
        """Return the unit that holds the record at `position` of `tree`."""
        return self.start_of[id(tree)] + tree.units.of[position]

    def up(self, gid: int) -> Iterator[int]:
        """Yield `gid` and every unit above it, across sessions."""
        while gid != NONE:
            yield gid
            gid = self.parents[gid]

    def top(self, gid: int) -> int:
        """Return the very root above `gid`, across sessions."""
        gid = self.roots[gid]
        while gid in self.foreign:
            gid = self.roots[self.foreign[gid]]
        return gid

    def _set_parents(self) -> None:
        parents, roots = self.parents, self.roots
        for tree, start in zip(self.trees, self.starts, strict=True):
            for gid, parent in enumerate(tree.units.parents, start):
                if parent >= 0:
                    parents[gid] = start + parent
                    roots[gid] = roots[start + parent]
                else:
                    roots[gid] = gid
        for tree, start in zip(self.trees, self.starts, strict=True):
            for position, (other, at) in sorted(tree.foreign.items()):
                self._hang_elsewhere(tree, position, start, self.gid_of(other, at))

    def _hang_elsewhere(self, tree: Tree, position: int, start: int, above: int) -> None:
        root = start + tree.units.of[position]
        if self.top(above) == root:
            message = "sessions name each other's records as parents; made a root"
            self.issues.append(tree.issue(IssueCode.CYCLE, position, message))
            return
        self.foreign[root] = above
        self.parents[root] = above

    def _topological_order(self) -> list[int]:
        if not self.foreign:
            return list(range(len(self.parents)))
        by_root: dict[int, list[int]] = {}
        for gid, root in enumerate(self.roots):
            by_root.setdefault(root, []).append(gid)
        order: list[int] = []
        done: set[int] = set()
        for root in by_root:
            waiting = [root]
            while waiting:
                above = self.foreign.get(waiting[-1])
                needed = NONE if above is None else self.roots[above]
                if needed != NONE and needed not in done:
                    waiting.append(needed)
                    continue
                ready = waiting.pop()
                if ready not in done:
                    done.add(ready)
                    order += by_root[ready]
        return order

    def _count_own(self) -> None:
        """Set each sum to what the unit itself holds."""
        for tree in self.trees:
            units = tree.units
            is_prompt = bytes(
                (kind is _PROMPT or kind is _STEERING) and is_said(kind, record.words)
                for kind, record in zip(tree.kinds, tree.records, strict=True)
            )
            is_repaired = bytearray(len(tree.records))
            for position in tree.inferred:
                is_repaired[position] = 1
            self.sizes += _sums(units.members, tree.is_conversation)
            self.prompts += _sums(units.members, is_prompt)
            self.repaired += _sums(units.members, is_repaired)
            self.compactions += [int(kind is _T_BOUNDARY) for kind in units.kinds]

    def _accumulate(self) -> None:
        self._count_own()
        sums = (self.sizes, self.prompts, self.compactions, self.repaired)
        for counts in filter(any, sums):
            for gid in self.order:
                above = self.parents[gid]
                if above >= 0:
                    counts[gid] += counts[above]


def _sums(members: list[list[int]], flags: bytes | bytearray) -> list[int]:
    """Return how many of the records of each unit have their flag set."""
    if not any(flags):
        return [0] * len(members)
    return [
        flags[each[0]] if len(each) == 1 else sum([flags[at] for at in each])
        for each in members
    ]
