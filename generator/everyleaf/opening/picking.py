"""Sessions that a person names by what `everyleaf list` shows: the newest, or a title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.compare.naming import LATEST, fitting_titles
from everyleaf.config import REDACT_ALL
from everyleaf.opening.raw import last_said
from everyleaf.opening.reading import load, open_workers
from everyleaf.sources.discover import find_named
from everyleaf.sources.files import Role

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.config import RedactOptions
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.workers import OnProgress


def find_files(
    name: str, sources: Sequence[Path], *, on_progress: OnProgress
) -> list[SourceFile]:
    """Return the session files that `name` means: by id or file, as the newest, by title.

    Raises:
        SourceError: the input cannot be read, or holds no session.
        RedactError: secrets cannot be looked for.
    """
    found, fitting = find_named(name, sources)
    if fitting:
        return fitting
    with open_workers(found) as executor:
        return pick_files(name, found, executor, on_progress=on_progress)


def pick_files(
    name: str,
    found: Found,
    executor: Executor,
    *,
    on_progress: OnProgress,
    redact: RedactOptions = REDACT_ALL,
) -> list[SourceFile]:
    """Return the files of the newest session, or of those whose title fits `name`.

    Titles are those that `redact` leaves to be seen. To know them, all is read.

    Raises:
        SourceError: nothing in the input is a record.
        RedactError: secrets cannot be looked for.
    """
    mains = [file for file in found.files if file.role is Role.SESSION]
    if name == LATEST:
        said = [(last_said(file.location), file.session) for file in mains]
        newest = max(((at, session) for at, session in said if at), default=None)
        return [file for file in mains if newest and file.session == newest[1]]
    archive = load(found, executor, on_progress, redact=redact)
    wanted = set(fitting_titles(name, archive.description.titles))
    locations = {
        archive.files[one.source].location
        for session in archive.forest.sessions
        if session.name in wanted
        for one in session.files
    }
    return [file for file in mains if file.location in locations]
