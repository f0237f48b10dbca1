"""Two sequences paired up: in order, equal, and as many pairs as there can be."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyleaf.transcript import diffs
from everyleaf.transcript.diffs import pair_up
from hanging import ends_soon

ITEMS = st.lists(st.sampled_from("abc"), max_size=14)


def most_pairs(left: list[str], right: list[str]) -> int:
    """Count by the definition."""

    @cache
    def most(at: int, to: int) -> int:
        if at == len(left) or to == len(right):
            return 0
        if left[at] == right[to]:
            return 1 + most(at + 1, to + 1)
        return max(most(at + 1, to), most(at, to + 1))

    return most(0, 0)


@pytest.fixture(params=[diffs._HELD_CELLS, 1, 20])
def held_cells(request, monkeypatch) -> None:
    monkeypatch.setattr(diffs, "_HELD_CELLS", request.param)


@pytest.mark.usefixtures("held_cells")
class TestWhateverIsHeldAtOnce:
    @given(ITEMS, ITEMS)
    def test_pairs_are_equal_and_rise_on_both_sides(self, left, right):
        pairs, is_cut = pair_up(left, right)

        assert not is_cut
        assert all(left[at] == right[to] for at, to in pairs)
        for one, other in pairwise(pairs):
            assert one[0] < other[0]
            assert one[1] < other[1]

    @given(ITEMS, ITEMS)
    def test_there_are_as_many_pairs_as_there_can_be(self, left, right):
        assert len(pair_up(left, right).pairs) == most_pairs(left, right)


def test_an_item_that_is_in_a_hundred_places_is_found_in_each():
    left = ["x", *"ab" * 100, "y"]
    right = ["z", *"a" * 100, "w"]

    assert len(pair_up(left, right).pairs) == 100


def test_a_repeated_block_is_put_in_after_the_one_that_was_there():
    pairs, _ = pair_up(["a", "}", "b", "}", "-"], ["a", "}", "x", "}", "b", "}", "+"])

    assert pairs == [(0, 0), (1, 1), (2, 4), (3, 5)]


def test_of_what_is_too_much_to_compare_the_two_ends_are_paired(monkeypatch):
    monkeypatch.setattr(diffs, "MOST_CELLS", 3)

    pairs, is_cut = pair_up([*"a12b"], [*"a21b"])

    assert is_cut
    assert pairs == [(0, 0), (3, 3)]


def test_sixty_thousand_lines_with_a_change_at_either_end_are_compared():
    lines = [f"line {number}" for number in range(60_000)]

    with ends_soon():
        pairs, is_cut = pair_up(["old", *lines, "old"], ["new", *lines, "more", "end"])

    assert not is_cut
    assert len(pairs) == 60_000
