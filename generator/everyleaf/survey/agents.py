"""The subagents of a session as a tree: who called whom, on what, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from everyleaf.compare.sketch import prose_of
from everyleaf.grouping import grouped
from everyleaf.opening.named import Asked
from everyleaf.opening.reading import FamilyReader, find_work
from everyleaf.pages.addresses import agent_url
from everyleaf.pages.work import AgentWork
from everyleaf.transcript.document import Reply, ToolCall, TurnDocument, Usage
from everyleaf.transcript.facts import merge_facts


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


def list_agents(asked: Asked) -> SessionAgents:
    """Return the tree of the agents of the session that was asked for."""
    work, session = find_work(asked.archive, asked.session)
    reader = FamilyReader(work)
    works = {agent.agent_id: agent for agent in session.agents}
    documents = {
        agent.agent_id: [
            reader.document(key)
            for leaf in agent.leaves[agent.main : agent.main + 1]
            for key in work.tree.chain(leaf)
        ]
        for agent in session.agents
    }
    calls = {
        name: [e for d in some for e in d.entries if isinstance(e, ToolCall)]
        for name, some in documents.items()
    }
    parents = _find_parents(works, calls)
    known = {call.tool_use_id for made in calls.values() for call in made}
    own = (turn for key, turn in work.tree.turns.items() if key[0] == session.session)
    records = (placed for turn in own for placed in turn.records)
    known.update(call for one in records for call in one.envelope.tool_use_ids)
    below = grouped((parents[name], name) for name in works)

    def called_by(name: str | None) -> tuple[Agent, ...]:
        # The CLI nests three deep.
        called: list[Agent] = []
        for one in below.get(name, ()):
            agent, facts = works[one], merge_facts(each.facts for each in documents[one])
            called.append(
                Agent(
                    agent_id=one,
                    agent_type=agent.agent_type,
                    description=agent.description,
                    models=tuple(model for model, _ in facts.models),
                    usage=facts.usage,
                    calls=facts.tool_calls,
                    working_s=facts.working_s,
                    started=agent.started,
                    result=_last_words(documents[one]),
                    has_call=agent.tool_use_id in known,
                    url=agent_url(agent.session, one),
                    agents=called_by(one),
                )
            )
        return tuple(called)

    return SessionAgents(session.session, session.title, called_by(None))


def _find_parents(
    works: Mapping[str, AgentWork], calls: Mapping[str, Sequence[ToolCall]]
) -> dict[str, str | None]:
    """Return the agent that called each agent; None: the session did, or nobody known.

    What an agent's own file says counts first, then who made the call that started it, then
    whose calls name it. A circle of agents hangs from the session.
    """
    made = [(call, name) for name, some in calls.items() for call in some]
    started = grouped((call.tool_use_id, name) for call, name in made)
    named = grouped((call.agent_id or "", name) for call, name in made)
    parents: dict[str, str | None] = {}
    for name, work in works.items():
        own = [work.parent_agent_id] if work.parent_agent_id in works else []
        callers = started.get(work.tool_use_id, []) if work.tool_use_id else []
        others = (one for one in (*callers, *named.get(name, ())) if one != name)
        parents[name] = next(iter((*own, *others)), None)
    for name in works:
        seen = {name}
        above = parents[name]
        while above is not None and above not in seen:
            seen.add(above)
            above = parents[above]
        if above is not None:
            parents[name] = None
    return parents


def _last_words(documents: Sequence[TurnDocument]) -> str:
    entries = (entry for one in reversed(documents) for entry in reversed(one.entries))
    replies = (prose_of(one.parts).strip() for one in entries if isinstance(one, Reply))
    return next(filter(None, replies), "")
