"""Where paths part: what pages leave out, and what a comparison looks at."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from everyleaf.compare.split import Attempt, ForkSplit, conversation_ids, part_ways
from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import PathRef, PlacedRecord, Status, Turn, TurnKind
from everyleaf.model import Envelope, Kind
from everyleaf.pages import forks as prefixes
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.forks import COMPARED_BUDGET, REACH, ForkSplits, find_reach
from everyleaf.pages.work import TurnKey, TurnTree
from pages.links import dead_links
from pages.making import draw_family, families
from sessions import FORKED, prompt, reply, uuid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sessions import Record

WITHDRAWN = [*FORKED[:2], prompt("w1", "r1", "Oops"), *FORKED[4:]]
FILES = (
    "transcripts/transcript_s.html",
    "markdown/transcript_s_path1_abandoned.md",
)
"""The abandoned path in both formats."""


def pages_of(folder: Path, records: Sequence[Record], mode: SharedPrefix) -> dict[str, str]:
    (work,) = families(folder, {"s.jsonl": records})
    drawn = draw_family(work, SiteSettings("Archive", shared_prefix=mode))
    return {output.url: output.body.decode() for output in drawn.outputs}


def anchors(page: str) -> list[str]:
    return re.findall(r'id="(m-[^"]+)"', page)


@pytest.mark.parametrize("url", FILES)
@pytest.mark.parametrize("mode", [SharedPrefix.FULL, SharedPrefix.AUTO])
def test_full_page_repeats_what_the_path_shares(tmp_path: Path, mode, url):
    page = pages_of(tmp_path, FORKED, mode)[url]

    assert f"m-{uuid('p1')[:8]}" in anchors(page)
    assert "stand there" not in page


@pytest.mark.parametrize("url", FILES)
def test_linked_page_begins_behind_the_fork_and_says_where_the_rest_stands(
    tmp_path: Path, url
):
    whole = pages_of(tmp_path, FORKED, SharedPrefix.FULL)
    linked = pages_of(tmp_path, FORKED, SharedPrefix.LINK)

    own = [anchor for anchor in anchors(whole[url]) if anchor in anchors(linked[url])]
    left_out = set(anchors(whole[url])) - set(own)
    (other,) = [name for name in whole if "path2" in name and name.endswith(url[-3:])]
    assert anchors(linked[url]) == own
    assert own
    assert left_out
    assert left_out <= set(anchors(linked[other]))
    assert "Messages 1\N{EN DASH}2 are shared with" in linked[url]
    assert re.search(rf"{other.split('/')[1]}#m-{uuid('r1')[:8]}", linked[url])
    assert "share more than" not in linked[url]


def test_path_that_took_over_is_always_whole(tmp_path: Path):
    whole = pages_of(tmp_path, FORKED, SharedPrefix.FULL)
    linked = pages_of(tmp_path, FORKED, SharedPrefix.LINK)

    url = "transcripts/transcript_s_path2.html"
    assert linked[url] == whole[url]


@pytest.mark.parametrize("url", FILES)
def test_over_budget_pages_link_and_say_why(tmp_path: Path, monkeypatch, url):
    monkeypatch.setattr(prefixes, "SHARED_BUDGET", 1)

    page = pages_of(tmp_path, FORKED, SharedPrefix.AUTO)[url]

    assert f"m-{uuid('p1')[:8]}" not in anchors(page)
    assert "share more than" in page


@pytest.mark.parametrize("url", FILES)
def test_withdrawn_prompt_is_shown_alone_unless_everything_is_asked_for(
    tmp_path: Path, url
):
    alone = pages_of(tmp_path, WITHDRAWN, SharedPrefix.AUTO)[url]
    whole = pages_of(tmp_path, WITHDRAWN, SharedPrefix.FULL)[url]

    assert anchors(alone) == [f"m-{uuid('w1')[:8]}"]
    assert len(anchors(whole)) == 3
    assert "only it is shown here" not in whole


def gone_back(attempts: int) -> list[Record]:
    """A long attempt that was itself tried again and again, and then given up as a whole.

    Prompts and replies follow each other; every second prompt was typed twice, and one of
    the two withdrawn. Only a short path from the first reply on is ACTIVE.
    """
    records = [prompt("p0", None, "Write"), reply("r0", "p0", "What?")]
    above = "r0"
    for n in range(attempts):
        records += [
            prompt(f"a{n:05}", above, f"A {n}"),
            reply(f"b{n:05}", f"a{n:05}", "No."),
            prompt(f"c{n:05}", above, f"C {n}"),
            prompt(f"d{n:05}", above, f"D {n}"),
            reply(f"e{n:05}", f"d{n:05}", "Yes."),
        ]
        above = f"e{n:05}"
    return [*records, prompt("z0", "r0", "Anew"), reply("z1", "z0", "Done.")]


def test_what_abandoned_paths_share_with_each_other_is_shown_once(tmp_path, monkeypatch):
    monkeypatch.setattr(prefixes, "SHARED_BUDGET", 10)
    pages = pages_of(tmp_path, gone_back(4), SharedPrefix.AUTO)

    for name, folder in (("html", "transcripts/"), ("md", "markdown/transcript_")):
        shown = [a for url, p in pages.items() if folder in url for a in anchors(p)]
        # The beginning, the ACTIVE end, and each attempt: nothing stands twice.
        assert len(shown) == len(set(shown)) == 4 + 4 * 5, name


def test_no_link_leads_to_what_a_page_leaves_out(tmp_path, monkeypatch):
    monkeypatch.setattr(prefixes, "SHARED_BUDGET", 10)
    pages = pages_of(tmp_path / "in", gone_back(4), SharedPrefix.AUTO)
    for url, text in pages.items():
        file = tmp_path / "out" / url
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    dead = [link for link in dead_links(tmp_path / "out") if "#m-" in link]

    assert "Messages 1\N{EN DASH}" in pages["transcripts/transcript_s.html"]
    assert dead == []


def test_a_session_whose_attempts_share_little_repeats_it(tmp_path):
    whole = pages_of(tmp_path, gone_back(2), SharedPrefix.AUTO)

    assert f"m-{uuid('p0')[:8]}" in anchors(whole["transcripts/transcript_s.html"])


@pytest.mark.parametrize("attempts", [4, 16])
def test_the_site_of_a_session_with_many_attempts_grows_as_the_session(
    tmp_path, monkeypatch, attempts
):
    monkeypatch.setattr(prefixes, "SHARED_BUDGET", 10)
    pages = pages_of(tmp_path, gone_back(attempts), SharedPrefix.AUTO)

    shown = sum(len(anchors(p)) for url, p in pages.items() if "transcripts/" in url)

    assert shown == 4 + 5 * attempts


def test_of_a_fork_with_many_ways_a_page_lists_those_about_its_own_and_the_active_one(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(prefixes, "MOST_WAYS", 4)
    records = [prompt("p0", None, "Write"), reply("r0", "p0", "What?")]
    for n in range(10, 22):
        records += [prompt(f"a{n}", "r0", f"Way {n}."), reply(f"b{n}", f"a{n}", "Done.")]
    pages = pages_of(tmp_path, records, SharedPrefix.FULL)

    html = pages["transcripts/transcript_s_path6.html"]
    fork = html[html.index('id="fork-1"') : html.index("</section>", html.index('id="f'))]
    assert re.findall(r">Way (\d+)\.<", fork) == ["13", "14", "15", "16", "21"]
    assert '<a href="../sessions/session_s.html">7 more: all paths' in fork
    listed = pages["markdown/transcript_s_path6_abandoned.md"].split("forked here:**")[1]
    ways = re.findall(r"^- (?:Way )?(\d+)", listed, re.MULTILINE)
    assert ways == ["13", "14", "15", "16", "21", "7"]


def tree_of(parents: list[int]) -> tuple[TurnTree, dict[PathRef, TurnKey]]:
    """Turns of one to three messages, each below the earlier one named; -1: a root."""
    turns = {("s", n): turn_of(n, messages=n % 3 + 1) for n in range(len(parents))}
    above = {("s", n): ("s", p) if p >= 0 else None for n, p in enumerate(parents)}
    leaves = [n for n in range(len(parents)) if n not in parents]
    refs = {PathRef("s", number): ("s", n) for number, n in enumerate(leaves, 1)}
    return TurnTree(turns, above, {}, refs), refs


def turn_of(number: int, *, messages: int) -> Turn:
    records = tuple(
        PlacedRecord(
            Envelope(f"{number}-{at}", None, Kind.REPLY, 1, 0, 0),
            f"{number}-{at}",
            Kind.REPLY,
        )
        for at in range(messages)
    )
    return Turn(number, "s", 0, TurnKind.RESPONSE, records)


def against_all(refs: dict[PathRef, TurnKey]) -> dict[PathRef, tuple[PathRef, ...]]:
    return {ref: tuple(other for other in refs if other != ref) for ref in refs}


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    size = draw(st.integers(2, 40))
    return [-1] + [draw(st.integers(-1, n - 1)) for n in range(1, size)]


@given(trees())
def test_two_paths_of_a_tree_part_where_their_turns_do(parents):
    tree, refs = tree_of(parents)
    partings = ForkSplits(tree, against_all(refs), None)

    for left, right in combinations(refs, 2):
        whole = [[tree.turns[key] for key in tree.chain(refs[r])] for r in (left, right)]

        assert partings.split(left, right) == part_ways(*whole)


@given(trees(), st.integers(1, 6))
def test_a_reach_cuts_both_sides_and_says_how_much_is_beyond(parents, reach):
    tree, refs = tree_of(parents)
    partings = ForkSplits(tree, against_all(refs), reach)

    for left, right in combinations(refs, 2):
        whole = [[tree.turns[key] for key in tree.chain(refs[r])] for r in (left, right)]
        all_of_it, cut = part_ways(*whole), partings.split(left, right)

        assert cut.messages == all_of_it.messages
        check_side(cut.left, all_of_it.left, reach)
        check_side(cut.right, all_of_it.right, reach)


def check_side(cut: Attempt, whole: Attempt, reach: int) -> None:
    assert cut.own == whole.own[: len(cut.own)]
    assert cut.beyond == messages(whole.own) - messages(cut.own)
    assert messages(cut.own[:-1]) < reach
    assert not cut.beyond or messages(cut.own) >= reach


def messages(turns: tuple[Turn, ...]) -> int:
    return sum(len(conversation_ids(turn)) for turn in turns)


def test_a_side_keeps_the_first_turn_and_the_last_before_the_fork():
    # Its first turn names the folder that the path began in.
    trunk = list(range(-1, 29))
    tree, refs = tree_of([*trunk, 20, 29])

    parting = ForkSplits(tree, against_all(refs), 4).split(*refs)

    assert [turn.index for turn in parting.left.shared] == [0, 19, 20]


@pytest.mark.parametrize("forks", [20, 40, 80])
def test_what_is_asked_of_turns_grows_as_the_attempts_do(forks):
    class Counted(dict[TurnKey, Turn]):
        asked = 0

        def __getitem__(self, key: TurnKey) -> Turn:
            self.asked += 1
            return super().__getitem__(key)

    length = forks * 50
    attempts = range(0, length, 50)
    tree, refs = tree_of([*range(-1, length - 1), *attempts])
    turns = Counted(tree.turns)
    trunk = max(refs, key=lambda ref: len(tree.chain(refs[ref])))
    others = tuple(ref for ref in refs if ref != trunk)
    compared = {trunk: others, **dict.fromkeys(others, (trunk,))}
    partings = ForkSplits(replace(tree, turns=turns), compared, 20)

    for ref in compared[trunk]:
        partings.split(ref, trunk)

    # Held against all that follows, it would be forks times length / 2.
    assert turns.asked < 2 * length


def test_pages_look_at_all_until_that_is_much(tmp_path):
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    left, right = work.sessions[0].paths
    paths = {left.ref: left, right.ref: right}
    long = replace(right, messages=COMPARED_BUDGET + 10)
    withdrawn = replace(left, is_withdrawn=True)
    pair = [(left.ref, right.ref)]

    assert left.status is Status.ABANDONED
    assert find_reach(paths, pair) is None
    assert find_reach({**paths, right.ref: long}, pair) == REACH
    assert find_reach({left.ref: withdrawn, right.ref: long}, pair) is None


def test_paths_of_two_trees_part_as_their_records_say():
    tree, refs = tree_of([-1, 0, 1, -1, 3])
    partings = ForkSplits(tree, against_all(refs), None)

    assert partings.split(*refs) == ForkSplit(
        Attempt((), tuple(tree.turns["s", n] for n in (0, 1, 2))),
        Attempt((), tuple(tree.turns["s", n] for n in (3, 4))),
        0,
    )
