"""A session file as lines, or as elements of an array; and what it is, by the first ones.

`--output-format json` writes an array, web sessions are exported as `{"loglines": […]}`.
Nothing of them is parsed: brackets are counted, strings skipped, so that memory is that of
the longest element, and a record can be read again by its place. What reads a file raises
an OSError where it cannot be opened or read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import AnyStr, BinaryIO, NamedTuple, cast

import orjson
from msgspec import Struct

from everyleaf.sources.projects import is_uuid

BOM = b"\xef\xbb\xbf"
HEAD_BYTES = 1 << 16
"""An array begins in the first so many bytes, or the file is taken for lines."""
_CHUNK_BYTES = 1 << 20
_SKIPPED = re.compile(rb'(?:[^"{}\[\]]+|"[^"\\]*(?:\\.[^"\\]*)*")*', re.DOTALL)
"""What stands between two brackets; stops at a string that does not end in the buffer."""
_BARE = re.compile(rb"\s*\[(?=\s*(?:[{\]]|\Z))")
_KEY = re.compile(rb'"loglines"\s*:\s*\Z')
_BETWEEN = b" \t\r\n,"
_QUOTE = ord('"')
_OPEN = b"{["
_NOT_CLOSED = "the array breaks off"
_USES = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "pattern")


class Line(NamedTuple):
    """One line: `data` stands at byte `offset` of the file."""

    number: int
    """1-based."""
    offset: int
    data: bytes
    """Without the `\\n`, a `\\r` before it, and a byte order mark before the first."""
    damage: str = ""
    """What is wrong with the file here, where no bytes can show it."""
    following: int | None = None
    """Where the next line begins; None where it is not whole, or no line."""


def iter_lines(
    location: Path, *, offset: int = 0, before: int = 0, end: int | None = None
) -> Iterator[Line]:
    r"""Yield the lines of a file in order; only `\n` separates, U+0085 and U+2028 do not.

    Streams: memory is that of the longest line. A last line without `\n` is yielded too,
    an empty rest after the last `\n` is not. With `offset`, where a line begins, those
    `before` that byte are left out; with `end` what follows that byte, as if the file
    had not grown since it had so many.
    """
    with location.open("rb") as handle:
        handle.seek(offset)
        for number, data in enumerate(handle, before + 1):
            begin, offset = offset, offset + len(data)
            if end is not None and offset > end:
                data = data[: max(end - begin, 0)]  # noqa: PLW2901  (it is what there was)
                if not data:
                    return
            if number == 1 and data.startswith(BOM):
                data, begin = data[len(BOM) :], begin + len(BOM)  # noqa: PLW2901
            following = offset if data.endswith(b"\n") else None
            yield Line(number, begin, _without_end(data), "", following)


def _without_end(data: bytes) -> bytes:
    return data.removesuffix(b"\n").removesuffix(b"\r")


def read_span(handle: BinaryIO, offset: int, size_bytes: int) -> bytes:
    r"""Return `size_bytes` bytes at `offset`; with size 0 the rest of the line."""
    handle.seek(offset)
    return handle.read(size_bytes) if size_bytes else _without_end(handle.readline())


def iter_entries(location: Path, *, end: int | None = None) -> Iterator[Line]:
    """Yield what may hold a record: the lines of a file, or the elements of its array.

    Of lines, those up to byte `end`: a session may grow while it is read.
    """
    with location.open("rb") as handle:
        start = find_array(handle.read(HEAD_BYTES))
        if start is not None:
            yield from iter_elements(handle, start)
    if start is None:
        yield from iter_lines(location, end=end)


def find_array(head: bytes) -> int | None:
    """Return where the elements of an array of records begin, by a file's first bytes.

    None where the file is not one JSON array and not an object with `loglines`.

    >>> find_array(b'[{"type":'), find_array(b'{"loglines": [{'), find_array(b'{"type":')
    (1, 14, None)
    """
    start = len(BOM) if head.startswith(BOM) else 0
    bare = _BARE.match(head, start)
    if bare is not None:
        return bare.end()
    if b'"loglines"' not in head or not head[start:].lstrip().startswith(b"{"):
        return None
    depth, position = 0, start
    while (end := _end_of_gap(head, position)) < len(head) and head[end] != _QUOTE:
        is_open = head[end] in _OPEN
        if is_open and depth == 1 and _KEY.search(head, position, end):
            return end + 1
        depth += 1 if is_open else -1
        if depth == 0:
            return None
        position = end + 1
    return None


def iter_elements(handle: BinaryIO, start: int) -> Iterator[Line]:
    """Yield the elements that follow from byte `start` on, up to the end of their array.

    Anything else that stands between them is yielded too, for the reader to find it
    damaged. An array that breaks off ends with what is left of its last element, or with
    an empty line that says so in `damage`. A line's number is that of its first byte.
    """
    handle.seek(0)
    scan = _Scan(handle, base=start, number=1 + handle.read(start).count(b"\n"))
    yield from scan.elements()
    if not scan.is_closed:
        yield scan.rest()


class _Scan(Struct):
    """A buffer that moves along the file, and the place where the last element ended."""

    handle: BinaryIO
    base: int
    """Of the buffer, in the file."""
    number: int
    """Line of the mark."""
    mark: int = 0
    """Where the last element ended."""
    buffer: bytes = b""
    is_closed: bool = False

    def elements(self) -> Iterator[Line]:
        depth = position = 0
        while True:
            end = _end_of_gap(self.buffer, position)
            if end == len(self.buffer) or self.buffer[end] == _QUOTE:
                end -= self.mark
                if not self._read_more():
                    return
                position = end
                continue
            is_open = self.buffer[end] in _OPEN
            position = end + 1
            if depth == 0 and (self.buffer[self.mark : end].strip(_BETWEEN)):
                yield self._line(end)
            depth += 1 if is_open else -1
            if depth == 0:
                yield self._line(position)
            elif depth < 0:
                self.is_closed = True
                return

    def rest(self) -> Line:
        line = self._line(len(self.buffer))
        return line if line.data else line._replace(damage=_NOT_CLOSED)

    def _line(self, end: int) -> Line:
        """Return what stands between the mark and `end`, and move the mark there."""
        data = self.buffer[self.mark : end].lstrip(_BETWEEN)
        begin = end - len(data)
        number = self.number + self.buffer.count(b"\n", self.mark, begin)
        self.number = number + data.count(b"\n")
        self.mark = end
        return Line(number, self.base + begin, data.rstrip(_BETWEEN))

    def _read_more(self) -> bool:
        """Read on: as much again as is held, so that long elements cost linear time."""
        held = self.buffer[self.mark :]
        more = self.handle.read(max(_CHUNK_BYTES, len(held)))
        if more:
            self.base += self.mark
            self.buffer, self.mark = held + more, 0
        return bool(more)


def _end_of_gap(buffer: bytes, position: int) -> int:
    match = _SKIPPED.match(buffer, position)
    return match.end() if match else position


MORE_BYTES = 1 << 20
_AROUND = b"\0 \t\r\n"


def lazily(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern that is compiled when it is first used: hundreds take 50 ms."""
    return cast("re.Pattern[AnyStr]", _Lazy(partial(re.compile, pattern, flags)))


