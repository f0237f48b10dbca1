"""Putting the entries of a turn together: what belongs together stands in one entry."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.transcript.document import (
    Compaction,
    Notice,
    NoticeKind,
    Prompt,
    Reply,
    Table,
    ToolCall,
)

if TYPE_CHECKING:
    from everyleaf.transcript.document import AnyEntry, Parts


class Anchor(Enum):
    """Which entry an attached note adds to."""

    PROMPT = auto()
    """The prompt that the turn begins with: files, expanded commands."""
    COMMAND = auto()
    """The command or shell line right before it: its output."""
    CALL = auto()
    """The tool call named by `tool_use_id`: a skill's text."""


class AttachedNote(Struct, frozen=True):
    """Parts to add to an entry of the same turn, or a notice where there is none."""

    anchor: Anchor
    parts: Parts
    otherwise: Notice | None
    """None: the note is left out where it finds no place."""
    tool_use_id: str = ""


Note: TypeAlias = "AnyEntry | AttachedNote | None"
"""What a record beside the conversation shows, still without its uuid and time."""


def notice(
    text: str,
    parts: Parts = (),
    kind: NoticeKind = NoticeKind.META,
    *,
    is_trouble: bool = False,
) -> Notice | None:
    """Return a notice that says `text`, still without its uuid and time; None for ""."""
    if not text:
        return None
    return Notice(kind=kind, text=text, parts=parts, is_trouble=is_trouble)


class EntryBuilder:
    """Collects entries; what belongs to an entry before it is joined to that."""

    def __init__(self) -> None:
        """Begin without entries."""
        self._entries: list[AnyEntry] = []
        self._calls: dict[str, int] = {}
        self._placed: set[str] = set()

    def entries(self) -> tuple[AnyEntry, ...]:
        """Return what was collected, in order."""
        return tuple(self._entries)

    def add(self, entry: AnyEntry) -> None:
        """Put an entry behind the others, or into the last one where the two are one."""
        also = tuple(u for u in entry.also if u not in self._placed) if entry.also else ()
        if also != entry.also:
            entry = replace(entry, also=also)
        if self._joins(entry):
            return
        if isinstance(entry, ToolCall):
            self._calls[entry.tool_use_id] = len(self._entries)
        self._entries.append(entry)
        self._placed.update((entry.uuid, *entry.also))

    def add_note(self, uuid: str, at: str, note: Note) -> None:
        """Put what the record `uuid` shows into its place, maybe an entry before it."""
        if isinstance(note, AttachedNote):
            place = self._place_of(note)
            if place is not None:
                self._extend(place, note.parts, uuid)
                return
            note = note.otherwise
        if note is not None:
            self.add(replace(note, uuid=uuid, at=at))

    def settle(self, uuid: str, at: str) -> None:
        """Make sure that the conversation record `uuid` is shown by some entry."""
        if uuid in self._placed:
            return
        if self._entries:
            self._extend(len(self._entries) - 1, (), uuid)
        else:
            self.add_note(uuid, at, notice("Nothing said"))

    def summarize(self, uuid: str, parts: Parts) -> bool:
        """Put a summary into the boundary before it; False where there is none."""
        for at, entry in enumerate(self._entries):
            if isinstance(entry, Compaction) and not entry.summary:
                also = (*entry.also, uuid)
                self._entries[at] = replace(entry, summary=parts, also=also)
                self._placed.add(uuid)
                return True
        return False

    def answer_again(self, tool_use_id: str, uuid: str, parts: Parts) -> None:
        """Add a second result to a call that has one."""
        self._extend(self._calls[tool_use_id], parts, uuid)

    def add_to_call(self, tool_use_id: str, parts: Parts) -> None:
        """Add to a call, if it is here, what is known of its result beside the records."""
        at = self._calls.get(tool_use_id)
        entry = None if at is None else self._entries[at]
        if at is not None and isinstance(entry, ToolCall):
            self._entries[at] = replace(entry, answered=(*entry.answered, *parts))

    def _place_of(self, note: AttachedNote) -> int | None:
        if note.anchor is Anchor.CALL:
            return self._calls.get(note.tool_use_id)
        if not self._entries:
            return None
        if note.anchor is Anchor.PROMPT:
            return 0 if isinstance(self._entries[0], Prompt) else None
        last = self._entries[-1]
        is_command = isinstance(last, Prompt) or (
            isinstance(last, Notice) and last.kind is NoticeKind.COMMAND
        )
        return len(self._entries) - 1 if is_command else None

    def _extend(self, at: int, parts: Parts, uuid: str) -> None:
        entry = self._entries[at]
        also = entry.also if uuid in self._placed else (*entry.also, uuid)
        changed: AnyEntry
        match entry:
            case Prompt() | Notice() | Reply():
                changed = replace(entry, parts=(*entry.parts, *parts), also=also)
            case ToolCall():
                changed = replace(entry, answered=(*entry.answered, *parts), also=also)
            case _:
                changed = replace(entry, also=also)
        self._entries[at] = changed
        self._placed.add(uuid)

    def _joins(self, entry: AnyEntry) -> bool:
        """Join fragments of one reply, and API errors in a row, into one entry each."""
        last = self._entries[-1] if self._entries else None
        if isinstance(last, Reply) and isinstance(entry, Reply):
            is_one = last.model == entry.model and last.is_withdrawn == entry.is_withdrawn
            if is_one:
                self._extend(len(self._entries) - 1, entry.parts, entry.uuid)
            return is_one
        if not (isinstance(last, Notice) and isinstance(entry, Notice)):
            return False
        are_errors = last.kind is entry.kind is NoticeKind.API_ERROR
        if are_errors:
            self._entries[-1] = _join_errors(last, entry)
            self._placed.add(entry.uuid)
        return are_errors


def _join_errors(last: Notice, entry: Notice) -> Notice:
    both = (*last.parts, *entry.parts)
    rows = tuple(row for part in both if isinstance(part, Table) for row in part.rows)
    others = tuple(part for part in both if not isinstance(part, Table))
    text = entry.text if len(rows) < 2 else f"{len(rows)} API errors; last: {rows[-1][1]}"
    return replace(
        last,
        text=text,
        parts=((Table(rows),) if rows else ()) + others,
        also=(*last.also, entry.uuid),
    )
