"""Copies of session files as they were before a change, outside the projects folder."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from everyleaf.digest import DIGEST_BYTES, open_digest
from everyleaf.errors import OutputError, SourceError
from everyleaf.revise.edits import iter_span, write_new
from everyleaf.revise.session import FileState

if TYPE_CHECKING:
    from datetime import datetime

    from everyleaf.revise.session import OpenSession

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Backup:
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


def backups_dir() -> Path:
    """Return `$EVERYLEAF_BACKUP_DIR`, else a folder among the user's data."""
    configured = os.environ.get("EVERYLEAF_BACKUP_DIR", "")
    return Path(configured or platformdirs.user_data_path("everyleaf") / "backups")


def save_backup(session: OpenSession, after: Path, did: str, *, at: datetime) -> Backup:
    """Copy the session's file, which `after` is about to replace, and return the backup.

    Raises:
        OutputError: the copy cannot be made; then nothing must be changed.
    """
    folder = backups_dir() / session.name
    backup = Backup(
        copy=_free_name(folder, at),
        location=str(session.location),
        did=did,
        before=session.state,
        after_bytes=after.stat().st_size,
        after_digest=digest_file(after, None),
    )
    told = {"format": FORMAT, **asdict(backup), "copy": backup.copy.name}
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with session.location.open("rb") as file:
            write_new(backup.copy, iter_span(file, 0, None))
        write_new(_card(backup.copy), [json.dumps(told, indent=1).encode()])
    except OSError as error:
        raise OutputError(
            f"cannot keep a backup in {str(folder)!r}: {error.strerror}",
            hint="EVERYLEAF_BACKUP_DIR names another place; nothing was changed",
        ) from error
    return backup


def last_backup(session: str, location: Path) -> Backup:
    """Return the newest backup of the session's file at `location`.

    Raises:
        SourceError: there is none.
    """
    for card in sorted((backups_dir() / session).glob("*.json"), reverse=True):
        backup = _load(card)
        if backup is not None and backup.location == str(location):
            return backup
    raise SourceError(
        f"there is no backup of session {session!r}",
        hint=f"`rename` and `goto` keep them in {str(backups_dir())!r}",
    )


def forget_backup(backup: Backup) -> None:
    """Delete a backup whose change did not happen after all."""
    for left in (_card(backup.copy), backup.copy):
        left.unlink(missing_ok=True)


def digest_file(location: Path, size_bytes: int | None) -> str:
    """Return the digest of the first `size_bytes` bytes of a file, or of all of it."""
    digest = open_digest()
    with location.open("rb") as file:
        for piece in iter_span(file, 0, size_bytes):
            digest.update(piece)
    return digest.hexdigest(length=DIGEST_BYTES)


def _card(copy: Path) -> Path:
    """Return where it is written what a copy is of."""
    return copy.with_suffix(".json")


def _free_name(folder: Path, at: datetime) -> Path:
    """Return a name that sorts by time, and behind those of the same moment."""
    stem = at.strftime("%Y%m%dT%H%M%S.%fZ")
    number = 0
    while (folder / f"{stem}-{number:03}.jsonl").exists():
        number += 1
    return folder / f"{stem}-{number:03}.jsonl"


def _load(card: Path) -> Backup | None:
    """Return the backup that `card` tells of, or None if it is not a whole one of ours."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        told = json.loads(card.read_bytes())
        copy = card.with_suffix(".jsonl")
        if told["format"] == FORMAT and copy.is_file():
            before = FileState(**told["before"])
            return Backup(
                copy=copy,
                location=str(told["location"]),
                did=str(told["did"]),
                before=before,
                after_bytes=int(told["after_bytes"]),
                after_digest=str(told["after_digest"]),
            )
    return None
