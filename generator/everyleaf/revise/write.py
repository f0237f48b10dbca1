"""Writing a session's file: whole or not at all, with a backup, nothing lost meanwhile."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from everyleaf.errors import OutputError
from everyleaf.graph.solve import solve
from everyleaf.records.index import index_file
from everyleaf.revise.backups import forget_backup, save_backup
from everyleaf.revise.busy import check_unmoved, check_writable
from everyleaf.revise.edits import iter_edited, iter_span, write_new
from everyleaf.revise.session import active_paths

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from everyleaf.model import SessionRecords
    from everyleaf.revise.backups import Backup
    from everyleaf.revise.edits import Change
    from everyleaf.revise.session import OpenSession

SUFFIX = ".everyleaf-new"
"""Of a file that is being written: no tool takes it for a session."""


def apply_change(session: OpenSession, change: Change, *, at: datetime) -> Backup:
    """Make `change` to the session's file and return the backup of what it was.

    The new file is read and solved before it takes the place of the old one: it must hold
    the same conversation, with the ACTIVE paths that were promised.

    Raises:
        SourceError: the file is read-only, or someone wrote to it; nothing was changed.
        OutputError: it cannot be written, or is not what was promised; nothing was changed.
    """
    check_writable(session)
    check_unmoved(session)
    with session.location.open("rb") as file:
        pieces = iter_edited(file, change.edits)
        staged = _stage(session, pieces, session.state.mode)
    try:
        records = _check_same(session, staged)
        _check_active(session, change, records)
        return _swap(session, staged, change.summary, at)
    finally:
        staged.unlink(missing_ok=True)


def put_back(session: OpenSession, backup: Backup, *, at: datetime) -> Backup:
    """Put `backup` back, with what was appended to the session since, and back up that.

    Raises:
        SourceError: the file is read-only, or someone wrote to it; nothing was changed.
        OutputError: it cannot be written, or the backup holds another conversation;
            nothing was changed.
    """
    check_writable(session)
    check_unmoved(session)
    with backup.copy.open("rb") as copy, session.location.open("rb") as file:
        was, since = iter_span(copy, 0, None), iter_span(file, backup.after_bytes, None)
        staged = _stage(session, chain(was, since), backup.before.mode)
    try:
        if _is_other(session, _read(session, staged)):
            raise OutputError(
                f"the backup {str(backup.copy)!r} is not what was saved",
                hint="it holds other messages; nothing was changed",
            )
        if staged.stat().st_size == backup.before.size_bytes:
            os.utime(staged, ns=(backup.before.mtime_ns, backup.before.mtime_ns))
        return _swap(session, staged, f"undo: {backup.did}", at)
    finally:
        staged.unlink(missing_ok=True)


def _stage(session: OpenSession, pieces: Iterable[bytes], mode: int) -> Path:
    staged = session.location.with_name(session.location.name + SUFFIX)
    try:
        staged.unlink(missing_ok=True)
        write_new(staged, pieces, mode=mode)
    except OSError as error:
        staged.unlink(missing_ok=True)
        raise OutputError(f"cannot write {str(staged)!r}: {error.strerror}") from error
    return staged


def _check_same(session: OpenSession, staged: Path) -> SessionRecords:
    """Return what is in `staged`, which must be the conversation of `session`."""
    records = _read(session, staged)
    if _is_other(session, records):
        raise OutputError(
            f"cannot change session {session.name!r}: messages would change",
            hint="nothing was changed; this is a bug, please report it",
        )
    return records


def _read(session: OpenSession, staged: Path) -> SessionRecords:
    size_bytes = staged.stat().st_size
    source = replace(session.source, location=staged, size_bytes=size_bytes)
    return index_file(source, source_index=0).records


def _is_other(session: OpenSession, records: SessionRecords) -> bool:
    """Return whether `records` are not the conversation of `session`."""
    return _conversation(records) != _conversation(session.records)


def _check_active(session: OpenSession, change: Change, records: SessionRecords) -> None:
    active = active_paths(solve([records]))
    wanted = change.makes_active
    if active != session.active if wanted is None else wanted not in active:
        raise OutputError(
            f"cannot {change.summary}: other paths would be ACTIVE than promised",
            hint="nothing was changed; this is a bug, please report it",
        )


def _conversation(records: SessionRecords) -> list[tuple[object, ...]]:
    return [
        (each.kind, each.digest, each.timestamp, each.size_bytes)
        for each in records.records
    ]


def _swap(session: OpenSession, staged: Path, did: str, at: datetime) -> Backup:
    """Put `staged` in the place of the session's file, which is backed up."""
    backup = save_backup(session, staged, did, at=at)
    try:
        check_unmoved(session)
        _move(session, staged)
    except BaseException:
        forget_backup(backup)
        raise
    return backup


def _move(session: OpenSession, staged: Path) -> None:
    if os.name == "nt":  # An open file cannot be replaced there.
        staged.replace(session.location)
        return
    with session.location.open("rb") as old:
        staged.replace(session.location)
        # What a process that had the old file open wrote in this very moment.
        late = b"".join(iter_span(old, session.state.size_bytes, None))
    if late:
        with session.location.open("ab") as new:
            new.write(late)
