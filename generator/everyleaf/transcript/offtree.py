"""Records beside the tree: what was never sent, links, worktrees, replaced results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.content import typed
from everyleaf.transcript.document import (
    PULL_REQUEST,
    Code,
    Commit,
    Fold,
    Link,
    Links,
    Manner,
    Notice,
    NoticeKind,
    Prompt,
)
from everyleaf.transcript.values import (
    as_cell,
    object_at,
    objects_at,
    text_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.records.schema import OtherRecord
    from everyleaf.transcript.document import Part

REPLACEMENT = "content-replacement"
"""Type of the records that `replaced_results` reads."""


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


def artifact_notice(uuid: str, record: OtherRecord) -> Notice:
    """Return the page that the session published."""
    url = text_at(record.raw, "frameUrl")
    title = text_at(record.raw, "title") or text_at(record.raw, "path")
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.LINK,
        text=one_line(f"Published {title}" if title else "Published a page"),
        parts=(Links((Link(url, url),)),) if url else (),
    )


def worktree_notice(uuid: str, record: OtherRecord) -> Notice:
    """Return the worktree that the session moved into, or that it left."""
    worktree = object_at(record.raw, "worktreeSession")
    name = text_at(worktree, "worktreeName")
    branch, origin = (text_at(worktree, f"{key}Branch") for key in ("worktree", "original"))
    said = " ".join(
        filter(
            None,
            (
                f"Moved into the worktree {name}".rstrip(),
                f"on branch {branch}" if branch else "",
                f"(from {origin})" if origin else "",
            ),
        )
    )
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.META,
        text=one_line(said if worktree else "Left the worktree"),
    )


def replaced_results(record: OtherRecord) -> Iterator[tuple[str, tuple[Part, ...]]]:
    """Yield (tool_use_id, parts): what the model was given in place of a result."""
    for one in objects_at(record.raw, "replacements"):
        text = as_cell(value_at(one, "replacement") or "")
        shown: tuple[Part, ...] = (Code(text),) if text.strip() else ()
        yield text_at(one, "toolUseId"), (Fold("what the model was given instead", shown),)
