"""A path as a session of its own, in Claude Code's format, that it can go on with.

Every record has a fresh uuid, made of the path and of the one it had, and hangs from the
record before it: there is one path, and no other. `forkedFrom` says where each is from, as
the CLI writes it into a fork; so a session that is put beside its original is known to be
a copy. Source: the project's notes on the format, §2 and §4.

What goes with a session is left out: files of subagents, progress, spilled outputs. So is
thinking in which something was masked: its signature would not fit any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from everyleaf.export.steps import ABANDONED_DIR, GroupReader, Written, to_json
from everyleaf.graph.forest import ConversationPath, PlacedRecord, Status
from everyleaf.records.load import RecordFiles
from everyleaf.records.text import as_list, as_object, content_blocks, said_in
from everyleaf.redact.masking import open_mask

Json = dict[str, object]

_WRITTEN = frozenset({"user", "assistant", "system", "attachment"})
_LEFT_OUT = frozenset({"session_id", "parent_tool_use_id", "agentId", "isReplay"})
"""Of recorded streams, and of subagents."""
_SAID = frozenset({"message", "toolUseResult", "content", "attachment"})
"""Fields in which a uuid is something that was said."""


def export_session(reader: GroupReader, path: ConversationPath) -> Iterator[Written]:
    """Yield the session file of `path`; its name is the id to resume."""
    session = _fresh(path, "")
    body = bytearray()
    for record in _iter_records(reader, path, session):
        body += to_json(record)
    # Not at the head: some versions know a session by its first line.
    title = path.label or path.title
    body += to_json({"type": "custom-title", "customTitle": title, "sessionId": session})
    folder = ABANDONED_DIR if path.status is Status.ABANDONED else ""
    yield Written(f"{folder}{session}.jsonl", bytes(body))


def _fresh(path: ConversationPath, uuid: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"everyleaf:{path.session}:{path.number}:{uuid}"))


def _iter_records(
    reader: GroupReader, path: ConversationPath, session: str
) -> Iterator[Json]:
    tree = reader.work.tree
    turns = tree.line(tree.leaves[path.ref])
    placed = [one for turn in turns for one in turn.records]
    names = {one.envelope.uuid: _fresh(path, one.envelope.uuid) for one in placed}
    last: str | None = None
    folder = ""
    for one, raw in _iter_raw(reader, placed):
        uuid = names[one.envelope.uuid]
        kept = {
            name: value if name in _SAID else _renamed(value, names)
            for name, value in raw.items()
            if name not in _LEFT_OUT
        }
        is_boundary = raw.get("subtype") == "compact_boundary"
        folder = folder or str(raw.get("cwd") or "")
        kept |= {
            "parentUuid": None if is_boundary else last,
            "isSidechain": False,
            "sessionId": session,
            "uuid": uuid,
            "timestamp": one.envelope.timestamp or path.started,
            "forkedFrom": {"sessionId": path.session, "messageUuid": one.canonical},
        }
        if is_boundary and last:
            kept["logicalParentUuid"] = last
        kept.setdefault("userType", "external")
        kept.setdefault("cwd", folder)
        yield kept
        last = uuid


def _iter_raw(
    reader: GroupReader, placed: list[PlacedRecord]
) -> Iterator[tuple[PlacedRecord, Json]]:
    """Yield the records that are written, masked."""
    sources, files = reader.work.sources, RecordFiles()
    for one in placed:
        source = sources[one.source]
        raw, line = files.read(Path(source.location), one.envelope)
        if raw.get("type") in _WRITTEN:
            before = _thoughts(raw)
            masked = open_mask(source.mask).record(raw, line)
            _drop_masked_thoughts(masked, before)
            yield one, masked


def _thoughts(raw: Json) -> list[object]:
    blocks = content_blocks(said_in(raw))
    return [block["thinking"] for block in blocks if "thinking" in block]


def _drop_masked_thoughts(raw: Json, before: list[object]) -> None:
    """Take out of `raw` what the model thought, where that is not as it was `before`."""
    message = as_object(raw.get("message"))
    if message is None or not before or _thoughts(raw) == before:
        return
    was = iter(before)
    message["content"] = [
        block
        for block in content_blocks(said_in(raw))
        if "thinking" not in block or block["thinking"] == next(was)
    ]


def _renamed(value: object, names: Mapping[str, str]) -> object:
    """Return `value` with the fresh uuids of records in it."""
    if isinstance(value, str):
        return names.get(value, value)
    fields = as_object(value)
    if fields is not None:
        return {name: _renamed(one, names) for name, one in fields.items()}
    if isinstance(value, list):
        return [_renamed(one, names) for one in as_list(value)]  # pyright: ignore[reportUnknownArgumentType]  (JSON)
    return value
