r"""The objects on a line, and what can be saved of a line that is not exactly one.

Seen in real files: NUL runs, two objects glued together, a torn record followed by a whole
one, bytes that are no UTF-8, lone surrogates (`\ud800`), raw control characters, NaN.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import orjson
from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.model import Envelope
from everyleaf.records.asides import embedded_record
from everyleaf.records.captures import join_pieces
from everyleaf.records.envelope import Span
from everyleaf.sources.lines import Line, load_strict, read_span

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\(?:u(?:[dD][89abAB][0-9a-fA-F]{2}(?P<pair>\\u[dD][c-fC-F][0-9a-fA-F]{2})?"
    rb"|[dD][c-fC-F][0-9a-fA-F]{2})|(?P<other>.))",
    re.DOTALL,
)
_MOST_DIGITS = 4000
"""Python refuses to read integers of more than 4,300 digits."""
_SEPARATORS = re.compile(r"[\s,]*")
_START = re.compile(
    r'\{\s*"(?:parentUuid|logicalParentUuid|isSidechain|uuid|sessionId|messageId|leafUuid'
    r'|type"\s*:\s*"(?:user|assistant|system|attachment|progress|summary'
    r"|file-history-snapshot|file-history-delta|queue-operation|last-prompt|custom-title"
    r"|ai-title|agent-name|mode|permission-mode))\""
)
r"""How a record begins on disk; `{"type":"text"` and the like stand inside records."""
_MOST_WORK = 8
"""A line is given up when so many times its length has been scanned."""


def load_mended(span: bytes) -> dict[str, object] | None:
    """Return the object that `span` means, with U+FFFD for what is no text."""
    mended = mend_escapes(span.decode(errors="replace").encode())
    raw = load_strict(mended)
    if raw is not None:
        return raw
    try:
        value: object = DECODER.decode(mended.decode())
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


def mend_escapes(text: bytes) -> bytes:
    r"""Return JSON with `\ufffd` for each `\ud800`-like escape without its half.

    >>> mend_escapes(rb'"\ud83d\ude00 \ud83d \\ud83d"')
    b'"\\ud83d\\ude00 \\ufffd \\\\ud83d"'
    """
    if not _HALF.search(text):
        return text
    return _ESCAPE.sub(lambda it: it[0] if it["pair"] or it["other"] else rb"\ufffd", text)


def how_mended(line: bytes) -> str:
    """Return what kept a line from being JSON that `load_mended` could read."""
    if b"\0" in line:
        return "NUL bytes"
    try:
        line.decode()
    except UnicodeDecodeError:
        return "bytes that are no UTF-8"
    if mend_escapes(line) != line:
        return "half of a surrogate pair"
    return "values or characters that JSON does not have"


DECODER = json.JSONDecoder(
    strict=False,
    parse_int=lambda digits: int(digits) if len(digits) < _MOST_DIGITS else float(digits),
)
"""Reads what orjson refuses: NaN, infinities, raw control characters in strings."""


class Scanner(Struct):
    """One walk along a piece of a line, with a limit to the work that it may cost.

    Latin-1 maps each byte to one character, so positions in the text are byte offsets;
    what JSON is made of is ASCII, and each object is decoded from its own bytes later.
    """

    piece: bytes
    text: str = ""
    is_torn: bool = False
    """Something stands there that is no whole object."""
    _work: int = 0

    def __post_init__(self) -> None:
        self.text = self.piece.decode("latin-1")
        self._work = _MOST_WORK * len(self.text) + 1000

    def spans(self) -> list[tuple[int, int]]:
        """Return where objects stand in the piece, as (start, end), in order.

        Linear in the length of the piece, however it is torn.
        """
        found: list[tuple[int, int]] = []
        position = self._skip(0)
        while position < len(self.text):
            end = self._end_of(position) if self.text[position] == "{" else None
            span = (position, end) if end is not None else self._next_span(position)
            if span is None:
                break
            found.append(span)
            position = self._skip(span[1])
        return found

    def _next_span(self, torn: int) -> tuple[int, int] | None:
        """Return the first whole record after a torn one.

        It stands at the end of the line or before another object; what looks like a record
        but is followed by something else is a part of the torn one.
        """
        self.is_torn = True
        for match in _START.finditer(self.text, torn + 1):
            if self._work <= 0:
                break
            end = self._end_of(match.start())
            if end is not None and self._is_followed_well(end):
                return match.start(), end
        return None

    def _end_of(self, start: int) -> int | None:
        """Return where the object at `start` ends, if it is whole."""
        reached, failed = len(self.text), True
        end = None
        try:
            _, end = DECODER.raw_decode(self.text, start)
            reached, failed = end, False
        except json.JSONDecodeError as error:
            reached = error.pos
        except (ValueError, RecursionError):
            pass
        # The error of `json` counts the lines before it, so a failure costs more the later.
        self._work -= reached - start + (100 + reached // 64 if failed else 0)
        return end if self._work > 0 else None

    def _is_followed_well(self, end: int) -> bool:
        after = self._skip(end)
        is_last = after == len(self.text)
        return is_last or (self.text[after] == "{" and "," not in self.text[end:after])

    def _skip(self, position: int) -> int:
        match = _SEPARATORS.match(self.text, position)
        return match.end() if match else position


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
    """Return what stands between runs of NULs, as (start, end)."""
    pieces = re.finditer(rb"[^\0]+", line)
    return (piece.span() for piece in pieces if piece[0].strip())


def _damage(line: bytes, objects: int, *, is_torn: bool) -> str:
    if not objects:
        return "not JSON" if line.strip(b"\0 \t\r") else "only NUL bytes"
    if is_torn:
        return "a torn record beside a whole one"
    return f"{objects} objects on one line" if objects > 1 else "NUL bytes"
