"""The input, read and solved: what every command starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from datetime import datetime
from fnmatch import fnmatchcase
from itertools import chain
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.clock import moment_of
from everyleaf.collector import collector_paused
from everyleaf.config import Left
from everyleaf.errors import SourceError
from everyleaf.graph.describe import Description, describe
from everyleaf.graph.solve import Forest, drop_abandoned, solve
from everyleaf.grouping import grouped
from everyleaf.indexing import NOTHING_KNOWN, IndexedFile, IndexState, read_files
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import Envelope, SessionRecords
from everyleaf.records.captures import merge_captures
from everyleaf.records.folding import unfold
from everyleaf.records.index import FileFacts, Tally, group_files, key_of
from everyleaf.redact.masking import HOME_FOLDER
from everyleaf.redact.redaction import Redaction
from everyleaf.sources.files import Found, SourceFile
from everyleaf.sources.lines import first_cwds
from everyleaf.sources.projects import project_names
from everyleaf.workers import OnProgress

_FOREIGN = "no session file; left alone"


class Archive(Struct, frozen=True):
    """The input, read and solved."""

    found: Found
    files: Mapping[int, SourceFile]
    """What was found, by the numbers that records name their source with."""
    forest: Forest
    description: Description
    projects: Mapping[str, str]
    """Project folder → name to show."""
    issues: tuple[Issue, ...]
    """Sorted by file and line."""
    redaction: Redaction
    asides: Mapping[int, tuple[Envelope, ...]] = {}
    """Source → records beside the tree that are shown; sources without any are left out."""
    clear: frozenset[int] = frozenset()
    """Sources in whose records nothing but places was masked when all of them were read."""
    summaries: tuple[SessionRecords, ...] = ()
    """Those of what was solved, from any file, and those in its files of what none has."""

    def __repr__(self) -> str:
        sessions, paths = len(self.forest.sessions), len(self.description.paths)
        return f"<Archive of {sessions} sessions, {paths} paths>"


class Choice(Struct, frozen=True):
    """Which sessions a person wants, by shell patterns."""

    projects: tuple[str, ...] = ()
    """Names of projects to take; empty: all."""
    exclude: tuple[str, ...] = ()
    """Ids of sessions and names of projects to leave out."""
    sessions: tuple[str, ...] = ()
    """How the names of files of sessions to take begin, in any folder; empty: all."""
    without: tuple[Left, ...] = ()
    """What is left out of those that are taken."""
    since: datetime | None = None
    """Take sessions whose last message is not older than this."""
    until: datetime | None = None
    """The first moment that is too late for a last message."""

    @property
    def is_dated(self) -> bool:
        """Return whether it depends on time which sessions pass."""
        return self.since is not None or self.until is not None

    def takes(self, session: str, project: str, ended: str = "") -> bool:
        """Return whether the session passes; `ended` is the time of its last message."""
        if self.is_dated:
            moment = moment_of(ended)
            if moment < (self.since or moment) or (self.until and moment >= self.until):
                return False
        if self.projects and not any(fnmatchcase(project, p) for p in self.projects):
            return False
        if self.sessions and not any(map(f"{session}.jsonl".startswith, self.sessions)):
            return False
        return not any(fnmatchcase(n, p) for n in (session, project) for p in self.exclude)


EVERYTHING = Choice()


class ArchiveIndex(Struct, frozen=True):
    """The files of an archive before any path is known: facts, and where the rest is."""

    found: Found
    files: dict[int, IndexedFile]
    """Those that were chosen, by the numbers that records name their source with; who
    draws them lets them go."""
    sources: Mapping[int, SourceFile]
    """All that was found, likewise."""
    projects: Mapping[str, str]
    """Project folder → name to show."""
    redaction: Redaction
    issues: tuple[Issue, ...]
    """Of the input and its files, in no order."""
    bytes_read: int
    without: tuple[Left, ...] = ()
    """What is left out of the sessions."""
    is_strict: bool = False
    """Every uuid leaf is a path."""
    lost: tuple[str, ...] = ()
    """Names of files with which workers were lost again and again; they are left out."""
    summed_up: Mapping[int, Sequence[SessionRecords]] = {}
    """Source → the summaries that are brought to it, as `find_summaries` does."""

    def groups(self) -> list[list[int]]:
        """Return the files of each session group, by number; the largest group first.

        No path or link of a session needs more than the files of its group.
        """
        return group_files({number: one.facts for number, one in self.files.items()})

    def tally(
        self, kind: Literal["types", "unknown_fields", "redactions"]
    ) -> dict[str, int]:
        """Return what of a kind was counted in how many records."""
        counted: Counter[str] = Counter()
        for one in self.files.values():
            tally: Tally = getattr(one.facts.counts, kind)
            counted.update(dict(tally))
        return dict(sorted(counted.items()))

    def masked(self) -> tuple[tuple[str, str, int], ...]:
        """Return (kind, session, how often) of what was masked in records."""
        counted: Counter[tuple[str, str]] = Counter()
        for one in self.files.values():
            for kind, times in one.facts.counts.redactions:
                counted[kind, one.facts.session] += times
        return tuple((*key, times) for key, times in sorted(counted.items()))

    def inputs(self, numbers: Iterable[int]) -> list[object]:
        """Return what all paths of these files follow from; empty: that is not known."""
        files = [self.files[number] for number in numbers]
        names = [(one.number, one.input_digest) for one in files]
        if not all(name for _, name in names):
            return []
        projects = {one.file.project: self.projects[one.file.project] for one in files}
        summaries = self._summaries_of(one.number for one in files)
        return [names, sorted(projects.items()), self.without, self.is_strict, summaries]

    def part(self, numbers: Iterable[int]) -> ArchivePart:
        """Return the files with these numbers, and all that is needed to solve them."""
        # Keys are for grouping, and most of what is known of a file.
        files = tuple(
            replace(one, facts=replace(one.facts, keys=b"", summaries=()))
            for one in map(self.files.__getitem__, numbers)
        )
        sessions = sorted({one.file.session for one in files})
        masks = {session: self.redaction.mask(session) for session in sessions}
        return ArchivePart(
            files=files,
            projects={one.file.project: self.projects[one.file.project] for one in files},
            redaction=replace(self.redaction, masks=masks, secrets=()),
            without=self.without,
            is_strict=self.is_strict,
            summaries=self._summaries_of(one.number for one in files),
        )

    def _summaries_of(self, numbers: Iterable[int]) -> tuple[SessionRecords, ...]:
        return tuple(one for number in numbers for one in self.summed_up.get(number, ()))


class ArchivePart(Struct, frozen=True):
    """Files to be solved together: what a worker needs for that."""

    files: tuple[IndexedFile, ...]
    projects: Mapping[str, str]
    """Project folder → name to show."""
    redaction: Redaction
    """What is masked in these sessions; it does not list all secrets."""
    without: tuple[Left, ...] = ()
    is_strict: bool = False
    summaries: tuple[SessionRecords, ...] = ()
    """Summaries of what is in these, from any file: as files with nothing else."""

    @property
    def size_bytes(self) -> int:
        """Return the size of all records."""
        return sum(one.facts.counts.size_bytes for one in self.files)


def index_archive(  # noqa: PLR0913  (what to read, by whom, and two choices)
    found: Found,
    executor: Executor,
    on_progress: OnProgress,
    *,
    choice: Choice,
    redaction: Redaction,
    is_strict: bool = False,
    known: IndexState = NOTHING_KNOWN,
) -> ArchiveIndex:
    """Return the files of `found` that `choice` takes. A file that is `known` is not read.

    What is left out is left out before paths are found, so that no path is dropped for one
    that is not published. What is shown of records is masked by `redaction`.

    Raises:
        SourceError: nothing in the input is a record, or no project fits what `choice`
            names: a slip would else empty a site.
    """
    elsewhere = _iter_cwds(found.whole, {file.project for file in found.files})
    named = redaction.masked_files(found)
    # Numbered by the names on disk, which is how earlier builds know them.
    files = dict(zip(found.numbers, named.files, strict=True))
    redaction, found = redaction.renamed(found, named), named
    indexed, read, lost = read_files(
        files, executor, on_progress, known=known, redaction=redaction
    )
    facts = [one.facts for one in indexed.values()]
    names = project_names([*((one.project, one.cwds) for one in facts), *elsewhere])
    names = {folder: redaction.text(name) for folder, name in names.items()}
    taken = {id(one) for one in _choose(facts, choice, names)}
    chosen = {n: one for n, one in indexed.items() if id(one.facts) in taken}
    return ArchiveIndex(
        found=found,
        files=chosen,
        sources=files,
        projects=names,
        redaction=redaction,
        issues=(
            *found.issues,
            *(Issue(one, 0, IssueCode.FOREIGN_FILE, _FOREIGN) for one in found.foreign),
            *(issue for one in chosen.values() for issue in one.facts.issues),
        ),
        bytes_read=read,
        without=choice.without,
        is_strict=is_strict,
        lost=lost,
        summed_up=find_summaries({n: one.facts for n, one in chosen.items()}),
    )


def check_projects(found: Found, choice: Choice) -> None:
    """Raise a `SourceError` where no project of `found` is one that `choice` takes."""
    names = project_names(_iter_cwds(found.files)).values()
    wanted = Choice(projects=choice.projects)
    if not any(wanted.takes("", name) for name in names):
        raise _nothing_fits(wanted, names)


def _iter_cwds(
    files: Iterable[SourceFile], known: Iterable[str] = ()
) -> Iterator[tuple[str, list[str]]]:
    """Yield folders of projects that are not `known`, with cwds of a file of each."""
    seen = {*known}
    for file in files:
        if file.project not in seen:
            cwds = first_cwds(file.location)
            seen.update([file.project] if cwds else ())
            yield file.project, cwds


def find_summaries(facts: Mapping[int, FileFacts]) -> dict[int, list[SessionRecords]]:
    """Return file → summaries: of what it holds or names, and of what no file does.

    Of the files of a group that hold the record, or name it, the first is told; of what
    none does, the file that the summary stands in. Linear.
    """
    wanted = grouped(
        (key_of(one.markers[0].leaf_uuid or ""), replace(one, source=number))
        for number, file in facts.items()
        for one in file.summaries
    )
    found: dict[int, list[SessionRecords]] = {}
    for number, one in facts.items() if wanted else ():
        for key in filter(wanted.__contains__, memoryview(one.keys).cast("Q").tolist()):
            found.setdefault(number, []).extend(wanted.pop(key))
    for lost in chain.from_iterable(wanted.values()):
        found.setdefault(lost.source, []).append(lost)
    return found


def solve_all(index: ArchiveIndex, on_progress: OnProgress) -> Archive:
    """Return all sessions of `index` with all their paths.

    At once, in this process: for who asks about a few.
    """
    on_progress("finding paths", 0, 1)
    archive = solve_part(index.part(index.files), is_whole=True)
    on_progress("finding paths", 1, 1)
    return replace(
        archive,
        found=index.found,
        files=index.sources,
        projects=index.projects,
        issues=tuple(sorted({*index.issues, *archive.issues})),
        redaction=index.redaction,
    )


def solve_part(part: ArchivePart, *, is_whole: bool = False) -> Archive:
    """Return an archive of the files of `part` alone, with all their paths.

    Unless `is_whole`, progress records that change nothing are left out: for a site, of
    which none shows anything.
    """
    with collector_paused():
        indexed = [one.load() for one in part.files]
        found = [one.records for one in indexed]
        files = unfold(found, part.summaries, is_whole=is_whole or part.is_strict)
        forest = solve(merge_captures(files), is_strict=part.is_strict)
        asides = {one.records.source: one.asides for one in indexed if one.asides}
        if Left.ABANDONED in part.without:
            forest, asides = _active_only(forest, asides, is_strict=part.is_strict)
        if Left.AGENTS in part.without:
            forest = replace(forest, agents=(), calls={})
        description = describe(forest, part.projects, part.summaries)
    return Archive(
        found=Found((), (), ()),
        files={one.number: one.file for one in part.files},
        forest=forest,
        description=description,
        projects=part.projects,
        issues=forest.issues,
        redaction=part.redaction,
        summaries=part.summaries,
        asides=asides,
        clear=frozenset(
            one.number
            for one in part.files
            if one.facts.counts.objects
            and {kind for kind, _ in one.facts.counts.redactions} <= {HOME_FOLDER}
        ),
    )


def _choose(
    facts: Sequence[FileFacts], choice: Choice, names: Mapping[str, str]
) -> list[FileFacts]:
    """Return the files that `choice` takes, by the names of their projects."""
    if not any(one.counts.objects for one in facts):
        odd = next((issue for one in facts for issue in one.issues), None)
        where = f": {odd.file}:{odd.line}: {odd.message}" if odd else ""
        raise SourceError(
            f"the input holds no record of a session{where}",
            hint="session files are .jsonl files with one JSON object a line",
        )
    ended = _ended(facts) if choice.is_dated else {}
    chosen = [
        one
        for one in facts
        if choice.takes(one.session, names[one.project], ended.get(one.session, ""))
    ]
    if not chosen and (choice.projects or choice.sessions):
        raise _nothing_fits(choice, names.values())
    if not chosen and choice.is_dated:
        raise SourceError(
            "no session is of those days",
            hint="`everyleaf list` shows when something was said last in each",
        )
    return chosen


def _nothing_fits(choice: Choice, projects: Iterable[str]) -> SourceError:
    wanted = " ".join(map(repr, (*choice.projects, *choice.sessions)))
    kind, hint = "project", f"the projects are: {', '.join(sorted({*projects}))}"
    if choice.sessions:
        kind, hint = "session", "`everyleaf list` shows how the ids of sessions begin"
    return SourceError(f"no {kind} fits {wanted}", hint=hint)


def _ended(facts: Sequence[FileFacts]) -> dict[str, str]:
    """Return session → the time of its last message, else of the last of its agents'."""
    ended: dict[str, tuple[bool, str]] = {}
    for one in facts:
        if one.ended[1]:
            ended[one.session] = max(ended.get(one.session, (False, "")), one.ended)
    return {session: at for session, (_, at) in ended.items()}


def _active_only(
    forest: Forest, asides: Mapping[int, tuple[Envelope, ...]], *, is_strict: bool
) -> tuple[Forest, dict[int, tuple[Envelope, ...]]]:
    """Return `forest` as if nothing had ever been abandoned, and the asides that stay."""
    active = drop_abandoned(forest)
    solved = solve(active.files, is_strict=is_strict)
    held = {
        source: tuple(each for each in found if active.holds(source, each.line))
        for source, found in asides.items()
    }
    # What the whole archive lost is a bug whether or not it would have been shown.
    return replace(solved, unplaced=(*forest.unplaced, *solved.unplaced)), held
