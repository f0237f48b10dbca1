r"""JSON that is almost right: bytes that are no UTF-8, `\ud800` alone, NaN, tabs."""

from __future__ import annotations

import json
import re
from typing import cast

import orjson

_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\(?:u(?:[dD][89abAB][0-9a-fA-F]{2}(?P<pair>\\u[dD][c-fC-F][0-9a-fA-F]{2})?"
    rb"|[dD][c-fC-F][0-9a-fA-F]{2})|(?P<other>.))",
    re.DOTALL,
)
_MOST_DIGITS = 4000
"""Python refuses to read integers of more than 4,300 digits."""


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
