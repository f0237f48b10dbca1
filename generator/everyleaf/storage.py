"""Folders that are addresses (`s3://`, `gs://`, `az://`), through fsspec.

All that reads and builds works on files. So what lies at an address has a copy in the
cache, brought up to date by the versions that the store tells: what is the same stays.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from everyleaf.cachedir import default_cache_dir, is_private
from everyleaf.digest import digest_bytes
from everyleaf.errors import ConfigError, StorageError, refused

SCHEMES = ("s3", "gs", "az")
_ADDRESS = re.compile(rf"(?:^|/)({'|'.join(SCHEMES)}|file):/+(.+)", re.DOTALL)
"""As a path an address has one slash, and a folder before it that it was named in."""
VERSIONS = "versions"
_AT_ONCE = 200
"""Files that are asked for together; the store's library sends some of them at a time."""
_ON_THEIR_WAY = 16
"""Files on their way to a store, each of them whole; S3's library has ten connections."""
_MOST_WAITING = 8_000_000
"""Bytes that wait in memory to be written together."""
_ONE_REQUEST = 64_000_000
"""Bytes that s3fs writes in one request: only one can have a condition."""
_LOST = re.compile("pre-conditions you specified did not hold|conditional request cannot")
"""What S3 says where another request was first."""
_waiting: defaultdict[str, dict[str, bytes]] = defaultdict(dict)
"""Address → name → bytes of what is to be written there by this process."""
_FOREIGN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]|(?:^|/)\.{0,2}(?:/|$)')
"""What leads out of a folder, or cannot be a file's name on each system."""


def address_of(place: Path) -> str:
    """Return the address that `place` is written as; empty: it lies on this disk.

    >>> from pathlib import Path
    >>> address_of(Path("s3://logs/team/"))
    's3://logs/team'
    """
    found = _ADDRESS.search(place.as_posix())
    return f"{found[1]}://{found[2]}" if found and found[1] in SCHEMES else ""


def plain(place: Path) -> Path:
    """Return `place`, which may be written as `file://…`, as a path.

    >>> from pathlib import Path
    >>> plain(Path("file:///srv/logs")).as_posix()
    '/srv/logs'
    """
    found = _ADDRESS.search(place.as_posix())
    return Path("/", found[2]) if found and found[1] == "file" else place


