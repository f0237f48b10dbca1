"""What a search finds, with the path it is on, what led there, and where it went on.

files ─▶ hits (bytes, then lines) ─▶ the sessions that have some, solved ─▶ matches
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import Archive, check_projects, solve_all
from everyleaf.errors import SourceError
from everyleaf.explore.matches import Match, find_matches
from everyleaf.explore.query import Query, QueryHit, TooSlowError, Where, iter_texts
from everyleaf.opening import named
from everyleaf.opening.reading import Scope, load_index, open_workers
from everyleaf.records.recover import decode_line
from everyleaf.records.text import as_text
from everyleaf.sources.files import Found, Role
from everyleaf.workers import InProcess, OnProgress, iter_done, say_nothing


class SearchResult(Struct, frozen=True):
    """What a search found."""

    matches: tuple[Match, ...]
    """Newest session first, then in the order of the path; each record once."""
    files: int
    """How many were searched."""


class FileHits(Struct, frozen=True):
    """What a search found in one file."""

    hits: tuple[QueryHit, ...] = ()
    goes_on_from: str = ""
    """The record of another file that the first one here names as its parent."""
    titles: tuple[str, ...] = ()
    """Records that titles with it name: of their session, which may be in another file."""
    is_too_slow: bool = False
    """The search was given up."""


def search(scope: Scope, on_progress: OnProgress, query: Query) -> SearchResult:
    """Return the records that hold what `query` finds.

    Told are those of sessions that the choice of `scope` takes.
    Of sessions without a match nothing is parsed, but of those that go on from another.
    What is shown is masked, from secrets in the sessions that were read.
    """
    found = scope.find()
    matches: list[Match] = []
    with open_workers(found) as executor:
        scanned = scan_files(found, query, executor, on_progress)
        near = _relevant(found, scanned, executor)
        if near.files:
            index = load_index(near, executor, on_progress, Scope(redact=scope.redact))
            held = _matches(solve_all(index, on_progress), found, scanned, query)
            takes = scope.choice.takes
            matches = [one for one in held if takes(one.session, one.project, one.ended)]
    if scope.choice.projects and not matches:
        check_projects(found, scope.choice)
    return SearchResult(tuple(matches), len(found.files))


def search_archive(archive: Archive, query: Query) -> tuple[Match, ...]:
    """Return the records of an archive that was read, as `search` does."""
    scanned = scan_files(archive.found, query, InProcess(), say_nothing)
    return _matches(archive, archive.found, scanned, query)


def _matches(
    archive: Archive, found: Found, scanned: Sequence[FileHits], query: Query
) -> tuple[Match, ...]:
    hits = dict(zip((file.place for file in found.files), scanned, strict=True))
    by_source = {number: hits[file.place].hits for number, file in archive.files.items()}
    return tuple(find_matches(archive, by_source, query))


def _relevant(found: Found, scanned: Sequence[FileHits], executor: Executor) -> Found:
    """Return the files of sessions with a match, and of all that may go through them."""
    hit = (file for file, one in zip(found.files, scanned, strict=True) if one.hits)
    held = {file.session for file in hit if file.role is not Role.INTERNAL_AGENT}
    titled = sorted({uuid for one in scanned for uuid in one.titles})
    if titled:
        locations = [file.location for file in found.files]
        places = named.find_uuids(locations, titled, executor)
        held |= {found.files[place].session for place, _ in places}
    return named.narrow_around(found, held, [one.goes_on_from for one in scanned], executor)


def scan_files(
    found: Found, query: Query, executor: Executor, on_progress: OnProgress
) -> list[FileHits]:
    """Return what is found in each of the files `found`, in their order.

    Reads each file once. A line is decoded only if it holds one of the query's forms, so
    that a word that is rare costs little more than reading.

    Raises:
        SourceError: a pattern takes too long.
    """
    # What a user's record says is told apart from a prompt only when the tree is known.
    # And a session that has no other title is called by its first prompt.
    if not query.wheres.isdisjoint({Where.OTHER, Where.TITLES}):
        query = replace(query, wheres=query.wheres | {Where.PROMPTS})
    locations = [file.location for file in found.files]
    scanned: dict[int, FileHits] = {}
    for place, one in iter_done(executor, partial(_scan_file, query), locations):
        scanned[place] = one
        on_progress("searching", len(scanned), len(locations))
    for place, file in enumerate(found.files):
        if scanned[place].is_too_slow:
            raise SourceError(
                f"the pattern takes too long on {file.file!r}",
                hint="avoid repeats inside of repeats, such as (a+)+, or search for a text",
            )
    return [scanned[place] for place in range(len(locations))]


def _scan_file(query: Query, location: Path) -> FileHits:
    hits: list[QueryHit] = []
    titles: list[str] = []
    try:
        for number, line in _lines(location, query.forms):
            for found in decode_line(line).objects:
                hit = _hit_in(number, found.raw, query)
                if hit is not None:
                    hits.append(hit)
                    leaf = as_text(found.raw.get("leafUuid"))
                    titles += [leaf] if leaf and Where.TITLES in hit.wheres else []
    except TooSlowError:
        return FileHits(is_too_slow=True)
    except OSError:
        return FileHits()  # Whoever reads the file for what it says reports it.
    return FileHits(tuple(hits), named.first_parent(location), tuple(titles))


def _hit_in(number: int, raw: dict[str, object], query: Query) -> QueryHit | None:
    held: dict[Where, None] = {}
    count = 0
    for where, text in iter_texts(raw):
        spans = query.spans(text) if where in query.wheres else ()
        if spans:
            held[where] = None
            count += len(spans)
    return QueryHit(number, tuple(held), count) if held else None


def _lines(location: Path, forms: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of the lines that hold one of `forms`, or of all."""
    number = 1
    for block in named.iter_blocks(location):
        if forms:
            counted = 0
            for start, end in _fitting(block, forms):
                number += block.count(b"\n", counted, start)
                counted = start
                yield number, block[start:end]
            if len(block) >= named.BLOCK_BYTES:  # Only then another one may follow.
                number += block.count(b"\n", counted)
        else:
            for line in block.removesuffix(b"\n").split(b"\n"):
                yield number, line
                number += 1


def _fitting(block: bytes, forms: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield where the lines stand in `block` that hold one of `forms`, each once."""
    folded = block.lower()
    ahead = {form: folded.find(form) for form in forms}
    while ahead := {form: at for form, at in ahead.items() if at >= 0}:
        at = min(ahead.values())
        start, end = block.rfind(b"\n", 0, at) + 1, block.find(b"\n", at)
        end = len(block) if end < 0 else end
        yield start, end
        # Only forms that stood on this line are looked for again: a rare one costs once.
        ahead = {
            form: place if place >= end else folded.find(form, end)
            for form, place in ahead.items()
        }
