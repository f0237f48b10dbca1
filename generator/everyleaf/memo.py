"""What saves work the next time: values by name, in one SQLite file a folder.

The same input always gives the same bytes, so that a memo changes nothing but the time
that a build takes. What is missing, damaged, old or not ours is as good as never kept: each
value lies there with a digest over its scope, its name and its bytes, and is decoded into
the type that is asked for, so that nothing in it can run or stand in for something else.

SQLite is for one machine: its locks do not hold across a network. Where several share a
memo, each value is a file in a folder or at an address, of which whoever reads finds all or
nothing.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import msgspec
from msgspec import Struct

from everyleaf.cachedir import default_cache_dir, is_private, made_private
from everyleaf.digest import DIGEST_BYTES, digest_bytes, digest_hex, digest_value
from everyleaf.errors import ConfigError, OutputError, StorageError, refused
from everyleaf.storage import Storage, address_of, open_storage

T = TypeVar("T")

FILE = "memo.sqlite"
_TABLE = """
    CREATE TABLE IF NOT EXISTS memo (
        scope TEXT NOT NULL, name TEXT NOT NULL, day INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (scope, name)
    )
"""
_INDEX = "CREATE INDEX IF NOT EXISTS memo_day ON memo (scope, day)"
"""What is old is asked for in each build, and seldom there."""
_SELECT = "SELECT name, body, day FROM memo WHERE"
_DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a torn file raises: Python cannot always read what SQLite says of it."""
_WAIT_S = 10
"""How long to wait for another build that writes."""
TOGETHER = 200
"""Values that are asked for at a time."""
_PART = 1_000
"""Values that `save_parts` keeps together."""
_OPEN = 8
"""How many folders a thread holds open: one that looks at many would run out of files."""
_DAY_S = 24 * 3600
_ENCODER = msgspec.msgpack.Encoder()

_opened = threading.local()
"""Connections of this thread, by place and process: none may cross a fork."""


