"""What is told of lines: where they come from, and how sure that is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from everyleaf.why.edits import LineOrigin


class Sureness(StrEnum):
    """How it is known where lines come from, the surest first."""

    RECORDED = "recorded"
    """A session recorded the commit, and one of its edits wrote the lines."""
    REWRITTEN = "rewritten"
    """Likewise, but the commit was rebased, amended or picked since: same moment, same
    subject."""
    MATCHED = "matched"
    """An edit before the commit wrote the same lines, and no other did."""
    POSSIBLE = "possible"
    """Likewise, but a commit between the two did not carry it."""
    SEVERAL = "several"
    """Several did, and nothing tells which."""
    COMMIT = "commit"
    """A session made the commit; none of its edits wrote the lines."""
    UNKNOWN = "unknown"


SAID = {
    Sureness.RECORDED: "the session recorded the commit",
    Sureness.REWRITTEN: "the session made the commit, which was rewritten since",
    Sureness.MATCHED: "the edit is older than the commit and wrote the same",
    Sureness.POSSIBLE: "the edit wrote the same, but a commit between did not carry it",
    Sureness.SEVERAL: "several edits wrote it before the commit, and nothing tells which",
    Sureness.COMMIT: "the session made the commit; none of its edits wrote this",
    Sureness.UNKNOWN: "no session is known to have written this",
}
"""Why it is as sure as that."""


class LineAnswer(Struct, frozen=True):
    """Where some lines of a file come from."""

    spans: tuple[tuple[int, int], ...]
    """First and last line of each stretch."""
    commit: str
    """Hash; empty: not committed yet."""
    subject: str
    committed: int
    sure: Sureness
    said: str
    """Why it is as sure as that, in a few words."""
    origins: tuple[LineOrigin, ...]
    """One, several that cannot be told apart, or none."""
    abandoned: tuple[LineOrigin, ...]
    """Edits on abandoned paths that touched the same lines."""


class FileAnswers(Struct, frozen=True):
    """Where lines of a file come from."""

    file: str
    """As seen from the top of the repository."""
    answers: tuple[LineAnswer, ...]
    """In the order of their first lines."""
    loose: tuple[LineOrigin, ...]
    """Edits of the file that no commit carries, nor the file itself."""
