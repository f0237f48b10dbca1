"""Prose of a transcript: its own markup, and nothing that reaches beyond it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, strategies as st
from markdown_it import MarkdownIt

from everyleaf.render import prose as pages
from everyleaf.render.markdown_text import DEMOTED_BY, is_contained, prose
from hanging import ends_soon

HOST = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")

PIECES = st.sampled_from([
    "# Title", "## Two ##", "Under", "===", "---", "```", "````", "~~~", "```py",
    "    four", "- item", "  - inner", "1. one", "> quote", "> ```", "- ```",
    "| a | b |", "| - | - |",
    "| `<i>` | ` |", "<script>", "</script>", "<!--", "-->", "<details>", "</details>",
    "<b>bold</b>", "`<T>`", "``<a> ` b``", "\\`<i>`", "`", "[x]: https://example.org",
    "[^1]: note", "[^1]", "[x]", "[a](javascript:alert)", "[a](https://example.org)",
    "![p](https://example.org/x.png)", "<https://example.org>", "<mailto:a@b>", "&lt;b&gt;",
    "&#60;script&#62;", "<?php", "<![CDATA[", "<a\nhref=x>", "**bold**", "\\", "\\<i>", "",
    "text", "^[aside]", "> - # deep", "1) # x", "\t<td>", "[b]\\: x", "[a\nb]: /url",
])  # fmt: skip
DOCUMENTS = st.lists(PIECES, max_size=12).map("\n".join)


@given(DOCUMENTS)
@example("| ` | <b> | ` |\n| - | - | - |\n| `a | <i> | b` |")
@example("> ```\n> <b>\n<b>")
@example("- a\n\n  # x\n\n  Under\n  ===")
@example("`a\n\n<b>`")
@example("`\n<script>\n`")
def test_prose_never_reaches_beyond_itself(text: str) -> None:
    drawn = prose(text)

    assert is_contained(drawn)


@given(text=DOCUMENTS, keeps_breaks=st.booleans())
def test_it_is_the_same_whether_a_page_was_drawn_before_or_not(
    *, text: str, keeps_breaks: bool
) -> None:
    pages._PARSED.clear()
    alone = prose(text, keeps_breaks=keeps_breaks)

    pages.render_prose(text, keeps_breaks=keeps_breaks)

    assert prose(text, keeps_breaks=keeps_breaks) == alone


@given(DOCUMENTS)
def test_what_follows_prose_is_what_it_would_be_alone(text: str) -> None:
    after = '<a id="m-1"></a>\n\n## Prompt 2\n\n<details><summary>x</summary>\n\n</details>'

    tokens = HOST.parse(f"{prose(text)}\n\n{after}")

    ends = [token for token in tokens if token.level == 0 and token.nesting >= 0][-4:]
    kinds = [token.type for token in ends]
    assert kinds == ["paragraph_open", "heading_open", "html_block", "html_block"]


@given(DOCUMENTS, DOCUMENTS)
def test_no_message_defines_links_of_another(first: str, second: str) -> None:
    both = f"{prose(first)}\n\n<!-- -->\n\n{prose(second)}"
    env: dict[str, object] = {}

    HOST.parse(both, env)

    assert not env.get("references")


@given(st.text(alphabet="abc .,;'()äß\n", max_size=200))
def test_text_without_markup_stays_as_it_is(text: str) -> None:
    assert prose(text) == text.rstrip()


@given(st.text(max_size=200))
def test_any_text_at_all_is_contained(text: str) -> None:
    assert is_contained(prose(text))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("a <b>x</b>", "a &lt;b>x&lt;/b>"),
        ("Use `Vec<T>` and <T>", "Use `Vec<T>` and &lt;T>"),
        ("1 < 2 and x <- y", "1 < 2 and x <- y"),
        ("see <https://example.org/a>", "see <https://example.org/a>"),
        ("<!-- hidden -->", "&lt;!-- hidden -->"),
        ("# One", "### One"),
        ("a\r# One", "a\n### One"),
        ("##### Five", "###### Five"),
        ("- # In a list", "- ### In a list"),
        ("Under\n===", "### Under\n"),
        ("Two\n---", "#### Two\n"),
        ("```html\n<b>\n```", "```html\n<b>\n```"),
        ("```py\nx = 1", "```py\nx = 1\n```"),
        ("~~~~\nx\n~~~", "~~~~\nx\n~~~\n~~~~"),
        ("    <b>", "    <b>"),
        ("[a](javascript:x)", "[a]\\(javascript:x)"),
        ("[a](&#106;avascript:x)", "[a]\\(&#106;avascript:x)"),
        ("[a](https://example.org)", "[a](https://example.org)"),
        ("![a](https://example.org)", "\\![a](https://example.org)"),
        ("[x]: https://example.org", "\\[x]: https://example.org"),
        ("see [^1]\n\n[^1]: note", "see [^1]\n\n\\[^1]: note"),
        ("| a | b |\n| - | - |\n| `x` | <i> |", "| a | b |\n| - | - |\n| `x` | &lt;i> |"),
        ("**bold** and _it_", "**bold** and _it_"),
    ],
)
def test_markup_is_kept_and_what_escapes_is_not(text: str, drawn: str) -> None:
    assert prose(text) == drawn


def test_a_persons_line_breaks_stay_breaks_outside_code() -> None:
    drawn = prose("one\ntwo\n\n```\na\nb\n```", keeps_breaks=True)

    assert drawn == "one  \ntwo\n\n```\na\nb\n```"


def test_a_break_that_is_one_already_is_not_doubled() -> None:
    assert prose("one  \ntwo\\\nthree", keeps_breaks=True) == "one  \ntwo\\\nthree"


def test_headings_keep_their_order_below_ours() -> None:
    tokens = HOST.parse(prose("# A\n\n## B\n\n### C\n\nD\n=\n\nE\n-"))

    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    assert levels == [3, 4, 5, 3, 4]
    assert min(levels) > DEMOTED_BY


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000 + "](",
        "> " * 400 + "x <b>",
        "\n".join("  " * depth + "- <i>" for depth in range(400)),
        "`" * 10_000 + "<b>",
        "x <b> " * 170_000,
        "![" * 20_000,
        "<a" * 20_000,
        "[a](" * 2_900,
        "*a **b " * 10_000,
        "".join("`" * length + " " for length in range(1, 400)),
        "<!--" * 20_000,
        "[a]: b\n" * 2_900,
        "| a | b |\n| - | - |\n" + "| <i> | `x` |\n" * 5_000,
        "# a\n" * 10_000,
    ],
    ids=[
        "brackets", "quotes", "lists", "backticks", "long", "pictures", "tags", "targets",
        "emphasis", "runs of backticks", "comments", "definitions", "table", "headings",
    ],
)  # fmt: skip
def test_pathological_text_takes_no_time_and_stays_contained(text: str) -> None:
    with ends_soon():
        drawn = prose(text)

    assert drawn


def test_prose_that_cannot_be_made_safe_is_shown_as_plain_text() -> None:
    text = "> " * 300 + "<b>"

    assert prose(text) == f"```text\n{text}\n```"
