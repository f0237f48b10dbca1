"""Documents without what is not to be shown: shorter views, and what nobody may see."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from msgspec.structs import replace

from everyleaf.config import Detail, Left
from everyleaf.transcript import document as doc

_TALK_NOTICES = frozenset(
    {doc.NoticeKind.INTERRUPT, doc.NoticeKind.MESSAGE, doc.NoticeKind.LINK}
)
"""Notices that are a part of what was said or of what came of it."""
_HOLDING_PARTS = ("parts", "asked", "answered", "summary")
"""Fields of entries that hold what is drawn."""
_IN_DOCUMENTS = frozenset({Left.THINKING, Left.TOOLS, Left.IMAGES})


def shorten(document: doc.TurnDocument, detail: Detail) -> doc.TurnDocument:
    """Return `document` with the entries that `detail` shows; its facts stay whole.

    Each entry that is left keeps its place, its uuids and its number. It also takes the
    uuids of what was left out before it, the last one of what was left out behind it: a
    link to a message that is not shown leads to where it would stand.
    """
    if detail is Detail.FULL:
        return document
    return _select(document, _prompt if detail is Detail.PROMPTS else _talk)


def leave_out(document: doc.TurnDocument, without: Collection[Left]) -> doc.TurnDocument:
    """Return `document` without some kinds of entries and parts, facts included.

    Links to what is left out lead to where it would stand. Agents and abandoned paths are
    left out before documents are made.
    """
    if _IN_DOCUMENTS.isdisjoint(without):
        return document
    shown = _select(document, partial(_permitted, without=without))
    if Left.TOOLS not in without:
        return shown
    notices = (each for each in document.entries if isinstance(each, doc.Notice))
    facts = replace(
        document.facts,
        tools=(),
        files=(),
        errors=0,
        agents=(),
        commits=tuple(commit for notice in notices for commit in notice.commits),
    )
    return replace(shown, facts=facts)


def uuids_of(entry: doc.AnyEntry) -> Iterator[str]:
    """Yield the uuids of all records that `entry` shows, its own first."""
    yield entry.uuid
    yield from entry.also
    if isinstance(entry, doc.Rewritten):
        for inner in entry.entries:
            yield from uuids_of(inner)


def _select(
    document: doc.TurnDocument, show: Callable[[doc.AnyEntry], doc.AnyEntry | None]
) -> doc.TurnDocument:
    """Return `document` with what `show` returns for each entry; None leaves it out."""
    kept: list[doc.AnyEntry] = []
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


def _shown(
    entry: doc.AnyEntry, show: Callable[[doc.AnyEntry], doc.AnyEntry | None]
) -> doc.AnyEntry | None:
    """Return what is shown of `entry`; what was written again as far as what is in it."""
    if not isinstance(entry, doc.Rewritten):
        return show(entry)
    inner = (_shown(one, show) for one in entry.entries)
    kept = tuple(one for one in inner if one is not None)
    return replace(entry, entries=kept) if kept else None


def _talk(entry: doc.AnyEntry) -> doc.AnyEntry | None:
    """Return what `entry` adds to the talk: tool calls and notices are one line each."""
    match entry:
        case doc.Thinking():
            return None
        case doc.ToolCall():
            return replace(entry, asked=(), answered=())
        case doc.Compaction():
            return replace(entry, summary=())
        case doc.Notice():
            is_talk = entry.is_trouble or entry.kind in _TALK_NOTICES
            return replace(entry, parts=()) if is_talk else None
        case doc.Prompt() | doc.Reply() | doc.Rewritten():
            return entry


def _prompt(entry: doc.AnyEntry) -> doc.AnyEntry | None:
    """Return the words of a person in `entry`, without what was folded beside them."""
    if not isinstance(entry, doc.Prompt):
        return None
    said = (
        part
        for part in entry.parts
        if not isinstance(part, doc.Fold)
        and not (isinstance(part, doc.Code) and part.is_terminal)
    )
    return replace(entry, parts=tuple(said))


def _permitted(entry: doc.AnyEntry, without: Collection[Left]) -> doc.AnyEntry | None:
    """Return what may be seen of `entry`: None for nothing."""
    is_thinking = isinstance(entry, doc.Thinking) and Left.THINKING in without
    if is_thinking or (isinstance(entry, doc.ToolCall) and Left.TOOLS in without):
        return None
    if Left.IMAGES not in without:
        return entry
    held = [name for name in _HOLDING_PARTS if hasattr(entry, name)]
    return replace(entry, **{name: _texts(getattr(entry, name)) for name in held})


def _texts(parts: doc.Parts) -> doc.Parts:
    """Return `parts` without pictures, those in folds too."""
    return tuple(
        replace(part, parts=_texts(part.parts)) if isinstance(part, doc.Fold) else part
        for part in parts
        if not isinstance(part, doc.Picture)
    )
