"""Times as transcripts write them, as people type them, and as seen from a given moment.

Nothing here reads a clock: builds are reproducible.
"""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import lru_cache

UNKNOWN = "Unknown time"
_YEARS = range(MINYEAR + 1, MAXYEAR)
"""Their days can be told in every zone; what is said to be of others is no time."""
_BEFORE = ((1, "Yesterday"), (7, "Past week"), (30, "Past month"))
"""Days back from today, and what is not older than that is called."""


@lru_cache(maxsize=1 << 10)  # Entries beside each other, and what is done to each.
def parse_timestamp(text: str) -> datetime | None:
    """Return `text` (ISO 8601; UTC where no zone is given) as a UTC time, or None."""
    try:
        moment = datetime.fromisoformat(text)
        moment = moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment if moment.year in _YEARS else None


def moment_of(timestamp: str) -> datetime:
    """Return a time to compare by; what is no time lies before all others."""
    return parse_timestamp(timestamp) or datetime.min.replace(tzinfo=UTC)


def group_of(timestamp: str, now: datetime) -> str:
    """Return the group of a time, by calendar days in the zone of `now`.

    >>> group_of("2026-01-30T23:00:00Z", datetime(2026, 1, 31, 1, tzinfo=UTC))
    'Yesterday'
    """
    moment = parse_timestamp(timestamp)
    if moment is None:
        return UNKNOWN
    days = (now.date() - moment.astimezone(now.tzinfo).date()).days
    if days <= 0:
        return "Today"
    return next((name for most, name in _BEFORE if days <= most), "Older")


def shown_moment(timestamp: str, zone: tzinfo | None) -> str:
    """Return `2026-01-31 14:05` in `zone` (None: the machine's); empty if it is no time."""
    moment = parse_timestamp(timestamp)
    return moment.astimezone(zone).isoformat(" ")[:16] if moment else ""


def parse_day(text: str, now: datetime, *, is_end: bool = False) -> datetime:
    """Return the moment that `text` names: a day, a day with a time, or `7d` before `now`.

    A day alone is its beginning; with `is_end`, the beginning of the next.

    Raises:
        ValueError: it is none of these.
    """
    if text[:-1].isdecimal() and text.endswith("d") and len(text) <= 6:
        day = now.replace(hour=0, minute=0, second=0, microsecond=0)
        return day - timedelta(days=int(text[:-1]) - is_end)
    moment = datetime.fromisoformat(text)
    if moment.year not in _YEARS:
        raise ValueError(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=now.tzinfo)
    is_day = len(text) <= len("2026-01-31")
    return moment + timedelta(days=1) if is_day and is_end else moment
