"""Parts made of texts and of content blocks: pictures, documents, and all the rest."""

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
from everyleaf.transcript import document as doc
from everyleaf.transcript.values import Json, as_json
from everyleaf.transcript.words import cut_tags

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.records.schema import Block, InnerBlock, JsonValue

REMINDER = "system-reminder"


def prose(text: str) -> doc.Parts:
    """Return `text` as Markdown; blank text gives nothing."""
    return (doc.Prose(text),) if text.strip() else ()


def typed(text: str) -> doc.Parts:
    """Return text that a person typed; blank text gives nothing."""
    return (doc.Prose(text.strip("\n"), keeps_breaks=True),) if text.strip() else ()


def code(text: str, *, language: str = "", caption: str = "") -> doc.Parts:
    """Return `text` preformatted; blank text gives nothing."""
    return (doc.Code(text, language, caption),) if text.strip() else ()


def terminal(text: str, *, caption: str = "") -> doc.Parts:
    """Return `text` as a terminal shows it; blank text gives nothing."""
    return (doc.Code(text, caption=caption, is_terminal=True),) if text.strip() else ()


def fields(*rows: tuple[str, str]) -> doc.Parts:
    """Return a table of the (name, value) that have a value, or nothing."""
    told = tuple(row for row in rows if row[1])
    return (doc.Table(told),) if told else ()


def link_to(url: str, text: str = "") -> doc.Parts:
    """Return a link to `url`, called by its address unless `text` is given."""
    return (doc.Links((doc.Link(text or url, url),)),) if url else ()


def as_code(value: JsonValue) -> doc.Code:
    """Return `value` as indented JSON."""
    return doc.Code(as_json(value), language="json")


def blocks_text(blocks: Iterable[Block | InnerBlock]) -> str:
    """Return the text of the text blocks, one below the other."""
    return "\n".join(block.text for block in blocks if isinstance(block, TextBlock))


def cut_reminders(text: str) -> tuple[str, doc.Parts]:
    """Return `text` without what the CLI injected into it, and that, folded."""
    rest, bodies = cut_tags(text, REMINDER)
    if not bodies:
        return rest, ()
    summary = "system reminder" if len(bodies) == 1 else f"{len(bodies)} system reminders"
    return rest.strip(), (
        doc.Fold(summary, tuple(doc.Code(body.strip()) for body in bodies)),
    )


def media_parts(blocks: Iterable[Block | InnerBlock]) -> doc.Parts:
    """Return the parts for everything in `blocks` that is no text, in order."""
    return tuple(part for block in blocks for part in media_part(block))


def media_part(block: Block | InnerBlock) -> doc.Parts:
    """Return what a block that is no text shows; text gives nothing."""
    match block:
        case ImageBlock():
            return (picture(Json(block.source)),)
        case DocumentBlock():
            return _document(block)
        case ToolReferenceBlock():
            return (doc.Chip("tool", block.tool_name),)
        case ToolResultBlock():
            return (doc.Code(blocks_text(block.content)), *media_parts(block.content))
        case ToolUseBlock() | ServerResultBlock() | UnknownBlock():
            return _unexpected(block)
        case TextBlock() | ThinkingBlock():
            return ()


def _unexpected(block: ToolUseBlock | ServerResultBlock | UnknownBlock) -> doc.Parts:
    """Return a block where nobody expects its type: mostly as it was written, folded."""
    if isinstance(block, ToolUseBlock):
        return (doc.Fold(f"call of {block.name}", (as_code(block.input),)),)
    raw = Json(block.content if isinstance(block, ServerResultBlock) else block.raw)
    if isinstance(block, UnknownBlock) and block.type == "search_result":
        return _search_result(raw)
    if isinstance(block, UnknownBlock) and block.type == "container_upload":
        return (doc.Chip("uploaded file", raw.text("file_id")),)
    return (doc.Fold(f"block of type {block.type!r}", (as_code(raw.raw),)),)


def _search_result(raw: Json) -> doc.Parts:
    """Return a passage that a search found, with where it is from."""
    source, title = raw.text("source"), raw.text("title")
    texts = (block.text("text") for block in raw.each("content"))
    passage = prose("\n\n".join(filter(None, texts)))
    links = (doc.Links((doc.Link(title or source, source),)),)
    return (*links, doc.Fold("passage", passage)) if passage else links


def picture(source: Json, *, alt: str = "") -> doc.Picture:
    """Return an image from its `source`: base64, an address, or a file id."""
    media_type = source.text("media_type")
    data = source.text("data")
    if data:
        return doc.Picture(data, media_type=media_type, alt=alt)
    where = source.text("url", "file_id", "path")
    problem = f"not recorded, only its address: {where}" if where else "not recorded"
    return doc.Picture("", media_type=media_type, alt=alt, problem=problem)


def _document(block: DocumentBlock) -> doc.Parts:
    """Return a document as a chip with its name, and its text if it is one."""
    source = Json(block.source)
    media_type = source.text("media_type") or "document"
    title = block.title or media_type
    data = source.text("data")
    if source.text("type") == "text":
        about: doc.Parts = (doc.Prose(block.context),) if block.context else ()
        return (doc.Fold(title, (*about, doc.Code(data, language=title))),)
    linked = link_to(source.text("url"), title)
    if linked:
        return linked
    # Three bytes stand in four characters of base64.
    size = f"{len(data) * 3 // 4:,} bytes" if data else "not recorded"
    return (doc.Chip("document", title, f"{media_type}, {size}"),)
