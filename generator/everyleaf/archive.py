"""The input, read and solved: what every command starts from."""

from __future__ import annotations

from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.clock import parse_timestamp
from everyleaf.config import Left
from everyleaf.errors import SourceError
from everyleaf.graph.activeonly import drop_abandoned
from everyleaf.graph.describe import describe
from everyleaf.graph.solve import solve
from everyleaf.indexing import FileReader, KnownFiles
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION
from everyleaf.records.captures import merge_captures
from everyleaf.records.unfolding import unfold
from everyleaf.sources.files import number_files
from everyleaf.sources.projects import project_names
from everyleaf.workers import collector_paused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from everyleaf.graph.describe import Description
    from everyleaf.graph.solve import Forest
    from everyleaf.model import Envelope
    from everyleaf.records.indexed import Counts, Indexed
    from everyleaf.redact.redaction import Redaction
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.workers import OnProgress

    IsWanted = Callable[[str, str], bool]


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
    counts: tuple[Counts, ...]
    """What each file holds."""
    redaction: Redaction
    asides: Mapping[int, tuple[Envelope, ...]] = field(
        default_factory=dict["int", "tuple[Envelope, ...]"]
    )
    """Source → records beside the tree that are shown; sources without any are left out."""
    bytes_read: int = 0
    """Of the files that had to be read, and were not known from an earlier build."""

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
    """Ids of sessions to take, or how they begin; empty: all."""
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
        moment = parse_timestamp(ended) or datetime.min.replace(tzinfo=UTC)
        if (self.since and moment < self.since) or (self.until and moment >= self.until):
            return False
        if self.projects and not any(fnmatchcase(project, p) for p in self.projects):
            return False
        if self.sessions and not any(map(session.startswith, self.sessions)):
            return False
        return not any(fnmatchcase(n, p) for n in (session, project) for p in self.exclude)


EVERYTHING = Choice()


def read_archive(  # noqa: PLR0913  (what to read, by whom, and three choices)
    found: Found,
    executor: Executor,
    on_progress: OnProgress,
    *,
    choice: Choice,
    redaction: Redaction,
    is_strict: bool = False,
    known: KnownFiles | None = None,
    is_whole: bool = True,
) -> Archive:
    """Return the sessions of `found` that `choice` takes, with all their paths.

    What is left out is left out before paths are found, so that no path is dropped for one
    that is not published. What is shown of records is masked by `redaction`. A file that
    is `known` is not read. Unless `is_whole`, progress records that change nothing are left
    out: for a site, of which none shows anything.

    Raises:
        SourceError: nothing in the input is a record, or no project fits what `choice`
            names: a slip would else empty a site.
    """
    named = redaction.masked_files(found)
    # Numbered by the names on disk, which is how earlier builds know them.
    files = dict(zip(number_files(found.files), named.files, strict=True))
    redaction, found = redaction.renamed(found, named), named
    with collector_paused():
        reader = FileReader(executor, known or KnownFiles(), redaction)
        indexed, read = reader.run(files, on_progress)
        names = _project_names(indexed, redaction)
        chosen = _choose(indexed, choice, names)
        on_progress("finding paths", 0, 1)
        forest, asides = _solve(
            chosen, choice, is_strict=is_strict, is_whole=is_whole or is_strict
        )
        description = describe(forest, names)
        on_progress("finding paths", 1, 1)
    return Archive(
        found=found,
        files=files,
        forest=forest,
        description=description,
        projects=names,
        issues=_all_issues(found, chosen, forest),
        counts=tuple(one.counts for one in chosen),
        redaction=redaction,
        asides=asides,
        bytes_read=read,
    )


def _solve(
    chosen: Sequence[Indexed], choice: Choice, *, is_strict: bool, is_whole: bool
) -> tuple[Forest, dict[int, tuple[Envelope, ...]]]:
    """Return the paths of the files that were `chosen`, and by file what lies beside."""
    files = unfold([one.records for one in chosen], is_whole=is_whole)
    records = merge_captures(files)
    forest = solve(records, is_strict=is_strict)
    asides = {one.records.source: one.asides for one in chosen if one.asides}
    if Left.ABANDONED in choice.without:
        forest, asides = _active_only(forest, asides, is_strict=is_strict)
    if Left.AGENTS in choice.without:
        forest = replace(forest, agents=(), calls={})
    return forest, asides


def _choose(
    indexed: Sequence[Indexed], choice: Choice, names: Mapping[str, str]
) -> list[Indexed]:
    """Return the files that `choice` takes, by the names of their projects.

    Raises:
        SourceError: there is no record at all, or no project fits.
    """
    if not any(one.counts.objects for one in indexed):
        raise SourceError(
            "the input holds no record of a session",
            hint="session files are .jsonl files with one JSON object a line",
        )
    ended = _ended(indexed) if choice.is_dated else {}
    chosen = [
        one
        for one in indexed
        if choice.takes(
            one.records.session,
            names[one.records.project],
            ended.get(one.records.session, ""),
        )
    ]
    if not chosen and (choice.projects or choice.sessions):
        wanted = " ".join(map(repr, (*choice.projects, *choice.sessions)))
        raise SourceError(
            f"no {'session' if choice.sessions else 'project'} fits {wanted}",
            hint=f"the projects are: {', '.join(sorted(set(names.values())))}",
        )
    if not chosen and choice.is_dated:
        raise SourceError(
            "no session is of those days",
            hint="`everyleaf list` shows when something was said last in each",
        )
    return chosen


def _ended(indexed: Sequence[Indexed]) -> dict[str, str]:
    """Return session → the time of its last message, where one is told.

    Those of its agents count where it holds none itself.
    """
    ended: dict[str, tuple[bool, str]] = {}
    for one in indexed:
        for record in one.records.records:
            if record.kind in CONVERSATION and record.timestamp:
                said = (not record.is_sidechain, record.timestamp)
                known = ended.get(one.records.session)
                ended[one.records.session] = max(known, said) if known else said
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


def _all_issues(
    found: Found, chosen: Sequence[Indexed], forest: Forest
) -> tuple[Issue, ...]:
    foreign = [
        Issue(name, 0, IssueCode.FOREIGN_FILE, "no session file; left alone")
        for name in found.foreign
    ]
    read = [issue for one in chosen for issue in one.issues]
    return tuple(sorted({*found.issues, *foreign, *read, *forest.issues}))


def _project_names(indexed: Sequence[Indexed], redaction: Redaction) -> dict[str, str]:
    """Return project folder → name to show."""
    named = project_names((one.records.project, one.records.cwds) for one in indexed)
    return {folder: redaction.text(name) for folder, name in named.items()}
