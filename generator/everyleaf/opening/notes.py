"""What commands that only look remember of large archives, which are asked often."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from everyleaf.archive import EVERYTHING, solve_all
from everyleaf.fingerprint import digest_value
from everyleaf.indexing import KnownFiles
from everyleaf.memo import Memo, open_archive_memo
from everyleaf.opening.reading import load_index, open_workers
from everyleaf.sources.files import number_files
from everyleaf.state.catalog import ListedPath, NamedSession, keep_catalog
from everyleaf.state.contents import CHUNK_BYTES, digest_code, digest_folder, digest_found
from everyleaf.state.index import IndexState
from everyleaf.workers import SMALL_BYTES

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.archive import Archive, ArchiveIndex
    from everyleaf.opening.reading import Scope
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.workers import OnProgress

T = TypeVar("T")


class Notes(Struct, frozen=True):
    """What is known of files with these bytes."""

    index: Memo
    """What was read of each file: all commands share it."""
    store: Memo
    """What one command made of that."""
    contents: Mapping[int, str]
    """Source → digest of the bytes that it has now; empty where it cannot be read."""

    @property
    def files(self) -> KnownFiles:
        """Return what need not be read."""
        return KnownFiles(IndexState(self.index), self.contents)

    def name(self, made_of: object) -> str:
        """Return a name for what our code makes of this, plain data; empty: of nothing."""
        return f"note-{digest_value([made_of, digest_code()])}" if made_of else ""

    def find(self, name: str, kind: type[T]) -> T | None:
        """Return what was kept under `name`, if it is there and a whole `kind`."""
        return self.store.load(name, kind) if name else None

    def keep(self, name: str, value: object) -> None:
        """Keep `value` for the next time; without a name, it is not kept."""
        if name:
            self.store.save(name, value)

    def finish(self) -> None:
        """Forget what was not asked for this time."""
        self.index.drop_unused()
        self.store.drop_unused()


NO_NOTES = Notes(Memo(None), Memo(None), {})


def _open_notes_of(
    purpose: str, places: Sequence[Path], found: Found, *, masking: str
) -> Notes:
    """Return what is known of `found`.

    `purpose` names the command, `masking` how things are masked: where that differs,
    nothing is shared. Reads every byte once: times and sizes can lie.
    """
    index = open_archive_memo(f"index, {masking}", places)
    store = open_archive_memo(f"{purpose}, {masking}", places)
    if index.folder is None:
        return NO_NOTES
    buffer = bytearray(CHUNK_BYTES)
    numbered = number_files(found.files)
    contents = {n: digest_found(file, buffer) for n, file in numbered.items()}
    return Notes(index, store, contents)


class OpenedIndex(Struct, frozen=True):
    """The files of an archive, who may look at them, and what is known of them."""

    index: ArchiveIndex
    executor: Executor
    notes: Notes


class Opened(Struct, frozen=True):
    """An archive that was read, who may look at it, and what is known of it."""

    archive: Archive
    executor: Executor
    notes: Notes


@contextmanager
def open_index(
    scope: Scope, on_progress: OnProgress, *, purpose: str, is_strict: bool = False
) -> Generator[OpenedIndex]:
    """Yield the files that `scope` names; of a large archive, only what is new is read.

    In the end it is remembered what was kept meanwhile for this `purpose`; of a small
    archive nothing is worth remembering.

    Raises:
        SourceError: the input cannot be read at all, or what it names fits nothing.
        RedactError: secrets cannot be looked for.
    """
    found = scope.find()
    notes = NO_NOTES
    if found.size_bytes >= SMALL_BYTES and _has_folder(scope):
        notes = _open_notes_of(purpose, scope.places, found, masking=scope.masking)
    with open_workers(found) as executor:
        index = load_index(
            found,
            executor,
            on_progress,
            redact=scope.redact,
            choice=scope.choice,
            beside=scope.beside,
            is_strict=is_strict,
            known=notes.files,
        )
        yield OpenedIndex(index, executor, notes)
    notes.finish()


@contextmanager
def open_archive(
    scope: Scope, on_progress: OnProgress, *, purpose: str, is_strict: bool = False
) -> Generator[Opened]:
    """Yield the sessions that `scope` names, and remember what they are called.

    Raises as `open_index` does.
    """
    asked = open_index(scope, on_progress, purpose=purpose, is_strict=is_strict)
    with asked as opened:
        archive = solve_all(opened.index, on_progress)
        yield Opened(archive, opened.executor, opened.notes)
    if not is_strict:
        keep_names(scope, list_sessions(archive))


def keep_names(scope: Scope, sessions: Mapping[str, NamedSession]) -> None:
    """Remember what `sessions` are called for a shell that asks, if they are all there."""
    if scope.choice == EVERYTHING and scope.redact.is_on and _has_folder(scope):
        keep_catalog(scope.places, scope.redact, sessions)


def _has_folder(scope: Scope) -> bool:
    """Return whether what is named will be looked at again, and is not a file or two."""
    return any(place.is_dir() for place in scope.places)


def list_sessions(archive: Archive) -> dict[str, NamedSession]:
    """Return what the sessions of `archive` and their paths are called."""
    by_session: dict[str, list[ListedPath]] = {}
    ended: dict[str, str] = {}
    for path in archive.description.paths.values():
        listed = ListedPath(path.number, f"{path.status} {path.label or path.title}")
        by_session.setdefault(path.session, []).append(listed)
        # A session all of which another one holds is as old as what holds it.
        for name in (path.session, *(copy.path.session for copy in path.contains)):
            ended[name] = max(ended.get(name, ""), path.ended)
    for agent in archive.forest.agents:
        if agent.session not in by_session:
            times = (record.timestamp for record in agent.tree.records)
            ended[agent.session] = max(ended.get(agent.session, ""), *times, "")
    return {
        session.name: NamedSession(
            project=archive.projects[session.project],
            title=archive.description.titles.get(session.name, ""),
            ended=ended.get(session.name, ""),
            paths=tuple(by_session.get(session.name, ())),
        )
        for session in archive.forest.sessions
    }


def digest_spills(files: Mapping[int, SourceFile]) -> dict[int, str]:
    """Return source → digest of the outputs that lie beside it."""
    buffer = bytearray(CHUNK_BYTES)
    folders = {file.tool_results_dir for file in files.values()}
    digests = {
        folder: digest_folder(folder, buffer) if folder.is_dir() else ""
        for folder in folders
    }
    return {number: digests[file.tool_results_dir] for number, file in files.items()}
