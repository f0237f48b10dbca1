"""What others put into the conversation: finished tasks, teammates, peers, channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.content import blocks_text
from everyleaf.transcript.document import AgentPage, Notice, NoticeKind, Prose, Table
from everyleaf.transcript.tags import leading_tag, tag_body
from everyleaf.transcript.values import parse_json, text_at
from everyleaf.transcript.words import first_line, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import Origin, UserRecord
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tags import Tagged

PEER = "Another Claude session sent a message:"
"""What the CLI writes above the tag of a message from a peer or a teammate (2.1.232)."""
AUTOMATION = ("tick", "goal", "scheduled-task", "loop")
"""What the CLI says to the model on its own: dim."""
TAGS = (
    "task-notification",
    "teammate-message",
    "agent-message",
    "cross-session-message",
    "channel",
    *AUTOMATION,
)


def is_injected(record: UserRecord) -> bool:
    """Return whether someone else than the person wrote `record`."""
    if record.origin.kind not in {"", "human"}:
        return True
    tag = _tag_of(blocks_text(record.message.content))
    return tag is not None and tag.name in TAGS


def _tag_of(text: str) -> Tagged | None:
    return leading_tag(text.lstrip().removeprefix(PEER))


def injected_notice(uuid: str, record: UserRecord) -> Notice:
    """Return who said what in a record that no person typed."""
    text = blocks_text(record.message.content)
    return message_notice(uuid, record.timestamp, text, origin=record.origin)


def message_notice(uuid: str, at: str, text: str, *, origin: Origin) -> Notice:
    """Return who said what in `text`: by its tag, else by `origin`."""
    tag = _tag_of(text)
    if tag is not None and tag.name == "task-notification":
        said, parts = _task(tag.body)
    elif tag is not None and tag.name in TAGS:
        said, parts = _message(tag)
    else:
        who = origin.name or origin.server or origin.kind or "another session"
        body = origin.body or text
        said, parts = f"{who}: {first_line(body)}", (Prose(body),)
    is_dim = tag is not None and tag.name in AUTOMATION
    kind = NoticeKind.META if is_dim else NoticeKind.MESSAGE
    return Notice(uuid=uuid, at=at, kind=kind, text=said, parts=parts)


def _task(body: str) -> tuple[str, tuple[Part, ...]]:
    """Return the summary of a finished background task, and its result."""
    summary = tag_body(body, "summary") or "background task"
    status = tag_body(body, "status") or ""
    task = (tag_body(body, "task-id") or "").strip()
    rows = tuple(
        (name, one_line(found))
        for name in ("task-id", "status", "output-file", "note")
        if (found := tag_body(body, name))
    )
    result = (tag_body(body, "result") or "").strip()
    parts: list[Part] = [Table(rows)] if rows else []
    if task and result:
        parts.append(AgentPage(task, "agent"))
    if result:
        parts.append(Prose(result))
    if not parts:
        parts.append(Prose(body))
    suffix = "" if status.strip() in {"", "completed"} else f" ({status.strip()})"
    return one_line(summary) + suffix, tuple(parts)


def _message(tag: Tagged) -> tuple[str, tuple[Part, ...]]:
    """Return a message by its sender; a JSON body (idle, shutdown, …) becomes one line."""
    who = next(
        (
            found
            for key in ("teammate_id", "from", "source")
            if (found := tag.attribute(key))
        ),
        tag.name,
    )
    body = tag.body.strip()
    summary = tag.attribute("summary")
    if body.startswith("{"):
        told = _told(body)
        if told:
            return f"{who}: {told}", ()
    return f"{who}: {summary or first_line(body)}", ((Prose(body),) if body else ())


def _told(body: str) -> str:
    """Return the type of a message between machines, with its reason or subject."""
    told, _ = parse_json(body)
    kind = text_at(told, "type")
    if not kind:
        return ""
    keys = ("subject", "reason", "summary", "idleReason", "content")
    said = next((one_line(found) for key in keys if (found := text_at(told, key))), "")
    words = [kind.replace("_", " "), *([said] if said else [])]
    return ": ".join(words)
