"""A path as JSON: the document that pages are drawn from, each value with what it is."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from msgspec.structs import asdict

if TYPE_CHECKING:
    from everyleaf.config import Detail
    from everyleaf.explore.story import Story

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LEFT_OUT = frozenset({"facts", "tasks", "reads_tasks"})
"""Of a turn: what lists add up, and what the next turn begins with."""


def story_json(story: Story, detail: Detail) -> str:
    """Return a path as one indented object of ASCII, as `everyleaf show --help` says."""
    path = story.path
    over = path.taken_over_by
    turns = [
        {"kind": turn.kind, "seam": turn.seam, **_fields(document)}
        for turn, document in story.turns(detail)
    ]
    whole = {
        "session": path.session,
        "project": story.session.project,
        "number": path.number,
        "of": path.of,
        "status": path.status,
        "reason": path.reason,
        "title": path.title,
        "label": path.label,
        "started": path.started,
        "ended": path.ended,
        "messages": path.messages,
        "prompts": path.prompts,
        "compactions": path.compactions,
        "fork_point": path.fork_point,
        "taken_over_by": f"{over.session}:{over.number}" if over else None,
        "turns": turns,
    }
    return json.dumps(whole, indent=2)


def _plain(value: object) -> object:
    if isinstance(value, Struct):
        kind = _HUMP.sub("-", type(value).__name__).lower()
        return {"type": kind, **_fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return str(value) if isinstance(value, Enum) else value


def _fields(value: Struct) -> dict[str, object]:
    told = asdict(value).items()
    return {_told(name): _plain(one) for name, one in told if name not in _LEFT_OUT}


def _told(name: str) -> str:
    """Return what all JSON that is printed calls a field."""
    return "agent" if name == "agent_id" else name.removeprefix("is_")
