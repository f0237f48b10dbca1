"""The jobs that draw a site, as any worker does them: session groups, chunks of long ones.

A group is solved and drawn by one job. One with much to draw is split: its turns are drawn
in chunks, by several jobs, and its pages are put together by one or two that find them.
"""

from __future__ import annotations

import pickle
import zlib
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import solve_part
from everyleaf.collector import collector_relaxed, give_back
from everyleaf.graph.forest import Status
from everyleaf.opening.reading import site_context
from everyleaf.outputs import Blob, Output, StagedFile
from everyleaf.pages import chunks
from everyleaf.pages.facts import for_lists
from everyleaf.pages.families import iter_families
from everyleaf.pages.work import PageCounts, Part
from everyleaf.sources.far import far_place
from everyleaf.state.groups import GroupSums, KeptGroup, add_sums

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.archive import Archive, ArchivePart
    from everyleaf.issues import Issue
    from everyleaf.pages.chunks import ChunkWork
    from everyleaf.pages.fragments import ChunkFiles
    from everyleaf.pages.pagesink import MadePage, Standing
    from everyleaf.pages.work import FamilyWork
    from everyleaf.sitework import Draw


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
    part: Part = Part.WHOLE
    """Which of its pages."""

    def solve(self) -> tuple[list[FamilyWork], GroupSums]:
        """Return the families of the group, largest first, and what reports say of it."""
        archive = solve_part(self.archive)
        issues: dict[str, list[Issue]] = {}
        for issue in sorted({*self.issues, *archive.issues}):
            issues.setdefault(issue.session, []).append(issue)
        around = site_context(
            archive,
            {name: tuple(found) for name, found in issues.items()},
            contents=self.contents,
            spills=self.spills,
        )
        families = list(iter_families(archive.forest, archive.description, around))
        return families, sum_up(archive)


class ChunkJob(Struct, frozen=True):
    """Turns of a long group to be drawn ahead of its pages."""

    number: int
    """Of the group."""
    name: str
    """Of the chunk: its `ChunkWork` was put aside under it, and what is drawn will be."""


class SplitGroup(Struct, frozen=True):
    """A group that takes so long that its turns are to be drawn by several jobs."""

    number: int
    chunks: tuple[str, ...]
    """Names under which the turns were put aside."""
    parts: tuple[Part, ...]
    """In which its pages are to be drawn afterwards."""


class DrawnGroup(Struct, frozen=True):
    """What was drawn of a group: all of it, or a part of its pages."""

    number: int
    kept: KeptGroup
    pages: Mapping[str, MadePage]
    """What each page was made of, by url."""
    drawn: tuple[StagedFile, ...]
    counts: PageCounts
    part: Part = Part.WHOLE

    def joined(self, other: DrawnGroup) -> DrawnGroup:
        """Return both as one, with the number of this one."""
        one, two = self.kept, other.kept
        owners = {
            url: tuple(sorted({*one.owners.get(url, ()), *two.owners.get(url, ())}))
            for url in sorted(one.owners.keys() | two.owners.keys())
        }
        drawn = {each.url: each for each in (*self.drawn, *other.drawn)}
        return DrawnGroup(
            self.number,
            KeptGroup(
                one.files | two.files,
                owners,
                one.facts + two.facts,
                add_sums([one.sums, two.sums]),
            ),
            {**self.pages, **other.pages},
            tuple(drawn.values()),
            self.counts + other.counts,
        )


class DrawnChunk(Struct, frozen=True):
    """A chunk that was drawn."""

    number: int
    """Of the group."""
    counts: PageCounts


class LostGroup(Struct, frozen=True):
    """A group that cannot be drawn: workers were lost with a job of it, again and again."""

    number: int


Job = GroupJob | ChunkJob
Done = DrawnGroup | SplitGroup | DrawnChunk | LostGroup

SECOND_BYTES = 2_000_000
"""As many bytes of records are drawn in about a second."""


def size_of(job: Job) -> int:
    """Return about how many bytes of records a job draws."""
    return job.archive.size_bytes if isinstance(job, GroupJob) else chunks.CHUNK_BYTES


def new_bytes(job: Job) -> int:
    """Return the same of a job that begins a group; what goes on with one adds nothing."""
    is_begun = not isinstance(job, GroupJob) or job.chunks
    return 0 if is_begun else size_of(job)


def run_job(job: Job, draw: Draw) -> Done:
    """Do a piece of the work for a site."""
    return _draw_group(job, draw) if isinstance(job, GroupJob) else _draw_chunk(job, draw)


def _draw_group(job: GroupJob, draw: Draw) -> DrawnGroup | SplitGroup:
    from everyleaf.pages.fragments import ChunkFiles  # noqa: PLC0415  (as below)

    families, sums = job.solve()
    if not job.chunks:
        split = _split(job, families, draw)
        if split is not None:
            return split
    is_first = job.part is not Part.COMPARISONS
    kept = KeptGroup(sums=sums if is_first else GroupSums())
    done = DrawnGroup(job.number, kept, {}, (), PageCounts(), job.part)
    if job.chunks:
        give_back()  # What solving took: all that is known of the turns comes beside it.
    files = ((draw.aside(n, "known"), draw.aside(n, "texts")) for n in job.chunks)
    with ChunkFiles(files) as ahead:
        for work in families:
            done = done.joined(_draw_pages(job, work, draw, ahead))
    return done


