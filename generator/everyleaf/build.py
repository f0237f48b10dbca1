"""The stages of a build, in the order in which the data goes through them."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from everyleaf.config import Format
from everyleaf.errors import ConfigError
from everyleaf.frozen import dataclass
from everyleaf.publish.access import EVERYBODY, OWNER_ALONE, close_to_others
from everyleaf.report import BuildCounts, BuildReport, draft_of, report_build, sum_up
from everyleaf.sources.discover import find_sources
from everyleaf.state.opened import open_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager
    from pathlib import Path

    from everyleaf.archive import Archive, Choice
    from everyleaf.config import BuildOptions, RedactOptions
    from everyleaf.publish.manifest import Manifest
    from everyleaf.publish.site import Published
    from everyleaf.redact.find import Search
    from everyleaf.redact.redaction import Redaction
    from everyleaf.render.output import Drawn
    from everyleaf.report import ArchiveSums, Draft
    from everyleaf.site import Site, Work
    from everyleaf.sources.files import Found
    from everyleaf.state.opened import BuildState
    from everyleaf.workers import OnProgress

    Approve = Callable[[Draft], None]
    Confirm = Callable[[], None]


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
        RedactError: secrets cannot be looked for, or one would be published.
        ConfigError: a site for everybody without redaction, or that is private.
    """
    begun = time.perf_counter()
    _check_audience(options)
    found = find_sources(options.sources, include_archive=options.include_archive)
    state = open_state(options, found)
    known = None if approve else state.find_report()
    if known is not None:
        report = _nothing_to_do(known)
        if options.is_private and state.last:
            close_to_others(options.output_dir, state.last.files)
    else:
        from everyleaf.workers import collector_paused  # noqa: PLC0415

        is_little = state.is_little_new(found)
        build = _Build(options, found, state, on_progress, approve, is_little)
        with collector_paused() if is_little else nullcontext():
            report = build.run()
    return replace(report, seconds=time.perf_counter() - begun)


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


def _nothing_to_do(known: bytes) -> BuildReport:
    """Return the report of the last build as that of one that found nothing to do."""
    before = msgspec.msgpack.decode(known, type=BuildReport)
    kept = before.wrote + before.kept
    return replace(before, wrote=0, kept=kept, deleted=0, edited=(), counts=BuildCounts())


