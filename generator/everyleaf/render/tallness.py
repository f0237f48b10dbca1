"""About how tall a turn is on a page, before a browser knows."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, assert_never

from everyleaf.render.entries import WHOLE_LINES
from everyleaf.transcript.document import (
    Checklist,
    Code,
    Compaction,
    Diff,
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

STEPS = 15
"""Heights that the theme knows: `t0` is 2 rem, each next one 1.45 times the one before."""
_STEP, _LEAST = 1.45, 2.0
_LINE_CHARS = 90
_PROSE, _CODE, _ROW = 1.65, 1.4, 2.2
"""Heights of a line, in rem."""
_CUT_LINES = 34
"""What is shown of a long text."""


def tallness(entries: Iterable[AnyEntry]) -> int:
    """Return which of the theme's heights is nearest to what `entries` take."""
    tall = sum(map(_entry, entries))
    return min(STEPS - 1, max(0, round(log(max(tall, _LEAST) / _LEAST, _STEP))))


def _entry(entry: AnyEntry) -> float:  # noqa: PLR0911  (one a kind)
    match entry:
        case Prompt():
            return 6.5 + _parts(entry.parts)
        case Reply():
            return 2.8 + _parts(entry.parts)
        case ToolCall():
            is_open = entry.is_personal or entry.outcome in {Outcome.ERROR, Outcome.DENIED}
            body = 2 + _parts((*entry.asked, *entry.answered)) if is_open else 0
            return 2.4 + body
        case Thinking():
            return 2.4 if entry.text.strip() else 0
        case Compaction():
            return 9
        case Notice():
            return 2.2
        case Rewritten():
            return 2.4
        case _ as never:
            assert_never(never)


def _parts(parts: Iterable[Part]) -> float:
    return sum(map(_part, parts))


def _part(part: Part) -> float:  # noqa: PLR0911  (one a kind)
    match part:
        case Prose():
            texts = part.text.splitlines()
            return _PROSE * sum(0.6 + len(text) // _LINE_CHARS for text in texts)
        case Code():
            lines = part.text.count("\n") + 1
            return 1.8 + _CODE * (lines if lines <= WHOLE_LINES else _CUT_LINES)
        case Diff():
            return 3 + _CODE * min(sum(len(hunk.lines) for hunk in part.hunks), WHOLE_LINES)
        case Table():
            return _ROW * (len(part.rows) + bool(part.head))
        case Checklist():
            return _ROW * len(part.items)
        case Picture():
            return 20
        case _:
            return 2
