"""Lines of prose with no more than code spans and bold words, as HTML without the parser.

Most lines that people and models write are such lines, and the parser takes thirty times as
long for them. What is not provably one of them is left to it.
"""

from __future__ import annotations

import html
import re

_GAP = "\0"
"""Stands for a code span: the parser never lets a NUL through."""

_STRONG = re.compile(
    r"(?<![^\s])\*\*"  # opens at the beginning or after a blank …
    r"([^\s*](?:[^*]*[^\s*])?)"
    r"\*\*(?=[\s.,:;!?)]|\Z)"  # … and closes before a blank or an end of a phrase
)
_HARD = re.compile(
    r"[*\\]"
    r"|(?<![^\W_])_|_(?![^\W_])"  # not inside a word, where it is no markup
    r"|\]\(|\^\[|!\["
    r"|&[#A-Za-z]|~~|://"
    r"|[^\S \n]|[ ]$|^[ ]",  # odd blanks, hard breaks, indented lines
    re.MULTILINE,
)
_AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:|@")


def simple_inline(text: str) -> str | None:
    """Return the HTML of `text`, which has no block in it, or None: the parser must decide.

    There must be no definition of a link or a footnote in what `text` is taken from. Soft
    breaks stay line breaks. Linear in `text`.
    """
    pieces = text.split("`")
    if len(pieces) % 2 == 0 or "" in pieces[1:-1] or _GAP in text:
        return None
    outside = _GAP.join(pieces[::2])
    drawn = (
        _STRONG.sub(r"<strong>\1</strong>", _escaped(outside)) if "**" in outside else ""
    )
    if _HARD.search(_STRONG.sub(r"\1", outside) if drawn else outside):
        return None
    if "<" in outside and _AUTOLINK.search(text):
        return None
    plain = (drawn or _escaped(outside)).split(_GAP)
    codes = [_code(code) for code in pieces[1::2]]
    return "".join(part for pair in zip(plain, [*codes, ""], strict=True) for part in pair)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False).replace('"', "&quot;")


def _code(source: str) -> str:
    shown = source.replace("\n", " ")
    if shown[0] == shown[-1] == " " and shown.strip(" "):
        shown = shown[1:-1]
    return f"<code>{_escaped(shown)}</code>"
