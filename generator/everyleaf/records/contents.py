"""Digests of message content: equal for what reads the same, whatever stands around it.

A string and a single text block with that text are equal; usage, folders, structured tool
results and cache marks do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from everyleaf.digest import digest_int
from everyleaf.records.text import as_list, as_object, content_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.records.text import Block


def prompt_digest(text: str) -> int:
    """Return the digest of a text block, or of a prompt that is one string."""
    return digest_int(b"text\0" + text.encode(errors="replace"))


def block_digest(block: Block) -> int:
    """Return the digest of one content block. Linear in its size."""
    kind = block.get("type")
    text = block.get("text")
    if kind == "text" and isinstance(text, str):
        return prompt_digest(text)
    if kind == "tool_result":
        return _result_digest(block)
    if "cache_control" in block:
        block = {key: value for key, value in block.items() if key != "cache_control"}
    return value_digest(block)


def joint_digest(digests: Sequence[int]) -> int:
    """Return the digest of a message from its blocks'; of one block, that one."""
    if len(digests) == 1:
        return digests[0]
    return digest_int(b"".join(digest.to_bytes(8, "big") for digest in digests))


def value_digest(value: object) -> int:
    """Return the digest of any JSON value; the order of an object's keys does not count."""
    try:
        written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        # Nested more than 254 deep, or integers of more than 64 bits.
        written = b"".join(_tokens(value))
    return digest_int(written)


def _result_digest(block: Block) -> int:
    text = block.get("content")
    if isinstance(text, str):
        content = text.encode(errors="replace")
    else:
        content = _parts_digest(content_blocks(text))
    is_error = block.get("is_error") is True
    return digest_int(f"{block.get('tool_use_id')!r} {is_error} ".encode() + content)


def _parts_digest(parts: Sequence[Block]) -> bytes:
    text = parts[0].get("text") if len(parts) == 1 else None
    if isinstance(text, str) and parts[0].get("type") == "text":
        return text.encode(errors="replace")
    return b"".join(block_digest(part).to_bytes(8, "big") for part in parts)


def _tokens(value: object) -> Iterator[bytes]:
    """Yield an unambiguous writing of a value, without recursion."""
    pending: list[object] = [value]
    while pending:
        item = pending.pop()
        fields = as_object(item)
        if fields is not None:
            yield b"{%d," % len(fields)
            for key in sorted(fields):
                pending += (fields[key], key)
        elif isinstance(item, list):
            items = as_list(item)  # pyright: ignore[reportUnknownArgumentType]  (JSON)
            yield b"[%d," % len(items)
            pending += reversed(items)
        else:
            yield f"{item!r},".encode(errors="replace")
