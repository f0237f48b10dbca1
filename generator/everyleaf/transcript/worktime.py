"""How long a conversation took, and how much of that was work."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from everyleaf.clock import parse_timestamp

if TYPE_CHECKING:
    from collections.abc import Iterable

    Spans = tuple[tuple[int, int], ...]
    """(begin, end) of stretches of work in milliseconds since 1970, in order of time, a
    pause of more than `GAP_MS` between two of them."""

GAP_MS = 30 * 60 * 1000
"""A longer pause than this is not counted as work."""
DAY_MS = 24 * 60 * 60 * 1000
_FIRST_DAY = date(1970, 1, 1).toordinal()


def find_spans(timestamps: Iterable[str]) -> Spans:
    """Return the stretches of work that `timestamps`, in any order, mark.

    What is no time is left out: files are not written in order of time.
    """
    moments = (parse_timestamp(text) for text in timestamps)
    found = (round(moment.timestamp() * 1000) for moment in moments if moment is not None)
    return join_spans((moment, moment) for moment in found)


def join_spans(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return the stretches of work that `spans`, in any order, make up together.

    Joining stretches gives what `find_spans` gives for all of their times at once.
    """
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if joined and begin - joined[-1][1] <= GAP_MS:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return tuple(joined)


def working_ms(spans: Spans) -> int:
    """Return the milliseconds of work, pauses of more than half an hour left out."""
    return sum(end - begin for begin, end in spans)


def days_of(spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the days (UTC) that stretches of work touch, each once and in order.

    >>> days_of([(0, 1), (DAY_MS - 1, DAY_MS)])
    ('1970-01-01', '1970-01-02')
    """
    days = {
        day for begin, end in spans for day in range(begin // DAY_MS, end // DAY_MS + 1)
    }
    return tuple(date.fromordinal(_FIRST_DAY + day).isoformat() for day in sorted(days))
