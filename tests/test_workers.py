from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import weakref
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import active_children
from types import SimpleNamespace
from typing import TYPE_CHECKING, TypeVar, cast

import pytest
from hypothesis import given, strategies as st

from everyleaf.collector import collector_relaxed, give_back
from everyleaf.errors import LostJobError, ThemeError
from everyleaf.workers import (
    Engine,
    Load,
    iter_done,
    next_shift,
    open_executor,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Node:
    """Refers to itself, so that only the collector lets it go."""

    def __init__(self) -> None:
        self.me = self


def test_a_relaxed_collector_is_as_it_was_afterwards() -> None:
    gc.unfreeze()  # Who ends a process freezes all, and a test may have done that.
    before = gc.get_threshold(), gc.get_freeze_count()

    with collector_relaxed():
        assert gc.get_threshold() != before[0]

    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_a_collector_that_two_relax_is_as_it_was_whoever_ends_last() -> None:
    before = gc.get_threshold()
    first, second = collector_relaxed(), collector_relaxed()

    first.__enter__()  # They overlap, as those of two threads do.
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() != before
    second.__exit__(None, None, None)

    assert gc.get_threshold() == before


def test_cycles_that_were_made_meanwhile_are_let_go_in_the_end() -> None:
    with collector_relaxed():
        watched = weakref.ref(Node())

    assert watched() is None


def test_cycles_that_others_left_meanwhile_are_let_go_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("everyleaf.collector._next_full_s", 0.0)
    watched: list[weakref.ref[Node]] = []

    for _ in range(2):
        other = Node()
        watched.append(weakref.ref(other))
        with collector_relaxed():
            del other  # It was there before, and nobody else holds it.

    assert [one() is None for one in watched] == [True, False]
    monkeypatch.setattr("everyleaf.collector._next_full_s", 0.0)
    with collector_relaxed():
        pass
    assert watched[1]() is None


def told() -> tuple[int, list[str]]:
    return os.getpid(), list(LEARNED)


def learn() -> None:
    LEARNED.append("learned")


def fail() -> None:
    raise ThemeError("broken", hint="mend it")


LEARNED: list[str] = []


@pytest.fixture
def forgetful() -> Iterator[None]:
    yield
    LEARNED.clear()


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes be forked though other tests have left threads in this one."""
    if sys.platform != "linux":
        pytest.skip("nothing is forked there")
    monkeypatch.setattr(threading, "active_count", lambda: 1)


@pytest.mark.usefixtures("forking", "forgetful")
def test_the_next_shift_knows_what_was_prepared_in_this_process() -> None:
    with open_executor(2, prepare=learn) as executor:
        first, unprepared = executor.submit(told).result()
        next_shift(executor)
        second, prepared = executor.submit(told).result()

    assert len({first, second, os.getpid()}) == 3
    assert (unprepared, prepared) == ([], ["learned"])


def frozen_after_a_job() -> int:
    with collector_relaxed():
        pass
    return gc.get_freeze_count()


@pytest.mark.usefixtures("forking", "forgetful")
def test_processes_never_write_to_what_they_share_to_look_for_cycles() -> None:
    shared = [[number] for number in range(1_000)]

    with open_executor(2, prepare=learn) as executor:
        next_shift(executor)

        assert executor.submit(frozen_after_a_job).result() >= len(shared)
        assert gc.get_freeze_count() >= len(shared)  # Nor does this one.
    assert gc.get_freeze_count() == 0


def is_let_go_before_a_job() -> bool:
    watched = weakref.ref(Node())
    with collector_relaxed():
        return watched() is None


@pytest.mark.usefixtures("forking", "forgetful")
def test_cycles_that_a_worker_left_between_two_jobs_are_let_go() -> None:
    with open_executor(2, prepare=learn) as executor:
        next_shift(executor)

        assert executor.submit(is_let_go_before_a_job).result()


@pytest.mark.usefixtures("forking")
def test_what_fails_while_preparing_fails_the_next_shift() -> None:
    with open_executor(2, prepare=fail) as executor, pytest.raises(ThemeError):
        next_shift(executor)


@pytest.mark.usefixtures("forking", "forgetful")
def test_what_was_freed_is_given_back_before_others_are_forked_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("everyleaf.workers.give_back", lambda: LEARNED.append("gave"))

    with open_executor(2, prepare=learn) as executor:
        next_shift(executor)

        assert executor.submit(told).result()[1] == ["learned", "gave"]


def tear() -> None:
    """End this worker within its result, as Ctrl-C may."""
    frame = sys._getframe(1)
    os.write(frame.f_locals["result_queue"]._writer.fileno(), b"\0\0\1\0torn")
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.skipif(sys.platform != "linux", reason="that is how workers begin there")
def test_workers_that_end_within_a_result_are_not_waited_for() -> None:
    def interrupted() -> None:
        with open_executor(2) as executor:
            executor.submit(tear)
            time.sleep(0.5)
            for worker in active_children():
                os.kill(worker.pid or 0, signal.SIGINT)
                worker.join(10)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()


def test_a_single_process_has_no_shifts() -> None:
    with open_executor(1, prepare=learn) as executor:
        next_shift(executor)

        assert executor.submit(told).result() == (os.getpid(), [])


def test_giving_memory_back_asks_the_c_library_once_if_it_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace(malloc_trim=asked.append))
    give_back()
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace())
    give_back()

    assert asked == [0]


class Several(Engine):
    """An engine in this process, whose workers do not survive some items."""

    def __init__(self, poison: set[int]) -> None:
        self.poison = poison
        self.jobs: list[list[int]] = []

    @property
    def workers(self) -> int:
        return 2

    def run_all(
        self,
        work: Callable[[_Item], _Result],
        items: Sequence[_Item],
        load: Load[_Item] | None,
    ) -> Future[list[_Result]]:
        del load
        future: Future[list[_Result]] = Future()
        self.jobs.append([cast("int", item) for item in items])
        if self.poison.isdisjoint(self.jobs[-1]):
            future.set_result([work(item) for item in items])
        else:
            future.set_exception(LostJobError("lost"))
        return future


def double(number: int) -> int:
    return 2 * number


def as_it_is(number: int) -> int:
    return number


@pytest.mark.parametrize("most", [1, 2])
def test_no_more_are_at_work_than_may_be(most: int) -> None:
    at_work = 0
    seen: list[int] = []

    def work(item: int) -> int:
        nonlocal at_work
        at_work += 1
        time.sleep(0.01)
        seen.append(at_work)
        at_work -= 1
        return item

    with ThreadPoolExecutor(4) as executor:
        done = sorted(iter_done(executor, work, range(8), most=most))

    assert [result for _, result in done] == [*range(8)]
    assert max(seen) <= most


@given(
    st.lists(st.integers(0, 50), unique=True),
    st.sets(st.integers(0, 50)),
    st.integers(1, 100),
)
def test_an_engine_loses_no_item_but_those_that_no_worker_survives(
    items: list[int], poison: set[int], second_bytes: int
) -> None:
    engine = Several(poison)
    load = Load("work", as_it_is, second_bytes, sum(items))

    done = dict(iter_done(engine, double, items, load=load, lost=lambda item: -item))

    assert [done[at] for at in range(len(items))] == [
        -item if item in poison else 2 * item for item in items
    ]
    most = load.batch_bytes(2)
    assert all(len(job) == 1 or sum(job[:-1]) < most for job in engine.jobs)


def test_an_item_that_is_lost_is_an_error_where_nobody_makes_up_for_it() -> None:
    with pytest.raises(LostJobError):
        list(iter_done(Several({2}), double, [1, 2, 3]))


def test_what_is_put_ahead_goes_before_what_waits_in_jobs_too() -> None:
    engine, ahead = Several(set()), deque([7, 8])
    load = Load("work", as_it_is, 4, 100)

    done = [result for _, result in iter_done(engine, double, [1, 2, 3], ahead, load=load)]

    assert engine.jobs == [[7], [8], [1, 2, 3]]
    assert sorted(done) == [2, 4, 6, 14, 16]
