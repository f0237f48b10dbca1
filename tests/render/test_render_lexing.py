"""Tokens: those of Pygments, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from pygments.lexers import get_lexer_by_name

from everyleaf.render.highlight import iter_tokens

LANGUAGES = [
    "python", "bash", "go", "js", "ts", "rust", "c", "yaml", "toml", "sql", "css", "html",
    "markdown", "make", "diff", "ruby", "java", "json", "console", "perl", "csharp",
]  # fmt: skip
WORDS = st.sampled_from([
    "def ", "class A:", "f'{x!r}", '"""', "'", '"', "\\", "\n", "\n    ", "\t", "# no",
    "//", "/*", "*/", "x", "Ab", "0x1f", "1.5e3", "(", ")", "{", "}", "[", "]", "$(",
    "${a}", "`",
    "<<EOF\n", "EOF\n", "return", "if", "=>", "->", "::", "&lt;", "<b>", "</b>", "@x", ";",
    "r'", "%s", "- a: ", "key = 1", "select ", "+a", "```py\n", "ä", "\x7f", " ", "=", "|",
])  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.lists(WORDS, max_size=30).map("".join))
@settings(max_examples=20, deadline=None)
def test_tokens_are_those_of_the_lexer(language: str, text: str):
    lexer = get_lexer_by_name(language)

    tokens = list(iter_tokens(lexer, text))

    assert tokens == [
        (kind, value) for _, kind, value in lexer.get_tokens_unprocessed(text)
    ]
