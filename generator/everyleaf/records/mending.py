r"""JSON that is almost right: bytes that are no UTF-8, `\ud800` alone, NaN, tabs.

And the whole records on a line that also holds pieces of others.
"""

from __future__ import annotations

import json
import re
from typing import cast

import orjson
from msgspec import Struct

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


def load_strict(span: bytes) -> dict[str, object] | None:
    """Return the object that `span` is, or None where it is anything else."""
    try:
        value: object = orjson.loads(span)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]  (the keys of JSON are strings)


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
    return _ESCAPE.sub(_mended, text) if _HALF.search(text) else text


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


def _mended(match: re.Match[bytes]) -> bytes:
    return match[0] if match["pair"] or match["other"] else rb"\ufffd"


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


DECODER = json.JSONDecoder(strict=False, parse_int=_whole_number)
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
