"""The table of tools: a row says by which name a tool goes and what its calls show.

A simple tool is one row here. Rows whose functions say more stand in the module of their
family; a name without a row is shown with all that was asked and answered.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from everyleaf.transcript.content import code, link_to, prose
from everyleaf.transcript.tools import agents, files, planning, search, shell
from everyleaf.transcript.tools.call import (
    Answered,
    Tool,
    all_arguments,
    size_words,
    telling_argument,
    text_parts,
    value_parts,
)
from everyleaf.transcript.values import (
    as_cell,
    as_json,
    int_at,
    object_at,
    text_at,
    value_at,
)
from everyleaf.transcript.words import first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.transcript.document import Parts
    from everyleaf.transcript.tools.call import Call

MCP = "mcp__"
_TELLING_FACTS = (
    *("message", "summary", "title", "worktreeBranch", "worktreePath", "humanSchedule"),
    *("status", "action", "path"),
)
"""Fields of a result that say in one line what came of a call, the most telling first."""


def _fact_named(call: Call) -> str:
    return text_at(call.input, "message", "name", "cron", "uri", "id")


def _facts_asked(call: Call) -> Parts:
    """Return the arguments, unless there is one alone and the line says all of it."""
    words = _fact_named(call)
    is_said = len(call.input) == 1 and bool(words) and words == one_line(words)
    return () if is_said else all_arguments(call)


def _facts(call: Call) -> Answered:
    """Return a few facts as a table, with the most telling one in the line."""
    if not isinstance(call.result, dict) or not call.result:
        return Answered(size_words(call.text), (*text_parts(call.text), *call.media))
    if len(call.result) == 1:
        (value,) = call.result.values()
        text = as_json(value) if isinstance(value, list | dict) else as_cell(value)
        return Answered(size_words(text), (*text_parts(text), *call.media))
    links = link_to(text_at(call.result, "url"))
    words = (text_at(call.result, key) for key in _TELLING_FACTS)
    return Answered(
        first_line(next(filter(None, words), "")),
        (*links, *value_parts(call.result), *call.media),
    )


def _woken(call: Call) -> Answered:
    """Return when the model will be woken, in UTC."""
    delay = int_at(call.result, "clampedDelaySeconds")
    said = joined(
        _clock(int_at(call.result, "scheduledFor")),
        f"in {delay} s" if delay is not None else "",
    )
    return Answered(said or size_words(call.text), text_parts(call.text))


def _clock(milliseconds: int | None) -> str:
    try:
        moment = datetime.fromtimestamp((milliseconds or 0) / 1000, tz=UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return "" if milliseconds is None else moment.strftime("at %H:%M UTC")


def _advice(call: Call) -> Answered:
    """Return the advice, or that the API kept it to itself."""
    content = object_at(call.result, "content")
    if not call.text.strip() and text_at(content, "type").endswith("redacted_result"):
        return Answered("the advice was not recorded")
    return Answered(size_words(call.text), prose(call.text))


def _served(call: Call) -> Answered:
    """Return the structured content where a server sent some, else text and pictures."""
    structured = call.structured or value_at(call.result, "structuredContent")
    if structured is not None and not call.media:
        return Answered(size_words(as_json(structured)), value_parts(structured))
    text = call.text or (call.result if isinstance(call.result, str) else "")
    said = size_words(text) if text.strip() else ""
    return Answered(one_line(said), (*text_parts(text), *call.media))


TOOLS: tuple[Tool, ...] = (
    *shell.TOOLS,
    *files.TOOLS,
    *search.TOOLS,
    *planning.TOOLS,
    *agents.TOOLS,
    Tool(
        (
            *("EnterWorktree", "ExitWorktree", "CronCreate", "CronDelete", "CronList"),
            *("RemoteTrigger", "PushNotification", "ListMcpResourcesTool"),
            *("ListMcpResources", "ReadMcpResourceTool", "ReadMcpResource"),
            *("ReportFindings", "StructuredOutput", "Artifact", "Brief", "SendUserFile"),
            *("SendUserMessage", "TeamCreate", "TeamDelete", "ListAgents", "Projects"),
        ),
        lambda call: one_line(_fact_named(call)) or telling_argument(call),
        _facts_asked,
        _facts,
        is_whole=True,
    ),
    Tool(
        ("ScheduleWakeup",),
        lambda call: one_line(text_at(call.input, "reason")),
        lambda call: code(text_at(call.input, "prompt"), caption="prompt"),
        _woken,
        draws=frozenset({"prompt", "reason"}),
    ),
    Tool(("advisor",), asked=all_arguments, answered=_advice, is_whole=True),
)
BY_NAME = {name: tool for tool in TOOLS for name in tool.names}
_OF_SERVER = Tool((), asked=all_arguments, answered=_served, is_whole=True)
_UNKNOWN = Tool((), asked=all_arguments, is_whole=True)


def find_tool(name: str) -> Tool:
    """Return how calls of the tool `name` are shown; every name has an answer."""
    return BY_NAME.get(name, _OF_SERVER if name.startswith(MCP) else _UNKNOWN)


def known_tools() -> tuple[str, ...]:
    """Return the names that have a row of their own, sorted."""
    return tuple(sorted(BY_NAME))


def server_label(name: str) -> str:
    """Return what to call a tool of an MCP server; "" for any other tool.

    >>> server_label("mcp__linear-server__create_issue")
    'linear-server: create_issue'
    """
    if not name.startswith(MCP) or name in BY_NAME:
        return ""
    server, found, tool = name.removeprefix(MCP).partition("__")
    return f"{server}: {tool}" if found and server else tool or server
