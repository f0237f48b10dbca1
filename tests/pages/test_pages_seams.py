"""Seams, rewritten records and runs of agents on finished pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from everyleaf.graph.forest import PathRef
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.sourcing import open_drawer, open_group
from everyleaf.pages.work import first_message, first_paths, own_turns
from pages.making import draw_family, families
from sessions import FORKED, prompt, reply, uuid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.work import FamilyWork
    from sessions import Record

SITE = SiteSettings("Archive")


def render(folder: Path, files: Mapping[str, Sequence[Record]]) -> dict[str, str]:
    drawn = [draw_family(work, SITE) for work in families(folder, files)]
    return {output.url: output.body.decode() for one in drawn for output in one.outputs}


def test_a_place_that_was_inferred_is_shown(tmp_path: Path) -> None:
    records = [
        *FORKED[:2],
        prompt("p9", "missing", "And then?"),
        reply("r9", "p9", "Then."),
    ]

    pages = render(tmp_path, {"s.jsonl": records})

    for url in ("transcripts/transcript_s.html", "markdown/transcript_s.md"):
        before, _, after = pages[url].rpartition("its place is inferred")
        assert "Which kind?" in before
        assert "And then?" in after


def test_a_conversation_that_went_on_in_another_file_is_whole_with_a_seam(
    tmp_path: Path,
) -> None:
    rest = [prompt("p9", "r1", "Go on"), reply("r9", "p9", "On it.")]

    pages = render(tmp_path, {"a.jsonl": FORKED[:2], "b.jsonl": rest})

    markdown = pages["markdown/transcript_b.md"]
    order = ["Which kind?", "carried on from another session file", "Go on"]
    assert sorted(order, key=markdown.index) == order
    assert "carried on from another session file" in pages["transcripts/transcript_b.html"]


def test_a_record_written_again_differently_is_folded_under_the_first(
    tmp_path: Path,
) -> None:
    records = [*FORKED[:2], reply("r1", "p1", "Something else", isMeta=False)]

    pages = render(tmp_path, {"s.jsonl": records})

    for url in ("transcripts/transcript_s.html", "markdown/transcript_s.md"):
        before, _, after = pages[url].partition("Written again, differently")
        assert "Which kind?" in before
        assert "Something else" in after
        assert pages[url].count(f'id="m-{uuid("r1")[:8]}"') == 1


def test_a_further_run_of_an_agent_shows_only_what_is_its_own(tmp_path: Path) -> None:
    fields = {"isSidechain": True, "agentId": "a1"}
    side = [
        prompt("q1", None, "Look around", **fields),
        reply("t1", "q1", "First answer", **fields),
        prompt("q2", "t1", "And there", **fields),
        reply("t2", "q2", "Second answer", **fields),
        prompt("q3", "t1", "Rather here", **fields),
        reply("t3", "q3", "Third answer", **fields),
    ]

    pages = render(tmp_path, {"s.jsonl": FORKED[:2], "s/subagents/agent-a1.jsonl": side})

    for url in ("agents/agent_s_a1.html", "markdown/agent_s_a1.md"):
        for text in ("First answer", "Second answer", "Third answer"):
            said = f"<p>{text}" if url.endswith("html") else text  # Headings tell it too.
            assert pages[url].count(said) == 1
    assert "# RUN 2" in pages["markdown/agent_s_a1.md"]


@pytest.fixture
def family(tmp_path: Path) -> tuple[FamilyWork, TurnDrawer]:
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    return work, open_drawer(work, SITE)


def test_a_walk_has_the_numbers_forks_and_next_turns_of_a_path(
    family: tuple[FamilyWork, TurnDrawer],
) -> None:
    work, drawer = family
    path = work.sessions[0].paths[0]

    stops = drawer.walk(work.tree.leaves[path.ref])

    assert [stop.prompts_before for stop in stops] == [0, 1, 1, 2]
    assert [len(stop.branches) for stop in stops] == [0, 2, 0, 0]
    assert [stop.followed for stop in stops] == [*(stop.key for stop in stops[1:]), None]
    assert [first_message(stop.turn) for stop in stops] == list(
        map(uuid, ("p1", "r1", "p2", "r2"))
    )
    assert own_turns(work.tree, path) == (
        stops[1].key,
        [stop.key for stop in stops[2:]],
    )


def test_a_fork_point_that_is_not_on_the_path_shares_nothing(
    family: tuple[FamilyWork, TurnDrawer],
) -> None:
    work, _ = family
    first = work.sessions[0].paths[0]

    for fork_point in ("elsewhere", None):
        path = replace(first, fork_point=fork_point)

        assert own_turns(work.tree, path) == (None, [])


def test_each_turn_belongs_to_the_lowest_path_that_it_is_on(
    family: tuple[FamilyWork, TurnDrawer],
) -> None:
    work, _ = family

    numbers = first_paths(work.tree, work.sessions[0].paths)

    found = [(first_message(turn), numbers[key]) for key, turn in work.tree.turns.items()]
    assert sorted(found) == [
        *((uuid(name), 1) for name in ("p1", "p2")),
        (uuid("p3"), 2),
        *((uuid(name), 1) for name in ("r1", "r2")),
        (uuid("r3"), 2),
    ]


def test_a_path_that_has_no_page_has_no_address(
    family: tuple[FamilyWork, TurnDrawer],
) -> None:
    work, _ = family
    known = open_group(work, SITE)
    stranger = PathRef("elsewhere", 1)

    assert known.html_url(stranger) == ""
    assert known.markdown_url(stranger) == ""
    assert known.html_url(PathRef("s", 2)) == "transcripts/transcript_s_path2.html"
