"""Results of tool calls as written, by the call that they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.records.schema import (
    AssistantRecord,
    ServerResultBlock,
    ToolResultBlock,
    UserRecord,
    parse_record,
)
from everyleaf.transcript.values import as_objects, text_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.records.schema import AnyRecord, JsonValue


class Given(Struct, frozen=True):
    """One result: its block, and the record that it stands in."""

    uuid: str
    block: ToolResultBlock
    record: UserRecord

    @property
    def structured(self) -> JsonValue:
        """Return the structured result, unless it may be of another result there."""
        results = [b for b in self.record.message.content if isinstance(b, ToolResultBlock)]
        return self.record.tool_use_result if len(results) == 1 else None


def given_by(uuid: str, record: AnyRecord) -> tuple[Given, ...]:
    """Return the results in `record`, in the order of its blocks."""
    if isinstance(record, AssistantRecord):
        return tuple(
            _server_result(uuid, block, record)
            for block in record.message.content
            if isinstance(block, ServerResultBlock)
        )
    if not isinstance(record, UserRecord):
        return ()
    return tuple(
        Given(uuid, block, record)
        for block in record.message.content
        if isinstance(block, ToolResultBlock)
    )


def _server_result(uuid: str, block: ServerResultBlock, record: AssistantRecord) -> Given:
    """Return what a server tool answered inside of a reply, as if the CLI had run it."""
    content = _readable(block.content)
    texts = [text_at(each, "text") for each in as_objects(content)]
    text = text_at(content, "text", "content") or "\n".join(filter(None, texts))
    result = {
        "type": "tool_result",
        "tool_use_id": block.tool_use_id,
        "content": text,
        "is_error": text_at(content, "type").endswith("_error"),
    }
    raw = {
        "type": "user",
        "timestamp": record.timestamp,
        "cwd": record.cwd,
        "message": {"content": [result]},
        "toolUseResult": {"content": content},
    }
    (given,) = given_by(uuid, parse_record(raw))
    return given


def _readable(content: JsonValue) -> JsonValue:
    """Return `content` without what only the API can read."""
    if not isinstance(content, dict) or "encrypted_content" not in content:
        return content
    return {key: value for key, value in content.items() if key != "encrypted_content"}


def results_by_call(given: Iterable[Given]) -> dict[str, Given]:
    """Return the first result of each call; what answers a call again is not in here."""
    first: dict[str, Given] = {}
    for result in given:
        first.setdefault(result.block.tool_use_id, result)
    return first
