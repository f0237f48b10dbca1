"""Progress records, folded away while a file is read: of most of them nothing is shown.

A command that runs for a minute leaves sixty, and some files hold little else. As envelopes
they take half a kilobyte each, in every process; folded, a few dozen bytes. What is folded
changes no path and no page, unless another record names it: then it is `unfolded` again.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct, field

from everyleaf.model import AgentLink, Envelope, Kind
from everyleaf.records.text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.records.envelope import FileScope

BLOCK_RECORDS = 1000
"""Records that are folded together: what reading one of them again takes."""
KNOWN_NOTES = 1000
"""Folded records of which it is known that another may hang from them."""

# Looking up a member of an enum costs ten times a name in Python 3.11; every record passes.
_NOTE, _PROMPT, _REPLY = Kind.NOTE, Kind.PROMPT, Kind.REPLY
_MESSAGES = frozenset({Kind.REPLY, Kind.RESULT})
_ENDING = frozenset({Kind.BOUNDARY, Kind.SUMMARY})
_BEGINNING = frozenset({Kind.BOUNDARY, Kind.SUMMARY, Kind.ECHO})


class _Folded(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """All of an envelope that is folded; what else it has is as of a bare one."""

    uuid: str
    parent_uuid: str
    line: int
    offset: int
    size_bytes: int
    timestamp: str
    digest: int
    agent_id: str | None
    links: tuple[tuple[str, str], ...]
    line_digest: int


_DECODER = msgspec.msgpack.Decoder(list[_Folded])


class _Look(NamedTuple):
    """What a turn's facts take from whichever record names it last."""

    version: object
    branch: object
    cwd: object


class _Era(Struct):
    """What was said since the last prompt, as long as all of it looks alike."""

    _look: _Look | None = None
    _above: set[str] = field(default_factory=set[str])
    """Records that a note may hang from: its turn is one of this era."""
    _folded: dict[str, None] = field(default_factory=dict[str, None])
    """The last ones of those that were folded."""
    _begin: set[str] = field(default_factory=set[str])
    """Records with which a turn begins if a reply hangs from them."""

    def holds(self, record: Envelope, look: _Look) -> bool:
        """Return whether a note joins a turn of this era, and looks as all of it does."""
        return look == self._look and self._is_above(record.parent_uuid)

    def note_folded(self, uuid: str) -> None:
        """Take note of a record that was folded: another one may hang from it."""
        self._folded[uuid] = None
        if len(self._folded) > KNOWN_NOTES:
            del self._folded[next(iter(self._folded))]

    def note(self, record: Envelope, look: _Look) -> None:
        """Take note of a record that was not."""
        kind, uuid = record.kind, record.uuid
        is_reply = kind is _REPLY and not record.is_synthetic
        if kind is _PROMPT or (is_reply and record.parent_uuid in self._begin):
            self._look, self._above, self._folded = look, {uuid}, {}
            self._begin = set()
            return
        if kind in _BEGINNING or record.parent_uuid in self._begin:
            self._begin.add(uuid)
        is_message = kind in _MESSAGES
        if kind in _ENDING or (
            look != self._look if is_message else _is_other(look, self._look)
        ):
            self._look, self._above, self._folded = None, set(), {}
        elif self._is_above(record.parent_uuid):
            self._above.add(uuid)

    def _is_above(self, uuid: str | None) -> bool:
        return uuid in self._above or uuid in self._folded


