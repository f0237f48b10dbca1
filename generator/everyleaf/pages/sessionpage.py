"""The page of a session: all its paths, what was dropped, its agents, what was odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import project_url, relative, root_of, transcript_url
from everyleaf.pages.listviews import AgentRow, PathRow, SessionView
from everyleaf.pages.report import group_issues, session_issues
from everyleaf.pages.rows import shortened
from everyleaf.pages.treeview import tree_view
from everyleaf.render.view import CopyView, Fact, NavLink
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from everyleaf.graph.forest import Contained, Diverged
    from everyleaf.pages.facts import AgentFacts, PathFacts, SessionFacts
    from everyleaf.pages.settings import SiteSettings


def session_view(session: SessionFacts, settings: SiteSettings) -> SessionView:
    """Return the view of a session's page."""
    here = session.url
    project = NavLink(
        visible(session.project), relative(here, project_url(session.project))
    )
    return SessionView(
        title=shortened(session.title, 200) or "Untitled",
        site_title=visible(settings.title),
        root=root_of(here),
        crumbs=(project,),
        session=visible(session.session),
        facts=_facts(session, project),
        paths=tuple(_path_row(path, here) for path in session.paths),
        dropped=tuple(_dropped(copy, here) for copy in session.dropped),
        agents=tuple(_agent_row(agent, here) for agent in session.agents),
        issues=group_issues(session_issues(session, here)),
        tree=tree_view(session),
    )


def _facts(session: SessionFacts, project: NavLink) -> tuple[Fact, ...]:
    started = min((path.started for path in session.paths if path.started), default="")
    days = sorted({day for path in session.paths for day in path.days})
    active = sum(path.status is Status.ACTIVE for path in session.paths)
    abandoned = len(session.paths) - active
    paths = (
        f"{count_of(len(session.paths), 'path')} ({active} active, {abandoned} abandoned)"
    )
    facts = (
        Fact("Project", project.text, project.url),
        Fact("Session", visible(session.session)),
        Fact("When", wording.when(started, session.ended, days), at=session.ended),
        Fact("Paths", paths),
        Fact("Agents", format_count(len(session.agents)) if session.agents else ""),
    )
    return tuple(fact for fact in facts if fact.value)


def _path_row(path: PathFacts, here: str) -> PathRow:
    return PathRow(
        number=path.number,
        url=relative(here, path.url),
        title=shortened(path.label or path.title) or "Untitled",
        status=path.status,
        reason=visible(path.reason),
        when=wording.when(path.started, path.ended, path.days),
        messages=format_count(path.messages),
        prompts=format_count(path.prompts),
        calls=format_count(path.tool_calls),
        files=wording.files_touched(path.files),
        is_withdrawn=path.is_withdrawn,
        markdown_url=relative(here, path.markdown_url) if path.markdown_url else "",
        compare_url=relative(here, path.compare_url) if path.compare_url else "",
        diverged=tuple(_diverged(other, here) for other in path.diverged),
    )


def _diverged(other: Diverged, here: str) -> CopyView:
    shared = count_of(other.shared, "message")
    text = f"Shares its first {shared} with session {other.path.session}"
    target = transcript_url(other.path.session, other.path.number)
    return CopyView(visible(text), relative(here, target))


def _dropped(copy: Contained, here: str) -> CopyView:
    length = count_of(copy.messages, "message")
    text = (
        f"Path {copy.path.number}, {shortened(copy.title)} ({length}), is contained in path"
        f" {copy.by.number} of session {copy.by.session}"
    )
    return CopyView(
        visible(text), relative(here, transcript_url(copy.by.session, copy.by.number))
    )


def _agent_row(agent: AgentFacts, here: str) -> AgentRow:
    title = shortened(agent.description or agent.agent_type or f"Agent {agent.agent_id}")
    meta = (
        visible(agent.agent_type) if agent.description else "",
        count_of(agent.messages, "message"),
        wording.when(agent.started, agent.ended, agent.days),
    )
    return AgentRow(
        title=title,
        url=relative(here, agent.url) if agent.url else "",
        meta=" · ".join(filter(None, meta)),
    )