class Storage(Struct, frozen=True):
    """What lies at an address; names are relative to it, with slashes.

    Each method raises a StorageError where the store does not answer, or refuses.
    """

    address: str
    _files: Any
    """A file system of fsspec, of which no method has types."""
    _root: str

    def versions(self) -> dict[str, str]:
        """Return what there is: name → what changes whenever the bytes do."""
        return {name: version for name, (version, _) in self.listing().items()}

    def listing(self) -> dict[str, tuple[str, int]]:
        """Return the same, with the size of each file in bytes."""
        with self._errors_named():
            found = self._files.find(self._root, detail=True)
        told = cast("dict[str, dict[str, object]]", found)
        start = len(self._root) + 1
        if self._root in told:
            raise StorageError(
                f"{self.address!r} is one file", hint="name the folder that it lies in"
            )
        return {
            name[start:]: (_version(info), cast("int", info["size"]))
            for name, info in sorted(told.items())
            if len(name) > start and info.get("type") == "file"
        }

    def version(self, name: str) -> str:
        """Return what `versions` does for one file."""
        with self._errors_named():
            found = self._files.info(f"{self._root}/{name}")
        return _version(cast("dict[str, object]", found))

    def fetch(self, names: Sequence[str], folder: Path) -> None:
        """Copy files into `folder`; several at a time."""
        for parent in {(folder / name).parent for name in names}:
            parent.mkdir(parents=True, exist_ok=True)
        with self._errors_named():
            self._files.get(
                [f"{self._root}/{name}" for name in names],
                [str(folder / name) for name in names],
            )

    def send(self, names: Sequence[str], folder: Path) -> None:
        """Copy files from `folder`; each appears whole or not at all, in no order."""
        with self._errors_named():
            self._files.put(
                [str(folder / name) for name in names],
                [f"{self._root}/{name}" for name in names],
                batch_size=_ON_THEIR_WAY,
            )

    def names(self) -> list[str]:
        """Return the names of all files, sorted."""
        return list(self.versions())

    def clear(self) -> None:
        """Delete all files."""
        _waiting.pop(self.address, None)
        self.delete(self.names())

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        with self._errors_named():
            return bool(self._files.exists(f"{self._root}/{name}"))

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file; None: it is not there."""
        with self._errors_named(), suppress(FileNotFoundError):
            # For all of a file, s3fs asks for its size first.
            body = self._files.cat_file(f"{self._root}/{name}", start=0)
            return cast("bytes", body)
        return None

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        """Return the bytes of each file, none of which is empty; several at a time.

        One that is missing is an error.
        """
        return self.read_beginnings(dict.fromkeys(names, None))

    def read_beginnings(self, sizes: Mapping[str, int | None]) -> dict[str, bytes]:
        """Return so many bytes of each file that it begins with (None: all, if any).

        One that is missing is an error.
        """
        wanted = {name: size for name, size in sizes.items() if size != 0}
        paths = [f"{self._root}/{name}" for name in wanted]
        with self._errors_named():
            bodies = self._files.cat_ranges(paths, [0] * len(paths), [*wanted.values()])
        return dict.fromkeys(sizes, b"") | dict(zip(wanted, bodies, strict=True))

    def write(self, name: str, body: bytes) -> None:
        """Have a file written, together with others: by `write_waiting` at the latest."""
        waiting = _waiting[self.address]
        waiting[name] = body
        if len(waiting) >= _AT_ONCE or sum(map(len, waiting.values())) > _MOST_WAITING:
            self.write_waiting()

    def replace(self, name: str, body: bytes, version: str | None) -> bool:
        """Write a file that is as `version` says (None: not there); else return False.

        In S3, of several that try, one succeeds; elsewhere it is looked at just before.
        """
        path = f"{self._root}/{name}"
        if "s3" in self._files.protocol and len(body) <= _ONE_REQUEST:
            held = {"IfMatch": version} if version else {"IfNoneMatch": "*"}
            try:
                with self._errors_named():
                    self._files.pipe_file(path, body, **held)
            except StorageError as error:
                if _LOST.search(str(error)):
                    return False
                if "not implemented" not in str(error):  # By some that speak S3.
                    raise
            else:
                return True
        if version != (self.version(name) if self.has(name) else None):
            return False
        with self._errors_named():
            self._files.pipe_file(path, body)
        return True

    def write_waiting(self) -> None:
        """Write what waits; each file appears whole or not at all, in no order."""
        bodies = _waiting.pop(self.address, {})
        if bodies:
            with self._errors_named():
                self._files.pipe({f"{self._root}/{n}": body for n, body in bodies.items()})

    def delete(self, names: Iterable[str]) -> None:
        """Delete files, many at a time."""
        for some in _batches(list(names)):
            with self._errors_named(), suppress(FileNotFoundError):
                self._files.rm([f"{self._root}/{name}" for name in some])

    @contextmanager
    def _errors_named(self) -> Generator[None]:
        """Say what went wrong: each store's library has errors of its own."""
        try:
            self._files.invalidate_cache()
            yield
        except Exception as error:
            raise StorageError(
                f"{self.address!r} cannot be used: {str(error) or type(error).__name__}",
                hint="check the address, the credentials of this user, and the network",
            ) from error
        finally:
            self._files.invalidate_cache()  # All of a listing is in it, each file 1 kB.


def open_storage(address: str) -> Storage:
    """Return what lies at `address`; nothing is asked of it yet.

    Raises:
        ConfigError: what speaks to such a store is not installed.
        StorageError: the store's library does not take the address.
    """
    try:
        # Only where there is an address; and it has no types.
        made: tuple[Any, str] = import_module("fsspec.core").url_to_fs(address)
    except ImportError as error:
        raise ConfigError(
            f"{address!r} is an address, and what reads it is not installed: {error}",
            hint="pip install 'everyleaf[cluster]'; gcsfs for gs://, adlfs for az://",
        ) from error
    except ValueError as error:
        raise StorageError(f"{address!r} is no address of a store: {error}") from error
    return Storage(address, made[0], made[1].rstrip("/"))


