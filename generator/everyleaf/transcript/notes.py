"""Records beside the conversation, by type: a row of a table says what one shows.

A row is a function from the record, or from its attachment, as written, to what it shows.
What has to be known of a record before any turn is built stands in `records.asides`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from msgspec.structs import replace

from everyleaf.records import schema
from everyleaf.records.asides import OFF_TREE, OffTree
from everyleaf.transcript import content, document as doc
from everyleaf.transcript.entries import Anchor, AttachedNote, Note, notice
from everyleaf.transcript.prompts import message_notice, prompt_entry
from everyleaf.transcript.system import SYSTEM, informational, run_result
from everyleaf.transcript.words import counted, first_line, one_line

REPLACEMENT = "content-replacement"
"""Type of the records that `replaced_results` reads."""


def note_of(
    record: schema.SystemRecord | schema.AttachmentRecord | schema.OtherRecord,
) -> Note:
    """Return what a record beside the conversation shows; of unknown types everything."""
    match record:
        case schema.SystemRecord():
            shown = SYSTEM.get(record.subtype, informational)
            return shown(content.Json(record.raw))
        case schema.AttachmentRecord():
            attachment = content.Json(record.attachment)
            if attachment.text("type") == "queued_command":
                return queued_entry(record)
            show = ATTACHMENTS.get(attachment.text("type"))
            return show(attachment) if show else None
        case schema.OtherRecord():
            return _off_tree(record)


def queued_entry(record: schema.AttachmentRecord) -> doc.Prompt | doc.Notice:
    """Return what was typed, or arrived, while the model worked."""
    attachment, said = content.Json(record.attachment), queued_message(record)
    is_task = attachment.text("commandMode") == "task-notification"
    if is_task or said.origin.kind not in {"", "human"}:
        return message_notice(content.as_cell(attachment.value("prompt")), said.origin)
    return prompt_entry(said, manner=doc.Manner.STEERING)


def queued_message(record: schema.AttachmentRecord) -> schema.UserRecord:
    """Return what an attachment holds that was typed, or arrived, as a message."""
    attachment = content.Json(record.attachment)
    message = {"content": attachment.value("prompt")}
    known = {"type": "user", "timestamp": record.timestamp, "message": message}
    said = schema.parse_record(known | {"origin": attachment.value("origin")})
    assert isinstance(said, schema.UserRecord)  # noqa: S101  (its type is written above)
    return said


def _beside_prompt(part: doc.Chip | doc.Fold) -> AttachedNote:
    """Return a part of the prompt that the attachment came with."""
    if isinstance(part, doc.Fold):
        otherwise = notice(part.summary, part.parts)
    else:
        otherwise = notice(f"{part.label}: {part.text}")
    return AttachedNote(Anchor.PROMPT, (part,), otherwise)


def _file(raw: content.Json) -> Note:
    """Return a file that a prompt mentions, with the text that the model was given."""
    name, told = raw.text("displayPath", "filename", "path"), raw.at("content")
    text = told.at("file").text("content") or raw.text("content")
    shown = content.code(text or told.text("content"), language=name)
    return _beside_prompt(
        doc.Fold(f"file {name}", shown) if shown else doc.Chip("file", name)
    )


def _directory(raw: content.Json) -> Note:
    name = raw.text("displayPath", "path")
    return _beside_prompt(doc.Fold(f"folder {name}", (doc.Code(raw.text("content")),)))


def _selected_lines(raw: content.Json) -> Note:
    name = raw.text("displayPath", "filename")
    lines = doc.Code(raw.text("content"), language=name, first_line=raw.number("lineStart"))
    return _beside_prompt(doc.Fold(f"selected in {name}", (lines,)))


def _edited_file(raw: content.Json) -> Note:
    said = f"{raw.text('displayPath', 'filename')} was changed outside of the conversation"
    return notice(said, content.code(raw.text("snippet")))


def _diagnostics(raw: content.Json) -> Note:
    lines = [
        f"{file.text('uri')}:{(found.at('range').at('start').number('line') or 0) + 1}: "
        f"{found.text('severity')}: {found.text('message')}"
        for file in raw.each("files")
        for found in file.each("diagnostics")
    ]
    text = counted(len(lines), "diagnostic") + " from the editor"
    return notice(text, content.code("\n".join(lines)))


def _hook(verb: str, raw: content.Json, *, is_trouble: bool = True) -> Note:
    """Return what a hook did, and what it said."""
    error = raw.at("blockingError")
    words = error.text("blockingError")
    words = words or raw.text("message", "content", "reason", "stderr", "stdout")
    command = error.text("command") or raw.text("command")
    text = f"hook {raw.text('hookName', 'hookEvent')} {verb}".replace("  ", " ")
    return notice(
        f"{text}: {first_line(words, limit=120)}" if words.strip() else text,
        (
            *content.terminal(words.strip("\n")),
            *((doc.Code(command, language="bash", caption="hook"),) if command else ()),
        ),
        doc.NoticeKind.HOOK,
        is_trouble=is_trouble,
    )


def _hook_context(raw: content.Json) -> Note:
    words = "\n\n".join(dict.fromkeys(raw.texts("content")))
    parts = content.code(words or raw.text("content"))
    text = f"hook {raw.text('hookName', 'hookEvent')} added context"
    return notice(text, parts, doc.NoticeKind.HOOK) if parts else None


def _goal(raw: content.Json) -> Note:
    met = "met" if raw.is_set("met") else "not met yet"
    text = f"goal {met}: {one_line(raw.text('condition'))}"
    told = notice(text, content.prose(raw.text("reason")), doc.NoticeKind.OTHER)
    return None if raw.is_set("sentinel") else told


def _mailbox(raw: content.Json) -> Note:
    """Return messages of teammates that were delivered together."""
    parts = tuple(
        doc.Fold(
            message.text("from", "teammate_id", "sender") or "teammate",
            (doc.Prose(message.text("text", "content")),),
        )
        for message in raw.each("messages")
    )
    text = counted(len(parts), "message") + " from teammates"
    return notice(text, parts, doc.NoticeKind.MESSAGE) if parts else None


ATTACHMENTS: dict[str, Callable[[content.Json], Note]] = {
    "file": _file,
    "already_read_file": _file,
    "pdf_reference": _file,
    "mcp_resource": _file,
    "directory": _directory,
    "opened_file_in_ide": lambda raw: _beside_prompt(
        doc.Chip("opened in the editor", raw.text("displayPath", "filename"))
    ),
    "selected_lines_in_ide": _selected_lines,
    "selected_lines_in_diff": _selected_lines,
    "edited_text_file": _edited_file,
    "edited_image_file": _edited_file,
    "diagnostics": _diagnostics,
    "hook_blocking_error": partial(_hook, "blocked"),
    "hook_stopped_continuation": partial(_hook, "stopped the conversation"),
    "hook_error_during_execution": partial(_hook, "failed"),
    "hook_system_message": partial(_hook, "said", is_trouble=False),
    "hook_additional_context": _hook_context,
    "max_turns_reached": lambda raw: notice(
        f"stopped: the limit of {raw.word('maxTurns')} turns was reached",
        kind=doc.NoticeKind.OTHER,
        is_trouble=True,
    ),
    "structured_output": lambda raw: notice(
        "structured output", (content.as_code(raw.value("data")),), doc.NoticeKind.OTHER
    ),
    "plan_file_reference": lambda raw: notice(
        f"plan {raw.text('planFilePath', 'filename')}",
        content.prose(raw.text("planContent", "content")),
    ),
    "goal_status": _goal,
    "teammate_mailbox": _mailbox,
}
"""What attachments show: most types are talk to the model, not in here and not drawn."""


def _undelivered_prompt(raw: content.Json) -> Note:
    """Return what stood in the queue when the session ended."""
    text = raw.text("content")
    return doc.Prompt(
        parts=content.typed(text), manner=doc.Manner.UNDELIVERED, words=one_line(text)
    )


def _pull_request(raw: content.Json) -> Note:
    """Return the pull request that the session was linked to, as a step of git history."""
    told = _row_of(OFF_TREE["pr-link"], raw)
    name, url = f"#{raw.word('prNumber')}".rstrip("#"), raw.text("prUrl")
    commit = doc.Commit("", name, kind=doc.PULL_REQUEST, url=url)
    return replace(told, commits=(commit,)) if told else None


def _row_of(row: OffTree, raw: content.Json) -> doc.Notice | None:
    """Return what a record shows that only has a row in `records.asides`."""
    text = one_line(row.says(cast("dict[str, object]", raw.fields)))
    if not row.is_link:
        return notice(text)
    return notice(text, content.link_to(raw.text(row.key)), doc.NoticeKind.LINK)


def _worktree(raw: content.Json) -> Note:
    """Return the worktree that the session moved into, or that it left."""
    worktree = raw.at("worktreeSession")
    if not worktree:
        return notice("Left the worktree")
    branch, origin = (worktree.text(f"{key}Branch") for key in ("worktree", "original"))
    words = (
        f"Moved into the worktree {worktree.text('worktreeName')}".rstrip(),
        f"on branch {branch}" if branch else "",
        f"(from {origin})" if origin else "",
    )
    return notice(one_line(" ".join(filter(None, words))))


_OTHER: dict[str, Callable[[content.Json], Note]] = {
    "progress": lambda _raw: None,
    "queue-operation": _undelivered_prompt,
    "pr-link": _pull_request,
    "worktree-state": _worktree,
    "result": run_result,
}
"""What records of other types show that a row in `records.asides` does not tell."""


def _off_tree(record: schema.OtherRecord) -> Note:
    """Return what a record of another type shows; of one that nobody knows all of it."""
    show, row = _OTHER.get(record.type), OFF_TREE.get(record.type)
    if show is not None:
        return show(content.Json(record.raw))
    if row is not None:
        return _row_of(row, content.Json(record.raw))
    text = f"record of type {record.type!r}"
    return notice(text, (content.as_code(record.raw),), doc.NoticeKind.OTHER)


def replaced_results(record: schema.OtherRecord) -> Iterator[AttachedNote]:
    """Yield what the model was given in place of results, to be added to their calls."""
    for one in content.Json(record.raw).each("replacements"):
        shown = content.code(content.as_cell(one.value("replacement") or ""))
        parts = (doc.Fold("what the model was given instead", shown),)
        yield AttachedNote(Anchor.CALL, parts, None, one.text("toolUseId"))
