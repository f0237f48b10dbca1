"""Writing a session's file: whole or not at all, with a backup, nothing lost meanwhile.

Backups lie outside the projects folder, each with a card that says what it is of. Putting
one back is a change like the others.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
import platformdirs
from msgspec import Struct
from msgspec.structs import asdict, replace

from everyleaf.digest import digest_file
from everyleaf.errors import OutputError, SourceError, refused
from everyleaf.revise import session as sessions
from everyleaf.revise.plan import SessionChange
from everyleaf.revise.session import FileState, OpenSession

SUFFIX = ".everyleaf-new"
"""Of a file that is being written: no tool takes it for a session."""
STAMP = "%Y%m%dT%H%M%S.%fZ"
"""Of the name of a backup; names sort by time."""
CHUNK_BYTES = 1 << 20

FilePart = tuple[Path, int, int | None]
"""The bytes of a file from one offset up to another, or up to its end."""


class Backup(Struct, frozen=True):
    """One backup. `copy` holds the file's bytes as they were before the change."""

    copy: Path
    location: str
    """The session's file."""
    did: str
    """What the change did, in words."""
    before: FileState
    after_bytes: int
    after_digest: str
    """Of the first `after_bytes` bytes of the file, once it was changed."""
    format: Literal[1] = 1

    @property
    def at(self) -> datetime:
        """Return when the change was made, as the name says."""
        return _moment(self.copy)


class Restoration(Struct, frozen=True):
    """A backup, and what was written to the session since it was made."""

    backup: Backup
    since: tuple[FilePart, ...]
    """In the order they were written."""

    @property
    def did(self) -> str:
        """Return what putting it back does, in words for a person."""
        is_last = len(self.since) == 1
        return f"{'undo' if is_last else 'undo all since'}: {self.backup.did}"


def apply_change(session: OpenSession, change: SessionChange, *, at: datetime) -> Backup:
    """Make `change` to the session's file and return the backup of what it was.

    The new file is read and solved before it takes the place of the old one: it must hold
    the same conversation, have the ACTIVE paths that were promised, and be resumed where
    that was promised.

    Raises:
        SourceError: the file is read-only, or someone wrote to it; nothing was changed.
        OutputError: it cannot be written, or is not what was promised; nothing was changed.
    """
    sessions.check_writable(session)
    pieces = _edited(session.location, change)
    with _staged(session, pieces, session.state.mode) as staged:
        _check_kept(session, change, _read(session, staged))
        return _swap(session, staged, change.summary, at)


def plan_restore(session: OpenSession, number: int = 1) -> Restoration:
    """Return what puts `session` back as it was before its last change but `number` - 1.

    What others appended to the session since then stays. An undo can be undone, likewise.

    Raises:
        SourceError: there is no such backup, or the file was written anew since.
    """
    backups = find_backups(session.name, session.location)
    if not 0 < number <= len(backups):
        raise SourceError(
            f"session {session.name!r} has no backup {number}",
            hint=f"it has 1 to {len(backups)}; see `everyleaf restore --list`",
        )
    undone = backups[:number]
    after = [session.location, *(backup.copy for backup in undone)]
    since = [
        _written_since(session, backup, file)
        for backup, file in zip(undone, after, strict=False)
    ]
    return Restoration(undone[-1], tuple(reversed(since)))


def put_back(session: OpenSession, wanted: Restoration, *, at: datetime) -> Backup:
    """Put a backup back, with what was appended to the session since; back up what was.

    Raises:
        SourceError: the file is read-only, or someone wrote to it; nothing was changed.
        OutputError: it cannot be written, or the backup holds another conversation;
            nothing was changed.
    """
    backup = wanted.backup
    sessions.check_writable(session)
    whole = (backup.copy, 0, backup.before.size_bytes)
    pieces = chain.from_iterable(map(_iter_part, (whole, *wanted.since)))
    with _staged(session, pieces, backup.before.mode) as staged:
        if _conversation(_read(session, staged)) != _conversation(session):
            raise OutputError(
                f"the backup {str(backup.copy)!r} is not what was saved",
                hint="it holds other messages; nothing was changed",
            )
        if staged.stat().st_size == backup.before.size_bytes:
            os.utime(staged, ns=(backup.before.mtime_ns, backup.before.mtime_ns))
        return _swap(session, staged, wanted.did, at)


def find_backups(session: str, location: Path) -> list[Backup]:
    """Return the backups of the session's file at `location`, newest first.

    Raises:
        SourceError: there are none.
    """
    cards = sorted((backups_dir() / session).glob("*.json"), reverse=True)
    found = [backup for card in cards if (backup := _load(card)) is not None]
    own = [backup for backup in found if backup.location == str(location)]
    if not own:
        raise SourceError(
            f"there is no backup of session {session!r}",
            hint=f"`rename` and `goto` keep them in {str(backups_dir())!r}",
        )
    return own


def backups_dir() -> Path:
    """Return `$EVERYLEAF_BACKUP_DIR`, else a folder among the user's data."""
    configured = os.environ.get("EVERYLEAF_BACKUP_DIR", "")
    return Path(configured or platformdirs.user_data_path("everyleaf") / "backups")


