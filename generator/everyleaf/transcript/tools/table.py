"""The table of tools: a row says by which name a tool goes and what its calls show.

A simple tool is one row here. Rows whose functions say more stand in the module of their
family; a name without a row is shown with all that was asked and answered.
"""

from __future__ import annotations

from datetime import UTC, datetime

from everyleaf.transcript.content import as_cell, as_json, code, link_to, prose
from everyleaf.transcript.tools import agents, call as cards, files, planning, shell
from everyleaf.transcript.tools.call import Call, Card, Tool, size_words, value_parts
from everyleaf.transcript.words import MCP, first_line, joined, one_line

_TELLING_FACTS = (
    *("message", "summary", "title", "worktreeBranch", "worktreePath", "humanSchedule"),
    *("status", "action", "path"),
)
"""Fields of a result that say in one line what came of a call, the most telling first."""


def _facts(call: Call) -> Card:
    """Return a few facts as a table, with the most telling one in the line."""
    named = call.input.text("message", "name", "cron", "uri", "id")
    target = one_line(named) or cards.telling(call.input.raw)
    # Not what there is alone and the line says all of.
    is_said = len(call.input.fields) == 1 and bool(named) and named == one_line(named)
    asked = () if is_said else cards.argument_parts(call.input.fields)
    facts, text = call.result.fields, call.text
    if len(facts) > 1:
        words = (call.result.text(key) for key in _TELLING_FACTS)
        said = first_line(next(filter(None, words), ""))
        links = link_to(call.result.text("url"))
        return Card(target, said, (*links, *value_parts(facts), *call.media), asked)
    for value in facts.values():
        text = as_json(value) if isinstance(value, list | dict) else as_cell(value)
    return Card(target, size_words(text), (*cards.text_parts(text), *call.media), asked)


def _woken(call: Call) -> Card:
    """Return when the model will be woken, in UTC."""
    delay = call.result.number("clampedDelaySeconds")
    said = joined(
        _clock(call.result.number("scheduledFor")),
        f"in {delay} s" if delay is not None else "",
    )
    return Card(
        one_line(call.input.text("reason")),
        said or size_words(call.text),
        cards.text_parts(call.text),
        code(call.input.text("prompt"), caption="prompt"),
    )


def _clock(milliseconds: int | None) -> str:
    try:
        moment = datetime.fromtimestamp((milliseconds or 0) / 1000, tz=UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return "" if milliseconds is None else moment.strftime("at %H:%M UTC")


def _advice(call: Call) -> Card:
    """Return the advice, or that the API kept it to itself."""
    target, asked = cards.telling(call.input.raw), cards.argument_parts(call.input.fields)
    kind = call.result.at("content").text("type")
    if not call.text.strip() and kind.endswith("redacted_result"):
        return Card(target, "the advice was not recorded", asked=asked)
    return Card(target, size_words(call.text), prose(call.text), asked)


def _served(call: Call) -> Card:
    """Return the structured content where a server sent some, else text and pictures."""
    target, asked = cards.telling(call.input.raw), cards.argument_parts(call.input.fields)
    structured = call.structured or call.result.value("structuredContent")
    if structured is not None and not call.media:
        return Card(target, size_words(as_json(structured)), value_parts(structured), asked)
    text = call.text or (call.result.raw if isinstance(call.result.raw, str) else "")
    said = one_line(size_words(text)) if text.strip() else ""
    return Card(target, said, (*cards.text_parts(text), *call.media), asked)


TOOLS: tuple[Tool, ...] = (
    *shell.TOOLS,
    *files.TOOLS,
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
        _facts,
        is_whole=True,
    ),
    Tool(("ScheduleWakeup",), _woken, draws=("prompt", "reason")),
    Tool(("advisor",), _advice, is_whole=True),
)
BY_NAME = {name: tool for tool in TOOLS for name in tool.names}
_OF_SERVER = Tool((), _served, is_whole=True)
_UNKNOWN = Tool(
    (),
    lambda call: cards.plain_card(call, asked=cards.argument_parts(call.input.fields)),
    is_whole=True,
)


def find_tool(name: str) -> Tool:
    """Return how calls of the tool `name` are shown; every name has an answer."""
    return BY_NAME.get(name, _OF_SERVER if name.startswith(MCP) else _UNKNOWN)
