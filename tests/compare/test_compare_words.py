"""Word diffs say all of both texts, or nothing."""

from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.compare.comparison import WordPiece, diff_words

TEXTS = st.lists(st.sampled_from(["one", "two", "three", " ", "\n", ","]), max_size=20).map(
    "".join
)


def side(pieces: tuple[WordPiece, ...], sign: str) -> str:
    return "".join(piece.text for piece in pieces if piece.sign in {" ", sign})


@given(TEXTS, TEXTS)
def test_the_pieces_of_a_word_diff_are_the_two_texts(old, new):
    pieces = diff_words(old, new)

    if pieces:
        assert (side(pieces, "-"), side(pieces, "+")) == (old, new)


@given(TEXTS)
def test_equal_texts_have_no_difference(text):
    assert all(piece.sign == " " for piece in diff_words(text, text))
    assert side(diff_words(text, text), " ") == text


def test_words_that_changed_beside_each_other_are_one_change():
    pieces = diff_words("share it with everyone now", "share it as a link now")

    assert pieces == (
        WordPiece(" ", "share it "),
        WordPiece("-", "with everyone"),
        WordPiece("+", "as a link"),
        WordPiece(" ", " now"),
    )


def test_texts_with_little_in_common_have_no_word_diff():
    assert diff_words("fix the parser", "write documentation, please") == ()


def test_texts_too_long_to_compare_have_no_word_diff():
    assert diff_words("word " * 600, "word " * 601) == ()
