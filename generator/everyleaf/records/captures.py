"""A capture beside the session file, or beside another capture, of the same session.

What stands in both is one record: by its uuid, else by the response, the calls or the
words. What the capture alone has is fitted in where it arrived.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.model import Envelope, SessionRecords

_Key: TypeAlias = "tuple[object, ...]"


def merge_captures(files: Sequence[SessionRecords]) -> list[SessionRecords]:
    """Return `files` in their order, with no record of a session in two of them.

    Session files stay as they are. Captures of one session are one conversation, in the
    order of their first timestamps, then of their names. A message that a capture has in
    the midst of what the session file tells, and that nothing there hangs from, becomes a
    note: a branch that never was would else come of it.
    """
    sessions = {file.session for file in files if file.is_capture}
    known = {session: _Known() for session in sessions}
    for file in files:
        if file.session in sessions and not file.is_capture:
            known[file.session].add(file)
    merged: dict[int, SessionRecords] = {}
    for file in sorted(filter(lambda file: file.is_capture, files), key=_begun):
        merged[id(file)] = fitted = _fit(file, known[file.session])
        known[file.session].add(fitted)
    return [merged.get(id(file), file) for file in files]


class _Known(Struct):
    """What other files tell of a session."""

    agents: dict[str, str | None] = field(default_factory=dict["str", "str | None"])
    """uuid → agent that said it; None: the main conversation."""
    parents: set[str] = field(default_factory=set[str])
    same: dict[_Key, deque[str]] = field(default_factory=dict["_Key", "deque[str]"])
    last: str | None = None
    """The last conversation record of the main conversation."""

    def add(self, file: SessionRecords) -> None:
        for record in file.records:
            agent = record.agent_id if record.is_sidechain else None
            self.agents.setdefault(record.uuid, file.agent_id or agent)
            if record.parent_uuid:
                self.parents.add(record.parent_uuid)
            for key in _keys(record):
                self.same.setdefault(key, deque()).append(record.uuid)
            is_main = file.agent_id is None and not record.is_sidechain
            if is_main and record.kind in CONVERSATION:
                self.last = record.uuid

    def find(self, record: Envelope) -> str | None:
        """Return the uuid of the same record, if it is known; each is found once."""
        found = record.uuid if record.uuid in self.agents else None
        for key in _keys(record):
            others = self.same.get(key)
            if found is not None and others and found in others:
                others.remove(found)
            elif found is None and others:
                found = others.popleft()
        return found


def _keys(record: Envelope) -> Iterable[_Key]:
    match record.kind:
        case Kind.REPLY if record.message_id:
            return ((Kind.REPLY, record.message_id, record.digest),)
        case Kind.RESULT if record.tool_use_ids:
            return ((Kind.RESULT, record.tool_use_ids),)
        case Kind.PROMPT | Kind.SUMMARY:
            return ((record.kind, record.digest),)
        case _:
            return ()


def _begun(file: SessionRecords) -> tuple[bool, str, str, str]:
    first = next((record.timestamp for record in file.records if record.timestamp), "")
    return (not first, first, file.project, file.file)


def _fit(file: SessionRecords, known: _Known) -> SessionRecords:
    """Return a capture with what nothing else tells, hung from what others tell."""
    if not known.agents:
        return file
    found = [known.find(record) for record in file.records]
    chains: dict[str | None, list[int]] = {}
    for number, record in enumerate(file.records):
        chains.setdefault(record.agent_id, []).append(number)
    kept: dict[int, Envelope] = {}
    for agent, numbers in chains.items():
        kept |= _fit_chain(file, numbers, found, known, agent)
    return replace(file, records=tuple(kept[number] for number in sorted(kept)))


def _fit_chain(
    file: SessionRecords,
    numbers: list[int],
    found: list[str | None],
    known: _Known,
    agent: str | None,
) -> dict[int, Envelope]:
    matched = [number for number in numbers if found[number] is not None]
    before = found[matched[0]] if matched else (known.last if agent is None else None)
    name = known.agents.get(before or "", agent) if agent is not None else None
    end = matched[-1] if matched else -1
    kept: dict[int, Envelope] = {}
    for number in numbers:
        record = file.records[number]
        same = found[number]
        if same is not None:
            before = same
            continue
        is_extra = number < end and record.uuid not in known.parents
        kind = Kind.NOTE if is_extra else record.kind
        links = () if name != agent else record.links
        kept[number] = replace(
            record, parent_uuid=before, kind=kind, agent_id=name or agent, links=links
        )
        before = record.uuid
    return kept