def write_waiting() -> None:
    """Write all that waits in this process.

    Raises:
        StorageError: a store does not answer, or refuses.
    """
    for address in list(_waiting):
        open_storage(address).write_waiting()


def drop_waiting() -> None:
    """Forget what waits: what it belongs to has failed."""
    _waiting.clear()


def _version(info: Mapping[str, object]) -> str:
    etag = info.get("ETag") or info.get("etag") or info.get("md5Hash")
    times = (info.get("LastModified"), info.get("mtime"), info.get("ino"))
    return str(etag) if etag else repr((info.get("size"), *times))


class Copy(Struct):
    """The copy in the cache of what lies at an address."""

    storage: Storage
    folder: Path
    known: dict[str, str]
    """The version of each file that is whole here."""

    def update(
        self,
        versions: Mapping[str, str],
        fetch: Callable[[Sequence[str], Path], None] | None = None,
    ) -> None:
        """Fetch what is not here in its version, and delete what has none.

        Raises:
            StorageError: as `Storage.fetch` does, or a name leads out of the folder.
        """
        if bad := [name for name in versions if _FOREIGN.search(name)]:
            raise StorageError(
                f"a name in {self.storage.address!r} cannot be a file's: {bad[0]!r}",
                hint="rename it there, or name a folder below it",
            )
        with _disk_errors(self.folder):
            for name in self.known.keys() - versions.keys():
                place = self.folder / name
                place.unlink(missing_ok=True)
                del self.known[name]
                with suppress(OSError):  # Folders that are empty: a file may come there.
                    while (place := place.parent) != self.folder:
                        place.rmdir()
            missing = [
                name
                for name, version in versions.items()
                if self.known.get(name) != version or not (self.folder / name).is_file()
            ]
            for some in _batches(missing):
                # What breaks off is not taken for whole.
                for name in some:
                    self.known.pop(name, None)
                self.keep()
                (fetch or self.storage.fetch)(some, self.folder)
                self.known.update({name: versions[name] for name in some})
            self.keep()

    def clear(self) -> None:
        """Begin with nothing, no folders either.

        Raises:
            OSError: the disk refuses.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        self.known = {}
        self.keep()

    def keep(self) -> None:
        """Remember which files are whole."""
        made = self.folder.parent / f"{VERSIONS}.new"
        made.write_bytes(msgspec.msgpack.encode(self.known))
        made.replace(made.with_name(VERSIONS))


def open_copy(address: str, purpose: str) -> Copy:
    """Return the copy of what lies at `address`, as it was left.

    Raises:
        ConfigError: what speaks to such a store is not installed.
        StorageError: there is no room for it, or others may write into the cache folder.
    """
    storage = open_storage(address)
    cache_dir = default_cache_dir() / "addresses"
    key = digest_bytes(f"{purpose}\0{address}".encode()).hex()
    # Projects are called after their folders.
    folder = cache_dir / key / _FOREIGN.sub("_", address.rpartition("/")[2])
    known: dict[str, str] = {}
    with _disk_errors(cache_dir):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(cache_dir):
            raise StorageError(
                f"others may write into {str(cache_dir)!r}",
                hint="close it to others (chmod 700), or name another folder with"
                " EVERYLEAF_CACHE_DIR",
            )
        with suppress(FileNotFoundError, msgspec.MsgspecError):
            body = (folder.parent / VERSIONS).read_bytes()
            known = msgspec.msgpack.decode(body, type=dict[str, str])
        copy = Copy(storage, folder, known)
        if not known:
            copy.clear()
    return copy


def _disk_errors(folder: Path) -> AbstractContextManager[None]:
    hint = "make room, or name another folder with EVERYLEAF_CACHE_DIR"
    return refused(StorageError, f"cannot write to {str(folder)!r}", hint)


def _batches(names: Sequence[str]) -> Iterable[Sequence[str]]:
    return (names[at : at + _AT_ONCE] for at in range(0, len(names), _AT_ONCE))


def send_all(copy: Copy, steps: Iterable[Collection[str]]) -> None:
    """Send files of a copy, each step after the one before is there whole.

    Raises:
        StorageError: as `Storage.send` does.
    """
    for step in steps:
        for some in _batches(sorted(step)):
            copy.storage.send(some, copy.folder)
