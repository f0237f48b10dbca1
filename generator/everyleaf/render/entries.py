"""What pages and Markdown files have in common: anchors, links, ends of long texts."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.outputs import Blob
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import (
    AgentPage,
    Compaction,
    Notice,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.render.view import OutlineItem
    from everyleaf.transcript.document import AnyEntry, Commit, FileEdit, Parts

SHORT_UUID = 8
"""Characters of a uuid in an anchor, unless another uuid of the page has the same ones."""
SHORT_HASH = 7
WHOLE_LINES = 60
"""Text of at most so many lines stays whole …"""
WHOLE_CHARS = 8_000
"""… if it also has at most so many characters."""
HEAD_LINES = 24
HEAD_CHARS = 4_000
TAIL_LINES = 8
TAIL_CHARS = 2_000
_NOT_IN_ANCHORS = re.compile(r"[^A-Za-z0-9-]")


class Fragment(Struct, frozen=True):
    """A turn drawn in one format, the same on every page."""

    text: str
    """Holds the mark of a number once for each prompt that counts."""
    blobs: tuple[Blob, ...]
    """Pictures and long outputs that it links to."""
    outline: tuple[OutlineItem, ...] = ()
    """Of a page: numbered prompts, compactions and commits, in page order."""
    edits: tuple[FileEdit, ...] = ()
    """Likewise, what its calls did to files."""


def shown_parts(entry: AnyEntry) -> tuple[Parts, Parts]:
    """Return what `entry` shows; of a call, what was asked and what came of it."""
    match entry:
        case ToolCall():
            return entry.asked, entry.answered
        case Compaction():
            return entry.summary, ()
        case Thinking():
            return ((Prose(entry.text),) if entry.text.strip() else ()), ()
        case Rewritten():
            return (), ()
        case Prompt() | Reply() | Notice():
            return entry.parts, ()


def unlinked_agent(entry: ToolCall) -> str:
    """Return the agent that a call started; empty: none, or a part of it links there."""
    parts = entry.asked + entry.answered
    is_linked = any(isinstance(part, AgentPage) for part in parts)
    return "" if is_linked else entry.agent_id or ""


def commit_words(commit: Commit) -> str:
    """Return what was done and to what: kind, short hash, subject, branch.

    >>> from everyleaf.transcript.document import Commit
    >>> commit_words(Commit("abc1234567", "Fix it", "main"))
    'Commit abc1234 Fix it (main)'
    >>> commit_words(Commit("", branch="main", kind="push"))
    'Push (main)'
    """
    kind = commit.kind.replace("-", " ").capitalize()
    branch = f"({commit.branch})" if commit.branch else ""
    words = (kind, commit.hash[:SHORT_HASH], commit.subject, branch)
    return visible(" ".join(word for word in words if word))


def assign_anchors(uuids: Iterable[str]) -> dict[str, str]:
    """Return an anchor for each of `uuids`, unique among them.

    An anchor is `m-` and the uuid's first characters, as many as tell it from those before
    it; so what is appended to a conversation never changes an earlier anchor.
    """
    anchors: dict[str, str] = {}
    taken: set[str] = set()
    for uuid in uuids:
        if uuid not in anchors:
            anchors[uuid] = _free_anchor(_NOT_IN_ANCHORS.sub("-", uuid), taken)
            taken.add(anchors[uuid])
    return anchors


def anchor_of(uuid: str) -> str:
    """Return the anchor of an entry on a page, unless another one there begins the same."""
    return _free_anchor(_NOT_IN_ANCHORS.sub("-", uuid), set())


def _free_anchor(name: str, taken: set[str]) -> str:
    for length in range(SHORT_UUID, max(SHORT_UUID, len(name)) + 1):
        anchor = f"m-{name[:length]}"
        if anchor not in taken:
            return anchor
    # Only ids that are no uuids come here: equal but for what an anchor leaves out.
    number = 2
    while f"m-{name}-{number}" in taken:
        number += 1
    return f"m-{name}-{number}"


class Shortened(NamedTuple):
    """The two ends of a long text, without the line breaks around the gap."""

    head: str
    tail: str
    lines: int
    """Lines of the whole text; a last line break begins no further line."""


def shorten(text: str) -> Shortened | None:
    """Return the first and last lines of `text`, or None where it is short enough whole.

    A line that is too long by itself is cut inside. Head and tail never overlap. One pass
    over `text`.
    """
    breaks = text.count("\n")
    if breaks <= WHOLE_LINES and len(text) <= WHOLE_CHARS:
        return None
    head = "\n".join(text[:HEAD_CHARS].split("\n", HEAD_LINES)[:HEAD_LINES])
    rest = text[max(len(head), len(text) - TAIL_CHARS) :].rstrip("\n")
    tail = "\n".join(rest.rsplit("\n", TAIL_LINES)[-TAIL_LINES:])
    return Shortened(head, tail, breaks + (not text.endswith("\n")))


@lru_cache(maxsize=16)  # Both formats ask, one soon after the other.
def blob_of(text: str) -> Blob:
    """Return the blob that holds all of `text`: equal texts share one."""
    body = text.encode("utf-8", "replace")
    return Blob(f"{digest_hex(body)}.txt", body)
