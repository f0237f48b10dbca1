"""What a page says of a file that two paths changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from everyleaf.compare.files import FileComparison, FileSide, FileVerdict
from everyleaf.pages.comparewords import change_words, file_notes, verdict_words
from everyleaf.transcript import diffs
from everyleaf.transcript.diffs import text_diff


def side(
    start: str,
    end: str | None,
    *,
    is_new: bool = False,
    has_foreign_changes: bool = False,
) -> FileSide:
    return FileSide(
        start=start,
        end=end,
        is_new=is_new,
        hunks=(),
        has_foreign_changes=has_foreign_changes,
        changed_by="",
        change=text_diff("a.py", start, end or ""),
        is_exact=end is not None,
    )


def compared(
    verdict: FileVerdict, left: FileSide | None, right: FileSide | None, **more: bool
) -> FileComparison:
    difference = None
    if left and right and left.end is not None and right.end is not None:
        difference = text_diff("a.py", left.end, right.end)
    return FileComparison("a.py", verdict, left, right, difference, **more)


ONE, TWO = side("a\n", "b\n"), side("a\n", "c\n")


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (FileVerdict.SAME, "ended the same"),
        (FileVerdict.DIFFERENT, "ended differently"),
        (FileVerdict.ONLY_LEFT, "changed on path 1 only"),
        (FileVerdict.ONLY_RIGHT, "changed on path 2 only"),
        (FileVerdict.UNKNOWN, "changed on both; how it ended cannot be told"),
    ],
)
def test_a_verdict_is_a_few_words(verdict, words):
    assert verdict_words(compared(verdict, ONE, TWO), "Path 1", "Path 2") == words


def notes(found: FileComparison) -> list[str]:
    return list(file_notes(found, "Path 1", "Path 2"))


def test_of_contents_that_are_known_there_is_nothing_to_note():
    assert notes(compared(FileVerdict.DIFFERENT, ONE, TWO)) == []


def test_what_cannot_be_told_is_said_of_the_side_that_it_is_about():
    lost, moved = side("a\n", None), side("a\n", "b\n", has_foreign_changes=True)

    first, second = notes(compared(FileVerdict.UNKNOWN, lost, moved))

    assert first.startswith("Path 1: the contents cannot be reconstructed")
    assert second.startswith("Path 2: something else changed the file")


def test_contents_that_were_not_put_back_are_noted():
    (note,) = notes(compared(FileVerdict.ONLY_LEFT, ONE, None, begins_apart=True))

    assert "did not put the file back" in note


def test_a_last_line_break_is_a_difference_that_is_named():
    (note,) = notes(compared(FileVerdict.DIFFERENT, side("", "b"), side("", "b\n")))

    assert note == "They differ in the line break at the end alone."


def test_a_file_too_long_to_compare_is_said_to_be_counted_roughly(monkeypatch):
    monkeypatch.setattr(diffs, "MOST_CELLS", 0)
    long = replace(side("1\n2\n", "2\n1\n"), is_exact=False)

    first, second = notes(compared(FileVerdict.DIFFERENT, side("", "1\n2\n"), long))

    assert first.startswith("The difference: all lines from the first change")
    assert second.startswith("Path 2: all lines from the first change")
    assert change_words("Path 2", long) == "Path 2: net change"


def test_the_diff_of_a_side_says_what_it_is():
    assert change_words("Path 1", ONE) == "Path 1: net change"
    assert change_words("Path 1", side("", "x", is_new=True)) == "Path 1: new file"
    assert change_words("Path 1", side("", None)) == "Path 1: recorded edits"
