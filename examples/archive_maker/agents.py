"""Subagents in the three places where versions of the CLI have put them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archive_maker.identity import token_of
from archive_maker.journal import Call, dump, text
from archive_maker.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

HEX = "0123456789abcdef"


def nested_file(parent: Session, call: Call, *, outer: Session | None = None) -> Session:
    """Start an agent of 2.1: a file of its own in the session's folder, with a `.meta.json`.

    `outer` is the agent that made the call, if it was not the main conversation.
    """
    agent = started(parent, call, "a" + token_of(call.id, 16, HEX))
    meta: dict[str, object] = {
        "agentType": call.asked["subagent_type"],
        "description": call.asked["description"],
        "toolUseId": call.id,
    }
    if outer:
        meta |= {"parentAgentId": outer.agent_id, "spawnDepth": 2}
    place = f"{parent.session_id}/subagents/agent-{agent.agent_id}"
    parent.side_files[f"{place}.meta.json"] = dump(meta) + "\n"
    return agent


def flat_file(parent: Session, call: Call) -> Session:
    """Start an agent of 2.0: a file beside the sessions that names its session inside."""
    return started(parent, call, token_of(call.id, 7, HEX))


def in_file(parent: Session, call: Call) -> Session:
    """Start an agent of 1.0: its records stand in the session's own file."""
    return started(parent, call, "in-file", lines=parent.lines)


def started(
    parent: Session, call: Call, agent_id: str, *, lines: list[str] | None = None
) -> Session:
    agent = Session(
        f"{parent.key}/{call.id}",
        parent.project,
        parent.version,
        parent.clock.now.replace(tzinfo=None).isoformat(),
        model=parent.model,
        branch=parent.branch,
        slug=parent.slug,
        session_id=parent.session_id,
        agent_id=agent_id,
        lines=[] if lines is None else lines,
        files=parent.files,
        context=9_800,
    )
    agent.shown.append(agent.user(str(call.asked["prompt"])))
    return agent


def close(parent: Session, agent: Session) -> None:
    """Put the agent's file beside the session and let the session's clock catch up."""
    if agent.lines is not parent.lines:
        is_nested = len(agent.agent_id) > 7
        folder = f"{parent.session_id}/subagents/" if is_nested else ""
        file = f"{folder}agent-{agent.agent_id}.jsonl"
        parent.side_files[file] = "\n".join(agent.lines) + "\n"
        parent.agents[agent.agent_id] = len(agent.shown)
    parent.clock.now = max(parent.clock.now, agent.clock.now)


def report(parent: Session, call: Call, agent: Session, words: str) -> None:
    """Answer the call that started `agent` with what it found."""
    close(parent, agent)
    stored = summary(agent, words, str(call.asked["prompt"]))
    content = [text(words)]
    if not parent.version.startswith("1."):
        trailer = f"agentId: {agent.agent_id} (for resuming to continue this agent's work if needed)"
        content.append(text(trailer))
    parent.result(call, content, stored)


def summary(agent: Session, words: str, prompt: str) -> Mapping[str, object]:
    stored: dict[str, object] = {}
    if not agent.version.startswith("1."):
        stored |= {"status": "completed", "prompt": prompt, "agentId": agent.agent_id}
    return stored | {
        "content": [text(words)],
        "totalDurationMs": 21_000 + int(40_000 * agent.ids.fraction()),
        "totalTokens": agent.context + 6_000,
        "totalToolUseCount": sum(
            '"type":"tool_use"' in dump(r) for r in agent.records.values()
        ),
        "usage": agent.usage(320),
    }
