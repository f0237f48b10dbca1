from __future__ import annotations

import random
import subprocess
from typing import TYPE_CHECKING

from hypothesis import given, settings, strategies as st

from everyleaf.transcript import edits
from everyleaf.transcript.content import Json
from everyleaf.transcript.document import Diff, DiffLine
from everyleaf.transcript.edits import (
    change_words,
    joint_diff,
    recorded_diff,
    text_diff,
)
from hanging import ends_soon

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.records.schema import JsonValue
from functools import cache
from itertools import pairwise

import pytest

from everyleaf.transcript.edits import pair_up

TEXTS = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=12).map("\n".join)


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def patched(old: list[str], diff: Diff) -> list[str]:
    """Apply a diff as `patch` does, checking that its context fits."""
    new: list[str] = []
    at = 0
    for hunk in diff.hunks:
        new += old[at : hunk.old_start - 1]
        at = hunk.old_start - 1
        assert len(new) == hunk.new_start - 1
        for line in hunk.lines:
            if line.sign != "+":
                assert old[at] == line.text
                at += 1
            if line.sign != "-":
                new.append(line.text)
    return new + old[at:]


@given(TEXTS, TEXTS)
def test_diff_turns_the_old_text_into_the_new_one(old: str, new: str):
    diff = text_diff("x", old, new)

    assert patched(lines_of(old), diff) == lines_of(new)


@given(TEXTS, TEXTS)
def test_counts_are_those_of_the_lines_shown(old: str, new: str):
    diff = text_diff("x", old, new)

    signs = [line.sign for hunk in diff.hunks for line in hunk.lines]
    assert (diff.added, diff.removed) == (signs.count("+"), signs.count("-"))
    assert diff.added - diff.removed == len(lines_of(new)) - len(lines_of(old))


def edited(lines: list[str], edits: int, chance: random.Random) -> list[str]:
    """Return `lines` after as many edits at random places: in, out, changed, moved."""
    new = list(lines)
    for _ in range(edits):
        at = chance.randrange(len(new) + 1)
        block = [f"new {chance.randrange(30)}" for _ in range(chance.randrange(1, 6))]
        moved = new[at : at + chance.randrange(1, 9)]
        match chance.randrange(4):
            case 0:
                new[at:at] = block
            case 1:
                del new[at : at + len(block)]
            case 2:
                new[at : at + len(block)] = block
            case _:
                del new[at : at + len(moved)]
                to = chance.randrange(len(new) + 1)
                new[to:to] = moved
    return new


