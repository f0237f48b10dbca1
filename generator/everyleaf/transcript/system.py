"""System records, the CLI's own words about the session: a row of `SYSTEM` a subtype.

A row is a function from the record, as written, to what it shows. What only a stream of the
CLI tells (its start and its end) is here, too.
"""

from __future__ import annotations

from collections.abc import Callable

from everyleaf.records.schema import JsonValue
from everyleaf.records.text import as_time, without_escapes
from everyleaf.transcript.content import Json, fields, prose, terminal
from everyleaf.transcript.document import USAGE_KEYS, Code, NoticeKind, Table
from everyleaf.transcript.entries import Note, notice
from everyleaf.transcript.prompts import command_output
from everyleaf.transcript.words import (
    counted,
    duration,
    first_line,
    joined,
    leading_tags,
    one_line,
)

_TOKENS = ("in", "out", "from the cache", "into the cache")


def informational(raw: Json) -> Note:
    """Return the text of a record of any subtype, if it has one."""
    text = raw.text("content") or raw.at("message").text("content")
    if not text.strip():
        return None
    subtype = raw.text("subtype")
    label = "" if subtype in {"", "informational"} else f"{subtype.replace('_', ' ')}: "
    words = first_line(text)
    return notice(
        f"{label}{words}",
        () if words == without_escapes(text).strip() else terminal(text),
        NoticeKind.OTHER,
        is_trouble=raw.text("level") in {"error", "warning"},
    )


def _local_command(raw: Json) -> Note:
    tags, _ = leading_tags(raw.text("content"))
    by_name = {tag.name: tag.body.strip() for tag in tags}
    if "command-name" not in by_name:
        return command_output(raw.text("content"))
    said = f"{by_name['command-name']} {by_name.get('command-args', '')}".strip()
    return notice(first_line(said), (), NoticeKind.COMMAND)


def _api_error(raw: Json) -> Note:
    error = raw.at("error")
    connection = error.at("connection") or error.at("cause")
    status = error.number("status")
    said = error.text("formatted", "message") or connection.text("message", "code")
    said = said or error.at("error").at("error").text("message")
    said = one_line(said)
    number = str(status) if status and not said.startswith(str(status)) else ""
    words = f"{number} {said}".strip() or "no reason recorded"
    attempt, wait = raw.word("retryAttempt"), raw.number("retryInMs")
    retried = joined(
        f"attempt {attempt} of {raw.word('maxRetries')}" if attempt else "",
        f"next in {duration(wait)}" if wait is not None else "",
    )
    row = (as_time(raw.value("timestamp")), words, retried)
    return notice(
        f"API error: {words}", (Table((row,)),), NoticeKind.API_ERROR, is_trouble=True
    )


def _stop_hooks(raw: Json) -> Note:
    """Return what hooks said at the end of a turn, where they failed or held it up."""
    errors = raw.texts("hookErrors")
    held = raw.is_set("preventedContinuation")
    if not errors and not held:
        return None
    rows = tuple(
        (hook.text("command"), duration(hook.number("durationMs") or 0))
        for hook in raw.each("hookInfos")
    )
    text = "a stop hook ended the turn" if held else "a stop hook failed"
    words = raw.text("stopReason") or first_line("".join(errors[:1]), limit=120)
    return notice(
        f"{text}: {words}" if words else text,
        (
            *(Code(error, is_terminal=True) for error in errors),
            *((Table(rows),) if rows else ()),
        ),
        NoticeKind.HOOK,
        is_trouble=True,
    )


def _turn_duration(raw: Json) -> Note:
    took = duration(raw.number("durationMs"))
    running = raw.number("pendingBackgroundAgentCount")
    return notice(
        joined(
            f"Worked for {took}" if took else "",
            f"{counted(running, 'agent')} still in the background" if running else "",
        )
    )


