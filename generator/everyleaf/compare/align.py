"""Two sequences of steps, laid beside each other."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from everyleaf.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.compare.sketch import Step

MOST_ALIGNED = 400
"""Steps of each side that are matched up: the comparison takes quadratic time."""


@dataclass(frozen=True, slots=True)
class Row:
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
    """Return all steps of both sides, each side in its order.

    Steps about the same stand in one row. What the two begin and end with alike is set
    aside first; of the rest, the first `MOST_ALIGNED` of each side are matched up.
    """
    start = _common(left, right)
    tail = _common(left[start:][::-1], right[start:][::-1])
    return (
        *_matched(left[:start], right[:start]),
        *_aligned(left[start : len(left) - tail], right[start : len(right) - tail]),
        *_matched(left[len(left) - tail :], right[len(right) - tail :]),
    )


def _common(left: Sequence[Step], right: Sequence[Step]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one.signature != other.signature:
            break
        count += 1
    return count


def _matched(left: Sequence[Step], right: Sequence[Step]) -> Iterator[Row]:
    for one, other in zip(left, right, strict=True):
        yield Row(one, other, is_matched=True)


def _aligned(left: Sequence[Step], right: Sequence[Step]) -> Iterator[Row]:
    head, others = left[:MOST_ALIGNED], right[:MOST_ALIGNED]
    matcher = SequenceMatcher(
        None, [s.signature for s in head], [s.signature for s in others], autojunk=False
    )
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            yield from _matched(head[i1:i2], others[j1:j2])
        else:
            yield from _beside(head[i1:i2], others[j1:j2])
    yield from _beside(left[MOST_ALIGNED:], right[MOST_ALIGNED:])


def _beside(left: Sequence[Step], right: Sequence[Step]) -> Iterator[Row]:
    for one, other in zip_longest(left, right):
        yield Row(one, other)
