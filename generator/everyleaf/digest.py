"""Digests of bytes and values, and marks of files: whether something is what it was.

BLAKE3 takes an eighth of the time of what the standard library has, and every byte of an
archive is looked at several times: in its file, its line and its text.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import msgspec
from blake3 import blake3

DIGEST_BYTES = 16
"""Enough for what is told apart by its digest alone."""
HEX_BYTES = 10
"""The same of what names a file."""
_PIECE_BYTES = 1 << 17


def digest_int(data: bytes) -> int:
    """Return a 64-bit digest of `data`, for comparing contents in memory."""
    return int.from_bytes(blake3(data).digest(length=8), "big")


def digest_hex(data: bytes | memoryview, *, size: int = HEX_BYTES) -> str:
    """Return `2 * size` hex characters that name `data` in an address or a manifest."""
    return blake3(data).hexdigest(length=size)


def digest_bytes(*pieces: bytes | memoryview) -> bytes:
    """Return a digest of the bytes of all `pieces`, one behind the other."""
    return open_digest(*pieces).digest(length=DIGEST_BYTES)


def open_digest(*pieces: bytes | memoryview) -> blake3:
    """Return a digest of `pieces` that can be told more, by `update`."""
    made = blake3()
    for piece in pieces:
        made.update(piece)
    return made


def digest_file(location: Path | str, size_bytes: int = sys.maxsize) -> str:
    """Return the digest of the first `size_bytes` bytes of a file, or of all it has.

    Memory is that of a small piece.

    Raises:
        OSError: it cannot be read.
    """
    made, view = open_digest(), memoryview(bytearray(_PIECE_BYTES))
    with open(location, "rb", buffering=0) as file:  # noqa: PTH123  (half the time)
        while count := file.readinto(view[:size_bytes]):
            made.update(view[:count])
            size_bytes -= count
    return made.hexdigest(length=DIGEST_BYTES)


RACY_NS = 20_000_000
"""What changed so shortly before it was looked at may change again in the same tick."""
_SECOND_NS = 1_000_000_000


def digest_value(value: object) -> str:
    """Return the digest of a value of plain data: equal values, equal digest."""
    try:
        body: bytes = msgspec.msgpack.encode(value)
    except UnicodeEncodeError:  # The name of a file that is no UTF-8.
        body = repr(value).encode("utf-8", "surrogatepass")
    return blake3(body).hexdigest(length=DIGEST_BYTES)


_MARKS = struct.Struct("<qqqQ")
_UNSETTLED = b"?"


def marks_of(status: os.stat_result, taken_ns: int) -> bytes:
    """Return what the system said of a file, whose `status` is no older than `taken_ns`.

    As bytes: there are many, and so many numbers take three times as much memory.
    """
    # Some systems tell whole seconds, or every other one.
    racy_ns = RACY_NS if status.st_ctime_ns % _SECOND_NS else 3 * _SECOND_NS
    is_settled = status.st_ctime_ns < taken_ns - racy_ns
    return _packed(status) if is_settled else _packed(status) + _UNSETTLED


def are_settled(marks: bytes) -> bool:
    """Return whether the file was old enough then to show any later change."""
    return len(marks) == _MARKS.size


def are_true(marks: bytes, status: os.stat_result) -> bool:
    """Return whether a file of this `status` holds what it held when it got `marks`."""
    return marks == _packed(status)


def _packed(status: os.stat_result) -> bytes:
    # No program can set ctime, which changes with every write.
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return _MARKS.pack(status.st_size, *times, status.st_ino % (1 << 64))
