"""What the model wrote, block by block; and compactions, which replace what came before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.records.schema import (
    ServerResultBlock,
    SystemRecord,
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
    UnknownBlock,
)
from everyleaf.transcript.content import blocks_text, media_part, media_parts, prose
from everyleaf.transcript.document import (
    Compaction,
    Fold,
    Notice,
    NoticeKind,
    Prose,
    Reply,
    Thinking,
)
from everyleaf.transcript.facts import SYNTHETIC
from everyleaf.transcript.tools.call import Call
from everyleaf.transcript.values import Json
from everyleaf.transcript.words import counted, duration, first_line, one_line, tag_body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.records.schema import (
        AnyRecord,
        AssistantRecord,
        Block,
        JsonValue,
        UserRecord,
    )
    from everyleaf.transcript.document import Parts

_EMPTY = ("", "(no content)")
_NOTHING_ASKED = "No response requested."


def reply_entries(
    uuid: str, record: AssistantRecord
) -> Iterator[Reply | Thinking | Notice | Compaction | Call]:
    """Yield what stands in `record`, block by block; blank text gives nothing.

    The first entry has `uuid` itself, a further one `uuid` with its number behind it.
    Results of server tools are left to their calls.
    """
    at = record.timestamp
    for number, block in enumerate(record.message.content, start=1):
        own = uuid if number == 1 else f"{uuid}-{number}"
        if isinstance(block, ToolUseBlock):
            server = f"mcp__{block.server_name}__" if block.server_name else ""
            yield Call(
                uuid=own,
                at=at,
                tool_use_id=block.id,
                name=f"{server}{block.name}",
                input=Json(block.input),
                folder=record.cwd,
            )
        elif isinstance(block, ThinkingBlock):
            yield Thinking(uuid=own, at=at, text=block.thinking)
        elif not isinstance(block, ServerResultBlock):
            entry = _entry_of(record, block)
            if entry is not None:
                yield replace(entry, uuid=own, at=at)


def _entry_of(record: AssistantRecord, block: Block) -> Reply | Notice | Compaction | None:
    model = record.message.model
    if isinstance(block, TextBlock):
        if record.is_api_error_message or model == SYNTHETIC:
            return _synthetic(record, block.text)
        said = block.text.strip("\n")
        return None if said.strip() in _EMPTY else Reply(parts=(Prose(said),), model=model)
    if isinstance(block, UnknownBlock) and block.type == "compaction":
        summary = prose(Json(block.raw).text("content"))
        return Compaction(facts=("by the API",), summary=summary)
    if isinstance(block, UnknownBlock) and block.type == "fallback":
        models = (_model_name(Json(block.raw).value(key)) for key in ("from", "to"))
        said = f"Model changed: {' → '.join(filter(None, models))}"
        return Notice(kind=NoticeKind.MODEL, text=said.rstrip(": "))
    return Reply(parts=media_part(block), model=model)


def _model_name(value: JsonValue) -> str:
    return value if isinstance(value, str) else Json(value).text("model", "name")


def _synthetic(record: AssistantRecord, text: str) -> Notice | None:
    """Return what the CLI said in the model's place: an API error, or that nothing came."""
    if text.strip() == _NOTHING_ASKED:
        return None
    is_error = record.is_api_error_message
    words = first_line(text)
    return Notice(
        kind=NoticeKind.API_ERROR if is_error else NoticeKind.META,
        text=words,
        parts=() if words == text.strip() else (Prose(text),),
        is_trouble=is_error,
    )


def boundary_entry(record: AnyRecord) -> Compaction:
    """Return the divider with the facts of its compaction; its summary is added later."""
    if not isinstance(record, SystemRecord):
        return Compaction()
    told = record.compact_metadata
    before, after, took = told.pre_tokens, told.post_tokens, duration(told.duration_ms)
    kept = told.preserved_messages
    then = "" if after is None else f" → {after:,}"
    focus = one_line(told.user_context)
    facts = (
        told.trigger,
        "" if before is None else f"{before:,}{then} tokens",
        f"{counted(len(Json(kept).values('uuids')), 'message')} kept" if kept else "",
        f"asked to keep: {focus}" if focus else "",
        f"took {took}" if took else "",
    )
    return Compaction(facts=tuple(filter(None, facts)))


def summary_parts(record: UserRecord) -> Parts:
    """Return the summary's text; the analysis that older ones begin with is folded."""
    text = blocks_text(record.message.content)
    media = media_parts(record.message.content)
    analysis, summary = tag_body(text, "analysis"), tag_body(text, "summary")
    if analysis is None or summary is None:
        return (Prose(text), *media)
    return (Prose(summary.strip()), Fold("analysis", (Prose(analysis.strip()),)), *media)