class Folding(Struct):
    """The tree records of one file as they come: those that are `kept`, and folded ones.

    A progress record is folded only where it is sure to change nothing. It hangs from what
    a prompt began, and all since that prompt name one version, branch and folder; nothing
    it says of agents is new; it is not the earliest; the next line is of the tree, too.
    """

    scope: FileScope
    kept: list[Envelope]
    _blocks: list[bytes] = field(default_factory=list[bytes])
    _open: list[Envelope] = field(default_factory=list[Envelope])
    """To be folded into the next block."""
    _last: Envelope | None = None
    """Folded, unless the next line may be placed behind it."""
    _era: _Era = field(default_factory=_Era)
    _links: dict[str, str] = field(default_factory=dict[str, str])
    """Call → the agent that was last said to have been started by it."""
    _earliest: str = ""

    def resume(self, blocks: Iterable[bytes]) -> None:
        """Go on behind `blocks` and the records that are `kept` already."""
        self._blocks.extend(blocks)
        for record in self.kept:
            self._note_past(record)

    def add(self, record: Envelope, raw: dict[str, object], *, is_alone: bool) -> None:
        """Take the next tree record; `is_alone`: nothing else stands on its line."""
        if self._last is not None:
            self._fold(self._last)
            self._last = None
        look = _Look(raw.get("version"), raw.get("gitBranch"), raw.get("cwd"))
        is_progress = is_alone and raw.get("type") == "progress"
        if is_progress and self._era.holds(record, look) and self._is_nothing_new(record):
            self._last = record
            self._era.note_folded(record.uuid)
            return
        self.kept.append(record)
        self._note_past(record)
        if not record.is_sidechain:
            self._era.note(record, look)

    def add_other(self) -> None:
        """Take note of a line that is not of the tree: its place may be behind the last."""
        if self._last is not None:
            self.kept.append(self._last)
            self._last = None

    def finish(self) -> tuple[bytes, ...]:
        """Return what was folded, in the order of the file; the last record never is."""
        self.add_other()
        if self._open:
            self._close_block()
        return tuple(self._blocks)

    def _is_nothing_new(self, record: Envelope) -> bool:
        time = record.timestamp
        return (
            (not time or "" < self._earliest <= time)
            and all(
                self._links.get(one.tool_use_id) == one.agent_id for one in record.links
            )
            and record == _unfolded(_folded(record))
        )

    def _note_past(self, record: Envelope) -> None:
        if not record.is_sidechain:
            self._links.update((one.tool_use_id, one.agent_id) for one in record.links)
        if record.timestamp:
            self._earliest = min(self._earliest or record.timestamp, record.timestamp)

    def _fold(self, record: Envelope) -> None:
        self._open.append(record)
        # What hangs from it names it by a text of its own then.
        self.scope.strings.pop(record.uuid, None)
        if len(self._open) == BLOCK_RECORDS:
            self._close_block()

    def _close_block(self) -> None:
        block = msgspec.msgpack.encode([_folded(record) for record in self._open])
        self._blocks.append(zlib.compress(block, 1))
        self._open.clear()


def iter_unfolded(block: bytes) -> Iterator[Envelope]:
    """Yield the records of a block, in the order of their file."""
    return map(_unfolded, _DECODER.decode(zlib.decompress(block)))


def _is_other(look: _Look, known: _Look | None) -> bool:
    """Return whether a note says anything else than what is `known`."""
    if known is None:
        return False
    return any(as_text(new) and new != old for new, old in zip(look, known, strict=True))


def _folded(record: Envelope) -> _Folded:
    return _Folded(
        record.uuid,
        record.parent_uuid or "",
        record.line,
        record.offset,
        record.size_bytes,
        record.timestamp,
        record.digest,
        record.agent_id,
        tuple((link.tool_use_id, link.agent_id) for link in record.links),
        record.line_digest,
    )


def _unfolded(folded: _Folded) -> Envelope:
    return Envelope(
        uuid=folded.uuid,
        parent_uuid=folded.parent_uuid,
        kind=_NOTE,
        line=folded.line,
        offset=folded.offset,
        size_bytes=folded.size_bytes,
        timestamp=folded.timestamp,
        digest=folded.digest,
        agent_id=folded.agent_id,
        links=tuple(AgentLink(*link) for link in folded.links),
        line_digest=folded.line_digest,
    )
