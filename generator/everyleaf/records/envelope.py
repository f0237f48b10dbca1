"""From a raw record to the few fields that the graph needs.

Which call started which agent: format notes §4.9. Digests of content are equal for what
reads the same, whatever stands around it: a string and a single text block with that text
are equal; usage, folders, structured tool results and cache marks do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias
from uuid import UUID

import orjson
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import digest_hex, digest_int
from everyleaf.model import AgentCall, AgentLink, Envelope, ForkedFrom, Kind, Marker
from everyleaf.records import text as texts
from everyleaf.records.kinds import classify, is_tree_record, make_marker
from everyleaf.records.text import Block, as_list, as_object, as_text, content_blocks

_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_AGENT_CALLS = ("Agent", "Task", "Skill")
_AGENT_KEYS = ("agentId", "agent_id", "resumedAgentId")
_TRAILER = re.compile(r"agentId: ([\w.-]{1,100})")
_TRAILER_CHARACTERS = 4000
_TASK_ID = re.compile(r"<task-id>\s*([^<>\s]{1,200})\s*</task-id>")
_TOOL_USE_ID = re.compile(r"<tool-use-id>\s*([^<>\s]{1,200})\s*</tool-use-id>")

# Looking up a member of an enum costs ten times a name in Python 3.11; every record passes.
_BOUNDARY, _REPLY, _RESULT = Kind.BOUNDARY, Kind.REPLY, Kind.RESULT
_NOTES = frozenset({Kind.NOTE, Kind.INJECTED})
_Said: TypeAlias = """tuple[
    int, tuple[int, ...], str, tuple[str, ...], tuple[AgentLink, ...], tuple[AgentCall, ...]
]"""
"""(digest, those of blocks, first words, calls, links to agents, agents asked for)."""


class Span(NamedTuple):
    """Where a record stands in its file."""

    line: int
    offset: int
    size_bytes: int
    """0 where the bytes need recovery."""
    piece: int = 0
    """0-based, of the objects on the line."""
    body: bytes = b""
    """All that stands on the line; empty: it is told by several lines."""


class FileScope(Struct, frozen=True):
    """What the records of one file share while it is read."""

    file: str
    """Name inside the project folder: part of the uuid of a record that has none."""
    strings: dict[str, str] = {}
    """Ids met so far, so that a child holds the same string object as its parent."""

    def same(self, value: object) -> str | None:
        """Return the id first met that equals `value`; None where it is no text."""
        if isinstance(value, str) and value:
            return self.strings.setdefault(value, value)
        return None


def make_envelope(
    raw: dict[str, object], span: Span, scope: FileScope
) -> Envelope | Marker | None:
    """Return a tree record's envelope, another one's marker, or None for the rest.

    Fields of a wrong type count as absent. A message without a uuid gets one made of its
    file and line, so that the same archive always gives the same addresses.
    """
    if not is_tree_record(raw):
        return make_marker(raw, line=span.line)
    same = scope.same
    message = as_object(raw.get("message"))
    uuid = same(raw.get("uuid"))
    if uuid is None:
        if message is None:
            return None
        uuid = made_up_uuid(scope.file, span)
    content = texts.said_in(raw)
    blocks = content_blocks(content)
    kind = classify(raw, blocks)
    digest, parts, words, calls, links, asked = _said(raw, kind, content, blocks)
    is_boundary = kind is _BOUNDARY
    return Envelope(
        uuid=uuid,
        parent_uuid=same(raw.get("parentUuid")),
        kind=kind,
        line=span.line,
        offset=span.offset,
        size_bytes=span.size_bytes,
        timestamp=texts.as_time(raw.get("timestamp")),
        digest=digest,
        is_sidechain=raw.get("isSidechain") is True,
        agent_id=same(raw["agentId"]) if "agentId" in raw else None,
        message_id=None if message is None else same(message.get("id")),
        request_id=same(raw["requestId"]) if "requestId" in raw else None,
        is_synthetic=message is not None and message.get("model") == "<synthetic>",
        tool_use_ids=calls,
        blocks=parts,
        words=words,
        forked_from=_forked_from(raw, scope) if "forkedFrom" in raw else None,
        logical_parent_uuid=same(raw.get("logicalParentUuid")) if is_boundary else None,
        preserved=_preserved(raw, scope) if is_boundary else (),
        links=links,
        asked=asked,
        withdraws=_withdrawn(raw, scope),
        line_digest=digest_int(span.body) if span.body else 0,
    )


def said_anew(made: Envelope, masked: dict[str, object]) -> Envelope:
    """Return `made` with all that is shown of it taken from the masked record.

    What records are compared by stays that of the record on disk.
    """
    if not made.words and not made.asked:
        return made
    blocks = content_blocks(texts.said_in(masked))
    asked = [
        replace(call, agent_type=shown.agent_type, description=shown.description)
        for call, shown in zip(made.asked, asked_agents(blocks), strict=False)
    ]
    return replace(made, words=made.words and texts.words_of(blocks), asked=tuple(asked))


def say_anew(
    made: Envelope | Marker | None, masked: dict[str, object]
) -> Envelope | Marker | None:
    """Return an envelope or a marker with its words taken from the masked record."""
    if isinstance(made, Envelope):
        return said_anew(made, masked)
    if isinstance(made, Marker) and made.text:
        again = make_marker(masked, line=made.line)
        return made if again is None else replace(made, text=again.text)
    return made


def made_up_uuid(file: str, span: Span) -> str:
    """Return the uuid of a message that was written without one: of its file and place."""
    piece = f":{span.piece}" if span.piece else ""
    place = f"{file}:{span.line}{piece}"
    return str(UUID(hex=digest_hex(place.encode(errors="replace"), size=16)))


def _said(
    raw: dict[str, object], kind: Kind, content: object, blocks: list[Block]
) -> _Said:
    """Return what a record says, digested, and the calls and agents that it names."""
    if kind in _NOTES:
        is_progress = content is None
        digest = 0 if is_progress else value_digest(content)
        links = progress_links(raw) if is_progress else notification_links(blocks)
        return digest, (), "", (), links, ()
    if kind is _BOUNDARY:
        return value_digest(raw.get("content")), (), "", (), (), ()
    if not any(block.get("text") != "" for block in blocks):
        return 0, (), "", (), (), ()
    digests = tuple([block_digest(block) for block in blocks])
    digest = digests[0]  # Of a message with one block.
    if len(digests) > 1:
        digest = digest_int(b"".join(one.to_bytes(8, "big") for one in digests))
    if kind is _REPLY:
        calls = _ids(blocks, _CALLS, "id")
        asked = asked_agents(blocks) if calls else ()
        return digest, (), texts.words_of(blocks), calls, (), asked
    if kind is _RESULT:
        calls = _ids(blocks, ("tool_result",), "tool_use_id")
        return digest, (), "", calls, result_links(raw, blocks, calls), ()
    return digest, digests, texts.words_of(blocks), (), (), ()


def _ids(blocks: Sequence[Block], kinds: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(
        [
            found
            for block in blocks
            if block.get("type") in kinds and (found := as_text(block.get(key)))
        ]
    )


def _forked_from(raw: dict[str, object], scope: FileScope) -> ForkedFrom | None:
    forked = as_object(raw.get("forkedFrom")) or {}
    uuid = scope.same(forked.get("messageUuid"))
    session = scope.same(forked.get("sessionId")) or ""
    return ForkedFrom(session, uuid) if uuid else None


def _withdrawn(raw: dict[str, object], scope: FileScope) -> tuple[str, ...]:
    """Return the uuids of the replies that a record takes back, in order, each once.

    A refusal that a fork brought along takes nothing back there (format notes §4.4).
    """
    named = raw.get("supersedes", raw.get("retractedMessageUuids"))
    if named is None or raw.get("neutralizedByFork") is True:
        return ()
    return tuple(
        dict.fromkeys(uuid for item in as_list(named) if (uuid := scope.same(item)))
    )


def _preserved(raw: dict[str, object], scope: FileScope) -> tuple[str, ...]:
    """Return the uuids of the messages that a boundary kept, in order, each once."""
    metadata = as_object(raw.get("compactMetadata", raw.get("compact_metadata"))) or {}
    told = metadata.get("preservedMessages", metadata.get("preserved_messages"))
    kept = as_object(told) or {}
    named = as_list(kept.get("uuids"))
    named = named + as_list(kept.get("allUuids", kept.get("all_uuids")))
    return tuple(dict.fromkeys(uuid for item in named if (uuid := scope.same(item))))


def asked_agents(blocks: Sequence[Block]) -> tuple[AgentCall, ...]:
    """Return the calls of a reply that ask for an agent, in order."""
    return tuple(
        AgentCall(
            tool_use_id=call,
            prompt=prompt_digest(prompt),
            agent_type=texts.one_line(as_text(given.get("subagent_type")) or ""),
            description=texts.one_line(as_text(given.get("description")) or ""),
        )
        for block in blocks
        if block.get("name") in _AGENT_CALLS
        and (call := as_text(block.get("id")))
        and (given := as_object(block.get("input")))
        and (prompt := as_text(given.get("prompt")))
    )


def result_links(
    raw: dict[str, object], blocks: Sequence[Block], calls: tuple[str, ...]
) -> tuple[AgentLink, ...]:
    """Return the agents that a result names: in its structure, else in its text."""
    if not calls:
        return ()
    result = as_object(raw.get("toolUseResult", raw.get("tool_use_result")))
    if result is not None:
        named = [result.get(key) for key in _AGENT_KEYS if key in result]
        named += as_list(result.get("agentIds"))
        agents = dict.fromkeys(agent for item in named if (agent := as_text(item)))
        if agents:
            return tuple(AgentLink(calls[0], agent) for agent in agents)
    return tuple(dict.fromkeys(_trailers(blocks)))


def _trailers(blocks: Sequence[Block]) -> Iterator[AgentLink]:
    for block in blocks:
        call = as_text(block.get("tool_use_id"))
        if block.get("type") != "tool_result" or call is None:
            continue
        for text in texts.iter_texts(content_blocks(block.get("content"))):
            start = text.rfind("\nagentId: ", -_TRAILER_CHARACTERS)
            if trailer := _TRAILER.match(text, start + 1):
                yield AgentLink(call, trailer[1].rstrip("."))


def notification_links(blocks: Sequence[Block]) -> tuple[AgentLink, ...]:
    """Return which call started which agent, as `<task-notification>`s say."""
    links: list[AgentLink] = []
    for text in texts.iter_texts(blocks):
        for part in text.split("<task-notification>")[1:]:
            task, call = _TASK_ID.search(part), _TOOL_USE_ID.search(part)
            if task and call:
                links.append(AgentLink(call[1], task[1]))
    return tuple(links)


def progress_links(raw: dict[str, object]) -> tuple[AgentLink, ...]:
    """Return the agent whose progress a record reports, with the call that started it."""
    progress = as_object(raw.get("data")) or {}
    call, agent = as_text(raw.get("parentToolUseID")), as_text(progress.get("agentId"))
    return (AgentLink(call, agent),) if call and agent else ()


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


def value_digest(value: object) -> int:
    """Return the digest of any JSON value; the order of an object's keys does not count."""
    try:
        written = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError:
        # Nested more than 254 deep, or integers of more than 64 bits.
        written = b"".join(_tokens(value))
    return digest_int(written)


def _result_digest(block: Block) -> int:
    parts = content_blocks(block.get("content"))
    text = parts[0].get("text") if len(parts) == 1 else None
    if isinstance(text, str) and parts[0].get("type") == "text":
        content = text.encode(errors="replace")
    else:
        content = b"".join(block_digest(part).to_bytes(8, "big") for part in parts)
    is_error = block.get("is_error") is True
    return digest_int(f"{block.get('tool_use_id')!r} {is_error} ".encode() + content)


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
