"""A tool call and the card that shows it, a row of the table, and how values are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from everyleaf.records.schema import JsonObject, JsonValue
from everyleaf.transcript import content, document as doc
from everyleaf.transcript.testruns import TestRun
from everyleaf.transcript.words import count_lines, counted, one_line, short_file

TELLING_KEYS = (
    *("title", "description", "subject", "summary", "file_path", "path", "url", "command"),
    *("query", "pattern", "name", "message", "prompt", "text", "id"),
)
"""Arguments that say in one line what a call is about, the most telling first."""
_CELL_LIMIT = 200
_SHORT_CELL = 80
_INDENTED_LIMIT = 200_000
"""Longest JSON that is parsed and put into tables, in characters."""
_FOLDS_LIMIT = 50
"""Longest list that is drawn item by item."""


class Call(Struct, frozen=True, kw_only=True):
    """A call as it was made, with whatever was recorded of its result."""

    uuid: str = ""
    at: str = ""
    tool_use_id: str = ""
    name: str
    input: content.Json
    folder: str = ""
    """Where the CLI stood when the call was made."""
    outcome: doc.Outcome = doc.Outcome.MISSING
    text: str = ""
    """The result's text, without reminders and wrappers."""
    media: doc.Parts = ()
    """What else the result holds: pictures, documents, blocks of unknown type."""
    result: content.Json = content.Json()
    """The record's `toolUseResult`: structured, a text, or None."""
    structured: JsonValue = None
    """Structured content that an MCP server sent along."""
    tasks: tuple[doc.Task, ...] = ()
    """The task list as it was before the call."""

    @property
    def is_done(self) -> bool:
        """Return whether the call ended well."""
        return self.outcome is doc.Outcome.OK

    def short(self, file: str) -> str:
        """Return the name of a file as seen from the working folder, on one line."""
        return one_line(short_file(file, self.folder))


class Card(Struct, frozen=True):
    """What a call shows.

    What came of it counts for results alone, for failed ones if the tool `reads_errors`.
    """

    target: str = ""
    """What on, in one line."""
    text: str = ""
    """How it ended, in a few words."""
    parts: doc.Parts = ()
    """What came of it."""
    asked: doc.Parts = ()
    """What was asked for beside `target`."""
    outcome: doc.Outcome | None = None
    """Set where the tool knows better than the result's error flag."""
    duration_ms: int | None = None
    agent_id: str | None = None
    changes: tuple[doc.FileChange, ...] = ()
    commits: tuple[doc.Commit, ...] = ()
    tests: TestRun | None = None
    """What a test run said, if it was one."""
    about: str = ""
    """What a command does, in the model's words."""
    tasks: tuple[doc.Task, ...] | None = None
    """The task list after the call; None: as before."""


Told: TypeAlias = "Callable[[JsonValue], bool]"


class Tool(Struct, frozen=True):
    """How the calls of a tool are shown: a row of the table."""

    names: tuple[str, ...]
    draw: Callable[[Call], Card]
    """`plain_card` for a tool that has nothing of its own, given what its calls are on."""
    draws: tuple[str, ...] = ()
    """Fields of the input, on any level, whose texts are drawn as they are; a text that is
    not found in what was drawn is listed, and so is every other field."""
    told: Mapping[str, Told] = {}
    """Fields that are told in other words, with which values of them are."""
    is_whole: bool = False
    """All of the input is drawn, whatever it is."""
    reads_errors: bool = False
    reads_tasks: bool = False
    """What is shown depends on the task list as it was before the call."""


def plain_card(call: Call, target: str | None = None, asked: doc.Parts = ()) -> Card:
    """Return a result that is a text, as it is; where there is none, what was recorded.

    The line says `target`, else the argument that tells most.
    """
    target = telling(call.input.raw) if target is None else target
    if call.text.strip() or call.media:
        parts = (*text_parts(call.text), *call.media)
        return Card(target, size_words(call.text), parts, asked)
    result = call.result.raw
    if isinstance(result, dict | list) and result:
        return Card(target, "", value_parts(result), asked)
    words = result if isinstance(result, str) else ""
    return Card(target, size_words(words), text_parts(words), asked)


