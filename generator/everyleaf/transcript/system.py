"""System records, the CLI's own words about the session: a row of `SYSTEM` a subtype.

A row is a function from the record, as written, to what it shows. What only a stream of the
CLI tells (its start and its end) is here, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.text import as_time, without_escapes
from everyleaf.transcript.content import fields, prose, terminal
from everyleaf.transcript.document import Code, NoticeKind, Table
from everyleaf.transcript.entries import notice
from everyleaf.transcript.injected import command_output
from everyleaf.transcript.values import (
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    texts_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import (
    counted,
    duration,
    first_line,
    joined,
    leading_tags,
    one_line,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Parts
    from everyleaf.transcript.entries import Note

_RECAP_HINT = "(disable recaps in /config)"
_TOKENS = (
    ("in", "input_tokens"),
    ("out", "output_tokens"),
    ("from the cache", "cache_read_input_tokens"),
    ("into the cache", "cache_creation_input_tokens"),
)


def _informational(raw: JsonObject) -> Note:
    """Return the text of a record of any subtype, if it has one."""
    text = text_at(raw, "content") or text_at(object_at(raw, "message"), "content")
    if not text.strip():
        return None
    subtype = text_at(raw, "subtype")
    label = "" if subtype in {"", "informational"} else f"{subtype.replace('_', ' ')}: "
    words = first_line(text)
    return notice(
        f"{label}{words}",
        () if words == without_escapes(text).strip() else terminal(text),
        NoticeKind.OTHER,
        is_trouble=text_at(raw, "level") in {"error", "warning"},
    )


def _local_command(raw: JsonObject) -> Note:
    """Return a command that ran at the terminal, or its output."""
    tags, _ = leading_tags(text_at(raw, "content"))
    by_name = {tag.name: tag.body.strip() for tag in tags}
    if "command-name" not in by_name:
        return command_output(text_at(raw, "content"))
    said = f"{by_name['command-name']} {by_name.get('command-args', '')}".strip()
    return notice(first_line(said), (), NoticeKind.COMMAND)


def _api_error(raw: JsonObject) -> Note:
    error = object_at(raw, "error")
    connection = object_at(error, "connection") or object_at(error, "cause")
    status = int_at(error, "status")
    said = text_at(error, "formatted", "message") or text_at(connection, "message", "code")
    said = said or text_at(object_at(object_at(error, "error"), "error"), "message")
    said = one_line(said)
    number = str(status) if status and not said.startswith(str(status)) else ""
    words = f"{number} {said}".strip() or "no reason recorded"
    attempt, wait = word_at(raw, "retryAttempt"), int_at(raw, "retryInMs")
    retried = joined(
        f"attempt {attempt} of {word_at(raw, 'maxRetries')}" if attempt else "",
        f"next in {duration(wait)}" if wait is not None else "",
    )
    row = (as_time(raw.get("timestamp")), words, retried)
    return notice(
        f"API error: {words}", (Table((row,)),), NoticeKind.API_ERROR, is_trouble=True
    )


def _stop_hooks(raw: JsonObject) -> Note:
    """Return what hooks said at the end of a turn, where they failed or held it up."""
    errors = texts_at(raw, "hookErrors")
    held = is_set(raw, "preventedContinuation")
    if not errors and not held:
        return None
    rows = tuple(
        (text_at(hook, "command"), duration(int_at(hook, "durationMs") or 0))
        for hook in objects_at(raw, "hookInfos")
    )
    text = "a stop hook ended the turn" if held else "a stop hook failed"
    words = text_at(raw, "stopReason") or first_line("".join(errors[:1]), limit=120)
    return notice(
        f"{text}: {words}" if words else text,
        (
            *(Code(error, is_terminal=True) for error in errors),
            *((Table(rows),) if rows else ()),
        ),
        NoticeKind.HOOK,
        is_trouble=True,
    )


def _turn_duration(raw: JsonObject) -> Note:
    """Return how long the turn took, as a line under it."""
    took = duration(int_at(raw, "durationMs"))
    running = int_at(raw, "pendingBackgroundAgentCount")
    return notice(
        joined(
            f"Worked for {took}" if took else "",
            f"{counted(running, 'agent')} still in the background" if running else "",
        )
    )


def _microcompact(raw: JsonObject) -> Note:
    facts = object_at(raw, "microcompactMetadata")
    saved, before = int_at(facts, "tokensSaved"), int_at(facts, "preTokens")
    numbers = joined(
        f"{saved:,} tokens saved" if saved is not None else "",
        f"{before:,} before" if before is not None else "",
    )
    text = "Old tool results were cleared from the context"
    return notice(f"{text} ({numbers})" if numbers else text)


def _model(raw: JsonObject) -> Note:
    """Return a change of model: a fallback, or a refusal."""
    old, new = text_at(raw, "originalModel"), text_at(raw, "fallbackModel")
    change = f"{old} → {new}" if old and new else old or new
    subtype = text_at(raw, "subtype")
    said = first_line(text_at(raw, "content") or text_at(raw, "trigger") or subtype)
    taken_back = len(texts_at(raw, "retractedMessageUuids"))
    is_over = is_set(raw, "neutralizedByFork")
    return notice(
        f"Model changed: {said}" if change else said,
        fields(
            ("models", change),
            ("category", text_at(raw, "apiRefusalCategory")),
            ("explanation", text_at(raw, "apiRefusalExplanation")),
            ("taken back", counted(taken_back or None, "message")),
            ("in this copy", "no longer in force" if is_over else ""),
        ),
        NoticeKind.MODEL,
        is_trouble="refusal" in subtype and not is_over,
    )


def _recap(raw: JsonObject) -> Note:
    parts = prose(text_at(raw, "content").replace(_RECAP_HINT, "").strip())
    return notice("Recap", parts, NoticeKind.RECAP) if parts else None


def _memory_saved(raw: JsonObject) -> Note:
    files = ", ".join(texts_at(raw, "writtenPaths"))
    return notice(one_line(f"Memory saved: {files}" if files else "Memory saved"))


def _init(raw: JsonObject) -> Note:
    """Return what the CLI says of the session before it begins."""
    model = text_at(raw, "model")
    servers = (
        f"{text_at(server, 'name')} ({text_at(server, 'status')})"
        for server in objects_at(raw, "mcp_servers")
    )
    return notice(
        f"Session started with {model}" if model else "Session started",
        fields(
            ("model", model),
            ("permissions", text_at(raw, "permissionMode")),
            ("version", text_at(raw, "claude_code_version")),
            ("output style", text_at(raw, "output_style")),
            ("tools", ", ".join(texts_at(raw, "tools"))),
            ("MCP servers", ", ".join(servers)),
        ),
    )


def run_result(raw: JsonObject) -> Note:
    """Return how a run ended: its time and cost, what was denied, what went wrong."""
    subtype = text_at(raw, "subtype")
    is_trouble = is_set(raw, "is_error") or subtype.startswith("error")
    facts = joined(
        counted(int_at(raw, "num_turns"), "turn"),
        duration(int_at(raw, "duration_ms")),
        _dollars(value_at(raw, "total_cost_usd")),
    )
    ended = f"Ended with {subtype or 'an error'}" if is_trouble else "Run finished"
    errors = texts_at(raw, "errors")
    if is_trouble and not errors:
        errors = list(filter(None, [text_at(raw, "result")]))
    return notice(
        one_line(f"{ended}: {facts}" if facts else ended),
        (*(Code(error, is_terminal=True) for error in errors), *_run_facts(raw)),
        is_trouble=is_trouble,
    )


def _run_facts(raw: JsonObject) -> Parts:
    tokens = [(name, int_at(object_at(raw, "usage"), key)) for name, key in _TOKENS]
    denied = (text_at(one, "tool_name") for one in objects_at(raw, "permission_denials"))
    return fields(
        ("tokens", joined(*(f"{number:,} {name}" for name, number in tokens if number))),
        ("time at the API", duration(int_at(raw, "duration_api_ms"))),
        ("models", ", ".join(sorted(object_at(raw, "modelUsage")))),
        ("denied", joined(*denied)),
        ("reason", word_at(raw, "terminal_reason")),
    )


def _dollars(cost: JsonValue) -> str:
    """Return a cost in dollars, to a hundredth of a cent where it is small.

    >>> _dollars(0.0312), _dollars(2.5), _dollars(None)
    ('$0.0312', '$2.50', '')
    """
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return ""
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


SYSTEM: dict[str, Callable[[JsonObject], Note]] = {
    "bridge_status": lambda _raw: None,
    "bridge_state": lambda _raw: None,
    "init": _init,
    "local_command": _local_command,
    "api_error": _api_error,
    "stop_hook_summary": _stop_hooks,
    "turn_duration": _turn_duration,
    "away_summary": _recap,
    "microcompact_boundary": _microcompact,
    "model_refusal_fallback": _model,
    "model_refusal_no_fallback": _model,
    "model_fallback": _model,
    "model_consent_fallback": _model,
    "memory_saved": _memory_saved,
}
"""What the subtypes show; of one that is not here its text, if it has one."""


def system_note(subtype: str, raw: JsonObject) -> Note:
    """Return what a system record shows."""
    return SYSTEM.get(subtype, _informational)(raw)
