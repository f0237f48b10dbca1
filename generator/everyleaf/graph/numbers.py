"""Stable numbers for the paths of a session (`paths.md` §5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import TurnKind
from everyleaf.graph.trees import CONVERSATION

if TYPE_CHECKING:
    from everyleaf.graph.trees import Tree


def number_leaves(tree: Tree) -> list[int]:
    """Return the leaves of `tree.units` in the order of their numbers: the first is path 1.

    Walks the conversation records in file order; at the first one on no path yet, the path
    that takes the first-written child at every fork below is numbered. So appending changes
    no number, and a chain of notes alone gets none. Linear.
    """
    units, kinds = tree.units, tree.kinds
    covered = bytearray(len(units))
    is_below_words = bytearray(len(units))
    for unit, parent in enumerate(units.parents):
        is_below_words[unit] = units.kinds[unit] is not TurnKind.NOTES or (
            parent >= 0 and is_below_words[parent]
        )
    leaves: list[int] = []
    for position, unit in enumerate(units.of):
        if covered[unit]:
            continue
        if not is_below_words[unit] and kinds[position] not in CONVERSATION:
            continue
        leaf = unit
        while units.children[leaf]:
            leaf = units.children[leaf][0]
        leaves.append(leaf)
        at = leaf
        while at >= 0 and not covered[at]:
            covered[at] = 1
            at = units.parents[at]
    return leaves
