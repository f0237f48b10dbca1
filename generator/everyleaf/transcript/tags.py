"""The tags that the CLI writes into texts, matched literally and never as XML.

Their content is not escaped and may hold `<`, so an opening tag ends at the next exact
closing tag. All functions take time linear in the text.
"""

from __future__ import annotations

import re

from msgspec import Struct

_OPENING = re.compile(r"<([A-Za-z][A-Za-z0-9_-]{0,63})((?:\s[^<>]{0,2000})?)>")
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w-]{0,63})=\"([^\"]{0,2000})\"")


class Tagged(Struct, frozen=True):
    """A tag with its content, somewhere in a text."""

    name: str
    body: str
    attributes: tuple[tuple[str, str], ...]
    start: int
    end: int
    """Where the closing tag ends in the text."""

    def attribute(self, name: str) -> str:
        """Return the attribute called `name`, or ""."""
        return next((value for key, value in self.attributes if key == name), "")


def read_tag(text: str, start: int = 0) -> Tagged | None:
    """Return the tag that opens exactly at `start`, if one does and it is closed."""
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    name = opening[1]
    closing = f"</{name}>"
    end = text.find(closing, opening.end())
    if end < 0:
        return None
    return Tagged(
        name=name,
        body=text[opening.end() : end],
        attributes=tuple((m[1], m[2]) for m in _ATTRIBUTE.finditer(opening[2])),
        start=start,
        end=end + len(closing),
    )


def leading_tag(text: str) -> Tagged | None:
    """Return the tag that `text` begins with, white space aside, or None."""
    return read_tag(text, len(text) - len(text.lstrip()))


def leading_tags(text: str) -> tuple[list[Tagged], str]:
    """Return the run of tags that `text` begins with, and the text behind them."""
    found: list[Tagged] = []
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        tag = read_tag(text, at)
        if tag is None:
            return found, text[at:]
        found.append(tag)
        at = tag.end


def tag_body(text: str, name: str) -> str | None:
    """Return the content of the first `<name>…</name>` in `text`, or None.

    >>> tag_body("<a>1</a><b>2</b>", "b")
    '2'
    """
    opening, closing = f"<{name}>", f"</{name}>"
    start = text.find(opening)
    if start < 0:
        return None
    start += len(opening)
    end = text.find(closing, start)
    return None if end < 0 else text[start:end]


def cut_tags(text: str, name: str) -> tuple[str, list[str]]:
    """Return `text` without its `<name>…</name>`, and their contents in order.

    A tag that is never closed stays in the text.
    """
    opening, closing = f"<{name}>", f"</{name}>"
    kept: list[str] = []
    bodies: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        kept.append(text[at:start])
        bodies.append(text[start + len(opening) : end])
        at = end + len(closing)
    if not bodies:
        return text, []
    kept.append(text[at:])
    return "".join(kept), bodies
