"""Progress: a line a stage in logs, a bar on a terminal, nothing if quiet."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from everyleaf.cli.output import show_progress

if TYPE_CHECKING:
    from collections.abc import Callable


def report(on_progress: Callable[[str, int, int], None]) -> None:
    for done in (0, 250, 500):
        on_progress("reading", done, 500)


def test_a_stage_that_is_done_is_one_line_with_count_and_rate(capsys, monkeypatch):
    ticks = itertools.count(step=1.0)
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))

    with show_progress(is_quiet=False) as on_progress:
        report(on_progress)

    assert capsys.readouterr().err == "reading: 500 in 1.0 s, 500/s\n"


def test_a_stage_without_duration_has_no_rate(capsys, monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: 1.0)

    with show_progress(is_quiet=False) as on_progress:
        on_progress("reading", 5, 5)

    assert capsys.readouterr().err == "reading: 5 in 0.0 s\n"


def test_a_stage_that_counts_nothing_has_only_its_time(capsys, monkeypatch):
    ticks = itertools.count(step=2.0)
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))

    with show_progress(is_quiet=False) as on_progress:
        on_progress("finding paths", 0, 1)
        on_progress("finding paths", 1, 1)

    assert capsys.readouterr().err == "finding paths: 2.0 s\n"


def test_quiet_shows_nothing(capsys):
    with show_progress(is_quiet=True) as on_progress:
        report(on_progress)

    assert capsys.readouterr() == ("", "")


def test_a_terminal_gets_a_bar_on_stderr(capsys, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    with show_progress(is_quiet=False) as on_progress:
        report(on_progress)

    out, err = capsys.readouterr()
    assert out == ""
    assert "reading" in err
    assert "500/500" in err


@pytest.mark.usefixtures("capsys")
def test_a_bar_starts_no_thread_so_that_workers_can_be_forked(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    before = threading.active_count()

    with show_progress(is_quiet=False) as on_progress:
        on_progress("reading", 1, 2)
        during = threading.active_count()

    assert during == before


def test_the_first_bar_says_what_it_waits_for(capsys, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    with show_progress(is_quiet=False) as on_progress:
        begun = capsys.readouterr().err
        on_progress("looking for secrets", 26, 26)
        waiting = capsys.readouterr().err
        on_progress("reading", 26, 26)
        done = capsys.readouterr().err

    assert "finding sessions" in begun
    assert "waiting for the scanner" in waiting.rpartition("26/26")[2]
    assert "waiting" not in done.rpartition("looking for secrets")[2]


def test_a_terminal_that_knows_no_cursor_gets_lines(capsys, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    with show_progress(is_quiet=False) as on_progress:
        report(on_progress)

    err = capsys.readouterr().err
    assert err.startswith("reading: 500 in ")
    assert "\x1b" not in err


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_note_is_said_as_it_is(capsys, monkeypatch, is_terminal):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)

    with show_progress(is_quiet=False) as on_progress:
        on_progress("2 workers, [1] retry", 0, 0)
        err = capsys.readouterr().err

    assert "2 workers, [1] retry\n" in err
