"""`everyleaf show`, `agents` and `tree`: what a session says, and how it branches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import asdict

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.cli.output import Json, echo_json, echo_lines, pick, row, width_of_output
from everyleaf.clock import shown_moment
from everyleaf.config import Detail
from everyleaf.errors import SourceError
from everyleaf.graph.forest import Status
from everyleaf.model import Kind
from everyleaf.sources.projects import short_session
from everyleaf.transcript.words import counted, joined, squeezed

if TYPE_CHECKING:
    from everyleaf.explore.story import TextLine
    from everyleaf.explore.tree import Neighbourhood, RunNode, SessionTree
    from everyleaf.pages.work import AgentWork
    from everyleaf.survey.agents import Agent, SessionAgents

WIDEST_PROSE = 100
"""Columns; longer lines are hard to read."""
LOOKS: dict[str, dict[str, Any]] = {
    "head": {"bold": True},
    "person": {"fg": "cyan", "bold": True},
    "quiet": {"dim": True},
    "added": {"fg": "green"},
    "removed": {"fg": "red"},
}
"""What a line of a transcript is → how a terminal shows it."""


@options.command()
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
    "replies with tools as one line each, or prompts alone.",
)
@options.pager
@options.sessions
def show(*, reading: Reading, name: str, form: str | None, detail: str) -> None:
    """Print the transcript of a path: of a session without a number, of its ACTIVE one.

    SESSION is an id, the beginning of one, a session's file, latest, or a title.
    """
    if reading.is_json and form:
        raise click.UsageError("--json and --format exclude each other")
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


@options.command()
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
    row: output.Json = asdict(agent)
    row["agent"], row["type"] = row.pop("agent_id"), row.pop("agent_type")
    return row | {"agents": [_row(called) for called in agent.agents]}


def iter_agents(found: SessionAgents) -> Iterator[str]:
    """Yield the lines of the tree."""
    title = output.headline(found.title)
    yield output.row(squeezed(f"{short_session(found.session)} {title}"), bold=True)
    if not found.agents:
        yield "no subagents"
    yield from _tree(found.agents, "")


def _tree(agents: Sequence[Agent], indent: str) -> Iterator[str]:
    from everyleaf.pages.gist import gist

    for agent in agents:
        is_last = agent is agents[-1]
        below = f"{indent}{'   ' if is_last else '│  '}"
        gap = f"{below}{'│  ' if agent.agents else '   '}"
        names = (agent.agent_type, agent.description, f"({agent.agent_id})")
        name, *others = output.joined(filter(None, names), gap)
        yield f"{indent}{'└─ ' if is_last else '├─ '}{name.removeprefix(gap)}"
        yield from (*others, *output.rows(_cost(agent), gap))
        if said := gist(agent.result):
            yield output.row(f"⇒ {said}", gap)
        yield from _tree(agent.agents, below)


def _cost(agent: Agent) -> str:
    usage = agent.usage
    return joined(
        *agent.models,
        f"{usage.input + usage.cache_read + usage.cache_written:,} tokens in",
        f"{usage.output:,} out",
        counted(agent.calls, "call"),
        "" if agent.has_call else "its call is not in this archive",
    )


MARKS = {Status.ACTIVE: ("●", "green"), Status.ABANDONED: ("○", "yellow")}
DEEPEST = 10
"""Lanes that are drawn beside each other; what hangs deeper stands in the last one."""
AGENTS = 5
"""Agents of a run that are named."""


@options.command()
@options.session("name", "SESSION|UUID")
@click.option(
    "--around",
    type=click.IntRange(min=0),
    metavar="N",
    help="With a UUID: the N records before it and after it on its path.",
)
@click.option("--svg", "form", flag_value="svg", help="As a picture with its own style.")
@click.option("--mermaid", "form", flag_value="mermaid", help="As a Mermaid flowchart.")
@click.option("--dot", "form", flag_value="dot", help="As a Graphviz digraph.")
@click.option("--json", "form", flag_value="json", help="As JSON.")
@options.utc
@options.sessions
def tree(*, reading: Reading, name: str, around: int | None, form: str | None) -> None:
    """Draw the branches of a session, or the records around one.

    SESSION is an id, the beginning of one, a session's file, latest, or a title; UUID a
    record's, or its beginning.
    """
    if around is not None and form not in {None, "json"}:
        raise click.UsageError("--around prints text or JSON, no picture")
    # All of it is slow to import, and only wanted here.
    from everyleaf.explore import tree as trees

    asked = reading.open(name, takes_uuid=True)
    if around is not None:
        if not asked.uuid:
            raise click.UsageError("--around needs the uuid of a record, not a session")
        near = trees.look_around(asked, around)
        if near is None:
            raise SourceError("the record stands on no path")
        if form == "json":
            echo_json(around_json(near), is_sorted=False)
        else:
            echo_lines(iter_around(near, reading.zone))
        return
    grown = trees.grow_session_tree(asked)
    draws = {"svg": trees.to_svg, "mermaid": trees.to_mermaid, "dot": trees.to_dot}
    if form == "json":
        echo_json(tree_json(grown), is_sorted=False)
    elif form:
        click.echo(draws[form](grown), nl=False)
    else:
        echo_lines(iter_tree(grown, trees.run_facts))


def tree_json(tree: SessionTree) -> Json:
    """Return the tree, as `everyleaf tree --help` describes it."""
    session = tree.session
    path = "number status title label messages fork_point taken_over_by"
    agent = "agent=agent_id type=agent_type description messages"
    return {
        "session": session.session,
        "project": session.project,
        "title": session.title,
        "record": tree.uuid or None,
        "runs": [
            pick(node.run, "number parent path status words messages prompts compactions")
            | {"agents": [agent.agent_id for agent in node.agents], "uuids": node.uuids}
            for node in tree.nodes
        ],
        "paths": [pick(each, path) for each in tree.session.paths],
        "agents": [pick(each, agent) for each in session.agents],
    }


def around_json(near: Neighbourhood) -> Json:
    """Return the records around one, as `everyleaf tree --help` describes them."""
    owner: Json = {"path": near.path.ref} if near.path else {"agent": near.agent_id}
    records = [
        pick(
            each,
            "uuid=placed.envelope.uuid kind=placed.kind at=placed.envelope.timestamp"
            " line=placed.envelope.line words=placed.envelope.words asked=is_asked",
        )
        for each in near.records
    ]
    return owner | {"place": near.place, "of": near.of, "records": records}


def iter_tree(tree: SessionTree, facts_of: Callable[[RunNode], str]) -> Iterator[str]:
    """Yield the lines of a tree; `facts_of` describes a run."""
    session = tree.session
    name = short_session(session.session)
    paths = counted(len(tree.session.paths), "path")
    left = sum(path.status is Status.ABANDONED for path in tree.session.paths)
    facts = (name, session.project, paths, f"{left} abandoned" if left else "")
    yield row(output.headline(session.title), bold=True)
    yield row(" · ".join(filter(None, facts)))
    width = width_of_output()
    deepest = DEEPEST if width is None else min(DEEPEST, max((width - 24) // 4, 1))
    for node in tree.nodes:
        yield from _node(node, tree, facts_of(node), deepest)
    for says, agents in (
        ("Started by other agents:", tree.nested),
        ("Agents without a call:", tree.loose),
    ):
        yield from ("", row(says)) if agents else ()
        yield from (row(f"◆ {_agent(agent)}") for agent in agents)


def _node(node: RunNode, tree: SessionTree, facts: str, deepest: int) -> Iterator[str]:
    depth = min(node.placed.lane, deepest)
    mark, colour = MARKS[node.run.status]
    before = "│ " * (depth - 1) + "├─" if node.is_branch else "│ " * depth
    words = output.headline(node.run.words) or "(no words)"
    yield row(words, f"{before}{click.style(mark, fg=colour)} ")
    # Where its lane or one that it hangs from goes on, a line leads past the facts.
    after = "│ " * depth + ("  " if node.placed.is_last else "│ ")
    withdrawn = {path.number for path in tree.session.paths if path.is_withdrawn}
    if node.placed.is_last and node.run.path in withdrawn:
        facts += " · withdrawn"
    yield row(facts, after, dim=True)
    for agent in node.agents[:AGENTS]:
        yield row(f"◆ {_agent(agent)}", after)
    if len(node.agents) > AGENTS:
        yield row(f"◆ and {len(node.agents) - AGENTS} more", after)
    if tree.uuid and tree.uuid in node.uuids:
        place = node.uuids.index(tree.uuid) + 1
        here = f"▶ record {tree.uuid[:8]} is {place:,} of {len(node.uuids):,} here"
        yield row(here, after, bold=True)


def _agent(agent: AgentWork) -> str:
    name = agent.agent_type or "agent"
    says = f": {agent.description}" if agent.description else ""
    return f"{name}{says} ({agent.agent_id[:8]}, {counted(agent.messages, 'message')})"


def iter_around(near: Neighbourhood, zone: tzinfo | None) -> Iterator[str]:
    """Yield the records around one, the one itself marked, a fork with its branches."""
    path, last = near.path, near.place + len(near.records)
    owner = f"agent {near.agent_id}"
    if path:
        name = f"{short_session(path.session)}, path {path.number} {path.status}"
        owner = f"{name}: {output.headline(path.label or path.title)}"
    yield row(owner, bold=True)
    yield row(f"records {near.place + 1:,} to {last:,} of {near.of:,}")
    for record in near.records:
        kind, envelope = record.placed.kind, record.placed.envelope
        made = len(envelope.tool_use_ids) if kind is Kind.REPLY else 0
        calls = counted(made, "tool call") if made else ""
        clock = shown_moment(envelope.timestamp, zone)[11:] or "--:--"
        words = output.headline(envelope.words) or calls or "(no words)"
        said = f"{envelope.uuid[:8]} {clock} {kind:8} {words}"
        yield row(f"▶ {said}", bold=True) if record.is_asked else row(f"  {said}")
        for branch in record.branches:
            is_followed = branch.turn == record.followed
            way = "goes on here" if is_followed else f"path {branch.path.number}"
            words = output.headline(branch.words) or "(no words)"
            yield row(f"├─ {branch.status} · {way} · {words}", "    ")
