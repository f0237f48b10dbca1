"""Which record hangs from which: `parentUuid` with its repairs (`paths.md` §3).

A tree is linked twice where that is needed: first alone, then, once every session has been
contracted, the boundaries and roots whose parent stands in another session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from everyleaf.graph.trees import Tree
from everyleaf.graph.turns import contract
from everyleaf.grouping import grouped
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, Envelope, Kind

Elsewhere = tuple[Tree, int]
"""A record of another session: its tree and its position there."""

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_BOUNDARY, _RESULT = Kind.BOUNDARY, Kind.RESULT
_BLOCK_KINDS = frozenset({Kind.SUMMARY, Kind.NOTE, Kind.INJECTED, Kind.ECHO})

ROOT = -1
UNSET = -2
"""A parent that the raw fields do not give: a boundary's, or a dangling one."""


def link(tree: Tree) -> list[Issue]:
    """Set the parent of every record of `tree` from its own file, and return what was odd.

    What only another file can tell is placed for the time being as if the other file did
    not exist; `link_elsewhere` corrects it. Near-linear.
    """
    if not tree.has_parents:
        tree.parents = list(range(-1, len(tree.records) - 1))
        return []
    raw = [
        tree.index.get(parent, UNSET)
        if (parent := record.parent_uuid) is not None
        else (UNSET if record.kind is _BOUNDARY else ROOT)
        for record in tree.records
    ]
    if _BOUNDARY in [record.kind for record in tree.records]:
        _hang_after_boundaries(tree, raw)
    _mend_from_copies(tree, raw)
    tree.parents = raw
    if UNSET in raw:
        _place_unset(tree)
    return _break_cycles(tree)


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
        is_kept = parent in preserved and parent not in block and parent < position
        if is_kept and record.kind is not _RESULT:
            raw[position] = parent = end
        if parent in block and record.kind in _BLOCK_KINDS:
            block.add(position)
            end = position


def _place_unset(tree: Tree) -> None:
    """Place boundaries without a parent and records with a dangling one, in file order."""
    finder = _Below(tree)
    last_conversation = ROOT
    for position, record in enumerate(tree.records):
        if tree.parents[position] == UNSET:
            logical = record.logical_parent_uuid if record.kind is _BOUNDARY else None
            named = tree.index.get(logical, UNSET) if logical else UNSET
            if UNSET < named < position:
                tree.parents[position] = finder.last_at_or_below(named, position)
            elif record.kind is _BOUNDARY:
                tree.parents[position] = last_conversation
                tree.inferred.update([position] if last_conversation != ROOT else ())
            else:
                tree.parents[position] = finder.nearest_not_below(position)
                tree.inferred.add(position)
        if record.kind in CONVERSATION:
            last_conversation = position


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
            at = candidate
            while at != named and at > ROOT and at not in not_below:
                if at < named and not self._inverted:
                    break
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


def _mend_from_copies(tree: Tree, raw: list[int]) -> None:
    """Use a later copy's parent where only the first copy's chain is broken or cyclic.

    In file order, so that the topmost break is mended first and what hangs below it needs
    nothing. What is known to reach a root is never walked again, so that a file costs one
    walk in all unless chains stay broken.
    """
    if not tree.other_parents:
        return
    good: set[int] = set()
    for position, others in sorted(tree.other_parents.items()):
        if _reaches_root(tree, raw, position, good):
            continue
        first = raw[position]
        for other in others:
            raw[position] = ROOT if other is None else tree.index.get(other, UNSET)
            if raw[position] != UNSET and _reaches_root(tree, raw, position, good):
                break
            raw[position] = first


def _reaches_root(tree: Tree, raw: list[int], start: int, good: set[int]) -> bool:
    """Return whether the chain up from `start` ends at a root, or at a `good` record.

    A boundary without a parent will get one. All that reaches a root becomes good.
    """
    trail: dict[int, None] = {}
    at = start
    while at >= 0 and at not in good:
        if at in trail:
            return False
        trail[at] = None
        above = raw[at]
        at = ROOT if above == UNSET and tree.records[at].kind is _BOUNDARY else above
    if at == UNSET:
        return False
    good.update(trail)
    return True


