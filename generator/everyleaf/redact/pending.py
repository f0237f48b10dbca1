"""What of each source is still to be scanned: nothing where its findings are remembered."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from everyleaf.digest import digest_hex
from everyleaf.errors import RedactError
from everyleaf.frozen import dataclass
from everyleaf.redact.gather import Gathered, gather_session, gather_text
from everyleaf.redact.growing import find_grown, make_mark
from everyleaf.redact.looking import look_through
from everyleaf.redact.memory import Memory, Scanned
from everyleaf.sources.arrays import iter_entries
from everyleaf.sources.lines import iter_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from everyleaf.redact.growing import Grown
    from everyleaf.redact.memory import Mark
    from everyleaf.sources.files import Found, SourceFile

SPILL_LIMIT_BYTES = 16 * 1024 * 1024
"""As much of a spilled output as is ever shown."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with texts: a session, an agent, or an output that was spilled."""

    location: Path
    session: str
    beside: tuple[str, ...]
    is_spilled: bool = False
    is_lines: bool = False
    """Each of its lines can be understood by itself."""
    content: str = ""
    """Digest of its bytes; empty where nobody has read them yet."""
    end: int = sys.maxsize
    """How many bytes it had when it was found: what comes later is for the next build."""

    def read(self, begin: int, end: int) -> bytes:
        """Return its bytes from `begin` up to `end`, or as far as it goes."""
        try:
            with self.location.open("rb") as file:
                file.seek(begin)
                return file.read(max(end - begin, 0))
        except OSError:
            return b""  # Reading the records reports it.


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to make the texts of sources ready for the scanner."""

    chunk_dir: Path
    memory_dir: Path | None
    version: str
    keep_emails: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Fresh:
    """A source of which something is new."""

    source: Source
    key: str
    """What is found is remembered under it."""
    gathered: Gathered
    """The texts of what is new."""
    chunk: Path
    """Where they stand."""
    grown: Grown | None = None
    """What is known of the rest; None: all of it is new."""
    place: str = ""
    mark: Mark | None = None
    """To be remembered for `place`, for when the source has grown; None: nothing is."""


def prepare(task: Task, item: tuple[int, Source]) -> Scanned | Fresh:
    """Return what is remembered of a source, or what is to be scanned of it.

    The source is read only where its bytes are not known, or nothing is remembered of them.
    """
    number, source = item
    memory = Memory(task.memory_dir)
    key = _key(task.version, source, source.content)
    known = memory.load(key) if source.content else None
    if known is not None:
        return known
    place = _place_of(task.version, source) if source.is_lines else ""
    before = memory.load_mark(place) if place else None
    looked = look_through(
        source.location, before.size_bytes if before else 0, end=source.end
    )
    # What was found is remembered for the bytes in which it was, and for no others.
    key = _key(task.version, source, looked.digest)
    known = memory.load(key)
    if known is not None:
        return known
    chunk = task.chunk_dir / str(number)
    grown = find_grown(memory, before, looked)
    try:
        gathered = _gather(task, source, chunk, grown)
    except OSError as error:
        raise RedactError(
            f"the text of a session cannot be written for the scanner: {error.strerror}",
            hint="make room in the folder for temporary files (TMPDIR)",
        ) from error
    mark = make_mark(looked, key) if place else None
    return Fresh(source, key, gathered, chunk, grown, place, mark)


def _gather(task: Task, source: Source, chunk: Path, grown: Grown | None) -> Gathered:
    people = task.keep_emails
    if source.is_spilled:
        body = source.read(0, SPILL_LIMIT_BYTES)
        text = body.decode("utf-8", errors="replace")
        return gather_text(text, chunk, source.beside[0], people)
    location, end = source.location, source.end
    if grown is None:
        lines = iter_entries(location, end=end)
        return gather_session(location, chunk, source.beside, people, lines=lines)
    lines = iter_lines(location, offset=grown.offset, before=grown.lines, end=end)
    return gather_session(location, chunk, (), people, lines=lines)


def _key(version: str, source: Source, content: str) -> str:
    """Return a name for what is scanned of a source, wherever it lies."""
    named = "\0".join((version, *source.beside, content))
    return digest_hex(named.encode(errors="replace"), size=16)


def _place_of(version: str, source: Source) -> str:
    """Return a name for a source whatever it holds."""
    named = "\0".join((version, *source.beside, str(source.location)))
    return digest_hex(named.encode(errors="replace"), size=16)


def iter_sources(found: Found, contents: Mapping[Path, str]) -> Iterator[Source]:
    """Yield all that may hold secrets; a session's own file before its agents' files.

    `contents` has the digests of those files whose bytes are known.
    """
    ordered = sorted(found.files, key=lambda file: (file.agent_id is not None,))
    seen: set[Path] = set()
    for file in ordered:
        yield Source(
            file.location,
            file.session,
            _beside(file),
            is_lines=not file.is_capture,
            content=contents.get(file.location, ""),
            end=file.size_bytes,
        )
    for file in ordered:
        folder = file.tool_results_dir
        if folder in seen:
            continue
        seen.add(folder)
        for spilled in _spilled(folder):
            yield Source(spilled, file.session, (spilled.name,), is_spilled=True)


def _beside(file: SourceFile) -> tuple[str, ...]:
    meta = file.meta
    told = (file.session, file.file, file.agent_id, meta.agent_type, meta.description)
    return tuple(text for text in told if text)


def _spilled(folder: Path) -> list[Path]:
    try:
        return sorted(f for f in folder.iterdir() if f.is_file() and not f.is_symlink())
    except OSError:
        return []
