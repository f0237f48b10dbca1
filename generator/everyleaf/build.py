"""The stages of a build, in the order in which the data goes through them."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from everyleaf.config import REDACT_ALL
from everyleaf.errors import ConfigError

# msgspec reads the annotations, so this name must exist when the module runs.
from everyleaf.issues import Issue  # noqa: TC001
from everyleaf.sources.discover import find_sources
from everyleaf.state.opened import open_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from everyleaf.archive import Archive
    from everyleaf.config import BuildOptions, RedactOptions
    from everyleaf.graph.forest import Contained, ConversationPath, PathRef, Status
    from everyleaf.publish.site import Published
    from everyleaf.site import Site
    from everyleaf.sources.files import Found
    from everyleaf.state.opened import BuildState
    from everyleaf.workers import OnProgress

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""


@dataclass(frozen=True, slots=True)
class BuildCounts:
    """What a build had to do; all zero where nothing had changed."""

    pages: int = 0
    """HTML pages and Markdown files that were drawn."""
    records: int = 0
    """Records that were read again and drawn."""
    turns: int = 0
    families: int = 0
    """Groups of sessions that share records, and are drawn together."""
    bytes_read: int = 0
    """Of session files that were read into the index; to compare digests, all are read."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did; the counts are those of its last line."""

    sessions: int
    paths: int
    active: int
    abandoned: int
    contained: int
    records: int
    is_everything_placed: bool
    wrote: int
    kept: int
    deleted: int
    issues: tuple[Issue, ...]
    unplaced: tuple[str, ...]
    """uuids of conversation records that are on no path: a bug where there are any."""
    seconds: float
    edited: tuple[str, ...] = ()
    """Files of an earlier build that were changed by hand since, and overwritten."""
    counts: BuildCounts = BuildCounts()


@dataclass(frozen=True, slots=True)
class Draft:
    """A site that is drawn, and not yet in its place."""

    files: Mapping[str, Path]
    """Url → where its bytes are now; of the whole site, what stays included."""
    projects: int
    sessions: int
    paths: int
    redactions: Mapping[str, int]
    """What was masked how often, by kind."""


@dataclass(frozen=True, slots=True)
class PathListing:
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


def build_site(
    options: BuildOptions,
    *,
    on_progress: OnProgress,
    approve: Callable[[Draft], None] | None = None,
) -> BuildReport:
    """Build the site that `options` ask for, and return what was done.

    `approve` is shown the draft before anything is moved into the output folder: what it
    raises stops the build, and the folder stays as it was.

    Raises:
        SourceError: the input cannot be read at all.
        OutputError: the output folder is not ours, or cannot be written.
        ThemeError: the theme is missing or broken.
        RedactError: secrets cannot be looked for, or one would be published.
        ConfigError: a site for everybody without redaction.
    """
    begun = time.perf_counter()
    if options.is_public and not options.redact.is_on:
        raise ConfigError(
            "a public site cannot be built without redaction",
            hint="leave out --no-redact, or --public",
        )
    found = find_sources(options.sources, include_archive=options.include_archive)
    state = open_state(options, found)
    known = state.find_report()
    if known is not None:
        report = _nothing_to_do(known)
    else:
        report = _build(options, found, state, on_progress, approve)
    return replace(report, seconds=time.perf_counter() - begun)


def _nothing_to_do(known: bytes) -> BuildReport:
    """Return the report of the last build as that of one that found nothing to do."""
    before = msgspec.msgpack.decode(known, type=BuildReport)
    kept = before.wrote + before.kept
    return replace(before, wrote=0, kept=kept, deleted=0, edited=(), counts=BuildCounts())


