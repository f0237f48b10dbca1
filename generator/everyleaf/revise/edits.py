"""A change to a file as a few edits: all other bytes stay as they are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

CHUNK_BYTES = 1 << 20


class Edit(Struct, frozen=True):
    """`drop` bytes at `offset` of the old file give way to `insert`."""

    offset: int
    drop: int
    insert: bytes
    says: str
    """What it does, in words for a person."""


class Change(Struct, frozen=True):
    """What a command does to a session's file; without edits there is nothing to do."""

    summary: str
    """What it does, in words for a person."""
    edits: tuple[Edit, ...]
    """By offset; they do not overlap."""
    makes_active: int | None = None
    """The path that is ACTIVE afterwards; None: those that were before."""
    resumes: str | None = None
    """The uuid of the record that a resume ends with then; None: the one as before."""


def iter_edited(file: BinaryIO, edits: Sequence[Edit]) -> Iterator[bytes]:
    """Yield the content of `file` with `edits` made. Reads it once, in pieces."""
    at = 0
    for edit in edits:
        yield from iter_span(file, at, edit.offset)
        yield edit.insert
        at = edit.offset + edit.drop
    yield from iter_span(file, at, None)


def iter_span(file: BinaryIO, begin: int, end: int | None) -> Iterator[bytes]:
    """Yield the bytes of `file` from `begin` up to `end`, or up to its end, in pieces."""
    file.seek(begin)
    left = end - begin if end is not None else -1
    while left:
        piece = file.read(CHUNK_BYTES if left < 0 else min(CHUNK_BYTES, left))
        if not piece:
            return
        left -= len(piece) if left > 0 else 0
        yield piece


def write_new(location: Path, pieces: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file that is not there yet, down to the disk, readable as `mode` says.

    Raises:
        OSError: it is there, or the disk refuses.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(location, flags, mode), "wb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    location.chmod(mode)