class Memo(Struct):
    """Named values of one scope; without a folder, one that keeps nothing.

    Trouble with the disk is never an error: then the next build does more work.
    """

    folder: Path | None
    scope: str = ""
    """Values of another scope in the same folder are left alone."""
    _names: set[str] = set()
    """Of what was saved or found by this memo."""

    def __reduce__(self) -> tuple[type[Memo], tuple[Path | None, str]]:
        """Return what another process opens the same memo with."""
        return (type(self), (self.folder, self.scope))

    def load(self, name: str, kind: type[T], *, is_used: bool = True) -> T | None:
        """Return the value that was saved as `name`, or None if it is no whole `kind`.

        It is kept for the next build, too, if it `is_used`.
        """
        return self.load_all([name], kind, is_used=is_used).get(name)

    def load_all(
        self, names: Iterable[str], kind: type[T], *, is_used: bool = True
    ) -> dict[str, T]:
        """Return what `load` does of each name, where there is something, in one go."""
        read = self._read_all(list(dict.fromkeys(names))).items()
        found = ((name, self._decode(name, body, kind)) for name, body in read)
        values = {name: value for name, value in found if value is not None}
        if is_used:
            self._names.update(values)
        return values

    def load_parts(
        self, names: Sequence[str], kind: type[dict[str, T]]
    ) -> dict[str, T] | None:
        """Return what `save_parts` kept under `names`, in order; None if some is gone."""
        parts = self.load_all(names, kind, is_used=False)
        if len(parts) < len(names):
            return None
        return dict(chain.from_iterable(parts.pop(name).items() for name in names))

    def save_parts(
        self, values: Mapping[str, T], before: Mapping[str, T], names: Sequence[str]
    ) -> list[str]:
        """Keep `values` in parts, return their names; those as `before` are there."""
        now, was, made = iter(values.items()), iter(before.items()), list[str]()
        while part := dict(islice(now, _PART)):
            is_same = part == dict(islice(was, _PART)) and len(made) < len(names)
            made.append(names[len(made)] if is_same else f"part-{digest_value(part)}")
            if not is_same:
                self.save(made[-1], part)
        self._names.update(made)
        return made

    def has(self, name: str) -> bool:
        """Return whether something was saved as `name`; it may be damaged."""
        return bool(self._ask(f"{_SELECT} scope = ? AND name = ?", (self.scope, name)))

    def use(self, name: str) -> None:
        """Keep what may be saved as `name` for the next build."""
        self._names.add(name)

    def save(self, name: str, value: object) -> bool:
        """Keep `value` under `name`; return whether it is kept."""
        if self.folder is None:
            return False
        self._names.add(name)
        body = self._encode(name, value)
        values = (self.scope, name, _today(), len(body or ""))
        insert = "INSERT OR REPLACE INTO memo VALUES (?, ?, ?, zeroblob(?))"
        return body is not None and self._ask(insert, values, body) is not None

    def drop_unused(self) -> None:
        """Delete what was neither found nor saved by this memo."""
        rows = self._ask("SELECT name FROM memo WHERE scope = ?", (self.scope,)) or ()
        unused = [row[0] for row in rows if row[0] not in self._names]
        delete = "DELETE FROM memo WHERE scope = ? AND name = ?"
        if unused and self._ask("BEGIN", ()) is not None:
            for name in unused:
                self._ask(delete, (self.scope, name))
            self._ask("COMMIT", ())

    def drop_older(self, days: int) -> None:
        """Delete what was not asked for in so many days."""
        old = (self.scope, _today() - days)
        self._ask("DELETE FROM memo WHERE scope = ? AND day < ?", old)

    def _encode(self, name: str, value: object) -> bytearray | None:
        """Return what is kept of a value, sealed; None where it cannot be."""
        body = bytearray(DIGEST_BYTES)
        try:
            _ENCODER.encode_into(value, body, DIGEST_BYTES)
        except UnicodeEncodeError:
            return None  # Half of a pair, as records may hold one.
        body[:DIGEST_BYTES] = self._seal(name, memoryview(body)[DIGEST_BYTES:])
        return body

    def _decode(self, name: str, body: bytes, kind: type[T]) -> T | None:
        """Return the value in what `_encode` made, or None if it is no whole `kind`."""
        payload = memoryview(body)[DIGEST_BYTES:]
        if body[:DIGEST_BYTES] != self._seal(name, payload):
            return None
        try:
            return msgspec.msgpack.decode(payload, type=kind)
        except (ValueError, TypeError, RecursionError):
            return None  # Written by a version whose fields were others.

    def _seal(self, name: str, payload: bytes | memoryview) -> bytes:
        return digest_bytes(f"{self.scope}\0{name}\0".encode(), payload)

    def _read_all(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return what is kept under each of `names`, if anything."""
        found: dict[str, bytes] = {}
        for start in range(0, len(names), TOGETHER):
            some = names[start : start + TOGETHER]
            of_these = f"scope = ? AND name IN ({', '.join('?' * len(some))})"
            # No text of ours or of others becomes a part of these.
            rows = self._ask(f"{_SELECT} {of_these}", (self.scope, *some)) or ()
            found |= {name: body for name, body, _ in rows if isinstance(body, bytes)}
            if any(day != _today() for _, _, day in rows):
                touched = (_today(), self.scope, *some)
                self._ask(f"UPDATE memo SET day = ? WHERE {of_these}", touched)  # noqa: S608
        return found

    def _ask(
        self, statement: str, values: Collection[object], body: bytearray | None = None
    ) -> list[tuple[str, object, object]] | None:
        """Return the rows that a statement gives; None if it could not be done."""
        try:
            connection = self._connect()
            if connection is not None:
                cursor = connection.execute(statement, tuple(values))
                if body is not None:  # Among the values, it would be copied twice.
                    with connection.blobopen("memo", "body", cursor.lastrowid or 0) as blob:
                        blob.write(body)
                return [*cursor]
        except sqlite3.OperationalError:
            pass  # Another build holds it, or the disk refuses.
        except _DAMAGED:
            self._drop()
        return None

    def _connect(self) -> sqlite3.Connection | None:
        """Return this thread's connection, opened if need be; None without a folder."""
        if self.folder is None:
            return None
        known: dict[tuple[int, Path], sqlite3.Connection]
        known = _opened.__dict__.setdefault("known", {})
        place = (os.getpid(), self.folder)
        connection = known.get(place)
        if connection is None:
            if len(known) >= _OPEN:
                known.pop(next(iter(known))).close()
            connection = known[place] = _open(self.folder / FILE)
        return connection

    def _drop(self) -> None:
        """Delete a file that is damaged: what it held is made again."""
        if self.folder is None:
            return
        connection = _opened.__dict__.get("known", {}).pop((os.getpid(), self.folder), None)
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                (self.folder / f"{FILE}{suffix}").unlink()


class _Connection(sqlite3.Connection):
    """Ends with the thread that opened it: Python 3.13 asks for that to be said."""

    def __del__(self) -> None:
        self.close()


def _open(place: Path) -> sqlite3.Connection:
    with suppress(OSError):
        # SQLite gives what it puts beside the file the same access. A file that is there is
        # left alone: to close it would end the locks that other threads here have on it.
        os.close(os.open(place, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    # Whoever looks for garbage may end it, in another thread: nobody else uses it.
    connect = partial(sqlite3.connect, check_same_thread=False, factory=_Connection)
    connection = connect(place, timeout=_WAIT_S, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the machine may cost what was kept, and nothing else.
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(_TABLE)
        connection.execute(_INDEX)
    except (sqlite3.Error, UnicodeDecodeError):
        connection.close()
        raise
    return connection


def _today() -> int:
    return int(time.time()) // _DAY_S


def open_memo(folder: Path, scope: str) -> Memo:
    """Return the memo in `folder`, made where it is missing.

    A folder that somebody else owns, or may write to, is not used: what somebody else could
    have put there is not to be believed.
    """
    return Memo(made_private(folder), scope)


def open_archive_memo(scope: str, sources: Iterable[Path]) -> Memo:
    """Return the memo of what lies at `sources`, in the user's cache folder."""
    key = digest_value(sorted(str(place.resolve()) for place in sources))
    return open_memo(default_cache_dir() / "archives" / key, scope)


_TROUBLE = (OSError, StorageError)


class SharedMemo(Memo):
    """Named values of one scope, a file each; as `Memo`, trouble is more work, no error.

    At an address, what is saved is there for others after `storage.write_waiting`.
    """

    _there: set[str] | None = None
    """Names of all files, where that is known."""

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
    hint = (
        "a cluster keeps its work beside the site: check the permissions there, or"
        " name another folder with --cache-dir"
    )
    with refused(OutputError, f"cannot make the folder {str(folder)!r}", hint):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / ".gitignore").write_bytes(b"*\n")
        is_ours = is_private(folder)
    if not is_ours:
        raise OutputError(
            f"others may write into {str(folder)!r}, where a cluster keeps its work",
            hint="delete it, or close it to others (chmod 700)",
        )
