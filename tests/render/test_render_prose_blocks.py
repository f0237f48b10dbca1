"""Prose in blocks: what skips the parser must look as if it had not."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from everyleaf.render.markdown_prose import edit_prose, prose
from everyleaf.render.markdown_text import fence
from everyleaf.render.prose import parse_prose, render_prose
from everyleaf.render.prose_blocks import (
    Block,
    Fence,
    FlatList,
    Heading,
    Paragraph,
    Rule,
    cut_prose,
)
from everyleaf.render.prose_inline import simple_inline
from everyleaf.theming.characters import visible

LINES = st.sampled_from([
    "# Title", "## Two ##", "### a `b` **c**", "Under", "===", "---", "***", "* * *",
    "- - -", "```", "````", "~~~", "```py", "``` a`b", "    four", " one", "   ```",
    "- item", "- `c` x", "* star", "* **b**: c", "+ plus", "  - inner", "  cont",
    "1. one", "2. two", "3) three", "10. ten", "- [ ] a", "- [x] b", "- # h", "- > q",
    "- - l", "-", "1.", "> quote", "> ```", "- ```", "| a | b |", "|--|--|", ":-- | --:",
    "<script>", "<!--", "</b>", "<b>bold</b> t", "`<T>` x", "``<a> ` b``", "\\`<i>`", "`",
    "a ` b", "[x]: https://e.org", "[^1]: note", "a [^1]", "[x]", "[x][y]",
    "[a](https://e.org)", "![p](https://e.org/x.png)", "<https://e.org>", "<a@b.c>",
    "<a`@`b.c>", "&lt;b&gt;", "&amp", "& x", "**bold**", "**b** x **c**: y", "a **b c** d",
    "**a**b", "a**b**", "** a**", "**a **", "**`x`**, y", "(**b**)", "*it*", "_it_",
    "a_b_c", "__d__", "~~s~~", "a ~ b", "more text.", "text  ", "x \\ y", "\\", "", "", "",
    "\t<td>", "text\xa0", "\x0btext", "https://e.org a", "a ^[b]", "2 * 3", "b`", "**a",
    "b**", "'q' \"r\"", "1986. A", "a\u2028b", "`` ", "` a `", "`  `", "\u201c**a**\u201d",
    "**\u201ca\u201d** b", "- a | b", "===x", "-x", "--- x", "=", "1. <b> x", "***a***",
    "-\ta", "~~~ x", "\x00", "a\rb",
])  # fmt: skip
TEXTS = st.lists(LINES, min_size=1, max_size=9).flatmap(
    lambda lines: st.sampled_from(["\n", "\n\n", " "]).map(lambda gap: gap.join(lines))
)


@given(text=TEXTS, keeps_breaks=st.booleans())
@example(text="- a\n\n  b\n\nc", keeps_breaks=False)
@example(text="a\n2. b", keeps_breaks=True)
@example(text="# a\n\n### b\n\n> x\n\n## c", keeps_breaks=False)
@settings(max_examples=600, deadline=None)
def test_prose_in_blocks_looks_as_the_parser_draws_it(*, text: str, keeps_breaks: bool):
    html = render_prose(text, keeps_breaks=keeps_breaks)

    assert html == parse_prose(text, keeps_breaks=keeps_breaks)


@given(text=TEXTS, keeps_breaks=st.booleans())
@settings(max_examples=600, deadline=None)
def test_markdown_in_blocks_is_what_the_parser_makes_of_it(
    *, text: str, keeps_breaks: bool
):
    text = visible(text).rstrip()
    assume(text)

    drawn = prose(text, keeps_breaks=keeps_breaks)

    edited = edit_prose(text, keeps_breaks=keeps_breaks)
    assert drawn == (fence(text, "text") if edited is None else edited)


@given(text=TEXTS)
@settings(max_examples=300, deadline=None)
def test_blocks_hold_every_line_that_is_not_blank(text: str):
    blocks = cut_prose(text)
    assume(blocks is not None)

    lines = text.split("\n")
    held = [n for block in blocks or () for n in range(block.first, block.end)]
    assert held == sorted(set(held))
    assert all(not line.strip() for n, line in enumerate(lines) if n not in held)
    assert all(
        block.source == "\n".join(lines[block.first : block.end]) for block in blocks or ()
    )


def test_every_known_block_is_told_apart():
    text = "# One\nTwo\n- a\n- b\n\n```py x\n1\n```\n***\n\n> q\n\n7. a\n\n8. b"

    blocks = cut_prose(text)

    assert blocks == (
        Heading(0, 1, "# One", 1, "One"),
        Paragraph(1, 2, "Two"),
        FlatList(2, 4, "- a\n- b", ("a", "b"), None, is_loose=False),
        Fence(5, 8, "```py x\n1\n```", "py", "1\n"),
        Rule(8, 9, "***"),
        Block(10, 11, "> q"),
        FlatList(12, 15, "7. a\n\n8. b", ("a", "b"), 7, is_loose=True),
    )


@pytest.mark.parametrize(
    "text",
    ["a\n---", "[a]: b", "- a\n  ```\n  b\n  ```", "> # a", "a ^[b]", "a\rb", "## a ##"],
)
def test_text_with_what_reaches_beyond_a_block_stays_whole(text: str):
    assert cut_prose(f"before\n\n{text}") is None


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a `b < c` d", "a <code>b &lt; c</code> d"),
        ("**a** and **b c**.", "<strong>a</strong> and <strong>b c</strong>."),
        ("snake_case <T> & 'x' \"y\"", "snake_case &lt;T&gt; &amp; 'x' &quot;y&quot;"),
        ("` a ` `  `", "<code>a</code> <code>  </code>"),
    ],
)
def test_code_and_bold_words_are_simple(text: str, html: str):
    assert simple_inline(text) == html


@pytest.mark.parametrize(
    "text",
    ["*a*", "a `b", "``a``", "[a](b)", "&amp;", "~~a~~", "https://e.org", "a\\*", "_a_",
     "<https://e.org>", "<a@b.c>", "a  \nb", "**a", "a\tb", "a\0b", "![a]"],
)  # fmt: skip
def test_all_other_markup_is_left_to_the_parser(text: str):
    assert simple_inline(text) is None
