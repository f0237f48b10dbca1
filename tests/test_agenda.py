from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from everyleaf.agenda import Agenda
from everyleaf.archive import ArchivePart
from everyleaf.grouptasks import (
    ChunkDone,
    ChunkTask,
    FamilyTask,
    GroupDone,
    GroupTask,
    PagesTask,
    decode_work,
    encode_work,
)
from everyleaf.outputs import StagedFile
from everyleaf.pages.shelf import Standing
from everyleaf.pages.work import PageCounts, Part
from everyleaf.redact.redaction import Redaction
from everyleaf.state.groups import GroupSums, KeptGroup
from pages.making import FORKED, families

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.pages.work import FamilyWork


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FamilyWork:
    """A family of six turns that is long, each turn a chunk, alone in a long group."""
    monkeypatch.setattr("everyleaf.pages.chunks.LONG_BYTES", -1)
    monkeypatch.setattr("everyleaf.pages.chunks.CHUNK_BYTES", 1)
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    monkeypatch.setattr(GroupTask, "solve", lambda _: ([work], GroupSums(sessions=1)))
    return work


def group(number: int = 0) -> GroupTask:
    return GroupTask(ArchivePart((), {}, Redaction()), (), {}, {}, Standing(), number)


def done(family: int | None, *, group: int = 0, turns: int = 0) -> GroupDone:
    counts = PageCounts(turns, turns, 1)
    return GroupDone(group, KeptGroup(), {}, (), counts, family=family)


def test_pages_come_when_all_chunks_are_there(work: FamilyWork) -> None:
    agenda = Agenda([group()], has_html=True)
    chunks = [one for one in agenda if isinstance(one, ChunkTask)]

    for _ in chunks[1:]:
        assert agenda.take(ChunkDone(0, 1, 2)) is None
        assert not agenda.ahead
    agenda.take(ChunkDone(0, 1, 2))

    (pages,) = agenda.ahead
    assert isinstance(pages, PagesTask)
    assert pages.chunks == tuple(chunk.name for chunk in chunks)
    assert len(chunks) == len(work.tree.turns)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("is_huge", [True, False])
def test_who_draws_the_pages_of_a_huge_family_begins_anew(
    monkeypatch: pytest.MonkeyPatch, *, is_huge: bool
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.HUGE_BYTES", 0 if is_huge else 10**9)
    told: list[tuple[int, int | None]] = []
    agenda = Agenda(
        [group()], has_html=True, renew=lambda left: told.append((len(agenda.ahead), left))
    )

    for _ in list(agenda):
        agenda.take(ChunkDone(0, 1, 2))

    assert told == ([(1, 1)] if is_huge else [])


@pytest.mark.usefixtures("work")
def test_how_much_is_left_is_unknown_while_something_was_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.HUGE_BYTES", 0)
    told: list[int | None] = []
    agenda = Agenda([group(0), group(1)], has_html=True, renew=told.append)

    for one in [*agenda][::-1]:
        assert isinstance(one, ChunkTask)
        agenda.take(ChunkDone(one.family, 1, 2))

    assert told == [None, 2]


@pytest.mark.parametrize("block_turns", [1, 4, 100])
def test_a_family_comes_as_it_was_sent(
    block_turns: int, work: FamilyWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.grouptasks.BLOCK_TURNS", block_turns)

    come = decode_work(encode_work(work))

    assert come == work
    assert list(come.tree.turns) == list(work.tree.turns)


def test_what_was_drawn_in_chunks_counts_once(work: FamilyWork) -> None:
    agenda = Agenda([group()], has_html=True)
    for _ in agenda:
        agenda.take(ChunkDone(0, 1, 2))

    family = agenda.take(done(0, turns=1))

    assert family is not None
    assert family.kept.sums.sessions == 1
    count = len(work.tree.turns)
    assert (family.counts.turns, family.counts.records) == (count + 1, 2 * count + 1)


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_parts_of_a_family_are_one_in_the_end(
    order: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.MANY_PAIRS", 0)
    agenda = Agenda([group()], has_html=True)
    for _ in agenda:
        agenda.take(ChunkDone(0, 1, 2))
    parts = [one for one in agenda.ahead if isinstance(one, PagesTask)]

    drawn = [
        replace(done(0), part=part.part, drawn=(StagedFile(part.part, ""),))
        for part in parts
    ]
    assert agenda.take(drawn[order[0]]) is None
    family = agenda.take(drawn[order[1]])

    assert family is not None
    assert [one.url for one in family.drawn] == [Part.COMPARISONS, Part.PATHS]
    assert family.counts.pages == 2


@pytest.mark.usefixtures("work")
def test_a_family_of_which_most_is_known_is_drawn_in_one_go() -> None:
    standing = Standing({"a.html": "digest"})
    agenda = Agenda(
        [replace(group(), standing=standing)], has_html=True, knows=lambda _: True
    )

    (task,) = agenda

    assert isinstance(task, FamilyTask)
    drawn = agenda.take(done(task.number))
    assert drawn is not None
    assert drawn.kept.sums.sessions == 1


@pytest.mark.usefixtures("work")
def test_a_group_that_is_not_long_is_drawn_in_one_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.LONG_BYTES", 0)
    agenda = Agenda([group()], has_html=True)

    assert list(agenda) == [group()]
    assert agenda.take(done(None)) == done(None)
