"""Agent files: their names, and the `.meta.json` beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import orjson

from everyleaf.sources.files import AgentMeta, Role

if TYPE_CHECKING:
    from pathlib import Path

PREFIX = "agent-"
_INTERNAL = ("agent-acompact-", "agent-aprompt_suggestion-", "agent-aside_question-")
_MOST_BYTES = 1 << 20


def agent_role(stem: str) -> Role:
    """Return whether an agent file, by its stem, is one that a person would know of.

    >>> agent_role("agent-acompact-17f0")
    <Role.INTERNAL_AGENT: 'internal-agent'>
    """
    return Role.INTERNAL_AGENT if stem.startswith(_INTERNAL) else Role.AGENT


def load_meta(agent_file: Path) -> AgentMeta:
    """Return what `agent-<id>.meta.json` says; a missing file says nothing.

    Raises:
        OSError: the file is there but cannot be read.
        ValueError: it is no JSON object.
    """
    try:
        with agent_file.with_suffix(".meta.json").open("rb") as handle:
            content = handle.read(_MOST_BYTES)
    except FileNotFoundError:
        return AgentMeta()
    value: object = orjson.loads(content)
    if not isinstance(value, dict):
        raise orjson.JSONDecodeError("not a JSON object", "", 0)
    raw = cast("dict[str, object]", value)
    return AgentMeta(
        agent_type=_text(raw, "agentType") or "",
        description=_text(raw, "description") or "",
        tool_use_id=_text(raw, "toolUseId"),
        parent_agent_id=_text(raw, "parentAgentId"),
    )


def _text(raw: dict[str, object], key: str) -> str | None:
    value = raw.get(key)
    return value if isinstance(value, str) and value else None
