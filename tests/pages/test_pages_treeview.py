"""Runs in their places, where nothing crosses, and the picture of a tree."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, strategies as st

from everyleaf.graph.forest import Diverged, PathRef, Status
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import RunFacts
from everyleaf.pages.sessionpage import session_view
from everyleaf.pages.treeview import (
    AGENT_SQUARES,
    MAX_LANES,
    Placed,
    only_paths,
    place_runs,
    tree_view,
)
from everyleaf.theming.load import load_theme
from hanging import ends_soon
from pages.making import path_facts, session_facts

if TYPE_CHECKING:
    from everyleaf.pages.facts import PathFacts, SessionFacts
    from everyleaf.pages.treeview import TreeItem, TreeView

SITE = SiteSettings("Archive")


def plain_run(number: int, parent: int, path: int, **changes: object) -> RunFacts:
    values: dict[str, object] = {
        "number": number,
        "parent": parent,
        "path": path,
        "status": Status.ACTIVE,
        "words": "",
        "anchor": "",
        "messages": 1,
        "prompts": 1,
    }
    return RunFacts(**{**values, **changes})  # type: ignore[arg-type]


@st.composite
def trees(draw: st.DrawFn) -> list[RunFacts]:
    """Draw a forest whose every run has its best (lowest ranked) path, as real ones do."""
    parents = [0, *(draw(st.integers(0, number)) for number in range(1, 25))]
    leaves = [n for n in range(1, len(parents) + 1) if n not in parents]
    ranked = draw(st.permutations(leaves))
    path_of: dict[int, int] = {}
    for path, leaf in enumerate(ranked, 1):
        at = leaf
        while at and at not in path_of:
            path_of[at] = path
            at = parents[at - 1]
    return [plain_run(n, parent, path_of[n]) for n, parent in enumerate(parents, 1)]


def lines(placed: tuple[Placed, ...]) -> list[tuple[int, int, int, int]]:
    """Return the lines as (lane, from row, to row, lane that it comes from)."""
    return [
        (one.lane, placed[one.above].row, one.row, placed[one.above].lane)
        for one in placed
        if one.above is not None
    ]


def places(runs: list[RunFacts]) -> list[tuple[int, int, int]]:
    return [(one.run.number, one.row, one.lane) for one in place_runs(runs)]


def test_what_was_left_stands_before_what_went_on() -> None:
    forked = [
        plain_run(1, 0, 3),
        plain_run(2, 1, 1),
        plain_run(3, 1, 2),
        plain_run(4, 1, 3),
    ]

    assert places(forked) == [(1, 0, 0), (2, 1, 1), (3, 2, 1), (4, 3, 0)]


def test_the_lane_of_the_active_path_is_straight_wherever_it_was_written() -> None:
    forked = [
        plain_run(1, 0, 1),
        plain_run(2, 1, 1),
        plain_run(3, 1, 2),
        plain_run(4, 2, 3),
        plain_run(5, 2, 1),
    ]

    assert places(forked) == [(1, 0, 0), (3, 1, 1), (2, 2, 0), (4, 3, 1), (5, 4, 0)]


def test_further_conversations_stand_below_the_first() -> None:
    assert places([plain_run(1, 0, 1), plain_run(2, 0, 2)]) == [(1, 0, 0), (2, 1, 0)]


def test_no_runs_have_no_places() -> None:
    assert place_runs([]) == ()


@given(trees())
def test_every_run_has_a_row_and_a_path_keeps_its_lane(runs: list[RunFacts]) -> None:
    placed = place_runs(runs)

    assert sorted(one.run.number for one in placed) == [one.number for one in runs]
    assert [one.row for one in placed] == list(range(len(runs)))
    lanes = {(one.run.path, one.lane) for one in placed}
    assert len(lanes) == len({path for path, _ in lanes})
    assert all(one.above is None or one.above < one.row for one in placed)


@given(trees())
def test_each_lane_ends_in_the_leaf_of_its_path(runs: list[RunFacts]) -> None:
    parents = {one.parent for one in runs}

    last = [one for one in place_runs(runs) if one.is_last]

    assert sorted(one.run.path for one in last) == sorted({one.path for one in runs})
    assert all(one.run.number not in parents for one in last)


@given(trees())
def test_no_two_lines_overlap_or_cross(runs: list[RunFacts]) -> None:
    placed = place_runs(runs)
    straight = sorted(
        (lane, a, b) for lane, a, b, origin in lines(placed) if lane == origin
    )

    for (lane, _, end), (other, begin, _) in pairwise(straight):
        assert lane != other or end <= begin
    for lane, _, row, origin in lines(placed):
        if lane != origin:
            assert origin < lane
            between = [
                one
                for one in straight
                if origin < one[0] <= lane and one[1] < row <= one[2]
            ]
            assert between == []


@given(trees(), st.integers(1, 6))
def test_a_part_of_the_paths_keeps_their_messages(runs: list[RunFacts], count: int) -> None:
    def lengths(some: tuple[RunFacts, ...] | list[RunFacts]) -> dict[int, int]:
        placed = place_runs(some)
        total: dict[int, int] = {}
        for one in placed:
            before = total[placed[one.above].run.number] if one.above is not None else 0
            total[one.run.number] = before + one.run.messages
        return {one.run.path: total[one.run.number] for one in placed if one.is_last}

    some = only_paths(runs, range(1, count + 1))

    whole = lengths(runs)
    assert lengths(some) == {p: n for p, n in whole.items() if p <= count}
    children = [one.parent for one in some if one.parent]
    assert all(children.count(parent) > 1 for parent in children)


def test_runs_are_joined_where_no_fork_is_left() -> None:
    first = plain_run(1, 0, 1, messages=2, prompts=1, agents=1, words="first")
    second = plain_run(2, 1, 1, messages=3, prompts=2, compactions=1, words="second")

    (joined,) = only_paths([first, plain_run(3, 1, 2), second], [1])

    assert joined == plain_run(
        1, 0, 1, messages=5, prompts=3, agents=1, compactions=1, words="first"
    )


def test_what_comes_from_another_session_is_not_joined() -> None:
    carried = [plain_run(1, 0, 1, origin="other"), plain_run(2, 1, 1)]

    assert only_paths(carried, [1]) == tuple(carried)


def run(number: int, parent: int, path: int, **changes: object) -> RunFacts:
    values: dict[str, object] = {
        "number": number,
        "parent": parent,
        "path": path,
        "status": Status.ACTIVE if path == 2 else Status.ABANDONED,
        "words": f"words {number}",
        "anchor": f"m-{number}",
        "messages": 2,
        "prompts": 1,
    }
    return RunFacts(**{**values, **changes})  # type: ignore[arg-type]


def left(number: int, **changes: object) -> PathFacts:
    return path_facts(number, status=Status.ABANDONED, **changes)


def forked(**changes: object) -> SessionFacts:
    """Path 1 was left for path 2 after a run of two messages."""
    values: dict[str, object] = {
        "paths": (left(1), path_facts(2)),
        "runs": (run(1, 0, 2), run(2, 1, 1), run(3, 1, 2)),
    }
    return session_facts("s", **{**values, **changes})


def view_of(session: SessionFacts) -> TreeView:
    view = tree_view(session)
    assert view is not None
    return view


def told(items: tuple[TreeItem, ...]) -> list[object]:
    return [(it.node.words, [told(lane) for lane in it.left]) for it in items]


def test_a_single_path_has_no_picture() -> None:
    assert tree_view(session_facts(runs=(run(1, 0, 1),))) is None


def test_facts_without_runs_have_no_picture() -> None:
    assert tree_view(forked(runs=())) is None


def test_pieces_lead_to_their_first_messages() -> None:
    view = view_of(forked(runs=(run(1, 0, 2, anchor=""), run(2, 1, 1), run(3, 1, 2))))

    assert [node.url for node in view.nodes] == [
        "../transcripts/transcript_s_2.html",
        "../transcripts/transcript_s_1.html#m-2",
        "../transcripts/transcript_s_2.html#m-3",
    ]


def test_the_active_line_is_straight_and_branches_leave_it() -> None:
    view = view_of(forked())

    active, abandoned = view.strokes
    assert (active.kind, abandoned.kind) == ("ACTIVE", "ABANDONED")
    assert re.fullmatch(r"M14 \d+V\d+", active.d)
    assert "Q14 " in abandoned.d
    assert [mark.kind for mark in view.marks] == ["fork"]


def test_everything_stands_inside_the_picture() -> None:
    view = view_of(forked())

    assert all(0 < node.x < node.label_x < view.width for node in view.nodes)
    assert all(0 < node.y < view.height for node in view.nodes)
    assert len({node.y for node in view.nodes}) == len(view.nodes)


def test_compactions_agents_and_copies_are_marked_and_told() -> None:
    copied = path_facts(2, diverged=(Diverged(PathRef("t", 1), 2),))
    runs = (run(1, 0, 2, agents=9, compactions=1), run(2, 1, 1), run(3, 1, 2, prompts=2))

    view = view_of(forked(paths=(left(1, is_withdrawn=True), copied), runs=runs))

    kinds = [mark.kind for mark in view.marks]
    assert kinds == ["compaction", "elsewhere", *["agent"] * AGENT_SQUARES, "fork"]
    assert [node.meta for node in view.nodes] == [
        "9 agents · 2 messages · 1 compaction · 1 copy went on elsewhere",
        "2 messages",
        "2 messages · 2 prompts",
    ]
    assert [node.place for node in view.nodes if node.is_withdrawn] == ["Path 1, WITHDRAWN"]
    assert all(word in view.key for word in ("fork", "compaction", "agent", "copy"))


def test_the_key_explains_only_what_is_there() -> None:
    assert "compaction" not in view_of(forked()).key


def test_a_copy_that_shares_more_is_marked_further_down() -> None:
    copied = path_facts(2, diverged=(Diverged(PathRef("t", 1), 3),))

    view = view_of(forked(paths=(left(1), copied)))

    assert "copy" not in view.nodes[0].meta
    assert "1 copy went on elsewhere" in view.nodes[2].meta


def test_what_was_carried_on_says_from_where() -> None:
    runs = (run(1, 0, 2, origin="elsewhere"), run(2, 1, 1), run(3, 1, 2))

    assert "from session elsewhere" in view_of(forked(runs=runs)).nodes[0].meta


def test_the_list_says_the_same_and_nests_what_left() -> None:
    runs = (run(1, 0, 2), run(2, 1, 1), run(4, 2, 1), run(5, 2, 3), run(3, 1, 2))
    paths = (left(1), path_facts(2), left(3))

    view = view_of(forked(paths=paths, runs=runs))

    inner: list[object] = [("words 2", [[("words 5", [])]]), ("words 4", [])]
    assert told(view.items) == [("words 1", [inner]), ("words 3", [])]
    assert view.items[0].node.place == "Path 2, ACTIVE"


def many(count: int) -> SessionFacts:
    """Return a session whose last path took over from all others, fork after fork."""
    paths = (*(left(n) for n in range(1, count)), path_facts(count))
    runs = [run(1, 0, count)]
    for number in range(1, count):
        above = runs[-1].number
        runs.append(run(2 * number, above, number))
        runs.append(run(2 * number + 1, above, count))
    return session_facts(paths=paths, runs=tuple(runs), of=count)


def test_a_session_of_hundreds_of_forks_shows_some_and_counts_the_rest() -> None:
    with ends_soon():
        view = view_of(many(800))
        page = "".join(
            load_theme("default").pieces("session.html.j2", session_view(many(800)))
        )

    assert view.hidden == 800 - MAX_LANES
    assert len(view.nodes) == 2 * (MAX_LANES - 1) + 1
    assert "780 more paths" in page


def test_words_from_outside_become_no_markup() -> None:
    runs = (run(1, 0, 2, words="<b>\x00</title>"), run(2, 1, 1, words=""), run(3, 1, 2))

    page = "".join(
        load_theme("default").pieces("session.html.j2", session_view(forked(runs=runs)))
    )

    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "(no words)" in page
    assert not re.search(r"<svg[^>]* style=|</title></title>", page)


def test_a_copy_elsewhere_is_linked_from_its_path() -> None:
    copied = path_facts(2, diverged=(Diverged(PathRef("t", 1), 3),))

    view = session_view(forked(paths=(left(1), copied)))

    (other,) = view.paths[0].diverged
    assert other.text == "Shares its first 3 messages with session t"
    assert other.url == "../transcripts/transcript_t.html"
