r"""The objects on a line, and what can be saved of a line that is not exactly one.

Seen in real files: NUL runs, two objects glued together, a torn record followed by a whole
one, bytes that are no UTF-8, lone surrogates (`\ud800`), raw control characters, NaN.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

import orjson

from everyleaf.errors import SourceError
from everyleaf.records.asides import embedded_record
from everyleaf.records.captures import join_pieces
from everyleaf.records.envelope import Span
from everyleaf.records.mending import Scanner, how_mended, load_mended, load_strict
from everyleaf.sources.lines import read_span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.model import Envelope
    from everyleaf.sources.lines import Line

_NULS = re.compile(rb"\0+")


class FoundObject(NamedTuple):
    """A JSON object on a line."""

    raw: dict[str, object]
    offset: int
    """Of its first byte, in the line."""
    size_bytes: int
    is_mended: bool = False
    """Its bytes alone are no valid JSON: whoever reads it again must mend it again."""


class Decoded(NamedTuple):
    """What a line holds."""

    objects: tuple[FoundObject, ...]
    """In the order of the line."""
    damage: str = ""
    """What was wrong, for a person; empty where the line is exactly one JSON object."""


def span_of(line: Line, found: FoundObject, piece: int) -> Span:
    """Return where an object stands that was `found` on a line, as the one at `piece`."""
    if found.is_mended:
        return Span(line.number, line.offset, len(line.data), piece, line.data)
    start = line.offset + found.offset
    return Span(line.number, start, found.size_bytes, piece, line.data)


def decode_line(line: bytes) -> Decoded:
    """Return the JSON objects on a line, and what was wrong with it; never raises.

    A sound line costs one `orjson.loads`. A damaged one is scanned in time linear in its
    length, however its pieces lie.
    """
    try:
        value: object = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _decode_damaged(line)
    if isinstance(value, dict):
        return Decoded((FoundObject(cast("dict[str, object]", value), 0, len(line)),))
    return Decoded((), "not a JSON object")


def read_object(source: Path | BinaryIO, envelope: Envelope) -> dict[str, object]:
    """Return the record of `envelope`, as it stands in the file or as it was recovered.

    Open the file once and give the handle where many records are read.

    Raises:
        SourceError: The record is not there any more: the file was changed meanwhile.
        OSError: The file cannot be read.
    """
    if isinstance(source, Path):
        with source.open("rb") as handle:
            return read_object(handle, envelope)
    return read_record(source, envelope)[0]


def read_record(file: BinaryIO, envelope: Envelope) -> tuple[dict[str, object], bytes]:
    """Return what `read_object` does, and the JSON that says it and nothing else.

    That is empty where the record was put together or mended.

    Raises:
        SourceError: as `read_object` does.
        OSError: as `read_object` does.
    """
    data = read_span(file, envelope.offset, envelope.size_bytes)
    raw = load_strict(data) if envelope.size_bytes else None
    if raw is not None:
        told = _embedded(raw, envelope) if raw.get("type") == "progress" else None
        return (raw, data) if told is None else (told, b"")
    raw = join_pieces(data) if envelope.size_bytes else None
    return _recovered(data, envelope) if raw is None else raw, b""


def _embedded(raw: dict[str, object], envelope: Envelope) -> dict[str, object] | None:
    """Return the agent's message that `raw` tells, if it is the one of `envelope`."""
    told = embedded_record(raw) if raw.get("uuid") != envelope.uuid else None
    return told if told is not None and told["uuid"] == envelope.uuid else None


def _recovered(line: bytes, envelope: Envelope) -> dict[str, object]:
    objects = [found.raw for found in decode_line(line).objects]
    for raw in objects:
        if raw.get("uuid") == envelope.uuid:
            return raw
        if told := _embedded(raw, envelope):
            return told
    for raw in objects:
        if not raw.get("uuid") and "message" in raw:
            return raw
    raise SourceError(
        f"line {envelope.line} of a session file no longer holds its record",
        hint="the file was changed while it was read; build again",
    )


def _decode_damaged(line: bytes) -> Decoded:
    raw = load_mended(_NULS.sub(b"", line))
    if raw is not None:
        return Decoded((_whole(line, raw),), how_mended(line))
    objects: list[FoundObject] = []
    is_torn = False
    for start, end in _pieces(line):
        if line.find(b"}", start, end) < 0:
            is_torn = True
            continue
        scanner = Scanner(line[start:end])
        for span in scanner.spans():
            found = _object(line[start + span[0] : start + span[1]], start + span[0])
            objects += () if found is None else (found,)
            is_torn = is_torn or found is None
        is_torn = is_torn or scanner.is_torn
    return Decoded(tuple(objects), _damage(line, len(objects), is_torn=is_torn))


def _whole(line: bytes, raw: dict[str, object]) -> FoundObject:
    """Return the one object of a line, by its own bytes if those can be read alone."""
    inner = line.strip(b"\0")
    if load_strict(inner) is not None:
        return FoundObject(raw, line.index(inner), len(inner))
    return FoundObject(raw, 0, len(line), is_mended=True)


def _object(span: bytes, offset: int) -> FoundObject | None:
    raw = load_strict(span)
    if raw is not None:
        return FoundObject(raw, offset, len(span))
    raw = load_mended(span)
    return None if raw is None else FoundObject(raw, offset, len(span), is_mended=True)


def _pieces(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield what stands between runs of NULs, as (start, end)."""
    start = 0
    for nuls in _NULS.finditer(line):
        if line[start : nuls.start()].strip():
            yield start, nuls.start()
        start = nuls.end()
    if line[start:].strip():
        yield start, len(line)


def _damage(line: bytes, objects: int, *, is_torn: bool) -> str:
    if not objects:
        return "not JSON" if line.strip(b"\0 \t\r") else "only NUL bytes"
    if is_torn:
        return "a torn record beside a whole one"
    return f"{objects} objects on one line" if objects > 1 else "NUL bytes"
