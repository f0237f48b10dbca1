"""Watching: every change is built, and a failed build ends nothing."""

from __future__ import annotations

import threading
import time

import pytest

from everyleaf.errors import EveryleafError, SourceError
from everyleaf.preview import watch_sources


def test_a_session_that_grows_is_built_again_and_other_files_are_not(tmp_path):
    stop = threading.Event()
    built: list[float] = []
    failed: list[EveryleafError] = []

    def rebuild():
        built.append(time.monotonic())
        if len(built) == 2:
            raise SourceError("half written")
        if len(built) == 3:
            stop.set()

    def write():
        # The watcher needs a moment to begin; writing on makes that no matter of luck.
        for number in range(200):
            (tmp_path / "notes.md").write_text(str(number))
            if not failed or number % 10 == 0:
                (tmp_path / "s.jsonl").write_text(str(number))
            if stop.wait(0.1):
                return
        stop.set()

    writer = threading.Thread(target=write)
    writer.start()
    watch_sources([tmp_path], rebuild, failed.append, stop=stop)
    writer.join()

    assert len(built) == 3
    assert [error.message for error in failed] == ["half written"]


def test_other_files_are_not_watched(tmp_path):
    stop = threading.Event()
    built: list[int] = []
    failed: list[EveryleafError] = []

    def write():
        for number in range(12):
            (tmp_path / "notes.md").write_text(str(number))
            time.sleep(0.1)
        stop.set()

    writer = threading.Thread(target=write)
    writer.start()
    watch_sources([tmp_path], lambda: built.append(1), failed.append, stop=stop)
    writer.join()

    assert (built, failed) == ([1], [])


def test_what_changes_while_the_first_build_runs_is_built_again(tmp_path):
    stop = threading.Event()
    built: list[int] = []

    def rebuild():
        built.append(1)
        if len(built) == 1:
            (tmp_path / "s.jsonl").write_text("grown meanwhile")
            time.sleep(0.2)
        else:
            stop.set()

    threading.Timer(20, stop.set).start()
    watch_sources([tmp_path], rebuild, lambda _: None, stop=stop)

    assert len(built) == 2


def test_a_first_build_that_fails_ends_it(tmp_path):
    def rebuild():
        raise SourceError("nothing there")

    with pytest.raises(SourceError, match="nothing there"):
        watch_sources([tmp_path], rebuild, lambda _: None, stop=threading.Event())
