"""`everyleaf agents`: the tree of a session's subagents."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (click reads it)
from typing import TYPE_CHECKING

import click

from everyleaf.cli.options import source_option
from everyleaf.cli.progress import show_progress
from everyleaf.cli.surveying import (
    cut,
    echo_json,
    json_option,
    line_width,
    quiet_option,
    raw_option,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.survey.agents import Agent, SessionAgents

RESULT_CHARS = 300
"""Longest result; JSON has all of it."""

EPILOG = """\b
Examples:
  everyleaf agents 2abbdf99
  everyleaf agents 2abbdf99 --source logs/ --json

JSON: session, title, agents: [{agent_id, agent_type, description, models, usage, calls,
working_s, started, result, has_call, url, agents: […]}].

Exit codes: 0 listed, also where there are none; 1 no such session; 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@click.argument("session", metavar="SESSION")
@source_option
@json_option
@raw_option
@quiet_option
def agents(
    session: str, *, sources: tuple[Path, ...], is_json: bool, is_raw: bool, is_quiet: bool
) -> None:
    """Show the subagents of SESSION: who called whom, with what model, at what cost.

    SESSION is an id or the beginning of one. Tokens and calls are each agent's own, those
    of the agents that it called not included; the last line of each is its last reply.
    """
    from everyleaf.survey.agents import list_agents  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.opening import Scope  # noqa: PLC0415  (slow to import)

    scope = Scope(sources, include_archive=True, is_raw=is_raw, session=session)
    with show_progress(is_quiet=is_quiet) as on_progress:
        found = list_agents(scope, on_progress)
    if is_json:
        echo_json(found)
        return
    for line in iter_lines(found, line_width()):
        click.echo(line)


def iter_lines(found: SessionAgents, width: int) -> Iterator[str]:
    """Yield the lines of the tree, each at most `width` long."""
    yield click.style(cut(f"{found.session[:8]}  {found.title}", width), bold=True)
    if not found.agents:
        yield "no subagents"
    yield from _tree(found.agents, "", width)


def _tree(agents: Sequence[Agent], indent: str, width: int) -> Iterator[str]:
    for agent in agents:
        is_last = agent is agents[-1]
        first = f"{indent}{'└─ ' if is_last else '├─ '}"
        below = f"{indent}{'   ' if is_last else '│  '}"
        gap = f"{below}{'│  ' if agent.agents else '   '}"
        yield from _broken(_name(agent), first, gap, width)
        yield from _broken(_cost(agent), gap, gap, width)
        if agent.result:
            yield gap + cut(f"⇒ {agent.result}", min(width - len(gap), RESULT_CHARS))
        yield from _tree(agent.agents, below, width)


def _broken(text: str, first: str, gap: str, width: int) -> Iterator[str]:
    lines = wrapped(text, width - len(gap))
    yield first + next(lines)
    yield from (gap + line for line in lines)


def _name(agent: Agent) -> str:
    names = (agent.agent_type, agent.description, f"({agent.agent_id})")
    return " · ".join(name for name in names if name)


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
