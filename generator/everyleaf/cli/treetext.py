"""The tree of a session for a terminal: a lane of lines a path, forks as branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import fit
from everyleaf.explore.drawings import run_facts
from everyleaf.explore.times import shown_moment
from everyleaf.graph.forest import Status
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

    from everyleaf.explore.around import Neighbour, Neighbourhood
    from everyleaf.explore.branching import RunNode, SessionTree
    from everyleaf.pages.work import AgentWork

_MARKS = {Status.ACTIVE: ("●", "green"), Status.ABANDONED: ("○", "yellow")}
DEEPEST = 10
"""Lanes that are drawn beside each other; what hangs deeper stands in the last one."""
AGENTS = 5
"""Agents of a run that are named."""


def iter_tree_lines(tree: SessionTree, width: int | None) -> Iterator[str]:
    """Yield the lines of a tree, none wider than `width`."""
    session = tree.session
    left = sum(path.status is Status.ABANDONED for path in tree.paths)
    facts = (
        session.session[:8],
        session.project,
        count_of(len(tree.paths), "path"),
        f"{left} abandoned" if left else "",
    )
    yield click.style(fit(session.title, width), bold=True)
    yield fit(" · ".join(filter(None, facts)), width)
    deepest = DEEPEST if width is None else min(DEEPEST, max((width - 24) // 4, 1))
    for node in tree.nodes:
        yield from _node(node, tree, deepest, width)
    for says, agents in (
        ("Started by other agents:", tree.nested),
        ("Agents without a call:", tree.loose),
    ):
        yield from ("", fit(says, width)) if agents else ()
        yield from (fit(f"◆ {agent_words(agent)}", width) for agent in agents)


def _node(
    node: RunNode, tree: SessionTree, deepest: int, width: int | None
) -> Iterator[str]:
    depth = min(node.depth, deepest)
    mark, colour = _MARKS[node.run.status]
    is_branch = node.is_first and depth > 0
    before = "│ " * (depth - 1) + "├─" if is_branch else "│ " * depth
    # Where its lane or one that it hangs from goes on, a line leads past the facts.
    own = "  " if node.placed.is_last else "│ "
    after = "│ " * depth + own
    words = node.run.words or "(no words)"
    room = None if width is None else width - len(before) - 2
    yield f"{before}{click.style(mark, fg=colour)} {fit(words, room)}"
    facts = run_facts(node)
    if node.placed.is_last and _is_withdrawn(node, tree):
        facts += " · withdrawn"
    room = None if width is None else width - len(after)
    yield after + click.style(fit(facts, room), dim=True)
    for agent in node.agents[:AGENTS]:
        yield after + fit(f"◆ {agent_words(agent)}", room)
    if len(node.agents) > AGENTS:
        yield after + fit(f"◆ and {len(node.agents) - AGENTS} more", room)
    if tree.uuid and tree.uuid in node.uuids:
        place = node.uuids.index(tree.uuid) + 1
        here = f"▶ record {tree.uuid[:8]} is {place:,} of {len(node.uuids):,} here"
        yield after + click.style(fit(here, room), bold=True)


def _is_withdrawn(node: RunNode, tree: SessionTree) -> bool:
    return any(p.is_withdrawn for p in tree.paths if p.number == node.run.path)


def agent_words(agent: AgentWork) -> str:
    """Return an agent in one line."""
    name = agent.agent_type or "agent"
    says = f": {agent.description}" if agent.description else ""
    return f"{name}{says} ({agent.agent_id[:8]}, {count_of(agent.messages, 'message')})"


def iter_around_lines(
    near: Neighbourhood, width: int | None, zone: tzinfo | None
) -> Iterator[str]:
    """Yield the records around one, the one itself marked, a fork with its branches."""
    path = near.path
    owner = (
        f"{path.session[:8]}, path {path.number} {path.status}: {path.label or path.title}"
        if path
        else f"agent {near.agent_id}"
    )
    yield click.style(fit(owner, width), bold=True)
    last = near.place + len(near.records)
    yield fit(f"records {near.place + 1:,} to {last:,} of {near.of:,}", width)
    for record in near.records:
        yield from _record(record, width, zone)


def _record(record: Neighbour, width: int | None, zone: tzinfo | None) -> Iterator[str]:
    calls = count_of(record.calls, "tool call") if record.calls else ""
    words = record.words or calls or "(no words)"
    clock = shown_moment(record.at, zone)[11:] or "--:--"
    sign = "▶" if record.is_asked else " "
    line = fit(f"{sign} {record.uuid[:8]} {clock} {record.kind:8} {words}", width)
    yield click.style(line, bold=True) if record.is_asked else line
    for branch in record.branches:
        way = (
            "goes on here"
            if branch.turn == record.followed
            else f"path {branch.path.number}"
        )
        words = branch.words or "(no words)"
        yield fit(f"    ├─ {branch.status} · {way} · {words}", width)
