"""Prose of a transcript as Markdown for a code host: its own markup, nothing that escapes.

It is parsed to know what is code and what is text; then the source is edited, line by line,
and parsed again as a code host would, HTML allowed. What is not provably harmless
afterwards is shown as plain text in a fence.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.render.markdown_escapes import CONTAINER, escape_row, escape_text
from everyleaf.render.markdown_text import fence, is_live

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

DEMOTED_BY = 2
"""A transcript's first-level heading becomes our third level: the first two are ours."""
MAX_CHARS = 400_000
MAX_BRACKETS = 3_000
"""Beyond this, parsers (ours, a code host's) take quadratic time: shown as plain text."""

_NEEDS_WORK = re.compile(
    r"<(?=[A-Za-z/!?])|\]\(|\]:|!\[|```|~~~"
    r"|(?m:^[ \t>*+.)0-9-]*+(?:\#{1,6}(?:[ \t]|$)|=++[ \t]*+$)|^[ \t>*+.)0-9-]*-[ \t]*+$)"
)
_ATX = re.compile(rf"({CONTAINER})(\#{{1,6}})(?=[ \t]|$)")
_PREFIX = re.compile(CONTAINER)
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_LINK_OR_HTML = re.compile(r"<|\]\(")


def _parser(*, allows_html: bool) -> MarkdownIt:
    # Slow to import, and most prose does without.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"html": allows_html, "maxNesting": 100})
    return parser.enable("table").enable("strikethrough")


@cache
def _structure() -> MarkdownIt:
    """Return a parser that is asked where blocks are, and for nothing else."""
    return _parser(allows_html=False).disable(["reference", "inline"])


@cache
def _blocks_of_host() -> MarkdownIt:
    return _parser(allows_html=True).disable("inline")


@cache
def _host() -> MarkdownIt:
    parser = _parser(allows_html=True)
    # A type checker sees a method; an instance attribute is what the parser documents.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return parser


def prose(text: str, *, keeps_breaks: bool = False) -> str:
    """Return `text` (Markdown) with the same look, and nothing that reaches beyond it.

    Raw HTML, definitions of links and footnotes, pictures and unsafe links become text;
    headings are demoted by two levels; an open fence is closed. With `keeps_breaks` every
    line break of a paragraph stays one.
    """
    text = text.rstrip()
    if not _NEEDS_WORK.search(text) and not keeps_breaks:
        return text
    if len(text) > MAX_CHARS or text.count("[") > MAX_BRACKETS:
        return fence(text, "text")
    return edit_prose(text, keeps_breaks=keeps_breaks) or fence(text, "text")


def edit_prose(text: str, *, keeps_breaks: bool) -> str | None:
    """Return what `prose` does by way of the parser; None if that would not be harmless."""
    if _is_deep(text):
        return None
    tokens = _structure().parse(text)
    edited = _edit(text.split("\n"), tokens, keeps_breaks=keeps_breaks)
    return edited if is_contained(edited) else None


def is_contained(text: str) -> bool:
    """Return whether all markup in `text` is harmless and ends with it, on a code host."""
    env: dict[str, object] = {}
    tokens = _blocks_of_host().parse(text, env)
    if env.get("references") or _open_fence(tokens, text.split("\n")):
        return False
    return all(map(_is_harmless, tokens)) and all(map(_is_harmless, _inline_tokens(tokens)))


def _is_harmless(token: Token) -> bool:
    if token.type in {"html_block", "html_inline", "image"}:
        return False
    if token.type == "heading_open":
        return int(token.tag[1]) > DEMOTED_BY
    return token.type != "link_open" or is_live(str(token.attrGet("href")))


def _inline_tokens(tokens: list[Token]) -> Iterator[Token]:
    """Yield what the text in `tokens` consists of, where it may hold HTML, links, pictures.

    Without definitions of links, all of these have one of two marks.
    """
    for token in tokens:
        if token.type == "inline" and _LINK_OR_HTML.search(token.content):
            for outer in _host().parseInline(token.content):
                yield from outer.children or ()


def _is_deep(text: str) -> bool:
    """Return whether a line opens so many quotes or lists that parsers slow down."""
    prefixes = (_PREFIX.match(line) for line in text.split("\n"))
    return any(len(found[0]) > 200 for found in prefixes if found)


def _edit(lines: list[str], tokens: list[Token], *, keeps_breaks: bool) -> str:
    """Return the lines with each block made harmless; fences and code stay as they are."""
    is_done = [False] * len(lines)
    for place in _places(tokens):
        for number in range(place.first, place.end):
            is_done[number] = True
        part = lines[place.first : place.end]
        lines[place.first : place.end] = _edit_block(place, part, keeps_breaks=keeps_breaks)
    # What the parser gave no place to (nested too deep for it) has no code in it for us.
    lines = [
        line if done else escape_text(line)
        for line, done in zip(lines, is_done, strict=True)
    ]
    closing = _open_fence(tokens, lines)
    return "\n".join([*lines, closing] if closing else lines)


class _Place(Struct, frozen=True):
    """Lines of one block: `kind` is the type of its token, `markup` as the parser says."""

    kind: str
    first: int
    end: int
    markup: str = ""


def _places(tokens: list[Token]) -> Iterator[_Place]:
    """Yield the blocks that hold text or code, in order; they never share a line."""
    table_end = 0
    for token in tokens:
        if token.map is None or token.map[0] < table_end:
            continue
        kinds = {"fence", "code_block", "table_open", "heading_open", "paragraph_open"}
        if token.type not in kinds:
            continue
        first, end = token.map
        if token.type in {"table_open", "heading_open"}:
            table_end = end
        yield _Place(token.type, first, end, token.markup)


def _edit_block(place: _Place, lines: list[str], *, keeps_breaks: bool) -> list[str]:
    match place.kind:
        case "fence" | "code_block":
            return lines
        case "table_open":
            return [escape_row(line) for line in lines]
        case "heading_open":
            return _demote(escape_text("\n".join(lines)).split("\n"), place.markup)
        case _:
            edited = escape_text("\n".join(lines)).split("\n")
            return _keep_breaks(edited) if keeps_breaks else edited


def _keep_breaks(lines: list[str]) -> list[str]:
    kept = [line if line.endswith(("\\", "  ")) else f"{line}  " for line in lines[:-1]]
    return [*kept, lines[-1]]


def _demote(lines: list[str], markup: str) -> list[str]:
    """Return a heading two levels lower; an underlined one gets hashes instead."""
    if markup.startswith("#"):
        lowered = "#" * min(6, len(markup) + DEMOTED_BY)
        return [_ATX.sub(rf"\g<1>{lowered}", lines[0], count=1), *lines[1:]]
    hashes = "#" * (DEMOTED_BY + (1 if markup == "=" else 2))
    titles = [_PREFIX.sub(rf"\g<0>{hashes} ", line, count=1) for line in lines[:-1]]
    return [*titles, _UNDERLINE.sub("", lines[-1]).rstrip()]


def _open_fence(tokens: list[Token], lines: list[str]) -> str:
    """Return what closes the last fence, if it reaches the end of the text unclosed."""
    if not tokens or tokens[-1].type != "fence" or tokens[-1].map is None:
        return ""
    first, end = tokens[-1].map
    markup = tokens[-1].markup
    last = lines[min(end, len(lines)) - 1].strip()
    is_closed = end - 1 > first and last == markup[0] * max(len(last), len(markup))
    return "" if is_closed else markup
