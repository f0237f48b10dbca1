"""The content blocks of messages; one of a type that nobody has heard of is kept whole."""

from __future__ import annotations

from typing import Annotated, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from everyleaf.records.lenient import (
    ApiObject,
    Flag,
    Raw,
    RawObject,
    Text,
    text_or_empty,
)


def _blocks(value: object) -> list[object]:
    """Return message content as a list of block objects, whatever its shape was."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    items = cast("list[object]", value) if isinstance(value, list) else []
    return [_block(item) for item in items]


def _block(item: object) -> object:
    if isinstance(item, dict):
        return cast("dict[str, object]", item)
    return {"type": "text", "text": item} if isinstance(item, str) else {"value": item}


class TextBlock(ApiObject):
    """Text of a message."""

    text: Text = ""


class ThinkingBlock(ApiObject):
    """Extended thinking; newer versions keep the signature alone."""

    thinking: Text = ""


class ToolUseBlock(ApiObject):
    """A call, of a tool of the CLI's, of a server tool or of an MCP server at the API."""

    id: Text = ""
    name: Text = ""
    server_name: Text = ""
    input: RawObject = Field(default_factory=dict)


class ImageBlock(ApiObject):
    """An image; `source` holds base64, an address or a file id."""

    source: RawObject = Field(default_factory=dict)


class DocumentBlock(ApiObject):
    """A document (PDF or text) that was put into a message."""

    source: RawObject = Field(default_factory=dict)
    title: Text = ""
    context: Text = ""


class ToolReferenceBlock(ApiObject):
    """The name of a tool that a search found."""

    tool_name: Text = ""


class ServerResultBlock(ApiObject):
    """What a server tool answered, inside of a reply; its content is the API's business."""

    type: Text = ""
    tool_use_id: Text = ""
    content: Raw = None


class UnknownBlock(BaseModel):
    """A block of a type that we do not draw by itself, as written."""

    model_config = ConfigDict(frozen=True)

    type: str
    raw: Raw


_BLOCK_TYPES = {
    "text": "text",
    "connector_text": "text",
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "tool_use": "tool_use",
    "server_tool_use": "tool_use",
    "mcp_tool_use": "tool_use",
    "tool_result": "tool_result",
    "image": "image",
    "document": "document",
    "tool_reference": "tool_reference",
}


def _written_type(value: object) -> str:
    written = (
        cast("dict[str, object]", value).get("type") if isinstance(value, dict) else ""
    )
    return text_or_empty(written)


def _block_tag(value: object) -> str:
    written = _written_type(value)
    if written.endswith("_tool_result"):
        return "server_result"
    return _BLOCK_TYPES.get(written, "unknown")


def _kept_whole(value: object) -> object:
    return {"type": _written_type(value) or "unknown", "raw": value}


def _inner_tag(value: object) -> str:
    tag = _block_tag(value)
    return tag if tag in {"text", "image", "document", "tool_reference"} else "unknown"


InnerBlock = Annotated[
    Annotated[TextBlock, Tag("text")]
    | Annotated[ImageBlock, Tag("image")]
    | Annotated[DocumentBlock, Tag("document")]
    | Annotated[ToolReferenceBlock, Tag("tool_reference")]
    | Annotated[UnknownBlock, BeforeValidator(_kept_whole), Tag("unknown")],
    Discriminator(_inner_tag),
]
"""What stands in a result. Results in results are unknown blocks: nothing here nests."""


class ToolResultBlock(ApiObject):
    """What a tool answered."""

    tool_use_id: Text = ""
    content: Annotated[tuple[InnerBlock, ...], BeforeValidator(_blocks)] = ()
    is_error: Flag = False


Block = Annotated[
    Annotated[TextBlock, Tag("text")]
    | Annotated[ThinkingBlock, Tag("thinking")]
    | Annotated[ToolUseBlock, Tag("tool_use")]
    | Annotated[ToolResultBlock, Tag("tool_result")]
    | Annotated[ImageBlock, Tag("image")]
    | Annotated[DocumentBlock, Tag("document")]
    | Annotated[ToolReferenceBlock, Tag("tool_reference")]
    | Annotated[ServerResultBlock, Tag("server_result")]
    | Annotated[UnknownBlock, BeforeValidator(_kept_whole), Tag("unknown")],
    Discriminator(_block_tag),
]
Blocks = Annotated[tuple[Block, ...], BeforeValidator(_blocks)]
