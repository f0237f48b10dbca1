"""The records that are drawn, as pydantic models of what the CLI writes.

The format is internal to Claude Code and changes between versions, so the models are
lenient: `parse_record` never raises. A field that does not fit becomes its default, a block
or a record of a type that nobody has heard of is kept whole. So no field has a validator
that can refuse: each is of a type from `lenient`, which replaces what does not fit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import (
    BeforeValidator,
    Field,
    JsonValue,
    TypeAdapter,
)

from everyleaf.records.blocks import (
    Block,
    Blocks,
    DocumentBlock,
    ImageBlock,
    InnerBlock,
    ServerResultBlock,
    TextBlock,
    ThinkingBlock,
    ToolReferenceBlock,
    ToolResultBlock,
    ToolUseBlock,
    UnknownBlock,
)
from everyleaf.records.lenient import (
    ApiObject,
    Count,
    Flag,
    JsonObject,
    Lenient,
    OptionalCount,
    Raw,
    RawObject,
    Text,
    Time,
    list_or_empty,
    object_or_empty,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "AnyRecord",
    "AssistantRecord",
    "AttachmentRecord",
    "Block",
    "Blocks",
    "CompactMetadata",
    "DocumentBlock",
    "ImageBlock",
    "InnerBlock",
    "JsonObject",
    "JsonValue",
    "Message",
    "Origin",
    "OtherRecord",
    "RecordedUsage",
    "ServerResultBlock",
    "SystemRecord",
    "TextBlock",
    "ThinkingBlock",
    "ToolReferenceBlock",
    "ToolResultBlock",
    "ToolUseBlock",
    "UnknownBlock",
    "UserRecord",
    "parse_record",
]


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
    message: Annotated[Message, BeforeValidator(object_or_empty)] = Field(
        default_factory=Message
    )
    tool_use_result: Raw = None
    source_tool_use_id: Text = Field(default="", alias="sourceToolUseID")
    tool_denial_kind: Text = ""
    user_feedback: Text = ""
    plan_content: Text = ""
    origin: Annotated[Origin, BeforeValidator(object_or_empty)] = Field(
        default_factory=Origin
    )
    mcp_meta: RawObject = Field(default_factory=dict)
    image_paste_ids: Annotated[tuple[Raw, ...], BeforeValidator(list_or_empty)] = ()
    """n of the `[Image #n]` that each picture stands for, in order."""


class AssistantRecord(_Record):
    """One block, rarely more, of an API response."""

    type: Literal["assistant"] = "assistant"
    message: Annotated[Message, BeforeValidator(object_or_empty)] = Field(
        default_factory=Message
    )
    request_id: Text = ""
    is_api_error_message: Flag = False
    cost_usd: Raw = Field(default=None, alias="costUSD")
    supersedes: Annotated[tuple[Text, ...], BeforeValidator(list_or_empty)] = ()


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


AnyRecord = UserRecord | AssistantRecord | SystemRecord | AttachmentRecord | OtherRecord

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