def write_new(location: Path, pieces: Iterable[bytes], *, mode: int = 0o600) -> None:
    """Write a file that is not there yet, down to the disk, readable as `mode` says.

    Raises:
        OSError: it is there, or the disk refuses.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(location, flags, mode), "wb") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    location.chmod(mode)


@contextmanager
def _staged(session: OpenSession, pieces: Iterable[bytes], mode: int) -> Generator[Path]:
    """Yield a file that holds `pieces`, beside the session's; it is gone afterwards."""
    staged = session.location.with_name(session.location.name + SUFFIX)
    try:
        with refused(OutputError, f"cannot write {str(staged)!r}"):
            staged.unlink(missing_ok=True)
            write_new(staged, pieces, mode=mode)
        yield staged
    finally:
        with suppress(OSError):
            staged.unlink(missing_ok=True)


def _read(session: OpenSession, staged: Path) -> OpenSession:
    return sessions.open_session(replace(session.source, place=str(staged)))


def _check_kept(session: OpenSession, change: SessionChange, after: OpenSession) -> None:
    """Return if `after` is what `change` promised to make of `session`."""
    if _conversation(after) != _conversation(session):
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
    position = sessions.resumed_at(session)
    return None if position is None else session.tree.records[position].uuid


def _conversation(session: OpenSession) -> list[tuple[object, ...]]:
    return [
        (each.kind, each.digest, each.timestamp, each.size_bytes)
        for each in session.records.records
    ]


def _swap(session: OpenSession, staged: Path, did: str, at: datetime) -> Backup:
    """Put `staged` in the place of the session's file, which is backed up."""
    backup = _save_backup(session, staged, did, at)
    try:
        sessions.check_unmoved(session)
        _move(session, staged)
    except BaseException:
        for left in (_card(backup.copy), backup.copy):
            left.unlink(missing_ok=True)
        raise
    return backup


def _move(session: OpenSession, staged: Path) -> None:
    if os.name == "nt":  # An open file cannot be replaced there.
        staged.replace(session.location)
        return
    with session.location.open("rb") as old:
        staged.replace(session.location)
        # What a process that had the old file open wrote in this very moment.
        late = b"".join(_iter_span(old, session.state.size_bytes, None))
    if late:
        with session.location.open("ab") as new:
            new.write(late)


def _save_backup(session: OpenSession, after: Path, did: str, at: datetime) -> Backup:
    """Copy the session's file, which `after` is about to replace, and return the backup."""
    folder = backups_dir() / session.name
    backup = Backup(
        copy=_free_name(folder, at),
        location=str(session.location),
        did=did,
        before=session.state,
        after_bytes=after.stat().st_size,
        after_digest=digest_file(after),
    )
    fields = {**asdict(backup), "copy": backup.copy.name, "before": asdict(backup.before)}
    hint = "EVERYLEAF_BACKUP_DIR names another place; nothing was changed"
    with refused(OutputError, f"cannot keep a backup in {str(folder)!r}", hint):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_new(backup.copy, _iter_part((session.location, 0, None)))
        write_new(_card(backup.copy), [json.dumps(fields, indent=1).encode()])
    return backup


def _card(copy: Path) -> Path:
    return copy.with_suffix(".json")


def _load(card: Path) -> Backup | None:
    """Return the backup that `card` is of, or None if it is not a whole one of ours."""
    copy = card.with_suffix(".jsonl")
    with suppress(OSError, ValueError, msgspec.ValidationError):
        # Not decoded by msgspec: names of files may hold what is no UTF-8.
        fields: object = json.loads(card.read_bytes())
        _moment(copy)
        if copy.is_file():
            found = msgspec.convert(fields, Backup, dec_hook=lambda _, name: Path(name))
            return replace(found, copy=copy)
    return None


def _moment(copy: Path) -> datetime:
    stamp = copy.stem.rpartition("-")[0]
    return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)


def _free_name(folder: Path, at: datetime) -> Path:
    """Return a name that sorts by time, and behind those of the same moment."""
    names = (f"{at.strftime(STAMP)}-{number:03}.jsonl" for number in count())
    return next(folder / name for name in names if not (folder / name).exists())


def _written_since(session: OpenSession, backup: Backup, file: Path) -> FilePart:
    """Return the part of `file` behind what everyleaf made of it after `backup`."""
    begin, end = backup.after_bytes, file.stat().st_size
    found = digest_file(file, begin) if end >= begin else ""
    if found != backup.after_digest:
        raise SourceError(
            f"session {session.name!r} was written anew since everyleaf changed it",
            hint=f"what it was before is in {str(backup.copy)!r}",
        )
    return file, begin, end


def _edited(location: Path, change: SessionChange) -> Iterator[bytes]:
    """Yield the content of a file after `change`. Reads it once, in pieces."""
    at = 0
    for edit in change.edits:
        yield from _iter_part((location, at, edit.offset))
        yield edit.insert
        at = edit.offset + edit.drop
    yield from _iter_part((location, at, None))


def _iter_part(part: FilePart) -> Iterator[bytes]:
    location, begin, end = part
    with location.open("rb") as file:
        yield from _iter_span(file, begin, end)


def _iter_span(file: BinaryIO, begin: int, end: int | None) -> Iterator[bytes]:
    """Yield the bytes of `file` from `begin` up to `end`, or up to its end, in pieces."""
    file.seek(begin)
    left = (sys.maxsize if end is None else end) - begin
    while piece := file.read(min(CHUNK_BYTES, left)):
        left -= len(piece)
        yield piece
