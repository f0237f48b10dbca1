"""Which record hangs from which: `parentUuid` with its repairs (`paths.md` §3).

A tree is linked twice where that is needed: first alone, then, once every session has been
contracted, the boundaries and roots whose parent stands in another session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.cycles import break_cycles, mend_from_copies
from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.graph.trees import Tree
    from everyleaf.issues import Issue

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_BOUNDARY = Kind.BOUNDARY
_RESULT = Kind.RESULT

ROOT = -1
UNSET = -2
"""A parent that the raw fields do not give: a boundary's, or a dangling one."""

Elsewhere = tuple["Tree", int]
"""A record of another session: its tree and its position there."""


def link(tree: Tree) -> list[Issue]:
    """Set the parent of every record of `tree` from its own file, and return what was odd.

    What only another file can tell is placed for the time being as if the other file did
    not exist; `link_elsewhere` corrects it. Near-linear.
    """
    if not tree.has_parents:
        tree.parents = list(range(-1, len(tree.records) - 1))
        return []
    raw = _raw_parents(tree)
    if _BOUNDARY in [record.kind for record in tree.records]:
        _hang_after_boundaries(tree, raw)
    mend_from_copies(tree, raw)
    tree.parents = raw
    if UNSET in raw:
        _place_unset(tree)
    return break_cycles(tree)


def _raw_parents(tree: Tree) -> list[int]:
    index = tree.index
    return [
        index.get(parent, UNSET)
        if (parent := record.parent_uuid) is not None
        else (UNSET if record.kind is _BOUNDARY else ROOT)
        for record in tree.records
    ]


def _hang_after_boundaries(tree: Tree, raw: list[int]) -> None:
    """Move what continues a preserved message, written later, to the boundary's end."""
    preserved: set[int] = set()
    block: set[int] = set()
    end = ROOT
    for position, record in enumerate(tree.records):
        if record.kind is _BOUNDARY:
            preserved = {
                tree.index[uuid] for uuid in record.preserved if uuid in tree.index
            }
            block, end = {position}, position
            continue
        parent = raw[position]
        if parent in block:
            if record.kind in _BLOCK_KINDS:
                block.add(position)
                end = position
        elif parent in preserved and record.kind is not _RESULT and parent < position:
            raw[position] = end
            if record.kind in _BLOCK_KINDS:
                block.add(position)
                end = position


_BLOCK_KINDS = frozenset({Kind.SUMMARY, Kind.NOTE, Kind.INJECTED, Kind.ECHO})


def _place_unset(tree: Tree) -> None:
    """Place boundaries without a parent and records with a dangling one, in file order."""
    finder = _Below(tree)
    last_conversation = ROOT
    for position, record in enumerate(tree.records):
        if tree.parents[position] == UNSET:
            if record.kind is _BOUNDARY:
                _place_boundary(tree, position, last_conversation, finder)
            else:
                tree.parents[position] = finder.nearest_not_below(position)
                tree.inferred.add(position)
        if record.kind in CONVERSATION:
            last_conversation = position


def _place_boundary(tree: Tree, position: int, before: int, finder: _Below) -> None:
    logical = tree.records[position].logical_parent_uuid
    named = tree.index.get(logical, UNSET) if logical else UNSET
    if UNSET < named < position:
        tree.parents[position] = finder.last_at_or_below(named, position)
        return
    tree.parents[position] = before
    if before != ROOT:
        tree.inferred.add(position)


class _Below:
    """Answers who stands below whom while parents are still being set."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._inverted = [
            (child, parent) for child, parent in enumerate(tree.parents) if parent > child
        ]
        """Children that were written before their parents: rare, so a list will do."""

    def last_at_or_below(self, named: int, position: int) -> int:
        """Return the last conversation record before `position` at or below `named`.

        `named` itself where there is none: a note, which its turn will take along. Walks
        back from `position`; normally the first candidate is below `named`.
        """
        parents, records = self._tree.parents, self._tree.records
        not_below: set[int] = set()
        for candidate in range(position - 1, named - 1, -1):
            if records[candidate].kind not in CONVERSATION:
                continue
            trail: list[int] = []
            at = candidate
            while at != named and at > ROOT and at not in not_below:
                if at < named and not self._inverted:
                    break
                trail.append(at)
                not_below.add(at)
                at = parents[at]
            if at == named:
                return candidate
        return named

    def nearest_not_below(self, position: int) -> int:
        """Return the nearest record before `position` that is not below it, or `ROOT`."""
        if not any(child < position <= parent for child, parent in self._inverted):
            return position - 1
        parents = self._tree.parents
        below: set[int] = {position}
        clear: set[int] = set()
        for candidate in range(position - 1, ROOT, -1):
            trail: list[int] = []
            at = candidate
            while at > ROOT and at not in below and at not in clear:
                trail.append(at)
                clear.add(at)
                at = parents[at]
            if at not in below:
                return candidate
            below.update(trail)
            clear.difference_update(trail)
        return ROOT


def wanted_elsewhere(tree: Tree) -> dict[int, str]:
    """Return the records of `tree` whose parent this tree lacks: position → uuid."""
    wanted: dict[int, str] = {}
    if not tree.has_parents:
        return wanted
    candidates = [*tree.inferred, *(p for p, at in enumerate(tree.parents) if at == ROOT)]
    for position in sorted(set(candidates)):
        record = tree.records[position]
        parent = record.parent_uuid
        if record.kind is _BOUNDARY and parent is None:
            parent = record.logical_parent_uuid
        if parent and parent not in tree.index:
            wanted[position] = parent
    return wanted


def choose_holder(tree: Tree, position: int, holders: list[Elsewhere]) -> Elsewhere:
    """Return the copy of a parent to go on from, of those in other sessions.

    The one in the session that `forkedFrom` names, else one without `forkedFrom`, else the
    one in the session with the lowest name.
    """
    fork = tree.records[position].forked_from
    named = fork.session if fork is not None else None

    def rank(holder: Elsewhere) -> tuple[bool, bool, str]:
        other, at = holder
        return (
            other.session != named,
            other.records[at].forked_from is not None,
            other.session,
        )

    return min(holders, key=rank)


def find_shared_above(
    tree: Tree,
    position: int,
    holder: Elsewhere,
    by_canonical: Mapping[str, int],
) -> int | None:
    """Return where `tree` holds, before `position`, the nearest one at or above `holder`.

    `by_canonical` maps the canonical ids of `tree` to positions. A boundary walks all the
    way up, turn by turn; any other record looks only at the turn that it names a part of,
    since for it the conversation of the other file runs on.
    """
    other, at = holder
    is_boundary = tree.records[position].kind is _BOUNDARY
    units = other.units
    unit = units.of[at]
    start = at
    while unit != ROOT:
        for candidate in reversed(units.members[unit]):
            if other.kinds[candidate] in CONVERSATION and candidate <= start:
                found = by_canonical.get(other.canonical[candidate])
                if found is not None and found < position:
                    return found
        if not is_boundary:
            return None
        start = len(other.records)
        unit = units.parents[unit]
    return None
