r"""What a search looks for: quickly in bytes as they are on disk, exactly in decoded text.

On disk a quote stands as `\"` and an `é` may stand as `\u00e9`. So only the longest piece
of the text that JSON leaves as it is, is looked for in the bytes; what that finds is
decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import islice

import regex
from msgspec import Struct

from everyleaf.records.text import as_list, as_object, as_text, content_blocks, said_in

PATTERN_SECONDS = 2.0
"""A regular expression may take so long for one text, then the search ends in an error."""
MOST_HITS = 50
"""Places of one text that are counted."""
DEEPEST = 12
"""Levels of a tool's input that are looked into."""

_SAFE = re.compile(r"[A-Za-z0-9 _.,:;()\[\]{}|=+*#@!?%$^~`-]+")
"""Characters that JSON writers leave alone; some escape `/`, `<`, `>`, `&` and `'`."""


class TooSlowError(Exception):
    """A regular expression took too long for one text."""


class Where(StrEnum):
    """Where in a conversation a text stands."""

    PROMPTS = "prompts"
    REPLIES = "replies"
    TOOLS = "tools"
    """What calls asked for, and what came back."""
    TITLES = "titles"
    OTHER = "other"
    """Thinking, summaries, notices: only with `--in all`."""


class Query(Struct, frozen=True):
    """A text or a regular expression, in whatever case unless `is_exact`."""

    text: str
    is_pattern: bool = False
    is_exact: bool = False
    wheres: frozenset[Where] = frozenset(Where)
    """What is looked through."""

    @property
    def forms(self) -> tuple[bytes, ...]:
        """Return lower-case bytes one of which each line must hold; none: any line may.

        What a line must hold that a regular expression fits is not known.
        """
        pieces = [] if self.is_pattern else sorted(_pieces(self.text), key=len)
        if not pieces:
            return ()
        piece = pieces[-1].lower()
        written = piece.encode("utf-8", "replace")
        return (written,) if piece.isascii() else (written, _json_escaped(piece))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where it stands in `text`, in order; empty matches count for nothing.

        Raises:
            TooSlowError: an expression takes longer than `PATTERN_SECONDS`.
        """
        if not self.is_pattern:
            flags = 0 if self.is_exact else re.IGNORECASE
            found = (each.span() for each in re.finditer(re.escape(self.text), text, flags))
            return list(islice(found, MOST_HITS))
        flags = regex.MULTILINE | (0 if self.is_exact else regex.IGNORECASE)
        try:
            places = regex.compile(self.text, flags).finditer(text, timeout=PATTERN_SECONDS)
            found = (each.span() for each in places if each.end() > each.start())
            return list(islice(found, MOST_HITS))
        except TimeoutError as error:
            raise TooSlowError from error


def check_pattern(text: str) -> str:
    """Return what is wrong with a regular expression; empty: nothing.

    >>> check_pattern("a(b")
    'missing ) at position 3'
    """
    try:
        regex.compile(text)
    except regex.error as error:
        return str(error)
    return ""


def _pieces(text: str) -> Iterator[str]:
    """Yield runs of safe characters, and runs of letters that have no other case."""
    yield from _SAFE.findall(text)
    run = ""
    for character in text:
        # Regular expressions fold more than `lower` does: the Kelvin sign fits "k".
        cases = {character.lower(), character.upper(), character.casefold()}
        if not character.isascii() and len(cases) == 1:
            run += character
        else:
            yield from filter(None, (run,))
            run = ""
    if run:
        yield run


def _json_escaped(text: str) -> bytes:
    r"""Return `text` with each character as `\uXXXX`, in lower case.

    >>> _json_escaped("日")
    b'\\u65e5'
    """
    units = text.encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return b"".join(b"\\u%02x%02x" % pair for pair in pairs)


class QueryHit(Struct, frozen=True):
    """A record that holds what is looked for."""

    line: int
    """1-based."""
    wheres: tuple[Where, ...]
    """What the texts are that hold it, each once."""
    count: int
    """How often it stands there."""


_TITLES = {
    "summary": "summary",
    "custom-title": "customTitle",
    "ai-title": "aiTitle",
    "agent-name": "agentName",
}
"""Type of a record that titles a session → the field with the title."""


def iter_texts(raw: dict[str, object]) -> Iterator[tuple[Where, str]]:
    """Yield the texts that a record says, in order; a tool's result once.

    A text of a user counts as a prompt here; whether it is one only the graph knows.
    """
    is_user = raw.get("type") in {"user", "attachment"}
    plain = Where.PROMPTS if is_user else Where.OTHER
    if raw.get("type") == "assistant":
        plain = Where.REPLIES
    for block in content_blocks(said_in(raw)):
        match block.get("type"):
            case "text":
                yield from _texts(block.get("text"), plain)
            case "thinking":
                yield from _texts(block.get("thinking"), Where.OTHER)
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                yield from _texts(block.get("name"), Where.TOOLS)
                yield from _strings(block.get("input"))
            case "tool_result" | "mcp_tool_result":
                for part in content_blocks(block.get("content")):
                    yield from _texts(part.get("text"), Where.TOOLS)
            case _:
                pass
    yield from _texts(raw.get("content"), Where.OTHER)
    titled = _TITLES.get(str(raw.get("type")), "")
    if titled != "summary":
        yield from _texts(raw.get("summary"), Where.OTHER)
    yield from _texts(raw.get(titled), Where.TITLES)


def _texts(value: object, where: Where) -> Iterator[tuple[Where, str]]:
    text = as_text(value)
    if text:
        yield where, text


def _strings(value: object, depth: int = 0) -> Iterator[tuple[Where, str]]:
    if depth > DEEPEST:
        return
    yield from _texts(value, Where.TOOLS)
    for item in as_list(value):
        yield from _strings(item, depth + 1)
    for item in (as_object(value) or {}).values():
        yield from _strings(item, depth + 1)
