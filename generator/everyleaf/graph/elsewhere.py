"""Edges that only another session's file can tell (`paths.md` §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.cycles import break_cycles
from everyleaf.graph.edges import ROOT, choose_holder, find_shared_above, wanted_elsewhere
from everyleaf.graph.turns import contract

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.graph.trees import Tree
    from everyleaf.issues import Issue


def link_elsewhere(trees: Sequence[Tree], *, is_strict: bool = False) -> list[Issue]:
    """Set the edges of `trees` that lead into another session; contract again if changed.

    Every tree is linked and contracted already. Near-linear: only records whose parent is
    missing from their own file are looked for, all in one pass.
    """
    wanted = {id(tree): wanted_elsewhere(tree) for tree in trees}
    names = {uuid for positions in wanted.values() for uuid in positions.values()}
    if not names:
        return []
    holders: dict[str, list[tuple[Tree, int]]] = {}
    for tree in trees:
        for uuid in sorted(names & tree.index.keys()):
            holders.setdefault(uuid, []).append((tree, tree.index[uuid]))
    issues: list[Issue] = []
    for tree in trees:
        if _link_one(tree, wanted[id(tree)], holders):
            issues += break_cycles(tree)
            contract(tree, is_strict=is_strict)
    return issues


def _link_one(
    tree: Tree, wanted: dict[int, str], holders: dict[str, list[tuple[Tree, int]]]
) -> bool:
    """Place the `wanted` records of `tree`; return whether an edge changed."""
    found = {
        position: holders[uuid] for position, uuid in wanted.items() if uuid in holders
    }
    if not found:
        return False
    by_canonical: dict[str, int] = {}
    for position, name in enumerate(tree.canonical):
        by_canonical.setdefault(name, position)
    for position, candidates in found.items():
        holder = choose_holder(tree, position, candidates)
        shared = find_shared_above(tree, position, holder, by_canonical)
        tree.inferred.discard(position)
        if shared is None:
            tree.parents[position] = ROOT
            tree.foreign[position] = holder
        else:
            tree.parents[position] = shared
    return True
