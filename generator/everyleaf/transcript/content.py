"""Content blocks of messages as parts: text, pictures, documents, and all the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import (
    DocumentBlock,
    ImageBlock,
    ServerResultBlock,
    TextBlock,
    ThinkingBlock,
    ToolReferenceBlock,
    ToolResultBlock,
    ToolUseBlock,
    UnknownBlock,
)
from everyleaf.transcript.document import Chip, Code, Fold, Links, Picture, Prose
from everyleaf.transcript.document import Link as LinkTo
from everyleaf.transcript.tags import cut_tags
from everyleaf.transcript.values import as_json, objects_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.records.schema import Block, InnerBlock, JsonObject, JsonValue
    from everyleaf.transcript.document import Part

REMINDER = "system-reminder"


def blocks_text(blocks: Iterable[Block | InnerBlock]) -> str:
    """Return the text of the text blocks, one below the other."""
    return "\n".join(block.text for block in blocks if isinstance(block, TextBlock))


def cut_reminders(text: str) -> tuple[str, tuple[Part, ...]]:
    """Return `text` without what the CLI injected into it, and that, folded."""
    rest, bodies = cut_tags(text, REMINDER)
    return (rest.strip() if bodies else rest), fold_reminders(bodies)


def fold_reminders(bodies: Sequence[str]) -> tuple[Part, ...]:
    """Return system reminders behind one fold, or nothing if there are none."""
    if not bodies:
        return ()
    summary = "system reminder" if len(bodies) == 1 else f"{len(bodies)} system reminders"
    return (Fold(summary, tuple(Code(body.strip()) for body in bodies)),)


def media_parts(blocks: Iterable[Block | InnerBlock]) -> tuple[Part, ...]:
    """Return the parts for everything in `blocks` that is no text, in order."""
    return tuple(part for block in blocks for part in media_part(block))


def media_part(block: Block | InnerBlock) -> tuple[Part, ...]:
    """Return what a block that is no text shows; text gives nothing."""
    match block:
        case ImageBlock():
            return (picture(block.source),)
        case DocumentBlock():
            return document_parts(block)
        case ToolReferenceBlock():
            return (Chip("tool", block.tool_name),)
        case ToolResultBlock():
            return (Code(blocks_text(block.content)), *media_parts(block.content))
        case ToolUseBlock() | ServerResultBlock() | UnknownBlock():
            return _unexpected(block)
        case TextBlock() | ThinkingBlock():
            return ()


def _folded(block: ToolUseBlock | ServerResultBlock | UnknownBlock) -> Fold:
    """Return a block where nobody expects its type, as it was written."""
    if isinstance(block, ToolUseBlock):
        return Fold(f"call of {block.name}", (_json(block.input),))
    raw = block.content if isinstance(block, ServerResultBlock) else block.raw
    return Fold(f"block of type {block.type!r}", (_json(raw),))


def _unexpected(
    block: ToolUseBlock | ServerResultBlock | UnknownBlock,
) -> tuple[Part, ...]:
    if isinstance(block, UnknownBlock) and block.type == "search_result":
        return _search_result(block.raw)
    if isinstance(block, UnknownBlock) and block.type == "container_upload":
        return (Chip("uploaded file", text_at(block.raw, "file_id")),)
    return (_folded(block),)


def _search_result(raw: JsonValue) -> tuple[Part, ...]:
    """Return a passage that a search found, with where it is from."""
    source, title = text_at(raw, "source"), text_at(raw, "title")
    texts = (text_at(block, "text") for block in objects_at(raw, "content"))
    said = "\n\n".join(filter(None, texts))
    links: tuple[Part, ...] = (Links((LinkTo(title or source, source),)),)
    return (*links, Fold("passage", (Prose(said),))) if said.strip() else links


def _json(value: JsonValue) -> Code:
    return Code(as_json(value), language="json")


def picture(source: JsonObject, *, alt: str = "") -> Picture:
    """Return an image from its `source`: base64, an address, or a file id."""
    media_type = text_at(source, "media_type")
    data = text_at(source, "data")
    if data:
        return Picture(data, media_type=media_type, alt=alt)
    where = text_at(source, "url", "file_id", "path")
    problem = f"not recorded, only its address: {where}" if where else "not recorded"
    return Picture("", media_type=media_type, alt=alt, problem=problem)


def document_parts(block: DocumentBlock) -> tuple[Part, ...]:
    """Return a document as a chip with its name, and its text if it is one."""
    source = block.source
    media_type = text_at(source, "media_type") or "document"
    title = block.title or media_type
    data = text_at(source, "data")
    if text_at(source, "type") == "text":
        about: tuple[Part, ...] = (Prose(block.context),) if block.context else ()
        return (Fold(title, (*about, Code(data, language=title))),)
    url = text_at(source, "url")
    if url:
        return (Links((LinkTo(title, url),)),)
    # Three bytes stand in four characters of base64.
    size = f"{len(data) * 3 // 4:,} bytes" if data else "not recorded"
    return (Chip("document", title, f"{media_type}, {size}"),)


def typed(text: str) -> tuple[Part, ...]:
    """Return text that a person typed; blank text gives nothing."""
    return (Prose(text.strip("\n"), keeps_breaks=True),) if text.strip() else ()
