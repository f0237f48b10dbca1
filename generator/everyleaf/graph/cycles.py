"""Chains that do not reach a root: repaired from later copies, or cut."""

from __future__ import annotations

from operator import lt
from typing import TYPE_CHECKING

from everyleaf.issues import Issue, IssueCode
from everyleaf.model import Kind

if TYPE_CHECKING:
    from everyleaf.graph.trees import Tree

_ROOT = -1


class _Walks:
    """Which records reach a root, remembered from walk to walk."""

    def __init__(self, parents: list[int], boundaries: set[int]) -> None:
        self._parents = parents
        self._boundaries = boundaries
        self._good: set[int] = set()

    def reaches_root(self, start: int) -> bool:
        """Return whether the chain up from `start` ends at a root or at a boundary.

        What is known good is never walked again, so that a file costs one walk in all
        unless chains stay broken.
        """
        trail: dict[int, None] = {}
        at = start
        while at >= 0 and at not in self._good:
            if at in trail:
                return False
            trail[at] = None
            if at in self._boundaries:
                break
            at = self._parents[at]
        if at < _ROOT:
            return False
        self._good.update(trail)
        return True


def mend_from_copies(tree: Tree, raw: list[int]) -> None:
    """Use a later copy's parent where only the first copy's chain is broken or cyclic.

    `raw` holds positions, -1 for a root and -2 for a parent that is not in the file; it is
    changed in place. In file order, so that the topmost break is mended first and what
    hangs below it needs nothing.
    """
    if not tree.other_parents:
        return
    boundaries = {
        position
        for position in range(len(raw))
        if tree.records[position].kind is Kind.BOUNDARY and raw[position] < _ROOT
    }
    walks = _Walks(raw, boundaries)
    for position, others in sorted(tree.other_parents.items()):
        if position in boundaries or walks.reaches_root(position):
            continue
        first = raw[position]
        for other in others:
            at = _ROOT if other is None else tree.index.get(other, _ROOT - 1)
            raw[position] = at
            if at >= _ROOT and walks.reaches_root(position):
                break
            raw[position] = first


def is_in_order(parents: list[int]) -> bool:
    """Return whether every record was written after its parent. Linear, but cheap."""
    return all(map(lt, parents, range(len(parents))))


def break_cycles(tree: Tree) -> list[Issue]:
    """Make the first-written record of every cycle a root; return their issues. Linear."""
    parents = tree.parents
    if is_in_order(parents):
        return []
    state = bytearray(len(parents))  # 0 unseen, 1 on this walk, 2 done
    issues: list[Issue] = []
    for start in range(len(parents)):
        trail: list[int] = []
        at = start
        while at >= 0 and state[at] == 0:
            state[at] = 1
            trail.append(at)
            at = parents[at]
        if at >= 0 and state[at] == 1:
            cycle = trail[trail.index(at) :]
            first = min(cycle)
            parents[first] = _ROOT
            tree.inferred.discard(first)
            tree.cycle_roots.add(first)
            what = (
                "names itself as its parent"
                if len(cycle) == 1
                else f"in a cycle of {len(cycle)}"
            )
            issues.append(tree.issue(IssueCode.CYCLE, first, f"record {what}; made a root"))
        for visited in trail:
            state[visited] = 2
    return issues
