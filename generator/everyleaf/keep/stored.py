"""A store of sessions, filled from a source, listed, verified, and put back as it was."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from everyleaf import store as stores
from everyleaf.errors import OutputError, SourceError, refused
from everyleaf.grouping import grouped
from everyleaf.keep.hook import iter_folder, iter_history
from everyleaf.opening.named import find_files
from everyleaf.sources.discover import find_sources, listed, no_session, several_fit
from everyleaf.sources.files import EARLIER, Role, SourceFile
from everyleaf.sources.gathering import shown_name
from everyleaf.sources.unpacked import safe_name
from everyleaf.store import KeptState, Piece, Store, StoredFile, session_folder
from everyleaf.workers import OnProgress


class Swept(stores.Added, frozen=True):
    """What a run brought to a store."""

    sessions: int = 0
    """All that were looked at."""


def sweep(sources: Sequence[Path], store: Store, on_progress: OnProgress) -> Swept:
    """Add to `store` what is new in `sources`: sessions, agents, tool results, histories.

    Reads every file, since nothing else tells that one was rewritten. A session that has
    vanished stays as it was kept.

    Raises:
        SourceError: the source cannot be read at all, or is the store itself.
        OutputError: the store cannot be written, or the folder is something else.
    """
    own = store.folder.resolve()
    if any(source.exists() and source.resolve() == own for source in sources):
        raise SourceError(
            f"{str(store.folder)!r} is the store itself",
            hint="name a source to keep, or none for all sessions of Claude Code",
        )
    found = find_sources(sources, include_archive=True)
    store.create()
    sessions = grouped((file.session, file) for file in found.files)
    files, size_bytes = 0, 0
    unread = [str(issue.file) for issue in found.issues]
    for done, (session, of_session) in enumerate(sorted(sessions.items())):
        on_progress("keeping", done, len(sessions))
        names = dict(each for file in of_session for each in _iter_files(file))
        added = store.keep(session, names.items())
        files += added.files
        size_bytes += added.size_bytes
        unread += added.unread
    on_progress("keeping", len(sessions), len(sessions))
    return Swept(files, size_bytes, tuple(sorted(unread)), len(sessions))


def _iter_files(file: SourceFile) -> Iterator[tuple[str, Path]]:
    """Yield a name and a place for a session file and all that lies beside it."""
    name = f"projects/{file.project}/{file.file}"
    yield name, file.location
    beside = Path(file.tool_results_dir).parent
    above, subagents, _ = name.partition("/subagents/")
    if not subagents:
        above = f"{name.rpartition('/')[0]}/{shown_name(beside.name)}"
    yield from iter_folder(above, beside)
    if file.role is Role.SESSION:
        yield from iter_history(file.location, file.session)


class StoredSession(Struct, frozen=True):
    """A session as it is in a store."""

    session: str
    project: str
    """Name of its folder, as on disk."""
    size_bytes: int
    """Of the session and what lies beside it, in their last state."""
    files: int
    states: tuple[tuple[int, int], ...]
    """When something of it was kept, and how large its own file was then."""


class Verified(Struct, frozen=True):
    """What came of looking at everything in a store."""

    sessions: int
    states: int
    objects: int
    damages: tuple[str, ...]


class Restored(Struct, frozen=True):
    """What was written of a session."""

    session: str
    wrote: tuple[Path, ...]
    kept: int
    """Files that were there already, with the same bytes."""


def check_store(store: Store) -> Store:
    """Return `store`, if it is one.

    Raises:
        SourceError: it is none, or of a later version.
    """
    if not stores.is_store(store.folder):
        raise SourceError(
            f"{str(store.folder)!r} is no store",
            hint="`everyleaf keep --to DIR` makes one; name it before --list, --verify and"
            " --restore",
        )
    return store


def list_sessions(store: Store) -> list[StoredSession]:
    """Return what is in `store`, the session that was kept last first.

    Raises:
        SourceError: a record is damaged.
    """
    found = [
        _stored(next(store.records_of(folder)).session, states)
        for folder in store.folders()
        if (states := store.states_of(folder))
    ]
    return sorted(found, key=lambda one: (-one.states[-1][0], one.session))


def _stored(session: str, states: list[KeptState]) -> StoredSession:
    last = {one.file.name: one.file for one in states}
    own = next((name for name in last if name.endswith(f"/{session}.jsonl")), "")
    sizes: dict[int, int] = {}
    size = 0
    for one in states:
        size = one.file.size_bytes if one.file.name == own else size
        sizes[one.kept_ms] = size
    name = own or next((name for name in last if name.startswith("projects/")), "")
    return StoredSession(
        session=session,
        project=name.split("/")[1] if name.count("/") else "",
        size_bytes=sum(file.size_bytes for file in last.values()),
        files=len(last),
        states=tuple(sorted(sizes.items())),
    )


def verify(store: Store, on_progress: OnProgress) -> Verified:
    """Read everything in `store` and return what is missing or damaged.

    Each object is read once, and of each file its last state as a whole.
    """
    damages: list[str] = []
    known: dict[Piece, bool] = {}
    folders = store.folders()
    states = 0
    for done, folder in enumerate(folders):
        on_progress("verifying", done, len(folders))
        try:
            of_session = store.states_of(folder)
        except SourceError as error:
            damages.append(error.message)
            continue
        last = {one.file.name: one.file for one in of_session}
        for one in of_session:
            states += 1
            is_last = last[one.file.name] is one.file
            damages += _damages(store, one.file, known, is_last=is_last)
    on_progress("verifying", len(folders), len(folders))
    return Verified(len(folders), states, len(known), tuple(dict.fromkeys(damages)))


def _damages(
    store: Store, file: StoredFile, known: dict[Piece, bool], *, is_last: bool
) -> Iterator[str]:
    for piece in file.pieces:
        if piece not in known:
            try:
                store.read_piece(piece)
                known[piece] = True
            except SourceError as error:
                known[piece] = False
                yield error.message
    if not all(known[piece] for piece in file.pieces):
        yield f"{file.name} of {file.size_bytes:,} bytes cannot be restored"
    elif is_last:
        try:
            for _ in store.read(file):
                pass
        except SourceError as error:
            yield error.message


def restore(store: Store, wanted: str, until_ms: int | None, target: Path) -> Restored:
    """Write a session below `target` as it was at a time, or when it was kept last.

    `wanted` is an id or its beginning, `latest`, or a title. Files get the places that they
    have below the settings folder of Claude Code; what is there is never written over.

    Raises:
        SourceError: no or several sessions fit, none was kept by then, or it is torn.
        OutputError: other files are in the way, or the folder cannot be written.
    """
    folder = _find_folder(store, wanted)
    session = next(store.records_of(folder)).session
    states = store.states_of(folder)
    until = states[-1].kept_ms if until_ms is None else until_ms
    files = {one.file.name: one.file for one in states if one.kept_ms <= until}
    if not files:
        raise SourceError(
            f"{session} was not kept before that",
            hint=f"`everyleaf keep {store.folder} --list --verbose` shows when it was",
        )
    places = {name: target / safe_name(name) for name in files}
    same = {name for name, place in places.items() if _is_same(store, files[name], place)}
    wrote = {name: place for name, place in places.items() if name not in same}
    others = sorted(str(place) for place in wrote.values() if place.exists())
    if others:
        raise OutputError(
            f"there are other files already: {listed(others)}",
            hint="nothing was written; restore to an empty folder, and compare",
        )
    with refused(OutputError, f"cannot write to {str(target)!r}"):
        for name, place in wrote.items():
            _write(store, files[name], place)
    return Restored(session, tuple(wrote.values()), len(same))


def _find_folder(store: Store, wanted: str) -> str:
    """Return the folder of the session that `wanted` is the id of, or begins, or names."""
    folders = store.folders()
    own = session_folder(wanted)
    fitting = [each for each in folders if wanted and each.startswith(wanted)]
    if own in folders:
        fitting = [own]
    if not fitting and wanted:
        # As every command finds it: in the sessions themselves, unpacked.
        found = find_files(wanted, [store.folder])
        names = {file.session.partition(EARLIER)[0] for file in found}
        fitting = [session_folder(name) for name in sorted(names)]
    if not fitting:
        listing = f"`everyleaf keep {store.folder} --list` shows what was kept"
        raise no_session(wanted, listing=listing)
    if len(fitting) > 1:
        raise several_fit(wanted, fitting)
    return fitting[0]


def _is_same(store: Store, file: StoredFile, place: Path) -> bool:
    if not place.is_file() or place.stat().st_size != file.size_bytes:
        return False
    with place.open("rb") as handle:
        return all(handle.read(len(data)) == data for data in store.read(file))


def _write(store: Store, file: StoredFile, place: Path) -> None:
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("wb", dir=place.parent, delete=False) as handle:
        temporary = Path(handle.name)
        try:
            for data in store.read(file):
                handle.write(data)
        except BaseException:
            handle.close()
            temporary.unlink()
            raise
    temporary.replace(place)