def _split(job: GroupJob, families: Sequence[FamilyWork], draw: Draw) -> SplitGroup | None:
    """Return the turns of a group, if much is to be drawn of it."""
    if job.archive.size_bytes <= chunks.LONG_BYTES:
        return None
    has_html = draw.settings.has_html
    fresh = [
        work for work in families if not (job.standing.files and draw.turns.knows(work))
    ]
    if not fresh or sum(map(chunks.size_of, fresh)) <= chunks.LONG_BYTES:
        return None
    works = chain.from_iterable(chunks.iter_chunks(one, has_html=has_html) for one in fresh)
    names: list[str] = []
    for place, work in enumerate(works):
        names.append(f"{job.number}-{place}")
        draw.put_aside(names[-1], "work", _packed(work))
    return SplitGroup(
        job.number, tuple(names), chunks.parts_of(families, has_html=has_html)
    )


def _packed(chunk: ChunkWork) -> bytes:
    """Return a chunk as bytes for a worker that may have none of its files."""
    far = {
        number: (far_place(Path(ref.location)), far_place(Path(ref.tool_results_dir)))
        for number, ref in chunk.work.sources.items()
    }
    return zlib.compress(pickle.dumps((chunk, far)), 1)


def _unpacked(body: bytes) -> ChunkWork:
    """Return the chunk, its files fetched to where this worker has them."""
    # From another worker of this build, in a stage that nobody else may write to.
    chunk: ChunkWork
    chunk, far = pickle.loads(zlib.decompress(body))  # noqa: S301
    sources = dict(chunk.work.sources)
    for number, (file, folder) in far.items():
        if file and folder:
            here, beside = str(file.fetch()), str(folder.fetch())
            ref = sources[number]
            sources[number] = replace(ref, location=here, tool_results_dir=beside)
    return replace(chunk, work=replace(chunk.work, sources=sources))


@collector_relaxed()
def _draw_chunk(job: ChunkJob, draw: Draw) -> DrawnChunk:
    """Draw turns, and put aside what pages need of them."""
    # Not imported above: what hands out work does not draw.
    from everyleaf.pages.addresses import blob_url  # noqa: PLC0415
    from everyleaf.pages.drawing import draw_chunk  # noqa: PLC0415
    from everyleaf.pages.sourcing import open_drawer  # noqa: PLC0415

    def put(blob: Blob) -> StagedFile:
        return draw.put(Output(blob_url(blob.name), blob.body))

    chunk = _unpacked(draw.aside(job.name, "work").read_bytes())
    drawer = open_drawer(
        chunk.work,
        draw.settings,
        sketched=chunk.sketched,
        book=draw.turns.begin(chunk.work),
    )
    drawn, shown = draw_chunk(drawer, chunk.work.tree.turns, put)
    draw.put_aside(job.name, "known", drawn.encode())
    draw.put_aside(job.name, "texts", shown)
    return DrawnChunk(job.number, PageCounts(drawer.drawn, drawer.records))


def _draw_pages(
    job: GroupJob, work: FamilyWork, draw: Draw, ahead: ChunkFiles
) -> DrawnGroup:
    """Draw what does not stand of a family of sessions, one page in memory at a time."""
    from everyleaf.pages.family import render_family  # noqa: PLC0415  (as above)
    from everyleaf.pages.lists import put_session  # noqa: PLC0415  (as above)
    from everyleaf.pages.pagesink import PageSink  # noqa: PLC0415  (as above)

    settings, turns = draw.settings, draw.turns
    drawn: list[StagedFile] = []

    def take(one: Output | StagedFile) -> None:
        drawn.append(one if isinstance(one, StagedFile) else draw.put(one))

    book = turns.open(work)
    standing = turns.open_standing(work, draw.writer.find)
    context = turns.context if book else ""
    sink = PageSink(take, context=context, standing=job.standing, turns=standing)
    pages = render_family(work, settings, sink, book, ahead=ahead, part=job.part)
    if settings.has_html:
        for facts in pages.facts:
            put_session(facts, settings, sink)
    is_first = job.part is not Part.COMPARISONS
    if book is not None and is_first:
        turns.keep(work, book)
        turns.keep_standing(standing, sink.owners)
    return DrawnGroup(
        number=job.number,
        kept=KeptGroup(
            files={one.url: one.digest for one in drawn},
            owners={
                url: tuple(sorted(names)) for url, names in sorted(sink.owners.items())
            },
            facts=tuple((one.session, for_lists(one)) for one in pages.facts),
        ),
        pages=sink.made,
        drawn=tuple(drawn),
        counts=replace(pages.counts, pages=sink.pages, families=int(is_first)),
        part=job.part,
    )


def sum_up(archive: Archive) -> GroupSums:
    """Return what reports say of a group that was solved."""
    forest, paths = archive.forest, archive.description.paths.values()
    names = {archive.projects[session.project] for session in forest.sessions}
    return GroupSums(
        sessions=len(forest.sessions),
        projects=tuple(sorted(names)),
        paths=len(paths),
        active=sum(path.status is Status.ACTIVE for path in paths),
        contained=len(forest.containment.container),
        records=forest.record_count,
        unplaced=forest.unplaced,
        issues=forest.issues,
    )
