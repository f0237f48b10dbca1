"""What people would never write takes no longer than what they do."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from everyleaf.render.markdown_text import literal, one_line, prose
from everyleaf.render.prose import render_prose
from hanging import ends_soon

SIZE = 20_000
UNITS = (
    " ",
    "\t",
    " \n",
    "-",
    "- ",
    "-\n",
    "=",
    ">",
    "> ",
    ">\n",
    "1.",
    "*",
    "*\n",
    "#",
    "[",
)
MORE = ("`", "_", "|", "\\", "&", "<", "~", "a\n-", "a \n", "](", "[a]:", "\xa0\n", "-=")


@pytest.mark.parametrize("draw", [render_prose, prose, one_line, literal])
@pytest.mark.parametrize("unit", [*UNITS, *MORE])
def test_a_line_of_the_same_character_is_drawn_in_a_moment(draw, unit):
    text = unit * (SIZE // len(unit)) + "x"

    with ends_soon():
        draw(text)


@given(st.text(alphabet="ab \n\t\r\x1c\x85\xa0"))
def test_lines_become_one_with_a_space_for_each_break(text):
    assert one_line(text) == re.sub(r"\s*\n\s*", " ", text).strip()
