"""Putting the entries of a turn together: what belongs together stands in one entry."""

from __future__ import annotations

from enum import Enum, auto
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

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


class EntryBuilder:
    """Collects entries; what belongs to an entry before it is joined to that."""

    def __init__(self) -> None:
        """Begin without entries."""
        self._entries: list[doc.AnyEntry] = []
        self._calls: dict[str, int] = {}
        self._placed: set[str] = set()

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
