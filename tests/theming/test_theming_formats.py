"""Numbers and times as pages print them."""

from __future__ import annotations

import doctest

import pytest

from everyleaf.theming import formats
from everyleaf.transcript.words import duration, tool_name


def test_examples_in_the_docstrings_hold():
    failed, tried = doctest.testmod(formats)

    assert failed == 0
    assert tried >= 3


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [
        (-5, "0 ms"),
        (999, "999 ms"),
        (1000, "1 s"),
        (59_949, "59.9 s"),
        (59_950, "1 min"),
        (3_599_400, "59 min 59 s"),
        (3_599_600, "1 h"),
        (111_840_000, "31 h 4 min"),
    ],
)
def test_durations_have_their_two_largest_units(milliseconds: int, words: str):
    assert duration(milliseconds) == words


def test_times_are_utc_whatever_their_zone():
    assert formats.format_moment("2026-03-14T09:26:53+02:00") == "2026-03-14 07:26"
    assert formats.format_clock("2026-03-14T09:26:53.9Z") == "09:26:53"


def test_what_is_no_time_is_shown_as_it_is():
    assert formats.format_moment("yesterday") == "yesterday"
    assert formats.format_clock("yesterday") == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [("mcp__git__push", "git: push"), ("mcp__odd", "mcp__odd"), ("my__tool", "my__tool")],
)
def test_only_tools_of_servers_are_renamed(name: str, shown: str):
    assert tool_name(name) == shown
