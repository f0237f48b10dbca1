"""The pages of subagents: their main line, and what further runs did otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import (
    agent_markdown_url,
    agent_url,
    project_url,
    relative,
    root_of,
)
from everyleaf.pages.body import body_of, outline
from everyleaf.pages.commits import commit_views, count_commits
from everyleaf.pages.frontmatter import agent_front_matter
from everyleaf.pages.markdown import TITLE, UNREDACTED, MarkdownPage, body_markdown
from everyleaf.pages.markdownhead import total_blocks, total_lines
from everyleaf.pages.transcript import with_agents_fact
from everyleaf.pages.walk import walk
from everyleaf.render.markdown_text import literal
from everyleaf.render.view import AgentView, Fact, NavLink, RunView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count
from everyleaf.transcript.pathfacts import merge_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.pages.body import Body
    from everyleaf.pages.called import WithAgents
    from everyleaf.pages.cuts import Show
    from everyleaf.pages.tour import Family
    from everyleaf.pages.walk import Stop
    from everyleaf.pages.work import AgentWork, SessionWork
    from everyleaf.transcript.pathfacts import PathFacts


TOLD = "what its caller noted of it; its own file is missing"


class AgentTour(Struct, frozen=True):
    """A subagent with the stops of its runs."""

    family: Family
    session: SessionWork
    agent: AgentWork
    stops: tuple[Stop, ...]
    """The main line, from its root."""
    runs: tuple[tuple[Stop, ...], ...]
    """Of each further run, what no run before it has."""
    totals: PathFacts
    with_agents: WithAgents | None
    """The same with the subagents that it called; None: it called none."""

    @property
    def all_stops(self) -> tuple[Stop, ...]:
        """Return the stops of all runs, each once."""
        return (*self.stops, *(stop for run in self.runs for stop in run))

    @property
    def title(self) -> str:
        """Return what the agent is called on pages."""
        agent = self.agent
        return visible(agent.description or agent.agent_type or f"Agent {agent.agent_id}")


def agent_tour(family: Family, session: SessionWork, agent: AgentWork) -> AgentTour:
    """Return all that the pages of `agent` need."""
    main = family.called.line(agent)
    seen = {stop.key for stop in main}
    runs: list[tuple[Stop, ...]] = []
    for leaf in _others(agent):
        line = walk(family.work.tree, leaf, family.drawer)
        runs.append(tuple(stop for stop in line if stop.key not in seen))
        seen.update(stop.key for stop in line)
    return AgentTour(
        family=family,
        session=session,
        agent=agent,
        stops=main,
        runs=tuple(runs),
        totals=merge_facts(stop.drawn.facts for stop in main),
        with_agents=family.called.include(main, me=(agent.session, agent.agent_id)),
    )


def _others(agent: AgentWork) -> Iterator[tuple[str, int]]:
    yield from (leaf for at, leaf in enumerate(agent.leaves) if at != agent.main)


def agent_view(tour: AgentTour, call_url: str) -> AgentView:
    """Return the view of the agent's page, without its body and its further runs.

    `call_url` is the site-relative address of the call that started it; empty if unknown.
    """
    agent, session = tour.agent, tour.session
    here = agent_url(agent.session, agent.agent_id)
    settings, project = tour.family.settings, project_url(session.project)
    folder = settings.markdown_dir
    markdown = agent_markdown_url(agent.session, agent.agent_id, folder=folder)
    call = NavLink(visible(session.title), relative(here, call_url))
    return AgentView(
        title=tour.title,
        site_title=visible(settings.title),
        root=root_of(here),
        crumbs=(NavLink(visible(session.project), relative(here, project)),),
        markdown_url=relative(here, markdown) if settings.has_markdown else "",
        session=visible(agent.session),
        facts=tuple(_facts(tour)),
        files=tour.totals.files,
        commits=tuple(commit_views(tour.totals.commits)),
        outline=tuple(outline(tour.stops)),
        body=(),
        agent_id=visible(agent.agent_id),
        agent_type=visible(agent.agent_type),
        description=visible(agent.description),
        call=call if call_url else None,
    )


def agent_bodies(tour: AgentTour) -> tuple[Body, ...]:
    """Return what each run of the agent shows, the main line first."""
    here = agent_url(tour.agent.session, tour.agent.agent_id)
    return tuple(body_of(tour.family, stops, here) for stops in (tour.stops, *tour.runs))


def with_bodies(view: AgentView, bodies: Sequence[Body], show: Show) -> AgentView:
    """Return `view` with its body and its further runs, drawn; turns by `show`."""
    main, *others = bodies
    runs = (
        RunView(f"Run {number}", Status.ABANDONED, body.items(show))
        for number, body in enumerate(others, 2)
    )
    return replace(view, body=main.items(show), runs=tuple(runs))


def _facts(tour: AgentTour) -> Iterator[Fact]:
    agent, totals = tour.agent, tour.totals
    commits = count_commits(totals.commits)
    facts = (
        Fact(
            "Shown",
            wording.shown(tour.family.settings.detail, tour.family.settings.without),
        ),
        Fact("Source", TOLD if agent.is_told else ""),
        Fact("When", wording.when(agent.started, agent.ended, totals.days), at=agent.ended),
        Fact("Working time", wording.working(totals)),
        Fact("Messages", format_count(agent.messages)),
        Fact("Replies", format_count(totals.replies)),
        Fact("Tool calls", wording.calls(totals)),
        Fact("Commits", format_count(commits) if commits else ""),
        Fact("Models", visible(wording.models(totals.models))),
        Fact("Tokens", wording.tokens(totals.usage)),
        with_agents_fact(tour.with_agents),
        Fact("Git branch", visible(totals.branch)),
        Fact("Claude Code", visible(totals.version)),
    )
    yield from (fact for fact in facts if fact.value)


def agent_markdown(tour: AgentTour, url: str) -> MarkdownPage:
    """Return the Markdown file of an agent, not drawn yet; `url` is its address."""
    agent, totals = tour.agent, tour.totals
    header = (
        f"Session ID: {literal(visible(agent.session))}",
        f"Agent: {literal(visible(agent.agent_id))}",
        f"Total Messages: {agent.messages}",
    )
    settings = tour.family.settings
    facts = (
        ("Shown", wording.shown(settings.detail, settings.without)),
        ("Task", literal(tour.title)),
        ("Type", literal(visible(agent.agent_type))),
        ("Source", TOLD if agent.is_told else ""),
        ("When", wording.when(agent.started, agent.ended, totals.days)),
        *total_lines(totals, tour.with_agents),
    )
    summary = "\n".join(f"- {name}: {value}" for name, value in facts if value)
    before = [agent_front_matter(tour)] if settings.has_front_matter else []
    title = TITLE.replace("SESSION", "SUBAGENT")
    head = ["\n".join(header), summary, *total_blocks(totals)]
    blocks: list[str | Stop] = [*before, title, *head]
    if not settings.is_redacted:
        blocks.insert(len(before) + 1, UNREDACTED)
    blocks.extend(body_markdown(tour.family, tour.stops, url))
    for number, stops in enumerate(tour.runs, 2):
        length = count_of(sum(len(stop.turn.records) for stop in stops), "record")
        blocks.append(f"# RUN {number}\n\n{length} that no earlier run has.")
        blocks.extend(body_markdown(tour.family, stops, url))
    return MarkdownPage(tuple(blocks))
