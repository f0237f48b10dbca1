"""What is known of a file without its records: enough to say which files belong together.

Two files touch where one names what the other holds: a record, by its uuid or as a parent,
an origin, a kept message, a summary's leaf; a session; a plan. All of that is compared by
hashes, so that a million records are 8 MB. Files that touch, directly or through others,
are a session group: no path, title or link of a session needs more than its group.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import chain, repeat

from msgspec import Struct

from everyleaf.digest import digest_int
from everyleaf.disjointsets import DisjointSets
from everyleaf.issues import Issue
from everyleaf.model import CONVERSATION, MarkerKind, SessionRecords
from everyleaf.records.folding import iter_unfolded, names_of
from everyleaf.records.index import Counts, Indexed

_PART_BYTES = 16_000_000
"""Of keys that are compared at once: as a table they take ten times as much."""
_HASHES = 1 << 64


class FileFacts(Struct, frozen=True):
    """What the process that drives a build knows of a file."""

    session: str
    project: str
    """Name of the project folder as on disk."""
    cwds: tuple[str, ...]
    """Working folders that its records name, in order of first appearance."""
    ended: tuple[bool, str]
    """(whether that is the main conversation's, timestamp) of its last message; the
    timestamp is empty where there is none."""
    counts: Counts
    issues: tuple[Issue, ...]
    """In the order of the file."""
    keys: bytes
    """Hashes, 8 bytes each and in order, of all that the file touches other files by."""


def facts_of(indexed: Indexed) -> FileFacts:
    """Return the facts of a file that was read. Linear in its records."""
    records = indexed.records
    said = (
        (not record.is_sidechain, record.timestamp)
        for record in records.records
        if record.kind in CONVERSATION and record.timestamp
    )
    names = set(_iter_names(records))
    hashes = (digest_int(name.encode("utf-8", "surrogatepass")) for name in names)
    return FileFacts(
        session=records.session,
        project=records.project,
        cwds=records.cwds,
        ended=max(said, default=(False, "")),
        counts=indexed.counts,
        issues=indexed.issues,
        keys=array("Q", sorted(hashes)).tobytes(),
    )


def group_files(facts: Mapping[int, FileFacts]) -> list[list[int]]:
    """Return the files of each session group, by number; the largest group first.

    Near-linear in the number of keys, of which only a part is in a table at one time: 27
    million take 300 MB. Files, and groups of one size, stay in the order of `facts`.
    """
    order = list(facts)
    together = DisjointSets()
    parts = 1 + sum(len(one.keys) for one in facts.values()) // _PART_BYTES
    for part in range(parts):
        first, last = (_HASHES * at // parts for at in (part, part + 1))
        holder: dict[int, int] = {}
        for place, number in enumerate(order):
            keys = memoryview(facts[number].keys).cast("Q")
            if parts > 1:  # They are in order.
                keys = keys[bisect_left(keys, first) : bisect_left(keys, last)]
            for other in set(map(holder.setdefault, keys.tolist(), repeat(place))):
                together.union(other, place)
    groups = [
        [order[place] for place in places]
        for places in together.groups(range(len(order))).values()
    ]
    # Those of one size stay in the order of their first files.
    return sorted(
        groups, key=lambda group: -sum(facts[one].counts.size_bytes for one in group)
    )


def _iter_names(file: SessionRecords) -> Iterator[str]:
    """Yield the names of all that a file holds, and of all that it refers to."""
    yield f"session {file.session}"
    if file.agent_id is None:
        yield from (f"plan {plan}" for plan in file.plans)
    unfolded = chain.from_iterable(map(iter_unfolded, file.folded))
    for record in chain(file.records, file.told, unfolded):
        yield record.uuid
        yield from names_of(record)
    for marker in file.markers:
        yield from names_of(marker)
        if marker.kind is MarkerKind.CONTINUED_IN:
            yield f"session {marker.text}"
