"""Folded records that make a difference after all, back in their files.

A record that only hangs there joins the turn of its parent, and shows nothing. It makes a
difference where another record or a marker names it, where its uuid was written twice, and
where the place of others is found by what was written before them.
"""

from __future__ import annotations

from array import array
from collections import Counter
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.digest import digest_int
from everyleaf.records.folding import iter_unfolded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from everyleaf.model import Envelope, SessionRecords

_by_line = attrgetter("line")


def unfold(
    files: Sequence[SessionRecords], *, is_whole: bool = False
) -> list[SessionRecords]:
    """Return `files`, nothing folded: those records that make no difference are left out.

    With `is_whole` none is. Linear but for odd files.
    """
    if is_whole or not any(file.folded for file in files):
        return [_all_of(file) for file in files]
    named = {uuid for file in files for uuid in _names_in(file)}
    times = Counter(file.session for file in files if file.agent_id is None)
    known: dict[str, set[str]] = {file.session: set() for file in files if file.folded}
    for file in files:
        if file.session in known:
            known[file.session].update(record.uuid for record in file.records)
    return [
        _all_of(file)
        if times[file.session] > 1
        else _part_of(file, named, known.get(file.session, ()))
        for file in files
    ]


def _all_of(file: SessionRecords) -> SessionRecords:
    if not file.folded:
        return file
    return _with(file, [one for block in file.folded for one in iter_unfolded(block)])


def _with(file: SessionRecords, added: Iterable[Envelope]) -> SessionRecords:
    records = sorted((*file.records, *added), key=_by_line)
    return replace(file, records=tuple(records), folded=())


def _part_of(
    file: SessionRecords, named: AbstractSet[str], known: Collection[str]
) -> SessionRecords:
    if not file.folded:
        return file
    pick = _Pick(file.folded, {*named, *known})
    added = list(pick.run())
    own = {record.uuid for record in _main(file.records)}
    own.update(record.uuid for record in added)
    # A record whose parent is missing is placed by what was written before it.
    is_odd = any(
        record.parent_uuid is not None and record.parent_uuid not in own
        for record in _main((*file.records, *added))
    )
    return _all_of(file) if is_odd else _with(file, added)


def _main(records: Iterable[Envelope]) -> Iterator[Envelope]:
    return (record for record in records if not record.is_sidechain)


class _Pick(Struct):
    """Looks for the folded records that are wanted, and for what those name."""

    blocks: tuple[bytes, ...]
    wanted: set[str]
    _twice: frozenset[int] = frozenset()
    """Digests of uuids that were written twice."""
    _found: dict[int, Envelope] = field(default_factory=dict["int", "Envelope"])
    """By line."""

    def run(self) -> Iterator[Envelope]:
        """Return them, in no fixed order."""
        names = array("Q")
        has_more = self._look(names)
        self._twice = _repeated(names)
        has_more = has_more or bool(self._twice)
        while has_more:
            has_more = self._look(array("Q"))
        return iter(self._found.values())

    def _look(self, names: array[int]) -> bool:
        """Look at all blocks; return whether more was found. `names` get their digests.

        Parents stand before their children, so the last are looked at first.
        """
        known = len(self._found)
        for block in reversed(self.blocks):
            for record in reversed(list(iter_unfolded(block))):
                name = digest_int(record.uuid.encode(errors="replace"))
                names.append(name)
                if record.uuid in self.wanted or name in self._twice:
                    self._found[record.line] = record
                    self.wanted.add(record.parent_uuid or "")
        return len(self._found) > known


def _repeated(names: array[int]) -> frozenset[int]:
    """Return the names that occur more than once."""
    return frozenset(one for one, other in pairwise(sorted(names)) if one == other)


def _names_in(file: SessionRecords) -> Iterator[str]:
    """Yield what the records and markers of a file name."""
    for record in (*file.records, *file.told):
        if record.parent_uuid is not None:
            yield record.parent_uuid
        if record.logical_parent_uuid is not None:
            yield record.logical_parent_uuid
        if record.forked_from is not None:
            yield record.forked_from.uuid
        yield from record.preserved
        yield from record.withdraws
    for marker in file.markers:
        if marker.leaf_uuid is not None:
            yield marker.leaf_uuid
