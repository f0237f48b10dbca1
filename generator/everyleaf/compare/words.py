"""The difference of two texts, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_COMPARED = 250_000
"""Words of one text times words of the other; above it nothing is marked."""
ALIKE = 0.3
"""Share of equal words below which two texts are two texts, and not one, edited."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


class Words(Struct, frozen=True):
    """A piece of a word diff; `sign` is `+`, `-` or a blank."""

    sign: str
    text: str


def diff_words(old: str, new: str) -> tuple[Words, ...]:
    """Return what turns `old` into `new`; nothing if they have too little in common.

    Joined, all pieces but the `+` ones are `old`, and all but the `-` ones are `new`.
    """
    if old == new:
        return (Words(" ", old),) if old else ()
    left, right = _WORDS.findall(old), _WORDS.findall(new)
    if len(left) * len(right) > MOST_COMPARED:
        return ()
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return tuple(_pieces(matcher, left, right)) if _is_alike(matcher, left, right) else ()


def _is_alike(matcher: SequenceMatcher[str], left: list[str], right: list[str]) -> bool:
    """Return whether the texts have enough words in common; blanks are no words."""
    spoken = sum(not word.isspace() for word in (*left, *right))
    equal = sum(
        not word.isspace()
        for start, _, size in matcher.get_matching_blocks()
        for word in left[start : start + size]
    )
    return 2 * equal > ALIKE * spoken


def _pieces(
    matcher: SequenceMatcher[str], left: list[str], right: list[str]
) -> Iterator[Words]:
    """Yield the pieces; blanks between two changes are a part of both."""
    old = new = ""
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        before, after = "".join(left[i1:i2]), "".join(right[j1:j2])
        if tag == "equal" and (before.strip() or not (old or new)):
            yield from _changed(old, new)
            yield Words(" ", before)
            old = new = ""
        else:
            old, new = old + before, new + after
    yield from _changed(old, new)


def _changed(old: str, new: str) -> Iterator[Words]:
    if old:
        yield Words("-", old)
    if new:
        yield Words("+", new)
