"""Terminal output."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.render.highlight import plain_text, render_runs, slice_runs, terminal_runs
from hanging import ends_soon
from render.drawn import parse, text_of

OUTPUT = st.text(alphabet="ab \n\r\x1b[]0123456789;:m\x07\\Kh<&", max_size=60)


def shown(text: str) -> str:
    return render_runs(terminal_runs(text))


@pytest.mark.parametrize(
    ("sequence", "classes"),
    [
        ("31", "ink1"),
        ("1;92", "ink10 bold"),
        ("38;5;9", "ink9"),
        ("38;5;232", "ink0"),
        ("38;5;196", "ink1"),
        ("38;2;250;5;5", "ink1"),
        ("38;2;255;90;80", "ink9"),
        ("38:2:0:0:0", "ink0"),
        ("44", "paper4"),
        ("103", "paper11"),
        ("2;3;4;7;9", "dim inverse italic struck under"),
        ("1;22;31;39;41;49;4;24", ""),
        ("31;0", ""),
        ("31;", ""),
        ("38", ""),
        ("38;7;1", "bold"),
        ("77", ""),
    ],
)
def test_colours_and_styles_become_classes(sequence: str, classes: str):
    html = shown(f"\x1b[{sequence}mword")

    quoted = f'"{classes}"' if " " in classes else classes
    assert html == (f"<span class={quoted}>word</span>" if classes else "word")


def test_sequences_that_only_move_the_cursor_are_dropped():
    html = shown(
        "a\x1b[2K\x1b]8;;https://example.com\x07b\x1b]8;;\x1b\\c\x1b(B\x1b7d\x9b1Ke"
    )

    assert html == "abcde"


def test_progress_bar_stays_at_its_last_state():
    html = shown(" 10%\r 50%\r100%\nnext\r\n")

    assert html == "100%\nnext\n"


def test_colour_goes_on_over_lines_until_it_is_reset():
    html = shown("\x1b[32mone\ntwo\x1b[0m three")

    assert html == "<span class=ink2>one\ntwo</span> three"


@given(OUTPUT)
@settings(deadline=None)
def test_html_says_what_the_plain_text_says(text: str):
    runs = terminal_runs(text)

    body = parse(f"<pre><code>{render_runs(runs)}</code></pre>")

    assert text_of(body) == plain_text(runs)
    assert "\x1b" not in plain_text(runs)


@given(OUTPUT, st.integers(0, 70), st.integers(0, 70))
@settings(deadline=None)
def test_slices_are_those_of_the_plain_text(text: str, start: int, end: int):
    runs = terminal_runs(text)

    piece = plain_text(slice_runs(runs, start, end))

    assert piece == plain_text(runs)[start:end]


@pytest.mark.parametrize("unit", ["\x1b[31m", "\x1b]8;;", "\x1b[", "a\r", "x", "\x1bP"])
def test_hostile_output_takes_linear_time(unit: str):
    with ends_soon():
        shown(unit * (300_000 // len(unit)))
