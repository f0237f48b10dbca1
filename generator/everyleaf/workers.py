"""Spreading work over processes; the results do not depend on how many there are."""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent import futures
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from itertools import count, islice
from threading import Thread
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from msgspec import Struct

from everyleaf.collector import give_back, is_forkable, keep_shared
from everyleaf.errors import LostJobError, WorkerError

if TYPE_CHECKING:
    # Slow to import, and no use to a build that finds little to do.
    from concurrent.futures import ProcessPoolExecutor

OnProgress = Callable[[str, int, int], None]
"""Told what is done, how much of it is done, and how much there is."""

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""

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


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Let Ctrl-C wait, for this process and for those that are started meanwhile.

    A process that has begun to be forked would else print where it was interrupted, and
    what Python calls after a fork would swallow the interrupt in this one.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows.
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Quiet(Executor):
    """Processes that Ctrl-C ends without a word; the one that started them says it."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(
        self, fn: Callable[_P, _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_R]:
        """Hand the call to a process, which may be started for it."""
        with _interrupts_held():
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  (as the class above has it)
        """End the processes; without `wait`, after what they do now."""
        results = getattr(self._pool, "_result_queue", None)
        if cancel_futures and results is not None:
            # Who was ended within a result leaves the rest to be waited for, and without an
            # end for as long as this process, which never does, could write it.
            results._writer.close()  # noqa: SLF001
            for process in [*self._pool._processes.values()]:  # noqa: SLF001
                process.terminate()
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


AHEAD = 8 + 4 * (os.cpu_count() or 1)
"""Pieces of work that are handed out before results are waited for."""
LOOK_S = 0.1
"""Seconds between two looks for work that a job which is not done has put aside."""
MOST_ITEMS = 256
"""In one job, however small they are."""
_ENDING = {signal.SIGINT, signal.SIGTERM}


class Engine(Executor):
    """Workers that may be on other machines, where a job costs more than a call does.

    Items go to them several at a time; what all jobs need is sent to each worker once.
    """

    @property
    def workers(self) -> int:
        """Return how many there are now; at least one, which may come again."""
        raise NotImplementedError

    def share(self, value: object) -> None:
        """Send `value` to each worker once; jobs that hold it, as `is` tells, name it."""
        raise NotImplementedError

    def run_all(
        self,
        work: Callable[[_Item], _Result],
        items: Sequence[_Item],
        load: Load[_Item] | None,
    ) -> Future[list[_Result]]:
        """Have one worker do `work` with each of `items`, and return what comes of it.

        The future raises `LostJobError` where workers were lost with them again and again.
        """
        raise NotImplementedError


class Load(Struct, Generic[_Item], frozen=True):
    """How much work there is, so that it can be handed out in jobs of about a second."""

    name: str
    """What the work is called, as in reports of progress."""
    size_of: Callable[[_Item], int]
    """Bytes of an item."""
    second_bytes: int
    """So many take about a second."""
    total_bytes: int
    """Of all items."""
    told_of: Callable[[_Item], int] | None = None
    """Bytes that reports count for an item, where that is something else."""

    def told(self, items: Iterable[_Item]) -> int:
        """Return how many bytes reports count for `items`."""
        return sum(map(self.told_of or self.size_of, items))

    def batch_bytes(self, workers: int) -> int:
        """Return how many bytes to put into a job, so that no worker waits for another."""
        return min(self.second_bytes, self.total_bytes // (4 * workers))


class Shifts(Executor):
    """Forked processes, and after `next_shift` others that begin as this one is by then.

    They are forked with the first work: what this one lets go before is in none of them.

    Meanwhile a thread of this process does what would else be done in each of them.
    """

    def __init__(self, count: int, prepare: Callable[[], None]) -> None:
        """Fork `count` processes now, and begin to `prepare`."""
        self._count = count
        self._pool: Executor | None = self._fork()
        self._thread = futures.ThreadPoolExecutor(1)
        self._prepared = self._thread.submit(prepare)

    def submit(
        self, fn: Callable[_P, _R], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_R]:
        """Hand the call to the processes there are, or to some that are forked for it."""
        if self._pool is None:
            give_back()
            # What all share is looked through, and so copied, neither in each nor here.
            gc.freeze()
            self._pool = self._fork()
        return self._pool.submit(fn, *args, **kwargs)

    def next_shift(self) -> None:
        """End the processes; what comes is done by others.

        Raises:
            Exception: what `prepare` raised.
        """
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
        self._thread.shutdown()
        self._prepared.result()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002  (as the class above has it)
        """End the processes; without `wait`, after what they do now."""
        self._thread.shutdown(wait, cancel_futures=cancel_futures)
        if self._pool is not None:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)
        gc.unfreeze()

    def _fork(self) -> Executor:
        pool = _open_pool(self._count)
        pool.submit(int)  # All are forked with the first work: before there are threads.
        return pool


@contextmanager
def open_executor(
    jobs: int, *, is_small: bool = False, prepare: Callable[[], None] | None = None
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
    if prepare is not None and is_forkable():
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


def share(executor: Executor, value: object) -> None:
    """Send `value` once to workers on other machines; jobs then need not carry it."""
    if isinstance(executor, Engine):
        executor.share(value)


def next_shift(executor: Executor) -> None:
    """Let processes that can be forked anew begin with all that this one knows by now."""
    if isinstance(executor, Shifts):
        executor.next_shift()


def _open_pool(count: int, prepare: Callable[[], None] | None = None) -> Executor:
    # As above.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    context = get_context("fork" if is_forkable() else "spawn")
    pool = ProcessPoolExecutor(count, context, initializer=_begin, initargs=(prepare,))
    return _Quiet(pool)


def _begin(prepare: Callable[[], None] | None) -> None:
    """Make this process one that Ctrl-C ends at once, unless it is ignored."""
    keep_shared()
    # One whose parent was killed would wait for work without an end.
    Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    if prepare is not None:
        prepare()


def _end_with_parent() -> None:
    import multiprocessing  # noqa: PLC0415  (as above)

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def iter_done(  # noqa: PLR0913  (all but three for engines, or schedulers)
    executor: Executor,
    work: Callable[[_Item], _Result],
    items: Iterable[_Item],
    ahead: deque[_Item] | None = None,
    *,
    load: Load[_Item] | None = None,
    lost: Callable[[_Item], _Result] | None = None,
    look: Callable[[], bool] | None = None,
    most: int = AHEAD,
) -> Iterator[tuple[int, _Result]]:
    """Yield (number of an item, result of `work`) as results come in, in no fixed order.

    Items are numbered as they are begun: in the order of `items`, except that what a caller
    puts into `ahead` meanwhile is begun before those that still wait. Any executor will do:
    `work` and its items are picklable, and need no shared memory. Items are taken, and
    results let go, at `most` so many at a time: they never stand in memory all at once.

    An `Engine` gets small items together, by their `load`. Where its workers were lost with
    an item again and again, `lost` says what to yield for it, or raises. With any other,
    `look` is called now and then while it says so: it may put items into `ahead`.

    Raises:
        WorkerError: a process was killed from outside.
        Exception: what `work` raised for the first item that failed.
    """
    first: deque[_Item] = deque() if ahead is None else ahead
    waiting, numbers = iter(items), count()
    running: dict[Future[list[_Result]], list[tuple[int, _Item]]] = {}
    again: deque[list[tuple[int, _Item]]] = deque()
    engine = executor if isinstance(executor, Engine) else None
    while True:
        may_come = engine is None and look is not None and look()
        room = most if engine is None else engine.workers + 2 + engine.workers // 4
        while len(running) < room:
            workers = engine.workers if engine else 0
            fresh = [] if again else _next_batch(first, waiting, load, workers)
            batch = again.popleft() if again else [(next(numbers), one) for one in fresh]
            if not batch:
                break
            some = [item for _, item in batch]
            if engine is None:
                future = executor.submit(_do_all, work, some)
            else:
                future = engine.run_all(work, some, load)
            running[future] = batch
        if not running:
            return
        timeout_s = LOOK_S if may_come else None
        for future in futures.wait(running, timeout_s, futures.FIRST_COMPLETED).done:
            batch = running.pop(future)
            try:
                results = _result(future)
            except LostJobError:
                if len(batch) > 1:
                    # One of them may be too much for any worker; not the others.
                    again.extend([one] for one in batch)
                    continue
                if lost is None:
                    raise
                results = [lost(item) for _, item in batch]
            yield from zip((number for number, _ in batch), results, strict=True)


def _next_batch(
    first: deque[_Item], items: Iterator[_Item], load: Load[_Item] | None, workers: int
) -> list[_Item]:
    """Return items for one job; none: nothing waits. Without `workers`, one."""
    batch: list[_Item] = []
    load = load if workers else None
    left = load.batch_bytes(workers) if load else 0
    while len(batch) < MOST_ITEMS:
        # The first may be filled again when all others were taken.
        found = [first.popleft()] if first else [*islice(items, 1)]
        batch += found
        left -= load.size_of(found[0]) if load and found else 0
        if not found or left <= 0:
            break
    return batch


def _do_all(work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    return [work(item) for item in items]


def _result(future: Future[_Result]) -> _Result:
    try:
        return future.result()
    except futures.BrokenExecutor as error:
        raise WorkerError(
            "a worker process was ended from outside; nothing of the site was changed",
            hint="there may be too little memory: try again with --jobs 1",
        ) from error