class _Lazy:
    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> object:
        made = self._make()
        vars(self).update({one: getattr(made, one) for one in _USES})
        return getattr(made, name)


def names(text: str) -> frozenset[str]:
    """Return the words of `text`: a set that is easier to read than a column of strings."""
    return frozenset(text.split())


TREE_TYPES = frozenset({"user", "assistant", "system", "attachment", "progress"})
OFF_TREE_TYPES = names(
    """
    agent-color agent-name agent-setting agent_metadata ai-title api-request
    api-request-blob api-request-shape artifact-autoreact-ledger artifact-comment-monitor
    atis-latch attribution-snapshot bridge-session content-replacement continued-in
    cost-state custom-title dev-mods ended-by-model file-history-delta
    file-history-snapshot fork-context-ref frame-link history-suppression isolation-latch
    last-prompt marble-origami-commit marble-origami-reset marble-origami-snapshot
    memory-mode mode observer-ref permission-mode pr-link queue-operation relocated
    speculation-accept summary tag task-summary worktree-state
    """
)
"""Types that never enter the graph. Source: format notes §2.7, versions up to 2.1.293."""
STREAM_TYPES = names(
    """
    auth_status control_cancel_request control_request control_response
    conversation_reset keep_alive prompt_suggestion rate_limit_event result stream_event
    tool_progress tool_use_summary transcript_mirror
    """
)
"""Types that only `--output-format stream-json` writes. Source: format notes §6.1."""

_ON_DISK = frozenset({"parentUuid", "sessionId", "leafUuid", "messageId"})
_PLACES = frozenset({"uuid", "sessionId", "session_id", "leafUuid", "messageId"})
_RECORD_BYTES = re.compile(rb'"(?:parentUuid|sessionId)"\s*:\s*(?:"|null)')
_ID = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")
"""What an id may look like: some become names of files and folders."""
_SESSION_ID = re.compile(rb'"sessionId"\s*:\s*"([A-Za-z0-9_-][A-Za-z0-9._-]{0,199})"')


class Content(StrEnum):
    """Verdict on a file's first lines."""

    SESSION = "session"
    FOREIGN = "foreign"
    UNKNOWN = "unknown"
    """Nothing in it can be read as JSON: empty, or damaged from the start."""


