"""Values on disk between two builds: whole and ours, or not there at all.

A file is a line that names the format, 16 bytes of digest, and the value as MessagePack. It
is decoded into the type that is asked for, so nothing in it can run.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec import Struct, field

from everyleaf.cachedir import default_cache_dir, is_private
from everyleaf.digest import DIGEST_BYTES, digest_bytes

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from pathlib import Path

T = TypeVar("T")

FORMAT = b"everyleaf-state 1\n"


class Store(Struct):
    """Named values in one folder; without a folder, one that keeps nothing.

    Trouble with the disk is never an error: then the next build does more work.
    """

    folder: Path | None
    _names: set[str] = field(default_factory=set[str])
    """Of what was saved or found in this build."""

    def load(self, name: str, kind: type[T], *, is_used: bool = True) -> T | None:
        """Return the value that was saved as `name`, or None if it is no whole `kind`.

        It is kept for the next build, too, if it `is_used`.
        """
        if self.folder is None:
            return None
        try:
            # A Path for each of hundreds of values takes half the time of reading them.
            with open(f"{self.folder}/{name}", "rb", buffering=0) as file:  # noqa: PTH123
                body = file.read()
        except OSError:
            return None
        start = len(FORMAT) + DIGEST_BYTES
        payload = memoryview(body)[start:]
        if body[:start] != FORMAT + digest_bytes(payload):
            return None
        try:
            value = msgspec.msgpack.decode(payload, type=kind)
        except (ValueError, TypeError, RecursionError):
            return None  # Written by a version whose fields were others.
        if is_used:
            self._names.add(name)
        return value

    def has(self, name: str) -> bool:
        """Return whether something was saved as `name`; it may be damaged."""
        return self.folder is not None and (self.folder / name).is_file()

    def use(self, name: str) -> None:
        """Keep what may be saved as `name` for the next build."""
        self._names.add(name)

    def forget(self) -> None:
        """Keep nothing for the next build of what was saved or found so far."""
        self._names.clear()

    def save(self, name: str, value: object) -> bool:
        """Keep `value` under `name`, whole or not at all; only this user can read it.

        Return whether it is kept.
        """
        if self.folder is None:
            return False
        self._names.add(name)
        payload = msgspec.msgpack.encode(value)
        fresh = self.folder / f".{name}.{os.getpid()}"
        try:
            opened = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "wb") as file:
                file.write(FORMAT + digest_bytes(payload))
                file.write(payload)
            fresh.replace(self.folder / name)
        except OSError:
            with suppress(OSError):
                fresh.unlink()
            return False
        return True

    def drop_unused(self, *, but: Container[str] = ()) -> None:
        """Delete what this build neither found nor saved, except the names in `but`."""
        if self.folder is None:
            return
        with suppress(OSError):
            for name in os.listdir(self.folder):  # noqa: PTH208  (names are all it takes)
                if name not in self._names and name not in but:
                    (self.folder / name).unlink()


def open_store(output_dir: Path, sources: Iterable[Path]) -> Store:
    """Return the store of the site in `output_dir` that is made from `sources`.

    It lies below `$EVERYLEAF_CACHE_DIR`, else in the user's cache folder. A folder that
    somebody else owns, or may write to, is not used.
    """
    return _open("sites", str(output_dir.resolve()), sources)


def open_notes(purpose: str, sources: Iterable[Path]) -> Store:
    """Return the store of what a command that only looks remembers of `sources`.

    It lies where sites have theirs; two purposes share nothing.
    """
    return _open("notes", purpose, sources)


def _open(kind: str, name: str, sources: Iterable[Path]) -> Store:
    named = [name, *sorted(str(place.resolve()) for place in sources)]
    key = digest_bytes(msgspec.msgpack.encode(named)).hex()
    folder = default_cache_dir() / kind / key
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Store(folder if is_private(folder) else None)
    except OSError:
        return Store(None)
