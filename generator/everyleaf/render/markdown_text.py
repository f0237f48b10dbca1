"""Text and prose of a transcript as Markdown for a code host: nothing in it escapes.

Words, code spans, fences and links are made inert. Prose keeps its own markup: it is parsed
to know what is code and what is text; then the source is edited, line by line, and parsed
again as a code host would, HTML allowed. What is not provably harmless afterwards is shown
as plain text in a fence.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from everyleaf.grouping import grouped
from everyleaf.render.prose import MAX_NESTING, known_tokens

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_MARKUP = re.compile(
    r"[\\`*\[\]$]"  # always markup
    r"|(?<![^\W_])_|_(?![^\W_])"  # not inside a word, where it is none
    r"|<(?=[A-Za-z/!?])"
    r"|~(?=~)|(?<=~)~"
    r"|&(?=#|\w+;)"
)
_LINE_MARKER = re.compile(r"[-+=#>]|[0-9]{1,9}[.)]")
_RUNS = re.compile(r"`+")
_LANGUAGE = re.compile(r"[A-Za-z0-9+#_-]{1,30}")
_LIVE_URL = re.compile(r"(?i)https?://|mailto:|#")


def is_live(url: str) -> bool:
    """Return whether a link of a transcript may work: web, mail, or on the page."""
    return _LIVE_URL.match(url) is not None


def one_line(text: str) -> str:
    """Return `text` without line breaks; what stands around them becomes one space."""
    return " ".join(filter(None, map(str.strip, text.split("\n"))))


def literal(text: str, *, starts_block: bool = False) -> str:
    r"""Return Markdown that shows `text` as it is, on one line.

    `starts_block` says that nothing stands before it in its paragraph or list item.

    >>> literal("a <b> *c* snake_case")
    'a &lt;b> \\*c\\* snake_case'
    """
    line = _MARKUP.sub(lambda sign: _ENTITIES.get(sign[0], f"\\{sign[0]}"), one_line(text))
    marker = _LINE_MARKER.match(line) if starts_block else None
    if marker is None:
        return line
    return f"{line[: marker.end() - 1]}\\{line[marker.end() - 1 :]}"


def code_span(text: str) -> str:
    """Return `text` as inline code, on one line; nothing where there is nothing."""
    line = one_line(text)
    if not line:
        return ""
    ticks = "`" * (_longest_run(line) + 1) if "`" in line else "`"
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str, language: str = "") -> str:
    """Return `text` as a fenced block that nothing inside can close.

    `language` may be a file name; what is no plain word is left out.
    """
    ticks = "`" * max(3, _longest_run(text) + 1)
    name = language.rsplit("/", 1)[-1].rsplit(".", 1)[-1]
    info = name if _LANGUAGE.fullmatch(name) else ""
    body = text.rstrip("\n")
    return f"{ticks}{info}\n{body}\n{ticks}" if body else f"{ticks}{info}\n{ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, _RUNS.findall(text)), default=0)


def link(text: str, url: str) -> str:
    """Return a link where the scheme of `url` is allowed, else both as text."""
    if not is_live(url):
        shown = literal(text, starts_block=True)
        return f"{shown} ({code_span(url)})" if url != text else shown
    return f"[{literal(text)}](<{quote(one_line(url), safe=_URL_SAFE)}>)"


_URL_SAFE = "!#$%&'()*+,/:;=?@[]~"
"""What may stand in an address between angle brackets; `%` keeps what is quoted already."""


def in_html(text: str) -> str:
    """Return `text` for the inside of an HTML tag that we write, on one line."""
    return html.escape(one_line(text), quote=False)


def cell(text: str) -> str:
    """Return `text` for a table cell: no pipe ends it, line breaks are kept as `<br>`."""
    lines = (literal(line).replace("|", "\\|") for line in text.strip("\n").split("\n"))
    return "<br>".join(lines)


DEMOTED_BY = 2
"""A transcript's first-level heading becomes our third level: the first two are ours."""
MAX_CHARS = 400_000
MAX_BRACKETS = 3_000
"""Beyond this, parsers (ours, a code host's) take quadratic time: shown as plain text."""

