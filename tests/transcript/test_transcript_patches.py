from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from everyleaf.transcript.document import Diff, DiffLine
from everyleaf.transcript.tools.patches import recorded_diff, text_diff
from hanging import ends_soon

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue

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

    diff = recorded_diff("x.py", {"structuredPatch": patch})

    assert diff is not None
    (hunk,) = diff.hunks
    assert (hunk.old_start, hunk.new_start, diff.added, diff.removed) == (7, 9, 1, 1)
    assert hunk.lines[0] == DiffLine(" ", "a")
    assert hunk.lines[3:] == (DiffLine(" ", "\\ No newline"), DiffLine(" ", "plain"))


def test_no_recorded_hunks_is_no_diff():
    assert recorded_diff("x.py", {"structuredPatch": []}) is None
    assert recorded_diff("x.py", "Error: no") is None
