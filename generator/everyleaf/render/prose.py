"""Markdown of a transcript as HTML: nothing raw, nothing loaded, no dangerous links."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import escape

from everyleaf.render import prose_rules

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARS = 100_000
MAX_MARKS = 20_000
"""Beyond these, the parser takes seconds to make thousands of tiny elements of them."""
MAX_BRACKETS = 3_000
MAX_OPEN = 300
"""Each bracket that is never closed makes the parser look at the rest a hundred times."""
MAX_NESTING = 100
"""Levels of quotes and lists; the parser drops what is deeper, so that much is no prose."""

_NEEDS_PARSER = re.compile(
    r"[^\w\n ,.;:?!'\"()%/…“”-]|_|://"  # characters that may be markup
    r"|(?m:^[^\w\n]|^\d)"  # indented, or a marker of a list or a heading
    r"|(?m:[ ]$)"  # a hard break
)
_BLANK_LINES = re.compile(r"\n{2,}")


def render_prose(text: str, *, keeps_breaks: bool = False) -> str | None:
    """Return `text` (Markdown, visible characters only) as HTML; None: too hard to parse.

    Tables, task lists, strikethrough, footnotes and bare web addresses are drawn as on a
    code host. With `keeps_breaks` a line break stays one. Time is linear in `text`: what
    would take longer is refused.
    """
    if not _NEEDS_PARSER.search(text):
        return plain_paragraphs(text, keeps_breaks=keeps_breaks)
    if _is_too_hard(text):
        return None
    return parse_prose(text, keeps_breaks=keeps_breaks)


def _is_too_hard(text: str) -> bool:
    """Return whether parsing `text` could take more than about half a second."""
    opened = text.count("[")
    return (
        len(text) > MAX_CHARS
        or opened > MAX_BRACKETS
        or opened - text.count("]") > MAX_OPEN
        or sum(map(text.count, "*_~|<`\n")) > MAX_MARKS
    )


def plain_paragraphs(text: str, *, keeps_breaks: bool) -> str:
    """Return what `parse_prose` returns for text without markup, much faster."""
    text = text.strip("\n")
    if not text:
        return ""
    drawn = str(escape(text)).replace("&#34;", "&quot;").replace("&#39;", "'")
    paragraphs = _BLANK_LINES.split(drawn)
    if keeps_breaks:
        paragraphs = [paragraph.replace("\n", "<br>\n") for paragraph in paragraphs]
    return "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)


def parse_prose(text: str, *, keeps_breaks: bool) -> str | None:
    """Return `text` as HTML by way of the parser; None if it is nested too deeply."""
    parser = _parser(keeps_breaks=keeps_breaks)
    env: dict[str, object] = {}
    tokens = parser.parse(text, env)
    if any(map(_is_cut_off, tokens)):
        return None
    rendered: str = parser.renderer.render(tokens, parser.options, env)
    return rendered


def _is_cut_off(token: Token) -> bool:
    return token.block and token.level >= MAX_NESTING - 1


@lru_cache(maxsize=2)
def _parser(*, keeps_breaks: bool) -> MarkdownIt:
    # Slow to import, and most prose does without.
    from markdown_it import MarkdownIt  # noqa: PLC0415
    from mdit_py_plugins.footnote import footnote_plugin  # noqa: PLC0415

    options = {
        "html": False,
        "breaks": keeps_breaks,
        "xhtmlOut": False,
        "maxNesting": MAX_NESTING,
    }
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.use(footnote_plugin)
    prose_rules.install(parser)
    return parser
