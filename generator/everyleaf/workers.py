"""Spreading work over processes; the results do not depend on how many there are."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections import deque
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from itertools import chain, count, islice
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from everyleaf.errors import WorkerError
from everyleaf.interrupts import begin_quietly, interrupts_held

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import ProcessPoolExecutor

    OnProgress = Callable[[str, int, int], None]
    """Told what is done, how much of it is done, and how much there is."""

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""
RELAXED_AFTER = 20_000
"""New values after which a relaxed collector looks at them; 700 is what Python does."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_P = ParamSpec("_P")
_R = TypeVar("_R")


def say_nothing(_stage: str, _done: int, _total: int) -> None:
    """Take a report of progress that nobody asked for."""


class InProcess(Executor):
    """An executor that does each piece of work at once, in this process."""

    def submit(
        self, fn: Callable[_P, _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_R]:
        """Call `fn` now and return its finished future; what it raises is in it."""
        future: Future[_R] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  (an executor hands on whatever it was)
            future.set_exception(error)
        return future


class _Quiet(Executor):
    """Processes that Ctrl-C ends without a word; the one that started them says it."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(
        self, fn: Callable[_P, _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_R]:
        """Hand the call to a process, which may be started for it."""
        with interrupts_held():
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  (as the class above has it)
        """End the processes; without `wait`, after what they do now."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


AHEAD = 8 + 4 * (os.cpu_count() or 1)
"""Pieces of work that are handed out before results are waited for."""


class Shifts(Executor):
    """Forked processes, and after `next_shift` others that begin as this one is then.

    Meanwhile a thread of this process does what would else be done in each of them.
    """

    def __init__(self, count: int, prepare: Callable[[], None]) -> None:
        """Fork `count` processes now, and begin to `prepare`."""
        self._count = count
        self._pool = self._fork()
        self._thread = ThreadPoolExecutor(1)
        self._prepared = self._thread.submit(prepare)

    def submit(
        self, fn: Callable[_P, _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_R]:
        """Hand the call to the processes there are now."""
        return self._pool.submit(fn, *args, **kwargs)

    def next_shift(self) -> None:
        """End the processes, and fork others from what this one has become.

        Raises:
            Exception: what `prepare` raised.
        """
        self._pool.shutdown()
        self._thread.shutdown()
        self._prepared.result()
        # What all of them share is not to be looked through, and so copied, in each.
        gc.freeze()
        try:
            self._pool = self._fork()
        finally:
            gc.unfreeze()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  (as the class above has it)
        """End the processes; without `wait`, after what they do now."""
        self._thread.shutdown(wait, cancel_futures=cancel_futures)
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _fork(self) -> Executor:
        pool = _open_pool(self._count)
        pool.submit(int)  # All are forked with the first work: before there are threads.
        return pool


@contextmanager
def open_executor(
    jobs: int,
    *,
    is_small: bool = False,
    prepare: Callable[[], None] | None = None,
) -> Generator[Executor]:
    """Yield an executor with `jobs` processes (0: one a core); none are started for one.

    `is_small` says that starting processes would cost more than the work. To `prepare` is
    done once where processes can be forked from one that did it, after `next_shift`; else
    each process begins with it, while this one goes on. On an error or Ctrl-C, work that
    has not begun is dropped.
    """
    count = jobs or os.cpu_count() or 1
    if count == 1 or (is_small and not jobs):
        yield InProcess()
        return
    pool: Executor
    if prepare is not None and _is_forkable():
        pool = Shifts(count, prepare)
    else:
        pool = _open_pool(count, prepare)
    try:
        if prepare is not None:
            pool.submit(int)  # Processes begin with the first work, and so with `prepare`.
        yield pool
    except BaseException:
        # Its thread, left alone, would still run into what the end of Python closes.
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def give_back() -> None:
    """Give memory that was freed back to the system, where the C library waits to be told.

    For who goes on beside others that need it.
    """
    # Slow to import, and of use to what takes much memory alone.
    import ctypes  # noqa: PLC0415

    if sys.platform == "linux":
        # Not every C library has it.
        trim: Callable[[int], int] | None
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def next_shift(executor: Executor) -> None:
    """Let processes that can be forked anew begin with all that this one knows by now."""
    if isinstance(executor, Shifts):
        executor.next_shift()


def _is_forkable() -> bool:
    """Return whether to fork, which is fastest, and safe while there is no other thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def _open_pool(count: int, prepare: Callable[[], None] | None = None) -> Executor:
    # Slow to import, and no use to a build that finds little to do.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    context = get_context("fork" if _is_forkable() else "spawn")
    pool = ProcessPoolExecutor(
        count, context, initializer=begin_quietly, initargs=(prepare,)
    )
    return _Quiet(pool)


def iter_done(
    executor: Executor,
    work: Callable[[_Item], _Result],
    items: Iterable[_Item],
    ahead: deque[_Item] | None = None,
) -> Iterator[tuple[int, _Result]]:
    """Yield (number of an item, result of `work`) as results come in, in no fixed order.

    Items are numbered as they are begun: in the order of `items`, except that what a caller
    puts into `ahead` meanwhile is begun before those that still wait. Any executor will do:
    `work` and its items are picklable, and need no shared memory. Items are taken, and
    results let go, a few at a time: they never stand in memory all at once.

    Raises:
        WorkerError: a process was killed from outside.
        Exception: what `work` raised for the first item that failed.
    """
    first: deque[_Item] = deque() if ahead is None else ahead
    waiting, numbers = iter(items), count()
    running: dict[Future[_Result], int] = {}
    while True:
        room = AHEAD - len(running)
        for item in islice(chain(_emptied(first), waiting), room):
            running[executor.submit(work, item)] = next(numbers)
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), _result(future)


def _emptied(items: deque[_Item]) -> Iterator[_Item]:
    while items:
        yield items.popleft()


def _result(future: Future[_Result]) -> _Result:
    try:
        return future.result()
    except BrokenExecutor as error:
        raise WorkerError(
            "a worker process was ended from outside; nothing of the site was changed",
            hint="there may be too little memory: try again with --jobs 1",
        ) from error


@contextmanager
def collector_paused() -> Generator[None]:
    """Collect no cycles meanwhile: for work that makes many values, none of them in one.

    With millions of values alive, looking through them again and again takes a third of
    the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


_relaxing = threading.Lock()
_relaxed: list[tuple[int, int, int]] = []
"""The thresholds that each began with who relaxes the collector now."""


@contextmanager
def collector_relaxed() -> Generator[None]:
    """Look for cycles rarely meanwhile, and only among values that are made meanwhile.

    What is left of them in the end is let go, so that memory does not grow from one piece
    of work to the next. Without any collector a build took an eighth less time.
    """
    with _relaxing:
        _relaxed.append(gc.get_threshold())
        if len(_relaxed) == 1:
            gc.freeze()
            gc.set_threshold(RELAXED_AFTER, *_relaxed[0][1:])
    try:
        yield
    finally:
        gc.collect()
        with _relaxing:
            # Threads may end in any order; the first of them knows how it was.
            before = _relaxed[0]
            _relaxed.pop()
            if not _relaxed:
                gc.unfreeze()
                gc.set_threshold(*before)
