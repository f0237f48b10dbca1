"""Tools whose result is a few facts: worktrees, schedules, notifications, resources."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from everyleaf.transcript.document import Code, Link, Links
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.tools.generic import (
    argument_parts,
    size_words,
    telling_argument,
    text_parts,
    value_parts,
)
from everyleaf.transcript.values import as_cell, as_json, int_at, text_at
from everyleaf.transcript.words import first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

NAMES = (
    "EnterWorktree",
    "ExitWorktree",
    "CronCreate",
    "CronDelete",
    "CronList",
    "RemoteTrigger",
    "PushNotification",
    "ListMcpResourcesTool",
    "ListMcpResources",
    "ReadMcpResourceTool",
    "ReadMcpResource",
    "ReportFindings",
    "StructuredOutput",
    "Artifact",
    "Brief",
    "SendUserFile",
    "SendUserMessage",
    "TeamCreate",
    "TeamDelete",
    "ListAgents",
    "Projects",
)
_TELLING = (
    "message",
    "summary",
    "title",
    "worktreeBranch",
    "worktreePath",
    "humanSchedule",
    "status",
    "action",
    "path",
)


def asked(call: Call) -> Asked:
    """Return what was asked for."""
    words = text_at(call.input, "message", "name", "cron", "uri", "id")
    target = one_line(words) or telling_argument(call.input)
    parts = argument_parts(call.input)
    is_all_said = len(call.input) == 1 and bool(words) and words == target
    return Asked(target, () if is_all_said else parts, is_whole=True)


def answered(call: Call) -> Answered:
    """Return the facts as a table, with the most telling one in the line."""
    if not isinstance(call.result, dict) or not call.result:
        return Answered(
            text=size_words(call.text), parts=(*text_parts(call.text), *call.media)
        )
    words = next((w for key in _TELLING if (w := text_at(call.result, key))), "")
    if len(call.result) == 1:
        (value,) = call.result.values()
        text = as_json(value) if isinstance(value, list | dict) else as_cell(value)
        return Answered(text=size_words(text), parts=(*text_parts(text), *call.media))
    url = text_at(call.result, "url")
    links: tuple[Part, ...] = (Links((Link(url, url),)),) if url else ()
    parts = (*links, *value_parts(call.result), *call.media)
    return Answered(text=first_line(words), parts=parts)


def asked_wakeup(call: Call) -> Asked:
    """Return why, and with what words, the model wants to be woken."""
    prompt = text_at(call.input, "prompt")
    parts = (Code(prompt, caption="prompt"),) if prompt.strip() else ()
    return Asked(one_line(text_at(call.input, "reason")), parts)


def answered_wakeup(call: Call) -> Answered:
    """Return when it will be woken, in UTC."""
    moment = int_at(call.result, "scheduledFor")
    delay = int_at(call.result, "clampedDelaySeconds")
    said = joined(_moment(moment), f"in {delay} s" if delay is not None else "")
    return Answered(text=said or size_words(call.text), parts=text_parts(call.text))


def _moment(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    try:
        moment = datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
    except (OverflowError, OSError, ValueError):
        return ""
    return moment.strftime("at %H:%M UTC")


TOOLS = (
    Tool(NAMES, asked, answered=answered),
    Tool(
        ("ScheduleWakeup",),
        asked_wakeup,
        answered=answered_wakeup,
        draws=frozenset({"prompt", "reason"}),
    ),
)
