"""Sessions at an address, for several machines: each fetches what its work names.

Who looks for sessions has a copy; where workers read them, only of what files begin with,
which says what they are. A worker gets the address, names and versions of a file, or of a
folder, and keeps what it fetched under those.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath

from msgspec import Struct

from everyleaf.digest import digest_value
from everyleaf.errors import StorageError
from everyleaf.sources.lines import HEAD_BYTES, MORE_BYTES, Content, judge
from everyleaf.sources.unpacked import unpack_dir, unpack_once
from everyleaf.storage import Storage, open_copy, open_storage
from everyleaf.store import MARKER

_copies: dict[str, tuple[str, Mapping[str, str], Sequence[str]]] = {}
"""Folder of a copy in this process → its address, the version of each file, and the names
of all files in order."""

_fetched: dict[str, FarPlace] = {}
"""What this process fetched → what it stands for."""


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
        if self.files:
            key = digest_value([self.address, self.files])
            place = unpack_once(key, partial(_fill, self)) / self.name
        else:
            place = unpack_dir() / "nothing" / PurePath(self.name).name
        _fetched[str(place)] = self
        return place


def fetch_source(address: str, *, is_whole: bool = True) -> Path:
    """Return where a copy lies of what is at `address`: what is new there was fetched.

    Unless it `is_whole`, files have their sizes, and of their bytes only the first.

    Raises:
        ConfigError: what speaks to such a store is not installed.
        StorageError: it cannot be read, or there is no room for it.
    """
    storage = open_storage(address)
    listing = storage.listing()
    versions = {name: version for name, (version, _) in listing.items()}
    if is_whole or MARKER in listing:
        copy = open_copy(address, "source")
        copy.update(versions)
    else:
        copy = open_copy(address, "beginnings")
        sizes = {name: size for name, (_, size) in listing.items()}
        copy.update(versions, partial(_fetch_beginnings, storage, sizes))
    _copies[f"{copy.folder}{os.sep}"] = (address, copy.known, sorted(copy.known))
    return copy.folder


def _fetch_beginnings(
    storage: Storage, sizes: Mapping[str, int], names: Sequence[str], folder: Path
) -> None:
    """Write files that begin as those at the address do; holes stand for the rest."""
    wanted = {name: min(sizes[name], _looked_at(name)) for name in names}
    found = storage.read_beginnings(wanted)
    more = {
        name: min(sizes[name], MORE_BYTES)
        for name, body in found.items()
        if len(body) == HEAD_BYTES and judge(body) is not Content.SESSION
    }
    for name, body in (found | storage.read_beginnings(more)).items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as file:
            file.write(body)
            file.truncate(sizes[name])


def _looked_at(name: str) -> int:
    """Return how much of a file is looked at to tell what it is."""
    if "/tool-results/" in name:
        return 0
    return HEAD_BYTES if name.lower().endswith(".jsonl") else MORE_BYTES


def far_place(place: PurePath) -> FarPlace | None:
    """Return what a copy in this process stands for; None: it is in none."""
    text = str(place)
    if text in _fetched:
        return _fetched[text]
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
