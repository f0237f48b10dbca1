"""Recorded streams of the CLI: in the form that records have on disk, beside session files.

`claude -p --output-format stream-json` writes no parents: what arrives later comes later,
and what an agent says names the call that started it. With `--include-partial-messages`
each block of a message is told in pieces, then as a whole, unless the capture breaks off
or the person interrupts. Only what has no such whole record is put together from its
pieces. Source: format notes §6, the API's streaming events.

What stands in a capture and in another file of its session is one record: by its uuid, else
by the response, the calls or the words. What the capture alone has is fitted in where it
arrived.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from operator import attrgetter
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.grouping import grouped
from everyleaf.model import CONVERSATION, AgentLink, Envelope, Kind, SessionRecords
from everyleaf.records import text as texts
from everyleaf.records.envelope import Span, made_up_uuid
from everyleaf.records.kinds import PREAMBLE
from everyleaf.records.text import Block, as_object, as_text, content_blocks
from everyleaf.sources.lines import iter_elements, load_strict, read_span

_FACTS = ("session_id", "cwd", "model", "permissionMode")
_TEXTS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


class _Message(Struct):
    """A message whose pieces are arriving."""

    id: str
    span: Span
    """From its first piece to the last one."""
    at: int
    begun: int = 0
    """Blocks that began."""
    whole: int = 0
    """Blocks that were told as a whole."""

    def reach(self, span: Span, at: int) -> None:
        size = span.offset + span.size_bytes - self.span.offset
        self.span, self.at = self.span._replace(size_bytes=size), at


class Partials(Struct):
    """Follows the pieces of messages; holds places, no text."""

    _arriving: dict[str, _Message] = {}
    _left: list[_Message] = []

    def take(self, raw: dict[str, object], span: Span, at: int) -> None:
        """Take up the next record of the file, of whatever type; `at` counts records."""
        kind = raw.get("type")
        if kind != "stream_event" and not self._arriving:
            return
        call = as_text(raw.get("parent_tool_use_id")) or ""
        message = self._arriving.get(call)
        if kind == "stream_event":
            self._take_event(as_object(raw.get("event")) or {}, call, span, at)
        elif kind == "assistant" and message is not None:
            said = as_object(raw.get("message")) or {}
            if said.get("id") == message.id:
                message.whole += len(content_blocks(said.get("content")))
                message.reach(span, at + 1)

    def left(self) -> list[tuple[Span, int]]:
        """Return where the pieces of messages without a whole record stand, and their `at`.

        Sorted from the last to the first, so that each can be inserted at its place.
        """
        waiting = [*self._left, *self._arriving.values()]
        found = [(one.span, one.at) for one in waiting if one.begun > one.whole]
        return sorted(found, key=lambda place: (-place[1], -place[0].offset))

    def _take_event(self, event: dict[str, object], call: str, span: Span, at: int) -> None:
        message = self._arriving.get(call)
        if event.get("type") == "message_start":
            if message is not None:
                self._left.append(message)
            begun = as_object(event.get("message")) or {}
            place = span._replace(body=b"")
            self._arriving[call] = _Message(as_text(begun.get("id")) or "", place, at)
        elif message is not None:
            if event.get("type") == "content_block_start":
                message.begun += 1
            message.reach(span, at)


def iter_partials(
    location: Path, partials: Partials
) -> Iterator[tuple[dict[str, object], Span, int]]:
    """Yield what is left in `partials` of the file, put together, from the last on.

    Raises:
        OSError: the file cannot be read.
    """
    left = partials.left()
    if not left:
        return
    with location.open("rb") as handle:
        for span, at in left:
            raw = join_pieces(read_span(handle, span.offset, span.size_bytes))
            if raw is not None:
                yield raw, span, at


def join_pieces(data: bytes) -> dict[str, object] | None:
    """Return the message whose pieces `data` begins with, without blocks told as a whole.

    None where `data` is something else, or nothing is left. Pieces of other conversations,
    and records, may stand between them.
    """
    pieces = (load_strict(line.data) for line in iter_elements(BytesIO(data), 0))
    found = [piece for piece in pieces if piece is not None]
    if not found or found[0].get("type") != "stream_event":
        return None
    first = found[0]
    call = first.get("parent_tool_use_id")
    message = as_object((as_object(first.get("event")) or {}).get("message")) or {}
    own = [piece for piece in found if piece.get("parent_tool_use_id") == call]
    whole = sum(_whole_blocks(piece, message.get("id")) for piece in own)
    events = [
        as_object(p.get("event")) or {} for p in own if p.get("type") == "stream_event"
    ]
    blocks = [
        block
        for block in _blocks(events)[whole:]
        if any(block.get(key) for key in ("text", "thinking", "name", "content"))
    ]
    if not blocks:
        return None
    kept: dict[str, object] = {
        key: first[key] for key in ("session_id", "parent_tool_use_id") if key in first
    }
    said = {**message, "role": "assistant", "content": blocks}
    return {**kept, "type": "assistant", "message": said}


def _whole_blocks(piece: dict[str, object], message_id: object) -> int:
    said = as_object(piece.get("message")) or {}
    if piece.get("type") != "assistant" or said.get("id") != message_id:
        return 0
    return len(content_blocks(said.get("content")))


def _blocks(events: list[dict[str, object]]) -> list[Block]:
    """Return the blocks that `events` tell, as far as they do, in their order."""
    blocks: dict[object, Block] = {}
    written: dict[tuple[object, str], list[str]] = {}
    for event in events:
        number = event.get("index")
        match event.get("type"):
            case "content_block_start":
                blocks[number] = dict(as_object(event.get("content_block")) or {})
            case "content_block_delta":
                delta = as_object(event.get("delta")) or {}
                name = _TEXTS.get(as_text(delta.get("type")) or "")
                if name and number in blocks:
                    said = as_text(delta.get(name)) or ""
                    written.setdefault((number, name), []).append(said)
            case _:
                pass
    for (number, name), pieces in written.items():
        block, text = blocks[number], "".join(pieces)
        if name == "partial_json":
            block["input"] = load_strict(text.encode()) or {"__unparsedToolInput": text}
        else:
            block[name] = (as_text(block.get(name)) or "") + text
    return list(blocks.values())


class _Arrival(Struct):
    envelope: Envelope
    session: str
    call: str
    """The call whose agent said it; empty: the main conversation."""


class Arrivals(Struct):
    """The records of a capture, in order of arrival."""

    file: str
    """Name that the uuids of results are made of, with the line."""
    partials: Partials = field(default_factory=Partials)
    _arrived: list[_Arrival] = []
    _agents: dict[str, str] = {}
    _facts: tuple[object, ...] = ()

    def shown(self, raw: dict[str, object], span: Span) -> dict[str, object] | None:
        """Return the next record as it would stand on disk; None if nothing shows it."""
        self.partials.take(raw, span, len(self._arrived))
        match raw.get("type"):
            case "user" if raw.get("isSynthetic") is True:
                text = texts.first_text(content_blocks(texts.said_in(raw)))
                mark = "isCompactSummary" if text.startswith(PREAMBLE) else "isMeta"
                return {**raw, mark: True}
            case "system" if raw.get("subtype") == "init":
                # Each turn repeats them.
                facts = tuple(raw.get(name) for name in _FACTS)
                is_new, self._facts = facts != self._facts, facts
                return raw if is_new else None
            case "system" if raw.get("subtype") == "task_started":
                self._name_agent(raw.get("tool_use_id"), raw.get("task_id"))
                return raw
            case "result":
                uuid = as_text(raw.get("uuid")) or made_up_uuid(self.file, span)
                return {**raw, "uuid": uuid, "parentUuid": None}
            case "user" | "assistant" | "system":
                return raw
            case _:
                return None

    def add(self, envelope: Envelope, raw: dict[str, object]) -> None:
        """Take up what was made of the record that was shown last."""
        self.insert(len(self._arrived), envelope, raw)

    def insert(self, at: int, envelope: Envelope, raw: dict[str, object]) -> None:
        """Put a record before the one that arrived as number `at`."""
        session = as_text(raw.get("session_id")) or ""
        call = as_text(raw.get("parent_tool_use_id")) or ""
        self._arrived.insert(at, _Arrival(envelope, session, call))
        for link in envelope.links:
            self._name_agent(link.tool_use_id, link.agent_id)

    def linked(self) -> tuple[Envelope, ...]:
        """Return the records, each hanging from the one before it in its conversation.

        An agent is named as its call's result names it; else after the call.
        """
        tails: dict[tuple[str, str], str] = {}
        seen: set[str] = set()
        linked: list[Envelope] = []
        for one in self._arrived:
            key = (one.session, one.call)
            envelope = replace(one.envelope, parent_uuid=tails.get(key))
            if one.call:
                agent = self._agents.get(one.call) or f"of-{one.call}"
                own = () if key in tails else (AgentLink(one.call, agent),)
                links = envelope.links + own
                envelope = replace(envelope, is_sidechain=True, agent_id=agent, links=links)
            linked.append(envelope)
            if envelope.uuid not in seen:
                tails[key] = envelope.uuid
            seen.add(envelope.uuid)
        return tuple(linked)

    def _name_agent(self, call: object, agent: object) -> None:
        if isinstance(call, str) and isinstance(agent, str) and call:
            self._agents.setdefault(call, agent)


_Key: TypeAlias = "tuple[object, ...]"


def merge_captures(files: Sequence[SessionRecords]) -> list[SessionRecords]:
    """Return `files` in their order, with no record of a session in two of them.

    Session files stay as they are. Captures of one session are one conversation, in the
    order of their first timestamps, then of their names. A message that a capture has in
    the midst of what the session file tells, and that nothing there hangs from, becomes a
    note: a branch that never was would else come of it.
    """
    sessions = {file.session for file in files if file.is_capture}
    known = {session: _Known() for session in sessions}
    for file in files:
        if file.session in sessions and not file.is_capture:
            known[file.session].add(file)
    merged: dict[int, SessionRecords] = {}
    captures = [file for file in files if file.is_capture]
    for file in sorted(captures, key=attrgetter("begun")):
        merged[id(file)] = fitted = _fit(file, known[file.session])
        known[file.session].add(fitted)
    return [merged.get(id(file), file) for file in files]


class _Known(Struct):
    """What other files tell of a session."""

    agents: dict[str, str | None] = {}
    """uuid → agent that said it; None: the main conversation."""
    parents: set[str] = set()
    same: dict[_Key, deque[str]] = {}
    last: str | None = None
    """The last conversation record of the main conversation."""

    def add(self, file: SessionRecords) -> None:
        for record in file.records:
            agent = record.agent_id if record.is_sidechain else None
            self.agents.setdefault(record.uuid, file.agent_id or agent)
            if record.parent_uuid:
                self.parents.add(record.parent_uuid)
            for key in _keys(record):
                self.same.setdefault(key, deque()).append(record.uuid)
            is_main = file.agent_id is None and not record.is_sidechain
            if is_main and record.kind in CONVERSATION:
                self.last = record.uuid

    def find(self, record: Envelope) -> str | None:
        """Return the uuid of the same record, if it is known; each is found once."""
        found = record.uuid if record.uuid in self.agents else None
        for key in _keys(record):
            others = self.same.get(key)
            if found is not None and others and found in others:
                others.remove(found)
            elif found is None and others:
                found = others.popleft()
        return found


def _keys(record: Envelope) -> Iterable[_Key]:
    match record.kind:
        case Kind.REPLY if record.message_id:
            return ((Kind.REPLY, record.message_id, record.digest),)
        case Kind.RESULT if record.tool_use_ids:
            return ((Kind.RESULT, record.tool_use_ids),)
        case Kind.PROMPT | Kind.SUMMARY:
            return ((record.kind, record.digest),)
        case _:
            return ()


def _fit(file: SessionRecords, known: _Known) -> SessionRecords:
    """Return a capture with what nothing else tells, hung from what others tell."""
    if not known.agents:
        return file
    found = [known.find(record) for record in file.records]
    chains = grouped((one.agent_id, number) for number, one in enumerate(file.records))
    kept: dict[int, Envelope] = {}
    for agent, numbers in chains.items():
        kept |= _fit_chain(file, numbers, found, known, agent)
    return replace(file, records=tuple(kept[number] for number in sorted(kept)))


def _fit_chain(
    file: SessionRecords,
    numbers: list[int],
    found: list[str | None],
    known: _Known,
    agent: str | None,
) -> dict[int, Envelope]:
    matched = [number for number in numbers if found[number] is not None]
    before = found[matched[0]] if matched else (known.last if agent is None else None)
    name = known.agents.get(before or "", agent) if agent is not None else None
    end = matched[-1] if matched else -1
    kept: dict[int, Envelope] = {}
    for number in numbers:
        record = file.records[number]
        same = found[number]
        if same is not None:
            before = same
            continue
        is_extra = number < end and record.uuid not in known.parents
        kind = Kind.NOTE if is_extra else record.kind
        links = () if name != agent else record.links
        kept[number] = replace(
            record, parent_uuid=before, kind=kind, agent_id=name or agent, links=links
        )
        before = record.uuid
    return kept
