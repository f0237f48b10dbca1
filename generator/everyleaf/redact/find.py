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
from everyleaf.redact.masking import Mask
from everyleaf.redact.memory import Memory, Scanned
from everyleaf.redact.placing import place_hits
from everyleaf.redact.redaction import Redaction, plan_redaction
from everyleaf.redact.scanner import Scanner
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from everyleaf.config import RedactOptions
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
            ready: dict[int, tuple[str, Scanned | Gathered]] = {}
            items = list(enumerate(sources))
            for place, one in iter_done(executor, partial(_prepare, task), items):
                ready[place] = one
                on_progress("looking for secrets", len(ready), len(sources) + 1)
            scanned = self._scan_new(sources, ready, chunk_dir)
        Memory(self.memory_dir).forget_old()
        on_progress("looking for secrets", len(sources) + 1, len(sources) + 1)
        return scanned

    def _scan_new(
        self,
        sources: Sequence[_Source],
        ready: Mapping[int, tuple[str, Scanned | Gathered]],
        chunk_dir: Path,
    ) -> list[Scanned]:
        """Return what all sources hold: remembered, or scanned now, all in one run."""
        new = {n: one for n, (_, one) in ready.items() if isinstance(one, Gathered)}
        sizes = {str(n): one.size_bytes for n, one in sorted(new.items())}
        hits = self.scanner.scan(chunk_dir, sizes) if self.scanner else {}
        memory = Memory(self.memory_dir)
        scanned: list[Scanned] = []
        for number, source in enumerate(sources):
            key, one = ready[number]
            if isinstance(one, Gathered):
                chunk = chunk_dir / str(number)
                placed = place_hits(hits.get(str(number), []), one, chunk, source.location)
                one = Scanned(tuple(placed), one.users)
                memory.keep(key, one)
            scanned.append(one)
        return scanned


def _prepare(task: _Task, item: tuple[int, _Source]) -> tuple[str, Scanned | Gathered]:
    """Return the key of a source, with what is remembered of it or what it holds."""
    number, source = item
    try:
        body = source.location.read_bytes()
    except OSError:
        body = b""  # Reading the records reports it.
    beside = "\0".join(source.beside).encode(errors="replace")
    key = digest_hex(task.version.encode() + beside + b"\0" + body, size=16)
    known = Memory(task.memory_dir).load(key)
    if known is not None:
        return key, known
    chunk = task.chunk_dir / str(number)
    try:
        if source.is_spilled:
            text = body[:SPILL_LIMIT_BYTES].decode("utf-8", errors="replace")
            return key, gather_text(text, chunk, source.beside[0], task.keep_emails)
        return key, gather_session(source.location, chunk, source.beside, task.keep_emails)
    except OSError as error:
        raise RedactError(
            f"the text of a session cannot be written for the scanner: {error.strerror}",
            hint="make room in the folder for temporary files (TMPDIR)",
        ) from error


def _iter_sources(found: Found) -> Iterator[_Source]:
    """Yield all that may hold secrets; a session's own file before its agents' files."""
    ordered = sorted(found.files, key=lambda file: (file.agent_id is not None,))
    seen: set[Path] = set()
    for file in ordered:
        yield _Source(file.location, file.session, _beside(file))
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
