"""Guards against recursion and against work that grows as forks times depth."""

from __future__ import annotations

from msgspec.structs import replace

from everyleaf.graph.describe import describe
from everyleaf.graph.solve import solve
from everyleaf.graph.units import UnitIndex
from everyleaf.model import Envelope, Kind, SessionRecords


def _record(number, parent):
    kind = Kind.REPLY if number % 2 else Kind.PROMPT
    return Envelope(
        uuid=f"x{number}",
        parent_uuid=None if parent is None else f"x{parent}",
        kind=kind,
        line=number + 1,
        offset=0,
        size_bytes=1,
        message_id=f"m{number}" if number % 2 else None,
    )


def _session(name, records):
    return SessionRecords(
        session=name, project="p", file=f"{name}.jsonl", records=tuple(records)
    )


def _chain(length):
    return [_record(number, number - 1 if number else None) for number in range(length)]


def test_a_chain_of_50_000_records_is_one_path():
    forest = solve([_session("s", _chain(50_000))])

    (path,) = describe(forest).paths.values()
    assert path.messages == 50_000


def test_50_000_records_written_backwards_are_one_path():
    records = [
        replace(record, line=line)
        for line, record in enumerate(reversed(_chain(50_000)), 1)
    ]

    forest = solve([_session("s", records)])

    (path,) = describe(forest).paths.values()
    assert path.messages == 50_000


def test_a_cycle_of_50_000_records_is_cut_once():
    first, *rest = _chain(50_000)
    records = [replace(first, parent_uuid="x49999"), *rest]

    forest = solve([_session("s", records)])

    assert len(forest.kept) == 1
    assert [issue.code for issue in forest.issues] == ["cycle"]


def test_5_000_forks_down_one_chain_are_5_000_paths():
    records = [
        *_chain(10_000),
        *(_record(10_000 + 2 * number, 2 * number + 1) for number in range(4_999)),
    ]

    forest = solve([_session("s", records)])

    assert len(describe(forest).paths) == 5_000


def test_ten_copies_of_a_forked_session_are_its_own_paths_once():
    records = [
        *_chain(1_000),
        *(_record(1_000 + 2 * number, 2 * number + 1) for number in range(400)),
    ]

    forest = solve([_session(f"s{copy}", records) for copy in range(10)])

    assert len(forest.kept) == 401
    assert len(forest.container) == 9 * 401


def test_enumerating_walks_no_chain_once_a_leaf(monkeypatch):
    records = [
        *_chain(4_000),
        *(_record(4_000 + 2 * number, 2 * number + 1) for number in range(1_900)),
    ]
    steps = 0
    up = UnitIndex.up

    def counted(self, unit_id):
        nonlocal steps
        for above in up(self, unit_id):
            steps += 1
            yield above

    monkeypatch.setattr(UnitIndex, "up", counted)
    describe(solve([_session("s", records)]))

    # Every chain in full would be 1,900 * 2,000 steps on average.
    assert steps < 10 * len(records)
