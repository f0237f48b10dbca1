"""Task and Agent in all their forms, SendMessage, Workflow, Skill: work given to others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.content import code, fields, link_to, prose
from everyleaf.transcript.document import AgentPage, Code, Outcome
from everyleaf.transcript.tools.call import (
    Answered,
    Tool,
    argument_parts,
    size_words,
    text_parts,
)
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
from everyleaf.transcript.words import counted, cut_tags, first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue
    from everyleaf.transcript.document import Parts
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
_TOKENS = (
    ("in", "input_tokens"),
    ("out", "output_tokens"),
    ("cache read", "cache_read_input_tokens"),
    ("cache written", "cache_creation_input_tokens"),
)


def _agent_page(agent_id: str, text: str = "transcript of the agent") -> Parts:
    return (AgentPage(agent_id, text),) if agent_id else ()


def _error_if_failed(call: Call) -> Outcome | None:
    return Outcome.ERROR if value_at(call.result, "success") is False else None


def _agent(call: Call) -> str:
    """Return what the agent was to do, in a few words, and who it is."""
    kind = text_at(call.input, "subagent_type") or text_at(call.result, "agentType")
    words = text_at(call.input, "description") or first_line(text_at(call.input, "prompt"))
    resumed = text_at(call.input, "resume") or text_at(call.result, "resumedAgentId")
    resumes = f"resumes {resumed}" if resumed else ""
    said = joined(text_at(call.input, "name"), kind, resumes)
    return one_line(f"{words} ({said})" if said else words)


def _reported(call: Call) -> Answered:
    """Return the agent's report, the way to its page, and what it cost."""
    status = text_at(call.result, "status")
    text, trailer = _report(call)
    agent = text_at(call.result, "agentId", "agent_id", "resumedAgentId") or trailer
    # What a started agent's result says is meant for the model.
    report = () if status in _LAUNCHED else prose(text)
    said = joined(
        _LAUNCHED.get(status, "" if status == "completed" else status),
        counted(int_at(call.result, "totalToolUseCount"), "tool call"),
        counted(int_at(call.result, "totalTokens"), "token"),
    )
    was_cut = is_set(call.result, "wasInterrupted")
    return Answered(
        said or ("started" if agent else size_words(text)),
        (
            *_agent_page(agent),
            *link_to(text_at(call.result, "sessionUrl")),
            *report,
            *_cost(call.result),
            *call.media,
        ),
        Outcome.INTERRUPTED if was_cut else None,
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


def _cost(result: JsonValue) -> Parts:
    stats, usage = object_at(result, "toolStats"), object_at(result, "usage")
    counts = [(noun, int_at(stats, key)) for key, noun in _STATS]
    tokens = [(name, int_at(usage, key)) for name, key in _TOKENS]
    added, removed = int_at(stats, "linesAdded"), int_at(stats, "linesRemoved")
    models = ", ".join(texts_at(result, "modelsUsed"))
    worktree = (text_at(result, "worktreePath"), text_at(result, "worktreeBranch"))
    return fields(
        ("model", models or text_at(result, "resolvedModel", "model")),
        ("team", text_at(result, "team_name")),
        ("tools", joined(*(f"{noun} {count}" for noun, count in counts if count))),
        ("lines", f"+{added} -{removed or 0}" if added is not None else ""),
        (
            "last response's tokens",
            joined(*(f"{name} {n:,}" for name, n in tokens if n is not None)),
        ),
        ("worktree", joined(*worktree)),
    )


def _message(call: Call) -> str:
    value = value_at(call.input, "message", "content")
    return as_cell(value) if value is not None else ""


def _message_to(call: Call) -> str:
    """Return to whom a message went, and what it says in one line."""
    who = text_at(call.input, "to", "recipient", "target_agent_id")
    if not who and text_at(call.input, "type") == "broadcast":
        who = "everyone"
    summary = text_at(call.input, "summary") or first_line(_message(call))
    return one_line(f"to {who}: {summary}" if who else summary)


def _delivered(call: Call) -> Answered:
    """Return whether the message arrived."""
    agent = text_at(call.result, "resumedAgentId")
    return Answered(
        first_line(text_at(call.result, "message") or call.text),
        _agent_page(agent),
        _error_if_failed(call),
        agent_id=agent or None,
    )


def _workflow(call: Call) -> str:
    """Return what a workflow is for."""
    words = text_at(call.input, "name", "description", "title") or text_at(
        call.result, "workflowName", "summary"
    )
    return one_line(words or text_at(call.input, "scriptPath"))


def _workflow_asked(call: Call) -> Parts:
    script = text_at(call.input, "script")
    rest = {key: value for key, value in call.input.items() if key != "script"}
    return (
        *argument_parts(rest),
        *code(script, language="javascript", caption="script"),
    )


def _workflow_started(call: Call) -> Answered:
    """Return how a workflow was started, or what came of it."""
    status = text_at(call.result, "status")
    trouble = text_at(call.result, "error") or text_at(call.result, "warning")
    parts = (
        *link_to(text_at(call.result, "sessionUrl")),
        *fields(
            ("summary", text_at(call.result, "summary")),
            ("run", text_at(call.result, "runId")),
            ("script", call.short(text_at(call.result, "scriptPath"))),
            ("trouble", trouble),
        ),
    )
    if not parts:
        return Answered(size_words(call.text), text_parts(call.text))
    return Answered(
        joined(_LAUNCHED.get(status, status), trouble),
        parts,
        Outcome.ERROR if text_at(call.result, "error") else None,
    )


def _skill_arguments(call: Call) -> str:
    value = value_at(call.input, "args", "arguments")
    return "" if value is None else as_cell(value)


def _skill(call: Call) -> str:
    """Return the skill or command with its arguments."""
    name = text_at(call.input, "skill", "command", "name") or text_at(
        call.result, "commandName"
    )
    return one_line(f"{name} {_skill_arguments(call)}")


def _skill_asked(call: Call) -> Parts:
    """Return the arguments where they do not fit on the line of the call."""
    arguments = _skill_arguments(call)
    is_long = "\n" in arguments.strip() or _skill(call).endswith("…")
    return (Code(arguments, caption="arguments"),) if is_long else ()


def _skill_loaded(call: Call) -> Answered:
    """Return how it was started, and what it gave where it ran by itself."""
    agent = text_at(call.result, "agentId")
    result = prose(text_at(call.result, "result"))
    allowed = ", ".join(texts_at(call.result, "allowedTools"))
    said = joined(
        text_at(call.result, "status") or first_line(call.text),
        f"may use {allowed}" if allowed else "",
    )
    loaded = prose(call.text) if "\n" in call.text.strip() else ()
    return Answered(
        one_line(said),
        (*_agent_page(agent, "transcript of the skill"), *(result or loaded)),
        _error_if_failed(call),
        agent_id=agent or None,
    )


TOOLS = (
    Tool(
        ("Agent", "Task"),
        _agent,
        lambda call: prose(text_at(call.input, "prompt")),
        _reported,
        draws=frozenset({"description", "prompt", "subagent_type", "name", "resume"}),
    ),
    Tool(
        ("SendMessage",),
        _message_to,
        lambda call: prose(_message(call)),
        _delivered,
        draws=frozenset(
            {"to", "recipient", "target_agent_id", "message", "content", "summary"}
        ),
    ),
    Tool(("Workflow",), _workflow, _workflow_asked, _workflow_started, is_whole=True),
    Tool(
        ("Skill", "SlashCommand"),
        _skill,
        _skill_asked,
        _skill_loaded,
        draws=frozenset({"skill", "command", "name", "args", "arguments"}),
    ),
)
