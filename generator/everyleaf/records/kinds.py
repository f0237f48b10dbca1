"""What a tree record counts as, from the record alone (`paths.md` §1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.model import Kind
from everyleaf.records.text import as_object, content_blocks, first_text, said_in, words_of
from everyleaf.sources.content import OFF_TREE_TYPES, TREE_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.records.text import Block

PREAMBLE = "This session is being continued from a previous conversation"
_INJECTED = re.compile(
    r"<(?:task-notification|teammate-message|agent-message|cross-session-message|channel)"
    r"(?=[\s>/])"
)
_ECHO = re.compile(
    r"<(?:command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)"
    r"|user-memory-input|bash-(?:input|stdout|stderr))(?=[\s>/])"
    r"|Caveat: The messages below"
    r"|/[A-Za-z][\w:.-]*\s*\Z"
    r"|\[Request interrupted by user"
    r"|\(no content\)\s*\Z"
)


def is_tree_record(raw: dict[str, object]) -> bool:
    """Return whether a record takes part in the parent chain, if it has a uuid.

    An unknown type does if it has both `uuid` and `parentUuid`.
    """
    kind = raw.get("type")
    if isinstance(kind, str):
        if kind in TREE_TYPES:
            return True
        if kind in OFF_TREE_TYPES:
            return False
    return "parentUuid" in raw and isinstance(raw.get("uuid"), str)


def classify(raw: dict[str, object], blocks: Sequence[Block] | None = None) -> Kind:
    """Return the kind of a tree record; whatever is not conversation is a note.

    `blocks` is the record's content, for a caller that has taken it apart already.
    """
    if blocks is None:
        blocks = content_blocks(said_in(raw))
    match raw.get("type"):
        case "user" if as_object(raw.get("message")) is not None:
            return _classify_user(raw, blocks)
        case "assistant" if as_object(raw.get("message")) is not None:
            return Kind.REPLY
        case "system" if raw.get("subtype") == "compact_boundary":
            return Kind.BOUNDARY
        case "attachment":
            return _classify_attachment(raw, blocks)
        case _:
            return Kind.NOTE


def first_words(raw: dict[str, object]) -> str:
    """Return the first words of a prompt or reply, on one line, at most 200 characters."""
    return words_of(content_blocks(said_in(raw)))


def _classify_user(raw: dict[str, object], blocks: Sequence[Block]) -> Kind:
    if any(block.get("type") == "tool_result" for block in blocks):
        return Kind.RESULT
    if raw.get("isCompactSummary") is True:
        return Kind.SUMMARY
    text = first_text(blocks)
    if _is_injected(raw) or _INJECTED.match(text):
        return Kind.INJECTED
    if raw.get("isMeta") is True:
        return Kind.NOTE
    return _classify_typed(text, blocks)


def _classify_typed(text: str, blocks: Sequence[Block]) -> Kind:
    if not text:
        # Nothing typed: like an echo, it counts if a reply hangs from it.
        has_more = any(block.get("type") != "text" for block in blocks)
        return Kind.PROMPT if has_more else Kind.ECHO
    if text.startswith(PREAMBLE):
        return Kind.SUMMARY
    return Kind.ECHO if _ECHO.match(text) else Kind.PROMPT


def _classify_attachment(raw: dict[str, object], blocks: Sequence[Block]) -> Kind:
    """Return the kind of an attachment: what was said while the model worked, or a note."""
    attachment = as_object(raw.get("attachment"))
    if attachment is None or attachment.get("type") != "queued_command":
        return Kind.NOTE
    if _is_injected(attachment) or _is_injected(raw) or _INJECTED.match(first_text(blocks)):
        return Kind.INJECTED
    is_typed = attachment.get("commandMode") == "prompt"
    is_steering = is_typed and attachment.get("isMeta") is not True
    return Kind.STEERING if is_steering else Kind.NOTE


def _is_injected(raw: dict[str, object]) -> bool:
    origin = as_object(raw.get("origin"))
    return origin is not None and origin.get("kind", "human") != "human"
