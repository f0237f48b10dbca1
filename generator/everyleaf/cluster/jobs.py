"""What a worker of a cluster runs: a look at what it is, and jobs."""

from __future__ import annotations

import io
import os
import pickle
import platform
import signal
import sys
import threading
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path, PurePath
from time import perf_counter
from typing import Any

from distributed import WorkerPlugin
from msgspec import Struct
from msgspec.structs import asdict

from everyleaf.errors import ClusterError, StorageError
from everyleaf.memo import SharedMemo
from everyleaf.publish.remote import far_work
from everyleaf.redact.sources import LookSource
from everyleaf.sources.far import FarPlace, far_place
from everyleaf.sources.files import SourceFile
from everyleaf.state.contents import digest_drawing
from everyleaf.storage import address_of

QUESTION = "question"
OTHER = "has another version of everyleaf, of what it draws with, or of the theme"
SAME = "install the same everyleaf[cluster] on all machines"


class Worker(Struct, frozen=True):
    """What has to be the same everywhere."""

    python: str
    drawing: str
    """Digest of the code, of what it draws with, and of the theme."""
    has_scanner: bool
    unseen: tuple[str, ...] = ()
    """What it was asked for and does not see."""


class Sight(Struct, frozen=True):
    """What each worker is asked for before anything is done."""

    theme: str
    files: tuple[tuple[str, int], ...]
    """Some of the input, with their sizes."""
    folder: Path
    """Of the memo; it may stand for an address."""
    token: str
    """What is to be found there, and to be written."""

    @property
    def memo(self) -> SharedMemo:
        """Return where to look for the token."""
        return SharedMemo(self.folder, "sight")


def look_around(sight: Sight) -> Worker:
    """Say what a worker is, and get it ready to draw."""
    from everyleaf.sitework import prepare_worker  # noqa: PLC0415  (slow to import)

    unseen = [name for name, size in sight.files if _size_of(name) < size]
    memo = sight.memo
    try:
        with far_work():
            is_seen = memo.load(QUESTION, str) == sight.token
            is_seen = is_seen and memo.save(QUESTION, sight.token)
    except StorageError:
        is_seen = False
    if not is_seen:
        unseen.append(address_of(sight.folder) or str(sight.folder))
    prepare_worker(sight.theme)
    return describe(sight.theme, tuple(unseen))


def describe(theme: str, unseen: tuple[str, ...] = ()) -> Worker:
    """Return what this process is."""
    has_scanner = find_spec("kingfisher") is not None
    return Worker(sys.version.split()[0], drawing_of(theme), has_scanner, unseen)


drawing_of = cache(digest_drawing)
"""Returns the digest of what draws with a theme."""


def _size_of(name: str) -> int:
    try:
        return Path(name).stat().st_size
    except OSError:
        return -1


def dask_setup(_worker: object) -> None:
    """Let Ctrl-C be for the process that drives workers of this machine: it ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_values: dict[str, bytes] = {}
"""What was sent to this worker, by name."""
_opened: dict[str, object] = {}
_one_at_a_time = threading.Lock()
"""Workers with several threads do one job after the other, as processes do."""


class SharedValue(WorkerPlugin):
    """A value that the engine gives to each worker, also to those that come later."""

    def __init__(self, name: str, body: bytes) -> None:
        """Hold `body`, a pickled value."""
        self.name = name
        self._body = body

    def setup(self, worker: object) -> None:
        """Take the value."""
        del worker
        _values[self.name] = self._body

    def teardown(self, worker: object) -> None:
        """Forget it: it may hold what was found in sessions."""
        del worker
        _values.pop(self.name, None)
        _opened.pop(self.name, None)


_PLACES = ("place", "tool_results_dir")


def _brought(kind: type[Any], fields: dict[str, Any], places: dict[str, Path]) -> Any:  # noqa: ANN401  (it is of that kind)
    """Return a source as it was sent, with the places that it has on this machine."""
    return kind(**fields | {name: str(place) for name, place in places.items()})


class _Pickler(pickle.Pickler):
    """Names values that were shared, where they are."""

    def __init__(self, file: io.BytesIO, names: Mapping[int, str]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._names = names

    def reducer_override(self, obj: object) -> Any:  # noqa: ANN401  (as pickle has it)
        """Have the worker fetch what lies at an address, of which this is a copy."""
        if isinstance(obj, SourceFile | LookSource):
            if far_place(obj.location) is None:
                return NotImplemented
            fields = asdict(obj)
            places = {name: Path(fields[name]) for name in _PLACES if name in fields}
            return _brought, (type(obj), fields, places)
        place = far_place(obj) if isinstance(obj, PurePath) else None
        return NotImplemented if place is None else (FarPlace.fetch, (place,))

    def persistent_id(self, obj: object) -> str | None:
        return self._names.get(id(obj))


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: str) -> object:
        if pid not in _opened:
            _opened[pid] = _unpickled(_values[pid])
        return _opened[pid]


def pickled(value: object, names: Mapping[int, str]) -> bytes:
    """Return `value` as bytes; in it, values are named that `names` has by their ids."""
    file = io.BytesIO()
    _Pickler(file, names).dump(value)
    return file.getvalue()


def _unpickled(body: bytes) -> Any:  # noqa: ANN401  (it is what it was)
    return _Unpickler(io.BytesIO(body)).load()


def run_pickled(job: bytes, theme: str, drawing: str) -> tuple[list[Any], float, str]:
    """Do a job on a worker; return what came of it, seconds, and the worker's name.

    Raises:
        ClusterError: the worker came later than others, and differs from them.
    """
    with _one_at_a_time:
        if drawing_of(theme) != drawing:
            raise ClusterError(f"the worker on {platform.node()} {OTHER}", hint=SAME)
        begun = perf_counter()
        work, items = _unpickled(job)
        with far_work():
            done = [work(item) for item in items]
        return done, perf_counter() - begun, f"{platform.node()}:{os.getpid()}"
