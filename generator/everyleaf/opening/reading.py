"""The input of a question: found, searched for secrets, read and solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import EVERYTHING, Choice, index_archive
from everyleaf.cachedir import default_cache_dir
from everyleaf.config import REDACT_ALL
from everyleaf.redact.find import find_secrets
from everyleaf.sources.discover import default_inputs, find_sources
from everyleaf.workers import SMALL_BYTES, open_executor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager
    from pathlib import Path

    from everyleaf.archive import ArchiveIndex
    from everyleaf.config import RedactOptions
    from everyleaf.indexing import KnownFiles
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.workers import OnProgress


class Scope(Struct, frozen=True):
    """What to look at."""

    sources: tuple[Path, ...] = ()
    """Files and folders; empty: what `everyleaf build` looks at."""
    include_archive: bool = False
    redact: RedactOptions = REDACT_ALL
    choice: Choice = EVERYTHING
    beside: tuple[SourceFile, ...] = ()
    """Further files to look for secrets in; they are no sessions."""

    @property
    def places(self) -> tuple[Path, ...]:
        """Return the files and folders to look in."""
        return self.sources or (default_inputs(),)

    @property
    def has_folder(self) -> bool:
        """Return whether it names more than a file or two: it will be looked at again."""
        return any(place.is_dir() for place in self.places)

    @property
    def masking(self) -> str:
        """Return what tells apart how things are masked, as far as notes are shared."""
        histories = " with histories" if self.beside else ""
        return f"masked{histories}" if self.redact.is_on else "raw"

    def find(self) -> Found:
        """Return the files that this names.

        Raises:
            SourceError: there are none.
        """
        return find_sources(self.places, include_archive=self.include_archive)


def open_workers(found: Found, jobs: int = 0) -> AbstractContextManager[Executor]:
    """Return who reads `found`: `jobs` processes (0: one a core), if there is much."""
    return open_executor(jobs, is_small=found.size_bytes < SMALL_BYTES)


def load_index(  # noqa: PLR0913  (what to read, by whom, and what of it)
    found: Found,
    executor: Executor,
    on_progress: OnProgress,
    *,
    redact: RedactOptions,
    choice: Choice = EVERYTHING,
    beside: Sequence[SourceFile] = (),
    is_strict: bool = False,
    known: KnownFiles | None = None,
) -> ArchiveIndex:
    """Return the files of `found` that `choice` takes, masked as `redact` says.

    Secrets are looked for in what lies `beside` them, too: no sessions. A file that is
    `known` is not read.

    Raises:
        SourceError: the input cannot be read at all, or `choice` fits nothing.
        RedactError: secrets cannot be looked for.
    """
    redaction = find_secrets(
        replace(found, files=(*found.files, *beside)) if beside else found,
        redact,
        executor,
        on_progress,
        cache_dir=default_cache_dir(),
    )
    return index_archive(
        found,
        executor,
        on_progress,
        choice=choice,
        redaction=redaction,
        is_strict=is_strict,
        known=known,
    )
