"""What a record beside the conversation shows, by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import AttachmentRecord, OtherRecord, SystemRecord
from everyleaf.transcript.attachments import attachment_note
from everyleaf.transcript.document import Code, Notice, NoticeKind
from everyleaf.transcript.offtree import (
    artifact_notice,
    pull_request_notice,
    undelivered_prompt,
    worktree_notice,
)
from everyleaf.transcript.streamed import result_notice
from everyleaf.transcript.system import system_note
from everyleaf.transcript.values import as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.transcript.aside import Note
    from everyleaf.transcript.document import AnyEntry


def note_of(uuid: str, record: SystemRecord | AttachmentRecord | OtherRecord) -> Note:
    """Return what a record beside the conversation shows; of unknown types everything."""
    match record:
        case SystemRecord():
            return system_note(uuid, record)
        case AttachmentRecord():
            return attachment_note(uuid, record)
        case OtherRecord(type="progress"):
            return None
        case OtherRecord():
            return _OFF_TREE.get(record.type, _unknown)(uuid, record)


def _unknown(uuid: str, record: OtherRecord) -> Notice:
    body = Code(as_json(record.raw), language="json")
    text = f"record of type {record.type!r}"
    return Notice(
        uuid=uuid, at=record.timestamp, kind=NoticeKind.OTHER, text=text, parts=(body,)
    )


_OFF_TREE: dict[str, Callable[[str, OtherRecord], AnyEntry]] = {
    "queue-operation": undelivered_prompt,
    "pr-link": pull_request_notice,
    "frame-link": artifact_notice,
    "worktree-state": worktree_notice,
    "result": result_notice,
}
