"""Drawing families of sessions: the pieces of work that are handed out for it.

A family is one piece; of a long one, its turns are drawn in chunks before, each a piece.
"""

from __future__ import annotations

import pickle
import zlib
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, assert_never

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.outputs import Blob, Output, StagedFile
from everyleaf.pages.work import PageCounts, Part
from everyleaf.state.families import KeptFamily
from everyleaf.workers import collector_paused, collector_relaxed, give_back

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.graph.forest import Turn
    from everyleaf.pages.ahead import DrawnAhead
    from everyleaf.pages.chunks import ChunkWork
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.settings import SiteSettings
    from everyleaf.pages.shelf import Shelf, Standing
    from everyleaf.pages.work import FamilyWork, TurnKey
    from everyleaf.sitework import Draw


BLOCK_TURNS = 2_000
"""Turns of a family that are encoded together."""


class FamilyTask(Struct, frozen=True):
    """A family to be drawn."""

    work: FamilyWork
    standing: Standing
    """What there is of it."""
    is_known: bool = False
    """Notes of its turns are there, and some of its files stand."""
    number: int = 0


class ChunkTask(Struct, frozen=True):
    """Turns of a family to be drawn ahead of its pages."""

    work: ChunkWork
    number: int
    """Of the family."""
    name: str
    """Of the chunk: what is drawn is put aside under it."""


class PagesTask(Struct, frozen=True):
    """Pages of a family whose turns are drawn."""

    work: tuple[bytes, ...]
    """The family, encoded: that takes seconds, and is done once for all parts."""
    standing: Standing
    number: int
    chunks: tuple[str, ...]
    """Names of the chunks that hold its turns."""
    part: Part
    """Which of its pages."""


Task = FamilyTask | ChunkTask | PagesTask


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


class FamilyDone(Struct, frozen=True):
    """A family that was drawn, or a part of its pages."""

    number: int
    kept: KeptFamily
    drawn: tuple[StagedFile, ...]
    counts: PageCounts
    part: Part = Part.WHOLE

    def joined(self, other: FamilyDone) -> FamilyDone:
        """Return both parts as one."""
        one, two = self.kept, other.kept
        owners = {
            url: tuple(sorted({*one.owners.get(url, ()), *two.owners.get(url, ())}))
            for url in sorted(one.owners.keys() | two.owners.keys())
        }
        drawn = {each.url: each for each in (*self.drawn, *other.drawn)}
        return FamilyDone(
            self.number,
            KeptFamily(
                one.files | two.files, owners, one.facts + two.facts, one.pages | two.pages
            ),
            tuple(drawn.values()),
            PageCounts(
                self.counts.turns + other.counts.turns,
                self.counts.records + other.counts.records,
                self.counts.pages + other.counts.pages,
            ),
        )


class ChunkDone(Struct, frozen=True):
    """A chunk that was drawn."""

    number: int
    turns: int
    """Times that a turn was drawn."""
    records: int
    """Records in those turns."""


def draw_task(task: Task, draw: Draw) -> FamilyDone | ChunkDone:
    """Draw a family or a chunk of one."""
    match task:
        case FamilyTask():
            return _draw_pages(task, task.work, draw)
        case ChunkTask():
            return _draw_chunk(task, draw)
        case PagesTask():
            return _draw_part(task, draw)
        case _ as never:
            assert_never(never)


@collector_relaxed()
def _draw_chunk(task: ChunkTask, draw: Draw) -> ChunkDone:
    """Draw turns, and put aside what pages need of them."""
    # Not imported above: what hands out work does not draw.
    from everyleaf.pages.addresses import blob_url  # noqa: PLC0415
    from everyleaf.pages.ahead import draw_chunk  # noqa: PLC0415
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
    return ChunkDone(task.number, drawer.drawn, drawer.records)


def _aside(chunk: str) -> tuple[str, str]:
    return (f"{chunk}-notes", f"{chunk}-bodies")


def _draw_part(task: PagesTask, draw: Draw) -> FamilyDone:
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
) -> FamilyDone:
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
    kept = KeptFamily(
        files={one.url: one.digest for one in drawn},
        owners={url: tuple(sorted(owners)) for url, owners in sorted(shelf.owners.items())},
        facts=pages.facts,
        pages=shelf.made,
    )
    counts = replace(pages.counts, pages=shelf.pages)
    return FamilyDone(task.number, kept, tuple(drawn), counts, part)


def _put_session(facts: SessionFacts, settings: SiteSettings, shelf: Shelf) -> None:
    from everyleaf.pages.lists import render_session  # noqa: PLC0415  (as above)
    from everyleaf.pages.shelf import Drawing  # noqa: PLC0415  (as above)

    def draw() -> Drawing:
        return Drawing(render_session(facts, settings).body)

    shelf.put_page(facts.url, facts, draw, (facts.session,))
