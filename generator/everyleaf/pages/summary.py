"""The public facts of a session, from its tours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.model import Kind
from everyleaf.pages.addresses import agent_markdown_url, agent_url, session_url
from everyleaf.pages.facts import (
    AgentFacts,
    AgentsIncluded,
    IssueFacts,
    PathFacts,
    SessionFacts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.graph.forest import Turn
    from everyleaf.pages.agents import AgentTour
    from everyleaf.pages.called import WithAgents
    from everyleaf.pages.facts import RunFacts
    from everyleaf.pages.settings import SiteSettings
    from everyleaf.pages.tour import Tour
    from everyleaf.pages.work import AgentWork, SessionWork, TurnKey


def path_facts(tour: Tour, first_on: Mapping[TurnKey, int]) -> PathFacts:
    """Return what lists say of a path; `first_on` has the lowest path of each turn."""
    path, totals = tour.path, tour.totals
    own = _first_shown(tour, first_on)
    return PathFacts(
        number=path.number,
        status=path.status,
        reason=path.reason,
        title=path.title,
        label=path.label,
        url=tour.family.html_url(path.ref),
        markdown_url=tour.family.markdown_url(path.ref),
        messages=path.messages,
        prompts=totals.prompts,
        replies=totals.replies,
        tool_calls=totals.calls,
        errors=totals.errors,
        compactions=path.compactions,
        inferred=path.inferred,
        started=path.started,
        ended=path.ended,
        fork_point=path.fork_point,
        shared=path.shared,
        taken_over_by=path.taken_over_by,
        is_withdrawn=path.is_withdrawn,
        is_merged_copy=path.is_merged_copy,
        leaf_uuid=path.leaf_uuid,
        own_ids=tuple(
            placed.canonical
            for turn in own
            for placed in turn.records
            if placed.kind is not Kind.NOTE
        ),
        usage=totals.usage,
        models=totals.models,
        files=totals.files,
        branch=totals.branch,
        version=totals.version,
        contains=path.contains,
        diverged=path.diverged,
        compare_url=(
            tour.family.compare_url(path.ref, path.taken_over_by)
            if path.taken_over_by
            else ""
        ),
        tools=totals.tools,
        commits=totals.commits,
        wall_s=totals.wall_s,
        working_s=totals.working_s,
        days=totals.days,
        with_agents=_included(tour.with_agents),
    )


def _first_shown(tour: Tour, first_on: Mapping[TurnKey, int]) -> list[Turn]:
    """Return the turns that no lower path has, in order: they stand at its end."""
    tree, number = tour.family.work.tree, tour.path.number
    turns: list[Turn] = []
    key: TurnKey | None = tour.leaf
    while key is not None and first_on[key] == number:
        turns.append(tree.turns[key])
        key = tree.parents[key]
    return turns[::-1]


def _included(found: WithAgents | None) -> AgentsIncluded | None:
    if found is None:
        return None
    totals = found.totals
    return AgentsIncluded(
        agents=found.agents,
        tool_calls=totals.calls,
        errors=totals.errors,
        working_s=totals.working_s,
        usage=totals.usage,
        models=totals.models,
        tools=totals.tools,
        files=totals.files,
        commits=totals.commits,
    )


def session_facts(
    settings: SiteSettings,
    session: SessionWork,
    paths: tuple[PathFacts, ...],
    agents: tuple[AgentFacts, ...] = (),
    runs: tuple[RunFacts, ...] = (),
) -> SessionFacts:
    """Return what lists say of a session with these kept paths, agents and runs."""
    numbers = [item.path.of for item in session.paths]
    return SessionFacts(
        session=session.session,
        project=session.project,
        title=session.title,
        ended=session.ended,
        of=max(numbers, default=len(session.dropped)),
        is_warmup=session.is_warmup,
        url=session_url(session.session) if settings.has_html else "",
        paths=paths,
        dropped=session.dropped,
        agents=agents,
        issues=tuple(
            IssueFacts(line=line, code=code, message=message)
            for line, code, message in session.issues
        ),
        runs=runs,
        mentions=session.mentions,
    )


def agent_facts(
    settings: SiteSettings, agent: AgentWork, tour: AgentTour | None
) -> AgentFacts:
    """Return what lists say of a subagent; it has no `tour` if nothing of it is shown."""
    folder = settings.markdown_dir
    page = agent_url(agent.session, agent.agent_id)
    markdown = agent_markdown_url(agent.session, agent.agent_id, folder=folder)
    facts = AgentFacts(
        agent_id=agent.agent_id,
        agent_type=agent.agent_type,
        description=agent.description,
        url=page if tour and settings.has_html else "",
        markdown_url=markdown if tour and settings.has_markdown else "",
        messages=agent.messages,
        started=agent.started,
        ended=agent.ended,
        parent_agent_id=agent.parent_agent_id,
    )
    return _with_totals(facts, tour) if tour else facts


def _with_totals(facts: AgentFacts, tour: AgentTour) -> AgentFacts:
    totals = tour.totals
    return replace(
        facts,
        prompts=totals.prompts,
        replies=totals.replies,
        tool_calls=totals.calls,
        errors=totals.errors,
        compactions=totals.compactions,
        usage=totals.usage,
        models=totals.models,
        tools=totals.tools,
        files=totals.files,
        commits=totals.commits,
        wall_s=totals.wall_s,
        working_s=totals.working_s,
        days=totals.days,
        with_agents=_included(tour.with_agents),
    )
