"""An archive opened to be asked: read and masked once, then looked at family by family."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from everyleaf.archive import Choice, read_archive
from everyleaf.config import RedactOptions
from everyleaf.errors import SourceError
from everyleaf.pages.families import Surroundings, iter_families
from everyleaf.pages.work import SourceRef
from everyleaf.redact.find import find_secrets
from everyleaf.redact.memory import default_cache_dir
from everyleaf.sources.discover import default_inputs, find_sources
from everyleaf.workers import iter_done, open_executor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.archive import Archive
    from everyleaf.pages.work import FamilyWork
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.workers import OnProgress

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""
LISTED = 6
"""Candidates that an error names."""

_Seen = TypeVar("_Seen")


@dataclass(frozen=True, slots=True)
class Scope:
    """What to look at."""

    sources: tuple[Path, ...] = ()
    """Files and folders; empty: what `everyleaf build` looks at."""
    include_archive: bool = False
    is_raw: bool = False
    """Mask nothing."""
    session: str = ""
    """Only the session whose id begins so."""
    beside: tuple[SourceFile, ...] = ()
    """Further files to look for secrets in; they are no sessions."""

    @property
    def places(self) -> tuple[Path, ...]:
        """Return the files and folders to look in."""
        return self.sources or (default_inputs(),)


def find_files(scope: Scope) -> Found:
    """Return the files that `scope` names.

    Raises:
        SourceError: there are none, or the session's name fits none, or several.
    """
    found = find_sources(scope.places, include_archive=scope.include_archive)
    if not scope.session:
        return found
    session = fit_session(scope.session, {file.session for file in found.files})
    files = tuple(file for file in found.files if file.session == session)
    return replace(found, files=files, foreign=(), issues=())


def fit_session(beginning: str, sessions: Iterable[str]) -> str:
    """Return the one of `sessions` that is called so, or whose id begins so.

    Raises:
        SourceError: none is, or several are.
    """
    known = sorted(set(sessions))
    fitting = [name for name in known if name.startswith(beginning)]
    if beginning in fitting:
        return beginning
    if not fitting:
        raise SourceError(
            f"no session fits {beginning!r}",
            hint="`everyleaf paths` lists them; --source says where to look",
        )
    if len(fitting) > 1:
        more = ", …" if len(fitting) > LISTED else ""
        raise SourceError(
            f"{beginning!r} fits {len(fitting)} sessions",
            hint=f"say {' or '.join(fitting[:LISTED])}{more}",
        )
    return fitting[0]


def open_archive(
    found: Found, scope: Scope, executor: Executor, on_progress: OnProgress
) -> Archive:
    """Return `found`, read and solved, with what is masked in it.

    Raises:
        SourceError: nothing of it is a record.
        RedactError: secrets cannot be looked for.
    """
    searched = replace(found, files=(*found.files, *scope.beside))
    redaction = find_secrets(
        searched,
        RedactOptions(is_on=not scope.is_raw),
        executor,
        on_progress,
        cache_dir=default_cache_dir(),
    )
    return read_archive(found, executor, on_progress, choice=Choice(), redaction=redaction)


def read_scope(scope: Scope, on_progress: OnProgress) -> Archive:
    """Return the archive that `scope` names.

    Raises:
        SourceError: the input cannot be read, or the session's name fits no one session.
        RedactError: secrets cannot be looked for.
    """
    found = find_files(scope)
    with open_executor(0, is_small=found.size_bytes < SMALL_BYTES) as executor:
        return open_archive(found, scope, executor, on_progress)


def survey(
    scope: Scope, look: Callable[[FamilyWork], _Seen], on_progress: OnProgress
) -> tuple[Archive, list[_Seen]]:
    """Return the archive, and what `look` sees in each family, in the families' order.

    `look` must be picklable: it runs in worker processes where the archive is large.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    found = find_files(scope)
    with open_executor(0, is_small=found.size_bytes < SMALL_BYTES) as executor:
        archive = open_archive(found, scope, executor, on_progress)
        families = list(
            iter_families(archive.forest, archive.description, surroundings(archive))
        )
        seen: dict[int, _Seen] = {}
        for place, one in iter_done(executor, look, families):
            seen[place] = one
            on_progress("looking at sessions", len(seen), len(families))
    return archive, [seen[place] for place in range(len(families))]


def surroundings(archive: Archive) -> Surroundings:
    """Return what families need to know beside the graph."""
    return Surroundings(
        projects=archive.projects,
        sources={
            number: SourceRef(
                str(file.location),
                file.file,
                str(file.tool_results_dir),
                archive.redaction.mask(file.session),
            )
            for number, file in archive.files.items()
        },
        issues={},
        asides=archive.asides,
    )


def families_of(archive: Archive, sessions: Sequence[str]) -> list[FamilyWork]:
    """Return the families that the `sessions` belong to."""
    families = iter_families(archive.forest, archive.description, surroundings(archive))
    return [
        family
        for family in families
        if any(one.session in sessions for one in family.sessions)
    ]
