"""Finds what is to be masked in all sources of an archive, with one run of the scanner."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from everyleaf.redact.masking import Mask
from everyleaf.redact.pending import iter_sources
from everyleaf.redact.redaction import Redaction, plan_redaction
from everyleaf.redact.scan import open_scan

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.config import RedactOptions
    from everyleaf.redact.memory import Scanned
    from everyleaf.redact.pending import Source
    from everyleaf.redact.scan import Scan
    from everyleaf.sources.files import Found
    from everyleaf.workers import OnProgress


class NewFindingsError(Exception):
    """The scanner found what nobody had assumed: what was made meanwhile is void."""


class Search:
    """A search for secrets: what is remembered is known at once, the scanner takes longer.

    Opened with `open_search`, and used while that is open.
    """

    def __init__(
        self, sources: Sequence[Source], scan: Scan | None, options: RedactOptions
    ) -> None:
        """Search `sources` by means of `scan`; None: nothing is looked for."""
        self._sources = sources
        self._scan = scan
        self._options = options

    @cached_property
    def assumed(self) -> Redaction:
        """What is to be masked if the scanner finds nothing in what is new.

        Begins the scan, if it has not begun.
        """
        if self._scan is None:
            return self.found
        self._scan.begin()
        return self._plan(self._scan.expect())

    @cached_property
    def found(self) -> Redaction:
        """What is to be masked; waits for the scanner.

        Raises:
            RedactError: the scanner is missing or failed: nothing may be published.
        """
        if self._scan is None:
            return Redaction(common=Mask(images=self._options.images))
        return self._plan(self._scan.finish())

    def confirm(self, redaction: Redaction) -> None:
        """Wait for the scanner, and see that `redaction` masks all that it found.

        Raises:
            NewFindingsError: it does not.
            RedactError: the scanner is missing or failed.
        """
        if redaction is not self.found and redaction != self.found:
            raise NewFindingsError

    def _plan(self, scanned: Sequence[Scanned]) -> Redaction:
        by_session: dict[str, list[Scanned]] = {}
        for source, one in zip(self._sources, scanned, strict=True):
            by_session.setdefault(source.session, []).append(one)
        return plan_redaction(by_session, self._options)


@contextmanager
def open_search(  # noqa: PLR0913  (what to read, by whom, and what of it is known)
    found: Found,
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    *,
    cache_dir: Path,
    contents: Mapping[Path, str] | None = None,
) -> Generator[Search]:
    """Yield a search for what is to be masked in the sessions of `found`.

    Only what is new since the last time is scanned; what was found in the rest is
    remembered in `cache_dir`, by content. Reads every source once, but for those of which
    `contents` has the digest of the bytes and nothing is new.

    Raises:
        RedactError: the texts cannot be written for the scanner.
    """
    if not options.is_on:
        yield Search((), None, options)
        return
    sources = list(iter_sources(found, contents or {}))
    with open_scan(sources, options, cache_dir, default_memory(cache_dir)) as scan:
        scan.gather(executor, on_progress)
        yield Search(sources, scan, options)


def find_secrets(
    found: Found,
    options: RedactOptions,
    executor: Executor,
    on_progress: OnProgress,
    *,
    cache_dir: Path,
) -> Redaction:
    """Return what is to be masked in the sessions of `found`, as `open_search` does.

    Raises:
        RedactError: the scanner is missing or failed: nothing may be published.
    """
    with open_search(found, options, executor, on_progress, cache_dir=cache_dir) as search:
        return search.found


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
    sources = list(iter_sources(found, {}))
    with open_scan(sources, options, cache_dir, default_memory(cache_dir)) as scan:
        scan.gather(executor, on_progress)
        scanned = scan.finish()
    places = [source.location for source in sources]
    return list(zip(places, scanned, strict=True))


def default_memory(cache_dir: Path) -> Path | None:
    """Return where findings are remembered."""
    return cache_dir / "found"
