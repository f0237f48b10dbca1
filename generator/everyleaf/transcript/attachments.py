"""Attachments: what the CLI gave to the model; few of them say anything to a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import UserRecord, parse_record
from everyleaf.transcript.aside import Aside, Beside
from everyleaf.transcript.document import (
    Chip,
    Code,
    Fold,
    Manner,
    Notice,
    NoticeKind,
    Prose,
)
from everyleaf.transcript.injected import message_notice
from everyleaf.transcript.prompts import prompt_entry
from everyleaf.transcript.values import (
    as_cell,
    as_json,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    texts_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import counted, first_line, joined, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.records.schema import AttachmentRecord, JsonObject
    from everyleaf.transcript.aside import Note
    from everyleaf.transcript.document import Part, Prompt


def attachment_note(uuid: str, record: AttachmentRecord) -> Note:
    """Return what an attachment shows: most types are talk to the model, and nothing."""
    attachment = record.attachment
    written = text_at(attachment, "type")
    if written == "queued_command":
        return queued_entry(uuid, record)
    context = _CONTEXT.get(written)
    if context is not None:
        return _beside_prompt(uuid, record.timestamp, context(attachment))
    show = _SHOWN.get(written)
    return show(uuid, record.timestamp, attachment) if show else None


def queued_entry(uuid: str, record: AttachmentRecord) -> Prompt | Notice:
    """Return what was typed, or arrived, while the model worked."""
    attachment = record.attachment
    said = _as_user(record)
    origin = said.origin
    is_task = text_at(attachment, "commandMode") == "task-notification"
    if is_task or origin.kind not in {"", "human"}:
        text = as_cell(value_at(attachment, "prompt"))
        return message_notice(uuid, record.timestamp, text, origin=origin)
    return prompt_entry(uuid, said, manner=Manner.STEERING)


def _as_user(record: AttachmentRecord) -> UserRecord:
    attachment = record.attachment
    raw = {
        "type": "user",
        "timestamp": record.timestamp,
        "message": {"content": attachment.get("prompt")},
        "origin": attachment.get("origin"),
    }
    made = parse_record(raw)
    return made if isinstance(made, UserRecord) else UserRecord()


def _beside_prompt(uuid: str, at: str, part: Chip | Fold) -> Aside:
    """Return a part of the prompt that the attachment came with."""
    text = part.summary if isinstance(part, Fold) else f"{part.label}: {part.text}"
    inside = part.parts if isinstance(part, Fold) else ()
    otherwise = Notice(uuid=uuid, at=at, kind=NoticeKind.META, text=text, parts=inside)
    return Aside(Beside.PROMPT, (part,), otherwise)


def _file(attachment: JsonObject) -> Chip | Fold:
    """Return a file that a prompt mentions, with the text that the model was given."""
    name = text_at(attachment, "displayPath", "filename", "path")
    content = object_at(attachment, "content")
    text = (
        text_at(object_at(content, "file"), "content")
        or text_at(attachment, "content")
        or text_at(content, "content")
    )
    if not text.strip():
        return Chip("file", name)
    return Fold(f"file {name}", (Code(text, language=name),))


def _directory(attachment: JsonObject) -> Chip | Fold:
    name = text_at(attachment, "displayPath", "path")
    return Fold(f"folder {name}", (Code(text_at(attachment, "content")),))


def _opened_file(attachment: JsonObject) -> Chip | Fold:
    return Chip("opened in the editor", text_at(attachment, "displayPath", "filename"))


def _selected_lines(attachment: JsonObject) -> Chip | Fold:
    name = text_at(attachment, "displayPath", "filename")
    start = int_at(attachment, "lineStart")
    code = Code(text_at(attachment, "content"), language=name, first_line=start)
    return Fold(f"selected in {name}", (code,))


def _edited_file(uuid: str, at: str, attachment: JsonObject) -> Note:
    """Return a file that was changed outside of the conversation."""
    name = text_at(attachment, "displayPath", "filename")
    snippet = text_at(attachment, "snippet")
    parts = (Code(snippet),) if snippet.strip() else ()
    text = f"{name} was changed outside of the conversation"
    return Notice(uuid=uuid, at=at, kind=NoticeKind.META, text=text, parts=parts)


def _diagnostics(uuid: str, at: str, attachment: JsonObject) -> Note:
    lines = [
        f"{text_at(file, 'uri')}:{_line_of(found)}: "
        f"{text_at(found, 'severity')}: {text_at(found, 'message')}"
        for file in objects_at(attachment, "files")
        for found in objects_at(file, "diagnostics")
    ]
    text = counted(len(lines), "diagnostic") + " from the editor"
    body = (Code("\n".join(lines)),) if lines else ()
    return Notice(uuid=uuid, at=at, kind=NoticeKind.META, text=text, parts=body)


def _line_of(diagnostic: JsonObject) -> int:
    start = object_at(object_at(diagnostic, "range"), "start")
    return (int_at(start, "line") or 0) + 1


def _hook(verb: str, *, is_trouble: bool) -> Callable[[str, str, JsonObject], Note]:
    def show(uuid: str, at: str, attachment: JsonObject) -> Note:
        error = object_at(attachment, "blockingError")
        words = text_at(error, "blockingError") or text_at(
            attachment, "message", "content", "reason", "stderr", "stdout"
        )
        name = text_at(attachment, "hookName", "hookEvent")
        parts: list[Part] = (
            [Code(words.strip("\n"), is_terminal=True)] if words.strip() else []
        )
        command = text_at(error, "command") or text_at(attachment, "command")
        if command:
            parts.append(Code(command, language="bash", caption="hook"))
        text = f"hook {name} {verb}".replace("  ", " ")
        if words.strip():
            text = f"{text}: {first_line(words, limit=120)}"
        return Notice(
            uuid=uuid,
            at=at,
            kind=NoticeKind.HOOK,
            text=text,
            parts=tuple(parts),
            is_trouble=is_trouble,
        )

    return show


def _max_turns(uuid: str, at: str, attachment: JsonObject) -> Note:
    text = f"stopped: the limit of {word_at(attachment, 'maxTurns')} turns was reached"
    return Notice(uuid=uuid, at=at, kind=NoticeKind.OTHER, text=text, is_trouble=True)


def _structured_output(uuid: str, at: str, attachment: JsonObject) -> Note:
    body = Code(as_json(value_at(attachment, "data")), language="json")
    return Notice(
        uuid=uuid, at=at, kind=NoticeKind.OTHER, text="structured output", parts=(body,)
    )


def _plan_file(uuid: str, at: str, attachment: JsonObject) -> Note:
    plan = text_at(attachment, "planContent", "content")
    name = text_at(attachment, "planFilePath", "filename")
    parts = (Prose(plan),) if plan.strip() else ()
    return Notice(uuid=uuid, at=at, kind=NoticeKind.META, text=f"plan {name}", parts=parts)


def _goal(uuid: str, at: str, attachment: JsonObject) -> Note:
    if is_set(attachment, "sentinel"):
        return None
    met = "met" if is_set(attachment, "met") else "not met yet"
    text = f"goal {met}: {one_line(text_at(attachment, 'condition'))}"
    reason = text_at(attachment, "reason")
    parts = (Prose(reason),) if reason.strip() else ()
    return Notice(uuid=uuid, at=at, kind=NoticeKind.OTHER, text=text, parts=parts)


def _mailbox(uuid: str, at: str, attachment: JsonObject) -> Note:
    """Return messages of teammates that were delivered together."""
    messages = objects_at(attachment, "messages")
    parts: list[Part] = []
    for message in messages:
        who = text_at(message, "from", "teammate_id", "sender")
        parts.append(Fold(who or "teammate", (Prose(text_at(message, "text", "content")),)))
    if not parts:
        return None
    text = joined(counted(len(parts), "message") + " from teammates")
    return Notice(uuid=uuid, at=at, kind=NoticeKind.MESSAGE, text=text, parts=tuple(parts))


def _hook_context(uuid: str, at: str, attachment: JsonObject) -> Note:
    """Return what a hook told the model, folded."""
    words = "\n\n".join(dict.fromkeys(texts_at(attachment, "content")))
    words = words or text_at(attachment, "content")
    if not words.strip():
        return None
    name = text_at(attachment, "hookName", "hookEvent")
    text = f"hook {name} added context"
    return Notice(uuid=uuid, at=at, kind=NoticeKind.HOOK, text=text, parts=(Code(words),))


_CONTEXT: dict[str, Callable[[JsonObject], Chip | Fold]] = {
    "file": _file,
    "already_read_file": _file,
    "pdf_reference": _file,
    "mcp_resource": _file,
    "directory": _directory,
    "opened_file_in_ide": _opened_file,
    "selected_lines_in_ide": _selected_lines,
    "selected_lines_in_diff": _selected_lines,
}
"""What is drawn with the prompt that it came with."""
_SHOWN: dict[str, Callable[[str, str, JsonObject], Note]] = {
    "edited_text_file": _edited_file,
    "edited_image_file": _edited_file,
    "diagnostics": _diagnostics,
    "hook_blocking_error": _hook("blocked", is_trouble=True),
    "hook_stopped_continuation": _hook("stopped the conversation", is_trouble=True),
    "hook_error_during_execution": _hook("failed", is_trouble=True),
    "hook_system_message": _hook("said", is_trouble=False),
    "hook_additional_context": _hook_context,
    "max_turns_reached": _max_turns,
    "structured_output": _structured_output,
    "plan_file_reference": _plan_file,
    "goal_status": _goal,
    "teammate_mailbox": _mailbox,
}
"""What is drawn by itself; what is in neither table is not drawn."""
