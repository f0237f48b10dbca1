"""Two sequences of steps, laid beside each other."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.transcript.diffs import pair_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.compare.sketch import Step


class Row(Struct, frozen=True):
    """Steps beside each other: the same thing, or what each side did instead."""

    left: Step | None
    right: Step | None
    is_matched: bool = False
    """Both are about the same, though they may have ended differently."""

    @property
    def is_same(self) -> bool:
        """Return whether both sides did the same, with the same ending."""
        left, right = self.left, self.right
        return left is not None and right is not None and left.is_same(right)


def align(left: Sequence[Step], right: Sequence[Step]) -> tuple[Row, ...]:
    """Return all steps of both sides, each side in its order; the same stand in one row."""
    pairs, _ = pair_up([s.signature for s in left], [s.signature for s in right])
    rows: list[Row] = []
    at = to = 0
    for one, other in (*pairs, (len(left), len(right))):
        rows += _beside(left[at:one], right[to:other])
        rows += map(_matched, left[one : one + 1], right[other : other + 1])
        at, to = one + 1, other + 1
    return tuple(rows)


def _matched(left: Step, right: Step) -> Row:
    return Row(left, right, is_matched=True)


def _beside(left: Sequence[Step], right: Sequence[Step]) -> Iterator[Row]:
    for one, other in zip_longest(left, right):
        yield Row(one, other)
