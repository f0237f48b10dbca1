"""Spreading work over processes; the results do not depend on how many there are."""

from __future__ import annotations

import gc
import os
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    OnProgress = Callable[[str, int, int], None]
    """Told what is done, how much of it is done, and how much there is."""

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_P = ParamSpec("_P")
_R = TypeVar("_R")


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


@contextmanager
def open_executor(jobs: int, *, is_small: bool = False) -> Generator[Executor]:
    """Yield an executor with `jobs` processes (0: one a core); none are started for one.

    `is_small` says that starting processes would cost more than the work. On an error or
    Ctrl-C, work that has not begun is dropped.
    """
    count = jobs or os.cpu_count() or 1
    if count == 1 or (is_small and not jobs):
        yield InProcess()
        return
    # Forking is fastest, and safe as long as this process has no second thread.
    is_forkable = sys.platform == "linux" and threading.active_count() == 1
    pool = ProcessPoolExecutor(count, get_context("fork" if is_forkable else "spawn"))
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def iter_done(
    executor: Executor,
    work: Callable[[_Item], _Result],
    items: Iterable[_Item],
) -> Iterator[tuple[int, _Result]]:
    """Yield (position in `items`, result of `work`) as results come in, in no fixed order.

    A result is let go once it was yielded, so that they never stand in memory all at once.

    Raises:
        Exception: what `work` raised for the first item that failed.
    """
    places = {executor.submit(work, item): place for place, item in enumerate(items)}
    for future in as_completed(list(places)):
        yield places.pop(future), future.result()


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
