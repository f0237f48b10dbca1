"""The session file that a person means: by its id, the beginning of one, or the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from everyleaf.errors import SourceError
from everyleaf.sources.discover import default_inputs, find_sources
from everyleaf.sources.files import Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.sources.files import Found, SourceFile

LISTED = 6
"""Candidates that an error names."""


def named_file(name: str) -> Path | None:
    """Return the session file that `name` is; None where it is an id.

    Any file with a suffix or a folder in its name will do: recordings and exports, too.
    """
    file = Path(name)
    is_name = bool(file.suffix) or file.name != name
    return file if is_name and file.is_file() else None


def find_named(name: str, sources: Sequence[Path]) -> tuple[Found, list[SourceFile]]:
    """Return what `sources` hold, and the session files in it that `name` means.

    `name` is an id, the beginning of one, or a session's file; that file is all that is
    looked at where there are no `sources`. Without either, where `everyleaf build` looks.

    Raises:
        SourceError: the input cannot be read, or holds no session.
    """
    file = named_file(name)
    if file is None:
        found = find_sources(sources or [default_inputs()], include_archive=True)
        return found, fitting_files(found, name)
    found = find_sources([*sources, file], include_archive=True)
    return found, [
        one
        for one in found.files
        if one.role is Role.SESSION and one.location.samefile(file)
    ]


def fitting_files(found: Found, wanted: str) -> list[SourceFile]:
    """Return the session files whose id begins with `wanted`; those that are it, if any."""
    mains = [file for file in found.files if file.role is Role.SESSION]
    exact = [file for file in mains if file.session == wanted]
    return exact or [file for file in mains if wanted and file.session.startswith(wanted)]


def no_session(name: str) -> SourceError:
    """Return what to say where nothing fits `name`."""
    return SourceError(
        f"no session fits {name!r}",
        hint="say an id, a title or latest: `everyleaf list` shows them; --source says"
        " where to look",
    )


def several_sessions(name: str, candidates: Sequence[str]) -> SourceError:
    """Return what to say where several `candidates` fit `name`."""
    more = ", …" if len(candidates) > LISTED else ""
    return SourceError(
        f"{name!r} fits {len(candidates)} sessions",
        hint=f"say {' or '.join(candidates[:LISTED])}{more}",
    )
