"""What the bytes of a source are, found in one pass that holds one block at a time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.digest import DIGEST_BYTES, open_digest
from everyleaf.sources.lines import HEAD_BYTES

if TYPE_CHECKING:
    from pathlib import Path

BLOCK_BYTES = 1 << 20


class Looked(NamedTuple):
    """The bytes of a source, told in few words."""

    size_bytes: int
    digest: str
    head: bytes
    """The first of them."""
    last: bytes
    """The last one; none, if there is none."""
    begin: str = ""
    """Digest of as many as were asked for; empty where there are not more than that."""
    lines: int = 0
    """Line ends among those."""


def look_at(location: Path, begin_bytes: int = 0, *, end: int = sys.maxsize) -> Looked:
    """Return what a file holds up to `end`, and what its first `begin_bytes` do; linear.

    What cannot be read holds nothing: reading the records reports it.
    """
    try:
        with location.open("rb", buffering=0) as file:
            head = file.read(min(HEAD_BYTES, end))
            file.seek(0)
            made, size, lines, begin, last = open_digest(), 0, 0, "", b""
            # One block ends where the beginning does.
            while block := file.read(_until(begin_bytes - size, end - size)):
                if size == begin_bytes > 0:
                    begin = made.hexdigest(length=DIGEST_BYTES)
                lines += block.count(b"\n") if size < begin_bytes else 0
                made.update(block)
                size += len(block)
                last = block[-1:]
    except OSError:
        return Looked(0, "", b"", b"")
    return Looked(size, made.hexdigest(length=DIGEST_BYTES), head, last, begin, lines)


def _until(wanted: int, left: int) -> int:
    """Return how much of the `left` to read; `wanted`, if any, end the beginning."""
    return min(wanted if wanted > 0 else left, left, BLOCK_BYTES)
