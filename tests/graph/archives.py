"""Strategies for small archives: plausible ones, and garbage."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st
from msgspec.structs import replace

from everyleaf.digest import digest_int
from everyleaf.model import Envelope, ForkedFrom, Kind, Marker, MarkerKind, SessionRecords

_KINDS = [
    Kind.PROMPT,
    Kind.PROMPT,
    Kind.REPLY,
    Kind.REPLY,
    Kind.REPLY,
    Kind.RESULT,
    Kind.NOTE,
    Kind.INJECTED,
    Kind.STEERING,
    Kind.ECHO,
]


@dataclass
class _Growing:
    """A session that is being written."""

    name: str
    records: list[Envelope] = field(default_factory=list)

    def finish(self) -> SessionRecords:
        return SessionRecords(
            session=self.name,
            project="p",
            file=f"{self.name}.jsonl",
            records=tuple(self.records),
            source=int(self.name[1:]),
        )


def _record(number: int, kind: Kind, parent: str | None, message: str) -> Envelope:
    uuid = f"{kind[0]}{number}"
    return Envelope(
        uuid=uuid,
        parent_uuid=parent,
        kind=kind,
        line=0,
        offset=0,
        size_bytes=1,
        timestamp=f"2026-01-01T00:00:00.{number:06}Z",
        digest=digest_int(uuid.encode()),
        message_id=(message or uuid) if kind is Kind.REPLY else None,
        request_id="req" if kind is Kind.REPLY else None,
        is_synthetic=message == "synthetic" and kind is Kind.REPLY,
        words=f"words of {uuid}",
    )


_Step = tuple[Kind, int, str]
_STEPS = st.tuples(
    st.sampled_from(_KINDS),
    st.sampled_from([1, 1, 1, 1, 2, 2, 3, 4, 6, 9, 0]),
    st.sampled_from(["", "", "M1", "M2", "synthetic"]),
)
"""Kind, how many records back the parent stands (0: none), API message."""


@st.composite
def archives(draw: st.DrawFn, *, sessions: int = 4, size: int = 9) -> list[SessionRecords]:
    """Return sessions of plain parents, some of them copies of parts of earlier ones."""
    written: list[_Growing] = []
    number = 0
    plans = st.lists(_STEPS, min_size=1, max_size=size)
    for index, steps in enumerate(draw(st.lists(plans, min_size=1, max_size=sessions))):
        session = _Growing(f"s{index}")
        if written and draw(st.integers(0, 3)) > 0:
            source = written[draw(st.integers(0, index - 1))]
            _copy(draw, source, session)
        for step in steps[:-1] if session.records else steps:
            number += 1
            _append(session, step, number)
        written.append(session)
    return [session.finish() for session in written]


def _append(session: _Growing, step: _Step, number: int) -> None:
    kind, back, message = step
    above = session.records
    if kind is Kind.RESULT:
        above = [record for record in above if record.kind is Kind.REPLY]
        kind, back = (Kind.RESULT, max(back, 1)) if above else (Kind.PROMPT, 0)
    parent = above[-min(back, len(above))].uuid if above and back else None
    record = _record(number, kind, parent, message)
    session.records.append(replace(record, line=len(session.records) + 1))


def _copy(draw: st.DrawFn, source: _Growing, target: _Growing) -> None:
    """Copy a chain, a beginning, some branches or a merged line of `source`."""
    way, length, *flags = draw(
        st.tuples(st.integers(0, 2), st.integers(1, 12), *([st.booleans()] * 3))
    )
    without_notes, is_merged, is_fresh = flags
    chosen = source.records[:length]
    if way:
        several = source.records[length - 1 :: 3] or source.records[-1:]
        chosen = _with_ancestors(source, several if way == 1 else chosen[-1:])
    name: dict[str, str] = {}
    last: str | None = None
    for record in chosen:
        parent = name.get(record.parent_uuid or "")
        if without_notes and record.kind is Kind.NOTE:
            if parent is not None:
                name[record.uuid] = parent
            continue
        uuid = f"{target.name}-{record.uuid}" if is_fresh else record.uuid
        name[record.uuid] = uuid
        copy = replace(
            record,
            uuid=uuid,
            parent_uuid=last if is_merged else parent,
            line=len(target.records) + 1,
        )
        if is_fresh:
            copy = replace(copy, forked_from=ForkedFrom(source.name, record.uuid))
        target.records.append(copy)
        last = uuid


def _with_ancestors(source: _Growing, chosen: list[Envelope]) -> list[Envelope]:
    by_uuid = {record.uuid: record for record in source.records}
    wanted: set[str] = set()
    for record in chosen:
        at: Envelope | None = record
        while at is not None:
            wanted.add(at.uuid)
            at = by_uuid.get(at.parent_uuid or "")
    return [record for record in source.records if record.uuid in wanted]


_NAMES = [f"x{number}" for number in range(9)]
_NAME = st.sampled_from([*_NAMES, "nowhere"])
_MAYBE = st.none() | _NAME
_TIME = st.sampled_from(["", "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", "not a time"])

garbage_records = st.builds(
    Envelope,
    uuid=st.sampled_from(_NAMES),
    parent_uuid=_MAYBE,
    kind=st.sampled_from(list(Kind)),
    line=st.just(0),
    offset=st.just(0),
    size_bytes=st.just(1),
    timestamp=_TIME,
    digest=st.integers(0, 2),
    is_sidechain=st.sampled_from([False, False, False, True]),
    agent_id=st.sampled_from([None, None, "g1"]),
    message_id=st.sampled_from([None, "M1", "M2"]),
    is_synthetic=st.booleans(),
    tool_use_ids=st.sampled_from([(), ("T1",), ("T2",)]),
    blocks=st.sampled_from([(), (1,), (1, 2)]),
    words=st.sampled_from(["", "Warmup", "some words"]),
    forked_from=st.none() | st.builds(ForkedFrom, st.sampled_from(["g0", "g1"]), _NAME),
    logical_parent_uuid=_MAYBE,
    preserved=st.lists(_NAME, max_size=2).map(tuple),
)
_garbage_markers = st.builds(
    Marker,
    kind=st.sampled_from(list(MarkerKind)),
    line=st.integers(1, 12),
    text=st.sampled_from(["", "A title", "codebase search"]),
    leaf_uuid=_MAYBE,
    is_explicit=st.booleans(),
    timestamp=_TIME,
)


@st.composite
def garbage(draw: st.DrawFn, *, size: int = 10) -> list[SessionRecords]:
    """Return sessions whose records name each other at random, across files too."""
    files: list[SessionRecords] = []
    for index in range(draw(st.integers(1, 4))):
        records = draw(st.lists(garbage_records, max_size=size))
        is_agent = draw(st.integers(0, 5)) == 5
        files.append(
            SessionRecords(
                session=f"g{draw(st.integers(0, 2))}",
                project=f"p{index}",
                file=f"f{index}.jsonl",
                records=tuple(
                    replace(record, line=line) for line, record in enumerate(records, 1)
                ),
                markers=tuple(draw(st.lists(_garbage_markers, max_size=3))),
                has_parents=draw(st.integers(0, 5)) < 5,
                agent_id=draw(st.sampled_from(["g1", "acompact-1"])) if is_agent else None,
                source=index,
            )
        )
    return files
