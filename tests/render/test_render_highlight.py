"""Source code in colour."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.render import highlight as module
from everyleaf.render.highlight import code_block, highlight
from render.drawn import parse, text_of

LANGUAGES = [
    "python",
    "json",
    "bash",
    "html",
    "diff",
    "console",
    "src/a.ts",
    "Makefile",
    "x",
]


@pytest.mark.parametrize("language", ["python", "src/worker.py", "py"])
def test_language_is_a_name_or_a_file(language: str):
    html = highlight("def f(): pass", language)

    assert html.startswith("<b>def</b> <span class=f>f</span>")


@pytest.mark.parametrize("language", ["", "no-such-language", "notes.unknown"])
def test_unknown_language_stays_plain(language: str):
    html = highlight("a < b", language)

    assert html == "a &lt; b"


@pytest.mark.parametrize(
    "text",
    ["x = 1\n" * (module.MAX_LINES + 1), "x" * (module.MAX_LINE_CHARS + 1), "1 " * 10_001],
)
def test_text_beyond_the_bounds_stays_plain(text: str):
    assert highlight(text, "python") == text


@given(
    st.text(alphabet="ab=\"'#</>&\n\t {}[]:1$-@\\", max_size=80), st.sampled_from(LANGUAGES)
)
@settings(deadline=None)
def test_text_stays_what_it_was(text: str, language: str):
    body = parse(f"<pre><code>{highlight(text, language)}</code></pre>")

    assert text_of(body) == text


@given(st.text(alphabet="ab\"'#\n", max_size=60))
@settings(deadline=None)
def test_each_line_can_stand_alone(text: str):
    lines = highlight(text, "python").split("\n")

    assert len(lines) == text.count("\n") + 1
    assert all(line.count("<span") == line.count("</span>") for line in lines)


def test_numbers_are_not_part_of_the_text():
    html = code_block("a\nb\n", first_line=9)

    assert text_of(parse(html)).strip() == "a\nb"
    assert "data-n=9>" in html
    assert "data-n=10>" in html
    assert "data-n=11>" not in html


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x" * 81, (True, False)),
        ("x\n" * 9 + "x" * 81, (False, True)),
        ("x\n" * 9 + "x" * 80, (False, False)),
        ("x" * 40, (False, False)),
    ],
)
def test_a_few_wide_lines_are_wrapped_and_more_of_them_reached_by_keyboard(
    text: str, told: tuple[bool, bool]
) -> None:
    drawn = code_block(text)

    assert (' wrapped"' in drawn, "tabindex=0" in drawn) == told


def test_only_a_plain_language_name_becomes_a_label():
    assert 'data-lang="python"' in code_block("x", "python")
    assert "data-lang" not in code_block("x", '"><b>')
