"""Tools that nobody has heard of: what was asked as a table, what came back as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Code, Fold, Table
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.values import (
    as_cell,
    as_json,
    as_objects,
    parse_json,
    word_at,
)
from everyleaf.transcript.words import count_lines, counted, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject, JsonValue
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
_SHORT_CELL = 80
_INDENTED_LIMIT = 200_000
"""Longest JSON that is parsed and put into tables, in characters."""
_FOLDS_LIMIT = 50
"""Longest list that is drawn item by item."""


def telling_argument(arguments: JsonObject) -> str:
    """Return the argument that says best what a call is about, on one line, or ""."""
    words = (one_line(word_at(arguments, key)) for key in TELLING_KEYS)
    return next((found for found in words if found), "")


def argument_parts(arguments: JsonObject, *, depth: int = 0) -> tuple[Part, ...]:
    """Return `arguments` as a table, with what is long or has several lines below it.

    Structures in it are JSON, unless `depth` allows for tables in the table.
    """
    rows: list[tuple[str, ...]] = []
    long: list[Part] = []
    for name, value in arguments.items():
        shown = as_cell(value)
        is_structure = isinstance(value, list | dict) and bool(value)
        if is_structure and depth and not _is_flat(value):
            long.append(Fold(name, value_parts(value, depth=depth - 1), is_open=True))
        elif is_structure and not _is_flat(value):
            long.append(Code(as_json(value), language="json", caption=name))
        elif len(shown) > _CELL_LIMIT or "\n" in shown.strip():
            long.append(Code(shown, caption=name))
        else:
            rows.append((name, _flat(value)))
    table: tuple[Part, ...] = (Table(tuple(rows)),) if rows else ()
    return (*table, *long)


def _is_flat(value: JsonValue) -> bool:
    """Return whether `value` is a short list of texts and numbers: one cell."""
    return (
        isinstance(value, list)
        and not any(isinstance(item, list | dict) for item in value)
        and len(as_cell(value)) <= _CELL_LIMIT
    )


def _flat(value: JsonValue) -> str:
    return ", ".join(map(as_cell, value)) if isinstance(value, list) else as_cell(value)


def short_cell(value: JsonValue) -> str:
    """Return `value` as a few words on one line; empty where it takes more than that."""
    is_structure = isinstance(value, list | dict) and not _is_flat(value)
    shown = "" if is_structure else _flat(value)
    return shown if len(shown) <= _SHORT_CELL and "\n" not in shown else ""


def text_parts(text: str) -> tuple[Part, ...]:
    """Return a result's text: preformatted, or as tables where it is JSON."""
    if not text.strip():
        return ()
    value = _read_json(text)
    return (Code(text),) if value is None else value_parts(value)


def _read_json(text: str) -> JsonValue:
    """Return the object or list that `text` is, if it is not too large to be one."""
    is_json = text.lstrip()[:1] in {"{", "["} and text.rstrip()[-1:] in {"}", "]"}
    if not is_json or len(text) > _INDENTED_LIMIT:
        return None
    body = text.strip()
    value, end = parse_json(body)
    return value if end == len(body) else None


def value_parts(value: JsonValue, *, depth: int = 2) -> tuple[Part, ...]:
    """Return a structure as tables of its fields; `depth` levels, then as JSON.

    A list of objects becomes a fold an object, named by what tells most of it.
    """
    if isinstance(value, dict) and value:
        return argument_parts(value, depth=depth)
    objects = as_objects(value)
    if not objects or objects != value or depth < 1 or len(objects) > _FOLDS_LIMIT:
        return (Code(as_json(value), language="json"),)
    return tuple(
        Fold(
            telling_argument(one) or f"item {number}",
            value_parts(one, depth=depth - 1),
        )
        for number, one in enumerate(objects, start=1)
    )


def size_words(text: str) -> str:
    """Return how long a result is, for the line that sums a call up."""
    if text.lstrip()[:1] in {"{", "["}:
        return f"{len(text):,} characters"
    lines = count_lines(text)
    return counted(lines, "line") if lines > 1 else one_line(text, limit=60)


def asked(call: Call) -> Asked:
    """Return the arguments of any tool."""
    parts = argument_parts(call.input)
    return Asked(telling_argument(call.input), parts, is_whole=True)


def answered(call: Call) -> Answered:
    """Return the result of any tool: its text, else whatever structure was recorded."""
    if call.text.strip() or call.media:
        parts = (*text_parts(call.text), *call.media)
        return Answered(text=size_words(call.text), parts=parts)
    if isinstance(call.result, dict | list) and call.result:
        return Answered(parts=value_parts(call.result))
    words = call.result if isinstance(call.result, str) else ""
    return Answered(text=size_words(words), parts=text_parts(words))


GENERIC = Tool((), asked, answered=answered)
