"""What the model wrote: text and thinking, one entry each; calls are made into `Made`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import (
    ServerResultBlock,
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
)
from everyleaf.transcript.calls import Made
from everyleaf.transcript.content import media_part
from everyleaf.transcript.document import Notice, NoticeKind, Prose, Reply, Thinking
from everyleaf.transcript.words import first_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.records.schema import AssistantRecord
    from everyleaf.transcript.document import Part

SYNTHETIC = "<synthetic>"
_EMPTY = ("", "(no content)")


def reply_entries(
    uuid: str, record: AssistantRecord, *, is_withdrawn: bool = False
) -> Iterator[Reply | Thinking | Notice | Made]:
    """Yield what stands in `record`, block by block; blank text gives nothing.

    The first entry has `uuid` itself, a further one `uuid` with its number behind it.
    Results of server tools are left to their calls.
    """
    for number, block in enumerate(record.message.content, start=1):
        own = uuid if number == 1 else f"{uuid}-{number}"
        if isinstance(block, TextBlock):
            if record.is_api_error_message or record.message.model == SYNTHETIC:
                yield _synthetic(own, record, block.text)
            elif block.text.strip() not in _EMPTY:
                yield _reply(
                    own, record, (Prose(block.text.strip("\n")),), is_withdrawn=is_withdrawn
                )
        elif isinstance(block, ThinkingBlock):
            yield Thinking(uuid=own, at=record.timestamp, text=block.thinking)
        elif isinstance(block, ToolUseBlock):
            name = (
                f"mcp__{block.server_name}__{block.name}"
                if block.server_name
                else block.name
            )
            yield Made(own, record.timestamp, block.id, name, block.input, record.cwd)
        elif not isinstance(block, ServerResultBlock):
            yield _reply(own, record, media_part(block), is_withdrawn=is_withdrawn)


def _reply(
    uuid: str, record: AssistantRecord, parts: tuple[Part, ...], *, is_withdrawn: bool
) -> Reply:
    return Reply(
        uuid=uuid,
        at=record.timestamp,
        parts=parts,
        model=record.message.model,
        is_withdrawn=is_withdrawn,
    )


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
