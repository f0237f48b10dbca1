"""What paths add up to: as if each were followed alone, at the cost of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.sourcing import open_drawer
from everyleaf.pages.sums import PathSums, find_called
from everyleaf.pages.walk import index_leaves, walk
from everyleaf.transcript.pathfacts import merge_facts
from pages.making import FORKED, families, prompt, reply
from pages.test_pages_called import FILES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.sums import CalledAgents
    from everyleaf.pages.work import FamilyWork
    from pages.making import Record


def with_forks(forks: int) -> list[Record]:
    """Return a chain of prompts and replies, every prompt of which was typed twice."""
    records: list[Record] = []
    above = None
    for number in range(forks):
        records += [
            prompt(f"a{number:05}", above, f"Go {number}"),
            prompt(f"b{number:05}", above, f"Go on {number}"),
            reply(f"c{number:05}", f"b{number:05}", "Went."),
        ]
        above = f"c{number:05}"
    return records


def opened(
    folder: Path, files: Mapping[str, Sequence[Record]]
) -> tuple[FamilyWork, TurnDrawer, CalledAgents, PathSums]:
    (work,) = families(folder, files)
    drawer = open_drawer(work, SiteSettings("Archive"))
    called = find_called(work, drawer)
    return work, drawer, called, PathSums(drawer, called, index_leaves(work))


@pytest.mark.parametrize("files", [{"s.jsonl": FORKED}, {"s.jsonl": with_forks(5)}, FILES])
def test_a_path_adds_up_to_what_its_turns_do(tmp_path, files):
    work, drawer, called, sums = opened(tmp_path, files)

    for item in work.sessions[0].paths:
        stops = walk(work.tree, item.leaf, drawer)
        found = sums.of(item.path.ref)

        assert found.totals == merge_facts(stop.drawn.facts for stop in stops)
        assert found.with_agents == called.include(stops)
        for stop in stops:
            assert sums.prompts_before(stop.key) == stop.prompts_before


@pytest.mark.parametrize("forks", [10, 40])
def test_each_turn_is_added_once_however_many_paths_it_is_on(tmp_path, forks):
    work, _, _, sums = opened(tmp_path, {"s.jsonl": with_forks(forks)})

    for item in work.sessions[0].paths:
        sums.of(item.path.ref)

    assert len(work.sessions[0].paths) == forks + 1
    assert sums.steps == len(work.tree.turns) == 3 * forks
