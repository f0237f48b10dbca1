"""Diffs."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from everyleaf.render.diffs import (
    FIRST_CHARS,
    diff_text,
    first_lines,
    render_diff,
    render_split,
)
from everyleaf.render.entries import count_lines
from everyleaf.transcript.document import Diff, DiffLine, Hunk
from render.drawn import parse, text_of, texts


def lines(*signed: str) -> tuple[DiffLine, ...]:
    return tuple(DiffLine(line[0], line[1:]) for line in signed)


def one_hunk(*signed: str) -> Diff:
    return Diff("a.py", (Hunk(10, 20, lines(*signed)),), 0, 0)


def numbers(html: str) -> list[tuple[str, str]]:
    lines = (line for line in parse(html).iter() if {"data-o", "data-n"} & set(line.keys()))
    return [(line.get("data-o", ""), line.get("data-n", "")) for line in lines]


def test_each_line_has_its_number_on_the_sides_it_is_on():
    html = render_diff(one_hunk(" same", "-old", "+new", "+more", " end"))

    assert numbers(html) == [("10", "20"), ("11", ""), ("", "21"), ("", "22"), ("12", "23")]


def test_sign_is_text_so_that_colour_is_not_needed():
    html = render_diff(one_hunk(" same", "-gone", "+came"))

    assert text_of(parse(html)) == " same\n-gone\n+came\n"


def test_words_that_changed_are_marked():
    html = render_diff(one_hunk("-return base * failures", "+return base * min(failures)"))

    line, *marked = texts(html, tag="ins")
    assert line == "+return base * min(failures)\n"
    assert marked == ["min(", ")"]
    assert "<del>" not in html


def test_lines_are_coloured_as_the_files_that_they_are_of():
    html = render_diff(one_hunk(" def f():", "-    # Old", "+    return one(2)"))

    assert "<b>def</b>" in html
    assert "<i># Old</i>" in html
    assert "<b>return</b>" in html


def test_a_mark_goes_around_the_colours():
    html = render_diff(one_hunk("-return 1 + two", "+return 1 + three"))

    assert "<b>return</b> <span class=m>1</span> + <del>two</del>" in html


def blocks(html: str) -> list[list[tuple[str, ...]]]:
    found = [block for block in parse(html).iter("div") if block.get("class") == "sr"]
    said = [[f"{it.get('data-n', '')} {text_of(it)}" for it in block] for block in found]
    return [list(zip(it[::2], it[1::2], strict=True)) for it in said]


def cells(html: str) -> list[tuple[str, ...]]:
    return [row for block in blocks(html) for row in block]


def test_a_split_diff_puts_what_was_beside_what_is():
    html = render_split(one_hunk(" same", "-old", "+new", "+more", " end", "-gone"))

    assert cells(html) == [
        ("10 same", "20 same"),
        ("11 old", "21 new"),
        (" ", "22 more"),
        ("12 end", "23 end"),
        ("13 gone", " "),
    ]


def test_what_changed_together_is_one_block_of_a_split_diff():
    html = render_split(one_hunk("-old", "-gone", "+new", "+more", "+most", " end"))

    assert [len(block) for block in blocks(html)] == [3, 1]


def test_a_split_diff_folds_what_did_not_change():
    after = "".join(f"line {number}\n" for number in range(1, 30))
    diff = Diff("a.txt", (Hunk(10, 10, lines("-was", "+line 10")),), 1, 1)

    html = render_split(diff, after)

    assert texts(html, tag="summary") == ["9 lines unchanged", "19 lines unchanged"]
    assert len(cells(html)) == 29
    assert cells(html)[-1] == ("29 line 29", "29 line 29")


def test_a_split_diff_without_the_text_counts_what_did_not_change():
    html = render_split(one_hunk("+new"))

    assert texts(html, tag="p") == ["9 lines unchanged"]


def test_lines_that_have_nothing_in_common_are_not_marked():
    html = render_diff(one_hunk("-alpha", "+omega()"))

    assert "<ins>" not in html


def test_very_long_lines_are_not_compared():
    html = render_diff(one_hunk("-" + "a " * 300, "+" + "a " * 299 + "b "))

    assert "<ins>" not in html


def test_lines_of_unequal_blocks_all_stand_in_order():
    html = render_diff(one_hunk("-one", "-two", "-three", "+ONE", " x", "-last"))

    assert text_of(parse(html)) == "-one\n-two\n-three\n+ONE\n x\n-last\n"


def test_hunks_are_told_apart_by_their_heads():
    diff = Diff("a.py", (Hunk(1, 1, lines("-a")), Hunk(9, 8, lines("+b", " c"))), 1, 1)

    html = render_diff(diff)

    heads = texts(html, tag="i", css_class="hunk")
    assert heads == ["@@ -1,1 +1,0 @@\n", "@@ -9,1 +8,2 @@\n"]
    assert count_lines(diff) == 5


def test_limit_cuts_the_drawing_and_not_the_text():
    diff = one_hunk(*["+line"] * 30)

    html = render_diff(diff, limit=10)

    assert html.count("<u>+</u>line") == 10
    assert diff_text(diff).count("+line") == 30
    assert diff_text(diff).startswith("--- a.py\n+++ a.py\n@@ -10,0 +20,30 @@\n")


def test_only_lines_that_are_drawn_are_compared(monkeypatch):
    compared: list[str] = []

    def mark(old: str, _new: str) -> tuple[tuple[()], tuple[()]]:
        compared.append(old)
        return (), ()

    monkeypatch.setattr("everyleaf.render.diffs._mark_words", mark)

    html = render_diff(one_hunk(*["-old"] * 500, *["+new"] * 500), limit=10)

    assert html.count("<u>-</u>old") == 10
    assert len(compared) == 10


@given(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 20)))
def test_a_limit_changes_nothing_of_what_is_drawn(sizes):
    removed, added, limit = sizes
    diff = one_hunk(*["-one two"] * removed, *["+one three"] * added, " end")

    whole = render_diff(diff).splitlines()

    assert render_diff(diff, limit=limit).splitlines()[:limit] == whole[:limit]


@given(
    st.lists(
        st.tuples(st.sampled_from(" +-"), st.text(alphabet="ab <&'\"\u202e\x00")),
        max_size=9,
    )
)
@settings(deadline=None)
def test_no_text_is_lost_or_becomes_markup(signed: list[tuple[str, str]]):
    diff = one_hunk(*[sign + text for sign, text in signed])

    body = parse(f"<pre><code>{render_diff(diff)}</code></pre>")

    expected = "".join(f"{sign}{text}\n" for sign, text in signed)
    assert text_of(body) == expected.replace("\x00", "").replace("\u202e", "[U+202E]")


def test_a_line_of_an_edit_is_marked_where_it_is_cut():
    whole, cut = "a" * (FIRST_CHARS - 1), "b" * FIRST_CHARS

    kept = first_lines(one_hunk(f"+{whole}", f"+{cut}")).split("\n")

    assert kept[-2:] == [f"+{whole}", f"+{cut[:-1]}…"]
