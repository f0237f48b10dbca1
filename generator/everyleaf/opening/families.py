"""An opened archive as families of sessions, for those who look at one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from everyleaf.opening.reading import load, open_workers
from everyleaf.pages.families import Surroundings, iter_families
from everyleaf.pages.runs import rank
from everyleaf.pages.walk import first_paths
from everyleaf.pages.work import SourceRef
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from everyleaf.archive import Archive
    from everyleaf.issues import Issue
    from everyleaf.opening.reading import Scope
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork, TurnKey, TurnTree
    from everyleaf.workers import OnProgress

_Seen = TypeVar("_Seen")


def survey(
    scope: Scope, look: Callable[[FamilyWork], _Seen], on_progress: OnProgress
) -> tuple[Archive, list[_Seen]]:
    """Return the archive, and what `look` sees in each family, in the families' order.

    `look` must be picklable: it runs in worker processes where the archive is large.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    found = scope.find()
    with open_workers(found) as executor:
        archive = load(
            found, executor, on_progress, redact=scope.redact, beside=scope.beside
        )
        families = list(families_of(archive))
        seen: dict[int, _Seen] = {}
        for place, one in iter_done(executor, look, families):
            seen[place] = one
            on_progress("looking at sessions", len(seen), len(families))
    return archive, [seen[place] for place in range(len(families))]


def families_of(archive: Archive) -> Iterator[FamilyWork]:
    """Yield the families of `archive`, largest first."""
    return iter_families(archive.forest, archive.description, surroundings(archive))


def find_work(archive: Archive, session: str) -> tuple[FamilyWork, SessionWork]:
    """Return the family of `session` and the session in it.

    Raises:
        StopIteration: the archive does not hold it.
    """
    return next(
        (work, one)
        for work in families_of(archive)
        for one in work.sessions
        if one.session == session
    )


def whole_paths(tree: TurnTree, paths: Iterable[PathWork]) -> dict[TurnKey, int]:
    """Return the number of the path to see each turn on: an ACTIVE one, else the lowest.

    The page of an ACTIVE path leaves nothing out that it shares with others.
    """
    return first_paths(tree, sorted(paths, key=lambda item: rank(item.path)))


def surroundings(
    archive: Archive, issues: Mapping[str, tuple[Issue, ...]] | None = None
) -> Surroundings:
    """Return what families need to know beside the graph; `issues` by session."""
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
        issues=issues or {},
        asides=archive.asides,
    )
