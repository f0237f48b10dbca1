"""Drawing session groups: the pieces of work that are handed out for it.

A group is one piece. Of a long one each family, the sessions that share records, is a piece
of its own; of a long family, its turns are drawn in chunks before, each a piece.
"""

from __future__ import annotations

import pickle
import zlib
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, assert_never

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import solve_part
from everyleaf.graph.forest import Status
from everyleaf.opening.families import surroundings
from everyleaf.outputs import Blob, Output, StagedFile
from everyleaf.pages.families import iter_families
from everyleaf.pages.work import PageCounts, Part
from everyleaf.state.groups import GroupSums, KeptGroup, add_sums
from everyleaf.workers import collector_paused, collector_relaxed, give_back

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from everyleaf.archive import Archive, ArchivePart
    from everyleaf.graph.forest import Turn
    from everyleaf.issues import Issue
    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.ahead import DrawnAhead
    from everyleaf.pages.chunks import ChunkWork
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.shelf import MadePage, Shelf, Standing
    from everyleaf.pages.work import FamilyWork, TurnKey
    from everyleaf.sitework import Draw


BLOCK_TURNS = 2_000
"""Turns of a family that are encoded together."""


class GroupTask(Struct, frozen=True):
    """A session group to be solved and drawn."""

    part: ArchivePart
    issues: tuple[Issue, ...]
    """What was odd about its files."""
    contents: Mapping[int, str]
    """Source → digest of its bytes; empty where it is not known."""
    spills: Mapping[int, str]
    """Source → digest of the outputs that lie beside it, likewise."""
    standing: Standing
    """What there is of its pages."""
    number: int = 0

    def solve(self) -> tuple[list[FamilyWork], GroupSums]:
        """Return the families of the group, largest first, and what reports say of it."""
        archive = solve_part(self.part)
        issues: dict[str, list[Issue]] = {}
        for issue in sorted({*self.issues, *archive.issues}):
            issues.setdefault(issue.session, []).append(issue)
        around = surroundings(
            archive,
            {name: tuple(found) for name, found in issues.items()},
            contents=self.contents,
            spills=self.spills,
        )
        families = list(iter_families(archive.forest, archive.description, around))
        return families, sum_up(archive)


class FamilyTask(Struct, frozen=True):
    """A family of a long group to be drawn."""

    work: FamilyWork
    standing: Standing
    """What there is of its group."""
    group: int
    number: int | None = None
    """None: it is drawn with all of its group."""


class ChunkTask(Struct, frozen=True):
    """Turns of a family to be drawn ahead of its pages."""

    work: ChunkWork
    family: int
    """Number of the family."""
    name: str
    """Of the chunk: what is drawn is put aside under it."""


class PagesTask(Struct, frozen=True):
    """Pages of a family whose turns are drawn."""

    work: tuple[bytes, ...]
    """The family, encoded: that takes seconds, and is done once for all parts."""
    standing: Standing
    group: int
    number: int
    chunks: tuple[str, ...]
    """Names of the chunks that hold its turns."""
    part: Part
    """Which of its pages."""


Task = GroupTask | FamilyTask | ChunkTask | PagesTask


def encode_work(work: FamilyWork) -> tuple[bytes, ...]:
    """Return a family as bytes for `PagesTask`: few, as they are held while it is drawn.

    What is shared is written once, which takes a list of all that was written: so turns
    are encoded some at a time, and hold no more than their own.
    """
    tree = work.tree
    rest = replace(work, tree=replace(tree, turns={}, parents={}))
    with collector_paused():
        turns = ((key, turn, tree.parents[key]) for key, turn in tree.turns.items())
        blocks = iter(lambda: list(islice(turns, BLOCK_TURNS)), [])
        return tuple(zlib.compress(pickle.dumps(part), 1) for part in chain([rest], blocks))


def decode_work(encoded: Iterable[bytes]) -> FamilyWork:
    """Return the family that `encode_work` was given."""
    parts = iter(encoded)
    work: FamilyWork = _load(next(parts))
    turns: dict[TurnKey, Turn] = {}
    parents: dict[TurnKey, TurnKey | None] = {}
    for part in parts:
        block: list[tuple[TurnKey, Turn, TurnKey | None]] = _load(part)
        for key, turn, above in block:
            turns[key], parents[key] = turn, above
    return replace(work, tree=replace(work.tree, turns=turns, parents=parents))


def _load(part: bytes) -> Any:  # noqa: ANN401  (what it is, its place says)
    # From who hands out the work, as every task is.
    return pickle.loads(zlib.decompress(part))  # noqa: S301


class GroupDone(Struct, frozen=True):
    """What was drawn of a group: all of it, a family, or a part of its pages."""

    number: int
    kept: KeptGroup
    pages: Mapping[str, MadePage]
    """What each page was made of, by url."""
    drawn: tuple[StagedFile, ...]
    counts: PageCounts
    families: int = 1
    family: int | None = None
    """Of a long group, the number of the family; None: all of the group."""
    part: Part = Part.WHOLE

    def joined(self, other: GroupDone) -> GroupDone:
        """Return both as one, with the number of this one."""
        one, two = self.kept, other.kept
        owners = {
            url: tuple(sorted({*one.owners.get(url, ()), *two.owners.get(url, ())}))
            for url in sorted(one.owners.keys() | two.owners.keys())
        }
        drawn = {each.url: each for each in (*self.drawn, *other.drawn)}
        return GroupDone(
            self.number,
            KeptGroup(
                one.files | two.files,
                owners,
                one.facts + two.facts,
                add_sums([one.sums, two.sums]),
            ),
            {**self.pages, **other.pages},
            tuple(drawn.values()),
            PageCounts(
                self.counts.turns + other.counts.turns,
                self.counts.records + other.counts.records,
                self.counts.pages + other.counts.pages,
            ),
            self.families + other.families,
            self.family,
        )


