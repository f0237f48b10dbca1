"""ACTIVE and ABANDONED, each with its reason (`paths.md` §6)."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.atlas import NONE, Atlas
from everyleaf.graph.forest import TurnKind
from everyleaf.model import Kind, MarkerKind

if TYPE_CHECKING:
    from everyleaf.graph.trees import Tree
    from everyleaf.model import Marker

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT = Kind.PROMPT
_REPLY = Kind.REPLY
_T_RESPONSE = TurnKind.RESPONSE


class Verdict(Struct, frozen=True):
    """What became of a leaf."""

    reason: str
    active_leaf: int
    """gid of the ACTIVE leaf that took over; the leaf itself where it is ACTIVE."""
    joint: int
    """gid of the last unit shared with that leaf, or -1."""
    is_active: bool = False


class _Pointer(Struct, frozen=True):
    """An explicit word on which record a resume shows."""

    place: tuple[int, int]
    marker: Marker
    position: int | None
    """Of the record that is named; None: the conversation was emptied."""


def judge(atlas: Atlas, number: int, leaves: list[int]) -> dict[int, Verdict]:
    """Return a verdict for each of `leaves`, gids of those of tree `number`. Linear."""
    return _Judge(atlas, number).run(leaves)


class _Judge:
    def __init__(self, atlas: Atlas, number: int) -> None:
        self.atlas = atlas
        self.tree: Tree = atlas.trees[number]
        self.start = atlas.starts[number]
        self.last_said = [NONE] * len(self.tree.units)
        """Position of the last prompt or reply at or below each unit."""
        self.last_any = [NONE] * len(self.tree.units)
        """Position of the last conversation record there."""
        self.is_answered = bytearray(len(self.tree.units))
        """Whether a reply or a result stands at or below each unit."""
        self._find_last()
        self.last_of_all = max(self.last_said, default=NONE)

    def run(self, leaves: list[int]) -> dict[int, Verdict]:
        groups: dict[int, list[int]] = {}
        for leaf in leaves:
            groups.setdefault(self.atlas.top(leaf), []).append(leaf)
        pointers = _find_pointers(self.tree)
        pointer = self._live_pointer(pointers)
        verdicts: dict[int, Verdict] = {}
        following: list[int] = []
        taker = NONE
        for members in reversed(groups.values()):
            left = self._left_for_next(members, following, pointers) if following else ""
            if left:
                verdicts |= {leaf: Verdict(left, taker, NONE) for leaf in members}
            else:
                taker, why = self._active(members, pointer)
                verdicts |= self._judge_group(members, taker, why)
            following = members
        return verdicts

    def _find_last(self) -> None:
        tree, units = self.tree, self.tree.units
        last_said, last_any, is_answered = self.last_said, self.last_any, self.is_answered
        for at, (kind, unit) in enumerate(zip(tree.kinds, units.of, strict=True)):
            if kind is _PROMPT or kind is _REPLY:
                last_said[unit] = last_any[unit] = at
            elif tree.is_conversation[at]:
                last_any[unit] = at
        for unit in range(len(units) - 1, -1, -1):
            if units.kinds[unit] is _T_RESPONSE:
                is_answered[unit] = 1
            above = units.parents[unit]
            if above < 0:
                continue
            last_said[above] = max(last_said[above], last_said[unit])
            last_any[above] = max(last_any[above], last_any[unit])
            is_answered[above] |= is_answered[unit]

    def _rank(self, unit: int) -> tuple[int, int]:
        return (self.last_said[unit], self.last_any[unit])

    def _follow(self, unit: int) -> int:
        """Return the leaf that the last-written prompts and replies lead to."""
        children = self.tree.units.children
        while below := children[unit]:
            unit = below[0] if len(below) == 1 else max(below, key=self._rank)
        return unit

    def _active(self, members: list[int], pointer: _Pointer | None) -> tuple[int, str]:
        """Return the ACTIVE leaf (gid) of a group of leaves with one root, and why."""
        if pointer is not None and pointer.position is not None:
            unit = self.tree.units.of[pointer.position]
            leaf = self.start + self._follow(unit)
            if leaf in set(members):
                return leaf, f"named by leafUuid in line {pointer.marker.line}"
        roots = {self.atlas.roots[leaf] - self.start for leaf in members}
        leaf = self._follow(max(roots, key=self._rank))
        if len(members) == 1:
            return self.start + leaf, "the only path"
        return (
            self.start + leaf,
            f"later branch at every fork, up to line {self._line(leaf)}",
        )

    def _line(self, leaf: int) -> int:
        """Return the line of the last conversation record of a leaf, else of a note."""
        return self.tree.records[self._last(leaf)].line

    def _last(self, leaf: int) -> int:
        return max(self.last_any[leaf], self.tree.units.members[leaf][0])

    def _live_pointer(self, pointers: list[_Pointer]) -> _Pointer | None:
        """Return the last pointer, unless a prompt or reply was written after it."""
        named = [pointer for pointer in pointers if pointer.position is not None]
        if not named:
            return None
        last = max(named, key=lambda pointer: pointer.place)
        for position in range(len(self.tree.records) - 1, -1, -1):
            if self.tree.kinds[position] in (_PROMPT, _REPLY):
                return None if self.tree.place(position) > last.place else last
        return last

    def _left_for_next(
        self, members: list[int], following: list[int], pointers: list[_Pointer]
    ) -> str:
        """Return why the root of `members` was left for the next one, or an empty text."""
        tree, units = self.tree, self.tree.units
        start_root = self.atlas.roots[members[0]]
        root = start_root - self.start
        next_root = self.atlas.roots[following[0]] - self.start
        begin, end = (tree.place(units.members[unit][0]) for unit in (root, next_root))
        for pointer in pointers:
            if pointer.position is None and begin < pointer.place < end:
                return f"rewound to before the first prompt in line {pointer.marker.line}"
        is_prompt = units.kinds[root] is TurnKind.PROMPT
        if (
            is_prompt
            and not self.is_answered[root]
            and start_root not in self.atlas.foreign
        ):
            return f"withdrawn without a reply; begun again in line {end[1]}"
        return ""

    def _judge_group(self, members: list[int], active: int, why: str) -> dict[int, Verdict]:
        atlas = self.atlas
        verdicts = {active: Verdict(why, active, active, is_active=True)}
        on_active = set(atlas.up(active)) if len(members) > 1 else set[int]()
        said = self._said_on(on_active)
        joints: dict[int, int] = {}
        for leaf in members:
            if leaf == active:
                continue
            trail: list[int] = []
            at = leaf
            while at != NONE and at not in on_active and at not in joints:
                trail.append(at)
                at = atlas.parents[at]
            joint = joints.get(at, at)
            joints.update(dict.fromkeys(trail, joint))
            verdicts[leaf] = Verdict(self._why_left(leaf, said, why), active, joint)
        return verdicts

    def _why_left(self, leaf: int, said: list[int], why: str) -> str:
        """Return why `leaf` was left for a path whose prompts and replies are `said`.

        Named is where that path went on, not how far it has come: the words stay the same
        while the conversation grows.
        """
        if why.startswith("named"):
            return f"another branch is {why}"
        over = self._last(leaf - self.start)
        at = bisect_right(said, over)
        later = said[at] if at < len(said) else max(self.last_of_all, 0)
        records = self.tree.records
        lines = f"line {records[later].line} over {records[over].line}"
        return f"later branch at the fork, {lines}"

    def _said_on(self, chain: set[int]) -> list[int]:
        """Return the positions of the prompts and replies in the own units of `chain`."""
        tree = self.tree
        units = range(self.start, self.start + len(tree.units))
        members = (at for gid in chain if gid in units for at in self.atlas.members(gid))
        return sorted(at for at in members if tree.kinds[at] in (_PROMPT, _REPLY))


def _find_pointers(tree: Tree) -> list[_Pointer]:
    pointers: list[_Pointer] = []
    for number, file in enumerate(tree.files):
        for marker in file.markers:
            named = tree.index.get(marker.leaf_uuid) if marker.leaf_uuid else None
            if marker.kind is MarkerKind.LAST_PROMPT and marker.is_explicit:
                if named is not None or marker.leaf_uuid is None:
                    pointers.append(_Pointer((number, marker.line), marker, named))
            elif marker.kind is MarkerKind.SUMMARY and named is not None:
                pointers.append(_Pointer((number, marker.line), marker, named))
    return pointers