CONTAINER = r"(?:[ \t>]|[-*+](?=[ \t])|[0-9]{1,9}[.)](?=[ \t]))*"
"""What may stand before the first block of a line: quotes, bullets, numbers."""
_RETURN = re.compile(r"\r(?!\n)")
"""Ends a line in Markdown, as a line feed does."""
_DEFINITION = re.compile(rf"(?m)^({CONTAINER})\[(?=(?:[^\[\]\\]|\\.){{1,999}}\]:)")
_DEFINED = re.compile(r"\]:|\[\^|\^\[")
_MARKS = re.compile(r"\\[\s\S]|`+|<(?=[A-Za-z/!?])|!\[|\]\(")
_AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^\s<>`|]*>")
_TARGET = re.compile(r"\]\(\s*<?([^\s)>]{0,20})")
"""As much of where a link leads as tells whether it may work."""
_CELL_END = re.compile(r"((?:[^|\\]|\\.)*)(\|?)", re.DOTALL)
_NEEDS_WORK = re.compile(
    r"<(?=[A-Za-z/!?])|\]\(|\]:|!\[|```|~~~"
    r"|(?m:^[ \t>*+.)0-9-]*+(?:\#{1,6}(?:[ \t]|$)|=++[ \t]*+$)|^[ \t>*+.)0-9-]*-[ \t]*+$)"
)
_ATX = re.compile(rf"({CONTAINER})(\#{{1,6}})(?=[ \t]|$)")
_PREFIX = re.compile(CONTAINER)
_DEEPEST = 200
"""Characters that open quotes and lists on a line; with more, parsers slow down."""
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_LINK_OR_HTML = re.compile(r"<|\]\(")
_HOLDERS = frozenset(
    {"fence", "code_block", "table_open", "heading_open", "paragraph_open"}
)


@cache
def _parser(*, has_blocks_alone: bool = True, allows_html: bool = True) -> MarkdownIt:
    # Slow to import, and few commands draw prose.
    from markdown_it import MarkdownIt  # noqa: PLC0415

    parser = MarkdownIt("commonmark", {"html": allows_html, "maxNesting": MAX_NESTING})
    # A type checker sees a method; an instance attribute is what the parser documents.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    if has_blocks_alone:
        parser.disable("inline" if allows_html else ["inline", "reference"])
    return parser.enable(["table", "strikethrough"])


def prose(text: str, *, keeps_breaks: bool = False) -> str:
    """Return `text` (Markdown) with the same look, and nothing that reaches beyond it.

    Raw HTML, definitions of links and footnotes, pictures and unsafe links become text;
    headings are demoted by two levels; an open fence is closed. With `keeps_breaks` every
    line break of a paragraph stays one.
    """
    text = _RETURN.sub("\n", text.rstrip())
    if not _NEEDS_WORK.search(text) and not (keeps_breaks and "\n" in text):
        return text
    if len(text) > MAX_CHARS or text.count("[") > MAX_BRACKETS:
        return fence(text, "text")
    return edit_prose(text, keeps_breaks=keeps_breaks) or fence(text, "text")


def edit_prose(text: str, *, keeps_breaks: bool) -> str | None:
    """Return what `prose` does by way of the parser; None if that would not be harmless."""
    prefixes = (_PREFIX.match(line) for line in text.split("\n"))
    if any(len(found[0]) > _DEEPEST for found in prefixes if found):
        return None
    # A page has definitions and footnotes: without any, what was parsed for it serves here.
    known = None if _DEFINED.search(text) else known_tokens(text)
    tokens = known or _parser(allows_html=False).parse(text)
    edited = _edit(text.split("\n"), tokens, keeps_breaks=keeps_breaks)
    return edited if is_contained(edited) else None


def is_contained(text: str) -> bool:
    """Return whether all markup in `text` is harmless and ends with it, on a code host."""
    env: dict[str, object] = {}
    tokens = _parser().parse(text, env)
    if env.get("references") or _open_fence(tokens, text.split("\n")):
        return False
    return all(map(_is_harmless, tokens)) and all(map(_is_harmless, _inline_tokens(tokens)))


def _is_harmless(token: Token) -> bool:
    if token.type in {"html_block", "html_inline", "image"}:
        return False
    if token.type == "heading_open":
        return int(token.tag[1]) > DEMOTED_BY
    return token.type != "link_open" or is_live(str(token.attrGet("href")))