class Head:
    """The first 64 KB of a file, and the JSON objects in them."""

    def __init__(self, location: Path) -> None:
        """Read what `location` begins with."""
        self.location = location
        self.first = _first_bytes(location, HEAD_BYTES)
        self.array = find_array(self.first)
        """Where the elements of its array begin; None: it is none."""
        self._known: list[dict[str, object]] = []
        self._rest = _objects(self.first, self.array)

    def objects(self) -> Iterator[dict[str, object]]:
        """Yield the objects in order, each parsed once, and only as far as is asked for."""
        yield from self._known
        for value in self._rest:
            self._known.append(value)
            yield value


def is_session(head: Head, *, is_named: bool = False) -> bool:
    """Return whether a file holds session records: by its content, else by its name.

    Reads on to 1 MB where the head cannot be read as JSON at all (a zeroed start). A file
    that a person named (`is_named`) needs no uuid for a name.
    """
    verdict = _judge(head.objects(), head.first)
    if verdict is Content.UNKNOWN:
        verdict = judge(_first_bytes(head.location, MORE_BYTES))
    if verdict is Content.UNKNOWN:
        return is_named or is_uuid(head.location.stem)
    return verdict is Content.SESSION


def judge(first: bytes) -> Content:
    """Return what the first bytes of a file show it to be; one good record is enough."""
    return _judge(_objects(first, find_array(first)), first)


def holds_record(body: bytes) -> bool:
    """Return whether a whole record stands in `body`, on its own line or in an array."""
    return any(map(_is_record, _objects(body, find_array(body))))


def _judge(objects: Iterable[dict[str, object]], first: bytes) -> Content:
    verdict = Content.UNKNOWN
    for record in objects:
        if _is_record(record):
            return Content.SESSION
        verdict = Content.FOREIGN
    if verdict is Content.UNKNOWN and _RECORD_BYTES.search(first):
        return Content.SESSION
    return verdict


def first_cwds(location: Path) -> list[str]:
    """Return the folders that the first records of a file ran in, each once, in order."""
    try:
        told = [record.get("cwd") for record in Head(location).objects()]
    except OSError:
        return []  # Whoever reads the file for what it says reports it.
    return list(dict.fromkeys(cwd for cwd in told if isinstance(cwd, str) and cwd))


def find_owner(head: Head) -> str | None:
    """Return the first `sessionId` in the head of an agent file, if there is one."""
    for record in head.objects():
        if owner := _id(record, "sessionId"):
            return owner
    match = _SESSION_ID.search(head.first)
    return match[1].decode() if match else None


def _first_bytes(location: Path, size_bytes: int) -> bytes:
    with location.open("rb") as handle:
        return handle.read(size_bytes)


def find_capture(head: Head) -> tuple[str, str] | None:
    """Return (session, cwd) of a stream-json capture; None for records as on disk.

    Judged by the head: a stream says `session_id`, and never `parentUuid`. The folder is
    empty where it does not begin with the facts of the session.
    """
    session = cwd = ""
    for record in head.objects():
        if not _ON_DISK.isdisjoint(record):
            return None
        session = session or _id(record, "session_id")
        cwd = cwd or text_in(record, "cwd")
    return (session, cwd) if session else None


def is_array(head: Head) -> bool:
    """Return whether a file is one JSON array of records."""
    if head.array is None:
        return False
    return _judge(head.objects(), head.first) is Content.SESSION


def _id(record: dict[str, object], key: str) -> str:
    value = text_in(record, key)
    return value if _ID.fullmatch(value) else ""


def text_in(record: dict[str, object], key: str) -> str:
    """Return the text of a field; what is none is ""."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _objects(first: bytes, start: int | None) -> Iterator[dict[str, object]]:
    lines = (
        iter(BytesIO(first.removeprefix(BOM)))
        if start is None
        else (element.data for element in iter_elements(BytesIO(first), start))
    )
    found = (load_strict(line.strip(_AROUND)) for line in lines)
    return (value for value in found if value is not None)


def load_strict(span: bytes) -> dict[str, object] | None:
    """Return the object that `span` is, or None where it is anything else."""
    try:
        value: object = orjson.loads(span)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]  (the keys of JSON are strings)


def _is_record(record: dict[str, object]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    if kind in ("user", "assistant") and isinstance(record.get("message"), dict):
        return True
    if kind in STREAM_TYPES:
        return "session_id" in record
    if kind in TREE_TYPES or kind in OFF_TREE_TYPES:
        return not _PLACES.isdisjoint(record)
    return "uuid" in record and ("parentUuid" in record or "sessionId" in record)
