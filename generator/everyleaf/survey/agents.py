"""The subagents of a session as a tree: who called whom, on what, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.sketch import prose_of
from everyleaf.opening.families import find_work
from everyleaf.opening.reader import FamilyReader
from everyleaf.pages.addresses import agent_url
from everyleaf.transcript.document import Reply, ToolCall
from everyleaf.transcript.facts import merge_facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.opening.named import Asked
    from everyleaf.pages.work import AgentWork
    from everyleaf.transcript.document import TurnDocument
    from everyleaf.transcript.pathfacts import PathFacts
    from everyleaf.transcript.turnfacts import Usage


class Agent(Struct, frozen=True):
    """A subagent with those that it called."""

    agent_id: str
    agent_type: str
    description: str
    models: tuple[str, ...]
    """The one that wrote most first."""
    usage: Usage
    calls: int
    working_s: int
    started: str
    result: str
    """Its last words; empty where it ended without any."""
    has_call: bool
    """The call that started it is in the session."""
    url: str
    """Its page, as seen from the root of a site."""
    agents: tuple[Agent, ...] = ()
    """Those that it called, in the order of their start."""


class SessionAgents(Struct, frozen=True):
    """A session with its agents."""

    session: str
    title: str
    agents: tuple[Agent, ...]
    """Those that the session itself called, or nobody that is known."""


class _Line(Struct, frozen=True):
    """An agent's main line, read."""

    work: AgentWork
    facts: PathFacts
    result: str
    called: frozenset[str]
    """Ids of the calls that it made."""
    reached: frozenset[str]
    """Ids of the agents that its calls led to."""


def list_agents(asked: Asked) -> SessionAgents:
    """Return the tree of the agents of the session that was asked for."""
    work, session = find_work(asked.archive, asked.session)
    reader = FamilyReader(work)
    lines = {
        agent.agent_id: _line(reader, agent)
        for agent in sorted(session.agents, key=lambda one: (one.started, one.agent_id))
    }
    made = {
        call
        for key, turn in reader.work.tree.turns.items()
        if key[0] == session.session
        for placed in turn.records
        for call in placed.envelope.tool_use_ids
    }
    parents = find_parents(lines)
    known = made.union(*(line.called for line in lines.values()))
    below: dict[str | None, list[str]] = {}
    for name in lines:
        below.setdefault(parents[name], []).append(name)
    trees = _Trees(lines, below, known)
    return SessionAgents(session.session, session.title, trees.under(None))


def _line(reader: FamilyReader, agent: AgentWork) -> _Line:
    leaf = agent.leaves[agent.main] if agent.leaves else None
    chain = reader.work.tree.chain(leaf) if leaf else []
    documents = [reader.document(key) for key in chain]
    calls = [e for d in documents for e in d.entries if isinstance(e, ToolCall)]
    return _Line(
        work=agent,
        facts=merge_facts(document.facts for document in documents),
        result=_last_words(documents),
        called=frozenset(call.tool_use_id for call in calls),
        reached=frozenset(call.agent_id for call in calls if call.agent_id),
    )


def _last_words(documents: Sequence[TurnDocument]) -> str:
    for document in reversed(documents):
        for entry in reversed(document.entries):
            text = prose_of(entry.parts).strip() if isinstance(entry, Reply) else ""
            if text:
                return text
    return ""


def find_parents(lines: Mapping[str, _Line]) -> dict[str, str | None]:
    """Return the agent that called each agent; None: the session did, or nobody known.

    What an agent's own file says counts first, then who made the call that started it, then
    whose calls name it. A circle of agents hangs from the session.
    """
    parents = {name: _parent(name, lines) for name in lines}
    for name in lines:
        seen = {name}
        above = parents[name]
        while above is not None and above not in seen:
            seen.add(above)
            above = parents[above]
        if above is not None:
            parents[name] = None
    return parents


def _parent(name: str, lines: Mapping[str, _Line]) -> str | None:
    work = lines[name].work
    if work.parent_agent_id in lines:
        return work.parent_agent_id
    for other, line in lines.items():
        if other != name and work.tool_use_id and work.tool_use_id in line.called:
            return other
    return next(
        (o for o, line in lines.items() if o != name and name in line.reached), None
    )


class _Trees(Struct, frozen=True):
    lines: Mapping[str, _Line]
    below: Mapping[str | None, Sequence[str]]
    known: frozenset[str] | set[str]

    def under(self, name: str | None) -> tuple[Agent, ...]:
        """Return the agents called by one, with theirs: the CLI nests three deep."""
        return tuple(self._agent(self.lines[one]) for one in self.below.get(name, ()))

    def _agent(self, line: _Line) -> Agent:
        work, facts = line.work, line.facts
        return Agent(
            agent_id=work.agent_id,
            agent_type=work.agent_type,
            description=work.description,
            models=tuple(model for model, _ in facts.models),
            usage=facts.usage,
            calls=facts.calls,
            working_s=facts.working_s,
            started=work.started,
            result=line.result,
            has_call=work.tool_use_id in self.known,
            url=agent_url(work.session, work.agent_id),
            agents=self.under(work.agent_id),
        )
