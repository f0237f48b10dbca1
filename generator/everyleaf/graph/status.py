"""ACTIVE and ABANDONED, each with its reason (`paths.md` §6)."""

from __future__ import annotations

from bisect import bisect_right

from msgspec import Struct

from everyleaf.graph.forest import Status, TurnKind
from everyleaf.graph.trees import Tree
from everyleaf.graph.units import NONE, UnitIndex
from everyleaf.grouping import grouped
from everyleaf.model import Kind, MarkerKind

Place = tuple[int, int]
"""(Number of the file, line)."""

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _REPLY = Kind.PROMPT, Kind.REPLY
_T_RESPONSE = TurnKind.RESPONSE


class LeafVerdict(Struct, frozen=True):
    """Whether a leaf is ACTIVE, and why; if not, which one took over."""

    reason: str
    active_leaf: int
    """The ACTIVE leaf (unit id) that took over; the leaf itself where it is ACTIVE."""
    joint: int
    """The last unit shared with that leaf, or -1."""
    is_active: bool = False

    @property
    def status(self) -> Status:
        """Return the verdict in a word."""
        return Status.ACTIVE if self.is_active else Status.ABANDONED


def judge(units: UnitIndex, number: int, leaves: list[int]) -> dict[int, LeafVerdict]:
    """Return a verdict for each of `leaves`, leaves of tree `number`. Linear."""
    return _Judge(units, number).run(leaves)


class _Judge:
    def __init__(self, units: UnitIndex, number: int) -> None:
        self.units = units
        self.tree: Tree = units.trees[number]
        self.start = units.starts[number]
        size = len(self.tree.units)
        self.last_said = [NONE] * size
        """Position of the last prompt or reply at or below each unit."""
        self.last_any = [NONE] * size
        """Position of the last conversation record there."""
        self.is_answered = bytearray(size)
        """Whether a reply or a result stands at or below each unit."""
        self._look_below()
        self.last_of_all = max(self.last_said, default=NONE)
        self.named: list[tuple[Place, int]] = []
        """Explicit words on which record a resume shows: (where they stand, position)."""
        self.emptied: list[Place] = []
        """Explicit words that the conversation was emptied."""
        self._find_pointers()

    def _look_below(self) -> None:
        tree, own = self.tree, self.tree.units
        last_said, last_any, is_answered = self.last_said, self.last_any, self.is_answered
        for at, (kind, unit) in enumerate(zip(tree.kinds, own.of, strict=True)):
            if kind is _PROMPT or kind is _REPLY:
                last_said[unit] = last_any[unit] = at
            elif tree.is_conversation[at]:
                last_any[unit] = at
        for unit in range(len(own) - 1, -1, -1):
            if own.kinds[unit] is _T_RESPONSE:
                is_answered[unit] = 1
            above = own.parents[unit]
            if above < 0:
                continue
            last_said[above] = max(last_said[above], last_said[unit])
            last_any[above] = max(last_any[above], last_any[unit])
            is_answered[above] |= is_answered[unit]

    def _find_pointers(self) -> None:
        for number, file in enumerate(self.tree.files):
            for marker in file.markers:
                place = (number, marker.line)
                is_pointer = marker.kind is MarkerKind.LAST_PROMPT and marker.is_explicit
                if not (is_pointer or marker.kind is MarkerKind.SUMMARY):
                    continue
                if marker.leaf_uuid in self.tree.index:
                    self.named.append((place, self.tree.index[marker.leaf_uuid]))
                elif is_pointer and marker.leaf_uuid is None:
                    self.emptied.append(place)

    def run(self, leaves: list[int]) -> dict[int, LeafVerdict]:
        """Return the verdicts of `leaves`, those of the last root first."""
        groups = grouped((self.units.top(leaf), leaf) for leaf in leaves)
        verdicts: dict[int, LeafVerdict] = {}
        following: list[int] = []
        taker = NONE
        for members in reversed(groups.values()):
            why_left = self._why_left_for_next(members, following) if following else ""
            if why_left:
                verdicts |= {leaf: LeafVerdict(why_left, taker, NONE) for leaf in members}
            else:
                taker, why = self._active(members)
                verdicts |= self._judge_group(members, taker, why)
            following = members
        return verdicts

    def _why_left_for_next(self, members: list[int], following: list[int]) -> str:
        """Return why the root of `members` was left for the next one, or an empty text."""
        tree, own = self.tree, self.tree.units
        root_id = self.units.roots[members[0]]
        root, next_root = root_id - self.start, self.units.roots[following[0]] - self.start
        begin, end = (tree.place(own.members[unit][0]) for unit in (root, next_root))
        for place in self.emptied:
            if begin < place < end:
                return f"rewound to before the first prompt in line {place[1]}"
        is_open = own.kinds[root] is TurnKind.PROMPT and not self.is_answered[root]
        if is_open and root_id not in self.units.foreign:
            return f"withdrawn without a reply; begun again in line {end[1]}"
        return ""

    def _active(self, members: list[int]) -> tuple[int, str]:
        """Return the ACTIVE leaf (unit id) of a group of leaves with one root, and why."""
        place, named = max(self.named, key=lambda each: each[0], default=((0, 0), NONE))
        last = self.last_of_all
        # One that the conversation has outrun says nothing.
        if named != NONE and (last == NONE or self.tree.place(last) <= place):
            leaf = self.start + self._follow(self.tree.units.of[named])
            if leaf in set(members):
                return leaf, f"named by leafUuid in line {place[1]}"
        roots = {self.units.roots[leaf] - self.start for leaf in members}
        leaf = self._follow(max(roots, key=self._rank))
        if len(members) == 1:
            return self.start + leaf, "the only path"
        line = self.tree.records[self._last(leaf)].line
        return self.start + leaf, f"later branch at every fork, up to line {line}"

    def _rank(self, unit: int) -> tuple[int, int]:
        return (self.last_said[unit], self.last_any[unit])

    def _follow(self, unit: int) -> int:
        """Return the leaf that the last-written prompts and replies lead to."""
        children = self.tree.units.children
        while below := children[unit]:
            unit = below[0] if len(below) == 1 else max(below, key=self._rank)
        return unit

    def _last(self, leaf: int) -> int:
        """Return the position of the last conversation record of a leaf, else of a note."""
        return max(self.last_any[leaf], self.tree.units.members[leaf][0])

    def _judge_group(
        self, members: list[int], active: int, why: str
    ) -> dict[int, LeafVerdict]:
        parents = self.units.parents
        verdicts = {active: LeafVerdict(why, active, active, is_active=True)}
        on_active = set(self.units.up(active)) if len(members) > 1 else set[int]()
        tree, start = self.tree, self.start
        own = (at - start for at in on_active if start <= at < start + len(tree.units))
        records = (at for unit in own for at in tree.units.members[unit])
        said = sorted(at for at in records if tree.kinds[at] in (_PROMPT, _REPLY))
        joints: dict[int, int] = {}
        for leaf in members:
            if leaf == active:
                continue
            trail: list[int] = []
            at = leaf
            while at != NONE and at not in on_active and at not in joints:
                trail.append(at)
                at = parents[at]
            joint = joints.get(at, at)
            joints.update(dict.fromkeys(trail, joint))
            verdicts[leaf] = LeafVerdict(self._why_left(leaf, said, why), active, joint)
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
