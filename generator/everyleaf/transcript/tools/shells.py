"""Background work: its output (BashOutput, TaskOutput), its end (KillShell), its watch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Code, Prose
from everyleaf.transcript.tags import tag_body
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.tools.generic import size_words, text_parts
from everyleaf.transcript.values import (
    as_object,
    int_at,
    is_set,
    object_at,
    text_at,
    word_at,
)
from everyleaf.transcript.words import count_lines, counted, duration, first_line, joined

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

_ID_KEYS = ("task_id", "bash_id", "shell_id", "agentId", "agent_id", "taskId", "shellId")


def asked_output(call: Call) -> Asked:
    """Return which command or task, by its words where they are known."""
    task = object_at(call.result, "task")
    words = text_at(call.result, "command") or text_at(task, "description", "command")
    name = text_at(call.input, *_ID_KEYS) or text_at(task, "task_id")
    return Asked(joined(name, first_line(words)))


def answered_output(call: Call) -> Answered:
    """Return the state and what the task has put out so far."""
    task = object_at(call.result, "task") or as_object(call.result)
    status = text_at(task, "status") or _tagged(call, "status")
    exit_code = word_at(task, "exitCode") or _tagged(call, "exit_code")
    parts = _output(call, task)
    lines = sum(count_lines(p.text) for p in parts if isinstance(p, Code))
    return Answered(
        text=joined(
            status or _tagged(call, "retrieval_status"),
            f"exit {exit_code}" if exit_code not in {"", "None"} else "",
            counted(lines, "line") if lines else "no output",
        ),
        parts=parts,
    )


def _tagged(call: Call, name: str) -> str:
    return (tag_body(call.text, name) or "").strip()


def _output(call: Call, task: JsonObject) -> tuple[Part, ...]:
    stdout = text_at(task, "output", "stdout") or tag_body(call.text, "stdout")
    stdout = stdout or tag_body(call.text, "output") or ""
    stderr = text_at(task, "stderr") or tag_body(call.text, "stderr") or ""
    parts: list[Part] = []
    if stdout.strip():
        parts.append(Code(stdout.strip("\n"), is_terminal=True))
    if stderr.strip():
        parts.append(Code(stderr.strip("\n"), caption="stderr", is_terminal=True))
    result = text_at(task, "result")
    if result.strip() and result.strip() != stdout.strip():
        parts.append(Prose(result))
    is_tagged = tag_body(call.text, "status") is not None
    return tuple(parts) or (() if is_tagged else text_parts(call.text))


def asked_stop(call: Call) -> Asked:
    """Return what was stopped."""
    name = text_at(call.input, *_ID_KEYS)
    return Asked(joined(name, first_line(text_at(call.result, "command"))))


def answered_stop(call: Call) -> Answered:
    """Return what the CLI said to it."""
    said = text_at(call.result, "message") or call.text
    is_done = said.startswith("Successfully ")
    words = "stopped" if is_done else first_line(said)
    return Answered(text=words, parts=() if words == said.strip() else text_parts(said))


def asked_watch(call: Call) -> Asked:
    """Return the command that is watched, and for what."""
    command = text_at(call.input, "command")
    words = text_at(call.input, "description") or first_line(command)
    parts = (Code(command, language="bash"),) if command.strip() else ()
    return Asked(first_line(words), parts)


def answered_watch(call: Call) -> Answered:
    """Return the task that watches, and for how long."""
    limit = int_at(call.result, "timeoutMs")
    task = text_at(call.result, "taskId")
    said = joined(
        f"watching as {task}" if task else "",
        "until stopped" if is_set(call.result, "persistent") else "",
        f"for {duration(limit)}" if limit else "",
    )
    return Answered(text=said or size_words(call.text), parts=text_parts(call.text))


TOOLS = (
    Tool(
        ("BashOutput", "TaskOutput", "AgentOutputTool", "BashOutputTool"),
        asked_output,
        answered=answered_output,
        draws=frozenset(_ID_KEYS),
    ),
    Tool(
        ("KillShell", "KillBash", "TaskStop"),
        asked_stop,
        answered=answered_stop,
        draws=frozenset(_ID_KEYS),
    ),
    Tool(
        ("Monitor",),
        asked_watch,
        answered=answered_watch,
        draws=frozenset({"command", "description"}),
    ),
)
