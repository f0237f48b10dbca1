"""Which tool call started which subagent, as the records of the caller tell it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.model import AgentCall, AgentLink
from everyleaf.records.contents import prompt_digest
from everyleaf.records.text import (
    as_list,
    as_object,
    as_text,
    content_blocks,
    iter_texts,
    one_line,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.records.text import Block

_AGENT_CALLS = ("Agent", "Task", "Skill")
_AGENT_KEYS = ("agentId", "agent_id", "resumedAgentId")
_TRAILER = re.compile(r"agentId: ([\w.-]{1,100})")
_TRAILER_CHARACTERS = 4000
_TASK_ID = re.compile(r"<task-id>\s*([^<>\s]{1,200})\s*</task-id>")
_TOOL_USE_ID = re.compile(r"<tool-use-id>\s*([^<>\s]{1,200})\s*</tool-use-id>")


def asked_agents(blocks: Sequence[Block]) -> tuple[AgentCall, ...]:
    """Return the calls of a reply that ask for an agent, in order."""
    return tuple(
        AgentCall(
            tool_use_id=call,
            prompt=prompt_digest(prompt),
            agent_type=one_line(as_text(given.get("subagent_type")) or ""),
            description=one_line(as_text(given.get("description")) or ""),
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
        for text in iter_texts(content_blocks(block.get("content"))):
            start = text.rfind("\nagentId: ", -_TRAILER_CHARACTERS)
            if trailer := _TRAILER.match(text, start + 1):
                yield AgentLink(call, trailer[1].rstrip("."))


def notification_links(blocks: Sequence[Block]) -> tuple[AgentLink, ...]:
    """Return which call started which agent, as `<task-notification>`s say."""
    links: list[AgentLink] = []
    for text in iter_texts(blocks):
        for part in text.split("<task-notification>")[1:]:
            task, call = _TASK_ID.search(part), _TOOL_USE_ID.search(part)
            if task and call:
                links.append(AgentLink(call[1], task[1]))
    return tuple(links)


def progress_links(raw: dict[str, object]) -> tuple[AgentLink, ...]:
    """Return the agent whose progress a record reports, with the call that started it."""
    progress = as_object(raw.get("data"))
    if progress is None:
        return ()
    call, agent = as_text(raw.get("parentToolUseID")), as_text(progress.get("agentId"))
    return (AgentLink(call, agent),) if call and agent else ()
