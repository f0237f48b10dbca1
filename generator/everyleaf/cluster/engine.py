"""Hands jobs to the workers of a Dask scheduler, and follows what becomes of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from itertools import count
from typing import Any, ParamSpec, TypeVar
from uuid import uuid4

from distributed.scheduler import KilledWorker
from msgspec import Struct

from everyleaf.cluster.jobs import SharedValue, drawing_of, pickled, run_pickled
from everyleaf.digest import digest_hex
from everyleaf.errors import ClusterError, LostJobError
from everyleaf.report import ClusterWork, JobKind
from everyleaf.workers import Engine, Load, OnProgress

DaskClient = Any
DaskFuture = Any
"""Their methods return values or coroutines, depending on who calls, which no type says."""
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_P = ParamSpec("_P")

MOST_DEATHS = 3
"""Workers that may be lost with a job before it is given up."""
WORKERS_S = 60
"""Seconds to wait for a first worker, and for another when all are gone."""


class _Tally(Struct):
    jobs: int = 0
    size_bytes: int = 0
    seconds: float = 0.0


class _Running(Struct):
    """A job that was handed out."""

    there: DaskFuture | None
    here: Future[list[Any]]
    kind: str
    size_bytes: int
    most_deaths: int
    deaths: int = 0


class ClusterEngine(Engine):
    """The workers of a Dask scheduler, for the jobs of one build."""

    def __init__(self, client: DaskClient, theme: str, on_progress: OnProgress) -> None:
        """Count what becomes of the jobs that are handed to `client`, drawing `theme`."""
        self._client = client
        self._same = (theme, drawing_of(theme))
        self._on_progress = on_progress
        self._build = f"everyleaf-{uuid4().hex}"
        self._keys = (f"{self._build}-{number}" for number in count())
        self._running: dict[str, _Running] = {}
        self._shared: dict[int, tuple[str, object]] = {}
        """By id; held, so that no other value gets it."""
        self._present = set(client.scheduler_info(n_workers=-1)["workers"])
        self._retries = 0
        self._told = ""
        self._is_closing = False
        self._kinds: defaultdict[str, _Tally] = defaultdict(_Tally)
        self._busy: defaultdict[str, float] = defaultdict(float)
        client.subscribe_topic("all", self._hear)

    @property
    def workers(self) -> int:
        """Return how many workers there are now; at least one, which may come again."""
        return max(len(self._present), 1)

    def share(self, value: object) -> None:
        """Send `value` to each worker once; jobs that hold it, as `is` tells, name it."""
        if not value or id(value) in self._shared:
            return  # There is one empty tuple, and it is in everything.
        body = pickled(value, self._names())
        name = f"{self._build}-{digest_hex(body)}"
        for left in reversed(range(MOST_DEATHS)):
            try:
                self._client.register_plugin(SharedValue(name, body), name=name)
                break
            except OSError as error:  # Also where a worker was lost that it went to.
                if not left or self._client.status != "running":
                    raise _gone() from error
        self._shared[id(value)] = (name, value)

    def run_all(
        self,
        work: Callable[[_Item], _Result],
        items: Sequence[_Item],
        load: Load[_Item] | None,
    ) -> Future[list[_Result]]:
        """Have one worker do `work` with each of `items`."""
        if not hasattr(work, "__name__"):
            self.share(work)  # A function that holds what it works with.
        self._tell()
        name, size_bytes = (load.name, load.told(items)) if load else ("all else", 0)
        # Of several items one may be to blame: they are tried again one at a time.
        most = MOST_DEATHS if len(items) == 1 else 1
        key = next(self._keys)
        here: Future[list[Any]] = Future()
        running = _Running(None, here, name, size_bytes, most)
        self._running[key] = running
        body = pickled((work, items), self._names())
        if self._client.status != "running":
            raise _gone()
        there = self._client.submit(run_pickled, body, *self._same, key=key, pure=False)
        running.there = there
        self._client.loop.add_callback(self._settle, key, there)
        return here

    def submit(
        self, fn: Callable[_P, _Result], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Future[_Result]:
        """Hand one call to a worker; `run_all` is for many."""
        outer: Future[_Result] = Future()

        def hand_on(done: Future[list[_Result]]) -> None:
            error = done.exception()
            if error is not None:
                outer.set_exception(error)
            else:
                outer.set_result(done.result()[0])

        call = _Call(fn, args, kwargs)
        self.run_all(_call, [call], None).add_done_callback(hand_on)
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002  (as the class above has it)
        """End what runs, and let workers forget what they were sent."""
        self._is_closing = True
        waiting = [one.there for one in self._running.values() if one.there is not None]
        if self._client.status != "running":
            return  # The scheduler is gone, and has forgotten all of it.
        with suppress(OSError):
            self._client.cancel(waiting)
            self._client.unsubscribe_topic("all")
            for name, _ in self._shared.values():
                self._client.unregister_worker_plugin(name)

    def work(self) -> ClusterWork:
        """Return what was done so far."""
        kinds = (
            JobKind(name, one.jobs, one.size_bytes, one.seconds)
            for name, one in self._kinds.items()
        )
        busy = sorted(self._busy.values(), reverse=True)
        return ClusterWork(self._retries, tuple(kinds), tuple(busy))

    def _names(self) -> dict[int, str]:
        return {key: name for key, (name, _) in self._shared.items()}

    def _tell(self) -> None:
        """Say how many workers there are, where that changed."""
        said = f"{self.workers} {'worker' if self.workers == 1 else 'workers'}"
        if self._retries:
            said += f", {self._retries} {'retry' if self._retries == 1 else 'retries'}"
        if said != self._told:
            self._told = said
            self._on_progress(said, 0, 0)

    async def _settle(self, key: str, there: DaskFuture) -> None:
        """Hand on what became of a job; runs in the client's thread."""
        try:
            result = await there._result(raiseit=False)  # noqa: SLF001  (as `ClientExecutor` does)
        except Exception as error:  # noqa: BLE001  (who waits for it must hear of it)
            self._give_up(key, error)
            return
        running = self._running.pop(key, None)
        if running is None:
            return
        if there.status == "finished":
            done, seconds, name = result
            kind = self._kinds[running.kind]
            kind.jobs += 1
            kind.size_bytes += running.size_bytes
            kind.seconds += seconds
            self._busy[name] += seconds
            running.here.set_result(done)
        elif there.status == "error":
            is_lost = isinstance(result[1], KilledWorker)
            running.here.set_exception(_lost() if is_lost else result[1])
        elif not self._is_closing:
            running.here.set_exception(_gone())

    def _hear(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Take what the scheduler says of its workers; runs in the client's thread."""
        said = event[1]
        if said.get("action") == "add-worker":
            self._present.add(said["worker"])
        elif said.get("action") == "remove-worker":
            self._present.discard(said["worker"])
            keys: set[str] = set() if said["expected"] else said["processing-tasks"]
            for key in keys:
                if (running := self._running.get(key)) is not None:
                    self._retries += 1
                    running.deaths += 1
                    if running.deaths >= running.most_deaths:
                        self._give_up(key, _lost())
            if not self._present:
                self._client.loop.call_later(WORKERS_S, self._check_workers)

    def _check_workers(self) -> None:
        if not self._present and not self._is_closing:
            for key in list(self._running):
                self._give_up(key, no_workers())

    def _give_up(self, key: str, error: Exception) -> None:
        running = self._running.pop(key, None)
        if running is None:
            return
        if running.there is not None:
            self._client.loop.add_callback(_cancel, running.there)
        with suppress(InvalidStateError):
            running.here.set_exception(error)


async def _cancel(there: DaskFuture) -> None:
    await there.cancel()


class _Call(Struct, frozen=True):
    fn: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def _call(one: _Call) -> Any:  # noqa: ANN401  (whatever it returns)
    return one.fn(*one.args, **one.kwargs)


def _lost() -> LostJobError:
    return LostJobError(
        f"{MOST_DEATHS} workers were lost with the same job, one after the other",
        hint="there may be too little memory: give workers more",
    )


def _gone() -> ClusterError:
    return ClusterError(
        "the scheduler of the cluster is gone; nothing of the site was changed",
        hint="start it again, and build again: what was done is remembered",
    )


def no_workers() -> ClusterError:
    """Return what to say where there is nobody to do the work."""
    return ClusterError(
        f"the cluster has had no worker for {WORKERS_S} seconds",
        hint="start workers (`dask worker ADDRESS`), and build again",
    )