def _microcompact(raw: Json) -> Note:
    facts = raw.at("microcompactMetadata")
    saved, before = facts.number("tokensSaved"), facts.number("preTokens")
    numbers = joined(
        f"{saved:,} tokens saved" if saved is not None else "",
        f"{before:,} before" if before is not None else "",
    )
    text = "Old tool results were cleared from the context"
    return notice(f"{text} ({numbers})" if numbers else text)


def _model(raw: Json) -> Note:
    """Return a change of model: a fallback, or a refusal."""
    old, new = raw.text("originalModel"), raw.text("fallbackModel")
    change = f"{old} → {new}" if old and new else old or new
    subtype = raw.text("subtype")
    said = first_line(raw.text("content") or raw.text("trigger") or subtype)
    taken_back = len(raw.texts("retractedMessageUuids"))
    is_over = raw.is_set("neutralizedByFork")
    return notice(
        f"Model changed: {said}" if change else said,
        fields(
            ("models", change),
            ("category", raw.text("apiRefusalCategory")),
            ("explanation", raw.text("apiRefusalExplanation")),
            ("taken back", counted(taken_back or None, "message")),
            ("in this copy", "no longer in force" if is_over else ""),
        ),
        NoticeKind.MODEL,
        is_trouble="refusal" in subtype and not is_over,
    )


def _recap(raw: Json) -> Note:
    parts = prose(raw.text("content").replace("(disable recaps in /config)", "").strip())
    return notice("Recap", parts, NoticeKind.RECAP) if parts else None


def _memory_saved(raw: Json) -> Note:
    files = ", ".join(raw.texts("writtenPaths"))
    return notice(one_line(f"Memory saved: {files}" if files else "Memory saved"))


def _init(raw: Json) -> Note:
    """Return what the CLI says of the session before it begins."""
    model = raw.text("model")
    told = raw.each("mcp_servers")
    servers = (f"{each.text('name')} ({each.text('status')})" for each in told)
    return notice(
        f"Session started with {model}" if model else "Session started",
        fields(
            ("model", model),
            ("permissions", raw.text("permissionMode")),
            ("version", raw.text("claude_code_version")),
            ("output style", raw.text("output_style")),
            ("tools", ", ".join(raw.texts("tools"))),
            ("MCP servers", ", ".join(servers)),
        ),
    )


def run_result(raw: Json) -> Note:
    """Return how a run ended: its time and cost, what was denied, what went wrong."""
    subtype = raw.text("subtype")
    is_trouble = raw.is_set("is_error") or subtype.startswith("error")
    facts = joined(
        counted(raw.number("num_turns"), "turn"),
        duration(raw.number("duration_ms")),
        _dollars(raw.value("total_cost_usd")),
    )
    ended = f"Ended with {subtype or 'an error'}" if is_trouble else "Run finished"
    errors = raw.texts("errors")
    if is_trouble and not errors:
        errors = list(filter(None, [raw.text("result")]))
    tokens = zip(map(raw.at("usage").number, USAGE_KEYS), _TOKENS, strict=True)
    denied = (one.text("tool_name") for one in raw.each("permission_denials"))
    return notice(
        one_line(f"{ended}: {facts}" if facts else ended),
        (
            *(Code(error, is_terminal=True) for error in errors),
            *fields(
                ("tokens", joined(*(f"{n:,} {name}" for n, name in tokens if n))),
                ("time at the API", duration(raw.number("duration_api_ms"))),
                ("models", ", ".join(sorted(raw.at("modelUsage").fields))),
                ("denied", joined(*denied)),
                ("reason", raw.word("terminal_reason")),
            ),
        ),
        is_trouble=is_trouble,
    )


def _dollars(cost: JsonValue) -> str:
    """Return a cost in dollars, to a hundredth of a cent where it is small.

    >>> _dollars(0.0312), _dollars(2.5), _dollars(None)
    ('$0.0312', '$2.50', '')
    """
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return ""
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"


SYSTEM: dict[str, Callable[[Json], Note]] = {
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