def is_switch(value: JsonValue) -> bool:
    """Return whether `value` is true or false."""
    return isinstance(value, bool)


def is_number(value: JsonValue) -> bool:
    """Return whether `value` is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_among(*words: str) -> Told:
    """Return what tells whether a value is one of `words`."""
    return lambda value: isinstance(value, str) and value in words


def telling(arguments: JsonValue) -> str:
    """Return the argument that says best what a call is about, on one line, or ""."""
    words = (one_line(content.Json(arguments).word(key)) for key in TELLING_KEYS)
    return next((found for found in words if found), "")


def argument_parts(arguments: JsonObject, *, depth: int = 0) -> doc.Parts:
    """Return `arguments` as a table, with what is long or has several lines below it.

    Structures in it are JSON, unless `depth` allows for tables in the table.
    """
    rows: list[tuple[str, ...]] = []
    long: list[doc.Part] = []
    for name, value in arguments.items():
        shown = content.as_cell(value)
        is_structure = isinstance(value, list | dict) and bool(value)
        if is_structure and depth and not _is_flat(value):
            long.append(doc.Fold(name, value_parts(value, depth=depth - 1), is_open=True))
        elif is_structure and not _is_flat(value):
            long.append(doc.Code(content.as_json(value), language="json", caption=name))
        elif len(shown) > _CELL_LIMIT or "\n" in shown.strip():
            long.append(doc.Code(shown, caption=name))
        else:
            rows.append((name, _flat(value)))
    return (doc.Table(tuple(rows)), *long) if rows else tuple(long)


def _is_flat(value: JsonValue) -> bool:
    """Return whether `value` is a short list of texts and numbers: one cell."""
    return (
        isinstance(value, list)
        and not any(isinstance(item, list | dict) for item in value)
        and len(content.as_cell(value)) <= _CELL_LIMIT
    )


def _flat(value: JsonValue) -> str:
    values = value if isinstance(value, list) else [value]
    return ", ".join(map(content.as_cell, values))


def short_cell(value: JsonValue) -> str:
    """Return `value` as a few words on one line; empty where it takes more than that."""
    is_structure = isinstance(value, list | dict) and not _is_flat(value)
    shown = "" if is_structure else _flat(value)
    return shown if len(shown) <= _SHORT_CELL and "\n" not in shown else ""


def text_parts(text: str) -> doc.Parts:
    """Return a result's text: preformatted, or as tables where it is JSON."""
    body = text.strip()
    is_json = body[:1] in {"{", "["} and body[-1:] in {"}", "]"}
    if is_json and len(text) <= _INDENTED_LIMIT:
        value, end = content.parse_json(body)
        if end == len(body):
            return value_parts(value)
    return content.code(text)


def value_parts(value: JsonValue, *, depth: int = 2) -> doc.Parts:
    """Return a structure as tables of its fields; `depth` levels, then as JSON.

    A list of objects becomes a fold an object, named by what tells most of it.
    """
    if isinstance(value, dict) and value:
        return argument_parts(value, depth=depth)
    objects = [one.fields for one in content.objects_in(value)]
    if not objects or objects != value or depth < 1 or len(objects) > _FOLDS_LIMIT:
        return (content.as_code(value),)
    return tuple(
        doc.Fold(telling(one) or f"item {number}", value_parts(one, depth=depth - 1))
        for number, one in enumerate(objects, start=1)
    )


def size_words(text: str) -> str:
    """Return how long a result is, for the line that sums a call up."""
    if text.lstrip()[:1] in {"{", "["}:
        return f"{len(text):,} characters"
    lines = count_lines(text)
    return counted(lines, "line") if lines > 1 else one_line(text, limit=60)
