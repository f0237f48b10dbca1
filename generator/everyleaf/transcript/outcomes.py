"""How a tool call ended, read from its result: the flag says little, the text more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.transcript.document import Outcome
from everyleaf.transcript.tags import tag_body
from everyleaf.transcript.words import first_line

if TYPE_CHECKING:
    from everyleaf.records.schema import UserRecord

_REJECTED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected tool use",
    "User chose to stay in plan mode",
)
_FORBIDDEN = re.compile(
    r"Permission (?:to use|for this) .{0,400}(?:has been |was )denied"
    r"|Claude requested permissions? to"
    r"|This command requires approval"
    r"|Permission denied by hook",
    re.DOTALL,
)
_CANCELLED = (
    "Cancelled: parallel tool call",
    "Sibling tool call errored",
    "[Request interrupted by user",
)
_UNANSWERED = frozenset({"Answer questions?", "Exit plan mode?"})
"""What the CLI would have asked, in a session where nobody could be asked."""
_LOST = "[Tool result missing due to internal error]"
_SAID = re.compile(r"the user said:\s*", re.IGNORECASE)
_NOTE_TO_MODEL = "Note: The user's next message may contain"


class Ending(Struct, frozen=True):
    """How a call ended, and the text that is left to show of its result."""

    outcome: Outcome
    text: str
    words: str = ""
    """In a few words, where the outcome is not OK."""
    said: str = ""
    """What the person said when they refused."""
    is_boilerplate: bool = False
    """The text is what the CLI tells the model of any refusal."""


def read_ending(text: str, *, is_error: bool, record: UserRecord) -> Ending:
    """Return the ending that a result with `text` tells; tags around an error are cut."""
    error = tag_body(text, "tool_use_error") if "<tool_use_error>" in text[:200] else None
    shown = text if error is None else error.strip()
    if not (is_error or error is not None or record.tool_denial_kind):
        return Ending(Outcome.OK, text)
    return _failure(shown, record)


def _failure(text: str, record: UserRecord) -> Ending:
    head = text[:600].lstrip()
    denied = _denial(text, head, record)
    if denied is not None:
        return denied
    if head.startswith(_CANCELLED):
        words = "interrupted" if head.startswith("[") else "cancelled"
        return Ending(Outcome.INTERRUPTED, text, words)
    if head.startswith(_LOST):
        return Ending(Outcome.MISSING, text, "result lost")
    return Ending(Outcome.ERROR, text, first_line(head, limit=100) or "failed")


def _denial(text: str, head: str, record: UserRecord) -> Ending | None:
    """Return how a call that was not allowed ended, or None where it was."""
    said = record.user_feedback
    if head.startswith(_REJECTED):
        words = "refused by the user"
        return Ending(Outcome.DENIED, text, words, said or _said(text), is_boilerplate=True)
    if record.tool_denial_kind:
        words = f"denied ({record.tool_denial_kind})"
        return Ending(Outcome.DENIED, text, words, said, is_boilerplate=bool(said))
    if head.strip() in _UNANSWERED:
        return Ending(Outcome.DENIED, text, "nobody was there to answer")
    if _FORBIDDEN.match(head):
        return Ending(Outcome.DENIED, text, "not permitted")
    return None


def _said(text: str) -> str:
    """Return the person's own words in the text of a refusal, or ""."""
    found = _SAID.search(text)
    if found is None:
        return ""
    return text[found.end() :].partition(_NOTE_TO_MODEL)[0].strip()
