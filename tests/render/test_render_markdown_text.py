"""Text of a transcript as inert Markdown."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from everyleaf.render.markdown_text import (
    cell,
    code_span,
    fence,
    in_html,
    is_live,
    link,
    literal,
)

HOST = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
MARKUP = st.text(alphabet="ab1 `*_[]()<>!#~|\\&;-+=.$/\n\t:x", max_size=60)


class Words(HTMLParser):
    """Collects the text of a rendered page, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.tags: list[str] = []

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  (the parser passes it)
        self.tags.append(tag)


def shown(markdown: str) -> Words:
    words = Words()
    words.feed(HOST.render(markdown))
    words.close()
    return words


def one_line(text: str) -> str:
    return " ".join(text.split())


@given(MARKUP)
def test_literal_text_is_shown_as_it_is(text: str) -> None:
    words = shown(f"x {literal(text)}")

    assert words.tags == ["p"]
    assert one_line(words.text) == one_line(f"x {text}")


@given(MARKUP)
def test_literal_text_at_the_start_of_a_list_item_opens_no_block(text: str) -> None:
    words = shown(f"- {literal(f'{text}x', starts_block=True)}")

    assert words.tags == ["ul", "li"]
    assert one_line(words.text) == one_line(f"{text}x")


def test_underscores_inside_words_stay_readable() -> None:
    assert literal("snake_case _is_ 2 < 3") == r"snake_case \_is\_ 2 < 3"


@given(MARKUP)
def test_inline_code_shows_its_text_whatever_backticks_are_inside(text: str) -> None:
    words = shown(f"x {code_span(text)} y")

    assert set(words.tags) <= {"p", "code"}
    assert one_line(words.text) == one_line(f"x {text} y")


def test_inline_code_of_nothing_is_nothing() -> None:
    assert code_span(" \n ") == ""


@given(MARKUP)
def test_nothing_inside_closes_a_fence(text: str) -> None:
    words = shown(f"{fence(text, 'py')}\n\nafter")

    assert words.tags == ["pre", "code", "p"]
    assert words.text.rstrip("\n").endswith("after")
    assert words.text.startswith(text.rstrip("\n"))


@pytest.mark.parametrize(
    ("language", "info"),
    [("python", "python"), ("src/app.ts", "ts"), ("a b", ""), ("x`y", ""), ("", "")],
)
def test_a_fence_names_a_language_only_if_it_is_a_plain_word(
    language: str, info: str
) -> None:
    assert fence("x", language).partition("\n")[0] == f"```{info}"


@pytest.mark.parametrize(
    ("url", "is_open"),
    [
        ("https://example.org/a", True),
        ("HTTP://example.org", True),
        ("mailto:a@example.org", True),
        ("#m-12345678", True),
        ("javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("file:///etc/passwd", False),
        (" https://example.org", False),
        ("//example.org", False),
    ],
)
def test_only_web_mail_and_in_page_links_are_live(url: str, *, is_open: bool) -> None:
    assert is_live(url) is is_open


@given(MARKUP, MARKUP)
def test_a_link_holds_its_text_and_leads_where_it_says(text: str, rest: str) -> None:
    words = shown(link(f"t{text}", f"https://example.org/{rest}"))

    assert words.tags == ["p", "a"]
    assert one_line(words.text) == one_line(f"t{text}")


def test_a_link_with_another_scheme_is_text() -> None:
    assert link("click", "javascript:alert(1)") == "click (`javascript:alert(1)`)"
    assert link("ftp://x", "ftp://x") == "ftp://x"


def test_text_in_a_tag_is_escaped_and_on_one_line() -> None:
    assert in_html("<b> &\n\nmore") == "&lt;b&gt; &amp; more"


@given(st.lists(MARKUP, min_size=1, max_size=4))
def test_a_cell_stays_a_cell(values: list[str]) -> None:
    row = " | ".join(map(cell, values))
    words = shown(
        f"| {' | '.join('h' for _ in values)} |\n|{' - |' * len(values)}\n| {row} |"
    )

    assert words.tags.count("td") == len(values)
    assert set(words.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "br"}
