"""An archive that is asked something: found, searched for secrets, read, solved by groups.

files ─▶ index (what is new is read) ─▶ groups ─▶ what a command sees in each, remembered
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from everyleaf import archive as archives
from everyleaf.archive import EVERYTHING, Archive, ArchiveIndex, Choice, solve_part
from everyleaf.cachedir import default_cache_dir
from everyleaf.config import REDACT_ALL, RedactOptions
from everyleaf.digest import digest_value
from everyleaf.graph.forest import Turn
from everyleaf.indexing import NOTHING_KNOWN, IndexState
from everyleaf.issues import Issue
from everyleaf.memo import Memo, open_archive_memo
from everyleaf.pages import work as works
from everyleaf.pages.families import SiteContext, iter_families
from everyleaf.redact.find import find_secrets
from everyleaf.sources.discover import default_inputs, find_sources
from everyleaf.sources.files import Found, SourceFile
from everyleaf.state.contents import (
    ListedPath,
    NamedSession,
    digest_code,
    digest_folder,
    digest_found,
    keep_catalog,
)
from everyleaf.workers import SMALL_BYTES, OnProgress, iter_done, open_executor

if TYPE_CHECKING:
    from everyleaf.compare.files import TurnFiles
    from everyleaf.transcript.document import TurnDocument


Seen = TypeVar("Seen")
REMEMBERED_BYTES = SMALL_BYTES
"""Of less input, nothing is worth being remembered."""


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
        """Return the files that this names."""
        return find_sources(self.places, include_archive=self.include_archive)


def open_workers(found: Found, jobs: int = 0) -> AbstractContextManager[Executor]:
    """Return who reads `found`: `jobs` processes (0: one a core), if there is much."""
    return open_executor(jobs, is_small=found.size_bytes < SMALL_BYTES)


def load_index(  # noqa: PLR0913  (what to read, by whom, and what of it)
    found: Found,
    executor: Executor,
    on_progress: OnProgress,
    scope: Scope,
    *,
    is_strict: bool = False,
    known: IndexState = NOTHING_KNOWN,
) -> ArchiveIndex:
    """Return the files of `found` that the choice of `scope` takes, masked as it says.

    Secrets are looked for in what lies beside them, too: no sessions. A file that is
    `known` is not read.
    """
    redaction = find_secrets(
        replace(found, files=(*found.files, *scope.beside)) if scope.beside else found,
        scope.redact,
        executor,
        on_progress,
        cache_dir=default_cache_dir(),
        contents=known.contents,
    )
    return archives.index_archive(
        found,
        executor,
        on_progress,
        choice=scope.choice,
        redaction=redaction,
        is_strict=is_strict,
        known=known,
    )


class Survey(Struct, Generic[Seen], frozen=True):
    """What was seen in an archive."""

    index: ArchiveIndex
    seen: list[Seen]
    """In each session group, in a fixed order."""
    sessions: dict[str, NamedSession]
    """What each session and its paths are called."""


class OpenIndex(Struct, frozen=True):
    """The files of an archive, and who may look at them."""

    scope: Scope
    index: ArchiveIndex
    executor: Executor
    on_progress: OnProgress
    is_remembered: bool
    """What is seen is worth keeping for the next time."""

    def survey(self, look: Callable[[Archive], Seen], *, kind: type[Seen]) -> Survey[Seen]:
        """Return what `look` sees in each session group, solved by itself.

        `look` is a function of a module, and sees a `kind`, plain data: that is remembered
        for as long as nothing changes that the group is made of.
        """
        scope, index, store = self.scope, self.index, Memo(None)
        if self.is_remembered:
            strict = ", strict" if index.is_strict else ""
            purpose = f"{look.__qualname__}, {scope.masking}{strict}"
            store = open_archive_memo(purpose, scope.places)
        groups = index.groups()
        names = list(self._iter_names(groups)) if store.folder else [""] * len(groups)
        known = store.load_all(filter(None, names), tuple[kind, dict[str, NamedSession]])  # type: ignore[valid-type]
        seen = [known.get(name) for name in names]
        missing = [place for place, one in enumerate(seen) if one is None]
        parts = (index.part(groups[place]) for place in missing)
        looked = iter_done(self.executor, partial(_see, look), parts)
        for done, (at, one) in enumerate(looked, 1):
            place = missing[at]
            seen[place] = one
            if names[place]:
                store.save(names[place], one)
            self.on_progress("looking at sessions", done, len(missing))
        if scope.choice == EVERYTHING:
            store.drop_unused()
        found = [one for one in seen if one is not None]
        sessions = {name: listed for _, some in found for name, listed in some.items()}
        is_all = scope.choice == EVERYTHING and not index.is_strict
        if is_all and scope.redact.is_on and scope.has_folder:
            keep_catalog(scope.places, scope.redact, sessions)
        return Survey(index, [one for one, _ in found], sessions)

    def solve(self, is_wanted: Callable[[SourceFile], bool]) -> Archive:
        """Return the session groups that hold a file that is wanted, solved together."""
        files = self.index.files
        wanted = [
            numbers
            for numbers in self.index.groups()
            if any(is_wanted(files[number].file) for number in numbers)
        ]
        part = self.index.part(sorted(number for numbers in wanted for number in numbers))
        return solve_part(part, is_whole=True)

    def _iter_names(self, groups: Iterable[Sequence[int]]) -> Iterator[str]:
        """Yield what names all that is seen in each group; empty: that is not known."""
        common, code = self.index.redaction.common.digest(), digest_code()
        for numbers in groups:
            files = [self.index.files[number].file for number in numbers]
            places = sorted({one.tool_results_dir for one in files})
            spills = [digest_folder(place) for place in places if Path(place).is_dir()]
            inputs = self.index.inputs(numbers)
            every = [inputs, [one.place for one in files], spills, common, code]
            yield f"note-{digest_value(every)}" if inputs else ""


def _see(
    look: Callable[[Archive], Seen], part: archives.ArchivePart
) -> tuple[Seen, dict[str, NamedSession]]:
    archive = solve_part(part, is_whole=True)
    return look(archive), _name_sessions(archive)


@contextmanager
def open_index(
    scope: Scope, on_progress: OnProgress, *, is_strict: bool = False
) -> Generator[OpenIndex]:
    """Yield the files that `scope` names; of a large archive, only what is new is read."""
    found = scope.find()
    memo, contents = Memo(None), dict[int, str]()
    if found.size_bytes >= REMEMBERED_BYTES and scope.has_folder:
        memo = open_archive_memo(f"index, {scope.masking}", scope.places)
    if memo.folder is not None:
        # Every byte is read once: times and sizes can lie.
        numbered = zip(found.numbers, found.files, strict=True)
        contents = {number: digest_found(file) for number, file in numbered}
    with open_workers(found) as executor:
        index = load_index(
            found,
            executor,
            on_progress,
            scope,
            is_strict=is_strict,
            known=IndexState(memo, contents),
        )
        yield OpenIndex(scope, index, executor, on_progress, memo.folder is not None)
    memo.drop_unused()


def survey(
    scope: Scope,
    look: Callable[[Archive], Seen],
    on_progress: OnProgress,
    *,
    kind: type[Seen],
    is_strict: bool = False,
) -> Survey[Seen]:
    """Return what `look` sees in the session groups that `scope` names."""
    with open_index(scope, on_progress, is_strict=is_strict) as opened:
        return opened.survey(look, kind=kind)


def _name_sessions(archive: Archive) -> dict[str, NamedSession]:
    """Return what the sessions of `archive` and their paths are called."""
    by_session: dict[str, list[ListedPath]] = {}
    ended: dict[str, str] = {}
    for path in archive.description.paths.values():
        listed = ListedPath(path.number, f"{path.status} {path.label or path.title}")
        by_session.setdefault(path.session, []).append(listed)
        # A session all of which another one holds is as old as what holds it.
        for name in (path.session, *(copy.path.session for copy in path.contains)):
            ended[name] = max(ended.get(name, ""), path.ended)
    for agent in archive.forest.agents:
        if agent.session not in by_session:
            times = (record.timestamp for record in agent.tree.records)
            ended[agent.session] = max(ended.get(agent.session, ""), *times, "")
    return {
        session.name: NamedSession(
            project=archive.projects[session.project],
            title=archive.description.titles.get(session.name, ""),
            ended=ended.get(session.name, ""),
            paths=tuple(by_session.get(session.name, ())),
            locations=tuple(
                str(archive.files[one.source].location) for one in session.files
            ),
        )
        for session in archive.forest.sessions
    }


def families_of(
    archive: Archive,
    issues: Mapping[str, Sequence[Issue]] = {},
    *,
    contents: Mapping[int, str] = {},
    spills: Mapping[int, str] = {},
) -> Iterator[works.FamilyWork]:
    """Yield the families of `archive`, largest first, with the `issues` of each session.

    `contents` and `spills` have the digests of each source and of what lies beside it.
    """
    sources: dict[int, works.SourceRef] = {}
    for number, file in archive.files.items():
        mask = archive.redaction.mask(file.session)
        sources[number] = works.SourceRef(
            location=file.place,
            file=file.file,
            tool_results_dir=file.tool_results_dir,
            mask=mask,
            content=contents.get(number, ""),
            beside=digest_value([spills.get(number, ""), mask.digest()]),
            is_clear=number in archive.clear,
        )
    around = SiteContext(archive.projects, sources, issues, archive.asides)
    return iter_families(archive.forest, archive.description, around)


def find_work(archive: Archive, session: str) -> tuple[works.FamilyWork, works.SessionWork]:
    """Return the family of `session` and the session in it.

    Raises:
        StopIteration: the archive does not hold it.
    """
    every = ((work, one) for work in families_of(archive) for one in work.sessions)
    return next((work, one) for work, one in every if one.session == session)


class FamilyReader:
    """Reads each turn of a family at most once in each form."""

    def __init__(self, work: works.FamilyWork) -> None:
        """Read the turns of `work` as they are asked for."""
        # Half a second to import, and not needed where all that was seen is remembered.
        from everyleaf.pages.sourcing import open_builder, open_loader  # noqa: PLC0415

        self.work = work
        self._load = open_loader(work)
        self._build = open_builder(work)
        self._documents: dict[works.TurnKey, TurnDocument] = {}
        self._files: dict[str, TurnFiles] = {}

    def document(self, key: works.TurnKey) -> TurnDocument:
        """Return the document of a turn."""
        if key not in self._documents:
            self._documents[key] = self._build(self.work.tree.turns[key], ())
        return self._documents[key]

    def files(self, turn: Turn) -> TurnFiles:
        """Return what a turn says about files."""
        from everyleaf.compare.files import read_turn_files  # noqa: PLC0415  (slow, too)

        first = turn.records[0].envelope.uuid
        if first not in self._files:
            self._files[first] = read_turn_files(turn, self._load)
        return self._files[first]
