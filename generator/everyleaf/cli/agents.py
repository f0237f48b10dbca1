"""`everyleaf agents`: the tree of a session's subagents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import cut, joined, less, width_of_output, wrapped
from everyleaf.cli.echoing import echo_json, row_of
from everyleaf.cli.options import (
    json_option,
    masking,
    quiet_option,
    raw_option,
    session_argument,
    source_option,
)
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from everyleaf.survey.agents import Agent, SessionAgents

RESULT_CHARS = 300
"""Longest result; JSON has all of it."""

EPILOG = """\b
Examples:
  everyleaf agents 2abbdf99
  everyleaf agents 2abbdf99 --source logs/ --json

JSON: session, title, agents: [{agent (its id), type, description, models, usage, calls,
working_s, started, result, has_call, url, agents: […]}].

Exit codes: 0 listed, also where there are none; 1 no such session; 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@session_argument("session", "SESSION")
@source_option
@json_option
@raw_option
@quiet_option
def agents(
    session: str, *, sources: tuple[Path, ...], is_json: bool, is_raw: bool, is_quiet: bool
) -> None:
    """Show the subagents of SESSION: who called whom, with what model, at what cost.

    SESSION is an id, the beginning of one, a session's file, latest, or a title. Tokens
    and calls are each agent's own, those of the agents that it called not included; the
    last line of each is its last reply.
    """
    from everyleaf.opening.named import open_named  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.agents import list_agents  # noqa: PLC0415  (slow to import)

    redact = masking(is_raw=is_raw)
    with show_progress(is_quiet=is_quiet) as on_progress:
        asked = open_named(session, sources, on_progress=on_progress, redact=redact)
    found = list_agents(asked)
    if is_json:
        rows = [_row(agent) for agent in found.agents]
        echo_json({"session": found.session, "title": found.title, "agents": rows})
        return
    for line in iter_lines(found, width_of_output()):
        click.echo(line)


def _row(agent: Agent) -> dict[str, object]:
    row = row_of(agent)
    row["agent"], row["type"] = row.pop("agent_id"), row.pop("agent_type")
    return row | {"agents": [_row(called) for called in agent.agents]}


def iter_lines(found: SessionAgents, width: int | None) -> Iterator[str]:
    """Yield the lines of the tree, each at most `width` long."""
    yield click.style(cut(f"{found.session[:8]}  {found.title}", width), bold=True)
    if not found.agents:
        yield "no subagents"
    yield from _tree(found.agents, "", width)


def _tree(agents: Sequence[Agent], indent: str, width: int | None) -> Iterator[str]:
    for agent in agents:
        is_last = agent is agents[-1]
        first = f"{indent}{'└─ ' if is_last else '├─ '}"
        below = f"{indent}{'   ' if is_last else '│  '}"
        gap = f"{below}{'│  ' if agent.agents else '   '}"
        room = less(width, len(gap))
        name, *others = joined(_names(agent), room)
        yield first + name
        for line in (*others, *wrapped(_cost(agent), room)):
            yield gap + line
        if agent.result:
            room = RESULT_CHARS if width is None else min(width - len(gap), RESULT_CHARS)
            yield gap + cut(f"⇒ {agent.result}", room)
        yield from _tree(agent.agents, below, width)


def _names(agent: Agent) -> list[str]:
    names = (agent.agent_type, agent.description, f"({agent.agent_id})")
    return [name for name in names if name]


def _cost(agent: Agent) -> str:
    usage = agent.usage
    said = (
        ", ".join(agent.models),
        f"{usage.input + usage.cache_read + usage.cache_written:,} tokens in",
        f"{usage.output:,} out",
        f"{agent.calls:,} {'call' if agent.calls == 1 else 'calls'}",
        "" if agent.has_call else "its call is not in this archive",
    )
    return ", ".join(text for text in said if text)