@dataclass(slots=True)
class _Build:
    """A build that has something to do.

    What only it needs is imported where it is used: finding nothing changed takes none.
    """

    options: BuildOptions
    found: Found
    state: BuildState
    on_progress: OnProgress
    approve: Approve | None
    is_little: bool
    """Little is new since the last build: one process makes it soonest."""
    drawn: set[str] = field(default_factory=set[str])
    """Urls of what the site is made of now; what it keeps beside that is old."""
    audited: str = ""
    """Digest of what was looked for in what is old."""

    def run(self) -> BuildReport:
        """Read, solve, draw, publish; return what was done."""
        from everyleaf.publish.folder import check_output_dir  # noqa: PLC0415

        options = self.options
        if not self.state.is_drawing_known:
            from everyleaf.theming.load import load_theme  # noqa: PLC0415

            load_theme(options.theme)  # What is wrong with it is said before all else.
        before = check_output_dir(
            options.output_dir, sources=options.sources, is_forced=options.is_forced
        )
        with (
            self._open_executor() as executor,
            self._open_search(executor) as search,
        ):
            return self._run_with(search, executor, before)

    def _run_with(
        self, search: Search, executor: Executor, before: Manifest
    ) -> BuildReport:
        """Build with what `search` finds, or what it will most likely have found.

        The scanner takes a second to start. Where little is new, everything is made ready
        meanwhile as if there were nothing to find in it; written is nothing before.
        """
        from everyleaf.redact.find import NewFindingsError  # noqa: PLC0415

        if self.is_little:
            try:
                return self._make(search.assumed, search, executor, before)
            except NewFindingsError:
                self.state.store.forget()
        return self._make(search.found, search, executor, before)

    def _make(
        self, redaction: Redaction, search: Search, executor: Executor, before: Manifest
    ) -> BuildReport:
        """Make the site masked by `redaction`; nothing is written unless it is confirmed.

        Raises:
            NewFindingsError: there is more to be masked.
        """
        confirm = partial(search.confirm, redaction)
        site, sums = self._open_site(redaction, executor, before)
        if self.is_little:
            site.confirm = confirm
        published = self._publish(site, sums, executor, before, confirm)
        report = report_build(sums, published, _count(site.work, sums))
        self.state.finish(
            published.urls, msgspec.msgpack.encode(report), audited=self.audited
        )
        return report

    def _open_site(
        self, redaction: Redaction, executor: Executor, before: Manifest
    ) -> tuple[Site, ArchiveSums]:
        """Read and solve; all that holds the archive then is what the site has of it."""
        from everyleaf.archive import Choice  # noqa: PLC0415
        from everyleaf.site import Site  # noqa: PLC0415

        options = self.options
        choice = Choice(
            options.projects, options.exclude, options.sessions, options.without
        )
        archive = self._read(redaction, choice, executor)
        return Site(archive, options, choice, before, self.state), sum_up(archive)

    def _open_executor(self) -> AbstractContextManager[Executor]:
        from everyleaf.workers import SMALL_BYTES, InProcess, open_executor  # noqa: PLC0415

        if self.is_little:
            return InProcess()
        # Processes that are forked have what was imported before.
        import everyleaf.redact.find  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]
        from everyleaf.sitework import prepare_worker  # noqa: PLC0415

        return open_executor(
            self.options.jobs,
            is_small=self.found.size_bytes < SMALL_BYTES,
            prepare=partial(prepare_worker, self.options.theme),
        )

    def _open_search(self, executor: Executor) -> AbstractContextManager[Search]:
        from everyleaf.cachedir import default_cache_dir  # noqa: PLC0415
        from everyleaf.redact.find import open_search  # noqa: PLC0415

        locations = (file.location for file in self.found.files)
        return open_search(
            self.found,
            self._redact,
            executor,
            self.on_progress,
            cache_dir=default_cache_dir(),
            contents=dict(zip(locations, self.state.contents.values(), strict=False)),
        )

    def _read(self, redaction: Redaction, choice: Choice, executor: Executor) -> Archive:
        """Return what was found, masked and solved."""
        from everyleaf.archive import read_archive  # noqa: PLC0415
        from everyleaf.indexing import KnownFiles  # noqa: PLC0415
        from everyleaf.state.index import IndexState  # noqa: PLC0415

        return read_archive(
            self.found,
            executor,
            self.on_progress,
            choice=choice,
            redaction=redaction,
            is_strict=self.options.strict_paths,
            known=KnownFiles(IndexState(self.state.store), self.state.contents),
            is_whole=False,
        )

    def _publish(
        self,
        site: Site,
        sums: ArchiveSums,
        executor: Executor,
        before: Manifest,
        confirm: Confirm,
    ) -> Published:
        from everyleaf.publish.site import publish_site  # noqa: PLC0415

        self.drawn.clear()
        return publish_site(
            self.options.output_dir,
            self._noted(site.iter_outputs(executor, self.on_progress)),
            before=before,
            owners=site.owners,
            is_vanished=site.is_vanished,
            is_forced=self.options.is_forced,
            files=self.state.files,
            has_seals=Format.HTML not in self.options.formats,
            access=OWNER_ALONE if self.options.is_private else EVERYBODY,
            approve=partial(self._look_through, sums, confirm),
        )

    @property
    def _redact(self) -> RedactOptions:
        return replace(self.options.redact, is_public=self.options.is_public)

    def _noted(self, outputs: Iterable[Drawn]) -> Iterator[Drawn]:
        for output in outputs:
            self.drawn.add(output.url)
            yield output

    def _look_through(
        self, sums: ArchiveSums, confirm: Confirm, files: Mapping[str, Path]
    ) -> None:
        """Look at what only stays, and have the whole approved.

        Raises:
            NewFindingsError: more is to be masked than `sums` names.
            RedactError: a page that stays holds what is masked today.
        """
        confirm()
        digests = self.state.files.digests(sorted(files.keys() - self.drawn))
        if digests:
            from everyleaf.redact.kept import check_kept  # noqa: PLC0415

            kept = {url: (files[url], digest) for url, digest in digests.items()}
            self.audited = check_kept(
                kept, self._redact, sums.secrets, passed=self.state.audited
            )
        if self.approve is not None:
            self.approve(draft_of(sums, files))


def _count(work: Work, sums: ArchiveSums) -> BuildCounts:
    return BuildCounts(
        pages=work.pages,
        records=work.records,
        turns=work.turns,
        families=work.families,
        bytes_read=sums.bytes_read,
    )
