"""Undoing changes to a session: the last one, or all of them back to an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.revise.backups import digest_file, find_backups

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.revise.backups import Backup
    from everyleaf.revise.session import OpenSession


class Restoration(Struct, frozen=True):
    """A backup, and what was written to the session since it was made."""

    backup: Backup
    since: tuple[tuple[Path, int, int], ...]
    """Parts of files (from one byte up to another), in the order they were written."""

    @property
    def did(self) -> str:
        """Return what putting it back does, in words for a person."""
        is_last = len(self.since) == 1
        return f"{'undo' if is_last else 'undo all since'}: {self.backup.did}"

    @property
    def since_bytes(self) -> int:
        """Return how much was written since, by others than everyleaf."""
        return sum(end - begin for _, begin, end in self.since)


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
    spans = [
        _written_since(session, backup, file)
        for backup, file in zip(undone, after, strict=False)
    ]
    return Restoration(undone[-1], tuple(reversed(spans)))


def _written_since(
    session: OpenSession, backup: Backup, file: Path
) -> tuple[Path, int, int]:
    """Return the part of `file` behind what everyleaf made of it after `backup`."""
    begin, end = backup.after_bytes, file.stat().st_size
    found = digest_file(file, begin) if end >= begin else ""
    if found != backup.after_digest:
        raise SourceError(
            f"session {session.name!r} was written anew since everyleaf changed it",
            hint=f"what it was before is in {str(backup.copy)!r}",
        )
    return file, begin, end
