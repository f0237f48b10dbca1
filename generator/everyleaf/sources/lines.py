"""A session file as lines, or as the elements of an array, with their place in bytes.

`--output-format json` writes an array, web sessions are exported as `{"loglines": […]}`.
Nothing is parsed here: brackets are counted, strings skipped, so that memory is that of the
longest element, and a record can be read again by its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

BOM = b"\xef\xbb\xbf"
HEAD_BYTES = 1 << 16
"""An array begins in the first so many bytes, or the file is taken for lines."""
_CHUNK_BYTES = 1 << 20
_SKIPPED = re.compile(rb'(?:[^"{}\[\]]+|"[^"\\]*(?:\\.[^"\\]*)*")*', re.DOTALL)
"""What stands between two brackets; stops at a string that does not end in the buffer."""
_BARE = re.compile(rb"\s*\[(?=\s*(?:[{\]]|\Z))")
_KEY = re.compile(rb'"loglines"\s*:\s*\Z')
_BETWEEN = b" \t\r\n,"
_QUOTE, _OPEN = ord('"'), b"{["
_NOT_CLOSED = "the array breaks off"


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

    Raises:
        OSError: the file cannot be opened or read.
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
    r"""Return `size_bytes` bytes at `offset`; with size 0 the rest of the line.

    Raises:
        OSError: the file cannot be read.
    """
    handle.seek(offset)
    return handle.read(size_bytes) if size_bytes else _without_end(handle.readline())


def iter_entries(location: Path, *, end: int | None = None) -> Iterator[Line]:
    """Yield what may hold a record: the lines of a file, or the elements of its array.

    Of lines, those up to byte `end`: a session may grow while it is read.

    Raises:
        OSError: the file cannot be opened or read.
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

    Raises:
        OSError: the file cannot be read.
    """
    handle.seek(0)
    number = 1 + handle.read(start).count(b"\n")
    scan = _Scan(handle, base=start, number=number)
    yield from scan.elements()
    if not scan.is_closed:
        yield scan.rest()


class _Scan:
    """A buffer that moves along the file, and the place where the last element ended."""

    def __init__(self, handle: BinaryIO, *, base: int, number: int) -> None:
        self.is_closed = False
        self._handle = handle
        self._buffer = b""
        self._base = base
        """Of the buffer, in the file."""
        self._mark = 0
        """Where the last element ended."""
        self._number = number
        """Line of the mark."""

    def elements(self) -> Iterator[Line]:
        depth = position = 0
        while True:
            end = _end_of_gap(self._buffer, position)
            if end == len(self._buffer) or self._buffer[end] == _QUOTE:
                end -= self._mark
                if not self._read_more():
                    return
                position = end
                continue
            is_open = self._buffer[end] in _OPEN
            position = end + 1
            if depth == 0 and (self._buffer[self._mark : end].strip(_BETWEEN)):
                yield self._line(end)
            depth += 1 if is_open else -1
            if depth == 0:
                yield self._line(position)
            elif depth < 0:
                self.is_closed = True
                return

    def rest(self) -> Line:
        """Return what follows the last element."""
        line = self._line(len(self._buffer))
        return line if line.data else line._replace(damage=_NOT_CLOSED)

    def _line(self, end: int) -> Line:
        """Return what stands between the mark and `end`, and move the mark there."""
        data = self._buffer[self._mark : end].lstrip(_BETWEEN)
        begin = end - len(data)
        number = self._number + self._buffer.count(b"\n", self._mark, begin)
        self._number = number + data.count(b"\n")
        self._mark = end
        return Line(number, self._base + begin, data.rstrip(_BETWEEN))

    def _read_more(self) -> bool:
        """Read on: as much again as is held, so that long elements cost linear time."""
        held = self._buffer[self._mark :]
        more = self._handle.read(max(_CHUNK_BYTES, len(held)))
        if more:
            self._base += self._mark
            self._buffer, self._mark = held + more, 0
        return bool(more)


def _end_of_gap(buffer: bytes, position: int) -> int:
    match = _SKIPPED.match(buffer, position)
    return match.end() if match else position
