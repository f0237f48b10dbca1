from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from everyleaf.agenda import Agenda
from everyleaf.familytasks import (
    ChunkDone,
    ChunkTask,
    FamilyDone,
    FamilyTask,
    PagesTask,
    decode_work,
    encode_work,
)
from everyleaf.outputs import StagedFile
from everyleaf.pages.shelf import Standing
from everyleaf.pages.work import PageCounts, Part
from everyleaf.state.families import KeptFamily
from pages.making import FORKED, families

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FamilyTask:
    """A family of six turns that is long, each turn a chunk."""
    monkeypatch.setattr("everyleaf.pages.chunks.LONG_BYTES", 0)
    monkeypatch.setattr("everyleaf.pages.chunks.CHUNK_BYTES", 1)
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    return FamilyTask(work, Standing())


def done(number: int, *, turns: int = 0) -> FamilyDone:
    return FamilyDone(number, KeptFamily({}, {}, ()), (), PageCounts(turns, turns, 1))


def test_pages_come_when_all_chunks_are_there(task: FamilyTask) -> None:
    agenda = Agenda([task], has_html=True)
    chunks = [one for one in agenda if isinstance(one, ChunkTask)]

    for _ in chunks[1:]:
        assert agenda.take(ChunkDone(0, 1, 2)) is None
        assert not agenda.ahead
    agenda.take(ChunkDone(0, 1, 2))

    (pages,) = agenda.ahead
    assert isinstance(pages, PagesTask)
    assert pages.chunks == tuple(chunk.name for chunk in chunks)
    assert len(chunks) == len(task.work.tree.turns)


@pytest.mark.parametrize("is_huge", [True, False])
def test_who_draws_the_pages_of_a_huge_family_begins_anew(
    task: FamilyTask, monkeypatch: pytest.MonkeyPatch, *, is_huge: bool
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.HUGE_BYTES", 0 if is_huge else 10**9)
    told: list[tuple[int, int | None]] = []
    agenda = Agenda(
        [task], has_html=True, renew=lambda left: told.append((len(agenda.ahead), left))
    )

    for _ in list(agenda):
        agenda.take(ChunkDone(0, 1, 2))

    assert told == ([(1, 1)] if is_huge else [])


def test_how_much_is_left_is_unknown_while_something_was_not_begun(
    task: FamilyTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.HUGE_BYTES", 0)
    told: list[int | None] = []
    agenda = Agenda([task, task], has_html=True, renew=told.append)

    for one in [*agenda][::-1]:
        assert isinstance(one, ChunkTask)
        agenda.take(ChunkDone(one.number, 1, 2))

    assert told == [None, 2]


@pytest.mark.parametrize("block_turns", [1, 4, 100])
def test_a_family_comes_as_it_was_sent(
    block_turns: int, task: FamilyTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.familytasks.BLOCK_TURNS", block_turns)

    work = decode_work(encode_work(task.work))

    assert work == task.work
    assert list(work.tree.turns) == list(task.work.tree.turns)


def test_what_was_drawn_in_chunks_counts_once(task: FamilyTask) -> None:
    agenda = Agenda([task], has_html=True)
    for _ in agenda:
        agenda.take(ChunkDone(0, 1, 2))

    family = agenda.take(done(0, turns=1))

    assert family is not None
    count = len(task.work.tree.turns)
    assert (family.counts.turns, family.counts.records) == (count + 1, 2 * count + 1)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_parts_of_a_family_are_one_in_the_end(
    order: tuple[int, int], task: FamilyTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.pages.chunks.MANY_PAIRS", 0)
    agenda = Agenda([task], has_html=True)
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


def test_chunks_of_one_family_do_not_hold_up_others(task: FamilyTask) -> None:
    short = FamilyTask(task.work, Standing(), is_known=True)
    agenda = Agenda([task, short], has_html=True)

    *chunks, last = agenda

    assert all(isinstance(chunk, ChunkTask) for chunk in chunks)
    assert isinstance(last, FamilyTask)
    assert agenda.take(done(last.number)) == done(1)
