"""The records that are drawn, as pydantic models of what the CLI writes.

The format is internal to Claude Code and changes between versions, so the models are
lenient: `parse_record` never raises. A field that does not fit becomes its default, a block
or a record of a type that nobody has heard of is kept whole. So no field has a validator
that can refuse: each is of a type from here, which replaces what does not fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias, cast

import pydantic
from pydantic import BaseModel, BeforeValidator, Field, PlainValidator, Tag, TypeAdapter
from pydantic.alias_generators import to_camel

from everyleaf.records.text import as_list, as_object, as_time

JsonValue: TypeAlias = pydantic.JsonValue
JsonObject = dict[str, JsonValue]
"""A JSON object as read; its values are looked at through `transcript.content`."""


def text_or_empty(value: object) -> str:
    """Return `value` if it is a text."""
    return value if isinstance(value, str) else ""


def _optional_count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return None


def object_or_empty(value: object) -> object:
    """Return `value` if it is an object, else an empty one."""
    return as_object(value) or {}


Text = Annotated[str, PlainValidator(text_or_empty)]
"""A string, or "" for anything else. Not pydantic's own: that refuses lone surrogates."""
Time = Annotated[str, PlainValidator(as_time)]
"""A time as written, or "" for what cannot be one."""
Flag = Annotated[bool, PlainValidator(lambda value: value is True)]
Count = Annotated[int, PlainValidator(lambda value: _optional_count(value) or 0)]
OptionalCount = Annotated[int | None, PlainValidator(_optional_count)]
Raw = Annotated[JsonValue, pydantic.SkipValidation]
RawObject = Annotated[JsonObject, pydantic.SkipValidation, BeforeValidator(object_or_empty)]


class Lenient(BaseModel):
    """A model of which every field has a default and nothing is forbidden.

    Its validator is built with the first record: a small build meets few types of them.
    """

    model_config = pydantic.ConfigDict(
        extra="ignore",
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        defer_build=True,
    )


class ApiObject(Lenient):
    """A model of the API's own objects, which are written in snake_case."""

    model_config = pydantic.ConfigDict(alias_generator=None)


def _blocks(value: object) -> list[object]:
    """Return message content as a list of block objects, whatever its shape was."""
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    return [_block(item) for item in items if item is not None]


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

    model_config = pydantic.ConfigDict(frozen=True)

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
    return text_or_empty((as_object(value) or {}).get("type"))


def _block_tag(value: object) -> str:
    written = _written_type(value)
    if written.endswith("_tool_result"):
        return "server_result"
    said = cast("dict[str, object]", value).get("text") if written == "text" else None
    if not isinstance(said, str | None):
        return "unknown"
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
    pydantic.Discriminator(_inner_tag),
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
    pydantic.Discriminator(_block_tag),
]
Blocks = Annotated[tuple[Block, ...], BeforeValidator(_blocks)]


class RecordedUsage(ApiObject):
    """Tokens of an API response; repeated, and growing, on each of its records."""

    input_tokens: Count = 0
    output_tokens: Count = 0
    cache_read_input_tokens: Count = 0
    cache_creation_input_tokens: Count = 0


class Message(ApiObject):
    """What was sent to the API, or came from it."""

    id: Text = ""
    role: Text = ""
    model: Text = ""
    content: Blocks = ()
    usage: Annotated[RecordedUsage, BeforeValidator(object_or_empty)] = Field(
        default_factory=RecordedUsage
    )


def _message(value: object) -> object:
    return {"content": value} if isinstance(value, str) else object_or_empty(value)


class Origin(Lenient):
    """Who wrote a user record that no person typed."""

    kind: Text = ""
    name: Text = ""
    body: Text = ""
    server: Text = ""


class CompactMetadata(Lenient):
    """The facts of a compaction."""

    trigger: Text = ""
    pre_tokens: OptionalCount = None
    post_tokens: OptionalCount = None
    duration_ms: OptionalCount = None
    user_context: Text = ""
    preserved_messages: RawObject = Field(default_factory=dict)


class _Record(Lenient):
    """What all tree records have."""

    timestamp: Time = ""
    cwd: Text = ""
    git_branch: Text = ""
    version: Text = ""
    is_meta: Flag = False


class UserRecord(_Record):
    """A prompt, a result, a summary, an echo, or something injected."""

    type: Literal["user"] = "user"
    message: Annotated[Message, BeforeValidator(_message)] = Field(default_factory=Message)
    tool_use_result: Raw = None
    source_tool_use_id: Text = Field(default="", alias="sourceToolUseID")
    tool_denial_kind: Text = ""
    user_feedback: Text = ""
    plan_content: Text = ""
    origin: Annotated[Origin, BeforeValidator(object_or_empty)] = Field(
        default_factory=Origin
    )
    mcp_meta: RawObject = Field(default_factory=dict)
    image_paste_ids: Annotated[tuple[Raw, ...], BeforeValidator(as_list)] = ()
    """n of the `[Image #n]` that each picture stands for, in order."""


class AssistantRecord(_Record):
    """One block, rarely more, of an API response."""

    type: Literal["assistant"] = "assistant"
    message: Annotated[Message, BeforeValidator(_message)] = Field(default_factory=Message)
    request_id: Text = ""
    is_api_error_message: Flag = False
    cost_usd: Raw = Field(default=None, alias="costUSD")


class SystemRecord(_Record):
    """A word of the CLI; fields beside these are read from `raw` by subtype."""

    type: Literal["system"] = "system"
    subtype: Text = ""
    content: Text = ""
    level: Text = ""
    compact_metadata: Annotated[CompactMetadata, BeforeValidator(object_or_empty)] = Field(
        default_factory=CompactMetadata
    )
    raw: RawObject = Field(default_factory=dict)


class AttachmentRecord(_Record):
    """Context that the CLI gave to the model beside the conversation."""

    type: Literal["attachment"] = "attachment"
    attachment: RawObject = Field(default_factory=dict)


class OtherRecord(_Record):
    """A record of a type that is not drawn (progress) or not known, as written."""

    type: Text = ""
    raw: RawObject = Field(default_factory=dict)


NoReply = UserRecord | SystemRecord | AttachmentRecord | OtherRecord
AnyRecord = AssistantRecord | NoReply

_ADAPTERS: dict[str, TypeAdapter[AnyRecord]] = {
    "user": TypeAdapter(UserRecord),
    "assistant": TypeAdapter(AssistantRecord),
    "system": TypeAdapter(SystemRecord),
    "attachment": TypeAdapter(AttachmentRecord),
}
_OTHER: TypeAdapter[AnyRecord] = TypeAdapter(OtherRecord)


def parse_record(raw: Mapping[str, object]) -> AnyRecord:
    """Return the model of `raw`; never raises, whatever stands in it.

    Cost: linear in the number of fields and blocks; inputs and results of tools, which are
    most of the bytes, are kept as they are.
    """
    written = raw.get("type")
    adapter = _ADAPTERS.get(written, _OTHER) if isinstance(written, str) else _OTHER
    if adapter is _OTHER or written == "system":
        return adapter.validate_python({**raw, "raw": raw})
    return adapter.validate_python(raw)
