"""Records contracted into turns: tool calls and hooks fork nothing (`paths.md` §4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from everyleaf.graph.forest import TurnKind
from everyleaf.model import Kind

if TYPE_CHECKING:
    from everyleaf.graph.trees import Tree

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_REPLY = Kind.REPLY
_PROMPT = Kind.PROMPT
_BOUNDARY = Kind.BOUNDARY
_RESULT = Kind.RESULT
_SUMMARY = Kind.SUMMARY
_ECHO = Kind.ECHO
_NOTE = Kind.NOTE
_T_RESPONSE = TurnKind.RESPONSE
_T_BOUNDARY = TurnKind.BOUNDARY

_ROOT = -1


@dataclass(slots=True, eq=False)
class Units:
    """The turns of a tree, by number; a parent's number is lower than its children's."""

    of: list[int]
    """Record position → unit."""
    kinds: list[TurnKind] = field(default_factory=list[TurnKind])
    parents: list[int] = field(default_factory=list[int])
    """Unit number of the parent, or -1."""
    members: list[list[int]] = field(default_factory=list[list[int]])
    """Record positions, in file order."""
    children: list[list[int]] = field(default_factory=list[list[int]])
    """Unit numbers, first-written first."""
    edges: list[int] = field(default_factory=list[int])
    """The record through which each unit hangs from its parent."""

    def __len__(self) -> int:
        return len(self.kinds)


def decide_echoes(tree: Tree) -> None:
    """Set `tree.kinds`: an echo is a prompt if a reply hangs from it, maybe through notes.

    A reply that the CLI made itself does not count. Linear: no note is climbed twice.
    """
    kinds = [record.kind for record in tree.records]
    parents = tree.parents
    if _ECHO in kinds:
        climbed: set[int] = set()
        for position, record in enumerate(tree.records):
            if record.kind is not _REPLY or record.is_synthetic:
                continue
            at = parents[position]
            while at >= 0 and at not in climbed:
                if kinds[at] is _ECHO:
                    kinds[at] = _PROMPT
                    break
                if kinds[at] is not _NOTE:
                    break
                climbed.add(at)
                at = parents[at]
        kinds = [_NOTE if kind is _ECHO else kind for kind in kinds]
    tree.kinds = kinds


def contract(tree: Tree, *, is_strict: bool = False) -> None:
    """Set `tree.units` from `tree.parents`; with `is_strict` every record is a unit.

    Records are placed in file order, but never before their parent. Near-linear.
    """
    decide_echoes(tree)
    _Contraction(tree, is_strict=is_strict).run()


class _Contraction:
    def __init__(self, tree: Tree, *, is_strict: bool) -> None:
        self.tree = tree
        self.is_strict = is_strict
        self.units = Units(of=[_ROOT] * len(tree.records))
        self.turn_of: list[int] = []
        """The unit that each unit's turn began with: all between are responses."""
        self.turn_responses: dict[int, list[int]] = {}
        """Responses of a turn, in the order in which they were begun."""
        self.branched_turns: set[int] = set()
        self.depths: list[int] = []
        self.jumps: list[int] = []
        self.messages: dict[tuple[int, str, str | None], int] = {}
        """(parent unit, message id, request id) → the response."""
        self.message_of: dict[int, tuple[str, str | None]] = {}
        """Response → its message; roots of one message have no parent to tell them by."""

    def run(self) -> None:
        tree, unit_of = self.tree, self.units.of
        parents = tree.parents
        waiting: list[int] = []
        for position in range(len(parents)):
            at = position
            while at >= 0 and unit_of[at] < 0:
                waiting.append(at)
                at = parents[at]
            while waiting:
                self._place(waiting.pop())
        if any(parent > position for position, parent in enumerate(parents)):
            self._sort_members()
        tree.units = self.units

    def _place(self, position: int) -> None:
        parent = self.tree.parents[position]
        above = self.units.of[parent] if parent >= 0 else _ROOT
        if self.is_strict:
            self._begin(position, above, _KINDS[self.tree.kinds[position]])
            return
        kind = self.tree.kinds[position]
        if kind is _REPLY:
            self._place_reply(position, above)
        elif above < 0 or kind is _PROMPT or kind is _BOUNDARY:
            self._begin(position, above, _KINDS[kind])
        elif kind is _RESULT:
            self._join(position, above)
        elif kind is not _SUMMARY:
            self._join(position, self._last_response(above))
        elif self.units.kinds[above] is _T_BOUNDARY:
            self._join(position, above)
        else:
            self._begin(position, above, _T_BOUNDARY)

    def _place_reply(self, position: int, above: int) -> None:
        record = self.tree.records[position]
        if record.is_synthetic:
            if above >= 0:
                above = self._last_response(above)
            self._begin(position, above, _T_RESPONSE)
            return
        if record.message_id is None:
            self._begin(position, above, _T_RESPONSE)
            return
        message = (record.message_id, record.request_id)
        unit = None
        if above >= 0:
            is_part = self.message_of.get(above) == message
            unit = above if is_part else self.messages.get((above, *message))
        if unit is not None:
            self._join(position, unit)
            return
        unit = self._begin(position, above, _T_RESPONSE)
        self.messages[above, *message] = unit
        self.message_of[unit] = message

    def _join(self, position: int, unit: int) -> None:
        self.units.of[position] = unit
        self.units.members[unit].append(position)

    def _begin(self, position: int, above: int, kind: TurnKind) -> int:
        units = self.units
        unit = len(units)
        units.of[position] = unit
        units.kinds.append(kind)
        units.parents.append(above)
        units.members.append([position])
        units.children.append([])
        units.edges.append(position)
        turn = unit
        if above >= 0:
            if kind is _T_RESPONSE:
                turn = self.turn_of[above]
                responses = self.turn_responses.setdefault(turn, [])
                if responses and responses[-1] != above:
                    self.branched_turns.add(turn)
                responses.append(unit)
            units.children[above].append(unit)
        self.turn_of.append(turn)
        return unit

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

    def _last_response(self, unit: int) -> int:
        """Return the last response so far, hanging from `unit` through responses alone."""
        turn = self.turn_of[unit]
        responses = self.turn_responses.get(turn)
        if not responses:
            return unit
        if turn == unit or turn not in self.branched_turns:
            return max(responses[-1], unit)
        self._measure_depths()
        for response in reversed(responses):
            if response <= unit:
                break
            if self._is_below(response, unit):
                return response
        return unit

    def _sort_members(self) -> None:
        """Restore file order where a child was written before its parent."""
        for members in self.units.members:
            members.sort()
        first = [members[0] for members in self.units.members]
        for children in self.units.children:
            children.sort(key=first.__getitem__)


_KINDS = {
    Kind.PROMPT: TurnKind.PROMPT,
    Kind.STEERING: TurnKind.PROMPT,
    Kind.REPLY: TurnKind.RESPONSE,
    Kind.RESULT: TurnKind.RESPONSE,
    Kind.BOUNDARY: TurnKind.BOUNDARY,
    Kind.SUMMARY: TurnKind.BOUNDARY,
    Kind.NOTE: TurnKind.NOTES,
    Kind.ECHO: TurnKind.NOTES,
}
