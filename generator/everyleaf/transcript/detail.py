"""Shorter views of a turn: the talk alone, or the person's words alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from everyleaf.config import Detail
from everyleaf.transcript.document import (
    Code,
    Compaction,
    Fold,
    Notice,
    NoticeKind,
    Prompt,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from everyleaf.transcript.document import AnyEntry, Part, TurnDocument

_TALK_NOTICES = frozenset({NoticeKind.INTERRUPT, NoticeKind.MESSAGE, NoticeKind.LINK})
"""Notices that are a part of what was said or of what came of it."""


def shorten(document: TurnDocument, detail: Detail) -> TurnDocument:
    """Return `document` with the entries that `detail` shows; its facts stay whole.

    Each entry that is left keeps its place, its uuids and its number.
    """
    if detail is Detail.FULL:
        return document
    shown = map(_talk if detail is Detail.TALK else _prompt, document.entries)
    return replace(document, entries=tuple(entry for entry in shown if entry is not None))


def _talk(entry: AnyEntry) -> AnyEntry | None:
    """Return what `entry` adds to the talk: tool calls and notices are one line each."""
    match entry:
        case Prompt() | Reply():
            return entry
        case Thinking():
            return None
        case ToolCall():
            return replace(entry, asked=(), answered=())
        case Compaction():
            return replace(entry, summary=())
        case Notice():
            is_talk = entry.is_trouble or entry.kind in _TALK_NOTICES
            return replace(entry, parts=()) if is_talk else None
        case Rewritten():
            inner = [_talk(each) for each in entry.entries]
            kept = tuple(each for each in inner if each is not None)
            return replace(entry, entries=kept) if kept else None
        case _ as never:
            assert_never(never)


def _prompt(entry: AnyEntry) -> AnyEntry | None:
    """Return the words of a person in `entry`, without what was folded beside them."""
    if isinstance(entry, Prompt):
        return replace(entry, parts=tuple(filter(_is_said, entry.parts)))
    if isinstance(entry, Rewritten):
        inner = [_prompt(each) for each in entry.entries]
        kept = tuple(each for each in inner if each is not None)
        return replace(entry, entries=kept) if kept else None
    return None


def _is_said(part: Part) -> bool:
    return not isinstance(part, Fold) and not (isinstance(part, Code) and part.is_terminal)
