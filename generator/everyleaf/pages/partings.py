"""Where the paths of a family part, found from their ends: no path is followed twice.

A session with a thousand attempts has a thousand compare pages, each against the path that
took over. Held against all that came after the fork, they would take the number of attempts
times the length of the session; so with much to compare, each looks at what came next.
"""

from __future__ import annotations

from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.files import SEARCHED_RECORDS
from everyleaf.compare.split import Attempt, ForkSplit, conversation_ids, part_ways
from everyleaf.graph.forest import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.forest import ConversationPath, PathRef, Turn
    from everyleaf.pages.pairs import Pair
    from everyleaf.pages.work import TurnKey, TurnTree

COMPARED_BUDGET = 50_000
"""Messages after their forks that the compare pages of a family look at, all together."""
REACH = 200
"""Messages of each side that a page looks at where all would be more than the budget."""
KNOWN_LINES = 2
"""Paths that are remembered turn by turn: that which took over stays for many pages."""


class _Line(Struct, frozen=True):
    """A path, turn by turn."""

    keys: Sequence[TurnKey]
    places: Mapping[TurnKey, int]
    messages: Sequence[int]
    """Conversation records up to and with each turn."""


def find_reach(
    paths: Mapping[PathRef, ConversationPath], pairs: Iterable[Pair]
) -> int | None:
    """Return how many messages of each side a page looks at; None: all of them."""
    looked_at = sum(_own_messages(paths[one], paths[other]) for one, other in pairs)
    return REACH if looked_at > COMPARED_BUDGET else None


def _own_messages(one: ConversationPath, other: ConversationPath) -> int:
    """Return about how many messages after the fork the two have, together."""
    if one.is_withdrawn or other.is_withdrawn:
        return 0  # Of these, the prompts alone are compared.
    shared = next((path.shared for path in (one, other) if _left_the_other(path)), 0)
    if not shared:
        copies = (each.shared for each in one.diverged if each.path == other.ref)
        shared = next(copies, 0)
    return max(one.messages + other.messages - 2 * shared, 0)


def _left_the_other(path: ConversationPath) -> bool:
    return path.status is Status.ABANDONED and path.taken_over_by is not None


class Partings:
    """Cuts the paths of a tree where they part."""

    def __init__(
        self,
        tree: TurnTree,
        leaves: Mapping[PathRef, TurnKey],
        compared: Mapping[PathRef, Sequence[PathRef]],
        reach: int | None,
    ) -> None:
        """Take the last turn of each path, and all that it is `compared` with.

        Of each side, `reach` messages are looked at (None: all), and what their last turn
        has beyond that.
        """
        self._tree = tree
        self._leaves = leaves
        self._compared = compared
        self._reach = reach
        self._lines: dict[PathRef, _Line] = {}

    def part(self, left: PathRef, right: PathRef) -> ForkSplit:
        """Return two paths, cut after the last turn that both have.

        Cost: that of the turns that one of them has alone, and of those that are handed
        on; a path of which it does not know the turns yet is followed once.
        """
        # The one with more opponents is asked for again.
        is_left_known = len(self._compared[left]) > len(self._compared[right])
        known, other = (left, right) if is_left_known else (right, left)
        line = self._line(known)
        own = list(self._climb(self._leaves[other], line))[::-1]
        above = self._tree.parents[own[0]] if own else self._leaves[other]
        if above is None:
            parting = part_ways(self._turns(line.keys), self._turns(own))
            parting = self._cut(parting)
        else:
            parting = self._below(line, line.places[above] + 1, own)
        return parting if is_left_known else _turned(parting)

    def _climb(self, leaf: TurnKey, line: _Line) -> Iterator[TurnKey]:
        """Yield the turns from `leaf` up to those that `line` has, too."""
        key: TurnKey | None = leaf
        while key is not None and key not in line.places:
            yield key
            key = self._tree.parents[key]

    def _below(self, line: _Line, at: int, own: Sequence[TurnKey]) -> ForkSplit:
        """Return what `line` has from `at` on, and what stands below the turn before."""
        before = self._turns(self._last(line.keys, at))
        rest = part_ways(
            self._turns(self._first(line.keys, at)), self._turns(self._first(own, 0))
        )
        # Copies of a turn beside each other count as shared, as they do everywhere.
        twins = len(rest.left.shared)
        here, there = rest.left.own, rest.right.own
        ahead = line.messages[-1] - line.messages[at + twins - 1]
        length = sum(_messages(self._tree.turns[key]) for key in own[twins:])
        return ForkSplit(
            Attempt((*before, *rest.left.shared), here, ahead - _spoken(here)),
            Attempt((*before, *rest.right.shared), there, length - _spoken(there)),
            line.messages[at - 1] + rest.messages,
            rest.split,
        )

    def _cut(self, parting: ForkSplit) -> ForkSplit:
        left, right = (self._cut_side(side) for side in (parting.left, parting.right))
        return ForkSplit(left, right, parting.messages, parting.split)

    def _cut_side(self, side: Attempt) -> Attempt:
        if self._reach is None:
            return side
        own = tuple(_begin(side.own, self._reach))
        return Attempt(side.shared, own, _spoken(side.own[len(own) :]))

    def _first(self, keys: Sequence[TurnKey], at: int) -> list[TurnKey]:
        """Return as many of `keys` from `at` on as are looked at."""
        if self._reach is None:
            return list(keys[at:])
        ahead = (self._tree.turns[keys[place]] for place in range(at, len(keys)))
        return list(keys[at : at + sum(1 for _ in _begin(ahead, self._reach))])

    def _last(self, keys: Sequence[TurnKey], end: int) -> list[TurnKey]:
        """Return the first of `keys`, and those before `end` that hold enough records."""
        back = (_messages(self._tree.turns[keys[at]]) for at in range(end - 1, -1, -1))
        wanted = SEARCHED_RECORDS if self._reach is None else self._reach
        count = sum(1 for _ in takewhile(lambda total: total < wanted, accumulate(back)))
        start = max(end - count - 1, 0)
        return [*keys[: min(start, 1)], *keys[start:end]]

    def _line(self, ref: PathRef) -> _Line:
        if ref not in self._lines:
            if len(self._lines) == KNOWN_LINES:
                del self._lines[next(iter(self._lines))]
            keys = self._tree.chain(self._leaves[ref])
            counts = (_messages(self._tree.turns[key]) for key in keys)
            places = {key: at for at, key in enumerate(keys)}
            self._lines[ref] = _Line(keys, places, list(accumulate(counts)))
        return self._lines[ref]

    def _turns(self, keys: Iterable[TurnKey]) -> list[Turn]:
        return [self._tree.turns[key] for key in keys]


def _begin(turns: Iterable[Turn], reach: int) -> Iterator[Turn]:
    """Yield turns until they hold `reach` messages."""
    spoken = 0
    for turn in turns:
        if spoken >= reach:
            return
        yield turn
        spoken += _messages(turn)


def _messages(turn: Turn) -> int:
    return len(conversation_ids(turn))


def _spoken(turns: Iterable[Turn]) -> int:
    return sum(map(_messages, turns))


def _turned(parting: ForkSplit) -> ForkSplit:
    return ForkSplit(parting.right, parting.left, parting.messages, parting.split)
