"""Task and Agent in all their forms, SendMessage, Workflow: work given to others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.document import (
    AgentPage,
    Code,
    Link,
    Links,
    Outcome,
    Prose,
    Table,
)
from everyleaf.transcript.tags import cut_tags
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.tools.generic import argument_parts, size_words, text_parts
from everyleaf.transcript.values import (
    as_cell,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    texts_at,
    value_at,
)
from everyleaf.transcript.words import counted, first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

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


def asked_agent(call: Call) -> Asked:
    """Return what the agent was to do."""
    kind = text_at(call.input, "subagent_type") or text_at(call.result, "agentType")
    words = text_at(call.input, "description") or first_line(text_at(call.input, "prompt"))
    prompt = text_at(call.input, "prompt")
    resumed = text_at(call.input, "resume") or text_at(call.result, "resumedAgentId")
    said = joined(
        text_at(call.input, "name"), kind, f"resumes {resumed}" if resumed else ""
    )
    target = f"{words} ({said})" if said else words
    return Asked(one_line(target), (Prose(prompt),) if prompt.strip() else ())


def answered_agent(call: Call) -> Answered:
    """Return the agent's report, the way to its page, and what it cost."""
    status = text_at(call.result, "status")
    text, trailer = _report(call)
    agent = text_at(call.result, "agentId", "agent_id", "resumedAgentId") or trailer
    parts: list[Part] = [AgentPage(agent, "transcript of the agent")] if agent else []
    url = text_at(call.result, "sessionUrl")
    if url:
        parts.append(Links((Link(url, url),)))
    # What a started agent's result says is meant for the model.
    if status not in _LAUNCHED and text.strip():
        parts.append(Prose(text))
    cost = _cost(call.result)
    if cost:
        parts.append(Table(cost))
    uses, tokens = (
        int_at(call.result, key) for key in ("totalToolUseCount", "totalTokens")
    )
    was_cut = is_set(call.result, "wasInterrupted")
    return Answered(
        text=joined(
            _LAUNCHED.get(status, "" if status == "completed" else status),
            counted(uses, "tool call") if uses is not None else "",
            counted(tokens, "token") if tokens is not None else "",
        )
        or (size_words(text) if not agent else "started"),
        parts=(*parts, *call.media),
        outcome=Outcome.INTERRUPTED if was_cut else None,
        duration_ms=int_at(call.result, "totalDurationMs"),
        agent_id=agent or None,
    )


def _report(call: Call) -> tuple[str, str]:
    """Return what the agent reported, and the id that its trailer names."""
    blocks = objects_at(call.result, "content")
    recorded = "\n\n".join(text_at(block, "text") for block in blocks)
    text, _ = cut_tags(recorded or call.text, "usage")
    named = _TRAILER.findall(call.text)
    return _TRAILER.sub("", text).strip(), named[-1] if named else ""


def _cost(result: JsonValue) -> tuple[tuple[str, ...], ...]:
    stats, usage = object_at(result, "toolStats"), object_at(result, "usage")
    counts = [(noun, int_at(stats, key)) for key, noun in _STATS]
    did = joined(*(f"{noun} {count}" for noun, count in counts if count))
    added, removed = int_at(stats, "linesAdded"), int_at(stats, "linesRemoved")
    tokens = joined(
        *(
            f"{name} {count:,}"
            for name, key in (
                ("in", "input_tokens"),
                ("out", "output_tokens"),
                ("cache read", "cache_read_input_tokens"),
                ("cache written", "cache_creation_input_tokens"),
            )
            if (count := int_at(usage, key)) is not None
        )
    )
    rows = (
        (
            "model",
            ", ".join(texts_at(result, "modelsUsed"))
            or text_at(result, "resolvedModel", "model"),
        ),
        ("team", text_at(result, "team_name")),
        ("tools", did),
        ("lines", f"+{added} -{removed or 0}" if added is not None else ""),
        ("last response's tokens", tokens),
        (
            "worktree",
            joined(text_at(result, "worktreePath"), text_at(result, "worktreeBranch")),
        ),
    )
    return tuple((name, value) for name, value in rows if value)


def asked_message(call: Call) -> Asked:
    """Return to whom a message went, and the message."""
    who = text_at(call.input, "to", "recipient", "target_agent_id")
    message = value_at(call.input, "message", "content")
    text = as_cell(message) if message is not None else ""
    summary = text_at(call.input, "summary") or first_line(text)
    kind = text_at(call.input, "type")
    who = who or ("everyone" if kind == "broadcast" else "")
    parts = (Prose(text),) if text.strip() else ()
    return Asked(one_line(f"to {who}: {summary}" if who else summary), parts)


def answered_message(call: Call) -> Answered:
    """Return whether the message arrived."""
    said = text_at(call.result, "message") or call.text
    agent = text_at(call.result, "resumedAgentId")
    parts: tuple[Part, ...] = (
        (AgentPage(agent, "transcript of the agent"),) if agent else ()
    )
    failed = value_at(call.result, "success") is False
    return Answered(
        text=first_line(said),
        parts=parts,
        outcome=Outcome.ERROR if failed else None,
        agent_id=agent or None,
    )


def asked_workflow(call: Call) -> Asked:
    """Return what a workflow is for, with its script."""
    words = text_at(call.input, "name", "description", "title") or text_at(
        call.result, "workflowName", "summary"
    )
    script = text_at(call.input, "script")
    rest = {key: value for key, value in call.input.items() if key != "script"}
    parts: tuple[Part, ...] = argument_parts(rest)
    if script.strip():
        parts = (*parts, Code(script, language="javascript", caption="script"))
    target = one_line(words or text_at(call.input, "scriptPath"))
    return Asked(target, parts, is_whole=True)


def answered_workflow(call: Call) -> Answered:
    """Return how a workflow was started, or what came of it."""
    status = text_at(call.result, "status")
    trouble = text_at(call.result, "error") or text_at(call.result, "warning")
    rows = tuple(
        (name, value)
        for name, value in (
            ("summary", text_at(call.result, "summary")),
            ("run", text_at(call.result, "runId")),
            ("script", call.short(text_at(call.result, "scriptPath"))),
            ("trouble", trouble),
        )
        if value
    )
    url = text_at(call.result, "sessionUrl")
    if not (rows or url):
        return Answered(text=size_words(call.text), parts=text_parts(call.text))
    links: tuple[Part, ...] = (Links((Link(url, url),)),) if url else ()
    return Answered(
        text=joined(_LAUNCHED.get(status, status), trouble),
        parts=(*links, *((Table(rows),) if rows else ())),
        outcome=Outcome.ERROR if text_at(call.result, "error") else None,
    )


TOOLS = (
    Tool(
        ("Agent", "Task"),
        asked_agent,
        answered=answered_agent,
        draws=frozenset({"description", "prompt", "subagent_type", "name", "resume"}),
    ),
    Tool(
        ("SendMessage",),
        asked_message,
        answered=answered_message,
        draws=frozenset(
            {"to", "recipient", "target_agent_id", "message", "content", "summary"}
        ),
    ),
    Tool(("Workflow",), asked_workflow, answered=answered_workflow),
)
