from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.renderjobs import iter_chunks
from pages.making import families
from sessions import FORKED, prompt, reply

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.pages.work import FamilyWork


@pytest.fixture
def work(tmp_path: Path) -> FamilyWork:
    side = {"isSidechain": True, "agentId": "a1"}
    agent = [prompt("q1", None, "Look", **side), reply("t1", "q1", "Found.", **side)]
    files = {"s.jsonl": FORKED, "s/subagents/agent-a1.jsonl": agent}
    (family,) = families(tmp_path, files)
    return family


def test_a_short_family_is_one_chunk(work: FamilyWork) -> None:
    (chunk,) = iter_chunks(work, has_html=True)

    assert sorted(chunk.work.tree.turns) == sorted(work.tree.turns)


@pytest.mark.parametrize("size", [1, 700, 100_000])
def test_every_turn_is_in_one_chunk_after_its_parent(
    size: int, work: FamilyWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.renderjobs.CHUNK_BYTES", size)

    chunks = list(iter_chunks(work, has_html=True))
    keys = [key for chunk in chunks for key in chunk.work.tree.turns]

    places = {key: at for at, key in enumerate(keys)}
    assert sorted(keys) == sorted(work.tree.turns)
    assert all(
        above is None or places[above] < places[key]
        for key, above in work.tree.parents.items()
    )


def test_a_chunk_has_only_what_its_turns_take(
    work: FamilyWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.renderjobs.CHUNK_BYTES", 1)

    for chunk in iter_chunks(work, has_html=True):
        ((key, turn),) = chunk.work.tree.turns.items()
        assert list(chunk.work.sources) == [turn.source]
        assert chunk.work.sessions[0].agents == work.sessions[0].agents
        assert not chunk.work.sessions[0].paths
        assert bool(chunk.sketched) == (key[0] == "s")


def test_turns_that_are_compared_are_sketched(work: FamilyWork) -> None:
    own = [key for key in work.tree.turns if key[0] == "s"]

    (html,) = iter_chunks(work, has_html=True)
    (markdown,) = iter_chunks(work, has_html=False)

    assert html.sketched == frozenset(own)
    assert not markdown.sketched
