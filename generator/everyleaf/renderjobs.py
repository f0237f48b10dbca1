"""The jobs that draw a site, as any worker does them, and which is handed out when.

A group is solved and drawn by one job. One with much to draw is split: its turns are drawn
in chunks, by several jobs, and its pages are put together by one that finds them.
"""

from __future__ import annotations

import pickle
import zlib
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import msgspec
from msgspec import Struct, field
from msgspec.structs import force_setattr, replace

from everyleaf.archive import Archive, ArchivePart, solve_part
from everyleaf.collector import collector_relaxed, give_back
from everyleaf.graph.forest import Status, Turn
from everyleaf.grouping import grouped
from everyleaf.issues import Issue
from everyleaf.model import Kind
from everyleaf.opening.reading import families_of
from everyleaf.outputs import StagedFile
from everyleaf.pages.forks import compared_turns, opponents
from everyleaf.pages.fragments import ChunkFiles, FragmentBook
from everyleaf.pages.pagesink import MadePage, PageSink, Standing
from everyleaf.pages.work import FamilyWork, PageCounts, TurnKey
from everyleaf.render.pictures import PICTURE_SUFFIXES
from everyleaf.sitework import Draw
from everyleaf.sources.far import far_place
from everyleaf.state.groups import GroupFiles, GroupSums, KeptGroup, sort_files

if TYPE_CHECKING:
    from everyleaf.pages.comparepages import Comparisons

LONG_BYTES = 8_000_000
"""Records of a group that are drawn in one go; what has more is cut.

Drawing that takes about six seconds. To cut costs a twentieth more: what is drawn is
written, and read as pages ask.
"""
CHUNK_BYTES = 3_000_000
"""Records of a chunk: what a worker holds of them is a few times that."""


class GroupJob(Struct, frozen=True):
    """A session group to be solved and drawn."""

    archive: ArchivePart
    issues: tuple[Issue, ...]
    """What was odd about its files."""
    contents: Mapping[int, str]
    """Source → digest of its bytes; empty where it is not known."""
    spills: Mapping[int, str]
    """Source → digest of the outputs that lie beside it, likewise."""
    standing: Standing
    """What there is of its pages."""
    number: int = 0
    chunks: tuple[str, ...] = ()
    """Names of the chunks in which its turns were drawn; none: it was not split."""

    def solve(self) -> tuple[list[FamilyWork], GroupSums]:
        """Return the families of the group, largest first, and what reports say of it."""
        archive = solve_part(self.archive)
        issues = sorted({*self.issues, *archive.issues})
        by_session = grouped((issue.session, issue) for issue in issues)
        for record in chain.from_iterable(a.tree.records for a in archive.forest.agents):
            if record.kind is Kind.REPLY:  # They are long, and no page shows them.
                force_setattr(record, "words", "")
        families = families_of(
            archive, by_session, contents=self.contents, spills=self.spills
        )
        return list(families), sum_up(archive)


class ChunkJob(Struct, frozen=True):
    """Turns of a long group to be drawn ahead of its pages, or comparisons beside them."""

    number: int
    """Of the group."""
    name: str
    """Of the chunk: its `ChunkWork`, or `Comparisons`, was put aside under it."""


class SplitGroup(Struct, frozen=True):
    """A group that takes so long that its turns are to be drawn by several jobs."""

    number: int
    chunks: tuple[str, ...]
    """Names under which the turns were put aside."""


class Drawn(Struct, frozen=True):
    """What a job drew of a group: a chunk, or comparisons."""

    number: int
    """Of the group."""
    counts: PageCounts
    files: GroupFiles = GroupFiles()
    pages: Mapping[str, MadePage] = field(default_factory=dict[str, "MadePage"])
    """What each page was made of, by url."""
    drawn: tuple[StagedFile, ...] = ()


class DrawnGroup(Drawn, frozen=True, kw_only=True):
    """What was drawn of a group, at first without its chunks."""

    kept: KeptGroup
    compared: int = 0
    """Jobs that its comparisons are, which were put aside before there was a page."""

    def join(self, parts: Sequence[Drawn]) -> DrawnGroup:
        """Return the group with `parts` of it, chunks and comparisons, whatever order."""
        owners: defaultdict[str, set[str]] = defaultdict(set)
        files = (self.files, *(one.files for one in parts))
        for urls, names in chain.from_iterable(one.by_owners() for one in files):
            for url in urls:
                owners[url].update(names)
        drawn = {one.url: one for one in chain(self.drawn, *(one.drawn for one in parts))}
        pictures = tuple(url for url in drawn if url.endswith(PICTURE_SUFFIXES))
        return replace(
            self,
            kept=replace(self.kept, pictures=pictures),
            files=sort_files(drawn.values(), owners),
            pages=dict(chain(self.pages.items(), *(one.pages.items() for one in parts))),
            drawn=tuple(drawn.values()),
            counts=sum((one.counts for one in parts), self.counts),
        )


