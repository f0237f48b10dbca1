"""Long output: cut at the same places in every format, whole in a blob."""

from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.render.entries import (
    HEAD_CHARS,
    HEAD_LINES,
    TAIL_CHARS,
    TAIL_LINES,
    WHOLE_CHARS,
    WHOLE_LINES,
    blob_of,
    shorten,
)

LONG = st.lists(
    st.text(alphabet="ab \t", max_size=120), min_size=WHOLE_LINES + 2, max_size=200
)


def test_short_text_stays_whole() -> None:
    assert shorten("") is None
    assert shorten("a\n" * WHOLE_LINES) is None
    assert shorten("x" * WHOLE_CHARS) is None


def test_many_lines_are_cut_to_the_first_and_the_last() -> None:
    text = "\n".join(f"line {number}" for number in range(1, 101)) + "\n"

    head, tail, lines = shorten(text) or ("", "", 0)

    assert head.split("\n") == [f"line {n}" for n in range(1, HEAD_LINES + 1)]
    assert tail.split("\n") == [f"line {n}" for n in range(101 - TAIL_LINES, 101)]
    assert lines == 100


def test_one_endless_line_is_cut_inside() -> None:
    ends = shorten("a" * 50_000 + "b" * 50_000)

    assert ends is not None
    assert ends.head == "a" * HEAD_CHARS
    assert ends.tail == "b" * TAIL_CHARS
    assert ends.lines == 1


@given(LONG.map("\n".join))
def test_the_ends_are_the_ends_and_never_overlap(text: str) -> None:
    ends = shorten(text)

    assert ends is not None
    assert text.startswith(ends.head)
    assert text.rstrip("\n").endswith(ends.tail)
    assert len(ends.head) + len(ends.tail) <= len(text)
    assert ends.lines == len(text.removesuffix("\n").split("\n"))


def test_equal_texts_share_one_blob() -> None:
    assert blob_of("a") == blob_of("a")
    assert blob_of("a").name != blob_of("b").name
    assert blob_of("ä").body.decode() == "ä"


def test_half_a_surrogate_pair_breaks_no_blob() -> None:
    assert blob_of("a\ud800b").body == b"a?b"
