"""Records contracted into turns: tool calls and hooks fork nothing (`paths.md` §4).

Then the leaves of the turns are numbered, as paths are (§5).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from everyleaf.graph.forest import TurnKind
from everyleaf.graph.trees import Tree, Units, parents_first
from everyleaf.model import CONVERSATION, Envelope, Kind

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _REPLY, _RESULT = Kind.PROMPT, Kind.REPLY, Kind.RESULT
_BOUNDARY, _SUMMARY = Kind.BOUNDARY, Kind.SUMMARY
_ECHO, _NOTE = Kind.ECHO, Kind.NOTE
_AS_NOTES = frozenset({Kind.ECHO, Kind.INJECTED})
_T_RESPONSE, _T_BOUNDARY, _T_NOTES = TurnKind.RESPONSE, TurnKind.BOUNDARY, TurnKind.NOTES
_KINDS = {
    Kind.PROMPT: TurnKind.PROMPT,
    Kind.STEERING: TurnKind.PROMPT,
    Kind.REPLY: TurnKind.RESPONSE,
    Kind.RESULT: TurnKind.RESPONSE,
    Kind.BOUNDARY: TurnKind.BOUNDARY,
    Kind.SUMMARY: TurnKind.BOUNDARY,
    Kind.NOTE: TurnKind.NOTES,
}

_ROOT = -1


def contract(tree: Tree, *, is_strict: bool = False) -> None:
    """Set `tree.units` from `tree.parents`; with `is_strict` every record is a unit.

    Records are placed in file order, but never before their parent. Near-linear.
    """
    _decide_echoes(tree)
    is_in_order = tree.is_in_order
    contraction = _Contraction(tree, is_strict=is_strict)
    positions: Iterable[int] = range(len(tree.records))
    if not is_in_order:
        positions = parents_first(positions, tree.parents.__getitem__)
    for position in positions:
        contraction.place(position)
    tree.units = contraction.units
    _complete(tree.units, is_in_order=is_in_order)


def _decide_echoes(tree: Tree) -> None:
    """Set `tree.kinds`: an echo is a prompt if a reply hangs from it, maybe through notes.

    A reply that the CLI made itself does not count, nor one that answers an injected note.
    Linear: no note is climbed twice. Echoes and injected notes are notes from here on.
    """
    kinds, parents = [record.kind for record in tree.records], tree.parents
    climbed: set[int] = set()
    for position, record in enumerate(tree.records) if _ECHO in kinds else ():
        if record.kind is not _REPLY or record.is_synthetic:
            continue
        at = parents[position]
        while at >= 0 and at not in climbed and kinds[at] is _NOTE:
            climbed.add(at)
            at = parents[at]
        if at >= 0 and kinds[at] is _ECHO:
            kinds[at] = _PROMPT
    tree.kinds = [_NOTE if kind in _AS_NOTES else kind for kind in kinds]
    tree.is_conversation = bytes(map(CONVERSATION.__contains__, tree.kinds))


class _Contraction:
    """Places records one by one: each joins a unit, or begins one."""

    def __init__(self, tree: Tree, *, is_strict: bool) -> None:
        self.tree = tree
        self.is_strict = is_strict
        self.units = Units(of=[_ROOT] * len(tree.records))
        self.first_replies: dict[int, int] = {}
        """Unit → the first response that hangs from it and names its message."""
        self.messages: dict[tuple[int, str, str | None], int] = {}
        """(unit, message id, request id) → a later response that hangs from it."""
        self.responses = _Responses(self.units)

    def place(self, position: int) -> None:
        """Place the record at `position`, whose parent is placed."""
        tree = self.tree
        parent = tree.parents[position]
        kind = tree.kinds[position]
        above = self.units.of[parent] if parent >= 0 else _ROOT
        if self.is_strict:
            self._begin(position, above, _KINDS[kind])
        elif kind is _REPLY:
            self._place_reply(position, above)
        elif above < 0 or kind is _PROMPT or kind is _BOUNDARY:
            self._begin(position, above, _KINDS[kind])
        elif kind is _RESULT:
            self._join(position, above)
        elif kind is not _SUMMARY:
            self._join(position, self.responses.last_below(above))
        elif self.units.kinds[above] is _T_BOUNDARY:
            self._join(position, above)
        else:
            self._begin(position, above, _T_BOUNDARY)

    def _place_reply(self, position: int, above: int) -> None:
        record = self.tree.records[position]
        if record.is_synthetic:
            if above >= 0:
                above = self.responses.last_below(above)
            self._begin(position, above, _T_RESPONSE)
        elif record.message_id is None or above < 0:
            self._begin(position, above, _T_RESPONSE)
        elif self._is_part(record, above):
            self._join(position, above)
        else:
            self._place_response(position, above, record)

    def _place_response(self, position: int, above: int, record: Envelope) -> None:
        """Place a reply under `above`, with the rest of its message if that hangs there."""
        unit = len(self.units.kinds)
        first = self.first_replies.setdefault(above, unit)
        if first != unit and not self._is_part(record, first):
            key = (above, record.message_id or "", record.request_id)
            first = self.messages.setdefault(key, unit)
        if first == unit:
            self._begin(position, above, _T_RESPONSE)
        else:
            self._join(position, first)

    def _is_part(self, record: Envelope, unit: int) -> bool:
        """Return whether `unit` began with a reply of the same message as `record`."""
        first = self.tree.records[self.units.members[unit][0]]
        return (
            first.message_id == record.message_id
            and first.request_id == record.request_id
            and first.kind is _REPLY
            and not first.is_synthetic
        )

    def _join(self, position: int, unit: int) -> None:
        self.units.of[position] = unit
        self.units.members[unit].append(position)

    def _begin(self, position: int, above: int, kind: TurnKind) -> None:
        units = self.units
        units.of[position] = len(units.kinds)
        units.kinds.append(kind)
        units.parents.append(above)
        units.members.append([position])


class _Responses(Struct):
    """Answers where notes belong: which response of a turn was the last so far.

    Looks at the units, which may grow between one question and the next, only when asked,
    each one once: most turns have no notes.
    """

    units: Units
    turn_of: list[int] = []
    """The unit that each unit's turn began with: all between are responses."""
    responses: dict[int, list[int]] = {}
    """Responses of a turn, in the order in which they were begun."""
    branched: set[int] = set()
    depths: list[int] = []
    jumps: list[int] = []

    def last_below(self, unit: int) -> int:
        """Return the last response so far, hanging from `unit` through responses alone."""
        self._look_at_new()
        turn = self.turn_of[unit]
        responses = self.responses.get(turn)
        if not responses:
            return unit
        if turn == unit or turn not in self.branched:
            return max(responses[-1], unit)
        self._measure_depths()
        for response in reversed(responses):
            if response <= unit:
                break
            if self._is_below(response, unit):
                return response
        return unit

    def _look_at_new(self) -> None:
        kinds, parents, turn_of = self.units.kinds, self.units.parents, self.turn_of
        for unit in range(len(turn_of), len(kinds)):
            above = parents[unit]
            turn = unit
            if above >= 0 and kinds[unit] is _T_RESPONSE:
                turn = turn_of[above]
                responses = self.responses.setdefault(turn, [])
                if responses and responses[-1] != above:
                    self.branched.add(turn)
                responses.append(unit)
            turn_of.append(turn)

    def _measure_depths(self) -> None:
        # Jump pointers (Myers, "An applicative random-access stack", 1983): an ancestor at
        # any depth in logarithmic time. Only turns with several branches of responses need
        # them.
        parents, depths, jumps = self.units.parents, self.depths, self.jumps
        for unit in range(len(depths), len(parents)):
            above = parents[unit]
            if above < 0:
                depths.append(0)
                jumps.append(unit)
                continue
            depths.append(depths[above] + 1)
            jump = jumps[above]
            far = jumps[jump]
            is_even = depths[above] - depths[jump] == depths[jump] - depths[far]
            jumps.append(far if is_even else above)

    def _is_below(self, unit: int, above: int) -> bool:
        depth = self.depths[above]
        while self.depths[unit] > depth:
            jump = self.jumps[unit]
            unit = jump if self.depths[jump] >= depth else self.units.parents[unit]
        return unit == above


def _complete(units: Units, *, is_in_order: bool) -> None:
    """Set what follows from members and parents of all `units`, in file order."""
    units.edges = [members[0] for members in units.members]
    if not is_in_order:
        for members in units.members:
            members.sort()
    children: list[Sequence[int]] = [()] * len(units)
    wide: dict[int, list[int]] = {}
    for unit, above in enumerate(units.parents):
        if above < 0:
            continue
        if not children[above]:
            children[above] = (unit,)
        else:
            wide.setdefault(above, [*children[above][:1]]).append(unit)
    for above, many in wide.items():
        if not is_in_order:
            many.sort(key=lambda unit: units.members[unit][0])
        children[above] = many
    units.children = children


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
