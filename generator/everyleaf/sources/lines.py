"""A session file as lines with their place in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line: `data` stands at byte `offset` of the file."""

    number: int
    """1-based."""
    offset: int
    data: bytes
    """Without the `\\n`, a `\\r` before it, and a byte order mark before the first."""
    damage: str = ""
    """What is wrong with the file here, where no bytes can show it."""


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
            if end is not None and offset + len(data) > end:
                data = data[: max(end - offset, 0)]  # noqa: PLW2901  (it is what there was)
                if not data:
                    return
            start = len(BOM) if number == 1 and data.startswith(BOM) else 0
            yield Line(number, offset + start, _without_end(data)[start:])
            offset += len(data)


def _without_end(data: bytes) -> bytes:
    return data.removesuffix(b"\n").removesuffix(b"\r")


def read_span(handle: BinaryIO, offset: int, size_bytes: int) -> bytes:
    r"""Return `size_bytes` bytes at `offset`; with size 0 the rest of the line.

    Raises:
        OSError: the file cannot be read.
    """
    handle.seek(offset)
    return handle.read(size_bytes) if size_bytes else _without_end(handle.readline())
