"""A source that has grown: what stood there before was looked at, so only the rest is.

That it is the same as before is proved by a digest of all its bytes, never by its size or
its time. Only whole lines count; of a file that is no list of lines nothing is noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.digest import digest_hex
from everyleaf.redact.memory import Mark, Scanned
from everyleaf.redact.placing import find_ids
from everyleaf.sources.arrays import HEAD_BYTES, find_array

if TYPE_CHECKING:
    from everyleaf.redact.memory import Memory

PRIVATE_ID = "private-id"


class Grown(NamedTuple):
    """The beginning of a source, as an earlier build knew it."""

    offset: int
    """Of the first byte that is new."""
    lines: int
    """Before that."""
    scanned: Scanned


def find_grown(memory: Memory, place: str, body: bytes) -> Grown | None:
    """Return what is remembered of the beginning of `body`, the bytes of a source.

    `place` is a name for the source and for how it is scanned, whatever it holds.
    """
    mark = memory.load_mark(place)
    if mark is None or mark.size_bytes >= len(body):
        return None
    begin = memoryview(body)[: mark.size_bytes]
    if not mark.size_bytes or digest_hex(begin, size=16) != mark.digest:
        return None
    scanned = memory.load(mark.key)
    if scanned is None:
        return None
    return Grown(mark.size_bytes, body.count(b"\n", 0, mark.size_bytes), scanned)


def make_mark(body: bytes, key: str) -> Mark | None:
    """Return what to remember of a source once what it holds is kept under `key`.

    None where what is added may change what stands there now: half a line, an array.
    """
    if not body.endswith(b"\n") or find_array(body[:HEAD_BYTES]) is not None:
        return None
    return Mark(len(body), digest_hex(body, size=16), key)


def join_scanned(grown: Grown, rest: Scanned, body: bytes) -> Scanned:
    """Return what a scan of all of `body` finds, from those of its two parts.

    A text that stands in both was found in the first. What turns out to be a record's id
    is none of the first part's secrets any more.
    """
    before = grown.scanned
    ids = find_ids({found.value for found in before.findings}, body[grown.offset :])
    kept = [f for f in before.findings if f.value not in ids or f.kind == PRIVATE_ID]
    known = {found._replace(line=0) for found in kept}
    fresh = [found for found in rest.findings if found._replace(line=0) not in known]
    return Scanned((*kept, *fresh), tuple(sorted({*before.users, *rest.users})))
