"""`everyleaf show` and `everyleaf agents`: a transcript, and a session's subagents."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.config import Detail
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from everyleaf.explore.story import TextLine
    from everyleaf.survey.agents import Agent, SessionAgents

WIDEST_PROSE = 100
"""Columns; longer lines are hard to read."""
RESULT_CHARS = 300
"""Longest result of an agent; JSON has all of it."""
LOOKS: dict[str, dict[str, Any]] = {
    "head": {"bold": True},
    "person": {"fg": "cyan", "bold": True},
    "quiet": {"dim": True},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
}
"""What a line of a transcript is → how a terminal shows it."""


SHOW_EPILOG = """\b
Examples:
  everyleaf show latest
  everyleaf show 66e54b32:1 --detail talk
  everyleaf show 66e54b32 --format md > fractions.md
  everyleaf show session.jsonl --json | jq '.turns | length'

Markdown is the file that `everyleaf build --format md` writes, without what that says of
other sessions, and with all that led to a withdrawn prompt. Text is for reading here: on
a terminal its lines are broken between words.

\b
JSON: one object: session, project, number, of, status, reason, title, label, started,
  ended, messages, prompts, compactions, fork_point, taken_over_by ("session:number"),
  turns: [{kind, seam, session, index, records [uuid], entries: [{type (prompt, reply,
  thinking, tool-call, compaction, notice, rewritten), uuid, at, also [uuid], …}]}];
  parts of entries have a type as well (prose, code, diff, table, picture, …)

Exit codes: 0 done, 1 nothing fits or an error, 2 wrong usage.
"""


@options.command(epilog=SHOW_EPILOG)
@options.session("name", "SESSION[:N]")
@options.one_of(
    "--format",
    "form",
    known=["md", "text"],
    help="What to print.  [default: text on a terminal, else md]",
)
@options.json
@options.one_of(
    "--detail",
    known=Detail,
    default="full",
    help="How much of it: all, prompts and answers with the work as one line, prompts and "
    "replies with tools as one line each, or prompts "
    "alone.",
)
@options.pager
@options.sessions
def show(*, reading: Reading, name: str, form: str | None, detail: str) -> None:
    """Print the transcript of a path: of a session without a number, of its ACTIVE one.

    SESSION is an id, the beginning of one, a session's file, latest, or a title.
    """
    from everyleaf.explore.story import iter_plain, open_story, story_json

    story, wanted = open_story(reading.open(name)), Detail(detail)
    is_terminal = sys.stdout.isatty()
    match "json" if reading.is_json else form or ("text" if is_terminal else "md"):
        case "json":
            text = f"{story_json(story, wanted)}\n"
        case "text":
            lines = iter_styled(iter_plain(story, wanted))
            styled = "".join(f"{line}\n" for line in lines)
            text = styled if is_terminal else click.unstyle(styled)
        case _:
            text = story.markdown(wanted)
    if is_terminal:
        output.page_lines(text.splitlines(), has_pager=reading.has_pager)
    else:
        output.echo_file(text)


def iter_styled(lines: Iterable[TextLine]) -> Iterator[str]:
    """Yield `lines` with their colours, broken to the output, indented as they begin."""
    width = output.width_of_output()
    for line in lines:
        if width is None:
            yield str(line)
            continue
        text = line.text.lstrip(" ")
        indent = " " * min(line.indent + len(line.text) - len(text), width // 2)
        most = WIDEST_PROSE if line.look == "prose" else None
        yield from output.rows(text, indent, most=most, **LOOKS.get(line.look, {}))


AGENTS_EPILOG = """\b
Examples:
  everyleaf agents 2abbdf99
  everyleaf agents 2abbdf99 --source logs/ --json

JSON: session, title, agents: [{agent (its id), type, description, models, usage, calls,
working_s, started, result, has_call, url, agents: […]}].

Exit codes: 0 listed, also where there are none; 1 no such session; 2 wrong usage.
"""


@options.command(epilog=AGENTS_EPILOG)
@options.session("session", "SESSION")
@options.json
@options.sessions
def agents(*, reading: Reading, session: str) -> None:
    """Show the subagents of SESSION: who called whom, with what model, at what cost.

    SESSION is an id, the beginning of one, a session's file, latest, or a title. Tokens
    and calls are each agent's own, those of the agents that it called not included; the
    last line of each is its last reply.
    """
    from everyleaf.survey.agents import list_agents

    found = list_agents(reading.open(session))
    if reading.is_json:
        called = [_row(agent) for agent in found.agents]
        output.echo_json({"session": found.session, "title": found.title, "agents": called})
    else:
        output.echo_lines(iter_agents(found))


def _row(agent: Agent) -> output.Json:
    row = output.row_of(agent)
    row["agent"], row["type"] = row.pop("agent_id"), row.pop("agent_type")
    return row | {"agents": [_row(called) for called in agent.agents]}


def iter_agents(found: SessionAgents) -> Iterator[str]:
    """Yield the lines of the tree."""
    yield output.row(output.squeezed(f"{found.session[:8]} {found.title}"), bold=True)
    if not found.agents:
        yield "no subagents"
    yield from _tree(found.agents, "")


def _tree(agents: Sequence[Agent], indent: str) -> Iterator[str]:
    for agent in agents:
        is_last = agent is agents[-1]
        below = f"{indent}{'   ' if is_last else '│  '}"
        gap = f"{below}{'│  ' if agent.agents else '   '}"
        names = (agent.agent_type, agent.description, f"({agent.agent_id})")
        name, *others = output.joined(filter(None, names), gap)
        yield f"{indent}{'└─ ' if is_last else '├─ '}{name.removeprefix(gap)}"
        yield from (*others, *output.rows(_cost(agent), gap))
        if agent.result:
            yield output.row(
                output.fit(output.squeezed(f"⇒ {agent.result}"), RESULT_CHARS), gap
            )
        yield from _tree(agent.agents, below)


def _cost(agent: Agent) -> str:
    usage = agent.usage
    said = (
        ", ".join(agent.models),
        f"{usage.input + usage.cache_read + usage.cache_written:,} tokens in",
        f"{usage.output:,} out",
        count_of(agent.calls, "call"),
        "" if agent.has_call else "its call is not in this archive",
    )
    return ", ".join(text for text in said if text)
