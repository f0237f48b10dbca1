"""A memo that several machines share: a file a value, beside the site.

SQLite is for one machine: its locks do not hold across a network. Here a value is a file in
a folder or at an address, of which whoever reads finds all or nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from msgspec import Struct

from everyleaf.cachedir import is_private
from everyleaf.digest import digest_hex
from everyleaf.errors import ConfigError, OutputError, StorageError
from everyleaf.memo import TOGETHER, Memo
from everyleaf.storage import Storage, address_of, open_storage

_IGNORE = ".gitignore"
_TROUBLE = (OSError, StorageError)


class SharedMemo(Memo):
    """Named values of one scope, a file each; as `Memo`, trouble is more work, no error.

    At an address, what is saved is there for others after `storage.write_waiting`.
    """

    _there: set[str] | None = None
    """Names of all files, where that is known."""

    def __reduce__(self) -> tuple[type[Memo], tuple[Path | None, str]]:
        """Return what another process opens the same memo with."""
        return (SharedMemo, (self.folder, self.scope))

    def look(self) -> None:
        """Ask once what is there, for who is the only one to save what it then loads."""
        with suppress(*_TROUBLE):
            self._there = set(self._files().names())

    def _read_all(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return what is kept under each of `names`, if anything."""
        files, found = {_file(name): name for name in names}, dict[str, bytes]()
        if self._there is None:
            for file, name in files.items():
                with suppress(*_TROUBLE):
                    body = self._files().read(file)
                    found |= {} if body is None else {name: body}
            return found
        there = [file for file in files if file in self._there]
        for start in range(0, len(there), TOGETHER):
            with suppress(*_TROUBLE):
                read = self._files().read_all(there[start : start + TOGETHER])
                found |= {files[file]: body for file, body in read.items()}
        return found

    def has(self, name: str) -> bool:
        """Return whether something was saved as `name`; it may be damaged."""
        if self._there is not None:
            return _file(name) in self._there
        with suppress(*_TROUBLE):
            return self._files().has(_file(name))
        return False

    def save(self, name: str, value: object) -> bool:
        """Keep `value` under `name`; return whether it is kept."""
        self._names.add(name)
        body = self._encode(name, value)
        if body is None:
            return False
        with suppress(*_TROUBLE):
            self._files().write(_file(name), bytes(body))
            if self._there is not None:
                self._there.add(_file(name))
            return True
        return False

    def drop_unused(self) -> None:
        """Delete what was neither found nor saved by this memo."""
        used = set(map(_file, self._names))
        with suppress(*_TROUBLE):
            files = self._files()
            files.delete([name for name in files.names() if name not in used])

    def drop_older(self, days: int) -> None:
        """Do nothing: `drop_unused` deletes what is of no use."""

    def _files(self) -> _Folder | Storage:
        if self.folder is None:
            raise TypeError("a memo that is shared has a folder")
        place = self.folder / digest_hex(self.scope.encode(errors="replace"))
        address = address_of(place)
        return open_storage(address) if address else _Folder(place)


def _file(name: str) -> str:
    return digest_hex(name.encode(errors="replace"), size=16)


class _Folder(Struct, frozen=True):
    """Files of this disk, or of one that is mounted here; as `Storage` has them."""

    place: Path

    def names(self) -> Iterable[str]:
        return [file.name for file in self.place.iterdir()]

    def has(self, name: str) -> bool:
        return (self.place / name).is_file()

    def read(self, name: str) -> bytes | None:
        return (self.place / name).read_bytes()

    def read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        return {name: (self.place / name).read_bytes() for name in names}

    def write(self, name: str, body: bytes) -> None:
        # Several workers may write the same value: each has its own name for it.
        new = self.place / f"{name}-{uuid4().hex}"
        try:
            self.place.mkdir(mode=0o700, exist_ok=True)
            new.write_bytes(body)
            new.replace(self.place / name)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise

    def delete(self, names: Iterable[str]) -> None:
        for name in names:
            (self.place / name).unlink()


@contextmanager
def open_shared(
    output_dir: Path, cache_dir: Path | None = None, *, is_kept: bool
) -> Generator[Path]:
    """Yield the place of memos: a folder for its owner alone, which git ignores.

    It is `cache_dir`, or lies beside `output_dir`; both are folders, or both are addresses.
    Unless it `is_kept`, it is another one, beside that, and deleted afterwards.

    Raises:
        ConfigError: one of both is an address, or there is nothing beside it.
        OutputError: it cannot be made, or others may write into it.
    """
    folder = cache_dir or output_dir.parent / f".{output_dir.name}.everyleaf"
    if not is_kept:
        folder = folder.with_name(f"{folder.name}-{uuid4().hex}")
    around = address_of(cache_dir or output_dir.parent)
    if bool(around) != bool(address_of(output_dir)):
        raise ConfigError(
            f"a cluster cannot keep its work in {str(folder)!r} for the site"
            f" {address_of(output_dir) or str(output_dir)!r}",
            hint="with --cache-dir name a folder that all workers see; for a site at an"
            " address, another address of that store",
        )
    address = address_of(folder)
    if not address:
        _make_folder(folder)
    try:
        yield folder
    finally:
        if not is_kept and address:
            open_storage(address).clear()
        elif not is_kept:
            shutil.rmtree(folder, ignore_errors=True)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / _IGNORE).write_bytes(b"*\n")
        is_ours = is_private(folder)
    except OSError as error:
        raise OutputError(
            f"cannot make the folder {str(folder)!r}: {error.strerror}",
            hint="a cluster keeps its work beside the site: check the permissions there, or"
            " name another folder with --cache-dir",
        ) from error
    if not is_ours:
        raise OutputError(
            f"others may write into {str(folder)!r}, where a cluster keeps its work",
            hint="delete it, or close it to others (chmod 700)",
        )