class LostGroup(Struct, frozen=True):
    """A group that cannot be drawn: workers were lost with a job of it, again and again."""

    number: int


Job = GroupJob | ChunkJob
Done = DrawnGroup | SplitGroup | Drawn | LostGroup

COMPARED = "{}-compared-{}"
"""Names under which comparisons of a group are put aside, one by one."""
SECOND_BYTES = 2_000_000
"""As many bytes of records are drawn in about a second."""


def size_of(job: Job) -> int:
    """Return about how many bytes of records a job draws."""
    return job.archive.size_bytes if isinstance(job, GroupJob) else CHUNK_BYTES


def new_bytes(job: Job) -> int:
    """Return the same of a job that begins a group; what goes on with one adds nothing."""
    return 0 if not isinstance(job, GroupJob) or job.chunks else size_of(job)


def run_job(job: Job, draw: Draw) -> Done:
    """Do a piece of the work for a site."""
    return _draw_group(job, draw) if isinstance(job, GroupJob) else _draw_chunk(job, draw)


def _draw_group(job: GroupJob, draw: Draw) -> DrawnGroup | SplitGroup:
    """Draw what does not stand of a group, one page in memory at a time."""
    # Not imported above: what hands out work does not draw.
    from everyleaf.pages.family import render_family  # noqa: PLC0415
    from everyleaf.pages.filepages import list_session  # noqa: PLC0415
    from everyleaf.pages.lists import put_session  # noqa: PLC0415

    families, sums = job.solve()
    if job.chunks:
        give_back()  # What solving took: all that is known of the turns comes beside it.
    elif split := _split(job, families, draw):
        return split
    settings, turns = draw.settings, draw.turns
    drawn: list[StagedFile] = []
    take, writer = partial(draw.take, drawn), draw.writer
    shown = turns.open_standing(families, writer.find, writer.spool)
    context, stands = turns.context if turns.is_kept else "", job.standing
    sink = PageSink(take, draw.put, context=context, standing=stands, turns=shown)
    facts: list[tuple[str, bytes]] = []
    counts = PageCounts()
    files = ((draw.aside(n, "known"), draw.aside(n, "texts")) for n in job.chunks)
    ahead = ChunkFiles(files, chain.from_iterable(work.names() for work in families))
    numbers = count()

    def put_aside(part: Comparisons) -> None:
        name = COMPARED.format(job.number, next(numbers))
        draw.put_aside(name, "work", _packed(part))

    aside = put_aside if job.chunks and not stands.files else None
    for work in families:
        book = turns.open(work)
        told, drew = render_family(work, settings, sink, book, ahead=ahead, put_aside=aside)
        for one in told if settings.has_html else ():
            put_session(one, settings, sink)
        if book is not None:
            turns.keep(work, book, ahead)
            if job.chunks:
                give_back()
        facts += ((one.session, list_session(one)) for one in told)
        counts += replace(drew, pages=0, families=1)
    if turns.is_kept:
        turns.keep_standing(shown, sink.owners)
    added = sort_files(drawn, sink.owners)
    kept = KeptGroup(
        sessions=tuple(sorted({name for names, _ in added.owners for name in names})),
        pictures=tuple(o.url for o in drawn if o.url.endswith(PICTURE_SUFFIXES)),
        facts=tuple(facts),
        sums=sums,
    )
    return DrawnGroup(
        number=job.number,
        counts=replace(counts, pages=sink.pages),
        files=added,
        pages=sink.made,
        drawn=tuple(drawn),
        kept=kept,
        compared=next(numbers),
    )


def _split(job: GroupJob, families: Sequence[FamilyWork], draw: Draw) -> SplitGroup | None:
    """Return the turns of a group, if much is to be drawn of it."""
    if job.archive.size_bytes <= LONG_BYTES:
        return None
    has_html = draw.settings.has_html
    fresh = [
        work for work in families if not (job.standing.files and draw.turns.knows(work))
    ]
    turns = (turn for work in fresh for turn in work.tree.turns.values())
    if not fresh or sum(map(_size_bytes, turns)) <= LONG_BYTES:
        return None
    works = chain.from_iterable(iter_chunks(one, has_html=has_html) for one in fresh)
    names: list[str] = []
    for place, work in enumerate(works):
        names.append(f"{job.number}-{place}")
        draw.put_aside(names[-1], "work", _packed(work))
    return SplitGroup(job.number, tuple(names))


