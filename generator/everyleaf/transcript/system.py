"""System records: the CLI's own words about the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.text import without_escapes
from everyleaf.transcript.aside import Aside, Beside
from everyleaf.transcript.document import Code, Notice, NoticeKind, Prose, Table
from everyleaf.transcript.prompts import output_part
from everyleaf.transcript.streamed import init_notice
from everyleaf.transcript.tags import leading_tags
from everyleaf.transcript.values import (
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    texts_at,
    word_at,
)
from everyleaf.transcript.words import counted, duration, first_line, joined, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.records.schema import SystemRecord
    from everyleaf.transcript.aside import Note
    from everyleaf.transcript.document import Part

_HIDDEN = frozenset({"bridge_status", "bridge_state"})
_RECAP_HINT = "(disable recaps in /config)"


def system_note(uuid: str, record: SystemRecord) -> Note:
    """Return what a system record shows; of an unknown subtype its text, if it has one."""
    if record.subtype in _HIDDEN:
        return None
    return _SHOWN.get(record.subtype, _informational)(uuid, record)


def _informational(uuid: str, record: SystemRecord) -> Note:
    text = record.content or text_at(object_at(record.raw, "message"), "content")
    if not text.strip():
        return None
    label = (
        "" if record.subtype in {"", "informational"} else record.subtype.replace("_", " ")
    )
    words = first_line(text)
    is_whole = words == without_escapes(text).strip()
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.OTHER,
        text=f"{label}: {words}" if label else words,
        parts=() if is_whole else (Code(text, is_terminal=True),),
        is_trouble=record.level in {"error", "warning"},
    )


def _local_command(uuid: str, record: SystemRecord) -> Note:
    """Return a command that ran at the terminal, or its output."""
    tags, rest = leading_tags(record.content)
    by_name = {tag.name: tag.body.strip() for tag in tags}
    if "command-name" in by_name:
        said = f"{by_name['command-name']} {by_name.get('command-args', '')}".strip()
        return Notice(
            uuid=uuid, at=record.timestamp, kind=NoticeKind.COMMAND, text=first_line(said)
        )
    shown = [output_part(tag.name, tag.body) for tag in tags]
    parts: tuple[Part, ...] = tuple(part for part in shown if part is not None)
    if rest.strip():
        parts += (Code(rest, is_terminal=True),)
    if not parts:
        return None
    otherwise = Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.COMMAND,
        text="output of a command",
        parts=parts,
    )
    return Aside(Beside.COMMAND, parts, otherwise)


def _api_error(uuid: str, record: SystemRecord) -> Note:
    error = object_at(record.raw, "error")
    connection = object_at(error, "connection") or object_at(error, "cause")
    status = int_at(error, "status")
    said = text_at(error, "formatted", "message") or text_at(connection, "message", "code")
    if not said:
        said = text_at(object_at(object_at(error, "error"), "error"), "message")
    said = one_line(said)
    number = str(status) if status and not said.startswith(str(status)) else ""
    words = f"{number} {said}".strip() or "no reason recorded"
    attempt, limit = word_at(record.raw, "retryAttempt"), word_at(record.raw, "maxRetries")
    wait = int_at(record.raw, "retryInMs")
    row = (
        record.timestamp,
        words,
        joined(
            f"attempt {attempt} of {limit}" if attempt else "",
            f"next in {duration(wait)}" if wait is not None else "",
        ),
    )
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.API_ERROR,
        text=f"API error: {words}",
        parts=(Table((row,)),),
        is_trouble=True,
    )


def _stop_hooks(uuid: str, record: SystemRecord) -> Note:
    """Return what hooks said at the end of a turn, where they failed or held it up."""
    errors = texts_at(record.raw, "hookErrors")
    held = is_set(record.raw, "preventedContinuation")
    if not errors and not held:
        return None
    reason = text_at(record.raw, "stopReason")
    rows = [
        (text_at(hook, "command"), duration(int_at(hook, "durationMs") or 0))
        for hook in objects_at(record.raw, "hookInfos")
    ]
    parts: list[Part] = [Code(error, is_terminal=True) for error in errors]
    if rows:
        parts.append(Table(tuple(rows)))
    text = "a stop hook ended the turn" if held else "a stop hook failed"
    words = reason or (first_line(errors[0], limit=120) if errors else "")
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.HOOK,
        text=f"{text}: {words}" if words else text,
        parts=tuple(parts),
        is_trouble=True,
    )


def _turn_duration(uuid: str, record: SystemRecord) -> Note:
    """Return how long the turn took, as a line under it."""
    took = int_at(record.raw, "durationMs")
    running = int_at(record.raw, "pendingBackgroundAgentCount")
    said = joined(
        f"Worked for {duration(took)}" if took is not None else "",
        f"{counted(running, 'agent')} still in the background" if running else "",
    )
    if not said:
        return None
    return Notice(uuid=uuid, at=record.timestamp, kind=NoticeKind.META, text=said)


def _recap(uuid: str, record: SystemRecord) -> Note:
    text = record.content.replace(_RECAP_HINT, "").strip()
    if not text:
        return None
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.RECAP,
        text="Recap",
        parts=(Prose(text),),
    )


def _microcompact(uuid: str, record: SystemRecord) -> Note:
    facts = object_at(record.raw, "microcompactMetadata")
    saved, before = int_at(facts, "tokensSaved"), int_at(facts, "preTokens")
    text = "Old tool results were cleared from the context"
    numbers = joined(
        f"{saved:,} tokens saved" if saved is not None else "",
        f"{before:,} before" if before is not None else "",
    )
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.META,
        text=f"{text} ({numbers})" if numbers else text,
    )


def _model(uuid: str, record: SystemRecord) -> Note:
    """Return a change of model: a fallback, or a refusal."""
    raw = record.raw
    old, new = text_at(raw, "originalModel"), text_at(raw, "fallbackModel")
    change = f"{old} → {new}" if old and new else old or new
    said = first_line(record.content or text_at(raw, "trigger") or record.subtype)
    explanation = text_at(raw, "apiRefusalExplanation")
    taken_back = len(texts_at(raw, "retractedMessageUuids"))
    rows = tuple(
        (name, value)
        for name, value in (
            ("models", change),
            ("category", text_at(raw, "apiRefusalCategory")),
            ("explanation", explanation),
            ("taken back", counted(taken_back, "message") if taken_back else ""),
            (
                "in this copy",
                "no longer in force" if is_set(raw, "neutralizedByFork") else "",
            ),
        )
        if value
    )
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.MODEL,
        text=f"Model changed: {said}" if change else said,
        parts=(Table(rows),) if rows else (),
        is_trouble="refusal" in record.subtype and not is_set(raw, "neutralizedByFork"),
    )


def _memory_saved(uuid: str, record: SystemRecord) -> Note:
    files = texts_at(record.raw, "writtenPaths")
    text = f"Memory saved: {', '.join(files)}" if files else "Memory saved"
    return Notice(uuid=uuid, at=record.timestamp, kind=NoticeKind.META, text=one_line(text))


_SHOWN: dict[str, Callable[[str, SystemRecord], Note]] = {
    "init": init_notice,
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
