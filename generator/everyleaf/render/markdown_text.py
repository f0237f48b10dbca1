"""Text from a transcript as inert Markdown: words, code spans, fences, links."""

from __future__ import annotations

import html
import re
from urllib.parse import quote

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
    line = _MARKUP.sub(_escape, one_line(text))
    marker = _LINE_MARKER.match(line) if starts_block else None
    if marker is None:
        return line
    return f"{line[: marker.end() - 1]}\\{line[marker.end() - 1 :]}"


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return {"<": "&lt;", "&": "&amp;"}.get(character, f"\\{character}")


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
