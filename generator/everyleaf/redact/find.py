"""Finds what is to be masked in all sources of an archive, with one run of the scanner."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from everyleaf.config import Group, Mode
from everyleaf.digest import digest_hex
from everyleaf.errors import RedactError
from everyleaf.redact.gather import Gathered, gather_session, gather_text
from everyleaf.redact.growing import find_grown, join_scanned, make_mark
from everyleaf.redact.masking import Mask
from everyleaf.redact.memory import Memory, Scanned
from everyleaf.redact.placing import place_hits
from everyleaf.redact.redaction import Redaction, plan_redaction
from everyleaf.redact.scanner import Scanner
from everyleaf.sources.lines import iter_lines
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from everyleaf.config import RedactOptions
    from everyleaf.redact.growing import Grown
    from everyleaf.redact.memory import Mark
    from everyleaf.redact.scanner import Hit
    from everyleaf.sources.files import Found, SourceFile

    OnProgress = Callable[[str, int, int], None]

SPILL_LIMIT_BYTES = 16 * 1024 * 1024
"""As much of a spilled output as is ever shown."""
_FORMAT = "2"
"""Goes up whenever other texts are gathered, or findings mean something else."""


@dataclass(frozen=True, slots=True)
class _Source:
    """A file with texts: a session, an agent, or an output that was spilled."""

    location: Path
    session: str
    beside: tuple[str, ...]
    is_spilled: bool = False
    is_lines: bool = False
    """Each of its lines can be understood by itself."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What a worker needs to make the texts of sources ready for the scanner."""

    chunk_dir: Path
    memory_dir: Path | None
    version: str
    keep_emails: tuple[str, ...] | None


def find_secrets(
    found: Found,
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    *,
    cache_dir: Path,
) -> Redaction:
    """Return what is to be masked in the sessions of `found`.

    Only what is new since the last time is scanned; what was found in the rest is
    remembered in `cache_dir`, by content. Reads every source once.

    Raises:
        RedactError: the scanner is missing or failed: nothing may be published.
    """
    if not options.is_on:
        return Redaction(common=Mask(images=options.images))
    sources = list(_iter_sources(found))
    scanned = _Scan(options, cache_dir).run(sources, executor, on_progress)
    by_session: dict[str, list[Scanned]] = {}
    for source, one in zip(sources, scanned, strict=True):
        by_session.setdefault(source.session, []).append(one)
    return plan_redaction(by_session, options)


def scan_sources(
    found: Found,
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    *,
    cache_dir: Path,
) -> list[tuple[Path, Scanned]]:
    """Return what each file of `found`, spilled outputs included, holds.

    Raises:
        RedactError: the scanner is missing or failed.
    """
    sources = list(_iter_sources(found))
    scanned = _Scan(options, cache_dir).run(sources, executor, on_progress)
    places = [source.location for source in sources]
    return list(zip(places, scanned, strict=True))


def default_memory(cache_dir: Path) -> Path | None:
    """Return where findings are remembered."""
    return cache_dir / "found"


