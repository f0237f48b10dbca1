"""Long output: what stays on a page, and the blob that holds all of it.

Both formats cut the same text at the same places and lead to the same blob.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from everyleaf.digest import digest_hex
from everyleaf.outputs import Blob

WHOLE_LINES = 60
"""Text of at most so many lines stays whole …"""
WHOLE_CHARS = 8_000
"""… if it also has at most so many characters."""
HEAD_LINES = 24
HEAD_CHARS = 4_000
TAIL_LINES = 8
TAIL_CHARS = 2_000


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
