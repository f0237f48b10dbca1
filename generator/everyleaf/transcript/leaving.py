"""Documents without what a person does not want to publish."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from msgspec.structs import replace

from everyleaf.config import Left
from everyleaf.transcript.detail import select
from everyleaf.transcript.document import (
    Compaction,
    Fold,
    Notice,
    Picture,
    Prompt,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from everyleaf.transcript.document import AnyEntry, Part, TurnDocument

_IN_DOCUMENTS = frozenset({Left.THINKING, Left.TOOLS, Left.IMAGES})


def leave_out(document: TurnDocument, without: Collection[Left]) -> TurnDocument:
    """Return `document` without some kinds of entries and parts, facts included.

    Links to what is left out lead to where it would stand. Agents and abandoned paths are
    left out before documents are made.
    """
    if _IN_DOCUMENTS.isdisjoint(without):
        return document
    shown = select(document, partial(_show, without=without))
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


def _show(entry: AnyEntry, without: Collection[Left]) -> AnyEntry | None:
    """Return what is shown of `entry`: None for nothing."""
    match entry:
        case Thinking():
            return None if Left.THINKING in without else entry
        case ToolCall() if Left.TOOLS in without:
            return None
        case Rewritten():
            inner = (_show(each, without) for each in entry.entries)
            kept = tuple(each for each in inner if each is not None)
            return replace(entry, entries=kept) if kept else None
        case _ if Left.IMAGES in without:
            return _without_pictures(entry)
        case _:
            return entry


def _without_pictures(entry: AnyEntry) -> AnyEntry:
    match entry:
        case Prompt() | Reply() | Notice():
            return replace(entry, parts=_texts(entry.parts))
        case ToolCall():
            asked, answered = _texts(entry.asked), _texts(entry.answered)
            return replace(entry, asked=asked, answered=answered)
        case Compaction():
            return replace(entry, summary=_texts(entry.summary))
        case Thinking() | Rewritten():
            return entry
        case _ as never:
            assert_never(never)


def _texts(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return `parts` without pictures, those in folds too."""
    return tuple(
        replace(part, parts=_texts(part.parts)) if isinstance(part, Fold) else part
        for part in parts
        if not isinstance(part, Picture)
    )