class _Scan:
    def __init__(self, options: RedactOptions, cache_dir: Path) -> None:
        own = tuple(
            rule
            for rule in options.own
            if rule.pattern and options.mode(rule.group) is not Mode.OFF
        )
        is_needed = own or options.mode(Group.SECRETS) is Mode.ON
        self.scanner = Scanner(cache_dir / "rules", own) if is_needed else None
        is_people = options.mode(Group.PEOPLE) is Mode.ON
        self.keep_emails = options.keep_emails if is_people else None
        self.memory_dir = default_memory(cache_dir)

    def run(
        self, sources: Sequence[_Source], executor: Executor, on_progress: OnProgress
    ) -> list[Scanned]:
        """Return what each of `sources` holds, in their order."""
        version = self.scanner.version() if self.scanner else "none"
        version = digest_hex(f"{_FORMAT} {version} {self.keep_emails!r}".encode())
        with TemporaryDirectory(prefix="everyleaf-") as folder:
            chunk_dir = Path(folder) / "chunks"
            chunk_dir.mkdir(mode=0o700)
            task = _Task(chunk_dir, self.memory_dir, version, self.keep_emails)
            ready: dict[int, Scanned | _Fresh] = {}
            items = list(enumerate(sources))
            for place, one in iter_done(executor, partial(_prepare, task), items):
                ready[place] = one
                on_progress("looking for secrets", len(ready), len(sources) + 1)
            scanned = self._scan_new(ready, chunk_dir)
        Memory(self.memory_dir).forget_old()
        on_progress("looking for secrets", len(sources) + 1, len(sources) + 1)
        return scanned

    def _scan_new(
        self, ready: Mapping[int, Scanned | _Fresh], chunk_dir: Path
    ) -> list[Scanned]:
        """Return what all sources hold: remembered, or scanned now, all in one run."""
        new = {n: one.gathered for n, one in ready.items() if isinstance(one, _Fresh)}
        sizes = {str(n): one.size_bytes for n, one in sorted(new.items())}
        hits = self.scanner.scan(chunk_dir, sizes) if self.scanner else {}
        return [
            one
            if isinstance(one, Scanned)
            else self._place(one, hits.get(str(n), ()), chunk_dir / str(n))
            for n, one in sorted(ready.items())
        ]

    def _place(self, one: _Fresh, hits: Sequence[Hit], chunk: Path) -> Scanned:
        """Return what a source holds, and remember it."""
        location, memory = one.source.location, Memory(self.memory_dir)
        placed = place_hits(hits, one.gathered, chunk, location)
        scanned = Scanned(tuple(placed), one.gathered.users)
        if one.grown is not None:
            scanned = join_scanned(one.grown, scanned, _read(one.source))
        memory.keep(one.key, scanned)
        if one.mark is not None:
            memory.keep_mark(one.place, one.mark)
        return scanned


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A source of which something is new."""

    source: _Source
    key: str
    """What is found is remembered under it."""
    gathered: Gathered
    """The texts of what is new."""
    grown: Grown | None = None
    """What is known of the rest; None: all of it is new."""
    place: str = ""
    mark: Mark | None = None
    """To be remembered for `place`, for when the source has grown; None: nothing is."""


def _prepare(task: _Task, item: tuple[int, _Source]) -> Scanned | _Fresh:
    """Return what is remembered of a source, or what is to be scanned of it."""
    number, source = item
    body, memory = _read(source), Memory(task.memory_dir)
    key = _key(task.version, source, body)
    known = memory.load(key)
    if known is not None:
        return known
    place = _place_of(task.version, source) if source.is_lines else ""
    grown = find_grown(memory, place, body) if place else None
    try:
        gathered = _gather(task, source, body, task.chunk_dir / str(number), grown)
    except OSError as error:
        raise RedactError(
            f"the text of a session cannot be written for the scanner: {error.strerror}",
            hint="make room in the folder for temporary files (TMPDIR)",
        ) from error
    mark = make_mark(body, key) if place else None
    return _Fresh(source, key, gathered, grown, place, mark)


def _gather(
    task: _Task, source: _Source, body: bytes, chunk: Path, grown: Grown | None
) -> Gathered:
    people = task.keep_emails
    if source.is_spilled:
        text = body[:SPILL_LIMIT_BYTES].decode("utf-8", errors="replace")
        return gather_text(text, chunk, source.beside[0], people)
    if grown is None:
        return gather_session(source.location, chunk, source.beside, people)
    lines = iter_lines(source.location, offset=grown.offset, before=grown.lines)
    return gather_session(source.location, chunk, (), people, lines=lines)


def _read(source: _Source) -> bytes:
    try:
        return source.location.read_bytes()
    except OSError:
        return b""  # Reading the records reports it.


def _key(version: str, source: _Source, body: bytes) -> str:
    """Return a name for what is scanned of a source, wherever it lies."""
    beside = "\0".join(source.beside).encode(errors="replace")
    return digest_hex(version.encode() + beside + b"\0" + body, size=16)


def _place_of(version: str, source: _Source) -> str:
    """Return a name for a source whatever it holds."""
    named = "\0".join((version, *source.beside, str(source.location)))
    return digest_hex(named.encode(errors="replace"), size=16)


def _iter_sources(found: Found) -> Iterator[_Source]:
    """Yield all that may hold secrets; a session's own file before its agents' files."""
    ordered = sorted(found.files, key=lambda file: (file.agent_id is not None,))
    seen: set[Path] = set()
    for file in ordered:
        is_lines = not file.is_capture
        yield _Source(file.location, file.session, _beside(file), is_lines=is_lines)
    for file in ordered:
        folder = file.tool_results_dir
        if folder in seen:
            continue
        seen.add(folder)
        for spilled in _spilled(folder):
            yield _Source(spilled, file.session, (spilled.name,), is_spilled=True)


def _beside(file: SourceFile) -> tuple[str, ...]:
    meta = file.meta
    told = (file.session, file.file, file.agent_id, meta.agent_type, meta.description)
    return tuple(text for text in told if text)


def _spilled(folder: Path) -> list[Path]:
    try:
        return sorted(f for f in folder.iterdir() if f.is_file() and not f.is_symlink())
    except OSError:
        return []
