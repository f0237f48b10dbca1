"""A whole source into a store: every session in it, with what lies beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.keep.hook import iter_folder, iter_history
from everyleaf.sources.discover import find_sources
from everyleaf.sources.files import Role
from everyleaf.sources.gathering import shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from everyleaf.sources.files import SourceFile
    from everyleaf.store import Store
    from everyleaf.workers import OnProgress


class Swept(Struct, frozen=True):
    """What a run brought to a store."""

    sessions: int
    """All that were looked at."""
    files: int
    """Those that were new or had changed."""
    size_bytes: int
    """What they took on disk."""
    unread: tuple[str, ...]
    """Files that could not be read, by name."""


def sweep(sources: Sequence[Path], store: Store, on_progress: OnProgress) -> Swept:
    """Add to `store` what is new in `sources`: sessions, agents, tool results, histories.

    Reads every file, since nothing else tells that one was rewritten. A session that has
    vanished stays as it was kept.

    Raises:
        SourceError: the source cannot be read at all, or is the store itself.
        OutputError: the store cannot be written, or the folder is something else.
    """
    if any(source.exists() and _is_same(source, store.folder) for source in sources):
        raise SourceError(
            f"{str(store.folder)!r} is the store itself",
            hint="name a source to keep, or none for all sessions of Claude Code",
        )
    found = find_sources(sources, include_archive=True)
    store.create()
    sessions: dict[str, list[SourceFile]] = {}
    for file in found.files:
        sessions.setdefault(file.session, []).append(file)
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
    return Swept(len(sessions), files, size_bytes, tuple(sorted(unread)))


def _iter_files(file: SourceFile) -> Iterator[tuple[str, Path]]:
    """Yield a name and a place for a session file and all that lies beside it."""
    name = f"projects/{file.project}/{file.file}"
    yield name, file.location
    beside = file.tool_results_dir.parent
    above, subagents, _ = name.partition("/subagents/")
    if not subagents:
        above = f"{name.rpartition('/')[0]}/{shown_name(beside.name)}"
    yield from iter_folder(above, beside)
    if file.role is Role.SESSION:
        yield from iter_history(file.location, file.session)


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
