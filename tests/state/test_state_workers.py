"""Work handed to any executor: the same site, and none half made when a worker dies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import WorkerError
from everyleaf.publish.disk import STAGING, open_stage
from everyleaf.publish.site import verify_site
from everyleaf.workers import AHEAD, InProcess, iter_done
from sessions import write_session
from state.building import ROOT, build, contents

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from concurrent.futures import Executor
    from pathlib import Path

EXAMPLE = ROOT / "examples" / "archive"


def spawning() -> Executor:
    return ProcessPoolExecutor(2, get_context("spawn"))


def use(patch: pytest.MonkeyPatch, make: Callable[[], Executor]) -> None:
    """Let builds hand their work to what `make` gives."""

    @contextmanager
    def opened(*_: object, **__: object) -> Generator[Executor]:
        with make() as executor:
            yield executor

    patch.setattr("everyleaf.workers.open_executor", opened)


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(3), spawning])
def test_any_executor_makes_the_same_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[], Executor]
) -> None:
    build(EXAMPLE, tmp_path / "here", has_cache=False)
    use(monkeypatch, make)

    build(EXAMPLE, tmp_path / "there", has_cache=False)

    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a forked worker knows this module")
def test_killed_worker_is_an_error_and_leaves_the_last_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "one")
    build(source, tmp_path / "site")
    before = contents(tmp_path / "site")
    write_session(source, "one", 2)
    use(monkeypatch, lambda: ProcessPoolExecutor(1, get_context("fork")))
    monkeypatch.setattr("everyleaf.renderjobs.run_job", die)

    with pytest.raises(WorkerError, match="ended from outside"):
        build(source, tmp_path / "site", title="More than one line is new")

    assert contents(tmp_path / "site") == before


def test_interrupted_build_leaves_the_last_site_and_the_next_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "one")
    build(source, tmp_path / "site")
    before = contents(tmp_path / "site")
    write_session(source, "one", 2)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("everyleaf.renderjobs.run_job", interrupt)
        with pytest.raises(KeyboardInterrupt):
            build(source, tmp_path / "site")
    between = contents(tmp_path / "site")
    report = build(source, tmp_path / "site")

    assert between == before
    assert report.counts.pages == 3


def test_a_site_that_was_deleted_is_work_for_all_processes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small: list[bool] = []

    @contextmanager
    def opened(*_: object, is_small: bool, **__: object) -> Generator[Executor]:
        small.append(is_small)
        yield InProcess()

    source = tmp_path / "projects" / "-w-app"
    write_session(source, "one")
    monkeypatch.setattr("everyleaf.workers.open_executor", opened)
    monkeypatch.setattr("everyleaf.workers.SMALL_BYTES", 1)
    build(source, tmp_path / "site")
    (tmp_path / "site" / "index.html").unlink()
    build(source, tmp_path / "site")
    shutil.rmtree(tmp_path / "site")
    build(source, tmp_path / "site")

    assert small == [False, True, False]


def test_what_a_killed_build_left_goes_with_the_next_one_that_finds_nothing_to_do(
    tmp_path: Path,
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "one")
    build(source, tmp_path / "site")
    stage = tmp_path / "site" / STAGING
    with open_stage(tmp_path / "site"):
        assert (stage / ".gitignore").read_text("utf-8") == "*\n"
    stage.mkdir()
    (stage / "7").write_text("a page", encoding="utf-8")
    left = verify_site(tmp_path / "site").extra
    report = build(source, tmp_path / "site")

    assert left == (f"{STAGING}/7",)
    assert not stage.exists()
    assert report.wrote == 0


def test_work_is_handed_out_a_few_pieces_at_a_time() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10 * AHEAD):
            taken.append(number)
            yield number

    done = iter_done(InProcess(), abs, items())
    place, result = next(done)

    assert place == result
    assert len(taken) == AHEAD


def test_what_is_put_ahead_is_begun_before_what_still_waits() -> None:
    ahead: deque[int] = deque()
    results: list[int] = []

    for _, result in iter_done(InProcess(), abs, range(2 * AHEAD), ahead):
        results.append(result)
        if result == AHEAD - 1:
            ahead.append(-1_000)

    assert sorted(results) == [*range(2 * AHEAD), 1_000]
    assert results.index(1_000) < results.index(2 * AHEAD - 1)


def test_what_is_put_ahead_in_the_end_is_done_too() -> None:
    ahead: deque[int] = deque()
    done: list[tuple[int, int]] = []

    for number, result in iter_done(InProcess(), abs, [1], ahead):
        done.append((number, result))
        if result < 3:
            ahead.append(result + 1)

    assert done == [(0, 1), (1, 2), (2, 3)]


def test_error_of_a_piece_of_work_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(iter_done(InProcess(), lambda number: 1 // number, [1, 0]))


def test_of_two_builds_at_once_one_wins_whole(tmp_path: Path) -> None:
    source = tmp_path / "logs" / "-w-app"
    for number in range(4):
        write_session(source, f"s{number}", 20, prefix=str(number))
    build(source, tmp_path / "site", has_search=False)
    sites: dict[str, dict[str, bytes]] = {}
    for title in ("one", "two"):
        build(
            source,
            tmp_path / title,
            has_search=False,
            title=title,
            redact={"is_on": False},
        )
        sites[title] = contents(tmp_path / title)
    command = [sys.executable, "-m", "everyleaf", "build", str(source), "--no-search"]
    command += ["-q", "--no-redact", "--jobs", "1", "--out", str(tmp_path / "site")]

    def run(title: str) -> subprocess.CompletedProcess[str]:
        asked = [*command, "--title", title]
        return subprocess.run(asked, capture_output=True, text=True, check=False)

    with ThreadPoolExecutor(2) as threads:
        done = list(threads.map(run, sites))
    codes = {one.returncode: one.stderr for one in done}

    assert 0 in codes
    assert contents(tmp_path / "site") in sites.values()
    assert all("another build" in said for code, said in codes.items() if code)
