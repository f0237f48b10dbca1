"""Progress records, folded away while a file is read: of most of them nothing is shown.

A command that runs for a minute leaves sixty, and some files hold little else. As envelopes
they take half a kilobyte each, in every process; folded, a few dozen bytes. One that is
folded only joins the turn of its parent. It makes a difference where another record or a
marker names it, where its uuid was written twice, and where others are placed by what was
written before them: then `unfold` puts it back.
"""

from __future__ import annotations

import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence, Set as AbstractSet
from itertools import chain, pairwise
from operator import attrgetter

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import digest_int
from everyleaf.model import Envelope, Kind, Marker, SessionRecords
from everyleaf.records.envelope import FileScope

BLOCK_RECORDS = 1000
"""Records that are folded together: what reading one of them again takes."""
KNOWN_NOTES = 1000
"""Folded records of which it is known that another may hang from them."""

# Looking up a member of an enum costs ten times a name in Python 3.11; every record passes.
_PROMPT, _REPLY = Kind.PROMPT, Kind.REPLY
_ENDING = frozenset({Kind.BOUNDARY, Kind.SUMMARY})
_BEGINNING = frozenset({Kind.BOUNDARY, Kind.SUMMARY, Kind.ECHO})

_DECODER = msgspec.msgpack.Decoder(list[Envelope])


class Folding(Struct):
    """The tree records of one file as they come: those that are `kept`, and folded ones.

    A progress record is folded only where it is sure to change nothing. It hangs from what
    a prompt began, with no compaction since; nothing it says of agents is new; it is not
    the earliest; the next line is of the tree, too.
    """

    scope: FileScope
    kept: list[Envelope] = []
    blocks: list[bytes] = []
    is_on: bool = True
    """False: nothing is folded."""
    _open: list[Envelope] = []
    """To be folded into the next block."""
    _last: Envelope | None = None
    """Folded, unless the next line may be placed behind it."""
    _above: set[str] = set()
    """Records since the last prompt that a note may hang from."""
    _folded: dict[str, None] = {}
    """The last ones of those that were folded: another may hang from them."""
    _begin: set[str] = set()
    """Records with which a turn begins if a reply hangs from them."""
    _links: dict[str, str] = {}
    """Call → the agent that was last said to have been started by it."""
    _earliest: str = ""

    def __post_init__(self) -> None:
        """Go on behind the records that are kept already."""
        for record in self.kept:
            self._note_past(record)

    def add(self, record: Envelope, raw: dict[str, object], *, is_alone: bool) -> None:
        """Take the next tree record; `is_alone`: nothing else stands on its line."""
        if self._last is not None:
            self._fold(self._last)
            self._last = None
        if is_alone and raw.get("type") == "progress" and self._changes_nothing(record):
            self._last = record
            return
        self.kept.append(record)
        if self.is_on:
            self._note_past(record)
            if not record.is_sidechain:
                self._note_turn(record)

    def add_other(self) -> None:
        """Take note of a line that is not of the tree: its place may be behind the last."""
        if self._last is not None:
            self.kept.append(self._last)
            self._above.add(self._last.uuid)
            self._last = None

    def finish(self) -> tuple[bytes, ...]:
        """Return what was folded, in the order of the file; the last record never is."""
        self.add_other()
        if self._open:
            self._close_block()
        return tuple(self.blocks)

    def _changes_nothing(self, record: Envelope) -> bool:
        time, is_odd = record.timestamp, record.is_sidechain or record.forked_from
        return (
            self._is_above(record.parent_uuid)
            and not (is_odd or record.withdraws)
            and (not time or "" < self._earliest <= time)
            and all(self._links.get(o.tool_use_id) == o.agent_id for o in record.links)
        )

    def _is_above(self, uuid: str | None) -> bool:
        return uuid in self._above or uuid in self._folded

    def _note_past(self, record: Envelope) -> None:
        if not record.is_sidechain:
            self._links.update((one.tool_use_id, one.agent_id) for one in record.links)
        if record.timestamp:
            self._earliest = min(self._earliest or record.timestamp, record.timestamp)

    def _note_turn(self, record: Envelope) -> None:
        """Take note of what a record begins or ends, and of what may hang from it."""
        kind, uuid, parent = record.kind, record.uuid, record.parent_uuid
        is_reply = kind is _REPLY and not record.is_synthetic
        if kind is _PROMPT or (is_reply and parent in self._begin):
            self._above, self._folded, self._begin = {uuid}, {}, set()
            return
        if kind in _BEGINNING or parent in self._begin:
            self._begin.add(uuid)
        if kind in _ENDING:
            self._above, self._folded = set(), {}
        elif self._is_above(parent):
            self._above.add(uuid)

    def _fold(self, record: Envelope) -> None:
        self._open.append(record)
        self._folded[record.uuid] = None
        if len(self._folded) > KNOWN_NOTES:
            del self._folded[next(iter(self._folded))]
        # What hangs from it names it by a text of its own then.
        self.scope.strings.pop(record.uuid, None)
        if len(self._open) == BLOCK_RECORDS:
            self._close_block()

    def _close_block(self) -> None:
        self.blocks.append(zlib.compress(msgspec.msgpack.encode(self._open), 1))
        self._open.clear()


