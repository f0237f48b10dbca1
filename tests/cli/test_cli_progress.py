"""Progress: a line a stage in logs, a bar on a terminal, nothing if quiet."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from everyleaf.cli.progress import show_progress

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
