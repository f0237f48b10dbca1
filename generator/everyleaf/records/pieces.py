"""A message put together from the pieces in which a stream told it.

Source: format notes §6.1, the API's streaming events.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from everyleaf.records.mending import load_strict
from everyleaf.records.text import as_object, as_text, content_blocks
from everyleaf.sources.lines import iter_elements

if TYPE_CHECKING:
    from everyleaf.records.text import Block

_TEXTS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


def join_pieces(data: bytes) -> dict[str, object] | None:
    """Return the message whose pieces `data` begins with, without blocks told as a whole.

    None where `data` is something else, or nothing is left. Pieces of other conversations,
    and records, may stand between them.
    """
    pieces = (load_strict(line.data) for line in iter_elements(BytesIO(data), 0))
    found = [piece for piece in pieces if piece is not None]
    if not found or found[0].get("type") != "stream_event":
        return None
    first = found[0]
    call = first.get("parent_tool_use_id")
    message = as_object((as_object(first.get("event")) or {}).get("message")) or {}
    own = [piece for piece in found if piece.get("parent_tool_use_id") == call]
    whole = sum(_whole_blocks(piece, message.get("id")) for piece in own)
    events = [
        as_object(p.get("event")) or {} for p in own if p.get("type") == "stream_event"
    ]
    blocks = [block for block in _blocks(events)[whole:] if _says(block)]
    if not blocks:
        return None
    kept: dict[str, object] = {
        key: first[key] for key in ("session_id", "parent_tool_use_id") if key in first
    }
    said = {**message, "role": "assistant", "content": blocks}
    return {**kept, "type": "assistant", "message": said}


def _whole_blocks(piece: dict[str, object], message_id: object) -> int:
    said = as_object(piece.get("message")) or {}
    if piece.get("type") != "assistant" or said.get("id") != message_id:
        return 0
    return len(content_blocks(said.get("content")))


def _blocks(events: list[dict[str, object]]) -> list[Block]:
    """Return the blocks that `events` tell, as far as they do, in their order."""
    blocks: dict[object, Block] = {}
    texts: dict[tuple[object, str], list[str]] = {}
    for event in events:
        number = event.get("index")
        match event.get("type"):
            case "content_block_start":
                blocks[number] = dict(as_object(event.get("content_block")) or {})
            case "content_block_delta":
                delta = as_object(event.get("delta")) or {}
                name = _TEXTS.get(as_text(delta.get("type")) or "")
                if name and number in blocks:
                    said = as_text(delta.get(name)) or ""
                    texts.setdefault((number, name), []).append(said)
            case _:
                pass
    for (number, name), pieces in texts.items():
        block, text = blocks[number], "".join(pieces)
        if name == "partial_json":
            block["input"] = load_strict(text.encode()) or {"__unparsedToolInput": text}
        else:
            block[name] = (as_text(block.get(name)) or "") + text
    return list(blocks.values())


def _says(block: Block) -> bool:
    return any(block.get(key) for key in ("text", "thinking", "name", "content"))
