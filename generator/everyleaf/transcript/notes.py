"""Records beside the conversation, by type: a row of a table says what one shows.

A row is a function from the record, or from its attachment, as written, to what it shows.
What has to be known of a record before any turn is built stands in `records.asides`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from everyleaf.records.asides import OFF_TREE
from everyleaf.records.schema import (
    AttachmentRecord,
    OtherRecord,
    SystemRecord,
    UserRecord,
    parse_record,
)
from everyleaf.transcript.content import as_code, code, link_to, prose, terminal, typed
from everyleaf.transcript.document import (
    PULL_REQUEST,
    Chip,
    Code,
    Commit,
    Fold,
    Manner,
    Notice,
    NoticeKind,
    Prompt,
    Prose,
)
from everyleaf.transcript.entries import Anchor, AttachedNote, notice
from everyleaf.transcript.injected import message_notice
from everyleaf.transcript.prompts import prompt_entry
from everyleaf.transcript.system import run_result, system_note
from everyleaf.transcript.values import (
    as_cell,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    texts_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import counted, first_line, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.records.asides import OffTree
    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.entries import Note

REPLACEMENT = "content-replacement"
"""Type of the records that `replaced_results` reads."""


def note_of(record: SystemRecord | AttachmentRecord | OtherRecord) -> Note:
    """Return what a record beside the conversation shows; of unknown types everything."""
    match record:
        case SystemRecord():
            return system_note(record.subtype, record.raw)
        case AttachmentRecord():
            written = text_at(record.attachment, "type")
            if written == "queued_command":
                return queued_entry(record)
            show = ATTACHMENTS.get(written)
            return show(record.attachment) if show else None
        case OtherRecord():
            return _off_tree(record)


def queued_entry(record: AttachmentRecord) -> Prompt | Notice:
    """Return what was typed, or arrived, while the model worked."""
    attachment = record.attachment
    said = parse_record(
        {
            "type": "user",
            "timestamp": record.timestamp,
            "message": {"content": attachment.get("prompt")},
            "origin": attachment.get("origin"),
        }
    )
    assert isinstance(said, UserRecord)  # noqa: S101  (its type is written above)
    is_task = text_at(attachment, "commandMode") == "task-notification"
    if is_task or said.origin.kind not in {"", "human"}:
        return message_notice(as_cell(value_at(attachment, "prompt")), said.origin)
    return prompt_entry(said, manner=Manner.STEERING)


def _beside_prompt(part: Chip | Fold) -> AttachedNote:
    """Return a part of the prompt that the attachment came with."""
    if isinstance(part, Fold):
        otherwise = notice(part.summary, part.parts)
    else:
        otherwise = notice(f"{part.label}: {part.text}")
    return AttachedNote(Anchor.PROMPT, (part,), otherwise)


def _named(attachment: JsonObject) -> str:
    return text_at(attachment, "displayPath", "filename", "path")


def _file(attachment: JsonObject) -> Note:
    """Return a file that a prompt mentions, with the text that the model was given."""
    name = _named(attachment)
    content = object_at(attachment, "content")
    text = (
        text_at(object_at(content, "file"), "content")
        or text_at(attachment, "content")
        or text_at(content, "content")
    )
    shown = code(text, language=name)
    return _beside_prompt(Fold(f"file {name}", shown) if shown else Chip("file", name))


def _directory(attachment: JsonObject) -> Note:
    listing = Code(text_at(attachment, "content"))
    name = text_at(attachment, "displayPath", "path")
    return _beside_prompt(Fold(f"folder {name}", (listing,)))


def _selected_lines(attachment: JsonObject) -> Note:
    name = text_at(attachment, "displayPath", "filename")
    start = int_at(attachment, "lineStart")
    lines = Code(text_at(attachment, "content"), language=name, first_line=start)
    return _beside_prompt(Fold(f"selected in {name}", (lines,)))


def _edited_file(attachment: JsonObject) -> Note:
    """Return a file that was changed outside of the conversation."""
    name = text_at(attachment, "displayPath", "filename")
    snippet = code(text_at(attachment, "snippet"))
    return notice(f"{name} was changed outside of the conversation", snippet)


def _diagnostics(attachment: JsonObject) -> Note:
    lines = [
        f"{text_at(file, 'uri')}:{_line_of(found)}: "
        f"{text_at(found, 'severity')}: {text_at(found, 'message')}"
        for file in objects_at(attachment, "files")
        for found in objects_at(file, "diagnostics")
    ]
    text = counted(len(lines), "diagnostic") + " from the editor"
    return notice(text, (Code("\n".join(lines)),) if lines else ())


def _line_of(diagnostic: JsonObject) -> int:
    start = object_at(object_at(diagnostic, "range"), "start")
    return (int_at(start, "line") or 0) + 1


def _hook(verb: str, *, is_trouble: bool = True) -> Callable[[JsonObject], Note]:
    def show(attachment: JsonObject) -> Note:
        error = object_at(attachment, "blockingError")
        keys = ("message", "content", "reason", "stderr", "stdout")
        words = text_at(error, "blockingError") or text_at(attachment, *keys)
        command = text_at(error, "command") or text_at(attachment, "command")
        name = text_at(attachment, "hookName", "hookEvent")
        text = f"hook {name} {verb}".replace("  ", " ")
        said = first_line(words, limit=120)
        hook = (Code(command, language="bash", caption="hook"),) if command else ()
        return notice(
            f"{text}: {said}" if words.strip() else text,
            (*terminal(words.strip("\n")), *hook),
            NoticeKind.HOOK,
            is_trouble=is_trouble,
        )

    return show


def _hook_context(attachment: JsonObject) -> Note:
    """Return what a hook told the model, folded."""
    words = "\n\n".join(dict.fromkeys(texts_at(attachment, "content")))
    parts = code(words or text_at(attachment, "content"))
    name = text_at(attachment, "hookName", "hookEvent")
    return notice(f"hook {name} added context", parts, NoticeKind.HOOK) if parts else None


def _max_turns(attachment: JsonObject) -> Note:
    text = f"stopped: the limit of {word_at(attachment, 'maxTurns')} turns was reached"
    return notice(text, kind=NoticeKind.OTHER, is_trouble=True)


def _plan_file(attachment: JsonObject) -> Note:
    name = text_at(attachment, "planFilePath", "filename")
    return notice(f"plan {name}", prose(text_at(attachment, "planContent", "content")))


def _goal(attachment: JsonObject) -> Note:
    if is_set(attachment, "sentinel"):
        return None
    met = "met" if is_set(attachment, "met") else "not met yet"
    text = f"goal {met}: {one_line(text_at(attachment, 'condition'))}"
    return notice(text, prose(text_at(attachment, "reason")), NoticeKind.OTHER)


def _mailbox(attachment: JsonObject) -> Note:
    """Return messages of teammates that were delivered together."""
    parts = tuple(
        Fold(
            text_at(message, "from", "teammate_id", "sender") or "teammate",
            (Prose(text_at(message, "text", "content")),),
        )
        for message in objects_at(attachment, "messages")
    )
    text = counted(len(parts), "message") + " from teammates"
    return notice(text, parts, NoticeKind.MESSAGE) if parts else None


ATTACHMENTS: dict[str, Callable[[JsonObject], Note]] = {
    "file": _file,
    "already_read_file": _file,
    "pdf_reference": _file,
    "mcp_resource": _file,
    "directory": _directory,
    "opened_file_in_ide": lambda attachment: _beside_prompt(
        Chip("opened in the editor", text_at(attachment, "displayPath", "filename"))
    ),
    "selected_lines_in_ide": _selected_lines,
    "selected_lines_in_diff": _selected_lines,
    "edited_text_file": _edited_file,
    "edited_image_file": _edited_file,
    "diagnostics": _diagnostics,
    "hook_blocking_error": _hook("blocked"),
    "hook_stopped_continuation": _hook("stopped the conversation"),
    "hook_error_during_execution": _hook("failed"),
    "hook_system_message": _hook("said", is_trouble=False),
    "hook_additional_context": _hook_context,
    "max_turns_reached": _max_turns,
    "structured_output": lambda attachment: notice(
        "structured output", (as_code(value_at(attachment, "data")),), NoticeKind.OTHER
    ),
    "plan_file_reference": _plan_file,
    "goal_status": _goal,
    "teammate_mailbox": _mailbox,
}
"""What attachments show: most types are talk to the model, not in here and not drawn."""


def _undelivered_prompt(raw: JsonObject) -> Note:
    """Return what stood in the queue when the session ended."""
    text = text_at(raw, "content")
    return Prompt(parts=typed(text), manner=Manner.UNDELIVERED, words=one_line(text))


def _pull_request(raw: JsonObject) -> Note:
    """Return the pull request that the session was linked to, as a step of git history."""
    told = _row_of(OFF_TREE["pr-link"], raw)
    name, url = f"#{word_at(raw, 'prNumber')}".rstrip("#"), text_at(raw, "prUrl")
    commit = Commit("", name, kind=PULL_REQUEST, url=url)
    return replace(told, commits=(commit,)) if told else None


def _row_of(row: OffTree, raw: JsonObject) -> Notice | None:
    """Return what a record shows that only has a row in `records.asides`."""
    text = one_line(row.says(cast("dict[str, object]", raw)))
    if not row.is_link:
        return notice(text)
    return notice(text, link_to(text_at(raw, row.key)), NoticeKind.LINK)


def _worktree(raw: JsonObject) -> Note:
    """Return the worktree that the session moved into, or that it left."""
    worktree = object_at(raw, "worktreeSession")
    if not worktree:
        return notice("Left the worktree")
    branch, origin = (text_at(worktree, f"{key}Branch") for key in ("worktree", "original"))
    words = (
        f"Moved into the worktree {text_at(worktree, 'worktreeName')}".rstrip(),
        f"on branch {branch}" if branch else "",
        f"(from {origin})" if origin else "",
    )
    return notice(one_line(" ".join(filter(None, words))))


_OTHER: dict[str, Callable[[JsonObject], Note]] = {
    "progress": lambda _raw: None,
    "queue-operation": _undelivered_prompt,
    "pr-link": _pull_request,
    "worktree-state": _worktree,
    "result": run_result,
}
"""What records of other types show that a row in `records.asides` does not tell."""


def _off_tree(record: OtherRecord) -> Note:
    """Return what a record of another type shows; of one that nobody knows all of it."""
    show, row = _OTHER.get(record.type), OFF_TREE.get(record.type)
    if show is not None:
        return show(record.raw)
    if row is not None:
        return _row_of(row, record.raw)
    text = f"record of type {record.type!r}"
    return notice(text, (as_code(record.raw),), NoticeKind.OTHER)


def replaced_results(record: OtherRecord) -> Iterator[AttachedNote]:
    """Yield what the model was given in place of results, to be added to their calls."""
    for one in objects_at(record.raw, "replacements"):
        shown = code(as_cell(value_at(one, "replacement") or ""))
        parts = (Fold("what the model was given instead", shown),)
        yield AttachedNote(Anchor.CALL, parts, None, text_at(one, "toolUseId"))
