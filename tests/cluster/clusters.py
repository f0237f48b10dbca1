"""Dask clusters for tests: scheduler and workers, each a process in its own folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

import psutil
from distributed import Client, WorkerPlugin

from everyleaf.cachedir import CACHE_VARIABLE, default_cache_dir
from everyleaf.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Generator

    from everyleaf.renderjobs import DrawnGroup, GroupJob, SplitGroup
    from everyleaf.sitework import Draw

TESTS = Path(__file__).parents[1]
START_S = 60


class Cluster:
    """A scheduler at `address`, with workers that nothing but it knows of."""

    def __init__(self, folder: Path, running: ExitStack) -> None:
        self._folder, self._running = folder, running
        self._nannies: list[subprocess.Popen[bytes]] = []
        self._file = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler",
            *("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"),
            *("--no-dashboard", "--scheduler-file", str(self._file)),
        )
        while not self._file.exists():
            time.sleep(0.05)
        with Client(scheduler_file=str(self._file), set_as_default=False) as client:
            self.address = str(client.scheduler.address)

    def add_worker(self, name: str) -> subprocess.Popen[bytes]:
        """Start a worker, which is started again whenever it is killed."""
        process = self._start(
            name,
            *("distributed.cli.dask_worker", "--scheduler-file", str(self._file)),
            *("--nthreads", "1", "--no-dashboard", "--name", name),
            *("--local-directory", str(self._folder / name)),
        )
        self._nannies.append(process)
        return process

    def kill_worker(self, place: int) -> None:
        """Kill the worker of this number, or the one that is started in its stead."""
        nanny = psutil.Process(self._nannies[place].pid)
        while not (found := [c for c in nanny.children() if _is_worker(c)]):
            time.sleep(0.05)
        found[0].kill()

    @contextmanager
    def client(self, workers: int = 2) -> Generator[Client]:
        """Yield a client, when there are so many workers."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=START_S)
            yield client

    def pids(self) -> list[int]:
        """Return the processes of the workers."""
        with self.client() as client:
            return sorted(client.run(os.getpid).values())

    def kept(self) -> dict[str, bytes]:
        """Return the files that workers have in their cache folders."""
        return {
            str(file): file.read_bytes()
            for file in self._folder.glob("w*/cache/**/*")
            if file.is_file()
        }

    def _start(self, name: str, module: str, *words: str) -> subprocess.Popen[bytes]:
        folder = self._folder / name
        cache_dir = folder / "cache"
        folder.mkdir()
        if (rules := default_cache_dir() / "rules").is_dir():
            shutil.copytree(rules, cache_dir / "rules")  # Compiling takes seconds.
        environment = os.environ | {
            CACHE_VARIABLE: str(cache_dir),
            "PYTHONPATH": str(TESTS),
            "DASK_DISTRIBUTED__WORKER__MULTIPROCESSING_METHOD": "spawn",
        }
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *words],
                cwd=folder,
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        self._running.callback(_end, process)
        return process


def _is_worker(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return any("spawn_main" in word for word in process.cmdline())
    return False


def _end(process: subprocess.Popen[bytes]) -> None:
    children = psutil.Process(process.pid).children() if process.poll() is None else []
    process.kill()
    process.wait()
    for child in children:
        with suppress(psutil.NoSuchProcess):
            child.kill()


@contextmanager
def running(folder: Path, workers: int = 2) -> Generator[Cluster]:
    """Yield a cluster in `folder`, ended afterwards."""
    with ExitStack() as stack:
        cluster = Cluster(folder, stack)
        for number in range(workers):
            cluster.add_worker(f"w{number}")
        with cluster.client(workers) as client:
            client.register_plugin(Blind(folder))
            yield cluster


class Poison(WorkerPlugin):
    """Has workers end when they draw a file whose name has a word in it."""

    name = "poison"

    def __init__(self, word: str) -> None:
        self.word = word

    def setup(self, worker: object) -> None:
        del worker
        from everyleaf import renderjobs  # noqa: PLC0415  (of the worker)

        word, self.draw = self.word, renderjobs._draw_group

        def drink(job: GroupJob, draw: Draw) -> DrawnGroup | SplitGroup:
            if any(word in one.file.file for one in job.archive.files):
                os._exit(1)
            return self.draw(job, draw)

        renderjobs._draw_group = drink

    def teardown(self, worker: object) -> None:
        del worker
        from everyleaf import renderjobs  # noqa: PLC0415  (of the worker)

        renderjobs._draw_group = self.draw


class PoisonIndex(WorkerPlugin):
    """Has workers end when they make an index of the search."""

    name = "poison-index"

    def setup(self, worker: object) -> None:
        del worker
        self.patch = patch("everyleaf.sitework.build_index", lambda *_: os._exit(1))
        self.patch.start()

    def teardown(self, worker: object) -> None:
        del worker
        self.patch.stop()


class CutSmall(WorkerPlugin):
    """Has workers cut groups that are not long at all."""

    name = "cut-small"

    def setup(self, worker: object) -> None:
        del worker
        from everyleaf import renderjobs  # noqa: PLC0415  (of the worker)

        self.before = renderjobs.LONG_BYTES, renderjobs.CHUNK_BYTES
        renderjobs.LONG_BYTES = renderjobs.CHUNK_BYTES = 3_000

    def teardown(self, worker: object) -> None:
        del worker
        from everyleaf import renderjobs  # noqa: PLC0415  (of the worker)

        renderjobs.LONG_BYTES, renderjobs.CHUNK_BYTES = self.before


class NoScanner(WorkerPlugin):
    """Has workers find no secret scanner."""

    name = "no-scanner"

    def setup(self, worker: object) -> None:
        del worker
        self.patch = patch("everyleaf.cluster.jobs.find_spec", lambda _name: None)
        self.patch.start()

    def teardown(self, worker: object) -> None:
        del worker
        self.patch.stop()


class NoStore(WorkerPlugin):
    """Has workers without what it takes to write to an object store."""

    name = "no-store"

    def setup(self, worker: object) -> None:
        del worker
        refused = StorageError("no credentials")
        self.patch = patch("everyleaf.storage.Storage.write_waiting", side_effect=refused)
        self.patch.start()

    def teardown(self, worker: object) -> None:
        del worker
        self.patch.stop()


class Blind(WorkerPlugin):
    """Has workers see nothing of a folder, as on another machine, until they end.

    Their own place in it they do see.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.name = f"blind to {folder}"

    def setup(self, worker: object) -> None:
        del worker
        folder, own = self.folder, str(Path.cwd())

        def refuse(event: str, words: tuple[object, ...]) -> None:
            is_file = event in {"open", "os.listdir", "os.scandir", "os.mkdir", "os.rename"}
            place = str(words[0]) if is_file else ""
            if place.startswith(folder) and not place.startswith(own):
                raise FileNotFoundError(2, "of another machine", words[0])

        sys.addaudithook(refuse)
