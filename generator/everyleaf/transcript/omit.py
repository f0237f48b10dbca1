"""Documents without what is not to be shown: shorter views, and what nobody may see."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.config import Detail, Left
from everyleaf.transcript.document import (
    Code,
    Compaction,
    Fold,
    Notice,
    NoticeKind,
    Picture,
    Prompt,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from everyleaf.transcript.document import AnyEntry, Parts, TurnDocument

_TALK_NOTICES = frozenset({NoticeKind.INTERRUPT, NoticeKind.MESSAGE, NoticeKind.LINK})
"""Notices that are a part of what was said or of what came of it."""
_HOLDING_PARTS = ("parts", "asked", "answered", "summary")
"""Fields of entries that hold what is drawn."""
_IN_DOCUMENTS = frozenset({Left.THINKING, Left.TOOLS, Left.IMAGES})


def shorten(document: TurnDocument, detail: Detail) -> TurnDocument:
    """Return `document` with the entries that `detail` shows; its facts stay whole.

    Each entry that is left keeps its place, its uuids and its number. It also takes the
    uuids of what was left out before it, the last one of what was left out behind it: a
    link to a message that is not shown leads to where it would stand.
    """
    if detail is Detail.FULL:
        return document
    return _select(document, _prompt if detail is Detail.PROMPTS else _talk)


def leave_out(document: TurnDocument, without: Collection[Left]) -> TurnDocument:
    """Return `document` without some kinds of entries and parts, facts included.

    Links to what is left out lead to where it would stand. Agents and abandoned paths are
    left out before documents are made.
    """
    if _IN_DOCUMENTS.isdisjoint(without):
        return document
    shown = _select(document, partial(_permitted, without=without))
    if Left.TOOLS not in without:
        return shown
    notices = (each for each in document.entries if isinstance(each, Notice))
    facts = replace(
        document.facts,
        tools=(),
        files=(),
        errors=0,
        agents=(),
        commits=tuple(commit for notice in notices for commit in notice.commits),
    )
    return replace(shown, facts=facts)


def uuids_of(entry: AnyEntry) -> Iterator[str]:
    """Yield the uuids of all records that `entry` shows, its own first."""
    yield entry.uuid
    yield from entry.also
    if isinstance(entry, Rewritten):
        for inner in entry.entries:
            yield from uuids_of(inner)


def _select(
    document: TurnDocument, show: Callable[[AnyEntry], AnyEntry | None]
) -> TurnDocument:
    """Return `document` with what `show` returns for each entry; None leaves it out."""
    kept: list[AnyEntry] = []
    left_out: list[str] = []
    for entry in document.entries:
        shown = _shown(entry, show)
        if shown is None:
            left_out += uuids_of(entry)
        else:
            kept.append(replace(shown, also=(*shown.also, *left_out)))
            left_out = []
    if kept and left_out:
        kept[-1] = replace(kept[-1], also=(*kept[-1].also, *left_out))
    return replace(document, entries=tuple(kept))


def _shown(entry: AnyEntry, show: Callable[[AnyEntry], AnyEntry | None]) -> AnyEntry | None:
    """Return what is shown of `entry`; what was written again as far as what is in it."""
    if not isinstance(entry, Rewritten):
        return show(entry)
    inner = (_shown(one, show) for one in entry.entries)
    kept = tuple(one for one in inner if one is not None)
    return replace(entry, entries=kept) if kept else None


def _talk(entry: AnyEntry) -> AnyEntry | None:
    """Return what `entry` adds to the talk: tool calls and notices are one line each."""
    match entry:
        case Thinking():
            return None
        case ToolCall():
            return replace(entry, asked=(), answered=())
        case Compaction():
            return replace(entry, summary=())
        case Notice():
            is_talk = entry.is_trouble or entry.kind in _TALK_NOTICES
            return replace(entry, parts=()) if is_talk else None
        case Prompt() | Reply() | Rewritten():
            return entry


def _prompt(entry: AnyEntry) -> AnyEntry | None:
    """Return the words of a person in `entry`, without what was folded beside them."""
    if not isinstance(entry, Prompt):
        return None
    said = (
        part
        for part in entry.parts
        if not isinstance(part, Fold) and not (isinstance(part, Code) and part.is_terminal)
    )
    return replace(entry, parts=tuple(said))


def _permitted(entry: AnyEntry, without: Collection[Left]) -> AnyEntry | None:
    """Return what may be seen of `entry`: None for nothing."""
    is_thinking = isinstance(entry, Thinking) and Left.THINKING in without
    if is_thinking or (isinstance(entry, ToolCall) and Left.TOOLS in without):
        return None
    if Left.IMAGES not in without:
        return entry
    held = [name for name in _HOLDING_PARTS if hasattr(entry, name)]
    return replace(entry, **{name: _texts(getattr(entry, name)) for name in held})


def _texts(parts: Parts) -> Parts:
    """Return `parts` without pictures, those in folds too."""
    return tuple(
        replace(part, parts=_texts(part.parts)) if isinstance(part, Fold) else part
        for part in parts
        if not isinstance(part, Picture)
    )
