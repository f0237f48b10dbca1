"""Markdown of a transcript."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.render.prose import (
    MAX_BRACKETS,
    MAX_CHARS,
    MAX_MARKS,
    MAX_OPEN,
    render_prose,
)
from hanging import ends_soon
from render.drawn import dangers, parse, text_of, texts

MARKUP = st.text(alphabet="abhttps://.x \n\n*_`~#>[]()!<>&\\|-+=1.^\t\"'", max_size=120)
HOSTILE_PIECES = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<b>)",
    "[x](\x01javascript:x)",
    "[a](<javascript:x>)",
    "&#106;avascript:",
    "<a onclick=x>",
    "<img src=x onerror=y>",
    '" onerror="',
    "--&gt;",
    "<!--",
    "](",
    "[a]: b",
    "![p](http://h/p.png)",
    "<https://e.org>",
    "https://e.org/a_b",
    "```",
    "~~~",
    "- [x]",
    ">",
    "| a | b |",
    "|--|:-:|",
    "[^1]",
    "[^1]: n",
    "**",
    "`",
    "#",
    "[m](#m-1)",
    "[r](../../etc)",
]
PIECES = st.lists(
    st.sampled_from([*HOSTILE_PIECES, "\n", "\n\n", "    ", " "]), max_size=14
)


def drawn(text: str, *, keeps_breaks: bool = False) -> str:
    html = render_prose(text, keeps_breaks=keeps_breaks)
    assert html is not None
    return html


@given(st.one_of(MARKUP, PIECES.map("".join)), st.booleans())
@settings(max_examples=300, deadline=None)
def test_nothing_dangerous_comes_of_any_text(text: str, keeps_breaks: bool):  # noqa: FBT001
    html = render_prose(text, keeps_breaks=keeps_breaks)

    assert html is not None
    assert dangers(html) == []


def test_raw_html_is_text():
    html = drawn("a <b>bold</b> <script>alert(1)</script> <!-- note -->")

    assert text_of(parse(html)).strip() == (
        "a <b>bold</b> <script>alert(1)</script> <!-- note -->"
    )


def test_headings_come_below_those_of_the_page():
    html = drawn("# one\n\n## two\n\nunderlined\n===\n\n## two")

    assert [element.tag for element in parse(html)] == ["h3", "h4", "h3", "h4"]


def test_outline_of_headings_leaves_no_level_out():
    html = drawn("### three\n\n###### six\n\n##### five\n\n# one\n\n> #### four")

    tags = [element.tag for element in parse(html).iter() if element.tag[0] == "h"]
    assert tags == ["h3", "h4", "h4", "h3", "h4"]


def test_headings_deeper_than_html_has_stay_at_the_last_level():
    html = drawn("".join(f"{'#' * level} level\n\n" for level in range(1, 7)))

    assert [element.tag for element in parse(html)] == ["h3", "h4", "h5", "h6", "h6", "h6"]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        (
            "[a](https://e.org 't')",
            '<a href="https://e.org" title="t" rel="nofollow noopener">a</a>',
        ),
        (
            "<https://e.org>",
            '<a href="https://e.org" rel="nofollow noopener">https://e.org</a>',
        ),
        ("[a](mailto:a@e.org)", '<a href="mailto:a@e.org" rel="nofollow noopener">a</a>'),
        ("[a](#m-1)", '<a href="#m-1" rel="nofollow noopener">a</a>'),
        ("[a](src/w.py:4)", '<span class="ref" title="src/w.py:4">a</span>'),
        ("[a](#top)", '<span class="ref" title="#top">a</span>'),
        ("[a](//e.org/x)", '<span class="ref" title="//e.org/x">a</span>'),
        ("[a]()", "<span>a</span>"),
        ("[a](javascript:x)", "[a](javascript:x)"),
        (
            "![p](https://e.org/p.png)",
            '<a href="https://e.org/p.png" rel="nofollow noopener">p</a>',
        ),
        ("![](p.png)", '<span class="ref" title="p.png">p.png</span>'),
        (
            "[![p](https://e.org/p.png)](https://e.org)",
            '<a href="https://e.org" rel="nofollow noopener">p</a>',
        ),
    ],
)
def test_only_links_that_lead_somewhere_safe_are_live(text: str, link: str):
    assert drawn(text) == f"<p>{link}</p>\n"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://e.org/a.", "https://e.org/a"),
        ("(https://e.org/a_(b))", "https://e.org/a_(b)"),
        ("https://e.org/?q=a&b=c, then", "https://e.org/?q=a&b=c"),
        ("HTTP://x and https:// and http://?", None),
        ("`https://e.org`", None),
    ],
)
def test_bare_addresses_become_links(text: str, address: str | None):
    links = list(parse(drawn(text)).iter("a"))

    assert [link.get("href") for link in links] == ([address] if address else [])


def test_address_in_a_link_makes_no_second_link():
    assert drawn("[https://a.org](https://b.org)").count("<a ") == 1


def test_tables_have_classes_instead_of_styles():
    html = drawn("| a | b |\n|:-:|--:|\n| 1 | 2 |")

    assert "style=" not in html
    assert html.count('class="to-center"') == 2
    assert html.count('class="to-right"') == 2


def test_task_lists_say_what_is_done():
    html = drawn("- [x] one\n- [ ] two\n- [y] three\n- `[x]` four")

    boxes = [box.get("aria-label") for box in parse(html).iter("span")]
    assert boxes == ["done", "to do"]
    assert texts(html, tag="li") == ["☑ one", "☐ two", "[y] three", "[x] four"]


def test_footnotes_have_no_ids_that_could_clash():
    html = drawn("a[^1] b[^x]\n\n[^1]: note\n[^x]: other")

    assert " id=" not in html
    assert texts(html, tag="sup") == ["[1]", "[2]"]
    assert [item.strip() for item in texts(html, tag="li")] == ["note", "other"]


def test_fences_are_coloured_by_their_first_word():
    html = drawn("```python title=x\nimport os\n```")

    assert "<b>import</b>" in html


def test_unfinished_fence_ends_with_the_text():
    html = drawn("```\n</pre><b>\n")

    assert text_of(parse(html)).strip() == "</pre><b>"


@pytest.mark.parametrize(
    ("keeps_breaks", "breaks"), [(True, 1), (False, 0)], ids=["typed", "written"]
)
@pytest.mark.parametrize("text", ["one\ntwo", "one\n*two*"])
def test_line_breaks_stay_where_a_person_typed_them(
    *, text: str, keeps_breaks: bool, breaks: int
):
    assert drawn(text, keeps_breaks=keeps_breaks).count("<br>") == breaks


@pytest.mark.parametrize(
    "text",
    [
        "run --verbose \\\n    https://e.org/x \\\n    b",
        "  NAME     STATUS\n  a        b\n\n   c   d",
        "see __init__.py, a*b*c, snake_case, #123, 2 ** 3 and 2**3**4",
        "src/*.py and tests/*.py, **/*.ts,**/*.js, *test*.py, (*.md)",
        "f(*args, **kwargs), g(**kw), int *p, *q; */5 * * * *",
        "/* c */ .*foo.* \\*no\\* __main__ == __name__",
        "\\d+\\.py &lt; <https://e.org/> ^[a-z]",
        "[WARN]: late",
        "target:   x\ntarget:\n\ttarget:     y",
    ],
)
def test_what_a_person_typed_is_shown_as_it_was_typed(text: str):
    shown = (
        drawn(text, keeps_breaks=True).replace("<br>", "\n").replace("</p>\n<p>", "\n\n")
    )

    assert text_of(parse(shown)).strip("\n") == text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**My #1 was `a`.**", "<strong>My #1 was <code>a</code>.</strong>"),
        ("an *empty* target", "an <em>empty</em> target"),
        ("**굵게**는, (**b**)", "<strong>굵게</strong>는, (<strong>b</strong>)"),
        ("_so_, ~~not~~", "<em>so</em>, <s>not</s>"),
        ("**a *b***\n~~d~~", "<strong>a <em>b</em></strong><br><s>d</s>"),
    ],
)  # fmt: skip
def test_marks_go_from_what_a_person_emphasized(text: str, html: str):
    assert drawn(text, keeps_breaks=True) == f"<p>{html}</p>\n"


def test_numbers_that_a_person_gave_are_kept():
    html = drawn("2. yes\n5. no\n", keeps_breaks=True)

    assert re.findall(r'<li value="(\d)">', html) == ["2", "5"]


HOSTILE = {
    "brackets": "[" * 20_000,
    "pictures": "![" * 20_000,
    "nested lists": "".join("  " * depth + "- a\n" for depth in range(400)),
    "nested quotes": "> " * 400 + "a",
    "a line of a megabyte": "a *b " * 200_000,
    "backticks": "`" * 10_000,
    "all runs of backticks": "".join("`" * length + " " for length in range(1, 400)),
    "emphasis": "*a **b " * 10_000,
    "strikethrough": "~~a " * 20_000,
    "entities": "&" * 90_000,
    "tags": "<a " * 30_000,
    "addresses": "https://e.org/" + ")" * 90_000,
    "closing brackets": "]" * 90_000,
    "definitions": "[a" * (MAX_BRACKETS // 2) + "]: b\n",
    "table": "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n" + "|\n" * 300,
    "footnotes": "[^a]" * 2_000,
    "tasks": "- [ ] x\n" * 2_900,
    "comments": "<!--" * 20_000,
    "headings": "# a\n" * 20_000,
    "more emphasis": "**a*" * 24_000,
    "rules": "a\n---\n" * 15_000,
    "link definitions": "[a]: b\n" * 2_900 + "x",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("keeps_breaks", [False, True], ids=["written", "typed"])
def test_hostile_text_is_drawn_or_refused_soon(*, text: str, keeps_breaks: bool):
    with ends_soon():
        render_prose(text, keeps_breaks=keeps_breaks)


@given(
    st.sampled_from(["", "a", "1. ", "www.", "http", "mailto:a@b.de "]),
    st.text(alphabet="aB1 ,.;:'!?()/%$@\u2013\u2014\u2019\u201c\u201d\u2026-é_*#&"),
)
def test_a_plain_sentence_is_drawn_as_beside_other_prose(begin: str, rest: str):
    text = begin + rest

    alone, beside = render_prose(text), render_prose(f"{text}\n\n&amp;")

    assert beside == f"{alone}<p>&amp;</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "*" * (MAX_CHARS + 1),
        "[]" * (MAX_BRACKETS + 1),
        "[" * (MAX_OPEN + 1),
        "~~a" * MAX_MARKS,
        HOSTILE["nested lists"],
    ],
    ids=["long", "brackets", "never closed", "dense", "deep"],
)
def test_text_that_is_too_hard_is_refused(text: str):
    assert render_prose(text) is None


def test_lists_nested_as_deep_as_people_nest_them_are_drawn():
    html = drawn("".join("  " * depth + f"- level {depth}\n" for depth in range(40)))

    assert "level 39" in html


def test_no_text_gives_nothing():
    assert not drawn("\n\n")


def test_what_a_person_typed_keeps_its_backslashes_and_spaces():
    html = render_prose("run \\\n    --all \\\n  C:\\_a", keeps_breaks=True)

    assert html == "<p>run \\<br>    --all \\<br>  C:\\_a</p>\n"
