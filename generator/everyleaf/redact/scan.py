"""What is new in an archive, scanned in one run: at once, or while other work is done."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from everyleaf.config import Group, Mode
from everyleaf.digest import digest_hex
from everyleaf.redact.growing import join_scanned
from everyleaf.redact.memory import Memory, Scanned
from everyleaf.redact.pending import Fresh, Task, prepare
from everyleaf.redact.placing import place_hits
from everyleaf.redact.scanner import Scanner
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from concurrent.futures import Executor, Future

    from everyleaf.config import RedactOptions
    from everyleaf.redact.pending import Source
    from everyleaf.redact.scanner import Hit
    from everyleaf.workers import OnProgress

    Hits = Mapping[str, list[Hit]]
    """What the scanner found, by the name of the chunk file."""

_FORMAT = "3"
"""Goes up whenever other texts are gathered, or findings mean something else."""


class Scan:
    """A scan of sources. First `gather`; what it then returns has their order."""

    def __init__(
        self,
        sources: Sequence[Source],
        scanner: Scanner | None,
        task: Task,
        thread: ThreadPoolExecutor,
    ) -> None:
        """Scan `sources` with `scanner`, if any; what is begun early, on `thread`."""
        self._sources = sources
        self._scanner = scanner
        self._task = task
        self._thread = thread
        self._ready: list[Scanned | Fresh] = []
        self._running: Future[Hits] | None = None

    def gather(self, executor: Executor, on_progress: OnProgress) -> None:
        """Make ready what is new in each source.

        Raises:
            RedactError: it cannot be written down.
        """
        ready: dict[int, Scanned | Fresh] = {}
        items = list(enumerate(self._sources))
        for place, one in iter_done(executor, partial(prepare, self._task), items):
            ready[place] = one
            on_progress("looking for secrets", len(ready), len(items))
        self._ready = [ready[place] for place in range(len(items))]

    def begin(self) -> None:
        """Begin to scan; meanwhile something else can be done."""
        self._running = self._thread.submit(self._run)

    def expect(self) -> list[Scanned]:
        """Return what each source holds if the scanner finds nothing new."""
        return [one if isinstance(one, Scanned) else _place(one, {}) for one in self._ready]

    def finish(self) -> list[Scanned]:
        """Return what each source holds, and remember it; waits for the scanner.

        To be called once: where the texts stood takes much memory, and is let go.

        Raises:
            RedactError: the scanner is missing or failed.
        """
        hits = self._running.result() if self._running else self._run()
        memory = Memory(self._task.memory_dir)
        ready, self._ready = self._ready, []
        scanned = [
            one if isinstance(one, Scanned) else _remember(memory, one, hits)
            for one in ready
        ]
        memory.forget_old()
        return scanned

    def _run(self) -> Hits:
        fresh = (one for one in self._ready if isinstance(one, Fresh))
        sizes = {one.chunk.name: one.gathered.size_bytes for one in fresh}
        return self._scanner.scan(self._task.chunk_dir, sizes) if self._scanner else {}


def _remember(memory: Memory, one: Fresh, hits: Hits) -> Scanned:
    scanned = _place(one, hits)
    memory.keep(one.key, scanned)
    if one.mark is not None:
        memory.keep_mark(one.place, one.mark)
    return scanned


def _place(one: Fresh, hits: Hits) -> Scanned:
    """Return what a source holds, by what the scanner told of the chunk files."""
    told = hits.get(one.chunk.name, [])
    placed = place_hits(told, one.gathered, one.chunk, one.source.location)
    scanned = Scanned(tuple(placed), one.gathered.users)
    if one.grown is None:
        return scanned
    added = one.source.read(one.grown.offset, one.source.end)
    return join_scanned(one.grown, scanned, added)


@contextmanager
def open_scan(
    sources: Sequence[Source],
    options: RedactOptions,
    cache_dir: Path,
    memory_dir: Path | None,
) -> Generator[Scan]:
    """Yield a scan of `sources` for what `options` mask, with findings in `memory_dir`.

    Raises:
        RedactError: the scanner is not installed.
    """
    own = tuple(
        rule
        for rule in options.own
        if rule.pattern and options.mode(rule.group) is not Mode.OFF
    )
    is_needed = own or options.mode(Group.SECRETS) is Mode.ON
    scanner = Scanner(cache_dir / "rules", own) if is_needed else None
    is_people = options.mode(Group.PEOPLE) is Mode.ON
    keep_emails = options.keep_emails if is_people else None
    version = scanner.version() if scanner else "none"
    version = digest_hex(f"{_FORMAT} {version} {keep_emails!r}".encode())
    # The thread begins with its first work: processes can be forked until then.
    with TemporaryDirectory(prefix="everyleaf-") as folder, ThreadPoolExecutor(1) as thread:
        chunk_dir = Path(folder) / "chunks"
        chunk_dir.mkdir(mode=0o700)
        task = Task(chunk_dir, memory_dir, version, keep_emails)
        yield Scan(sources, scanner, task, thread)
