"""Everything that a site consists of, as a stream of outputs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from itertools import chain, count
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from everyleaf import renderjobs, sitework
from everyleaf.archive import ArchiveIndex, Choice
from everyleaf.config import BuildOptions
from everyleaf.digest import digest_value
from everyleaf.grouping import grouped
from everyleaf.issues import Issue
from everyleaf.memo import TOGETHER
from everyleaf.outputs import StagedFile
from everyleaf.pages.addresses import facts_url, settings_of, words_url
from everyleaf.pages.facts import ReportFacts, SessionFacts, parse_session_facts
from everyleaf.pages.filepages import list_session
from everyleaf.pages.work import PageCounts
from everyleaf.publish.disk import StagingWriter
from everyleaf.publish.manifest import Listed, Manifest
from everyleaf.redact.lastlook import Guard
from everyleaf.search import index as search
from everyleaf.search.pages import WORDS_DIR
from everyleaf.state import groups
from everyleaf.state.opened import BuildState
from everyleaf.workers import InProcess, Load, OnProgress, iter_done, next_shift

_DRAWING, _INDEXING = "drawing sessions", "indexing words"
LISTS = "/lists"
"""What stands for the lists among the files of sessions; none is called so."""


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
        self.archive = archive
        self._numbers = archive.groups()
        self._contents, self._spills = state.contents, state.spills
        self.sums = groups.GroupSums()
        """What reports say of all groups, once they were yielded."""
        self._in_place = StagingWriter(options.output_dir)
        self._is_preview = options.is_preview
        self._before = before
        self._files = state.files
        self._settings = settings_of(options)
        context = digest_value([state.drawing, self._settings, repr(guard.options)])
        last = state.last.groups if state.last else {}
        self._state = groups.GroupState(state.store, context, last)
        self.groups = self._state.now
        """The name of the group of each session, for the next build."""
        self._turns = groups.TurnState(state.store, context)
        self._choice = choice
        self._is_pruned = options.is_pruned
        self.vanished: dict[str, SessionFacts] = {}
        """Sessions that were published before, and whose source is gone: their pages stay.

        The CLI deletes sessions after 30 days; an archive outlives them. One that a person
        left out, or pruned, has not vanished.
        """
        self.guard_digest = digest_value(guard.digest())
        """Of what no file may hold."""
        self._was_looked_through = partial(state.was_looked_through, self.guard_digest)
        self._issues = grouped((issue.session, issue) for issue in archive.issues)
        self.counts = PageCounts()
        """What had to be drawn so far."""
        self.redactions = archive.tally("redactions")
        """How often what was masked, by kind."""
        self._reading = ReportFacts(
            types=archive.tally("types"),
            fields=archive.tally("unknown_fields"),
            redactions=archive.masked(),
        )
        self.bytes_read = archive.bytes_read
        self.lost = list(archive.lost)
        """Names of files of which nothing was drawn: workers were lost with them."""
        self.owners: dict[str, tuple[str, ...]] = {}
        """The sessions that account for each url, sorted, once it was yielded."""
        self.standing: dict[str, Listed] = {}
        """What is to be listed of the groups that stand as the last build left them."""
        self._pictures: set[str] = set()

    def iter_outputs(
        self, executor: Executor, on_progress: OnProgress, writer: StagingWriter
    ) -> Iterator[StagedFile]:
        """Yield the files of the site, drawn by `executor` or standing in their place.

        Of what stands whole, they are in `standing` instead, complete with the last. Bodies
        are written by who draws them, with `writer`, while the output folder has a stage.

        What a last look finds in one is masked in it, and counted in `masked`.
        """
        words: dict[str, StagedFile] = {}
        pages = chain(
            self._iter_pages(executor, writer, on_progress), self._iter_kept(writer)
        )
        for drawn in writer.gather(pages):
            if drawn.url.startswith(WORDS_DIR):
                words[drawn.url] = drawn
            self.masked.update(drawn.masked)
            yield drawn
        if self._settings.has_search and self._is_preview:
            for url, listed in sorted(self._before.files.items()):
                if url.startswith(search.INDEX_DIR) and self._stands(url, listed.digest):
                    yield StagedFile(url, listed.digest)
        elif self._settings.has_search:
            urls = [url for url in self.standing if url.startswith(WORDS_DIR)]
            stand = _as_drawn({url: self.standing[url].digest for url in urls})
            words |= {one.url: one for one in stand}
            on_progress(_INDEXING, 0, 1)
            for drawn in writer.gather(self._iter_index(executor, writer, words)):
                self.masked.update(drawn.masked)
                yield drawn
            on_progress(_INDEXING, 1, 1)
        next_shift(executor)  # What drawing lists took goes: publishing takes memory.

    def _iter_index(
        self, executor: Executor, writer: StagingWriter, words: Mapping[str, StagedFile]
    ) -> Iterator[StagedFile]:
        """Yield the indexes of the search; workers make those whose words changed."""
        urls = (words_url(session) for session in sorted(self.vanished))
        gone = self._files.digests(url for url in urls if url in self._before.files)
        there = {**{one.url: one for one in _as_drawn(gone)}, **words}
        indexes = search.split_words((writer.size(one), one) for one in there.values())
        listed: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for url, one in self._before.files.items():
            listed[search.index_of(url)][url] = one.digest
        same = search.unchanged(indexes, writer.find(search.SOURCE_URL) or b"")
        made: set[str] = set()
        work: list[search.SearchIndex] = []
        for folder, index in indexes.items():
            before = listed[folder]
            standing = {url: one for url, one in before.items() if self._is_well(url, one)}
            if folder in same and standing == before:
                made.add(folder)
                yield from _as_drawn(standing)
            else:
                work.append(replace(index, standing=standing))
        draw = self._draw(writer)
        size_of = attrgetter("size_bytes")
        load = Load(_INDEXING, size_of, search.INDEX_BYTES, sum(map(size_of, work)))
        put = partial(sitework.put_index, draw=draw)
        if work:  # What drawing lists took goes; one Pagefind at a time takes 75 MB.
            next_shift(executor)
        for _, files in iter_done(executor, put, work, load=load, most=1):
            made.update(search.index_of(one.url) for one in files)
            yield from files
        if made:
            source = search.source_of(indexes[folder] for folder in made)
            # By who has compiled the rules for a last look: that takes 60 MB.
            yield executor.submit(draw.put, source.url, source.body).result()

    def _is_well(self, url: str, digest: str) -> bool:
        """Return whether a file stands, and nothing in it would be masked today."""
        return self._was_looked_through(url, digest) and self._stands(url, digest)

    def _iter_kept(self, writer: StagingWriter) -> Iterator[StagedFile]:
        """Yield what stays of vanished sessions and holds what is masked today, masked.

        What is made of sources that are there needs no such look: it is drawn again
        whenever the rules change, or what is masked in it.
        """
        guard = replace(self._guard, is_drawn=False)
        draw = replace(self._draw(writer), guard=guard)
        for url, listed in sorted(self._before.files.items() if self.vanished else ()):
            is_kept = listed.sessions and self.vanished.keys() >= {*listed.sessions}
            if not is_kept or url in self.owners:
                continue
            if self._was_looked_through(url, self._files.digest(url) or ""):
                continue
            body = writer.find(url)
            drawn = None if body is None else draw.put(url, body)
            if drawn is not None and drawn.masked:
                self.owners[url] = listed.sessions
                yield drawn

    def _iter_pages(
        self, executor: Executor, writer: StagingWriter, on_progress: OnProgress
    ) -> Iterator[StagedFile]:
        facts: list[tuple[str, bytes]] = []
        sums: list[groups.GroupSums] = []
        total = len({one.facts.session for one in self.archive.files.values()})
        for kept, drawn in self._iter_groups(executor, writer):
            sums.append(kept.sums)
            yield from drawn
            facts += kept.facts
            self._pictures.update(kept.pictures)
            on_progress(_DRAWING, len(facts), total)
        self.sums = groups.add_sums(sums)
        if not self._is_pruned or self.lost:
            self.vanished |= self._load_vanished({session for session, _ in facts})
        yield from self._iter_lists(executor, writer, facts)

    def _iter_groups(
        self, executor: Executor, writer: StagingWriter
    ) -> Iterator[tuple[groups.KeptGroup, tuple[StagedFile, ...]]]:
        """Yield the groups that stand, then those that changed, with what was drawn."""
        is_last = self._files.look() and self._before.is_known
        stay: set[str] = set()
        names: list[str] = []
        changed: list[list[int]] = []
        for start in range(0, len(self._numbers), TOGETHER):
            some = self._numbers[start : start + TOGETHER]
            named = list(zip(map(self._name, some), some, strict=True))
            kept = self._state.find(name for name, _ in named if name)
            for name, numbers in named:
                known = kept.pop(name, None)
                if known and is_last and name in self._state.published:
                    stay.update(known.sessions)
                    yield known, ()
                elif known and (found := self._find_whole(name)):
                    yield known, self._own(found)
                else:
                    names.append(name)
                    changed.append(numbers)
        self.standing.update(self._before.left_to(stay))
        jobs = map(self._job, count(), changed)
        scheduler = renderjobs.Scheduler(jobs, lambda one: writer.is_aside(f"{one}-work"))
        run = partial(renderjobs.run_job, draw=self._draw(writer))
        files = self.archive.files
        total = sum(files[one].facts.counts.size_bytes for one in chain(*changed))
        size_of, told_of = renderjobs.size_of, renderjobs.new_bytes
        load = Load(_DRAWING, size_of, renderjobs.SECOND_BYTES, total, told_of)
        for _, done in iter_done(
            executor,
            run,
            scheduler,
            scheduler.ahead,
            load=load,
            lost=lambda job: renderjobs.LostGroup(job.number),
            look=scheduler.look,
        ):
            group = scheduler.take(done)
            if scheduler.is_turning:  # What drawing took goes: one page takes much.
                next_shift(executor)
            if group is None:
                continue
            if name := names[group.number]:
                self._state.keep(name, group.kept, group.files, group.pages)
            self._own(group.files)
            self.counts += group.counts
            yield group.kept, group.drawn
        self.lost += scheduler.lost

    def _name(self, numbers: Sequence[int]) -> str:
        """Return a name for all that a group is drawn from; empty: that is not known."""
        inputs = self.archive.inputs(numbers)
        rest = [self._issues_of(numbers), self._spills_of(numbers)]
        return self._state.name([inputs, *rest]) if inputs else ""

    def _job(self, number: int, numbers: Sequence[int]) -> renderjobs.GroupJob:
        """Return what draws a group, the `number`-th that changed; its files are let go."""
        stems = {self.archive.files[one].facts.session for one in numbers}
        job = renderjobs.GroupJob(
            archive=self.archive.part(numbers),
            issues=self._issues_of(numbers),
            contents={one: self._contents.get(one, "") for one in numbers},
            spills=self._spills_of(numbers),
            standing=self._state.find_standing(stems, self._stands),
            number=number,
        )
        for one in numbers:
            del self.archive.files[one]
        return job

    def _spills_of(self, numbers: Iterable[int]) -> dict[int, str]:
        return {one: self._spills.get(one, "") for one in numbers}

    def _issues_of(self, numbers: Iterable[int]) -> tuple[Issue, ...]:
        sessions = sorted({self.archive.files[one].file.session for one in numbers})
        return tuple(issue for one in sessions for issue in self._issues.get(one, ()))

    def _draw(self, writer: StagingWriter) -> sitework.Draw:
        return sitework.Draw(self._settings, writer, self._turns, self._guard)

    def _stands(self, url: str, digest: str) -> bool:
        return self._files.digest(url) == digest

    def _iter_lists(
        self, executor: Executor, writer: StagingWriter, facts: list[tuple[str, bytes]]
    ) -> Iterator[StagedFile]:
        """Yield what is made of the facts of all sessions, and the theme's own files."""
        # Families are done in no fixed order.
        drawn = sorted(session for session, _ in facts)
        vanished = self.vanished.items()
        # Their own pages are drawn with the lists.
        facts += ((name, list_session(one, has_page=False)) for name, one in vanished)
        takes = self._choice.takes
        gone = sorted(name for name, one in vanished if takes(name, one.project, one.ended))
        unlisted = self._before.files.keys() - self.standing.keys()
        published = sorted(unlisted - self.owners.keys())
        reading = replace(self._reading, issues=self.issues(), images=len(self._pictures))
        bodies = [body for _, body in sorted(facts)]
        work = sitework.ListWork(bodies, drawn, gone, published, reading)
        # Of files that stand, too, nothing is asked any more.
        found = replace(self.archive.found, files=())
        self.archive = replace(self.archive, found=found, files={}, sources={})
        name = self._state.name(work.digest())
        listed = groups.KeptGroup((LISTS,))
        known = self._find_whole(name)
        if known is None:
            there = self._state.find_standing([LISTS], self._is_well)
            draw = self._draw(writer)
            facts.clear()  # They are many, and needed no more.
            here = work if isinstance(executor, InProcess) else None
            if here is None:
                next_shift(executor)  # What drawing took goes: all facts come now.
                draw.put_aside(*sitework.LIST_WORK, msgspec.msgpack.encode(work))
                draw.writer.flush()
                work.facts.clear()
            many = sitework.LIST_JOBS if not here and self._settings.has_html else 1
            run = partial(sitework.draw_lists, draw, there, here, many)
            done = dict(iter_done(executor, run, range(many)))
            outputs = [one for drawn_now, _, _ in done.values() for one in drawn_now]
            pages = {url: one for _, made, _ in done.values() for url, one in made.items()}
            # Of the first job's files alone: those of others are nobody's.
            known = groups.sort_files(outputs, done[0][2])
            self._state.keep(name, listed, known, pages)
            yield from outputs
        self._state.use(name, listed)
        yield from self._own(known)

    def _find_whole(self, name: str) -> groups.GroupFiles | None:
        """Return what was drawn of a group, or of the lists, if all of it stands."""
        files = self._state.find_files(name)
        are_there = files and self._files.digests(files.digests) == files.digests
        return files if are_there else None

    def _own(self, files: groups.GroupFiles) -> tuple[StagedFile, ...]:
        """Note who accounts for `files`; return them as what stands."""
        for urls, names in files.by_owners():
            owned = dict.fromkeys(urls, names)
            both = self.owners.keys() & owned.keys()
            owned |= {url: tuple(sorted({*self.owners[url], *names})) for url in both}
            self.owners |= owned
        return _as_drawn(files.digests)

    def issues(self) -> tuple[Issue, ...]:
        """Return all that was odd, sorted by file and line; complete with the last page."""
        return tuple(sorted({*self.archive.issues, *self.sums.issues}))

    def _load_vanished(self, present: Collection[str]) -> dict[str, SessionFacts]:
        """Return what an earlier build said of sessions that are not `present`.

        In a preview, those that are only not chosen are among them; what a person excludes
        goes at once.
        """
        staying, ignored = self._choice, self.archive.found.ignored
        if self._is_preview:
            staying = replace(staying, projects=(), sessions=(), since=None, until=None)
        vanished: dict[str, SessionFacts] = {}
        owners = {listed.sessions for listed in self._before.files.values()}
        for session in sorted({*chain.from_iterable(owners)}.difference(present)):
            listed = self._before.files.get(facts_url(session))
            if listed is None or session not in listed.sessions:
                continue
            # Someone may have deleted it: then nothing is left to list.
            facts = parse_session_facts(self._in_place.find(facts_url(session)) or b"")
            if facts is None or facts.session in ignored:
                continue
            if staying.takes(facts.session, facts.project, facts.ended):
                vanished[session] = facts
        return vanished


def _as_drawn(files: Mapping[str, str]) -> tuple[StagedFile, ...]:
    return tuple(StagedFile(url, digest) for url, digest in files.items())
