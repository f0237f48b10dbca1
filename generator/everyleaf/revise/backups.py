"""Copies of session files as they were before a change, outside the projects folder."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from msgspec import Struct
from msgspec.structs import asdict

from everyleaf.digest import DIGEST_BYTES, open_digest
from everyleaf.errors import OutputError, SourceError
from everyleaf.revise.edits import iter_span, write_new
from everyleaf.revise.session import FileState

if TYPE_CHECKING:
    from everyleaf.revise.session import OpenSession

FORMAT = 1
STAMP = "%Y%m%dT%H%M%S.%fZ"
"""Of the name of a backup; names sort by time."""


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

    @property
    def at(self) -> datetime:
        """Return when the change was made, as the name says."""
        return _moment(self.copy)


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
    told = {
        "format": FORMAT,
        **asdict(backup),
        "copy": backup.copy.name,
        "before": asdict(backup.before),
    }
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
    stem = at.strftime(STAMP)
    number = 0
    while (folder / f"{stem}-{number:03}.jsonl").exists():
        number += 1
    return folder / f"{stem}-{number:03}.jsonl"


def _moment(copy: Path) -> datetime:
    stamp = copy.stem.rpartition("-")[0]
    return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)


def _load(card: Path) -> Backup | None:
    """Return the backup that `card` tells of, or None if it is not a whole one of ours."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        told = json.loads(card.read_bytes())
        copy = card.with_suffix(".jsonl")
        _moment(copy)
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
