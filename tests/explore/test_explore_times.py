"""Groups of a list, and the days that people type."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from everyleaf.clock import group_of, parse_day, shown_moment

NOW = datetime(2026, 3, 31, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "group"),
    [
        ("2026-03-31T00:00:00Z", "Today"),
        ("2026-04-01T00:00:00Z", "Today"),
        ("2026-03-30T23:59:59Z", "Yesterday"),
        ("2026-03-30T00:00:00Z", "Yesterday"),
        ("2026-03-29T23:00:00Z", "Past week"),
        ("2026-03-24T00:00:00Z", "Past week"),
        ("2026-03-23T23:00:00Z", "Past month"),
        ("2026-03-01T00:00:00Z", "Past month"),
        ("2026-02-28T23:00:00Z", "Older"),
        ("", "Unknown time"),
        ("soon", "Unknown time"),
        ("0001-01-01T00:00:00Z", "Unknown time"),
        ("9999-12-31T23:59:59Z", "Unknown time"),
        ("0999-12-31T00:00:00Z", "Older"),
    ],
)
def test_groups_go_by_calendar_days(at, group):
    for hours in (-11, 0, 11):
        now = NOW.astimezone(timezone(timedelta(hours=hours)))
        assert group == "Unknown time" or hours or group_of(at, now) == group
        assert len(shown_moment(at, now.tzinfo)) == (0 if group == "Unknown time" else 16)


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_that_not_every_zone_has_is_none(day):
    with pytest.raises(ValueError, match=day):
        parse_day(day, NOW)


def test_groups_go_by_days_of_the_readers_zone():
    west = NOW.astimezone(timezone(timedelta(hours=-3)))

    assert group_of("2026-03-30T23:00:00Z", NOW) == "Yesterday"
    assert group_of("2026-03-30T23:00:00Z", west) == "Today"
    assert shown_moment("2026-03-30T23:00:00Z", west.tzinfo) == "2026-03-30 20:00"


def test_a_day_is_its_beginning_and_as_an_end_all_of_it():
    assert parse_day("2026-03-01", NOW) == datetime(2026, 3, 1, tzinfo=UTC)
    assert parse_day("2026-03-01", NOW, is_end=True) == datetime(2026, 3, 2, tzinfo=UTC)
    at = datetime(2026, 3, 1, 14, 5, tzinfo=UTC)
    assert parse_day("2026-03-01T14:05", NOW, is_end=True) == at
    assert parse_day("7d", NOW) == datetime(2026, 3, 24, tzinfo=UTC)
    assert parse_day("0d", NOW, is_end=True) == datetime(2026, 4, 1, tzinfo=UTC)
    with pytest.raises(ValueError, match="soon"):
        parse_day("soon", NOW)
