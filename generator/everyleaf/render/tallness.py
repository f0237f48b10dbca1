"""About how tall a turn is on a page, before a browser knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from everyleaf.render.diffs import MAX_LINES, count_lines
from everyleaf.render.entries import WHOLE_LINES
from everyleaf.transcript.document import (
    Checklist,
    Code,
    Compaction,
    Diff,
    Fold,
    Notice,
    Outcome,
    Picture,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Table,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.transcript.document import AnyEntry, Part

_LINE_CHARS = 105
_PROSE, _CODE, _ROW = 1.65, 1.25, 2.2
"""Heights of a line, in rem."""
_CUT_LINES = 34
"""What is shown of a long text."""
_LONG = 24.0
"""Rem of a prompt or a reply; the theme shows 16 of what is longer."""


def tallness(entries: Iterable[AnyEntry], *, is_unfolded: bool = False) -> int:
    """Return how many rem `entries` take: as they are at first, or with all unfolded."""
    return round(sum(_entry(entry, is_unfolded=is_unfolded) for entry in entries))


def is_long(entry: AnyEntry) -> bool:
    """Return whether `entry` is words that take more room than a digest gives them."""
    return isinstance(entry, Prompt | Reply) and _entry(entry) > _LONG


def _entry(entry: AnyEntry, *, is_unfolded: bool = False) -> float:  # noqa: PLR0911  (one a kind)
    match entry:
        case Prompt():
            return 6.5 + _parts(entry.parts, is_unfolded=is_unfolded)
        case Reply():
            return 2.8 + _parts(entry.parts, is_unfolded=is_unfolded)
        case ToolCall():
            is_open = entry.is_personal or entry.outcome in {Outcome.ERROR, Outcome.DENIED}
            body = 3.2 + _parts((*entry.asked, *entry.answered), is_unfolded=is_unfolded)
            return 2.4 + body * (is_open or is_unfolded)
        case Thinking():
            body = _part(Prose(entry.text), is_unfolded=True) * is_unfolded
            return 2.4 + body if entry.text.strip() else 0
        case Compaction():
            return 9 + _parts(entry.summary, is_unfolded=is_unfolded) * is_unfolded
        case Notice():
            return 2.2 + _parts(entry.parts, is_unfolded=is_unfolded) * is_unfolded
        case Rewritten():
            inner = sum(_entry(one, is_unfolded=True) for one in entry.entries)
            return 2.4 + inner * is_unfolded
        case _ as never:
            assert_never(never)


def _parts(parts: Iterable[Part], *, is_unfolded: bool) -> float:
    return sum(_part(part, is_unfolded=is_unfolded) for part in parts)


def _part(part: Part, *, is_unfolded: bool) -> float:  # noqa: PLR0911  (one a kind)
    match part:
        case Prose():
            texts = part.text.splitlines()
            return _PROSE * sum(
                1 + len(text) // _LINE_CHARS if text else 0.45 for text in texts
            )
        case Code():
            lines = part.text.count("\n") + 1
            return 2.4 + _CODE * (lines if lines <= WHOLE_LINES else _CUT_LINES)
        case Diff():
            return 3.6 + _CODE * min(count_lines(part), MAX_LINES)
        case Table():
            return _ROW * (len(part.rows) + bool(part.head))
        case Checklist():
            return _ROW * len(part.items)
        case Picture():
            return 20
        case Fold():
            is_open = part.is_open or is_unfolded
            return 2 + _parts(part.parts, is_unfolded=is_unfolded) * is_open
        case _:
            return 2
