"""Tools of MCP servers: server and tool named, structured content, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.tools.generic import (
    argument_parts,
    size_words,
    telling_argument,
    text_parts,
    value_parts,
)
from everyleaf.transcript.values import as_json, text_at, value_at
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from everyleaf.transcript.tools.call import Call

PREFIX = "mcp__"


def server_and_tool(name: str) -> tuple[str, str]:
    """Return the two names in `mcp__server__tool`; no server where there is none.

    >>> server_and_tool("mcp__linear-server__create_issue")
    ('linear-server', 'create_issue')
    """
    server, found, tool = name.removeprefix(PREFIX).partition("__")
    return (server, tool) if found else ("", server)


def asked(call: Call) -> Asked:
    """Return the arguments, named by server and tool."""
    server, tool = server_and_tool(call.name)
    label = f"{server}: {tool}" if server else tool
    parts = argument_parts(call.input)
    return Asked(telling_argument(call.input), parts, label, is_whole=True)


def answered(call: Call) -> Answered:
    """Return the structured content where the server sent some, else text and pictures."""
    structured = call.structured or value_at(call.result, "structuredContent")
    if structured is not None and not call.media:
        said = size_words(as_json(structured))
        return Answered(text=said, parts=value_parts(structured))
    text = call.text or text_at({"text": call.result}, "text")
    said = size_words(text) if text.strip() else ""
    return Answered(text=one_line(said), parts=(*text_parts(text), *call.media))


TOOL = Tool((), asked, answered=answered)
