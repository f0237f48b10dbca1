"""Task and Agent in all their forms, SendMessage, Workflow, Skill: work given to others."""

from __future__ import annotations

import re

from everyleaf.transcript.content import Json, as_cell, code, fields, link_to, prose
from everyleaf.transcript.document import USAGE_KEYS, AgentPage, Code, Outcome, Parts
from everyleaf.transcript.tools import call as cards
from everyleaf.transcript.tools.call import Call, Card, Tool, size_words, text_parts
from everyleaf.transcript.words import counted, cut_tags, first_line, joined, one_line

_TRAILER = re.compile(r"^agentId: ?([\w-]{1,100})[^\n]{0,400}\n?", re.MULTILINE)
"""The last line of an agent's result: for the model, not for a reader."""
_LAUNCHED = {
    "async_launched": "in the background",
    "remote_launched": "on a remote machine",
    "teammate_spawned": "joined the team",
}
_STATS = (
    ("readCount", "read"),
    ("searchCount", "search"),
    ("bashCount", "command"),
    ("editFileCount", "edit"),
    ("otherToolCount", "other"),
)
_TOKENS = ("in", "out", "cache read", "cache written")


def _agent_page(agent_id: str, text: str = "transcript of the agent") -> Parts:
    return (AgentPage(agent_id, text),) if agent_id else ()


def _error_if_failed(call: Call) -> Outcome | None:
    return Outcome.ERROR if call.result.value("success") is False else None


def _reported(call: Call) -> Card:
    """Return what the agent was to do, its report, the way to its page, its cost."""
    asked, result = call.input, call.result
    prompt = asked.text("prompt")
    words = asked.text("description") or first_line(prompt)
    resumed = asked.text("resume") or result.text("resumedAgentId")
    kind = asked.text("subagent_type") or result.text("agentType")
    who = joined(asked.text("name"), kind, f"resumes {resumed}" if resumed else "")
    recorded = "\n\n".join(block.text("text") for block in result.each("content"))
    text, _ = cut_tags(recorded or call.text, "usage")
    text, trailers = _TRAILER.sub("", text).strip(), _TRAILER.findall(call.text)
    agent = result.text("agentId", "agent_id", "resumedAgentId") or "".join(trailers[-1:])
    status = result.text("status")
    said = joined(
        _LAUNCHED.get(status, "" if status == "completed" else status),
        counted(result.number("totalToolUseCount"), "tool call"),
        counted(result.number("totalTokens"), "token"),
    )
    return Card(
        one_line(f"{words} ({who})" if who else words),
        said or ("started" if agent else size_words(text)),
        (
            *_agent_page(agent),
            *link_to(result.text("sessionUrl")),
            # What a started agent's result says is meant for the model.
            *(() if status in _LAUNCHED else prose(text)),
            *_cost(result),
            *call.media,
        ),
        prose(prompt),
        Outcome.INTERRUPTED if result.is_set("wasInterrupted") else None,
        duration_ms=result.number("totalDurationMs"),
        agent_id=agent or None,
    )


def _cost(result: Json) -> Parts:
    stats, usage = result.at("toolStats"), result.at("usage")
    counts = [(noun, stats.number(key)) for key, noun in _STATS]
    tokens = zip(_TOKENS, map(usage.number, USAGE_KEYS), strict=True)
    added, removed = stats.number("linesAdded"), stats.number("linesRemoved")
    models = ", ".join(result.texts("modelsUsed"))
    tokens_used = joined(*(f"{name} {n:,}" for name, n in tokens if n is not None))
    return fields(
        ("model", models or result.text("resolvedModel", "model")),
        ("team", result.text("team_name")),
        ("tools", joined(*(f"{noun} {count}" for noun, count in counts if count))),
        ("lines", f"+{added} -{removed or 0}" if added is not None else ""),
        ("last response's tokens", tokens_used),
        ("worktree", joined(result.text("worktreePath"), result.text("worktreeBranch"))),
    )


def _delivered(call: Call) -> Card:
    """Return to whom a message went, what it says, and whether it arrived."""
    value = call.input.value("message", "content")
    message = as_cell(value) if value is not None else ""
    who = call.input.text("to", "recipient", "target_agent_id")
    if not who and call.input.text("type") == "broadcast":
        who = "everyone"
    summary = call.input.text("summary") or first_line(message)
    agent = call.result.text("resumedAgentId")
    return Card(
        one_line(f"to {who}: {summary}" if who else summary),
        first_line(call.result.text("message") or call.text),
        _agent_page(agent),
        prose(message),
        _error_if_failed(call),
        agent_id=agent or None,
    )


def _workflow(call: Call) -> Card:
    """Return what a workflow is for, how it was started, or what came of it."""
    asked, result = call.input, call.result
    words = asked.text("name", "description", "title")
    words = words or result.text("workflowName", "summary") or asked.text("scriptPath")
    rest = {key: value for key, value in asked.fields.items() if key != "script"}
    script = code(asked.text("script"), language="javascript", caption="script")
    shown = (*cards.argument_parts(rest), *script)
    status, trouble = result.text("status"), result.text("error") or result.text("warning")
    parts = (
        *link_to(result.text("sessionUrl")),
        *fields(
            ("summary", result.text("summary")),
            ("run", result.text("runId")),
            ("script", call.short(result.text("scriptPath"))),
            ("trouble", trouble),
        ),
    )
    if not parts:
        return Card(one_line(words), size_words(call.text), text_parts(call.text), shown)
    return Card(
        one_line(words),
        joined(_LAUNCHED.get(status, status), trouble),
        parts,
        shown,
        Outcome.ERROR if result.text("error") else None,
    )


def _skill(call: Call) -> Card:
    """Return the skill or command, how it was started, what it gave if it ran by itself."""
    result = call.result
    name = call.input.text("skill", "command", "name") or result.text("commandName")
    value = call.input.value("args", "arguments")
    arguments = "" if value is None else as_cell(value)
    target = one_line(f"{name} {arguments}")
    # Shown where they do not fit on the line of the call.
    is_long = "\n" in arguments.strip() or target.endswith("…")
    allowed, agent = ", ".join(result.texts("allowedTools")), result.text("agentId")
    said = joined(
        result.text("status") or first_line(call.text),
        f"may use {allowed}" if allowed else "",
    )
    loaded = prose(call.text) if "\n" in call.text.strip() else ()
    given = prose(result.text("result")) or loaded
    return Card(
        target,
        one_line(said),
        (*_agent_page(agent, "transcript of the skill"), *given),
        (Code(arguments, caption="arguments"),) if is_long else (),
        _error_if_failed(call),
        agent_id=agent or None,
    )


TOOLS = (
    Tool(
        ("Agent", "Task"),
        _reported,
        draws=("description", "prompt", "subagent_type", "name", "resume"),
    ),
    Tool(
        ("SendMessage",),
        _delivered,
        draws=("to", "recipient", "target_agent_id", "message", "content", "summary"),
    ),
    Tool(("Workflow",), _workflow, is_whole=True),
    Tool(
        ("Skill", "SlashCommand"),
        _skill,
        draws=("skill", "command", "name", "args", "arguments"),
    ),
)
