from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from everyleaf.transcript.facts import (
    GAP_MS,
    days_of,
    find_spans,
    join_spans,
    working_ms,
)

TIMES = [
    "2026-01-05T10:00:00Z",
    "2026-01-05T10:20:00Z",
    "2026-01-05T12:00:00Z",
    "2026-01-05T12:30:00Z",
]
MINUTE = 60_000
minutes = st.lists(st.integers(0, 300), max_size=20)


def test_pauses_of_more_than_half_an_hour_are_no_work():
    spans = find_spans(TIMES)

    assert working_ms(spans) == 50 * MINUTE


def test_times_need_neither_order_nor_sense():
    mixed = ["", TIMES[3], "yesterday", TIMES[0], TIMES[2], TIMES[1]]

    assert find_spans(mixed) == find_spans(TIMES)
    assert (find_spans([""]), working_ms(())) == ((), 0)


def test_days_worked_on_are_counted_once_each():
    spans = find_spans(
        [*TIMES, "2026-01-05T23:50:00Z", "2026-01-06T00:10:00Z", "0001-01-01"]
    )

    assert days_of(spans) == ("0001-01-01", "2026-01-05", "2026-01-06")


@given(minutes)
def test_work_is_what_lies_between_neighbours_less_the_pauses(moments: list[int]):
    ordered = sorted(moment * MINUTE for moment in moments)
    gaps = (later - earlier for earlier, later in pairwise(ordered))

    assert working_ms(find_spans(map(_at, moments))) == sum(g for g in gaps if g <= GAP_MS)


@given(st.lists(minutes, max_size=6))
def test_stretches_of_turns_join_to_those_of_all_their_records(turns: list[list[int]]):
    apart = [span for turn in turns for span in find_spans(map(_at, turn))]
    together = find_spans(_at(moment) for turn in turns for moment in turn)

    assert join_spans(apart) == together


def _at(minute: int) -> str:
    return (datetime(2026, 1, 5, tzinfo=UTC) + timedelta(minutes=minute)).isoformat()
