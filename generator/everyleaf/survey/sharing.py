"""Files that hold records of each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from everyleaf.model import CONVERSATION
from everyleaf.survey.oddities import Finding, Odd

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.model import SessionRecords

MOST_HOLDERS = 50
"""A record that more files hold is counted for the first of them with each other one."""


def find_shared(files: Sequence[SessionRecords]) -> Iterator[Finding]:
    """Yield the files that share uuids with an earlier one, and the complete copies.

    Linear in the records, but for those that many files hold.
    """
    holders: dict[str, list[tuple[int, int]]] = {}
    sizes: list[int] = []
    for number, file in enumerate(files):
        own = {
            record.uuid: record.digest
            for record in reversed(file.records)
            if record.kind in CONVERSATION
        }
        sizes.append(len(own))
        for uuid, digest in own.items():
            holders.setdefault(uuid, []).append((number, digest))
    shared, changed = _pairs(holders)
    for (one, other), count in sorted(shared.items()):
        first, second = files[one], files[other]
        differ = changed[one, other]
        said = f"{_records(count)} of {first.file}"
        if differ:
            said += f", {differ} of them with other content"
        yield Finding(Odd.SHARED_UUIDS, second.file, 0, f"shares {said}", second.session)
        if count in {sizes[one], sizes[other]}:
            yield _copy(first, second, is_second=count == sizes[other])


def _records(count: int) -> str:
    return f"{count} {'message' if count == 1 else 'messages'}"


def _copy(one: SessionRecords, other: SessionRecords, *, is_second: bool) -> Finding:
    copy, whole = (other, one) if is_second else (one, other)
    said = f"every message of it is in {whole.file}"
    return Finding(Odd.COMPLETE_COPY, copy.file, 0, said, copy.session)


def _pairs(
    holders: dict[str, list[tuple[int, int]]],
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Return how many uuids two files share, and how many of them differ in content."""
    shared: Counter[tuple[int, int]] = Counter()
    changed: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        firsts = places[:1] if len(places) > MOST_HOLDERS else places
        for at, (one, digest) in enumerate(firsts):
            for other, other_digest in places[at + 1 :]:
                shared[one, other] += 1
                changed[one, other] += digest != other_digest
    return shared, changed
