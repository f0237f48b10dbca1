"""What only a stream of the CLI tells: the facts at the start, the result at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Code, Notice, NoticeKind, Table
from everyleaf.transcript.values import (
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    texts_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import counted, duration, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue, OtherRecord, SystemRecord
    from everyleaf.transcript.document import Part


def init_notice(uuid: str, record: SystemRecord) -> Notice:
    """Return what the CLI says of the session before it begins."""
    raw = record.raw
    servers = [
        f"{text_at(server, 'name')} ({text_at(server, 'status')})"
        for server in objects_at(raw, "mcp_servers")
    ]
    rows = _rows(
        ("model", text_at(raw, "model")),
        ("permissions", text_at(raw, "permissionMode")),
        ("version", text_at(raw, "claude_code_version")),
        ("output style", text_at(raw, "output_style")),
        ("tools", ", ".join(texts_at(raw, "tools"))),
        ("MCP servers", ", ".join(servers)),
    )
    model = text_at(raw, "model")
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.META,
        text=f"Session started with {model}" if model else "Session started",
        parts=(Table(rows),) if rows else (),
    )


def result_notice(uuid: str, record: OtherRecord) -> Notice:
    """Return how a run ended: its time and cost, what was denied, what went wrong."""
    raw = record.raw
    subtype = text_at(raw, "subtype")
    is_trouble = is_set(raw, "is_error") or subtype.startswith("error")
    took, turns = int_at(raw, "duration_ms"), int_at(raw, "num_turns")
    facts = joined(
        counted(turns, "turn") if turns is not None else "",
        duration(took) if took is not None else "",
        _dollars(value_at(raw, "total_cost_usd")),
    )
    ended = f"Ended with {subtype or 'an error'}" if is_trouble else "Run finished"
    errors = texts_at(raw, "errors")
    if is_trouble and not errors:
        errors = [text for text in (text_at(raw, "result"),) if text]
    parts: list[Part] = [Code(error, is_terminal=True) for error in errors]
    rows = _result_rows(raw)
    if rows:
        parts.append(Table(rows))
    return Notice(
        uuid=uuid,
        at=record.timestamp,
        kind=NoticeKind.META,
        text=one_line(f"{ended}: {facts}" if facts else ended),
        parts=tuple(parts),
        is_trouble=is_trouble,
    )


def _result_rows(raw: JsonValue) -> tuple[tuple[str, ...], ...]:
    usage = object_at(raw, "usage")
    tokens = joined(
        *(
            f"{number:,} {name}"
            for name, key in (
                ("in", "input_tokens"),
                ("out", "output_tokens"),
                ("from the cache", "cache_read_input_tokens"),
                ("into the cache", "cache_creation_input_tokens"),
            )
            if (number := int_at(usage, key))
        )
    )
    at_api = int_at(raw, "duration_api_ms")
    denied = [text_at(one, "tool_name") for one in objects_at(raw, "permission_denials")]
    return _rows(
        ("tokens", tokens),
        ("time at the API", duration(at_api) if at_api is not None else ""),
        ("models", ", ".join(sorted(object_at(raw, "modelUsage")))),
        ("denied", ", ".join(filter(None, denied))),
        ("reason", word_at(raw, "terminal_reason")),
    )


def _rows(*rows: tuple[str, str]) -> tuple[tuple[str, ...], ...]:
    return tuple(row for row in rows if row[1])


def _dollars(cost: JsonValue) -> str:
    """Return a cost in dollars, to a hundredth of a cent where it is small.

    >>> _dollars(0.0312), _dollars(2.5), _dollars(None)
    ('$0.0312', '$2.50', '')
    """
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return ""
    return f"${cost:.4f}" if cost < 1 else f"${cost:,.2f}"
