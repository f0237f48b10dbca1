"""What the model wrote: text and thinking, one entry each; calls are made into `Made`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import (
    ServerResultBlock,
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
    UnknownBlock,
)
from everyleaf.transcript.calls import Made
from everyleaf.transcript.content import media_part
from everyleaf.transcript.document import (
    Compaction,
    Notice,
    NoticeKind,
    Prose,
    Reply,
    Thinking,
)
from everyleaf.transcript.values import text_at, value_at
from everyleaf.transcript.words import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.records.schema import AssistantRecord, JsonValue
    from everyleaf.transcript.document import Part

SYNTHETIC = "<synthetic>"
_EMPTY = ("", "(no content)")
_NOTHING_ASKED = "No response requested."


def reply_entries(
    uuid: str, record: AssistantRecord
) -> Iterator[Reply | Thinking | Notice | Compaction | Made]:
    """Yield what stands in `record`, block by block; blank text gives nothing.

    The first entry has `uuid` itself, a further one `uuid` with its number behind it.
    Results of server tools are left to their calls.
    """
    for number, block in enumerate(record.message.content, start=1):
        own = uuid if number == 1 else f"{uuid}-{number}"
        if isinstance(block, TextBlock):
            if record.is_api_error_message or record.message.model == SYNTHETIC:
                if block.text.strip() != _NOTHING_ASKED:
                    yield _synthetic(own, record, block.text)
            elif block.text.strip() not in _EMPTY:
                yield _reply(own, record, (Prose(block.text.strip("\n")),))
        elif isinstance(block, ThinkingBlock):
            yield Thinking(uuid=own, at=record.timestamp, text=block.thinking)
        elif isinstance(block, ToolUseBlock):
            name = (
                f"mcp__{block.server_name}__{block.name}"
                if block.server_name
                else block.name
            )
            yield Made(own, record.timestamp, block.id, name, block.input, record.cwd)
        elif isinstance(block, UnknownBlock):
            yield _api_block(own, record, block)
        elif not isinstance(block, ServerResultBlock):
            yield _reply(own, record, media_part(block))


def _reply(uuid: str, record: AssistantRecord, parts: tuple[Part, ...]) -> Reply:
    return Reply(
        uuid=uuid,
        at=record.timestamp,
        parts=parts,
        model=record.message.model,
    )


def _api_block(
    uuid: str, record: AssistantRecord, block: UnknownBlock
) -> Reply | Notice | Compaction:
    """Return what the API did to the conversation by itself, or a block nobody knows."""
    if block.type == "compaction":
        text = text_at(block.raw, "content")
        return Compaction(
            uuid=uuid,
            at=record.timestamp,
            trigger="by the API",
            summary=(Prose(text),) if text.strip() else (),
        )
    if block.type == "fallback":
        models = (_model_name(value_at(block.raw, key)) for key in ("from", "to"))
        said = f"Model changed: {' → '.join(filter(None, models))}"
        return Notice(
            uuid=uuid, at=record.timestamp, kind=NoticeKind.MODEL, text=said.rstrip(": ")
        )
    return _reply(uuid, record, media_part(block))


def _model_name(value: JsonValue) -> str:
    return value if isinstance(value, str) else text_at(value, "model", "name")


def _synthetic(uuid: str, record: AssistantRecord, text: str) -> Notice:
    """Return what the CLI said in the model's place: an API error, or that nothing came."""
    is_error = record.is_api_error_message
    words = first_line(text)
    is_whole = words == text.strip()
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.API_ERROR if is_error else NoticeKind.META,
        text=words,
        parts=() if is_whole else (Prose(text),),
        is_trouble=is_error,
    )
