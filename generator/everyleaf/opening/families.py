"""An opened archive as families of sessions, for those who look at one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from everyleaf.archive import solve_part
from everyleaf.fingerprint import digest_value
from everyleaf.opening.notes import (
    digest_spills,
    keep_names,
    list_sessions,
    open_index,
)
from everyleaf.pages.families import Surroundings, iter_families
from everyleaf.pages.walk import first_paths, rank
from everyleaf.pages.work import SourceRef
from everyleaf.state.catalog import NamedSession  # noqa: TC001  (msgspec reads it)
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from everyleaf.archive import Archive, ArchiveIndex, ArchivePart
    from everyleaf.issues import Issue
    from everyleaf.opening.notes import Notes
    from everyleaf.opening.reading import Scope
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork, TurnKey, TurnTree
    from everyleaf.workers import OnProgress

_Seen = TypeVar("_Seen")


class Survey(Struct, Generic[_Seen], frozen=True):
    """What was seen in an archive."""

    index: ArchiveIndex
    seen: list[_Seen]
    """In each family of sessions; groups of sessions in a fixed order."""
    sessions: dict[str, NamedSession]
    """What each session and its paths are called."""


class _Look(Struct, Generic[_Seen], frozen=True):
    """A look at each family of a session group: picklable."""

    look: Callable[[FamilyWork], _Seen]
    part: ArchivePart
    spills: dict[int, str]

    def run(self) -> _GroupSeen[_Seen]:
        archive = solve_part(self.part, is_whole=True)
        around = surroundings(archive, contents={}, spills=self.spills)
        families = iter_families(archive.forest, archive.description, around)
        return _GroupSeen([self.look(work) for work in families], list_sessions(archive))


class _GroupSeen(Struct, Generic[_Seen], frozen=True):
    """What was seen in a session group."""

    seen: list[_Seen]
    sessions: dict[str, NamedSession]


def survey(
    scope: Scope,
    look: Callable[[FamilyWork], _Seen],
    on_progress: OnProgress,
    *,
    kind: type[_Seen],
) -> Survey[_Seen]:
    """Return what `look` sees in each family of the sessions that `scope` names.

    `look` is a function of a module, and sees a `kind`, plain data: of a large archive that
    is remembered, for as long as nothing changes that the group of sessions is made of. One
    group is solved at a time, in whoever looks at it.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    with open_index(scope, on_progress, purpose=look.__qualname__) as opened:
        index, notes = opened.index, opened.notes
        spills = digest_spills(index.sources) if notes.contents else {}
        looks: list[_Look[_Seen]] = []
        for numbers in index.groups():
            beside = {number: spills.get(number, "") for number in numbers}
            looks.append(_Look(look, index.part(numbers), beside))
        names = [_name(one, notes) for one in looks]
        seen = [notes.find(name, _GroupSeen[kind]) for name in names]  # type: ignore[valid-type]
        missing = [place for place, one in enumerate(seen) if one is None]
        looked = iter_done(opened.executor, _run, [looks[place] for place in missing])
        for done, (at, one) in enumerate(looked, 1):
            place = missing[at]
            seen[place] = one
            notes.keep(names[place], one)
            on_progress("looking at sessions", done, len(missing))
    found = [one for one in seen if one is not None]
    sessions = {name: listed for one in found for name, listed in one.sessions.items()}
    keep_names(scope, sessions)
    return Survey(index, [each for one in found for each in one.seen], sessions)


def _run(look: _Look[_Seen]) -> _GroupSeen[_Seen]:
    return look.run()


def _name(look: _Look[_Seen], notes: Notes) -> str:
    made_of = look.part.made_of()
    return notes.name([made_of, sorted(look.spills.items())] if made_of else None)


def look_at(archive: Archive, look: Callable[[FamilyWork], _Seen]) -> list[_Seen]:
    """Return what `look` sees in each family of `archive`, largest first."""
    return [look(work) for work in families_of(archive)]


def families_of(archive: Archive) -> Iterator[FamilyWork]:
    """Yield the families of `archive`, largest first."""
    around = surroundings(archive, contents={}, spills={})
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
