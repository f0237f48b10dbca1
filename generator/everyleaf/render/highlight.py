"""Source code as HTML with a class for each kind of token, and never a style."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import escape
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

from everyleaf.render.lexers import find_lexer
from everyleaf.render.lexing import iter_tokens

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MAX_LINES = 200
MAX_CHARS = 20_000
MAX_LINE_CHARS = 2_000
"""Beyond any of these, text stays plain: nobody reads it in colour, and lexers are slow."""

_SPECIAL = re.compile("[&<>\"']")

_CLASSES: dict[tuple[str, ...], str] = {
    Comment: "c",
    Keyword: "k",
    Operator.Word: "k",
    String: "s",
    Number: "m",
    Keyword.Constant: "m",
    Name.Constant: "m",
    Name.Function: "f",
    Name.Decorator: "f",
    Name.Class: "t",
    Name.Exception: "t",
    Name.Tag: "t",
    Name.Builtin: "b",
    Name.Attribute: "b",
    Name.Variable: "b",
    Generic.Deleted: "gd",
    Generic.Inserted: "gi",
    Generic.Heading: "gh",
    Generic.Subheading: "gh",
    Generic.Prompt: "c",
}
"""What the theme tells apart; other tokens get no element, which halves the HTML."""


def highlight(text: str, language: str) -> str:
    """Return `text` as HTML, in colour where `language` is known and the bounds allow it.

    `language` is the name of a lexer or of a file. The text of the HTML equals `text`.
    """
    if not language or not _is_small(text):
        return str(escape(text))
    return _highlight(text, language)


def highlight_lines(text: str, language: str) -> list[str]:
    """Return the lines of `text` as HTML, without their breaks; no element spans two."""
    return highlight(text, language).split("\n")


def _is_small(text: str) -> bool:
    if len(text) > MAX_CHARS or text.count("\n") >= MAX_LINES:
        return False
    return max(map(len, text.split("\n"))) <= MAX_LINE_CHARS


@lru_cache(maxsize=256)
def _highlight(text: str, language: str) -> str:
    lexer = _lexer(language)
    if lexer is None:
        return str(escape(text))
    pieces = _pieces(lexer, text)
    if "".join([value for _, value in pieces]) != text:
        return str(escape(text))
    return "".join([_element(css_class, value) for css_class, value in pieces])


def _pieces(lexer: Lexer, text: str) -> list[tuple[str, str]]:
    """Return `text` cut where its class changes, as (class, text)."""
    pieces: list[tuple[str, str]] = []
    before, values = "", list[str]()
    known: dict[tuple[str, ...], str] = {}
    for kind, value in iter_tokens(lexer, text):
        css_class = known.get(kind)
        if css_class is None:
            css_class = known[kind] = _css_class(kind)
        if css_class != before:
            pieces.append((before, "".join(values)))
            before, values = css_class, []
        values.append(value)
    return [*pieces, (before, "".join(values))]


def _element(css_class: str, value: str) -> str:
    """Return `value` in one element a line, so that lines can be told apart afterwards."""
    # Asking first is cheap, and few tokens have anything to escape.
    drawn = str(escape(value)) if _SPECIAL.search(value) else value
    if not css_class:
        return drawn
    if "\n" not in drawn:
        return f'<span class="{css_class}">{drawn}</span>' if drawn else ""
    return "\n".join(
        f'<span class="{css_class}">{line}</span>' if line else ""
        for line in drawn.split("\n")
    )


@lru_cache(maxsize=256)
def _css_class(kind: tuple[str, ...]) -> str:
    ancestors = (kind[:length] for length in range(len(kind), 0, -1))
    return next((_CLASSES[kind] for kind in ancestors if kind in _CLASSES), "")


@lru_cache(maxsize=1024)
def _lexer(language: str) -> Lexer | None:
    """Return a lexer for a name; none that guesses from the text."""
    lexer_class = find_lexer(language)
    return lexer_class() if lexer_class else None