def _packed(chunk: ChunkWork | Comparisons) -> bytes:
    """Return a part of a group as bytes for a worker that may have none of its files."""
    far = {
        number: (far_place(Path(ref.location)), far_place(Path(ref.tool_results_dir)))
        for number, ref in chunk.work.sources.items()
    }
    return zlib.compress(pickle.dumps((chunk, far)), 1)


def _unpacked(body: bytes) -> ChunkWork | Comparisons:
    """Return the part, its files fetched to where this worker has them."""
    # From another worker of this build, in a stage that nobody else may write to.
    chunk: ChunkWork | Comparisons
    chunk, far = pickle.loads(zlib.decompress(body))  # noqa: S301
    sources = dict(chunk.work.sources)
    for number, (file, folder) in far.items():
        if file and folder:
            here, beside = str(file.fetch()), str(folder.fetch())
            ref = sources[number]
            sources[number] = replace(ref, location=here, tool_results_dir=beside)
    return replace(chunk, work=replace(chunk.work, sources=sources))


@collector_relaxed()
def _draw_chunk(job: ChunkJob, draw: Draw) -> Drawn:
    """Draw what was put aside."""
    chunk = _unpacked(draw.aside(job.name, "work").read_bytes())
    if isinstance(chunk, ChunkWork):
        drawn = _draw_turns(job, chunk, draw)
    else:
        drawn = _compare(job, chunk, draw)
    give_back()
    return drawn


def _compare(job: ChunkJob, part: Comparisons, draw: Draw) -> Drawn:
    drawn: list[StagedFile] = []
    context = draw.turns.context if draw.turns.is_kept else ""
    sink = PageSink(partial(draw.take, drawn), context=context)
    part.put(draw.settings, sink)
    counts, files = PageCounts(pages=sink.pages), sort_files(drawn, sink.owners)
    return Drawn(job.number, counts, files, sink.made, tuple(drawn))


def _draw_turns(job: ChunkJob, chunk: ChunkWork, draw: Draw) -> Drawn:
    """Draw turns, and put aside what pages need of them."""
    from everyleaf.pages.addresses import blob_url  # noqa: PLC0415
    from everyleaf.pages.drawing import draw_chunk  # noqa: PLC0415
    from everyleaf.pages.sourcing import open_drawer  # noqa: PLC0415

    book = FragmentBook(chunk.work, draw.turns.context) if draw.turns.is_kept else None
    drawer = open_drawer(chunk.work, draw.settings, sketched=chunk.sketched, book=book)
    drawn, shown = draw_chunk(
        drawer, chunk.work.tree.turns, lambda one: draw.put(blob_url(one.name), one.body)
    )
    draw.put_aside(job.name, "known", msgspec.msgpack.encode(drawn))
    draw.put_aside(job.name, "texts", shown)
    return Drawn(job.number, PageCounts(drawer.drawn, drawer.records))


def sum_up(archive: Archive) -> GroupSums:
    """Return what reports say of a group that was solved."""
    forest, paths = archive.forest, archive.description.paths.values()
    names = {archive.projects[session.project] for session in forest.sessions}
    trees = (*forest.trees, *(agent.tree for agent in forest.agents))
    return GroupSums(
        sessions=len(forest.sessions),
        projects=tuple(sorted(names)),
        paths=len(paths),
        active=sum(path.status is Status.ACTIVE for path in paths),
        contained=len(forest.container),
        records=sum(sum(tree.is_conversation) for tree in trees),
        unplaced=forest.unplaced,
        issues=forest.issues,
    )


class ChunkWork(Struct, frozen=True):
    """Turns to draw."""

    work: FamilyWork
    """Only what drawing these turns takes of their family."""
    sketched: frozenset[TurnKey]
    """Those that are compared."""


def iter_chunks(work: FamilyWork, *, has_html: bool) -> Iterator[ChunkWork]:
    """Yield the turns of a family in chunks, in the order of its files.

    Each comes with what drawing it takes, and nothing else of its family. So a turn's
    parent stands before it, in its chunk or an earlier one, but for odd files.
    """
    sketched = compared_turns(work, opponents(work.paths() if has_html else {}))
    for keys in _cut(work):
        yield ChunkWork(work.cut(keys), frozenset(key for key in keys if key in sketched))


