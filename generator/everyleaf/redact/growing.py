"""A source that has grown: what stood there before was looked at, so only the rest is.

That it is the same as before is proved by a digest of all its bytes, never by its size or
its time. Only whole lines count; of a file that is no list of lines nothing is noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact.gather import Scanned, find_ids
from everyleaf.redact.memory import Mark
from everyleaf.sources.lines import find_array

if TYPE_CHECKING:
    from everyleaf.redact.looking import Looked
    from everyleaf.redact.memory import Memory

PRIVATE_ID = "private-id"


class Grown(NamedTuple):
    """The beginning of a source, as an earlier build knew it."""

    offset: int
    """Of the first byte that is new."""
    lines: int
    """Before that."""
    scanned: Scanned


def find_grown(memory: Memory, mark: Mark | None, looked: Looked) -> Grown | None:
    """Return what is remembered of the beginning of a source, by `mark`.

    `looked` tells of its bytes, and of as many of the first as the mark stands for.
    """
    if mark is None or not looked.begin or looked.begin != mark.digest:
        return None
    scanned = memory.load(mark.key)
    return None if scanned is None else Grown(mark.size_bytes, looked.lines, scanned)


def make_mark(looked: Looked, key: str) -> Mark | None:
    """Return what to remember of a source once what it holds is kept under `key`.

    None where what is added may change what stands there now: half a line, an array.
    """
    if looked.last != b"\n" or find_array(looked.head) is not None:
        return None
    return Mark(looked.size_bytes, looked.digest, key)


def join_scanned(grown: Grown, rest: Scanned, added: bytes) -> Scanned:
    """Return what a scan of a whole source finds, from those of its two parts.

    `added` are the bytes that are new.

    A text that stands in both was found in the first. What turns out to be a record's id
    is none of the first part's secrets any more.
    """
    before = grown.scanned
    ids = find_ids({found.value for found in before.findings}, added)
    kept = [f for f in before.findings if f.value not in ids or f.kind == PRIVATE_ID]
    known = {found._replace(line=0) for found in kept}
    fresh = [found for found in rest.findings if found._replace(line=0) not in known]
    return Scanned((*kept, *fresh), tuple(sorted({*before.users, *rest.users})))
