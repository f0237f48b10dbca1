"""Where packed sources are unpacked to: a folder of the cache for each, reused as it is.

All that reads sessions opens files, seeks in them and looks beside them. So what is packed
becomes files first, once for each content, and then is a source like any other. Of a store
of `everyleaf keep`, only what is new is unpacked again.
"""

from __future__ import annotations

import atexit
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from functools import cache, partial
from itertools import chain
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from everyleaf.cachedir import default_cache_dir, made_private
from everyleaf.digest import digest_hex, open_digest
from everyleaf.errors import SourceError, refused
from everyleaf.grouping import grouped
from everyleaf.sources.files import EARLIER
from everyleaf.store import KeptState, Store, torn

FOLDER = "unpacked"
_UNUSED_S = 30 * 24 * 3600
"""What was not read for so long is deleted; it is unpacked again when it is asked for."""
_FOREIGN = re.compile(r'[\x00-\x1f\x7f<>:"|?*]')
"""Characters that a file's name cannot hold on each system."""
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)")
_DIGEST_BYTES = 32


class SourceState(Struct, frozen=True):
    """What a file held at one time."""

    kept_ms: int
    """When, in milliseconds since 1970."""
    size_bytes: int
    digest: str
    """BLAKE3 of the bytes, in hex."""
    read: Callable[[], Iterable[bytes]]


@cache
def unpack_dir() -> Path:
    """Return the folder to unpack to: in the cache, if only this user may write there.

    Else one that goes with the process. What was not used for a month is deleted.
    """
    if folder := made_private(default_cache_dir() / FOLDER):
        with suppress(OSError):
            for each in folder.iterdir():
                if time.time() - each.stat().st_mtime > _UNUSED_S:
                    shutil.rmtree(each, ignore_errors=True)
        return folder
    temporary = Path(tempfile.mkdtemp(prefix="everyleaf-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def is_unpacked(location: Path) -> bool:
    """Return whether a file is a copy that was unpacked: to change it would be vain."""
    has_any = unpack_dir.cache_info().currsize
    return bool(has_any) and location.is_relative_to(unpack_dir())


def unpack_once(key: str, fill: Callable[[Path], None]) -> Path:
    """Return the folder for the content `key`, filled by `fill` if it is not there yet.

    It gets its name when all of it is there: what was broken off is never taken for whole.

    Raises:
        SourceError: it cannot be written.
    """
    folder = unpack_dir() / key
    with unpacking():
        if folder.is_dir():
            folder.touch()
            return folder
        made = Path(tempfile.mkdtemp(prefix=f"new-{key}-", dir=unpack_dir()))
        try:
            fill(made)
            try:
                made.replace(folder)
            except OSError:
                if not folder.is_dir():  # Else somebody was faster, with the same.
                    raise
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def unpacking() -> AbstractContextManager[None]:
    """Turn what the disk refuses meanwhile into a `SourceError`."""
    hint = "make room, or name another folder with EVERYLEAF_CACHE_DIR"
    return refused(SourceError, f"cannot unpack to {str(unpack_dir())!r}", hint)


def safe_name(name: str) -> PurePosixPath:
    """Return the place that `name` means below a folder, as each system can have it.

    Raises:
        SourceError: it leads out of the folder.
    """
    plain = name.replace("\\", "/")
    parts = [part for part in plain.split("/") if part not in {"", "."}]
    if ".." in parts or plain.startswith("/") or re.match("[A-Za-z]:", plain) or not parts:
        raise SourceError(
            f"the name {name!r} leads out of its folder",
            hint="nothing was unpacked; pack it again with names below one folder",
        )
    return PurePosixPath(*map(_safe_part, parts))


def _safe_part(part: str) -> str:
    made = _FOREIGN.sub("_", part).rstrip(". ") or "_"
    return f"_{made}" if _RESERVED.match(made) else made


def write_states(target: Path, states: Sequence[SourceState]) -> list[Path]:
    """Write what a file held, as few files as hold all of it; return them.

    A state that another begins with is in that one already. Of the others the last gets
    the name of the file, and earlier ones its name with their time in it: a session that
    was rewritten is two, and what they share is one path again where paths are found.

    Raises:
        OSError: they cannot be written.
        SourceError: what is to be written cannot be read.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    ordered = sorted(states, key=lambda state: (-state.size_bytes, -state.kept_ms))
    kept: list[tuple[SourceState, Path]] = []
    while ordered:
        largest, *ordered = ordered
        written, beginnings = _write(target, largest, ordered)
        kept.append((largest, written))
        ordered = [state for state in ordered if state.digest not in beginnings]
    kept.sort(key=lambda each: (each[0].kept_ms, each[0].digest))
    (_, last), earlier = kept[-1], kept[:-1]
    names = [target]
    last.replace(target)
    for state, written in earlier:
        moment = datetime.fromtimestamp(state.kept_ms / 1000, UTC)
        name = target.with_stem(f"{target.stem}{EARLIER}{moment:%Y%m%dT%H%M%SZ}")
        while name in names:
            name = name.with_stem(f"{name.stem}-{state.digest[:8]}")
        names.append(name)
        written.replace(name)
    return names


def _write(
    target: Path, state: SourceState, shorter: Sequence[SourceState]
) -> tuple[Path, set[str]]:
    """Write `state` beside `target`; return where, and those of `shorter` in it."""
    ends = sorted({other.size_bytes for other in shorter})
    digests = {other.digest for other in shorter}
    beginnings: set[str] = set()
    seen, at = open_digest(), 0
    with tempfile.NamedTemporaryFile("wb", dir=target.parent, delete=False) as handle:
        for data in chain((b"",), state.read()):  # One that was empty begins all.
            handle.write(data)
            begin = 0
            while ends and ends[0] <= at + len(data):
                end = ends.pop(0) - at
                seen.update(data[begin:end])
                begin = end
                beginnings |= {seen.hexdigest(length=_DIGEST_BYTES)} & digests
            seen.update(data[begin:])
            at += len(data)
    return Path(handle.name), beginnings


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
    folder = unpack_dir() / f"store-{digest_hex(bytes(location.resolve()))}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.touch()
        contents = _load(folder)
        records = digest_hex("\0".join(store.record_names()).encode())
        if contents.records != records or not all(
            _has_all(folder, file) for file in contents.files.values()
        ):
            contents = _Contents(records, _unpack_all(store, folder, contents.files))
            (folder / _CONTENTS).write_bytes(msgspec.json.encode(contents))
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)  # Else the disk would stay full.
        with unpacking():
            raise
    return folder


def _load(folder: Path) -> _Contents:
    try:
        return msgspec.json.decode((folder / _CONTENTS).read_bytes(), type=_Contents)
    except (OSError, ValueError):
        for each in folder.iterdir():  # What it was made of is not known any more.
            shutil.rmtree(each, ignore_errors=True)
        return _Contents()


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
    states = grouped(
        (state.file.name, state)
        for session in store.folders()
        for state in store.states_of(session)
    )
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
    made = [
        SourceState(
            one.kept_ms, one.file.size_bytes, one.file.digest, partial(store.read, one.file)
        )
        for one in states
    ]
    written = write_states(target, made)
    return {each.relative_to(folder).as_posix(): each.stat().st_size for each in written}


def _may_be_session(target: Path) -> bool:
    return (
        target.suffix in {".jsonl", ".ndjson", ".json"}
        and "tool-results" not in target.parts
        and not target.name.endswith(".meta.json")
    )
