"""What a search finds, with the path it is on, what led there, and where it went on.

files ─▶ hits (bytes, then lines) ─▶ the sessions that have some, solved ─▶ matches
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import EVERYTHING
from everyleaf.errors import SourceError
from everyleaf.explore.matching import Match, find_matches
from everyleaf.explore.scanning import scan_files
from everyleaf.explore.texts import Where
from everyleaf.opening.named import narrow
from everyleaf.opening.raw import find_uuids
from everyleaf.opening.reading import find_places, load, open_workers
from everyleaf.sources.files import Role
from everyleaf.workers import InProcess

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.archive import Archive, Choice
    from everyleaf.config import RedactOptions
    from everyleaf.explore.needle import Needle
    from everyleaf.explore.scanning import Scanned
    from everyleaf.sources.files import Found
    from everyleaf.workers import OnProgress


class SearchResult(Struct, frozen=True):
    """What a search found."""

    matches: tuple[Match, ...]
    """Newest session first, then in the order of the path; each record once."""
    files: int
    """How many were searched."""
    size_bytes: int


def search(  # noqa: PLR0913  (what to look for, where, and three choices)
    sources: Sequence[Path],
    needle: Needle,
    wheres: frozenset[Where],
    *,
    redact: RedactOptions,
    choice: Choice = EVERYTHING,
    on_progress: OnProgress,
) -> SearchResult:
    """Return the records of `sources` that hold what `needle` finds, in texts of `wheres`.

    Told are those of sessions that `choice` takes.
    Of sessions without a match nothing is parsed, but of those that go on from another.
    What is shown is masked as `redact` says, from secrets in the sessions that were read.

    Raises:
        SourceError: the input cannot be read at all, or a pattern takes too long.
        RedactError: secrets cannot be looked for.
    """
    found = find_places(sources, include_archive=True)
    with open_workers(found) as executor:
        scanned = _scan(found, needle, wheres, executor, on_progress)
        near = _relevant(found, scanned, executor)
        if not near.files:
            return SearchResult((), len(found.files), found.size_bytes)
        archive = load(near, executor, on_progress, redact=redact)
    matches = [
        match
        for match in _matches(archive, found, scanned, needle, wheres)
        if choice.takes(match.session, match.project, match.ended)
    ]
    return SearchResult(tuple(matches), len(found.files), found.size_bytes)


def search_archive(
    archive: Archive, needle: Needle, wheres: frozenset[Where]
) -> tuple[Match, ...]:
    """Return the records of an archive that was read, as `search` does.

    Raises:
        SourceError: a pattern takes too long.
    """
    scanned = _scan(archive.found, needle, wheres, InProcess(), _say_nothing)
    return _matches(archive, archive.found, scanned, needle, wheres)


def _say_nothing(_stage: str, _done: int, _total: int) -> None:
    """Take a report of progress that nobody asked for."""


def _matches(
    archive: Archive,
    found: Found,
    scanned: Sequence[Scanned],
    needle: Needle,
    wheres: frozenset[Where],
) -> tuple[Match, ...]:
    hits = dict(zip((file.location for file in found.files), scanned, strict=True))
    by_source = {number: hits[file.location].hits for number, file in archive.files.items()}
    return tuple(find_matches(archive, by_source, needle, wheres))


def _scan(
    found: Found,
    needle: Needle,
    wheres: frozenset[Where],
    executor: Executor,
    on_progress: OnProgress,
) -> list[Scanned]:
    # What a user's record says is told apart from a prompt only when the tree is known.
    # And a session that has no other title is called by its first prompt.
    is_wide = Where.OTHER in wheres or Where.TITLES in wheres
    asked = wheres | {Where.PROMPTS} if is_wide else wheres
    scanned = scan_files(
        [file.location for file in found.files],
        needle,
        asked,
        executor,
        lambda done, total: on_progress("searching", done, total),
    )
    slow = [f for f, one in zip(found.files, scanned, strict=True) if one.is_too_slow]
    if slow:
        raise SourceError(
            f"the pattern takes too long on {slow[0].file!r}",
            hint="avoid repeats inside of repeats, such as (a+)+, or search for a text",
        )
    return scanned


def _relevant(found: Found, scanned: Sequence[Scanned], executor: Executor) -> Found:
    """Return the files of sessions with a match, and of all that may go through them."""
    pairs = list(zip(found.files, scanned, strict=True))
    held = {
        file.session
        for file, one in pairs
        if one.hits and file.role is not Role.INTERNAL_AGENT
    }
    titled = sorted({uuid for one in scanned for uuid in one.titles})
    if titled:
        locations = [file.location for file in found.files]
        places = find_uuids(locations, titled, executor)
        held |= {found.files[place].session for place, _ in places}
    if not held:
        return replace(found, files=())
    heads = {
        file.session: one.goes_on_from
        for file, one in pairs
        if one.goes_on_from and file.role is Role.SESSION and file.session not in held
    }
    return narrow(found, _with_followers(found, held, heads, executor), executor)


def _with_followers(
    found: Found, held: set[str], heads: Mapping[str, str], executor: Executor
) -> set[str]:
    """Return the sessions `held`, and those whose paths begin in one of them.

    `heads` is session → the record that it goes on from. Reads the sessions returned.
    """
    wanted, fresh = held.copy(), held
    waiting: dict[str, str] = {**heads}
    while fresh and waiting:
        locations = [file.location for file in found.files if file.session in fresh]
        hits = find_uuids(locations, sorted(set(waiting.values())), executor)
        uuids = {uuid for _, uuid in hits}
        fresh = {session for session, above in waiting.items() if above in uuids}
        waiting = {s: above for s, above in waiting.items() if s not in fresh}
        wanted |= fresh
    return wanted
