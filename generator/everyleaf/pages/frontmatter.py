"""The block of YAML that a Markdown file may begin with, for site generators."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.clock import parse_timestamp
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.pages.agents import AgentTour
    from everyleaf.pages.tour import Tour

_SPECIAL = re.compile(r'[\\"]')
TAG = "claude-code"


def path_front_matter(tour: Tour) -> str:
    """Return the block of a path's file: who, where, when, and how it ended."""
    path = tour.path
    return "\n".join(
        _lines(
            {
                "title": _quoted(path.title or "Untitled"),
                "session": _quoted(path.session),
                "path": str(path.number),
                "of": str(path.of),
                "status": _quoted(path.status),
                "project": _quoted(tour.session.project),
                "date": _date(path.ended),
                "models": _list(model for model, _ in tour.totals.models if model),
                "tags": _list(_tags(tour)),
            }
        )
    )


def agent_front_matter(tour: AgentTour) -> str:
    """Return the block of a subagent's file."""
    agent = tour.agent
    return "\n".join(
        _lines(
            {
                "title": _quoted(tour.title),
                "session": _quoted(agent.session),
                "agent": _quoted(agent.agent_id),
                "project": _quoted(tour.session.project),
                "date": _date(agent.ended),
                "models": _list(model for model, _ in tour.totals.models if model),
                "tags": _list((TAG, "subagent")),
            }
        )
    )


def _tags(tour: Tour) -> Iterator[str]:
    yield TAG
    yield tour.path.status.lower()
    if tour.path.compactions:
        yield "compacted"
    if tour.path.is_withdrawn:
        yield "withdrawn"


def _lines(fields: dict[str, str]) -> Iterator[str]:
    yield "---"
    yield from (f"{name}: {value}" for name, value in fields.items() if value)
    yield "---"


def _date(timestamp: str) -> str:
    moment = parse_timestamp(timestamp)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else ""


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, values))}]"


def _quoted(value: str) -> str:
    r"""Return `value` as a double-quoted YAML scalar on one line.

    What is not printable is escaped, so that no text ends the scalar or its line.

    >>> print(_quoted('a: "b"\n---'))
    "a: \"b\" ---"
    """
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", " ".join(visible(value).split()))
    shown = (c if c.isprintable() else f"\\U{ord(c):08x}" for c in line)
    return f'"{"".join(shown)}"'
