"""Records beside the tree: what was typed and never sent, and pull requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.content import typed
from everyleaf.transcript.document import (
    PULL_REQUEST,
    Commit,
    Link,
    Links,
    Manner,
    Notice,
    NoticeKind,
    Prompt,
)
from everyleaf.transcript.values import text_at, word_at
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import OtherRecord


def undelivered_prompt(uuid: str, record: OtherRecord) -> Prompt:
    """Return what stood in the queue when the session ended; it is not numbered."""
    text = text_at(record.raw, "content")
    return Prompt(
        uuid=uuid,
        at=record.timestamp,
        parts=typed(text),
        manner=Manner.UNDELIVERED,
        words=one_line(text),
        is_numbered=False,
    )


def pull_request_notice(uuid: str, record: OtherRecord) -> Notice:
    """Return the pull request that the session was linked to."""
    name = f"#{word_at(record.raw, 'prNumber')}".rstrip("#")
    where = text_at(record.raw, "prRepository")
    url = text_at(record.raw, "prUrl")
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.LINK,
        text=" ".join(filter(None, ("Pull request", name, f"of {where}" if where else ""))),
        parts=(Links((Link(url, url),)),) if url else (),
        commits=(Commit("", name, kind=PULL_REQUEST, url=url),),
    )