def _cut(work: FamilyWork) -> Iterator[list[TurnKey]]:
    """Yield the turns of a family, in the order of its files, some at a time."""
    turns = work.tree.turns
    chunk: list[TurnKey] = []
    room = CHUNK_BYTES
    for key in sorted(turns, key=lambda key: (_place(turns[key]), key)):
        if room <= 0:
            yield chunk
            chunk, room = [], CHUNK_BYTES
        chunk.append(key)
        room -= _size_bytes(turns[key])
    if chunk:
        yield chunk


def _size_bytes(turn: Turn) -> int:
    return sum(placed.envelope.size_bytes for placed in turn.records)


def _place(turn: Turn) -> tuple[int, int]:
    return (turn.source, turn.records[0].envelope.line if turn.records else 0)


class _Split(Struct):
    """A long group that is drawn in several jobs."""

    pages: GroupJob | None
    """To be handed out when all chunks are drawn; None: that is done."""
    left: int
    """How many chunks, or comparisons, were handed out and are not drawn yet."""
    compared: int = 0
    """How many comparisons were handed out."""
    parts: list[Drawn] = []
    """Chunks and comparisons that are drawn."""
    drawn: DrawnGroup | None = None
    """All but comparisons."""


class Scheduler(Struct, eq=False):
    """Hands out the jobs of a site, and puts together what comes back of long groups.

    A group is one job. Whoever opens one that takes long answers with its turns in chunks:
    those are drawn by all workers, then pages by one, and comparisons meanwhile by others.
    """

    groups: Iterable[GroupJob]
    """Asked for one by one."""
    is_aside: Callable[[str], bool] = lambda _: False
    """Tells whether work was put aside under a name."""
    ahead: deque[Job] = field(default_factory=deque[Job])
    """What goes on with groups that were begun: to be handed out before new ones."""
    lost: list[str] = []
    """Names of the files of groups that could not be drawn."""
    is_turning: bool = False
    """The only long group goes on with its pages now, or was just done."""
    _begun: dict[int, GroupJob] = {}
    _split: dict[int, _Split] = {}
    """Both by the number of the group."""

    def __iter__(self) -> Iterator[Job]:
        """Yield the groups that were not begun."""
        for group in self.groups:
            self._begun[group.number] = group
            yield group

    def look(self) -> bool:
        """Hand out comparisons that were put aside; return whether there may be more."""
        begun = [one for one in self._split.items() if not (one[1].pages or one[1].drawn)]
        for number, split in begun:
            # With the next one begun, one is whole.
            while self.is_aside(COMPARED.format(number, split.compared + 1)):
                self._compare(number, split, split.compared + 1)
        return bool(begun)

    def take(self, done: Done) -> DrawnGroup | None:
        """Return the group that is done with this; None: there is more to do for it."""
        self.is_turning = False
        if done.number not in self._begun:
            return None  # Of a group that was lost meanwhile.
        match done:
            case LostGroup():
                group = self._begun.pop(done.number)
                self._split.pop(done.number, None)
                self.lost += [one.file.file for one in group.archive.files]
            case SplitGroup():
                group = replace(self._begun[done.number], chunks=done.chunks)
                self._split[done.number] = _Split(group, len(done.chunks))
                self.ahead.extend(ChunkJob(done.number, name) for name in done.chunks)
            case DrawnGroup():
                if whole := self._split.get(done.number):
                    whole.drawn = done
                    self._compare(done.number, whole, done.compared)
                return self._finish(done)
            case Drawn():
                split = self._split[done.number]
                split.parts.append(done)
                split.left -= 1
                if split.pages and not split.left:
                    self.ahead.append(split.pages)
                    split.pages, self.is_turning = None, len(self._split) == 1
                return self._finish(split.drawn)
            case _ as never:
                assert_never(never)
        return None

    def _compare(self, number: int, split: _Split, ready: int) -> None:
        """Hand out the first comparisons of a group, so many that are `ready`."""
        for place in range(split.compared, ready):
            self.ahead.append(ChunkJob(number, COMPARED.format(number, place)))
        split.left += ready - split.compared
        split.compared = ready

    def _finish(self, drawn: DrawnGroup | None) -> DrawnGroup | None:
        split = self._split.get(drawn.number) if drawn else None
        if drawn is None or (split and split.left):
            return None
        del self._begun[drawn.number]
        if split is None:
            return drawn
        del self._split[drawn.number]
        self.is_turning = not self._split
        return drawn.join(split.parts)