def iter_unfolded(block: bytes) -> Iterator[Envelope]:
    """Yield the records of a block, in the order of their file."""
    return iter(_DECODER.decode(zlib.decompress(block)))


def unfold(
    files: Sequence[SessionRecords],
    beside: Sequence[SessionRecords] = (),
    *,
    is_whole: bool = False,
) -> list[SessionRecords]:
    """Return `files`, nothing folded: those records that make no difference are left out.

    With `is_whole` none is. What files `beside` them name makes one. Linear but for odd
    files.
    """
    sessions = {file.session for file in files if file.folded}
    times = Counter(file.session for file in files if file.agent_id is None)
    named = set[str]()
    for file in (*files, *beside) if sessions and not is_whole else ():
        for part in (file.records, file.told, file.markers):
            named.update(chain.from_iterable(map(names_of, part)))
        if file.session in sessions:
            named.update(record.uuid for record in file.records)
    return [
        _unfolded(file, None if is_whole or times[file.session] > 1 else named)
        for file in files
    ]


def names_of(one: Envelope | Marker) -> Iterator[str]:
    """Yield the uuids of other records that a record or a marker names."""
    if not isinstance(one, Envelope):
        return filter(None, (one.leaf_uuid,))
    origin = one.forked_from.uuid if one.forked_from else None
    above = (one.parent_uuid, one.logical_parent_uuid, origin)
    return filter(None, (*above, *one.preserved, *one.withdraws))


def _unfolded(file: SessionRecords, named: AbstractSet[str] | None) -> SessionRecords:
    """Return `file` with those folded records that are `named`; None: with all of them."""
    if not file.folded:
        return file
    if named is None:
        added = [record for block in file.folded for record in iter_unfolded(block)]
    else:
        added = _pick(file.folded, named)
    records = sorted((*file.records, *added), key=attrgetter("line"))
    if named is not None:
        main = [record for record in records if not record.is_sidechain]
        known = {None, *(record.uuid for record in main)}
        # A record whose parent is missing is placed by what was written before it.
        if not all(record.parent_uuid in known for record in main):
            return _unfolded(file, None)
    return replace(file, records=tuple(records), folded=())


def _pick(blocks: Sequence[bytes], named: AbstractSet[str]) -> list[Envelope]:
    """Return the records that are `named` or were written twice, and those above them.

    Parents stand before their children, so the last are looked at first: mostly all are
    found at one go.
    """
    names = array("Q", (_name(one) for block in blocks for one in iter_unfolded(block)))
    twice = {one for one, other in pairwise(sorted(names)) if one == other}
    found: dict[int, Envelope] = {}
    above, known = set[str](), -1
    while len(found) > known:
        known = len(found)
        for block in reversed(blocks):
            for record in reversed(list(iter_unfolded(block))):
                uuid = record.uuid
                if uuid in named or uuid in above or (twice and _name(record) in twice):
                    found[record.line] = record
                    above.add(record.parent_uuid or "")
    return list(found.values())


def _name(record: Envelope) -> int:
    return digest_int(record.uuid.encode(errors="replace"))
