from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from everyleaf.transcript import words


@given(st.text(), st.integers(min_value=2, max_value=50))
def test_one_line_is_one_line_and_not_longer_than_asked(text: str, limit: int):
    line = words.one_line(text, limit=limit)

    assert len(line) <= limit
    assert "\n" not in line


def test_one_line_has_no_colours_not_even_half_of_one():
    said = "\x1b[2mRunning \x1b[1mEdit\x1b[22m hook\x1b[22m"

    assert words.one_line(said) == "Running Edit hook"
    assert words.first_line(f"{said}\nmore") == "Running Edit hook …"
    assert words.one_line("ab\x1b[38;5;1mc", limit=2) == "a…"


def test_first_line_says_that_more_follows():
    assert words.first_line("\n make test\nmake lint\n") == "make test …"
    assert words.first_line("make test\n") == "make test"


def test_last_line_counts_with_and_without_its_line_break():
    assert [words.count_lines(text) for text in ("", "a", "a\n", "a\nb", "\n")] == [
        0,
        1,
        1,
        2,
        1,
    ]


def test_durations_use_the_unit_that_suits_them():
    lengths = [words.duration(ms) for ms in (0, 999, 1000, 59_999, 60_000, 3_600_000)]

    assert lengths == ["0 ms", "999 ms", "1 s", "1 min", "1 min", "1 h"]


def test_file_below_the_working_folder_is_named_from_there():
    assert words.short_file("/home/ada/app/src/x.py", "/home/ada/app") == "src/x.py"
    assert words.short_file("C:\\app\\x.py", "C:\\app") == "x.py"
    assert (
        words.short_file("/home/ada/apple/x.py", "/home/ada/app") == "/home/ada/apple/x.py"
    )
    assert words.short_file("/home/ada/app", "/home/ada/app") == "/home/ada/app"
    assert words.short_file("x.py", "") == "x.py"
