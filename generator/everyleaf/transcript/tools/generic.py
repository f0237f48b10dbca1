"""Tools that nobody has heard of: what was asked as a table, what came back as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Code, Table
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.values import as_cell, as_json, parse_json, word_at
from everyleaf.transcript.words import count_lines, counted, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

TELLING_KEYS = (
    "title",
    "description",
    "subject",
    "summary",
    "file_path",
    "path",
    "url",
    "command",
    "query",
    "pattern",
    "name",
    "message",
    "prompt",
    "text",
    "id",
)
"""Arguments that say in one line what a call is about, the most telling first."""

_CELL_LIMIT = 200
_INDENTED_LIMIT = 200_000
"""Longest JSON that is parsed and indented, in characters."""


def telling_argument(arguments: JsonObject) -> str:
    """Return the argument that says best what a call is about, on one line, or ""."""
    words = (one_line(word_at(arguments, key)) for key in TELLING_KEYS)
    return next((found for found in words if found), "")


def argument_parts(arguments: JsonObject) -> tuple[Part, ...]:
    """Return `arguments` as a table, with what is long or has several lines below it."""
    rows: list[tuple[str, ...]] = []
    long: list[Part] = []
    for name, value in arguments.items():
        if isinstance(value, list | dict):
            shown, language = as_json(value), "json"
        else:
            shown, language = as_cell(value), ""
        if len(shown) > _CELL_LIMIT or "\n" in shown.strip():
            long.append(Code(shown, language=language, caption=name))
        else:
            rows.append((name, as_cell(value)))
    table: tuple[Part, ...] = (Table(tuple(rows)),) if rows else ()
    return (*table, *long)


def text_parts(text: str) -> tuple[Part, ...]:
    """Return a result's text as preformatted text, marked as JSON and indented if it is."""
    if not text.strip():
        return ()
    indented = _indented(text)
    return (Code(text),) if indented is None else (Code(indented, language="json"),)


def _indented(text: str) -> str | None:
    """Return `text` with one value a line if it is JSON, and not too large for that."""
    is_json = text.lstrip()[:1] in {"{", "["} and text.rstrip()[-1:] in {"}", "]"}
    if not is_json or len(text) > _INDENTED_LIMIT:
        return None
    body = text.strip()
    value, end = parse_json(body)
    return as_json(value) if end == len(body) else None


def size_words(text: str) -> str:
    """Return how long a result is, for the line that sums a call up."""
    if text.lstrip()[:1] in {"{", "["}:
        return f"{len(text):,} characters"
    lines = count_lines(text)
    return counted(lines, "line") if lines > 1 else one_line(text, limit=60)


def asked(call: Call) -> Asked:
    """Return the arguments of any tool."""
    return Asked(telling_argument(call.input), argument_parts(call.input))


def answered(call: Call) -> Answered:
    """Return the result of any tool: its text, else whatever structure was recorded."""
    if call.text.strip() or call.media:
        parts = (*text_parts(call.text), *call.media)
        return Answered(text=size_words(call.text), parts=parts)
    if isinstance(call.result, dict | list) and call.result:
        return Answered(parts=(Code(as_json(call.result), language="json"),))
    words = call.result if isinstance(call.result, str) else ""
    return Answered(text=size_words(words), parts=text_parts(words))


GENERIC = Tool((), asked, answered=answered)
