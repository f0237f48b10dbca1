from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.archive import ArchivePart
from everyleaf.outputs import StagedFile
from everyleaf.pages.pagesink import MadePage, Standing
from everyleaf.pages.work import PageCounts
from everyleaf.redact.redaction import Redaction
from everyleaf.renderjobs import (
    ChunkJob,
    Drawn,
    DrawnGroup,
    GroupJob,
    LostGroup,
    Scheduler,
    SplitGroup,
)
from everyleaf.state.groups import GroupFiles, GroupSums, KeptGroup

if TYPE_CHECKING:
    from collections.abc import Container


def group(number: int = 0) -> GroupJob:
    return GroupJob(ArchivePart((), {}, Redaction()), (), {}, {}, Standing(), number)


def done(number: int = 0, *, turns: int = 0) -> DrawnGroup:
    kept = KeptGroup(sums=GroupSums(sessions=1))
    counts = PageCounts(turns, turns, 1)
    files = (StagedFile("index.html", ""),)
    return DrawnGroup(number, counts, GroupFiles(), {}, files, kept=kept)


def split(number: int) -> SplitGroup:
    return SplitGroup(number, ("one", "two", "three"))


def test_a_group_that_does_not_split_is_done_with_one_job() -> None:
    scheduler = Scheduler([group(0), group(1)])

    assert list(scheduler) == [group(0), group(1)]
    assert scheduler.take(done(1)) == done(1)
    assert not scheduler.ahead


def test_pages_come_when_all_chunks_are_there() -> None:
    scheduler = Scheduler([group(0), group(7)])
    list(scheduler)

    assert scheduler.take(split(7)) is None
    chunks = [one for one in scheduler.ahead if isinstance(one, ChunkJob)]
    scheduler.ahead.clear()
    for _ in chunks[1:]:
        assert scheduler.take(Drawn(7, PageCounts(1, 2))) is None
        assert not scheduler.ahead
    scheduler.take(Drawn(7, PageCounts(1, 2)))

    names = tuple(chunk.name for chunk in chunks)
    assert names == ("one", "two", "three")
    assert list(scheduler.ahead) == [replace(group(7), chunks=names)]


def test_the_only_long_group_turns_to_its_pages_and_ends() -> None:
    scheduler = Scheduler([group(0), group(3), group(7)])
    list(scheduler)
    seen: list[bool] = []
    chunk = Drawn(0, PageCounts(1, 2))
    for one in (split(0), chunk, chunk, done(3), chunk, done(0), done(7)):
        scheduler.take(one)
        seen.append(scheduler.is_turning)

    assert seen == [False, False, False, False, True, True, False]


def test_one_of_two_long_groups_does_not_wait_for_the_other() -> None:
    scheduler = Scheduler([group(0), group(7)])
    list(scheduler)
    for number in (0, 7):
        scheduler.take(split(number))
    for number in (0, 0, 0, 7, 7, 7):
        scheduler.take(Drawn(number, PageCounts(1, 2)))
        assert not scheduler.is_turning
    scheduler.take(done(0))
    assert not scheduler.is_turning
    scheduler.take(done(7))

    assert scheduler.is_turning


def test_what_was_drawn_in_chunks_counts() -> None:
    scheduler = Scheduler([group()])
    list(scheduler)
    scheduler.take(split(0))
    for _ in range(3):
        scheduler.take(Drawn(0, PageCounts(1, 2)))

    drawn = scheduler.take(done(turns=1))

    assert drawn is not None
    assert (drawn.counts.turns, drawn.counts.records) == (4, 7)


def with_pages(aside: Container[str]) -> Scheduler:
    """Return a scheduler that has handed out the pages of a group that was split."""
    scheduler = Scheduler([group()], aside.__contains__)
    list(scheduler)
    scheduler.take(split(0))
    for _ in range(3):
        assert not scheduler.look()
        scheduler.take(Drawn(0, PageCounts(1, 2)))
    scheduler.ahead.clear()
    return scheduler


def test_comparisons_that_are_whole_are_drawn_while_pages_are() -> None:
    aside = {"0-compared-0"}
    scheduler = with_pages(aside)
    first, second, third = (ChunkJob(0, f"0-compared-{place}") for place in range(3))

    assert scheduler.look()
    assert not scheduler.ahead  # It may be written yet.
    aside.add("0-compared-1")
    assert scheduler.look()
    assert scheduler.look()
    assert list(scheduler.ahead) == [first]
    assert scheduler.take(Drawn(0, PageCounts(pages=1))) is None
    assert scheduler.take(replace(done(), compared=3)) is None
    assert list(scheduler.ahead) == [first, second, third]
    assert not scheduler.look()
    assert scheduler.take(Drawn(0, PageCounts(pages=1))) is None
    drawn = scheduler.take(Drawn(0, PageCounts(pages=1)))

    assert drawn is not None
    assert drawn.counts.pages == 4


def test_a_group_is_done_with_the_last_of_its_comparisons() -> None:
    scheduler = with_pages(())
    one, other = (StagedFile(f"compare_{name}.html", "") for name in "ab")
    files = GroupFiles({one.url: ""}, ((("s",), 1),))

    assert scheduler.take(replace(done(), compared=2)) is None
    assert [one.name for one in scheduler.ahead if isinstance(one, ChunkJob)] == [
        "0-compared-0",
        "0-compared-1",
    ]
    pages = PageCounts(pages=1)
    assert scheduler.take(Drawn(0, pages, drawn=(other,))) is None
    drawn = scheduler.take(Drawn(0, pages, files, {one.url: MadePage("x")}, (one,)))

    assert drawn is not None
    assert drawn.drawn == (StagedFile("index.html", ""), other, one)
    assert drawn.files.owners == (((), 2), (("s",), 1))
    assert drawn.pages == {one.url: MadePage("x")}
    assert (drawn.counts.turns, drawn.counts.pages) == (3, 3)


def test_a_group_that_was_lost_is_named_and_the_rest_of_it_ignored() -> None:
    scheduler = Scheduler([group(0), group(1)])
    list(scheduler)
    scheduler.take(split(0))

    assert scheduler.take(LostGroup(0)) is None
    assert scheduler.take(Drawn(0, PageCounts(1, 2))) is None
    assert scheduler.take(LostGroup(0)) is None
    assert scheduler.take(done(1)) == done(1)
    assert scheduler.lost == []  # It has no files.