def _break_cycles(tree: Tree) -> list[Issue]:
    """Make the first-written record of every cycle a root; return their issues. Linear."""
    if tree.is_in_order:
        return []
    parents = tree.parents
    walk_of = [0] * len(parents)  # The walk that met each record, by number from 1 on.
    issues: list[Issue] = []
    for start in range(len(parents)):
        at = start
        while at >= 0 and not walk_of[at]:
            walk_of[at] = start + 1
            at = parents[at]
        if at < 0 or walk_of[at] != start + 1:
            continue
        cycle = [at]
        while parents[cycle[-1]] != at:
            cycle.append(parents[cycle[-1]])
        first = min(cycle)
        parents[first] = ROOT
        tree.inferred.discard(first)
        tree.cycle_roots.add(first)
        what = "names itself as its parent"
        if len(cycle) > 1:
            what = f"in a cycle of {len(cycle)}"
        issues.append(tree.issue(IssueCode.CYCLE, first, f"record {what}; made a root"))
    return issues


def link_elsewhere(trees: Sequence[Tree], *, is_strict: bool = False) -> list[Issue]:
    """Set the edges of `trees` that lead into another session; contract again if changed.

    Every tree is linked and contracted already. Near-linear: only records whose parent is
    missing from their own file are looked for, all in one pass.
    """
    wanted = [_wanted_elsewhere(tree) for tree in trees]
    names = {uuid for positions in wanted for uuid in positions.values()}
    if not names:
        return []
    holders = grouped(
        (uuid, (tree, tree.index[uuid]))
        for tree in trees
        for uuid in sorted(names & tree.index.keys())
    )
    issues: list[Issue] = []
    for tree, positions in zip(trees, wanted, strict=True):
        found = {at: holders[uuid] for at, uuid in positions.items() if uuid in holders}
        if found:
            _hang_elsewhere(tree, found)
            issues += _break_cycles(tree)
            contract(tree, is_strict=is_strict)
    return issues


def _wanted_elsewhere(tree: Tree) -> dict[int, str]:
    """Return the records of `tree` whose parent this tree lacks: position → uuid."""
    wanted: dict[int, str] = {}
    if not tree.has_parents:
        return wanted
    candidates = {*tree.inferred, *(p for p, at in enumerate(tree.parents) if at == ROOT)}
    for position in sorted(candidates):
        record = tree.records[position]
        parent = record.parent_uuid
        if record.kind is _BOUNDARY and parent is None:
            parent = record.logical_parent_uuid
        if parent and parent not in tree.index:
            wanted[position] = parent
    return wanted


def _hang_elsewhere(tree: Tree, found: Mapping[int, Sequence[Elsewhere]]) -> None:
    """Place the records of `tree` whose parent was `found`: position → who holds it."""
    by_canonical: dict[str, int] = {}
    for position, name in enumerate(tree.canonical):
        by_canonical.setdefault(name, position)
    for position, holders in found.items():
        holder = min(holders, key=lambda each: _rank(tree.records[position], *each))
        shared = _find_shared_above(tree, position, holder, by_canonical)
        tree.inferred.discard(position)
        if shared is None:
            tree.foreign[position] = holder
        tree.parents[position] = ROOT if shared is None else shared


def _rank(record: Envelope, other: Tree, at: int) -> tuple[bool, bool, str]:
    """Return what sorts the sessions that hold the parent of `record`, the best first.

    The one that `forkedFrom` names, else one without `forkedFrom`, else the lowest name.
    """
    named = record.forked_from.session if record.forked_from else None
    return (
        other.session != named,
        other.records[at].forked_from is not None,
        other.session,
    )


def _find_shared_above(
    tree: Tree, position: int, holder: Elsewhere, by_canonical: Mapping[str, int]
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