def _build(
    options: BuildOptions,
    found: Found,
    state: BuildState,
    on_progress: OnProgress,
    approve: Callable[[Draft], None] | None,
) -> BuildReport:
    # Not imported above: a build that finds nothing changed needs none of this.
    from everyleaf.archive import Choice, KnownFiles, read_archive  # noqa: PLC0415
    from everyleaf.publish.folder import check_output_dir  # noqa: PLC0415
    from everyleaf.publish.site import publish_site  # noqa: PLC0415
    from everyleaf.redact.find import find_secrets  # noqa: PLC0415
    from everyleaf.redact.memory import default_cache_dir  # noqa: PLC0415
    from everyleaf.site import Site  # noqa: PLC0415
    from everyleaf.sitework import prepare_worker  # noqa: PLC0415
    from everyleaf.state.index import IndexState  # noqa: PLC0415
    from everyleaf.workers import open_executor  # noqa: PLC0415

    if not state.is_drawing_known:
        from everyleaf.theming.load import load_theme  # noqa: PLC0415

        load_theme(options.theme)  # What is wrong with it is said before anything is read.
    before = check_output_dir(
        options.output_dir, sources=options.sources, is_forced=options.is_forced
    )
    choice = Choice(options.projects, options.exclude, options.sessions, options.without)
    known = KnownFiles(IndexState(state.store), state.contents)
    with open_executor(
        options.jobs,
        is_small=found.size_bytes < SMALL_BYTES,
        is_little=state.is_little_new(found),
        prepare=partial(prepare_worker, options.theme),
    ) as executor:
        redaction = find_secrets(
            found,
            replace(options.redact, is_public=options.is_public),
            executor,
            on_progress,
            cache_dir=default_cache_dir(),
        )
        archive = read_archive(
            found,
            executor,
            on_progress,
            choice=choice,
            redaction=redaction,
            is_strict=options.strict_paths,
            known=known,
        )
        site = Site(archive, options, choice, before, state)
        published = publish_site(
            options.output_dir,
            site.iter_outputs(executor, on_progress),
            owners=site.owners,
            is_vanished=site.is_vanished,
            is_forced=options.is_forced,
            files=state.files,
            approve=approve and (lambda files: approve(_draft(archive, files))),
        )
    report = _report(archive, site, published)
    state.finish(published.urls, msgspec.msgpack.encode(report))
    return report


def _report(archive: Archive, site: Site, published: Published) -> BuildReport:
    forest, paths = archive.forest, archive.description.paths.values()
    active = sum(str(path.status) == "ACTIVE" for path in paths)
    work = site.work
    return BuildReport(
        sessions=len(forest.sessions),
        paths=len(paths),
        active=active,
        abandoned=len(paths) - active,
        contained=len(forest.containment.container),
        records=forest.record_count,
        is_everything_placed=not forest.unplaced,
        wrote=published.wrote,
        kept=published.kept,
        deleted=published.deleted,
        issues=archive.issues,
        unplaced=forest.unplaced,
        seconds=0.0,
        edited=published.edited,
        counts=BuildCounts(
            pages=work.pages,
            records=work.records,
            turns=work.turns,
            families=work.families,
            bytes_read=archive.bytes_read,
        ),
    )


def _draft(archive: Archive, files: Mapping[str, Path]) -> Draft:
    redactions: Counter[str] = Counter()
    for counts in archive.counts:
        redactions.update(dict(counts.redactions))
    sessions = archive.forest.sessions
    return Draft(
        files=files,
        projects=len({archive.projects[session.project] for session in sessions}),
        sessions=len(sessions),
        paths=len(archive.description.paths),
        redactions=redactions,
    )


def list_paths(
    sources: Sequence[Path],
    *,
    strict_paths: bool,
    include_archive: bool,
    on_progress: OnProgress,
    redact: RedactOptions = REDACT_ALL,
) -> Iterator[PathListing]:
    """Yield every kept path of `sources`, by session and number.

    Raises:
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
    """
    from everyleaf.archive import Choice, read_archive  # noqa: PLC0415  (as above)
    from everyleaf.redact.find import find_secrets  # noqa: PLC0415  (as above)
    from everyleaf.redact.memory import default_cache_dir  # noqa: PLC0415  (as above)
    from everyleaf.workers import open_executor  # noqa: PLC0415  (as above)

    found = find_sources(sources, include_archive=include_archive)
    with open_executor(0, is_small=found.size_bytes < SMALL_BYTES) as executor:
        redaction = find_secrets(
            found, redact, executor, on_progress, cache_dir=default_cache_dir()
        )
        archive = read_archive(
            found,
            executor,
            on_progress,
            choice=Choice(),
            redaction=redaction,
            is_strict=strict_paths,
        )
    forest, description = archive.forest, archive.description
    projects = {s.name: archive.projects[s.project] for s in forest.sessions}
    for leaf in forest.kept:
        path = description.paths[forest.refs[leaf]]
        chain = list(forest.atlas.up(leaf))
        ids = tuple(name for gid in reversed(chain) for name in forest.atlas.ids(gid))
        inferred = forest.atlas.inferred(chain[::-1])
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
