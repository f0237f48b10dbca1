"""Connects to a cluster, and checks that each of its workers is fit for a build."""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

from dask.config import set as set_config
from distributed import Client, LocalCluster
from distributed.gc import disable_gc_diagnosis
from distributed.security import Security

from everyleaf.cluster import jobs
from everyleaf.cluster.engine import WORKERS_S, ClusterEngine, DaskClient, no_workers
from everyleaf.errors import ClusterError, ConfigError
from everyleaf.storage import write_waiting
from everyleaf.workers import OnProgress

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
    _silence()
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


def _silence() -> None:
    """Keep Dask from telling what is told here in fewer words."""
    for name in list(logging.root.manager.loggerDict):
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


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
    memo = sight.memo
    memo.save(jobs.QUESTION, sight.token)
    try:
        write_waiting()
        found: dict[str, jobs.Worker | Exception] = client.run(
            jobs.look_around, sight, on_error="return"
        )
    finally:
        memo.forget()
        memo.drop_unused()
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