class ChunkDone(Struct, frozen=True):
    """A chunk that was drawn."""

    family: int
    turns: int
    """Times that a turn was drawn."""
    records: int
    """Records in those turns."""


def draw_task(task: Task, draw: Draw) -> GroupDone | ChunkDone:
    """Draw a group, a family, or a chunk of one."""
    match task:
        case GroupTask():
            return _draw_group(task, draw)
        case FamilyTask():
            return _draw_pages(task, task.work, draw)
        case ChunkTask():
            return _draw_chunk(task, draw)
        case PagesTask():
            return _draw_part(task, draw)
        case _ as never:
            assert_never(never)


def _draw_group(task: GroupTask, draw: Draw) -> GroupDone:
    families, sums = task.solve()
    done = GroupDone(task.number, KeptGroup(sums=sums), {}, (), PageCounts(0, 0, 0), 0)
    for work in families:
        family = FamilyTask(work, task.standing, task.number)
        done = done.joined(_draw_pages(family, work, draw))
    return done


@collector_relaxed()
def _draw_chunk(task: ChunkTask, draw: Draw) -> ChunkDone:
    """Draw turns, and put aside what pages need of them."""
    # Not imported above: what hands out work does not draw.
    from everyleaf.pages.addresses import blob_url  # noqa: PLC0415
    from everyleaf.pages.drawing import draw_chunk  # noqa: PLC0415
    from everyleaf.pages.sourcing import open_drawer  # noqa: PLC0415

    def put(blob: Blob) -> StagedFile:
        return draw.put(Output(blob_url(blob.name), blob.body))

    chunk = task.work
    drawer = open_drawer(
        chunk.work,
        draw.settings,
        sketched=chunk.sketched,
        book=draw.notes.begin(chunk.work),
    )
    drawn, shown = draw_chunk(drawer, chunk.work.tree.turns, put)
    notes_name, bodies_name = _aside(task.name)
    draw.put_aside(notes_name, drawn.encode())
    draw.put_aside(bodies_name, shown)
    return ChunkDone(task.family, drawer.drawn, drawer.records)


def _aside(chunk: str) -> tuple[str, str]:
    return (f"{chunk}-notes", f"{chunk}-bodies")


def _draw_part(task: PagesTask, draw: Draw) -> GroupDone:
    from everyleaf.pages.ahead import DrawnAhead  # noqa: PLC0415  (as above)

    files = (
        (draw.spool.aside(notes), draw.spool.aside(bodies))
        for notes, bodies in map(_aside, task.chunks)
    )
    with collector_paused():
        work = decode_work(task.work)
        ahead = DrawnAhead(files)
    give_back()
    with ahead:
        return _draw_pages(task, work, draw, ahead, task.part)


def _draw_pages(
    task: FamilyTask | PagesTask,
    work: FamilyWork,
    draw: Draw,
    ahead: DrawnAhead | None = None,
    part: Part = Part.WHOLE,
) -> GroupDone:
    """Draw what does not stand of a family of sessions, one page in memory at a time."""
    from everyleaf.pages.family import render_family  # noqa: PLC0415  (as above)
    from everyleaf.pages.shelf import Shelf  # noqa: PLC0415  (as above)

    settings, notes = draw.settings, draw.notes
    drawn: list[StagedFile] = []

    def take(one: Output | StagedFile) -> None:
        drawn.append(one if isinstance(one, StagedFile) else draw.put(one))

    book = notes.open(work)
    cuts = draw.cuts.open(work, draw.spool.find)
    context = notes.context if book else ""
    shelf = Shelf(take, context=context, standing=task.standing, cuts=cuts)
    pages = render_family(work, settings, shelf, book, ahead=ahead, part=part)
    if settings.has_html:
        for facts in pages.facts:
            _put_session(facts, settings, shelf)
    if book is not None and part is not Part.COMPARISONS:
        notes.keep(work, book)
        draw.cuts.keep(cuts, shelf.owners)
    kept = KeptGroup(
        files={one.url: one.digest for one in drawn},
        owners={url: tuple(sorted(owners)) for url, owners in sorted(shelf.owners.items())},
        facts=pages.facts,
    )
    counts = replace(pages.counts, pages=shelf.pages)
    families = int(part is not Part.COMPARISONS)
    return GroupDone(
        number=task.group,
        kept=kept,
        pages=shelf.made,
        drawn=tuple(drawn),
        counts=counts,
        families=families,
        family=task.number,
        part=part,
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


def _put_session(facts: SessionFacts, settings: SiteSettings, shelf: Shelf) -> None:
    from everyleaf.pages.lists import render_session  # noqa: PLC0415  (as above)
    from everyleaf.pages.shelf import Drawing  # noqa: PLC0415  (as above)

    def draw() -> Drawing:
        return Drawing(render_session(facts, settings).body)

    shelf.put_page(facts.url, facts, draw, (facts.session,))