def git_counts(folder: Path, old: str, new: str, *options: str) -> tuple[int, int]:
    (folder / "old").write_text(old, encoding="utf-8")
    (folder / "new").write_text(new, encoding="utf-8")
    said = subprocess.run(
        ["git", "diff", "--no-index", "--numstat", *options, "old", "new"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    added, removed, _ = (said or "0\t0\t").split("\t")
    return int(added), int(removed)


def random_edits(size: int, words: int, edits: int, seed: int) -> tuple[str, str]:
    """Return a text of as many lines out of so many, and the same after edits."""
    chance = random.Random(seed)  # noqa: S311  (no secret)
    old = [f"line {chance.randrange(words)}" for _ in range(size)]
    new = edited(old, edits, chance)
    return "".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new)


SEEDS = st.integers(0, 2**32)


@settings(max_examples=50)
@given(st.integers(0, 1_500), st.integers(1, 60), SEEDS)
def test_counts_are_those_of_git(tmp_path_factory, size, edits, seed):
    old, new = random_edits(size, 100_000, edits, seed)

    diff = text_diff("x", old, new)

    folder = tmp_path_factory.mktemp("git")
    assert (diff.added, diff.removed) == git_counts(folder, old, new, "--minimal")
    assert patched(lines_of(old), diff) == lines_of(new)


@settings(max_examples=50)
@given(st.integers(0, 1_500), st.sampled_from([2, 9, 70]), st.integers(1, 60), SEEDS)
def test_of_lines_that_repeat_no_more_count_than_in_git(
    tmp_path_factory, size, words, edits, seed
):
    # Git sets lines aside that are in too many places, with `--minimal` too (2.39).
    old, new = random_edits(size, words, edits, seed)

    diff = text_diff("x", old, new)

    added, removed = git_counts(tmp_path_factory.mktemp("git"), old, new, "--minimal")
    assert diff.added - diff.removed == added - removed
    assert diff.added <= added
    assert patched(lines_of(old), diff) == lines_of(new)


def test_two_edits_far_apart_are_two_edits(tmp_path):
    # Issue 14: told as +581 -581, and as exact.
    old = [f"line {number}" for number in range(700)]
    new = [*old[:50], "one", *old[51:630], "two", *old[631:]]
    texts = ["".join(f"{line}\n" for line in some) for some in (old, new)]

    diff = text_diff("x", *texts)

    assert (diff.added, diff.removed, diff.is_cut) == (2, 2, False)
    assert (diff.added, diff.removed) == git_counts(tmp_path, *texts)


def test_counts_of_what_was_too_much_to_compare_are_no_more_than_a_bound(monkeypatch):
    monkeypatch.setattr(edits, "MOST_CELLS", 3)

    diff = joint_diff("x", [text_diff("x", "1\n2\n", "2\n1\n"), text_diff("x", "", "a")])

    assert diff.is_cut
    assert change_words(diff) == "at most +3 -2"


def test_far_changes_stand_in_hunks_of_their_own():
    old = [str(number) for number in range(40)]
    new = ["first", *old[1:39], "last"]

    diff = text_diff("x", "\n".join(old), "\n".join(new))

    assert [(hunk.old_start, len(hunk.lines)) for hunk in diff.hunks] == [(1, 5), (37, 5)]


def test_large_texts_without_anything_in_common_take_linear_time():
    old = "\n".join(f"a{number % 7}" for number in range(20_000))
    new = "\n".join(f"b{number % 7}" for number in range(20_000))

    with ends_soon():
        diff = text_diff("x", old, new)

    assert (diff.added, diff.removed) == (20_000, 20_000)


def test_recorded_hunks_are_taken_as_they_are():
    patch: JsonValue = [
        {
            "oldStart": 7,
            "newStart": 9,
            "lines": [" a", "-b", "+c", "\\ No newline", "plain"],
        }
    ]

    diff = recorded_diff("x.py", Json({"structuredPatch": patch}))

    assert diff is not None
    (hunk,) = diff.hunks
    assert (hunk.old_start, hunk.new_start, diff.added, diff.removed) == (7, 9, 1, 1)
    assert hunk.lines[0] == DiffLine(" ", "a")
    assert hunk.lines[3:] == (DiffLine(" ", "\\ No newline"), DiffLine(" ", "plain"))


def test_no_recorded_hunks_is_no_diff():
    assert recorded_diff("x.py", Json({"structuredPatch": []})) is None
    assert recorded_diff("x.py", Json("Error: no")) is None


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


@pytest.fixture(params=[edits._HELD_CELLS, 1, 20])
def held_cells(request, monkeypatch) -> None:
    monkeypatch.setattr(edits, "_HELD_CELLS", request.param)


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
    monkeypatch.setattr(edits, "MOST_CELLS", 3)

    pairs, is_cut = pair_up([*"a12b"], [*"a21b"])

    assert is_cut
    assert pairs == [(0, 0), (3, 3)]


def test_sixty_thousand_lines_with_a_change_at_either_end_are_compared():
    lines = [f"line {number}" for number in range(60_000)]

    with ends_soon():
        pairs, is_cut = pair_up(["old", *lines, "old"], ["new", *lines, "more", "end"])

    assert not is_cut
    assert len(pairs) == 60_000
