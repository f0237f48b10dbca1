"""Parts of entries."""

from __future__ import annotations

import pytest

from everyleaf.render.entries import MAX_DIFF_LINES
from everyleaf.render.html import TOO_HARD
from everyleaf.transcript.document import (
    AgentPage,
    CheckItem,
    Checklist,
    Chip,
    Code,
    Diff,
    DiffLine,
    Fold,
    Hunk,
    Link,
    Links,
    Picture,
    Prose,
    Table,
)
from render.drawn import PNG, draw, draw_part, parse, reply, text_of, texts

LONG = "\n".join(f"line {number}" for number in range(1, 12_346))


def test_chips_that_follow_each_other_share_a_row():
    html = draw_part(
        Chip("File", "a.py"), Chip("IDE", "b.py", "2 to 4"), Prose("x"), Chip("C", "d")
    )

    rows = [text_of(row).split() for row in parse(html).iter("ul")]
    assert rows == [["File", "a.py", "IDE", "b.py", "2", "to", "4"], ["C", "d"]]


def test_prose_too_hard_for_the_parser_is_shown_as_it_is():
    html = draw_part(Prose("> " * 300 + "end"))

    assert TOO_HARD in text_of(parse(html))
    assert texts(html, tag="code") == ["> " * 300 + "end"]


@pytest.mark.parametrize("is_terminal", [True, False])
def test_long_output_keeps_its_ends_and_leads_to_all_of_it(*, is_terminal: bool):
    turn = draw(reply(Code(LONG, is_terminal=is_terminal)))

    head, tail = texts(turn.text, tag="code")
    link = next(a for a in parse(turn.text).iter("a") if "Show all" in text_of(a))
    assert text_of(link) == "Show all 12,345 lines as a file"
    assert head.startswith("line 1\n")
    assert tail.endswith("line 12345")
    assert link.get("href") == f"../blobs/{turn.blobs[0].name}"
    assert turn.blobs[0].body == LONG.encode()


def test_last_lines_of_a_long_file_keep_their_numbers():
    html = draw_part(Code(LONG, "a.txt", first_line=101))

    assert "data-n=101>line 1\n" in html
    assert "data-n=12445>line 12345\n" in html


def test_colours_of_a_long_output_reach_its_last_lines():
    html = draw_part(Code("\x1b[32m" + LONG + "\n", is_terminal=True))

    last = [span for span in parse(html).iter("span") if span.get("class") == "ink2"][-1]
    assert text_of(last).endswith("line 12345")


def test_picture_has_its_size_so_that_the_page_does_not_jump():
    turn = draw(reply(Picture(PNG, "image/png", "Image #1")))

    image = next(parse(turn.text).iter("img"))
    assert (image.get("width"), image.get("height")) == ("3", "2")
    assert (image.get("alt"), image.get("loading")) == ("Image #1", "lazy")
    assert image.get("src") == f"../blobs/{turn.blobs[0].name}"


@pytest.mark.parametrize(
    "picture",
    [
        Picture("", "image/png", problem="only a file name was kept"),
        Picture("PHN2Zz48L3N2Zz4=", "image/svg+xml"),
        Picture("%%%", "image/png"),
    ],
    ids=["problem", "svg", "broken"],
)
def test_what_is_no_picture_is_said_to_be_none(picture: Picture):
    turn = draw(reply(picture))

    assert "not shown: " in text_of(parse(turn.text))
    assert "<img" not in turn.text
    assert turn.blobs == ()


def test_long_diff_leads_to_all_of_it():
    lines = tuple(DiffLine("+", f"line {number}") for number in range(MAX_DIFF_LINES + 1))

    turn = draw(reply(Diff("a.py", (Hunk(1, 1, lines),), len(lines), 0)))

    assert "Show all 401 lines" in text_of(parse(turn.text))
    assert b"+line 400\n" in turn.blobs[0].body
    assert "+line 400" not in turn.text


def test_diff_without_hunks_still_names_its_file():
    html = draw_part(Diff("a.py", (), 0, 0))

    assert "a.py" in text_of(parse(html))
    assert "<pre" not in html


def test_two_columns_without_a_head_are_fields():
    html = draw_part(Table((("pattern", "a|b"), ("<path>", "src"))))

    assert texts(html, tag="dt") == ["pattern", "<path>"]
    assert texts(html, tag="dd") == ["a|b", "src"]


def test_other_tables_are_tables():
    html = draw_part(Table((("1", "2"),), head=("a", "b")), Table((("x",),)))

    assert texts(html, tag="th") == ["a", "b"]
    assert texts(html, tag="td") == ["1", "2", "x"]


def test_long_cell_leads_to_all_of_it():
    turn = draw(reply(Table((("body", LONG),))))

    assert "Show all 12,345 lines" in texts(turn.text, tag="dd")[0]
    assert turn.blobs[0].body == LONG.encode()


def test_task_list_says_the_status_in_words():
    items = (CheckItem("a", "completed", is_changed=True), CheckItem("b", "blocked<"))

    html = draw_part(Checklist(items))

    assert texts(html, tag="li") == ["done a changed", "blocked< b"]
    assert 'class="other"' in html


def test_only_safe_links_are_live():
    links = Links(
        (Link("ok", "https://e.org"), Link("no", "javascript:x"), Link("", "http://a.b"))
    )

    html = draw_part(links)

    assert [a.get("href") for a in parse(html).iter("a")] == ["https://e.org", "http://a.b"]
    assert texts(html, tag="li") == ["ok https://e.org", "no javascript:x", "http://a.b"]


def test_agent_without_a_page_is_named_without_a_link():
    html = draw_part(AgentPage("a1", "its page"), AgentPage("lost", "no page"))

    assert [a.get("href") for a in parse(html).iter("a")] == ["../agents/agent_s1_a1.html"]
    assert "no page (not in this archive)" in text_of(parse(html))


def test_fold_is_closed_unless_it_should_be_open():
    html = draw_part(Fold("a", (Prose("x"),)), Fold("b", (Fold("c", ()),), is_open=True))

    folds = [
        (text_of(fold).split(), fold.get("open")) for fold in parse(html).iter("details")
    ]
    assert folds == [(["ax"], None), (["bc"], ""), (["c"], None)]


def test_caption_stands_with_its_block():
    html = draw_part(Code("{}", "json", caption="Input"), Code(LONG, caption="Output"))

    assert texts(html, tag="figcaption") == ["Input", "Output"]
