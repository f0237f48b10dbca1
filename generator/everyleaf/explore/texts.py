"""The texts of a record as a search sees them, each with what it is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from everyleaf.records.text import as_list, as_object, as_text, content_blocks, said_in

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 12
"""Levels of a tool's input that are looked into."""


class Where(StrEnum):
    """Where in a conversation a text stands."""

    PROMPTS = "prompts"
    REPLIES = "replies"
    TOOLS = "tools"
    """What calls asked for, and what came back."""
    TITLES = "titles"
    OTHER = "other"
    """Thinking, summaries, notices: only with `--in all`."""


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
                yield from _result(block.get("content"))
            case _:
                pass
    yield from _texts(raw.get("content"), Where.OTHER)
    titled = _TITLES.get(str(raw.get("type")), "")
    if titled != "summary":
        yield from _texts(raw.get("summary"), Where.OTHER)
    yield from _texts(raw.get(titled), Where.TITLES)


def _result(content: object) -> Iterator[tuple[Where, str]]:
    for block in content_blocks(content):
        yield from _texts(block.get("text"), Where.TOOLS)


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
