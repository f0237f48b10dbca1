"""Runs in their places: a lane a path, a row a run, nothing crosses."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from everyleaf.graph.forest import Status
from everyleaf.pages.facts import RunFacts
from everyleaf.pages.treeview import Placed, only_paths, place_runs


def run(number: int, parent: int, path: int, **changes: object) -> RunFacts:
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
    return [run(n, parent, path_of[n]) for n, parent in enumerate(parents, 1)]


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
    forked = [run(1, 0, 3), run(2, 1, 1), run(3, 1, 2), run(4, 1, 3)]

    assert places(forked) == [(1, 0, 0), (2, 1, 1), (3, 2, 2), (4, 3, 0)]


def test_the_lane_of_the_active_path_is_straight_wherever_it_was_written() -> None:
    forked = [run(1, 0, 1), run(2, 1, 1), run(3, 1, 2), run(4, 2, 3), run(5, 2, 1)]

    assert places(forked) == [(1, 0, 0), (3, 1, 1), (2, 2, 0), (4, 3, 2), (5, 4, 0)]


def test_further_conversations_stand_below_the_first() -> None:
    assert places([run(1, 0, 1), run(2, 0, 2)]) == [(1, 0, 0), (2, 1, 1)]


def test_no_runs_have_no_places() -> None:
    assert place_runs([]) == ()


@given(trees())
def test_every_run_has_a_row_and_every_path_a_lane(runs: list[RunFacts]) -> None:
    placed = place_runs(runs)

    assert sorted(one.run.number for one in placed) == [one.number for one in runs]
    assert [one.row for one in placed] == list(range(len(runs)))
    lanes = {(one.run.path, one.lane) for one in placed}
    assert len(lanes) == len({path for path, _ in lanes}) == len({n for _, n in lanes})
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
    first = run(1, 0, 1, messages=2, prompts=1, agents=1, words="first")
    second = run(2, 1, 1, messages=3, prompts=2, compactions=1, words="second")

    (joined,) = only_paths([first, run(3, 1, 2), second], [1])

    assert joined == run(
        1, 0, 1, messages=5, prompts=3, agents=1, compactions=1, words="first"
    )


def test_what_comes_from_another_session_is_not_joined() -> None:
    carried = [run(1, 0, 1, origin="other"), run(2, 1, 1)]

    assert only_paths(carried, [1]) == tuple(carried)
