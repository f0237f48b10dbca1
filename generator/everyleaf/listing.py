"""Every kept path of an archive, for `everyleaf paths`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.archive import EVERYTHING
from everyleaf.config import REDACT_ALL
from everyleaf.opening.notes import open_archive
from everyleaf.opening.reading import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from everyleaf.archive import Archive, Choice
    from everyleaf.config import RedactOptions
    from everyleaf.graph.forest import Contained, ConversationPath, PathRef, Status
    from everyleaf.workers import OnProgress


class PathListing(Struct, frozen=True):
    """A path as `everyleaf paths` prints it."""

    session: str
    project: str
    number: int
    of: int
    status: Status
    reason: str
    title: str
    label: str
    fork_point: str | None
    taken_over_by: PathRef | None
    compactions: int
    messages: int
    shared: int
    started: str
    ended: str
    ids: tuple[str, ...]
    """Canonical ids of its conversation records, in order."""
    contains: tuple[Contained, ...]
    inferred: tuple[str, ...]
    """uuids of the records whose edge to their parent was repaired, in order."""


def list_paths(  # noqa: PLR0913  (what to read, and what of it)
    sources: Sequence[Path],
    *,
    strict_paths: bool,
    include_archive: bool,
    on_progress: OnProgress,
    redact: RedactOptions = REDACT_ALL,
    choice: Choice = EVERYTHING,
) -> Iterator[PathListing]:
    """Yield every kept path of `sources`, by session and number.

    Raises:
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
    """
    scope = Scope(
        tuple(sources), include_archive=include_archive, redact=redact, choice=choice
    )
    asked = open_archive(scope, on_progress, purpose="paths", is_strict=strict_paths)
    with asked as opened:
        archive = opened.archive
    yield from _iter_listings(archive)


def _iter_listings(archive: Archive) -> Iterator[PathListing]:
    forest, description = archive.forest, archive.description
    projects = {s.name: archive.projects[s.project] for s in forest.sessions}
    for leaf in forest.kept:
        path = description.paths[forest.refs[leaf]]
        chain = list(forest.units.up(leaf))
        ids = tuple(
            name for unit_id in reversed(chain) for name in forest.units.ids(unit_id)
        )
        inferred = forest.units.inferred(chain[::-1])
        yield _listing(path, projects[path.session], ids, inferred)


def _listing(
    path: ConversationPath, project: str, ids: tuple[str, ...], inferred: tuple[str, ...]
) -> PathListing:
    return PathListing(
        session=path.session,
        project=project,
        number=path.number,
        of=path.of,
        status=path.status,
        reason=path.reason,
        title=path.title,
        label=path.label,
        fork_point=path.fork_point,
        taken_over_by=path.taken_over_by,
        compactions=path.compactions,
        messages=path.messages,
        shared=path.shared,
        started=path.started,
        ended=path.ended,
        ids=ids,
        contains=path.contains,
        inferred=inferred,
    )