def _inline_tokens(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield what the text in `tokens` consists of, where it may hold HTML, links, pictures.

    Without definitions of links, all of these have one of two marks.
    """
    for token in tokens:
        if token.type == "inline" and _LINK_OR_HTML.search(token.content):
            for outer in _parser(has_blocks_alone=False).parseInline(token.content):
                yield from outer.children or ()


def _edit(lines: list[str], tokens: Sequence[Token], *, keeps_breaks: bool) -> str:
    """Return the lines with each block made harmless; fences and code stay as they are."""
    # What the parser gives no place to (nested too deep for it) has no code in it for us.
    placeless = set(range(len(lines)))
    end = 0
    for token in tokens:
        # Blocks that hold text or code never share a line, but for those in a table.
        if token.type not in _HOLDERS or token.map is None or token.map[0] < end:
            continue
        first, end = token.map
        placeless.difference_update(range(first, end))
        if token.type == "table_open":
            lines[first:end] = map(escape_row, lines[first:end])
        elif token.type in {"heading_open", "paragraph_open"}:
            block = escape_text("\n".join(lines[first:end])).split("\n")
            if token.type == "heading_open":
                block = _demote(block, token.markup)
            elif keeps_breaks:
                block[:-1] = [
                    line if line.endswith(("\\", "  ")) else f"{line}  "
                    for line in block[:-1]
                ]
            lines[first:end] = block
    for number in placeless:
        lines[number] = escape_text(lines[number])
    closing = _open_fence(tokens, lines)
    return "\n".join([*lines, closing] if closing else lines)


def _demote(lines: list[str], markup: str) -> list[str]:
    """Return a heading two levels lower; an underlined one gets hashes instead."""
    if markup.startswith("#"):
        lowered = "#" * min(6, len(markup) + DEMOTED_BY)
        return [_ATX.sub(rf"\g<1>{lowered}", lines[0], count=1), *lines[1:]]
    hashes = "#" * (DEMOTED_BY + (1 if markup == "=" else 2))
    titles = [_PREFIX.sub(rf"\g<0>{hashes} ", line, count=1) for line in lines[:-1]]
    return [*titles, _UNDERLINE.sub("", lines[-1]).rstrip()]


def _open_fence(tokens: Sequence[Token], lines: list[str]) -> str:
    """Return what closes the last fence, if it reaches the end of the text unclosed."""
    if not tokens or tokens[-1].type != "fence" or tokens[-1].map is None:
        return ""
    first, end = tokens[-1].map
    markup = tokens[-1].markup
    last = lines[min(end, len(lines)) - 1].strip()
    is_closed = end - 1 > first and last == markup[0] * max(len(last), len(markup))
    return "" if is_closed else markup


def escape_row(line: str) -> str:
    """Return a table row made harmless cell by cell: code never runs across a pipe."""
    return "".join(escape_text(cell) + end for cell, end in _CELL_END.findall(line))


def escape_text(text: str) -> str:
    """Return inline Markdown made harmless outside its code spans. Near-linear."""
    text = _DEFINITION.sub(r"\1\\[", text)
    runs = grouped((len(run[0]), run.start()) for run in _RUNS.finditer(text))
    pieces: list[str] = []
    at = 0
    while mark := _MARKS.search(text, at):
        pieces.append(text[at : mark.start()])
        if mark[0].startswith("`"):
            at = _code_end(mark, runs)
            pieces.append(text[mark.start() : at])
        else:
            piece, at = _escape_mark(text, mark)
            pieces.append(piece)
    pieces.append(text[at:])
    return "".join(pieces)


def _code_end(mark: re.Match[str], runs: dict[int, list[int]]) -> int:
    """Return where the code span ends that `mark` opens, or the end of `mark` itself."""
    starts = runs.get(len(mark[0]), [])
    index = bisect_right(starts, mark.end())
    # A run right behind the mark would be a part of it, so `>` and `>=` are the same here.
    return starts[index] + len(mark[0]) if index < len(starts) else mark.end()


def _escape_mark(text: str, mark: re.Match[str]) -> tuple[str, int]:
    """Return what stands for `mark`, and where to go on."""
    match mark[0]:
        case "<":
            autolink = _AUTOLINK.match(text, mark.start())
            return (autolink[0], autolink.end()) if autolink else ("&lt;", mark.end())
        case "![":
            return "\\![", mark.end()
        case "](":
            target = _TARGET.match(text, mark.start())
            is_safe = target is not None and is_live(target[1])
            return ("](" if is_safe else "]\\(", mark.end())
        case escaped:
            return escaped, mark.end()
