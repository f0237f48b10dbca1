from __future__ import annotations

import hypothesis
from hypothesis import strategies as st

from everyleaf.transcript.document import Chip, Picture, Prose
from everyleaf.transcript.prompts import place_pictures

ONE = Picture("AA==", "image/png", "Image #1")
TWO = Picture("BB==", "image/png", "Image #2")


def test_picture_stands_behind_the_paragraph_that_names_it():
    text = Prose(
        "See [Image #2] first\n\nthen [Image #1]\n\nand say why", keeps_breaks=True
    )

    assert place_pictures((text, ONE, TWO)) == (
        Prose("See [Image #2] first", keeps_breaks=True),
        TWO,
        Prose("then [Image #1]", keeps_breaks=True),
        ONE,
        Prose("and say why", keeps_breaks=True),
    )


def test_picture_that_is_named_nowhere_stays():
    chip = Chip("command", "/look")

    assert place_pictures((chip, Prose("See"), ONE)) == (chip, Prose("See"), ONE)


def test_picture_moves_behind_a_text_that_comes_later():
    assert place_pictures((ONE, Prose("See [Image #1]"))) == (Prose("See [Image #1]"), ONE)


def test_fenced_text_is_not_cut():
    text = Prose("```\n[Image #1]\n\n```")

    assert place_pictures((text, ONE)) == (text, ONE)


@hypothesis.given(
    st.lists(
        st.sampled_from(
            (ONE, TWO, Prose("a [Image #1]\n\nb"), Prose("[Image #2]\n\n[Image #1]"))
        ),
        max_size=6,
    )
)
def test_no_word_and_no_picture_is_lost(parts):
    unlike = [part for n, part in enumerate(parts) if part not in parts[:n]]

    placed = place_pictures(unlike)

    pictures = [part for part in placed if isinstance(part, Picture)]
    said = sorted(
        word for part in placed if isinstance(part, Prose) for word in part.text.split()
    )
    assert sorted(p.alt for p in pictures) == sorted(
        p.alt for p in unlike if isinstance(p, Picture)
    )
    assert said == sorted(w for p in unlike if isinstance(p, Prose) for w in p.text.split())
