"""Streams of the CLI, written small."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from everyleaf.records.index import index_file
from everyleaf.sources.discover import find_sources
from sessions import write_records

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.records.index import Indexed

SID = "0a1b2c3d-0000-4000-8000-000000000001"
INIT = {"type": "system", "subtype": "init", "uuid": "i1", "session_id": SID, "cwd": "/w"}


def said(kind: str, uuid: str | None, content: object, **fields: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message["id"] = fields.pop("id", f"m-{uuid}")
    named = {} if uuid is None else {"uuid": uuid}
    base = {"type": kind, "session_id": SID, "parent_tool_use_id": None, **named}
    return {**base, "message": message, **fields}


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def event(call: str | None = None, **fields: Any) -> dict[str, Any]:
    base = {"type": "stream_event", "session_id": SID, "parent_tool_use_id": call}
    return {**base, "uuid": "e", "event": fields}


def begun(message: str, call: str | None = None) -> dict[str, Any]:
    told = {"id": message, "model": "m", "content": []}
    return event(call, type="message_start", message=told)


def block(index: int, kind: str = "text", **fields: Any) -> dict[str, Any]:
    told = {"type": kind, **fields}
    return event(type="content_block_start", index=index, content_block=told)


def delta(index: int, kind: str = "text_delta", **fields: Any) -> dict[str, Any]:
    return event(type="content_block_delta", index=index, delta={"type": kind, **fields})


def write(location: Path, *records: object) -> Path:
    if location.suffix == ".json":
        location.write_text(json.dumps(records, indent=1))
        return location
    return write_records(location, records)


def read(location: Path) -> Indexed:
    (source,) = find_sources([location]).files
    return index_file(source, source_index=0)
