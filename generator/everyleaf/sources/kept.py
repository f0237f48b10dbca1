"""A store as a source: its states as files, of which only what is new is unpacked again."""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.sources.unpacked import (
    SourceState,
    safe_name,
    unpack_dir,
    unwritable,
    write_states,
)
from everyleaf.store import Store, torn

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.store import KeptState

_CONTENTS = ".contents"


class _Unpacked(Struct):
    """A file of the store as it was unpacked."""

    states: str
    """What it was made of."""
    sizes: dict[str, int]
    """Size of each file that was made of it, by name."""


class _Contents(Struct):
    """What a folder holds of a store."""

    records: str = ""
    """Tells whether anything was added since."""
    files: dict[str, _Unpacked] = {}


def unpack_store(location: Path) -> Path:
    """Return a folder with what the store at `location` holds, laid out as it was found.

    Of each session file that is its last state, and earlier ones that it does not begin
    with; of other files (results of tools, copies of edited files) the last alone. Takes
    as long as what was added since the last time is large.

    Raises:
        SourceError: the store is torn, or there is no room for what is in it.
    """
    store = Store(location)
    folder = unpack_dir() / f"store-{digest_hex(str(location.resolve()).encode())}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.touch()
        contents = _load(folder)
        records = digest_hex("\0".join(store.record_names()).encode())
        if contents.records != records or not _is_there(folder, contents):
            contents = _Contents(records, _unpack_all(store, folder, contents.files))
            (folder / _CONTENTS).write_bytes(msgspec.json.encode(contents))
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)  # Else the disk would stay full.
        raise unwritable(error) from error
    return folder


def _load(folder: Path) -> _Contents:
    try:
        return msgspec.json.decode((folder / _CONTENTS).read_bytes(), type=_Contents)
    except (OSError, ValueError):
        for each in folder.iterdir():  # What it was made of is not known any more.
            shutil.rmtree(each, ignore_errors=True)
        return _Contents()


def _is_there(folder: Path, contents: _Contents) -> bool:
    return all(_has_all(folder, file) for file in contents.files.values())


def _has_all(folder: Path, file: _Unpacked) -> bool:
    try:
        return all(
            (folder / name).stat().st_size == size for name, size in file.sizes.items()
        )
    except OSError:
        return False


def _unpack_all(
    store: Store, folder: Path, before: dict[str, _Unpacked]
) -> dict[str, _Unpacked]:
    # By name over all sessions: machines may have kept a file under ids of their own.
    states: dict[str, list[KeptState]] = {}
    for session in store.folders():
        for state in store.states_of(session):
            states.setdefault(state.file.name, []).append(state)
    files: dict[str, _Unpacked] = {}
    for name, of_file in states.items():
        stamp = digest_hex(
            repr([(one.kept_ms, one.file.digest) for one in of_file]).encode()
        )
        known = before.get(name)
        if known is None or known.states != stamp or not _has_all(folder, known):
            known = _Unpacked(stamp, _unpack(store, folder, name, of_file))
        files[name] = known
    wanted = {name for file in files.values() for name in file.sizes}
    for file in before.values():
        for name in file.sizes.keys() - wanted:
            with suppress(OSError):
                (folder / name).unlink()
    return files


def _unpack(
    store: Store, folder: Path, name: str, states: list[KeptState]
) -> dict[str, int]:
    target = folder / safe_name(name)
    if not _may_be_session(target):
        states = states[-1:]
    missing = [one.file for one in states if not store.is_whole(one.file)]
    if missing:
        raise torn(store.folder, f"an object of {missing[0].name!r} is missing")
    written = write_states(
        target,
        [
            SourceState(
                one.kept_ms,
                one.file.size_bytes,
                one.file.digest,
                partial(store.read, one.file),
            )
            for one in states
        ],
    )
    return {each.relative_to(folder).as_posix(): each.stat().st_size for each in written}


def _may_be_session(target: Path) -> bool:
    return (
        target.suffix in {".jsonl", ".ndjson", ".json"}
        and "tool-results" not in target.parts
        and not target.name.endswith(".meta.json")
    )
