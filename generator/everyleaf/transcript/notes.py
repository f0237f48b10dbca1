"""What a record beside the conversation shows, by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import AttachmentRecord, OtherRecord, SystemRecord
from everyleaf.transcript.attachments import attachment_note
from everyleaf.transcript.document import Code, Notice, NoticeKind
from everyleaf.transcript.offtree import pull_request_notice, undelivered_prompt
from everyleaf.transcript.system import system_note
from everyleaf.transcript.values import as_json

if TYPE_CHECKING:
    from everyleaf.transcript.aside import Note


def note_of(uuid: str, record: SystemRecord | AttachmentRecord | OtherRecord) -> Note:
    """Return what a record beside the conversation shows; of unknown types everything."""
    match record:
        case SystemRecord():
            return system_note(uuid, record)
        case AttachmentRecord():
            return attachment_note(uuid, record)
        case OtherRecord(type="progress"):
            return None
        case OtherRecord(type="queue-operation"):
            return undelivered_prompt(uuid, record)
        case OtherRecord(type="pr-link"):
            return pull_request_notice(uuid, record)
        case OtherRecord():
            body = Code(as_json(record.raw), language="json")
            text = f"record of type {record.type!r}"
            return Notice(
                uuid=uuid,
                at=record.timestamp,
                kind=NoticeKind.OTHER,
                text=text,
                parts=(body,),
            )
