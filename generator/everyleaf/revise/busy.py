"""Whether someone is writing to a session right now: then it is left alone."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import psutil

from everyleaf.errors import SourceError
from everyleaf.records.text import as_object
from everyleaf.revise.session import FileState
from everyleaf.sources.discover import default_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from everyleaf.revise.session import OpenSession

SETTLED_SECONDS = 0.5
"""How long a file must keep still before it is written to."""


def check_idle(session: OpenSession) -> None:
    """Return once the session's file has kept still for `SETTLED_SECONDS`.

    Raises:
        SourceError: its size or time moved since it was read, or a process that lives says
            (in `sessions/<pid>.json`, `format.md` §1) that it works on the session.
    """
    for settings_dir in _settings_dirs(session.location):
        for pid in _listed(settings_dir / "sessions", session.name):
            if psutil.pid_exists(pid):
                raise SourceError(
                    f"session {session.name!r} is open in process {pid}",
                    hint="leave it there (/exit) and try again",
                )
    time.sleep(SETTLED_SECONDS)
    check_unmoved(session)


def check_writable(session: OpenSession) -> None:
    """Return if the session's file may be written to, as its mode says.

    Replacing a file asks for no leave; a person's wish that it stays would be lost.

    Raises:
        SourceError: nobody may.
    """
    if not session.state.mode & 0o222:
        raise SourceError(
            f"the file of session {session.name!r} is read-only",
            hint="give yourself leave to write to it, if it is meant to change",
        )


def check_unmoved(session: OpenSession) -> None:
    """Return if the session's file looks as it did when it was read.

    Raises:
        SourceError: its size or time has moved.
    """
    if FileState.of(session.location) != session.state:
        raise SourceError(
            f"session {session.name!r} is being written to",
            hint="try again when nothing works on it",
        )


def _settings_dirs(location: Path) -> list[Path]:
    """Return the settings folders that may know of the file: its own, and the user's."""
    own = [above.parent for above in location.parents if above.name == "projects"]
    return list(dict.fromkeys([*own, default_inputs()]))


def _listed(registry: Path, session: str) -> Iterator[int]:
    """Yield the ids of the processes that a live registry lists for `session`."""
    for entry in sorted(registry.glob("*.json")):
        try:
            told = as_object(json.loads(entry.read_bytes())) or {}
        except (OSError, ValueError):
            continue  # Being written, or nothing of the CLI's.
        pid = str(told.get("pid", entry.stem))
        if told.get("sessionId") == session and pid.isdecimal():
            yield int(pid)
