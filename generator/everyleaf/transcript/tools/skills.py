"""Skill and SlashCommand: instructions that the model loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import AgentPage, Code, Outcome, Prose
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.values import as_cell, text_at, texts_at, value_at
from everyleaf.transcript.words import first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call


def asked(call: Call) -> Asked:
    """Return the skill or command with its arguments."""
    name = text_at(call.input, "skill", "command", "name") or text_at(
        call.result, "commandName"
    )
    value = value_at(call.input, "args", "arguments")
    arguments = "" if value is None else as_cell(value)
    target = one_line(f"{name} {arguments}")
    is_long = "\n" in arguments.strip() or target.endswith("…")
    parts = (Code(arguments, caption="arguments"),) if is_long else ()
    return Asked(target, parts)


def answered(call: Call) -> Answered:
    """Return how it was started, and what it gave where it ran by itself."""
    agent = text_at(call.result, "agentId")
    result = text_at(call.result, "result")
    allowed = texts_at(call.result, "allowedTools")
    parts: list[Part] = []
    if agent:
        parts.append(AgentPage(agent, "transcript of the skill"))
    if result.strip():
        parts.append(Prose(result))
    elif "\n" in call.text.strip():
        parts.append(Prose(call.text))
    said = joined(
        text_at(call.result, "status") or first_line(call.text),
        f"may use {', '.join(allowed)}" if allowed else "",
    )
    failed = value_at(call.result, "success") is False
    return Answered(
        text=one_line(said),
        parts=tuple(parts),
        outcome=Outcome.ERROR if failed else None,
        agent_id=agent or None,
    )


TOOLS = (
    Tool(
        ("Skill", "SlashCommand"),
        asked,
        answered=answered,
        draws=frozenset({"skill", "command", "name", "args", "arguments"}),
    ),
)
