"""Characters that no page shows as they are."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from everyleaf.theming.formats import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\x00\x1b[1m\x7f\x85\x9bb", "a[1mb"),
        ("\u202eabc\u202c \u2066x\u2069", "[U+202E]abc[U+202C] [U+2066]x[U+2069]"),
        ("\ud83d alone, \U0001f600 whole", "\ufffd alone, \U0001f600 whole"),
        ("\uffff\ufffe", "\ufffd\ufffd"),
        ("עברית \u200f و \u00a0", "עברית \u200f و \u00a0"),
    ],
)
def test_characters_are_shown_dropped_or_named(text: str, shown: str):
    assert visible(text) == shown


@given(st.text(alphabet=st.characters(codec=None), max_size=40))
def test_what_is_visible_can_be_written_and_stays_as_it_is(text: str):
    shown = visible(text)

    assert visible(shown) == shown
    assert shown.encode("utf-8").decode("utf-8") == shown
