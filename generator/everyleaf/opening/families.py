"""An opened archive as families of sessions, for those who look at one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from everyleaf.fingerprint import digest_value
from everyleaf.opening.notes import NO_NOTES, digest_spills, open_archive
from everyleaf.pages.families import Surroundings, iter_families
from everyleaf.pages.walk import first_paths, rank
from everyleaf.pages.work import SourceRef
from everyleaf.state.groups import family_shape
from everyleaf.workers import collector_paused, iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Executor

    from everyleaf.archive import Archive
    from everyleaf.issues import Issue
    from everyleaf.opening.notes import Notes
    from everyleaf.opening.reading import Scope
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork, TurnKey, TurnTree
    from everyleaf.workers import OnProgress

_Seen = TypeVar("_Seen")


def survey(
    scope: Scope,
    look: Callable[[FamilyWork], _Seen],
    on_progress: OnProgress,
    *,
    kind: type[_Seen],
) -> tuple[Archive, list[_Seen]]:
    """Return the archive, and what `look` sees in each family, in the families' order.

    `look` is a function of a module, and sees a `kind`, plain data: of a large archive that
    is remembered, for as long as nothing changes that the family is made of.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    with open_archive(scope, on_progress, purpose=look.__qualname__) as opened:
        return opened.archive, look_at(
            opened.archive,
            look,
            opened.executor,
            on_progress,
            kind=kind,
            notes=opened.notes,
        )


def look_at(  # noqa: PLR0913  (at what, by whom, and what of it is known)
    archive: Archive,
    look: Callable[[FamilyWork], _Seen],
    executor: Executor,
    on_progress: OnProgress,
    *,
    kind: type[_Seen],
    notes: Notes = NO_NOTES,
) -> list[_Seen]:
    """Return what `look` sees in each family of `archive`, as `survey` does."""
    with collector_paused():
        families = list(families_of(archive, notes))
        names = [_name(family, notes) for family in families]
        seen = [notes.find(name, kind) for name in names]
    missing = [place for place, one in enumerate(seen) if one is None]
    looked = iter_done(executor, look, [families[place] for place in missing])
    for done, (at, one) in enumerate(looked, 1):
        place = missing[at]
        seen[place] = one
        notes.keep(names[place], one)
        on_progress("looking at sessions", done, len(missing))
    return [one for one in seen if one is not None]


def _name(family: FamilyWork, notes: Notes) -> str:
    is_known = all(source.content for source in family.sources.values())
    return notes.name(family_shape(family) if is_known else None)


def families_of(archive: Archive, notes: Notes = NO_NOTES) -> Iterator[FamilyWork]:
    """Yield the families of `archive`, largest first, with what is known of their files."""
    spills = digest_spills(archive.files) if notes.contents else {}
    around = surroundings(archive, contents=notes.contents, spills=spills)
    return iter_families(archive.forest, archive.description, around)


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
    archive: Archive,
    issues: Mapping[str, tuple[Issue, ...]] | None = None,
    *,
    contents: Mapping[int, str],
    spills: Mapping[int, str],
) -> Surroundings:
    """Return what families need to know beside the graph; `issues` by session.

    `contents` and `spills` have the digests of each source and of what lies beside it.
    """

    def beside(number: int, session: str) -> str:
        return digest_value([spills.get(number, ""), archive.redaction.digest(session)])

    return Surroundings(
        projects=archive.projects,
        sources={
            number: SourceRef(
                str(file.location),
                file.file,
                str(file.tool_results_dir),
                archive.redaction.mask(file.session),
                contents.get(number, ""),
                beside(number, file.session),
            )
            for number, file in archive.files.items()
        },
        issues=issues or {},
        asides=archive.asides,
    )
