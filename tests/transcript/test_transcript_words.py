from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.transcript import words
from everyleaf.transcript.words import (
    cut_tags,
    leading_tags,
    read_tag,
    tag_body,
)
from hanging import ends_soon


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


NAMES = st.sampled_from(["a", "command-name", "system-reminder"])
BODIES = st.text(alphabet="ab<>/ &\n\"'", max_size=20)


def test_tag_ends_at_the_first_exact_closing_tag_whatever_stands_inside():
    tag = read_tag("<a>1 < 2 </b> <a></a> rest </a>")

    assert tag is not None
    assert tag.body == "1 < 2 </b> <a>"


def test_unclosed_tag_is_no_tag():
    assert read_tag("<a>never closed") is None
    assert leading_tags("  <a>never closed") == ([], "<a>never closed")


def test_attributes_are_read_by_name():
    tag = read_tag('<teammate-message teammate_id="ann" color="red">hi</teammate-message>')

    assert tag is not None
    assert (tag.attribute("teammate_id"), tag.attribute("missing")) == ("ann", "")


def test_run_of_tags_is_read_up_to_the_first_text():
    tags, rest = leading_tags("<a>1</a>\n  <b>2</b> then <c>3</c>")

    assert [(tag.name, tag.body) for tag in tags] == [("a", "1"), ("b", "2")]
    assert rest == "then <c>3</c>"


def test_body_of_a_missing_or_unclosed_tag_is_none():
    assert tag_body("text", "a") is None
    assert tag_body("<a>text", "a") is None


def test_unclosed_reminder_stays_in_the_text():
    text, bodies = cut_tags("one <r>two</r> three <r>four", "r")

    assert text == "one  three <r>four"
    assert bodies == ["two"]


@given(st.text(), NAMES)
def test_text_without_the_tag_is_left_alone(text: str, name: str):
    kept, bodies = cut_tags(text.replace(f"<{name}>", ""), name)

    assert kept == text.replace(f"<{name}>", "")
    assert not bodies


@given(BODIES, NAMES, BODIES, BODIES)
def test_cutting_a_tag_loses_nothing(before: str, name: str, body: str, after: str):
    text = f"{before}<{name}>{body}</{name}>{after}"

    kept, bodies = cut_tags(text, name)

    assert len(kept) + sum(len(f"<{name}>{b}</{name}>") for b in bodies) == len(text)
    assert bodies


def test_hundred_thousand_opening_tags_take_linear_time():
    text = "<system-reminder>" * 100_000

    with ends_soon():
        cut_tags(text, "system-reminder")
        leading_tags(text)
