"""The sources of an archive, and what each holds: one look for the same bytes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.redact.detect import open_detector
from everyleaf.redact.gather import Look, Scanned
from everyleaf.redact.growing import find_grown, join_scanned, make_mark
from everyleaf.redact.looking import look_at
from everyleaf.redact.memory import Memory
from everyleaf.sources.lines import iter_entries, iter_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from everyleaf.config import OwnRule
    from everyleaf.redact.detect import Detector
    from everyleaf.redact.growing import Grown
    from everyleaf.sources.files import Found, SourceFile

SPILL_LIMIT_BYTES = 16 * 1024 * 1024
"""As much of a spilled output as is ever shown."""


class LookSource(Struct, frozen=True):
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


class LookTask(Struct, frozen=True):
    """What a worker needs to look through sources."""

    memory_dir: Path | None
    rules_dir: Path
    version: str
    own: tuple[OwnRule, ...]
    has_secrets: bool
    """Secrets are looked for, not own patterns alone."""
    keep_emails: tuple[str, ...] | None

    def detector(self) -> Detector | None:
        """Return what looks for secrets; None where nothing does."""
        if not self.has_secrets and not self.own:
            return None
        return open_detector(self.rules_dir, self.own, is_own_only=not self.has_secrets)


def recall(task: LookTask, source: LookSource, memory: Memory) -> Scanned | None:
    """Return what `memory` has of a source whose bytes are known; None: look through it."""
    if not source.content:
        return None
    return memory.load(_key(task.version, source, source.content))


def look_through(task: LookTask, source: LookSource) -> Scanned:
    """Return what a source holds: what is remembered of it, else what a look finds.

    Reads it once.

    Raises:
        RedactError: a pattern cannot be used.
    """
    memory = Memory(task.memory_dir)
    place = _place_of(task.version, source) if source.is_lines else ""
    before = memory.load_mark(place) if place else None
    looked = look_at(source.location, before.size_bytes if before else 0, end=source.end)
    # What was found is remembered for the bytes in which it was, and for no others.
    key = _key(task.version, source, looked.digest)
    known = memory.load(key)
    if known is None:
        known = _look(task, source, find_grown(memory, before, looked))
        memory.keep(key, known)
        mark = make_mark(looked, key) if place else None
        if mark is not None:
            memory.keep_mark(place, mark)
    return known


def _look(task: LookTask, source: LookSource, grown: Grown | None) -> Scanned:
    look = Look(task.detector(), task.keep_emails)
    location, end = source.location, source.end
    try:
        if source.is_spilled:
            body = source.read(0, SPILL_LIMIT_BYTES)
            look.text("", source.beside[0], 0)
            look.text("", body.decode("utf-8", errors="replace"), 1)
            return look.finish(location)
        if grown is None:
            for text in source.beside:
                look.text("", text, 0)
            look.lines(location, iter_entries(location, end=end))
            return look.finish(location)
        lines = iter_lines(location, offset=grown.offset, before=grown.lines, end=end)
        look.lines(location, lines)
        added = source.read(grown.offset, source.end)
        return join_scanned(grown, look.finish(location), added)
    except OSError:
        return Scanned((), ())  # Reading the records reports it.


def _key(version: str, source: LookSource, content: str) -> str:
    """Return a name for what is scanned of a source, wherever it lies."""
    named = "\0".join((version, *source.beside, content))
    return digest_hex(named.encode(errors="replace"), size=16)


def _place_of(version: str, source: LookSource) -> str:
    """Return a name for a source whatever it holds."""
    named = "\0".join((version, *source.beside, str(source.location)))
    return digest_hex(named.encode(errors="replace"), size=16)


def iter_sources(found: Found, contents: Mapping[Path, str]) -> Iterator[LookSource]:
    """Yield all that may hold secrets; a session's own file before its agents' files.

    `contents` has the digests of those files whose bytes are known.
    """
    ordered = sorted(found.files, key=lambda file: (file.agent_id is not None,))
    seen: set[Path] = set()
    for file in ordered:
        yield LookSource(
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
            yield LookSource(spilled, file.session, (spilled.name,), is_spilled=True)


def _beside(file: SourceFile) -> tuple[str, ...]:
    meta = file.meta
    told = (file.session, file.file, file.agent_id, meta.agent_type, meta.description)
    return tuple(text for text in told if text)


def _spilled(folder: Path) -> list[Path]:
    try:
        return sorted(f for f in folder.iterdir() if f.is_file() and not f.is_symlink())
    except OSError:
        return []
