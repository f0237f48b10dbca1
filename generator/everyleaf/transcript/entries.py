"""Putting the entries of a turn together, and leaving out what is not to be shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from enum import Enum, auto
from functools import partial
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.config import Detail, Left
from everyleaf.transcript import document as doc


class Anchor(Enum):
    """Which entry an attached note adds to."""

    PROMPT = auto()
    """The prompt that the turn begins with: files, expanded commands."""
    COMMAND = auto()
    """The command or shell line right before it: its output."""
    CALL = auto()
    """The tool call named by `tool_use_id`: a skill's text, a second result."""
    BOUNDARY = auto()
    """The compaction that has no summary yet."""
    LAST = auto()
    """Whatever stands before it."""


class AttachedNote(Struct, frozen=True):
    """Parts to add to an entry of the same turn, or an entry where there is none."""

    anchor: Anchor
    parts: doc.Parts
    otherwise: doc.AnyEntry | None
    """None: the note is left out where it finds no place."""
    tool_use_id: str = ""


Note: TypeAlias = "doc.AnyEntry | AttachedNote | None"
"""What a record beside the conversation shows, still without its uuid and time."""


def notice(
    text: str,
    parts: doc.Parts = (),
    kind: doc.NoticeKind = doc.NoticeKind.META,
    *,
    is_trouble: bool = False,
) -> doc.Notice | None:
    """Return a notice that says `text`, still without its uuid and time; None for ""."""
    if not text:
        return None
    return doc.Notice(kind=kind, text=text, parts=parts, is_trouble=is_trouble)


class EntryBuilder(Struct):
    """Collects entries; what belongs to an entry before it is joined to that."""

    _entries: list[doc.AnyEntry] = []
    _calls: dict[str, int] = {}
    _placed: set[str] = set()

    def entries(self) -> tuple[doc.AnyEntry, ...]:
        """Return what was collected, in order."""
        return tuple(self._entries)

    def add(self, entry: doc.AnyEntry) -> None:
        """Put an entry behind the others, or into the last one where the two are one."""
        if not self._placed.isdisjoint(entry.also):
            also = tuple(uuid for uuid in entry.also if uuid not in self._placed)
            entry = replace(entry, also=also)
        last = self._entries[-1] if self._entries else None
        joined = _join(last, entry) if last is not None else None
        self._placed.update((entry.uuid, *entry.also))
        if joined is not None:
            self._entries[-1] = joined
            return
        if isinstance(entry, doc.ToolCall):
            self._calls[entry.tool_use_id] = len(self._entries)
        self._entries.append(entry)

    def add_note(self, uuid: str, at: str, note: Note) -> None:
        """Put what the record `uuid` shows into its place, maybe an entry before it.

        An empty `uuid` says that nothing is to lead there.
        """
        if isinstance(note, AttachedNote):
            place = self._place_of(note)
            if place is not None:
                new = {uuid}.difference(self._placed, {""})
                self._entries[place] = _extend(self._entries[place], note.parts, *new)
                self._placed.update(new)
                return
            note = note.otherwise
        if note is not None:
            self.add(replace(note, uuid=uuid, at=at))

    def settle(self, uuid: str, at: str) -> None:
        """Make sure that the conversation record `uuid` is shown by some entry."""
        if uuid not in self._placed:
            self.add_note(uuid, at, AttachedNote(Anchor.LAST, (), notice("Nothing said")))

    def _place_of(self, note: AttachedNote) -> int | None:
        entries = self._entries
        match note.anchor:
            case Anchor.CALL:
                return self._calls.get(note.tool_use_id)
            case Anchor.PROMPT:
                return 0 if entries and isinstance(entries[0], doc.Prompt) else None
            case Anchor.BOUNDARY:
                open_ones = (
                    place
                    for place, entry in enumerate(entries)
                    if isinstance(entry, doc.Compaction) and not entry.summary
                )
                return next(open_ones, None)
            case Anchor.LAST | Anchor.COMMAND:
                has_place = bool(entries) and (
                    note.anchor is Anchor.LAST or _is_command(entries[-1])
                )
                return len(entries) - 1 if has_place else None


def _is_command(entry: doc.AnyEntry) -> bool:
    if isinstance(entry, doc.Notice):
        return entry.kind is doc.NoticeKind.COMMAND
    return isinstance(entry, doc.Prompt)


def _extend(entry: doc.AnyEntry, parts: doc.Parts, *uuids: str) -> doc.AnyEntry:
    """Return `entry` with further parts, which the records `uuids` show."""
    also = (*entry.also, *uuids)
    match entry:
        case doc.Prompt() | doc.Notice() | doc.Reply():
            return replace(entry, parts=(*entry.parts, *parts), also=also)
        case doc.ToolCall():
            return replace(entry, answered=(*entry.answered, *parts), also=also)
        case doc.Compaction():
            return replace(entry, summary=(*entry.summary, *parts), also=also)
        case _:
            return replace(entry, also=also)


def _join(last: doc.AnyEntry, entry: doc.AnyEntry) -> doc.AnyEntry | None:
    """Return two entries that are one: fragments of a reply, API errors in a row."""
    match last, entry:
        case doc.Reply(), doc.Reply():
            is_one = (last.model, last.is_withdrawn) == (entry.model, entry.is_withdrawn)
            return _extend(last, entry.parts, entry.uuid) if is_one else None
        case doc.Notice(kind=doc.NoticeKind.API_ERROR), doc.Notice(
            kind=doc.NoticeKind.API_ERROR
        ):
            parts = (*last.parts, *entry.parts)
            rows = tuple(
                row for one in parts if isinstance(one, doc.Table) for row in one.rows
            )
            text = (
                f"{len(rows)} API errors; last: {rows[-1][1]}" if rows[1:] else entry.text
            )
            others = tuple(part for part in parts if not isinstance(part, doc.Table))
            table = (doc.Table(rows),) if rows else ()
            joined = replace(last, text=text, parts=(*table, *others))
            return _extend(joined, (), entry.uuid)
        case _:
            return None


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
    commits = tuple(commit for notice in notices for commit in notice.commits)
    facts = replace(document.facts, tools=(), files=(), errors=0, agents=())
    return replace(shown, facts=replace(facts, commits=commits))


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
