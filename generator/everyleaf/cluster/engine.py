"""Connects to a cluster fit for a build, hands jobs to it, follows what becomes of them."""

from __future__ import annotations

import ipaddress
import logging
import operator
import re
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast
from uuid import uuid4

from dask.config import set as set_config
from distributed import Client, LocalCluster
from distributed.gc import disable_gc_diagnosis
from distributed.scheduler import KilledWorker
from distributed.security import Security
from msgspec import Struct

from everyleaf.cluster import jobs
from everyleaf.cluster.jobs import SharedValue, drawing_of, pickled, run_pickled
from everyleaf.digest import digest_hex
from everyleaf.errors import ClusterError, ConfigError, LostJobError
from everyleaf.report import ClusterWork, JobKind
from everyleaf.storage import write_waiting
from everyleaf.workers import Engine, Load, OnProgress

CONNECT_S = 15
_LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")
_REMOTE = re.compile(r"(tcp|tls)://(\[[^\]]+\]|[^:/\[\]]+):[0-9]{1,5}")
_PROFILE = "distributed.worker.profile.enabled"
"""Dask's: it looks at what workers do a hundred times a second, and remembers all of it."""
_LOG = "distributed.admin.low-level-log-length"
"""Dask's: so many messages are remembered by who sent them, up to 1 MB each."""
_SAMPLE = 20
"""Files of the input that each worker is asked for."""


def check_address(address: str, *, is_trusted: bool) -> None:
    """Check that `address` names a cluster that may be told what was found in sessions.

    Raises:
        ConfigError: it does not.
    """
    remote = _REMOTE.fullmatch(address)
    if _LOCAL.fullmatch(address) is None and remote is None:
        raise ConfigError(
            f"{address!r} is no address of a cluster",
            hint="say local:4 for 4 processes here, or the scheduler's tcp:// or tls://",
        )
    if remote and remote[1] == "tcp" and not is_trusted and not _is_here(remote[2]):
        raise ConfigError(
            f"what goes to {address!r} can be read on the way, and the secrets that were"
            " found in sessions go there, for workers to mask them",
            hint="use tls://, or say --trust-network where nobody listens",
        )


def is_local(address: str) -> bool:
    """Return whether `address` asks for processes of this machine."""
    return _LOCAL.fullmatch(address) is not None


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@contextmanager
def open_cluster(
    address: str, on_progress: OnProgress, sight: jobs.Sight, *, is_redacting: bool
) -> Generator[ClusterEngine]:
    """Yield the workers at `address`, each of which was found fit for the build.

    Raises:
        ClusterError: there is no scheduler or no worker, or one differs from this process,
            or does not see what it is to read.
    """
    # What Dask would tell is told here in fewer words.
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with _open_client(address) as client:
        _check_workers(client, sight, is_redacting=is_redacting)
        link = client.scheduler_info()["services"].get("dashboard")
        if link and find_spec("bokeh"):
            on_progress(f"dashboard: {client.dashboard_link}", 0, 0)
        engine = ClusterEngine(client, sight.theme, on_progress)
        try:
            yield engine
        finally:
            engine.shutdown()


@contextmanager
def _open_client(address: str) -> Generator[DaskClient]:
    if address.startswith("tls:"):
        _check_certificate(address)
    local = _LOCAL.fullmatch(address)
    untyped = (LocalCluster, Client, disable_gc_diagnosis)
    start, connect, end_diagnosis = cast("tuple[Any, Any, Any]", untyped)
    with ExitStack() as opened:
        try:
            cluster: object = address
            opened.enter_context(set_config({_LOG: 0}))
            if local is not None:
                opened.enter_context(set_config({_PROFILE: False}))
                cluster = opened.enter_context(
                    start(
                        n_workers=int(local[1]),
                        threads_per_worker=1,
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                        preload=[jobs.look_around.__module__],
                    )
                )
            client = connect(cluster, timeout=CONNECT_S, set_as_default=False)
            opened.enter_context(client)
            end_diagnosis(force=True)  # A Ctrl-C while it counts would be lost.
        except OSError as error:  # A timeout is one, too.
            raise ClusterError(
                f"no scheduler answers at {address!r}",
                hint="is it running, and can this machine reach it? `dask scheduler` starts"
                " one",
            ) from error
        yield client


def _check_certificate(address: str) -> None:
    """Check that Dask knows what to say who we are: else it fails late, and in riddles."""
    try:
        security = cast("Any", Security)()  # As no type says.
        is_there = security.get_connection_args("client").get("ssl_context") is not None
        said = "none is named"
    except OSError as error:  # Also where it is no certificate.
        is_there, said = False, str(error)
    if not is_there:
        raise ConfigError(
            f"{address!r} takes a certificate, and there is none to show: {said}",
            hint="name it in Dask's configuration: ca-file, client.cert and client.key of"
            " distributed.comm.tls",
        )


def _check_workers(client: DaskClient, sight: jobs.Sight, *, is_redacting: bool) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKERS_S)
    except TimeoutError as error:
        raise no_workers() from error
    sight.memo.save(jobs.QUESTION, sight.token)
    try:
        write_waiting()
        found: dict[str, jobs.Worker | Exception] = client.run(
            jobs.look_around, sight, on_error="return"
        )
    finally:
        sight.memo.drop_unused()  # Each is made anew: this one has used nothing.
    here = jobs.describe(sight.theme)
    for name, worker in sorted(found.items()):
        if isinstance(worker, ImportError):
            raise ClusterError(
                f"the worker {name} has no everyleaf, or lacks a part of it: {worker}",
                hint=jobs.SAME,
            ) from worker
        if isinstance(worker, OSError):
            continue  # It has ended meanwhile; another that comes is looked at, too.
        if isinstance(worker, Exception):
            raise worker
        if worker.python != here.python:
            said = f"runs Python {worker.python}, and this machine {here.python}"
            hint = "use the same on all machines"
        elif worker.drawing != here.drawing:
            said, hint = jobs.OTHER, jobs.SAME
        elif is_redacting and not worker.has_scanner:
            said = "lacks the secret scanner"
            hint = "pip install kingfisher-bin there"
        elif worker.unseen:
            said = f"does not see {worker.unseen[0]!r} as it is here"
            hint = (
                "all machines need source and output at the same place, as on a network, or"
                " credentials for them where they are addresses"
            )
        else:
            continue
        raise ClusterError(f"the worker {name} {said}", hint=hint)


def sight_of(theme: str, files: Sequence[tuple[str, int]], folder: Path) -> jobs.Sight:
    """Return what workers are asked for, of which `files` are some."""
    step = max(len(files) // _SAMPLE, 1)
    return jobs.Sight(theme, tuple(files[::step]), folder, uuid4().hex)


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
        self._kinds: dict[str, JobKind] = {}
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

        made = partial(fn, *args, **kwargs)
        self.run_all(operator.call, [made], None).add_done_callback(hand_on)
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
        busy = sorted(self._busy.values(), reverse=True)
        return ClusterWork(self._retries, tuple(self._kinds.values()), tuple(busy))

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
            known = self._kinds.get(running.kind, JobKind(running.kind, 0, 0, 0.0))
            self._kinds[running.kind] = JobKind(
                known.name,
                known.jobs + 1,
                known.size_bytes + running.size_bytes,
                known.seconds + seconds,
            )
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
