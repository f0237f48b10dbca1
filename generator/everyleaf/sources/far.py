"""Sessions at an address, for several machines: each fetches what its work names.

Who looks for sessions has a copy of the whole; a worker elsewhere gets the address, names
and versions of a file, or of a folder, and keeps what it fetched under those.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import digest_value
from everyleaf.errors import StorageError
from everyleaf.sources.unpacked import unpack_dir, unpack_once
from everyleaf.storage import fetch_copy, open_storage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from everyleaf.storage import Storage

_copies: dict[str, tuple[str, Mapping[str, str], Sequence[str]]] = {}
"""Folder of a copy in this process → its address, the version of each file, and the names
of all files in order."""


class FarPlace(Struct, frozen=True):
    """A file or a folder at an address, and what it holds."""

    address: str
    name: str
    files: tuple[tuple[str, str], ...]
    """Names and versions; none: it is not there."""

    def fetch(self) -> Path:
        """Return where it lies on this machine, fetched unless it is there already.

        Raises:
            ConfigError: what speaks to such a store is not installed.
            StorageError: it cannot be read, or has changed meanwhile.
        """
        if not self.files:
            return unpack_dir() / "nothing" / PurePath(self.name).name
        key = digest_value([self.address, self.files])
        return unpack_once(key, partial(_fill, self)) / self.name


def fetch_source(address: str) -> Path:
    """Return where a copy lies of what is at `address`: what is new there was fetched.

    Raises:
        ConfigError: what speaks to such a store is not installed.
        StorageError: it cannot be read, or there is no room for it.
    """
    copy = fetch_copy(address)
    _copies[f"{copy.folder}{os.sep}"] = (address, copy.known, sorted(copy.known))
    return copy.folder


def far_place(place: PurePath) -> FarPlace | None:
    """Return what a place in a copy stands for; None: it is in none of this process."""
    text = str(place)
    for folder, (address, versions, names) in _copies.items():
        if text.startswith(folder):
            name = text.removeprefix(folder).replace(os.sep, "/")
            if name in versions:
                return FarPlace(address, name, ((name, versions[name]),))
            first, last = (bisect_left(names, f"{name}{end}") for end in "/0")
            inner = names[first:last]  # "0" is what follows the slash.
            return FarPlace(address, name, tuple((one, versions[one]) for one in inner))
    return None


def _fill(place: FarPlace, folder: Path) -> None:
    storage: Storage = open_storage(place.address)
    names = [name for name, _ in place.files]
    storage.fetch(names, folder)
    for name, version in place.files:
        if storage.version(name) != version:
            raise StorageError(
                f"{name!r} in {place.address!r} has changed while it was read",
                hint="build again",
            )
