"""Everything that a site consists of, as a stream of outputs."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import digest_hex, digest_value
from everyleaf.outputs import Output, StagedFile
from everyleaf.pages.addresses import facts_url, settings_of, words_url
from everyleaf.pages.facts import parse_session_facts
from everyleaf.pages.pagesink import Standing
from everyleaf.render.pictures import PICTURE_SUFFIXES
from everyleaf.renderjobs import (
    SECOND_BYTES,
    GroupJob,
    LostGroup,
    new_bytes,
    run_job,
    size_of,
)
from everyleaf.scheduler import Scheduler
from everyleaf.search.index import INDEX_DIR, SearchWords
from everyleaf.search.pages import WORDS_DIR
from everyleaf.sitework import Draw, ListWork, draw_lists, put_index
from everyleaf.state.groups import GroupState, GroupSums, KeptGroup, TurnState, add_sums
from everyleaf.workers import InProcess, Load, iter_done

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.archive import ArchiveIndex, ArchivePart, Choice
    from everyleaf.config import BuildOptions
    from everyleaf.issues import Issue
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.publish.disk import StagingWriter
    from everyleaf.publish.manifest import Manifest
    from everyleaf.redact.lastlook import Guard
    from everyleaf.state.opened import BuildState
    from everyleaf.workers import OnProgress


_INDEXING = "indexing words"
_INDEX_BYTES = 5_000_000
"""Of the index: as much is looked through in about a second."""
LISTS = ("/lists",)
"""What stands for the lists among the files of sessions; none is called so."""


class Work(Struct):
    """What had to be drawn so far."""

    families: int = 0
    turns: int = 0
    records: int = 0
    pages: int = 0


class _Group(Struct, frozen=True):
    """What a session group adds to the site, whether it was drawn now or before."""

    kept: KeptGroup
    drawn: tuple[StagedFile, ...]


class Site:
    """The outputs of a build, and who accounts for them."""

    def __init__(  # noqa: PLR0913, PLR0917  (what is drawn, how, and what stands)
        self,
        archive: ArchiveIndex,
        options: BuildOptions,
        choice: Choice,
        before: Manifest,
        state: BuildState,
        guard: Guard,
    ) -> None:
        """Prepare to draw `archive`; `before` is what the output folder holds of ours.

        What `state` knows to stand there as it has to be is not drawn again. Of a long
        archive, nothing is held on to when its last family was handed out.
        """
        self._guard = guard
        self.masked: Counter[str] = Counter()
        """How many files only the last look had to mask something in, by kind."""
        self._archive = archive
        self._numbers = archive.groups()
        self._contents, self._spills = state.contents, state.spills
        self.sums = GroupSums()
        """What reports say of all groups, once they were yielded."""
        self._output_dir = options.output_dir
        self._is_preview = options.is_preview
        self._before = before
        self._files = state.files
        self._settings = settings_of(options)
        context = digest_value([state.drawing, self._settings, repr(guard.options)])
        self._state = GroupState(state.store, context)
        self._turns = TurnState(state.store, context)
        self._choice = choice
        self._is_pruned = options.is_pruned
        self._vanished: dict[str, SessionFacts] = {}
        self.guard_digest = digest_value(guard.digest())
        """Of what no file may hold."""
        self._was_looked_through = partial(state.was_looked_through, self.guard_digest)
        self._issues: dict[str, list[Issue]] = {}
        """By the session of a file."""
        for issue in archive.issues:
            self._issues.setdefault(issue.session, []).append(issue)
        self.work = Work()
        self.lost = list(archive.lost)
        """Names of files of which nothing was drawn: workers were lost with them."""
        self.owners: dict[str, set[str]] = {}
        """The sessions that account for each url, once it was yielded."""
        self._pictures: set[str] = set()

    def is_vanished(self, session: str) -> bool:
        """Return whether `session` was published before, and its source is gone.

        Its pages stay: the CLI deletes sessions after 30 days; an archive outlives them.
        A session that a person left out, or pruned, has not vanished.
        """
        return session in self._vanished

    def iter_outputs(
        self, executor: Executor, on_progress: OnProgress, spool: StagingWriter
    ) -> Iterator[StagedFile]:
        """Yield every file of the site, drawn by `executor` or standing in its place.

        Bodies are written by who draws them, with `spool`; none comes through here. Taken
        while the output folder has a stage.

        What a last look finds in one is masked in it, and counted in `masked`.
        """
        with SearchWords(self._output_dir) as words:
            pages = self._iter_pages(executor, spool, on_progress, words)
            for drawn in spool.gather(pages):
                if drawn.url.startswith(WORDS_DIR):
                    words.take(Output(drawn.url, spool.read(drawn)))
                yield self._counted(drawn)
            for drawn in spool.gather(self._iter_kept(spool)):
                yield self._counted(drawn)
            if self._settings.has_search and self._is_preview:
                yield from self._iter_standing(INDEX_DIR)
            elif self._settings.has_search:
                on_progress(_INDEXING, 0, 1)
                index = self._iter_index(executor, self._draw(spool), words)
                for drawn in spool.gather(index):
                    yield self._counted(drawn)
                on_progress(_INDEXING, 1, 1)

    def _iter_index(
        self, executor: Executor, draw: Draw, words: SearchWords
    ) -> Iterator[StagedFile]:
        """Yield the index of the search; workers look through what of it is new."""
        sizes: dict[str, int] = {}
        for output in words.index(self._before.files):
            digest = digest_hex(output.body)
            is_known = self._was_looked_through(output.url, digest)
            if is_known and self._stands(output.url, digest):
                yield StagedFile(output.url, digest)
            elif isinstance(executor, InProcess):
                yield draw.put(output)
            else:
                draw.put_aside(digest_hex(output.url.encode()), "index", output.body)
                sizes[output.url] = len(output.body)
        draw.spool.flush()
        load = Load(_INDEXING, sizes.__getitem__, _INDEX_BYTES, sum(sizes.values()))
        put = partial(put_index, draw=draw)
        for _, drawn in iter_done(executor, put, sizes, load=load):
            yield drawn

    def _counted(self, drawn: StagedFile) -> StagedFile:
        self.masked.update(drawn.masked)
        return drawn

    def _iter_kept(self, spool: StagingWriter) -> Iterator[StagedFile]:
        """Yield what stays of vanished sessions and holds what is masked today, masked.

        What is made of sources that are there needs no such look: it is drawn again
        whenever the rules change, or what is masked in it.
        """
        draw = self._draw(spool)
        for url, listed in sorted(self._before.files.items()):
            is_kept = listed.sessions and all(map(self.is_vanished, listed.sessions))
            if not is_kept or url in self.owners:
                continue
            if self._was_looked_through(url, self._files.digest(url) or ""):
                continue
            body = spool.find(url)
            drawn = None if body is None else draw.put(Output(url, body))
            if drawn is not None and drawn.masked:
                self.owners[url] = set(listed.sessions)
                yield drawn

    def _iter_pages(
        self,
        executor: Executor,
        spool: StagingWriter,
        on_progress: OnProgress,
        words: SearchWords,
    ) -> Iterator[StagedFile]:
        facts: list[SessionFacts] = []
        sums: list[GroupSums] = []
        total = len({one.facts.session for one in self._archive.files.values()})
        for group in self._iter_groups(executor, spool):
            kept = group.kept
            self._own(kept.owners)
            sums.append(kept.sums)
            yield from group.drawn
            facts += kept.facts
            urls = (one.url for one in group.drawn)
            self._pictures.update(url for url in urls if url.endswith(PICTURE_SUFFIXES))
            on_progress("drawing sessions", len(facts), total)
        self.sums = add_sums(sums)
        if not self._is_pruned or self.lost:
            self._vanished = self._load_vanished({one.session for one in facts})
        words.keep(self._words_of_vanished())
        yield from self._iter_lists(executor, spool, facts)

    def _iter_groups(self, executor: Executor, spool: StagingWriter) -> Iterator[_Group]:
        names: list[str] = []
        standing: list[KeptGroup] = []
        scheduler = Scheduler(self._iter_work(names, standing))
        run = partial(run_job, draw=self._draw(spool))
        files = self._archive.files.values()
        total = sum(one.facts.counts.size_bytes for one in files)
        load = Load("drawing sessions", size_of, SECOND_BYTES, total, new_bytes)
        for _, done in iter_done(
            executor,
            run,
            scheduler,
            scheduler.ahead,
            load=load,
            lost=lambda job: LostGroup(job.number),
        ):
            group = scheduler.take(done)
            if group is None:
                continue
            if names[group.number]:
                self._state.keep(names[group.number], group.kept, group.pages)
            self.work.families += group.families
            self.work.turns += group.counts.turns
            self.work.records += group.counts.records
            self.work.pages += group.counts.pages
            yield _Group(_for_lists(group.kept), group.drawn)
        self.lost += scheduler.lost
        for kept in standing:
            yield _Group(kept, _as_drawn(kept.files))

    def _iter_work(self, names: list[str], standing: list[KeptGroup]) -> Iterator[GroupJob]:
        """Yield the groups to draw, with their `names`; the others go to `standing`."""
        for numbers in self._numbers:
            part = self._archive.part(numbers)
            task = GroupJob(
                archive=part,
                issues=self._issues_of(part),
                contents={n: self._contents.get(n, "") for n in numbers},
                spills={n: self._spills.get(n, "") for n in numbers},
                standing=Standing(),
                number=len(names),
            )
            stems = {one.facts.session for one in part.files}
            inputs = part.inputs()
            name = ""
            if inputs:
                name = self._state.name([inputs, task.issues, task.spills], stems)
                known = self._state.find(name)
                if known is not None and all(starmap(self._stands, known.files.items())):
                    standing.append(_for_lists(known))
                    continue
                there = self._state.find_standing(stems, self._stands)
                task = replace(task, standing=there)
            names.append(name)
            yield task

    def _issues_of(self, part: ArchivePart) -> tuple[Issue, ...]:
        """Return what was odd about the files of a group."""
        stems = {one.file.session for one in part.files}
        return tuple(
            issue for stem in sorted(stems) for issue in self._issues.get(stem, ())
        )

    def _draw(self, spool: StagingWriter) -> Draw:
        return Draw(self._settings, spool, self._turns, self._guard)

    def _stands(self, url: str, digest: str) -> bool:
        """Return whether a file is in its place, with bytes of this digest."""
        return self._files.digest(url) == digest

    def _iter_standing(self, folder: str) -> Iterator[StagedFile]:
        for url, listed in sorted(self._before.files.items()):
            if url.startswith(folder) and self._stands(url, listed.digest):
                yield StagedFile(url, listed.digest)

    def _iter_lists(
        self, executor: Executor, spool: StagingWriter, facts: list[SessionFacts]
    ) -> Iterator[StagedFile]:
        """Yield what is made of the facts of all sessions, and the theme's own files."""
        drawn = sorted(session.session for session in facts)
        # Families are done in no fixed order.
        facts = sorted([*facts, *self._vanished.values()], key=lambda one: one.session)
        work = ListWork(
            facts=facts,
            drawn=drawn,
            gone=sorted(
                name
                for name, facts in self._vanished.items()
                if self._choice.takes(name, facts.project, facts.ended)
            ),
            published=sorted(url for url in self._before.files if url.endswith(".html")),
            issues=list(self.issues()),
            types=self._tally("types"),
            fields=self._tally("unknown_fields"),
            redactions=self._tally("redactions"),
            images=len(self._pictures),
        )
        name = self._state.name(work.digest(), LISTS)
        known = self._state.find(name)
        if known is None or not all(starmap(self._stands, known.files.items())):
            there = self._state.find_standing(LISTS, self._stands)
            draw = partial(draw_lists, draw=self._draw(spool), standing=there)
            told = work if isinstance(executor, InProcess) else work.encode()
            known, pages, outputs = executor.submit(draw, told).result()
            self._state.keep(name, known, pages)
        else:
            outputs = _as_drawn(known.files)
        self._state.finish()
        self._own(known.owners)
        yield from outputs

    def _words_of_vanished(self) -> list[str]:
        urls = (words_url(session) for session in sorted(self._vanished))
        return [url for url in urls if url in self._before.files]

    def _own(self, owners: Mapping[str, Iterable[str]]) -> None:
        for url, sessions in owners.items():
            self.owners.setdefault(url, set()).update(sessions)

    def _tally(
        self, kind: Literal["types", "unknown_fields", "redactions"]
    ) -> list[tuple[str, int]]:
        counted: Counter[str] = Counter()
        for one in self._archive.files.values():
            counted.update(dict(getattr(one.facts.counts, kind)))
        return sorted(counted.items())

    def issues(self) -> tuple[Issue, ...]:
        """Return all that was odd, sorted by file and line; complete with the last page."""
        return tuple(sorted({*self._archive.issues, *self.sums.issues}))

    def redactions(self) -> dict[str, int]:
        """Return how often what was masked in records, by kind."""
        return dict(self._tally("redactions"))

    def _load_vanished(self, present: Container[str]) -> dict[str, SessionFacts]:
        """Return what an earlier build said of sessions that are not `present`.

        In a preview, those that are only not chosen are among them; what a person excludes
        goes at once.
        """
        staying, ignored = self._choice, self._archive.found.ignored
        if self._is_preview:
            staying = replace(staying, projects=(), sessions=(), since=None, until=None)
        vanished: dict[str, SessionFacts] = {}
        for url, listed in sorted(self._before.files.items()):
            for session in listed.sessions:
                if session in present or url != facts_url(session):
                    continue
                facts = _load_facts(self._output_dir / url)
                if facts is None or facts.session in ignored:
                    continue
                if staying.takes(facts.session, facts.project, facts.ended):
                    vanished[session] = facts
        return vanished


def _for_lists(kept: KeptGroup) -> KeptGroup:
    """Return `kept` without what no list shows, and which is most of its facts."""
    facts = tuple(
        replace(one, paths=tuple(replace(path, own_ids=()) for path in one.paths))
        for one in kept.facts
    )
    return replace(kept, facts=facts)


def _load_facts(file: Path) -> SessionFacts | None:
    try:
        return parse_session_facts(file.read_bytes())
    except OSError:
        return None  # Someone deleted it: then nothing is left to list.


def _as_drawn(files: Mapping[str, str]) -> tuple[StagedFile, ...]:
    return tuple(StagedFile(url, digest) for url, digest in files.items())
