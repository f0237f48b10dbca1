"""Contents of files, played forward: every step is what the records say, or unknown."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from everyleaf.compare.files import apply_hunks, apply_replacements, tell_story
from everyleaf.transcript.document import DiffLine, Hunk
from everyleaf.transcript.edits import FileTouch, Replacement, text_diff

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "\\ No"]), max_size=12)
FILE = "a.py"


def wrote(after: str, before: str | None = None, *, is_new: bool = False) -> FileTouch:
    return FileTouch(file=FILE, before=before, after=after, is_new=is_new)


def edited(
    old: str, new: str, *, before: str | None = None, hunks: tuple[Hunk, ...] = ()
) -> FileTouch:
    replacements = (Replacement(old, new),)
    return FileTouch(file=FILE, before=before, replacements=replacements, hunks=hunks)


def read(after: str) -> FileTouch:
    return FileTouch(file=FILE, after=after, is_change=False)


@given(LINES, LINES)
def test_a_patch_turns_the_old_text_into_the_new_one(old, new):
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))

    assert apply_hunks(before, text_diff(FILE, before, after).hunks) == after


def test_a_patch_whose_context_is_elsewhere_gives_nothing():
    hunk = Hunk(1, 1, (DiffLine(" ", "other"), DiffLine("+", "new")))

    assert apply_hunks("text\n", (hunk,)) is None


def test_hunks_that_overlap_give_nothing():
    hunks = (Hunk(2, 2, (DiffLine("-", "b"),)), Hunk(1, 1, (DiffLine("-", "a"),)))

    assert apply_hunks("a\nb\n", hunks) is None


def test_the_remark_about_the_last_line_break_is_no_line():
    remark = DiffLine(" ", "\\ No newline at end of file")
    hunk = Hunk(1, 1, (DiffLine("-", "a"), DiffLine("+", "b"), remark))

    assert apply_hunks("a", (hunk,)) == "b"


@pytest.mark.parametrize(
    ("before", "replacement", "after"),
    [
        ("a a", Replacement("a", "b"), "b a"),
        ("a a", Replacement("a", "b", is_everywhere=True), "b b"),
        ("a\nb\n", Replacement("a", ""), "b\n"),
        ("a b", Replacement("a ", ""), "b"),
        ("", Replacement("", "new"), "new"),
        (None, Replacement("", "new"), "new"),
        ("old", Replacement("", "new"), None),
        ("old", Replacement("other", "new"), None),
        (None, Replacement("old", "new"), None),
    ],
)
def test_a_replacement_does_what_the_edit_tool_does(before, replacement, after):
    assert apply_replacements(before, [replacement]) == after


def test_edits_in_a_row_build_on_each_other():
    story = tell_story([wrote("a\n", is_new=True), edited("a", "b"), edited("b", "c")])

    assert (story.start, story.end, story.is_new) == ("", "c\n", True)
    assert not story.has_foreign_changes


def test_an_edit_of_a_file_that_was_read_before_is_known_to_its_end():
    story = tell_story([read("a\n"), edited("a", "b")])

    assert (story.start, story.end) == ("a\n", "b\n")


def test_what_is_known_before_the_first_touch_counts():
    story = tell_story([edited("a", "b")], known="a\n")

    assert (story.start, story.end) == ("a\n", "b\n")


def test_an_edit_of_a_file_that_nobody_read_has_no_known_contents():
    story = tell_story([edited("a", "b")])

    assert (story.start, story.end) == (None, None)


def test_recorded_contents_count_for_more_than_played_ones():
    story = tell_story([wrote("a\n", ""), edited("a", "b", before="a!\n")])

    assert story.end == "b!\n"
    assert story.has_foreign_changes


def test_a_patch_is_used_where_the_texts_do_not_fit():
    hunks = (Hunk(1, 1, (DiffLine("-", "x"), DiffLine("+", "y"))),)
    touch = edited("lost", "b", before="x\n", hunks=hunks)

    assert tell_story([touch]).end == "y\n"


def test_a_change_by_somebody_else_makes_the_contents_unknown_until_they_are_recorded():
    foreign = FileTouch(file=FILE, is_change=False, is_foreign=True)

    lost = tell_story([wrote("a\n", ""), foreign])
    found = tell_story([wrote("a\n", ""), foreign, edited("a", "b", before="a?\n")])

    assert (lost.end, lost.has_foreign_changes) == (None, True)
    assert (found.end, found.has_foreign_changes) == ("b?\n", True)


def test_a_read_that_shows_other_contents_tells_of_a_change_from_outside():
    story = tell_story([wrote("a\n", ""), read("b\n")])

    assert (story.end, story.has_foreign_changes) == ("b\n", True)


@given(st.lists(st.tuples(st.text("ab\n", max_size=6), st.text("ab\n", max_size=6))))
def test_a_story_of_whole_writes_ends_with_the_last_one(pairs):
    story = tell_story([wrote(after, before) for before, after in pairs])

    assert story.start == (pairs[0][0] if pairs else None)
    assert story.end == (pairs[-1][1] if pairs else None)
