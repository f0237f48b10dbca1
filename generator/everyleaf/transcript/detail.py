"""Shorter views of a turn: the talk alone, or the person's words alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from msgspec.structs import replace

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
    from collections.abc import Callable, Iterator, Sequence

    from everyleaf.transcript.document import AnyEntry, Part, TurnDocument

_TALK_NOTICES = frozenset({NoticeKind.INTERRUPT, NoticeKind.MESSAGE, NoticeKind.LINK})
"""Notices that are a part of what was said or of what came of it."""


def shorten(document: TurnDocument, detail: Detail) -> TurnDocument:
    """Return `document` with the entries that `detail` shows; its facts stay whole.

    Each entry that is left keeps its place, its uuids and its number. It also takes the
    uuids of what was left out before it, the last one of what was left out behind it: a
    link to a message that is not shown leads to where it would stand.
    """
    if detail is Detail.FULL:
        return document
    return select(document, _talk if detail is Detail.TALK else _prompt)


def select(
    document: TurnDocument, show: Callable[[AnyEntry], AnyEntry | None]
) -> TurnDocument:
    """Return `document` with what `show` returns for each entry; None leaves it out."""
    kept: list[AnyEntry] = []
    left_out: list[str] = []
    for entry in document.entries:
        shown = show(entry)
        if shown is None:
            left_out += uuids_of(entry)
        else:
            kept.append(_taking(shown, left_out))
            left_out = []
    if kept:
        kept[-1] = _taking(kept[-1], left_out)
    return replace(document, entries=tuple(kept))


def uuids_of(entry: AnyEntry) -> Iterator[str]:
    """Yield the uuids of all records that `entry` shows, its own first."""
    yield entry.uuid
    yield from entry.also
    if isinstance(entry, Rewritten):
        for inner in entry.entries:
            yield from uuids_of(inner)


def _taking(entry: AnyEntry, uuids: Sequence[str]) -> AnyEntry:
    return replace(entry, also=(*entry.also, *uuids)) if uuids else entry


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
