"""Reading what records hold: loosely typed JSON, and parts made of texts and blocks.

Tool inputs and results change between versions and are written by models and servers, so
nothing about them can be relied on: whatever a value is, asking for a text gives a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import cast

from msgspec import Struct

from everyleaf.records import schema
from everyleaf.transcript import document as doc
from everyleaf.transcript.words import cut_tags

_DECODER = json.JSONDecoder()


class Json(Struct, frozen=True):
    """A JSON value of any shape; each method asks for the first of some keys it has."""

    raw: schema.JsonValue = None

    def __bool__(self) -> bool:
        return isinstance(self.raw, dict) and bool(self.raw)

    @property
    def fields(self) -> schema.JsonObject:
        """Return the value itself if it is an object, else an empty one."""
        return self.raw if isinstance(self.raw, dict) else {}

    def value(self, *keys: str) -> schema.JsonValue:
        """Return what stands under the first key, whatever it is, or None."""
        if isinstance(self.raw, dict):
            for key in keys:
                if key in self.raw:
                    return self.raw[key]
        return None

    def text(self, *keys: str) -> str:
        """Return the text under the first key, or ""."""
        found = self.value(*keys)
        return found if isinstance(found, str) else ""

    def word(self, *keys: str) -> str:
        """Return the text, number or truth value under the first key, as text, or ""."""
        found = self.value(*keys)
        if isinstance(found, bool):
            return "true" if found else "false"
        return str(found) if isinstance(found, str | int | float) else ""

    def number(self, *keys: str) -> int | None:
        """Return the whole number under the first key, or None; fractions are cut."""
        found = self.value(*keys)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return None
        try:
            return int(found)
        except (OverflowError, ValueError):
            return None

    def is_set(self, *keys: str) -> bool:
        """Return whether the first key that is there holds `true`."""
        return self.value(*keys) is True

    def at(self, *keys: str) -> Json:
        """Return the object under the first key, or an empty one."""
        found = self.value(*keys)
        return Json(found if isinstance(found, dict) else {})

    def values(self, *keys: str) -> list[schema.JsonValue]:
        """Return the list under the first key, or an empty one."""
        found = self.value(*keys)
        return found if isinstance(found, list) else []

    def texts(self, *keys: str) -> list[str]:
        """Return the texts of the list under the first key, in order."""
        return [item for item in self.values(*keys) if isinstance(item, str)]

    def each(self, *keys: str) -> list[Json]:
        """Return the objects of the list under the first key, in order."""
        return objects_in(self.values(*keys))


def objects_in(value: schema.JsonValue) -> list[Json]:
    """Return the objects in `value` if it is a list, in order, else none."""
    items = value if isinstance(value, list) else []
    return [Json(item) for item in items if isinstance(item, dict)]


def parse_json(text: str, start: int = 0) -> tuple[schema.JsonValue, int]:
    """Return the JSON value at `start` of `text` and its end; (None, start) if none is."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
    return cast("schema.JsonValue", value), end


def as_json(value: schema.JsonValue, *, indent: int | None = 2) -> str:
    """Return `value` as indented JSON, keys in the order written."""
    try:
        return json.dumps(value, indent=indent, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to be shown)"


def as_cell(value: schema.JsonValue) -> str:
    """Return `value` for a table: a text as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else as_json(value, indent=None)


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


def as_code(value: schema.JsonValue) -> doc.Code:
    """Return `value` as indented JSON."""
    return doc.Code(as_json(value), language="json")


def blocks_text(blocks: Iterable[schema.Block | schema.InnerBlock]) -> str:
    """Return the text of the text blocks, one below the other."""
    return "\n".join(block.text for block in blocks if isinstance(block, schema.TextBlock))


def cut_reminders(text: str) -> tuple[str, doc.Parts]:
    """Return `text` without what the CLI injected into it, and that, folded."""
    rest, bodies = cut_tags(text, REMINDER)
    if not bodies:
        return rest, ()
    summary = "system reminder" if len(bodies) == 1 else f"{len(bodies)} system reminders"
    return rest.strip(), (
        doc.Fold(summary, tuple(doc.Code(body.strip()) for body in bodies)),
    )


def media_parts(blocks: Iterable[schema.Block | schema.InnerBlock]) -> doc.Parts:
    """Return the parts for everything in `blocks` that is no text, in order."""
    return tuple(part for block in blocks for part in media_part(block))


def media_part(block: schema.Block | schema.InnerBlock) -> doc.Parts:
    """Return what a block that is no text shows; text gives nothing."""
    match block:
        case schema.ImageBlock():
            return (picture(Json(block.source)),)
        case schema.DocumentBlock():
            return _document(block)
        case schema.ToolReferenceBlock():
            return (doc.Chip("tool", block.tool_name),)
        case schema.ToolResultBlock():
            return (doc.Code(blocks_text(block.content)), *media_parts(block.content))
        case schema.ToolUseBlock() | schema.ServerResultBlock() | schema.UnknownBlock():
            return _unexpected(block)
        case schema.TextBlock() | schema.ThinkingBlock():
            return ()


def _unexpected(
    block: schema.ToolUseBlock | schema.ServerResultBlock | schema.UnknownBlock,
) -> doc.Parts:
    """Return a block where nobody expects its type: mostly as it was written, folded."""
    if isinstance(block, schema.ToolUseBlock):
        return (doc.Fold(f"call of {block.name}", (as_code(block.input),)),)
    raw = Json(block.content if isinstance(block, schema.ServerResultBlock) else block.raw)
    if isinstance(block, schema.UnknownBlock) and block.type == "search_result":
        return _search_result(raw)
    if isinstance(block, schema.UnknownBlock) and block.type == "container_upload":
        return (doc.Chip("uploaded file", raw.text("file_id")),)
    return (doc.Fold(f"block of type {block.type!r}", (as_code(raw.raw),)),)


def _search_result(raw: Json) -> doc.Parts:
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


def _document(block: schema.DocumentBlock) -> doc.Parts:
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
