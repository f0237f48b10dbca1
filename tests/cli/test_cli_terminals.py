"""What a terminal gets: colours unless it wants none, whole words, a page at a time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from cli.terminals import on_terminal

EXAMPLE = Path(__file__).parents[2] / "examples/archive"
FRACTIONS = "66e54b32"
SOURCE = ("--source", EXAMPLE, "--no-redact", "-q")


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_transcript_is_drawn_for_the_terminal_with_words_whole():
    options = (FRACTIONS, *SOURCE, "--no-pager")
    drawn = on_terminal("show", *options, columns=60)
    narrow, wide = plain(drawn), plain(on_terminal("show", *options, columns=200))

    assert "\x1b[1m" in drawn
    assert "Prompt 1 · 2026-03-04 20:13" in narrow
    assert "CLAUDE CODE SESSION TRANSCRIPT" not in narrow
    assert max(map(cell_len, narrow.splitlines())) <= 60
    assert narrow.split() == wide.split()


def test_markdown_on_a_terminal_is_the_file_as_it_is_written():
    drawn = plain(on_terminal("show", FRACTIONS, *SOURCE, "--format", "md"))

    assert drawn.startswith("# CLAUDE CODE SESSION TRANSCRIPT\n\n> ")


@pytest.mark.parametrize(
    "command", [["list"], ["show", FRACTIONS], ["tree", FRACTIONS], ["find", "cup"]]
)
def test_who_wants_no_colours_gets_none(command):
    pager = () if command[0] == "tree" else ("--no-pager",)
    assert "\x1b" in on_terminal(*command, *SOURCE, *pager)
    assert "\x1b" not in on_terminal(*command, *SOURCE, *pager, NO_COLOR="1")
    assert "\x1b" not in on_terminal(*command, *SOURCE, *pager, TERM="dumb")


def test_a_list_that_is_longer_than_the_terminal_is_paged():
    paged = {"PAGER": "sed s/^/paged:/"}

    short = on_terminal("list", "-n", "2", *SOURCE, **paged)
    long = on_terminal("list", *SOURCE, **paged)
    unpaged = on_terminal("list", "--no-pager", *SOURCE, **paged)

    assert "paged:" not in short
    assert long.count("paged:") > 24
    assert "paged:" not in unpaged


def test_a_list_may_be_cut_and_says_so():
    shown = on_terminal("list", "-n", "2", *SOURCE[:3])

    assert len(re.findall(r"^  \S*[0-9a-f]{8}", plain(shown), re.MULTILINE)) == 2
    assert "2 of 14 sessions shown" in shown
