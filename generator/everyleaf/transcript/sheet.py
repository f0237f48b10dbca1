"""The entries of a turn while they are put together, in file order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.transcript.aside import Aside, Beside
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
    from everyleaf.transcript.aside import Note
    from everyleaf.transcript.document import AnyEntry, Part


class Sheet:
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
        also = tuple(u for u in entry.also if u not in self._placed)
        if also != entry.also:
            entry = replace(entry, also=also)
        if self._joins(entry):
            return
        if isinstance(entry, ToolCall):
            self._calls[entry.tool_use_id] = len(self._entries)
        self._entries.append(entry)
        self._placed.update((entry.uuid, *entry.also))

    def note(self, uuid: str, note: Note) -> None:
        """Put what a note shows into its place, which may be an entry before it."""
        if note is None:
            return
        if not isinstance(note, Aside):
            self.add(note)
            return
        at = self._place_of(note)
        if at is not None:
            self._extend(at, note.parts, uuid)
        elif note.otherwise is not None:
            self.add(note.otherwise)

    def settle(self, uuid: str, at: str) -> None:
        """Make sure that the conversation record `uuid` is shown by some entry."""
        if uuid in self._placed:
            return
        if self._entries:
            self._extend(len(self._entries) - 1, (), uuid)
        else:
            self.add(Notice(uuid=uuid, at=at, kind=NoticeKind.META, text="Nothing said"))

    def summarize(self, uuid: str, parts: tuple[Part, ...]) -> bool:
        """Put a summary into the boundary before it; False where there is none."""
        for at, entry in enumerate(self._entries):
            if isinstance(entry, Compaction) and not entry.summary:
                also = (*entry.also, uuid)
                self._entries[at] = replace(entry, summary=parts, also=also)
                self._placed.add(uuid)
                return True
        return False

    def answer_again(self, tool_use_id: str, uuid: str, parts: tuple[Part, ...]) -> None:
        """Add a second result to a call that has one."""
        self._extend(self._calls[tool_use_id], parts, uuid)

    def add_to_call(self, tool_use_id: str, parts: tuple[Part, ...]) -> None:
        """Add to a call, if it is here, what is known of its result beside the records."""
        at = self._calls.get(tool_use_id)
        entry = None if at is None else self._entries[at]
        if at is not None and isinstance(entry, ToolCall):
            self._entries[at] = replace(entry, answered=(*entry.answered, *parts))

    def _place_of(self, aside: Aside) -> int | None:
        if aside.beside is Beside.CALL:
            return self._calls.get(aside.tool_use_id)
        if aside.beside is Beside.PROMPT:
            is_prompt = bool(self._entries) and isinstance(self._entries[0], Prompt)
            return 0 if is_prompt else None
        if not self._entries:
            return None
        last = self._entries[-1]
        is_command = isinstance(last, Prompt) or (
            isinstance(last, Notice) and last.kind is NoticeKind.COMMAND
        )
        return len(self._entries) - 1 if is_command else None

    def _extend(self, at: int, parts: tuple[Part, ...], uuid: str) -> None:
        entry = self._entries[at]
        is_new = uuid not in self._placed
        also = (*entry.also, uuid) if is_new else entry.also
        if isinstance(entry, Prompt | Notice | Reply):
            self._entries[at] = replace(entry, parts=(*entry.parts, *parts), also=also)
        elif isinstance(entry, ToolCall):
            self._entries[at] = replace(
                entry, answered=(*entry.answered, *parts), also=also
            )
        else:
            self._entries[at] = replace(entry, also=also)
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
            self._join_errors(last, entry)
        return are_errors

    def _join_errors(self, last: Notice, entry: Notice) -> None:
        tables = [p for p in (*last.parts, *entry.parts) if isinstance(p, Table)]
        others = [p for p in (*last.parts, *entry.parts) if not isinstance(p, Table)]
        rows = tuple(row for table in tables for row in table.rows)
        text = (
            entry.text if len(rows) < 2 else f"{len(rows)} API errors; last: {rows[-1][1]}"
        )
        self._entries[-1] = replace(
            last,
            text=text,
            parts=((Table(rows),) if rows else ()) + tuple(others),
            also=(*last.also, entry.uuid),
        )
        self._placed.add(entry.uuid)
