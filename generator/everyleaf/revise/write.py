"""Writing a session's file: whole or not at all, with a backup, nothing lost meanwhile."""

from __future__ import annotations

import os
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.errors import OutputError
from everyleaf.revise.backups import forget_backup, save_backup
from everyleaf.revise.busy import check_unmoved, check_writable
from everyleaf.revise.claude import resumed_at
from everyleaf.revise.edits import iter_edited, iter_span, write_new
from everyleaf.revise.session import open_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from everyleaf.revise.backups import Backup
    from everyleaf.revise.edits import Change
    from everyleaf.revise.restore import Restoration
    from everyleaf.revise.session import OpenSession

SUFFIX = ".everyleaf-new"
"""Of a file that is being written: no tool takes it for a session."""


def apply_change(session: OpenSession, change: Change, *, at: datetime) -> Backup:
    """Make `change` to the session's file and return the backup of what it was.

    The new file is read and solved before it takes the place of the old one: it must hold
    the same conversation, have the ACTIVE paths that were promised, and be resumed where
    that was promised.

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
        _check_kept(session, change, _read(session, staged))
        return _swap(session, staged, change.summary, at)
    finally:
        staged.unlink(missing_ok=True)


def put_back(session: OpenSession, wanted: Restoration, *, at: datetime) -> Backup:
    """Put a backup back, with what was appended to the session since; back up what was.

    Raises:
        SourceError: the file is read-only, or someone wrote to it; nothing was changed.
        OutputError: it cannot be written, or the backup holds another conversation;
            nothing was changed.
    """
    backup = wanted.backup
    check_writable(session)
    check_unmoved(session)
    whole = (backup.copy, 0, backup.before.size_bytes)
    pieces = chain.from_iterable(_iter_part(part) for part in (whole, *wanted.since))
    staged = _stage(session, pieces, backup.before.mode)
    try:
        if _is_other(session, _read(session, staged)):
            raise OutputError(
                f"the backup {str(backup.copy)!r} is not what was saved",
                hint="it holds other messages; nothing was changed",
            )
        if staged.stat().st_size == backup.before.size_bytes:
            os.utime(staged, ns=(backup.before.mtime_ns, backup.before.mtime_ns))
        return _swap(session, staged, wanted.did, at)
    finally:
        staged.unlink(missing_ok=True)


def _iter_part(part: tuple[Path, int, int]) -> Iterator[bytes]:
    location, begin, end = part
    with location.open("rb") as file:
        yield from iter_span(file, begin, end)


def _stage(session: OpenSession, pieces: Iterable[bytes], mode: int) -> Path:
    staged = session.location.with_name(session.location.name + SUFFIX)
    try:
        staged.unlink(missing_ok=True)
        write_new(staged, pieces, mode=mode)
    except OSError as error:
        staged.unlink(missing_ok=True)
        raise OutputError(f"cannot write {str(staged)!r}: {error.strerror}") from error
    return staged


def _read(session: OpenSession, staged: Path) -> OpenSession:
    """Return what is in `staged`, read as the session's file."""
    return open_session(replace(session.source, location=staged))


def _check_kept(session: OpenSession, change: Change, after: OpenSession) -> None:
    """Return if `after` is what `change` promised to make of `session`."""
    if _is_other(session, after):
        raise OutputError(
            f"cannot change session {session.name!r}: messages would change",
            hint="nothing was changed; this is a bug, please report it",
        )
    wanted, uuid = change.makes_active, change.resumes
    is_active = after.active == session.active if wanted is None else wanted in after.active
    if not is_active or _resumes(after) != (_resumes(session) if uuid is None else uuid):
        raise OutputError(
            f"cannot {change.summary}: another path would be resumed than promised",
            hint="nothing was changed; this is a bug, please report it",
        )


def _resumes(session: OpenSession) -> str | None:
    """Return the uuid of the record that a resume ends with; None: it begins anew."""
    position = resumed_at(session)
    return None if position is None else session.forest.trees[0].records[position].uuid


def _is_other(session: OpenSession, after: OpenSession) -> bool:
    """Return whether `after` does not hold the conversation of `session`."""
    return _conversation(after) != _conversation(session)


def _conversation(session: OpenSession) -> list[tuple[object, ...]]:
    return [
        (each.kind, each.digest, each.timestamp, each.size_bytes)
        for each in session.records.records
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
