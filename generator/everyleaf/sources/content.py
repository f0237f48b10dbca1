"""What a `.jsonl` file is, judged by its first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from io import BytesIO
from pathlib import Path

import orjson

from everyleaf.sources.lines import BOM, HEAD_BYTES, find_array, iter_elements
from everyleaf.sources.projects import is_uuid

MORE_BYTES = 1 << 20
_AROUND = b"\0 \t\r\n"


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
        """Read what `location` begins with.

        Raises:
            OSError: the file cannot be read.
        """
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

    Raises:
        OSError: the file cannot be read.
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
        cwd = cwd or _text(record, "cwd")
    return (session, cwd) if session else None


def is_array(head: Head) -> bool:
    """Return whether a file is one JSON array of records."""
    if head.array is None:
        return False
    return _judge(head.objects(), head.first) is Content.SESSION


def _id(record: dict[str, object], key: str) -> str:
    value = _text(record, key)
    return value if _ID.fullmatch(value) else ""


def _text(record: dict[str, object], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _objects(first: bytes, start: int | None) -> Iterator[dict[str, object]]:
    lines = (
        iter(BytesIO(first.removeprefix(BOM)))
        if start is None
        else (element.data for element in iter_elements(BytesIO(first), start))
    )
    return (
        found for line in lines if (found := load_strict(line.strip(_AROUND))) is not None
    )


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
