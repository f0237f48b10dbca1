"""Undoing the last change to a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.errors import SourceError
from everyleaf.revise.backups import digest_file, last_backup

if TYPE_CHECKING:
    from everyleaf.revise.backups import Backup
    from everyleaf.revise.session import OpenSession


def plan_restore(session: OpenSession) -> Backup:
    """Return the backup that undoes the last change to `session`.

    What was appended to the session since then stays. An undo can be undone, likewise.

    Raises:
        SourceError: there is no backup, or the file was written anew since.
    """
    backup = last_backup(session.name, session.location)
    is_there = session.state.size_bytes >= backup.after_bytes
    found = digest_file(session.location, backup.after_bytes) if is_there else ""
    if found != backup.after_digest:
        raise SourceError(
            f"session {session.name!r} was written anew since everyleaf changed it",
            hint=f"what it was before is in {str(backup.copy)!r}",
        )
    return backup
