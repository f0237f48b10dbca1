"""What is known of an entry in any format: anchors, links, ends of long texts, height."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple, assert_never

from msgspec import Struct

from everyleaf.digest import digest_hex
from everyleaf.outputs import Blob
from everyleaf.theming.formats import visible
from everyleaf.transcript import document as doc

if TYPE_CHECKING:
    from everyleaf.render.view import OutlineItem


SHORT_UUID = 8
"""Characters of a uuid in an anchor, unless another uuid of the page has the same ones."""
SHORT_HASH = 7
WHOLE_LINES = 60
"""Text of at most so many lines stays whole …"""
WHOLE_CHARS = 8_000
"""… if it also has at most so many characters."""
MAX_DIFF_LINES = 400
"""Lines of a diff that are drawn; the rest is in its blob."""
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
    edits: tuple[doc.FileEdit, ...] = ()
    """Likewise, what its calls did to files."""


def shown_parts(entry: doc.AnyEntry) -> tuple[doc.Parts, doc.Parts]:
    """Return what `entry` shows; of a call, what was asked and what came of it."""
    match entry:
        case doc.ToolCall():
            return entry.asked, entry.answered
        case doc.Compaction():
            return entry.summary, ()
        case doc.Thinking():
            return ((doc.Prose(entry.text),) if entry.text.strip() else ()), ()
        case doc.Rewritten():
            return (), ()
        case doc.Prompt() | doc.Reply() | doc.Notice():
            return entry.parts, ()


def unlinked_agent(entry: doc.ToolCall) -> str:
    """Return the agent that a call started; empty: none, or a part of it links there."""
    parts = entry.asked + entry.answered
    is_linked = any(isinstance(part, doc.AgentPage) for part in parts)
    return "" if is_linked else entry.agent_id or ""


def commit_words(commit: doc.Commit) -> str:
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
    lengths = range(SHORT_UUID, max(SHORT_UUID, len(name)) + 1)
    # Only ids that are no uuids get a number: equal but for what an anchor leaves out.
    names = chain((name[:length] for length in lengths), (f"{name}-{n}" for n in count(2)))
    return next(anchor for one in names if (anchor := f"m-{one}") not in taken)


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


@lru_cache(maxsize=4)  # Both formats ask, one soon after the other.
def blob_of(text: str) -> Blob:
    """Return the blob that holds all of `text`: equal texts share one."""
    body = text.encode("utf-8", "replace")
    return Blob(f"{digest_hex(body)}.txt", body)


_LINE_CHARS = 105
_PROSE = 1.65
"""Height of a line, in rem, like the next two."""
_CODE = 1.25
_ROW = 2.2
_CUT_LINES = 34
"""What is shown of a long text."""
_LONG = 24.0
"""Rem of a prompt or a reply; the theme shows 16 of what is longer."""


def count_lines(diff: doc.Diff) -> int:
    """Return how many lines of `diff` are drawn where there is no limit."""
    return sum(len(hunk.lines) + (len(diff.hunks) > 1) for hunk in diff.hunks)


def tallness(entries: Iterable[doc.AnyEntry], *, is_unfolded: bool = False) -> int:
    """Return how many rem `entries` take: as they are at first, or with all unfolded."""
    return round(sum(_entry(entry, is_unfolded=is_unfolded) for entry in entries))


def is_long(entry: doc.AnyEntry) -> bool:
    """Return whether `entry` is words that take more room than a digest gives them."""
    return isinstance(entry, doc.Prompt | doc.Reply) and _entry(entry) > _LONG


def _entry(entry: doc.AnyEntry, *, is_unfolded: bool = False) -> float:  # noqa: PLR0911  (one a kind)
    match entry:
        case doc.Prompt():
            return 6.5 + _parts(entry.parts, is_unfolded=is_unfolded)
        case doc.Reply():
            return 2.8 + _parts(entry.parts, is_unfolded=is_unfolded)
        case doc.ToolCall():
            body = 3.2 + _parts((*entry.asked, *entry.answered), is_unfolded=is_unfolded)
            return 2.4 + body * (entry.is_open or is_unfolded)
        case doc.Thinking():
            body = _part(doc.Prose(entry.text), is_unfolded=True) * is_unfolded
            return 2.4 + body if entry.text.strip() else 0
        case doc.Compaction():
            return 9 + _parts(entry.summary, is_unfolded=is_unfolded) * is_unfolded
        case doc.Notice():
            return 2.2 + _parts(entry.parts, is_unfolded=is_unfolded) * is_unfolded
        case doc.Rewritten():
            inner = sum(_entry(one, is_unfolded=True) for one in entry.entries)
            return 2.4 + inner * is_unfolded
        case _ as never:
            assert_never(never)


def _parts(parts: Iterable[doc.Part], *, is_unfolded: bool) -> float:
    return sum(_part(part, is_unfolded=is_unfolded) for part in parts)


def _part(part: doc.Part, *, is_unfolded: bool) -> float:  # noqa: PLR0911  (one a kind)
    match part:
        case doc.Prose():
            texts = part.text.splitlines()
            return _PROSE * sum(
                1 + len(text) // _LINE_CHARS if text else 0.45 for text in texts
            )
        case doc.Code():
            lines = part.text.count("\n") + 1
            return 2.4 + _CODE * (lines if lines <= WHOLE_LINES else _CUT_LINES)
        case doc.Diff():
            return 3.6 + _CODE * min(count_lines(part), MAX_DIFF_LINES)
        case doc.Table():
            return _ROW * (len(part.rows) + bool(part.head))
        case doc.Checklist():
            return _ROW * len(part.items)
        case doc.Picture():
            return 20
        case doc.Fold():
            is_open = part.is_open or is_unfolded
            return 2 + _parts(part.parts, is_unfolded=is_unfolded) * is_open
        case _:
            return 2
