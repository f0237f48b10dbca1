"""Records contracted into turns: tool calls and hooks fork nothing (`paths.md` §4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.graph.cycles import is_in_order
from everyleaf.graph.forest import TurnKind
from everyleaf.graph.responses import Turns
from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.graph.trees import Tree
    from everyleaf.model import Envelope

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_REPLY = Kind.REPLY
_PROMPT = Kind.PROMPT
_BOUNDARY = Kind.BOUNDARY
_RESULT = Kind.RESULT
_SUMMARY = Kind.SUMMARY
_ECHO = Kind.ECHO
_NOTE = Kind.NOTE
_AS_NOTES = frozenset({Kind.ECHO, Kind.INJECTED})
_T_RESPONSE = TurnKind.RESPONSE
_T_BOUNDARY = TurnKind.BOUNDARY

_ROOT = -1


class Units(Struct, eq=False):
    """The turns of a tree, by number; a parent's number is lower than its children's."""

    of: list[int]
    """Record position → unit."""
    kinds: list[TurnKind] = field(default_factory=list[TurnKind])
    parents: list[int] = field(default_factory=list[int])
    """Unit number of the parent, or -1."""
    members: list[list[int]] = field(default_factory=list[list[int]])
    """Record positions, in file order."""
    children: list[Sequence[int]] = field(default_factory=list["Sequence[int]"])
    """Unit numbers, first-written first."""
    edges: list[int] = field(default_factory=list[int])
    """The record through which each unit hangs from its parent."""

    def __len__(self) -> int:
        return len(self.kinds)


def decide_echoes(tree: Tree) -> None:
    """Set `tree.kinds`: an echo is a prompt if a reply hangs from it, maybe through notes.

    A reply that the CLI made itself does not count, nor one that answers an injected note.
    Linear: no note is climbed twice. Echoes and injected notes are notes from here on.
    """
    kinds = [record.kind for record in tree.records]
    if _ECHO in kinds:
        _find_prompts(tree, kinds)
    tree.kinds = [_NOTE if kind in _AS_NOTES else kind for kind in kinds]
    tree.is_conversation = bytes(map(CONVERSATION.__contains__, tree.kinds))


def _find_prompts(tree: Tree, kinds: list[Kind]) -> None:
    parents = tree.parents
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
        self.first_replies: dict[int, int] = {}
        """Unit → the first response that hangs from it and names its message."""
        self.messages: dict[tuple[int, str, str | None], int] = {}
        """(unit, message id, request id) → a later response that hangs from it."""
        self.turns = Turns(self.units)

    def run(self) -> None:
        tree, unit_of = self.tree, self.units.of
        parents = tree.parents
        is_ordered = is_in_order(parents)
        if is_ordered:
            for position in range(len(parents)):
                self._place(position)
        else:
            waiting: list[int] = []
            for position in range(len(parents)):
                at = position
                while at >= 0 and unit_of[at] < 0:
                    waiting.append(at)
                    at = parents[at]
                while waiting:
                    self._place(waiting.pop())
        _complete(self.units, is_ordered=is_ordered)
        tree.units = self.units

    def _place(self, position: int) -> None:
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
            self._join(position, self.turns.last_response(above))
        elif self.units.kinds[above] is _T_BOUNDARY:
            self._join(position, above)
        else:
            self._begin(position, above, _T_BOUNDARY)

    def _place_reply(self, position: int, above: int) -> None:
        record = self.tree.records[position]
        if record.is_synthetic:
            if above >= 0:
                above = self.turns.last_response(above)
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


def _complete(units: Units, *, is_ordered: bool) -> None:
    """Set what follows from the members and parents of all `units`.

    Restores file order where a child was written before its parent.
    """
    units.edges = [members[0] for members in units.members]
    if not is_ordered:
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
        if not is_ordered:
            many.sort(key=lambda unit: units.members[unit][0])
        children[above] = many
    units.children = children


_KINDS = {
    Kind.PROMPT: TurnKind.PROMPT,
    Kind.STEERING: TurnKind.PROMPT,
    Kind.REPLY: TurnKind.RESPONSE,
    Kind.RESULT: TurnKind.RESPONSE,
    Kind.BOUNDARY: TurnKind.BOUNDARY,
    Kind.SUMMARY: TurnKind.BOUNDARY,
    Kind.NOTE: TurnKind.NOTES,
}
