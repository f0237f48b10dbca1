"""The stages of a build, in the order in which the data goes through them."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.cachedir import default_cache_dir
from everyleaf.collector import collector_paused
from everyleaf.config import BuildOptions, Format, RedactOptions
from everyleaf.errors import ConfigError
from everyleaf.publish import disk
from everyleaf.publish.manifest import Manifest
from everyleaf.report import BuildCounts, BuildReport, Draft, report_build
from everyleaf.sources.discover import find_sources
from everyleaf.sources.files import Found, SourceMemory
from everyleaf.state.opened import BuildState, open_memory, open_state
from everyleaf.storage import address_of, plain

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from everyleaf.publish.site import Published
    from everyleaf.redact.redaction import Redaction
    from everyleaf.site import Site
    from everyleaf.workers import OnProgress

Approve = Callable[[Draft], None]


def build_site(
    options: BuildOptions, *, on_progress: OnProgress, approve: Approve | None = None
) -> BuildReport:
    """Build the site that `options` ask for, and return what was done.

    `approve` is shown the draft before anything is moved into the output folder: what it
    raises stops the build, and the folder stays as it was. It is asked each time, also
    where nothing has changed since somebody approved.

    Raises:
        SourceError: the input cannot be read at all.
        OutputError: the output folder is not ours, or cannot be written.
        ThemeError: the theme is missing or broken.
        RedactError: secrets cannot be looked for.
        ConfigError: a site for everybody without redaction, or that is private.
    """
    begun = time.perf_counter()
    _check_audience(options)
    options = replace(
        options,
        sources=tuple(map(plain, options.sources)),
        output_dir=plain(options.output_dir),
    )
    with _output_dir(options) as folder:
        site = options.output_dir
        options = replace(options, output_dir=folder)
        if options.cluster:
            report = _build_on_cluster(options, site, on_progress, approve)
        else:
            with collector_paused():
                memory = open_memory(options)
                found = _find(options, memory.sources)
                state = open_state(options, found, memory)
            build = _Build(options, found, state, on_progress, approve)
            del found  # Files are many, and are let go when their facts are known.
            report = build.run()
    return replace(report, seconds=time.perf_counter() - begun)


def _output_dir(options: BuildOptions) -> AbstractContextManager[Path]:
    """Return what gives the folder to build in, which may stand for an address."""
    address = address_of(options.output_dir)
    if not address or options.output_dir.exists():
        return nullcontext(options.output_dir)
    from everyleaf.publish.remote import open_site  # noqa: PLC0415

    if options.is_private:
        raise ConfigError(
            f"{address!r} has no modes of files, so --private would close nothing",
            hint="close the bucket to others, and leave out --private",
        )
    return open_site(address, sources=options.sources, is_forced=options.is_forced)


def _build_on_cluster(
    options: BuildOptions, site: Path, on_progress: OnProgress, approve: Approve | None
) -> BuildReport:
    """Build into the folder that `options` name, which is a copy where `site` is far."""
    try:
        from everyleaf.cluster import engine as cluster  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            f"a cluster needs Dask, which is not installed: {error}",
            hint="pip install 'everyleaf[cluster]'",
        ) from error
    from everyleaf.memo import open_shared  # noqa: PLC0415
    from everyleaf.publish.remote import far_work, open_far_writer  # noqa: PLC0415
    from everyleaf.sources.far import far_place  # noqa: PLC0415
    from everyleaf.state.contents import read_contents_by  # noqa: PLC0415

    cluster.check_address(options.cluster, is_trusted=options.is_network_trusted)
    # Processes of this machine see the copy.
    is_far = site != options.output_dir and not cluster.is_local(options.cluster)
    options = _absolute(options)
    place = site if is_far else options.output_dir
    found = _find(options, None)
    # Of what lies at an address, workers fetch what their jobs name.
    files = [
        (file.place, file.size_bytes)
        for file in found.files
        if far_place(file.location) is None
    ]
    with (
        open_shared(place, options.cache_dir, is_kept=options.has_cache) as folder,
        far_work(),
        cluster.open_cluster(
            options.cluster,
            on_progress,
            cluster.sight_of(options.theme, files, folder),
            is_redacting=options.redact.is_on,
        ) as engine,
        open_far_writer(options.output_dir, address_of(place), folder)
        if is_far
        else nullcontext() as writer,
    ):
        memory = open_memory(options, folder, site=place)
        read = partial(read_contents_by, engine)
        state = open_state(options, found, memory, read=read)
        build = _Build(options, found, state, on_progress, approve, engine, writer)
        return replace(build.run(), cluster=engine.work())


def _find(options: BuildOptions, memory: SourceMemory | None) -> Found:
    return find_sources(
        options.sources,
        include_archive=options.include_archive,
        memory=memory,
        is_read_elsewhere=bool(options.cluster),
    )


def _absolute(options: BuildOptions) -> BuildOptions:
    """Return `options` for machines on which other folders are the current one."""
    theme = Path(options.theme)
    sources = (one if address_of(one) else one.absolute() for one in options.sources)
    return replace(
        options,
        sources=tuple(sources),
        output_dir=options.output_dir.absolute(),
        cache_dir=options.cache_dir and options.cache_dir.absolute(),
        theme=str(theme.absolute()) if theme.is_dir() else options.theme,
    )


def _check_audience(options: BuildOptions) -> None:
    if options.is_public and not options.redact.is_on:
        raise ConfigError(
            "a public site cannot be built without redaction",
            hint="leave out --no-redact, or --public",
        )
    if options.is_public and options.is_private:
        raise ConfigError(
            "a site cannot be both public and private",
            hint="leave out --private, also in the settings file, or --public",
        )


class _Build(Struct):
    """A build, from where something may have changed.

    What only one that has something to do needs is imported where it is used.
    """

    options: BuildOptions
    found: Found
    state: BuildState
    on_progress: OnProgress
    approve: Approve | None
    engine: Executor | None = None
    """Workers of a cluster, if one was asked for."""
    writer: disk.StagingWriter | None = None
    """What they draw with, if they do not see the output folder."""

    def run(self) -> BuildReport:
        """Return what was done: nothing where all stands as the last build left it."""
        options, last = self.options, self.state.last
        # By a build that was killed.
        is_left = (options.output_dir / disk.STAGING).exists()
        known = None if self.approve or is_left else self.state.find_report()
        if known is None:
            return self._run()
        if options.is_private and last:
            disk.close_to_others(options.output_dir, last.files)
        report = msgspec.msgpack.decode(known, type=BuildReport)
        kept, none = report.wrote + report.kept, BuildCounts()
        return replace(report, wrote=0, kept=kept, deleted=0, edited=(), counts=none)

    def _run(self) -> BuildReport:
        """Read, solve, draw, publish."""
        from everyleaf.publish.manifest import check_output_dir  # noqa: PLC0415

        # Processes that are forked have what was imported before.
        from everyleaf.redact.find import find_secrets  # noqa: PLC0415
        from everyleaf.workers import SMALL_BYTES, share  # noqa: PLC0415

        options = self.options
        if not self.state.is_drawing_known:
            from everyleaf.theming.load import load_theme  # noqa: PLC0415

            load_theme(options.theme)  # What is wrong with it is said before all else.
        with collector_paused():
            before = check_output_dir(
                options.output_dir,
                sources=options.sources,
                is_forced=options.is_forced,
                known=self.state.files.known,
            )
        new_bytes = self.state.new_bytes(self.found, has_site=bool(before.files))
        is_small = new_bytes < SMALL_BYTES
        with (
            collector_paused() if is_small else nullcontext(),
            self._open_executor(is_small=is_small) as executor,
        ):
            redaction = find_secrets(
                self.found,
                self._redact,
                executor,
                self.on_progress,
                cache_dir=default_cache_dir(),
                contents=self.state.contents,
            )
            share(executor, redaction.common.others)
            site = self._open_site(redaction, executor, before)
            self.found = replace(self.found, files=())
            published = self._publish(site, executor, before)
            report = report_build(site, published)
            self.state.finish(
                published.urls,
                msgspec.msgpack.encode(report),
                guard=site.guard_digest,
                groups=site.groups,
                is_whole=not report.lost,
            )
        return report

    def _open_site(
        self, redaction: Redaction, executor: Executor, before: Manifest
    ) -> Site:
        """Read what is to be drawn, masked."""
        from everyleaf.archive import Choice, index_archive  # noqa: PLC0415
        from everyleaf.indexing import IndexState  # noqa: PLC0415
        from everyleaf.redact.lastlook import Guard, open_last_look  # noqa: PLC0415
        from everyleaf.site import Site  # noqa: PLC0415
        from everyleaf.workers import Shifts  # noqa: PLC0415

        options = self.options
        held = {file.session for file in self.found.files}
        choice = Choice(
            options.projects,
            options.exclude,
            # A whole id means no longer one that begins with it.
            tuple(f"{s}." if s in held else Path(s).name for s in options.sessions),
            options.without,
            options.since,
            options.until,
        )
        guard = Guard(self._redact, secrets=redaction.secrets, is_drawn=True)
        if isinstance(executor, Shifts):
            open_last_look(guard)  # Once for all processes: each would take 20 MB for it.
        archive = index_archive(
            self.found,
            executor,
            self.on_progress,
            choice=choice,
            redaction=redaction,
            is_strict=options.strict_paths,
            known=IndexState(self.state.index, self.state.contents),
        )
        return Site(archive, options, choice, before, self.state, guard)

    def _open_executor(self, *, is_small: bool) -> AbstractContextManager[Executor]:
        from everyleaf.workers import open_executor  # noqa: PLC0415

        if self.engine is not None:
            return nullcontext(self.engine)
        from everyleaf.sitework import prepare_worker  # noqa: PLC0415

        return open_executor(
            self.options.jobs,
            is_small=is_small,
            prepare=partial(prepare_worker, self.options.theme),
        )

    def _publish(self, site: Site, executor: Executor, before: Manifest) -> Published:
        from everyleaf.publish.site import publish_site  # noqa: PLC0415

        access = disk.OWNER_ALONE if self.options.is_private else disk.EVERYBODY
        writer = self.writer or disk.StagingWriter(self.options.output_dir, access)
        approve = self.approve
        return publish_site(
            self.options.output_dir,
            site.iter_outputs(executor, self.on_progress, writer),
            before=before,
            owners=site.owners,
            standing=site.standing,
            is_vanished=site.vanished.__contains__,
            is_forced=self.options.is_forced,
            files=self.state.files,
            has_checksums=Format.HTML not in self.options.formats,
            access=access,
            approve=approve
            and (lambda files: approve(Draft(files, site.sums, site.redactions))),
        )

    @property
    def _redact(self) -> RedactOptions:
        return replace(self.options.redact, is_public=self.options.is_public)
