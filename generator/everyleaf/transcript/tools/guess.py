"""The name of a tool whose call is not at hand, by the shape of its structured result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue

_SHAPES: tuple[tuple[str, frozenset[str]], ...] = (
    ("TodoWrite", frozenset({"oldTodos", "newTodos"})),
    ("Edit", frozenset({"filePath", "oldString", "newString"})),
    ("MultiEdit", frozenset({"filePath", "edits"})),
    ("Write", frozenset({"filePath", "content", "structuredPatch"})),
    ("Read", frozenset({"type", "file"})),
    ("Bash", frozenset({"stdout", "stderr", "interrupted"})),
    ("Grep", frozenset({"mode", "filenames"})),
    ("Glob", frozenset({"filenames", "durationMs"})),
    ("WebFetch", frozenset({"url", "code", "result"})),
    ("WebSearch", frozenset({"query", "results"})),
    ("AskUserQuestion", frozenset({"questions", "answers"})),
    ("Agent", frozenset({"totalDurationMs", "totalTokens"})),
    ("Agent", frozenset({"status", "agentId"})),
)


def guess_name(result: JsonValue) -> str | None:
    """Return which tool gives results like `result`, or None where several might."""
    if not isinstance(result, dict):
        return None
    keys = result.keys()
    return next((name for name, needed in _SHAPES if needed <= keys), None)
