"""Stable numbers for the paths of a session (`paths.md` §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import TurnKind

if TYPE_CHECKING:
    from everyleaf.graph.trees import Tree
    from everyleaf.graph.turns import Units

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_T_NOTES = TurnKind.NOTES


def number_leaves(tree: Tree) -> list[int]:
    """Return the leaves of `tree.units` in the order of their numbers: the first is path 1.

    Walks the conversation records in file order; at the first one on no path yet, the path
    that takes the first-written child at every fork below is numbered. So appending changes
    no number, and a chain of notes alone gets none. Linear.
    """
    units, is_conversation = tree.units, tree.is_conversation
    children, parents = units.children, units.parents
    covered = bytearray(len(units))
    is_below_words = _find_below_words(units)
    leaves: list[int] = []
    for position, unit in enumerate(units.of):
        if covered[unit] or not (is_below_words[unit] or is_conversation[position]):
            continue
        leaf = unit
        covered[leaf] = 1
        while children[leaf]:
            leaf = children[leaf][0]
            covered[leaf] = 1
        leaves.append(leaf)
        at = parents[unit]
        while at >= 0 and not covered[at]:
            covered[at] = 1
            at = parents[at]
    return leaves


def _find_below_words(units: Units) -> bytearray:
    """Return 1 for each unit that is more than notes, or hangs from one that is."""
    if _T_NOTES not in units.kinds:
        return bytearray(b"\1" * len(units))
    is_below_words = bytearray(len(units))
    for unit, parent in enumerate(units.parents):
        is_below_words[unit] = units.kinds[unit] is not _T_NOTES or (
            parent >= 0 and is_below_words[parent]
        )
    return is_below_words
