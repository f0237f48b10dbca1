"""The stages of a build, in the order in which the data goes through them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from everyleaf.archive import Choice, read_archive
from everyleaf.config import REDACT_ALL
from everyleaf.errors import ConfigError
from everyleaf.graph.forest import Status
from everyleaf.publish.folder import check_output_dir
from everyleaf.publish.site import publish_site
from everyleaf.redact.find import find_secrets
from everyleaf.redact.memory import default_cache_dir
from everyleaf.site import Site
from everyleaf.sources.discover import find_sources
from everyleaf.theming.load import load_theme
from everyleaf.workers import open_executor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from everyleaf.config import BuildOptions, RedactOptions
    from everyleaf.graph.forest import Contained, ConversationPath, PathRef
    from everyleaf.issues import Issue
    from everyleaf.workers import OnProgress

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""


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


def build_site(options: BuildOptions, *, on_progress: OnProgress) -> BuildReport:
    """Build the site that `options` ask for, and return what was done.

    Raises:
        SourceError: the input cannot be read at all.
        OutputError: the output folder is not ours, or cannot be written.
        ThemeError: the theme is missing or broken.
        RedactError: secrets cannot be looked for, or one would be published.
        ConfigError: a site for everybody without redaction.
    """
    begun = time.perf_counter()
    load_theme(options.theme)  # What is wrong with it is said before anything is read.
    redact = replace(options.redact, is_public=options.is_public)
    if options.is_public and not redact.is_on:
        raise ConfigError(
            "a public site cannot be built without redaction",
            hint="leave out --no-redact, or --public",
        )
    found = find_sources(options.sources, include_archive=options.include_archive)
    before = check_output_dir(
        options.output_dir, sources=options.sources, is_forced=options.is_forced
    )
    choice = Choice(options.projects, options.exclude, options.sessions)
    with open_executor(options.jobs, is_small=found.size_bytes < SMALL_BYTES) as executor:
        redaction = find_secrets(
            found, redact, executor, on_progress, cache_dir=default_cache_dir()
        )
        archive = read_archive(
            found,
            executor,
            on_progress,
            choice=choice,
            redaction=redaction,
            is_strict=options.strict_paths,
        )
        site = Site(archive, options, choice, before)
        published = publish_site(
            options.output_dir,
            site.iter_outputs(executor, on_progress),
            owners=site.owners,
            is_vanished=site.is_vanished,
            is_forced=options.is_forced,
        )
    forest, paths = archive.forest, archive.description.paths.values()
    active = sum(path.status is Status.ACTIVE for path in paths)
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
        seconds=time.perf_counter() - begun,
        edited=published.edited,
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
