"""The page of a session, and the report: paths, agents, and what was odd."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.graph.forest import Status
from everyleaf.issues import DESCRIPTIONS, IssueCode
from everyleaf.pages import wording
from everyleaf.pages.addresses import (
    REPORT_URL,
    project_url,
    relative,
    transcript_url,
)
from everyleaf.pages.rows import LinkRow
from everyleaf.pages.treeview import tree_view
from everyleaf.pages.wording import shortened
from everyleaf.render.view import Fact, NavLink, PageView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.forest import Contained, Diverged
    from everyleaf.issues import Issue
    from everyleaf.pages.facts import AgentFacts, PathFacts, SessionFacts
    from everyleaf.pages.treeview import TreeView

MAX_ROWS = 500
"""Issues of one code that are listed; the rest is counted."""


class PathRow(Struct, frozen=True):
    """A path in the table of its session."""

    path: PathFacts
    """Its number, status and counts."""
    url: str
    """Its page."""
    title: str
    """Its title, or of an abandoned path its first own prompt."""
    reason: str
    """Why it is ACTIVE or ABANDONED, in words for a reader."""
    when: str
    """From when to when."""
    files: str
    """How many files it touched; empty: none."""
    markdown_url: str
    """Its Markdown file; empty: none."""
    compare_url: str
    """The page that holds it against the path that took over; empty: none."""
    diverged: tuple[NavLink, ...]
    """Other sessions that share its beginning and then go on by themselves."""


class IssueRow(Struct, frozen=True):
    """Something odd in one line of a file."""

    session: str
    """Id of the session; empty: of none."""
    session_url: str
    """Its page; empty: none."""
    place: str
    """`line 12`, with the file where no session says it."""
    message: str
    """What is wrong."""


class IssueGroup(Struct, frozen=True):
    """Issues of one code."""

    code: str
    """As scripts know it: `inferred-parent`."""
    description: str
    """What the code means."""
    count: int
    """How many there are; more than `rows` where the list was cut."""
    rows: tuple[IssueRow, ...]
    """By session and line."""


class SessionView(PageView, frozen=True, kw_only=True):
    """A session (`session.html.j2`)."""

    session: str
    """Its id."""
    facts: tuple[Fact, ...]
    """Rows of the head."""
    paths: tuple[PathRow, ...]
    """Kept paths, by number."""
    dropped: tuple[NavLink, ...]
    """Paths that another one contains, with a link to that one."""
    agents: tuple[LinkRow, ...]
    """By time."""
    issues: tuple[IssueGroup, ...]
    """What was odd in its files."""
    tree: TreeView | None = None
    """How its paths part; None: there is but one."""


class ReportView(PageView, frozen=True, kw_only=True):
    """Everything odd in the archive (`report.html.j2`)."""

    lede: str
    """How much was odd."""
    groups: tuple[IssueGroup, ...]
    """Issues by code."""
    types: tuple[tuple[str, str], ...]
    """(record type, number of records), most frequent first."""
    fields: tuple[tuple[str, str], ...]
    """(field that everyleaf does not know, number of records), most frequent first."""
    redactions: tuple[tuple[str, str], ...] = ()
    """(kind of what was masked, how often in the records), most frequent first."""
    images: str = ""
    """How many pictures are published; empty: none."""


def session_view(session: SessionFacts) -> SessionView:
    """Return the view of a session's page."""
    here = session.url
    project = NavLink(
        visible(session.project), relative(here, project_url(session.project))
    )
    return SessionView(
        title=shortened(session.title, 200) or "Untitled",
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
    days = sorted({day for path in session.paths for day in path.days})
    active = sum(path.status is Status.ACTIVE for path in session.paths)
    abandoned = len(session.paths) - active
    paths = (
        f"{count_of(len(session.paths), 'path')} ({active} active, {abandoned} abandoned)"
    )
    facts = (
        Fact("Project", project.text, project.url),
        Fact("Session", visible(session.session)),
        Fact("When", wording.when(session.started, session.ended, days), at=session.ended),
        Fact("Paths", paths),
        Fact("Agents", format_count(len(session.agents)) if session.agents else ""),
    )
    return tuple(fact for fact in facts if fact.value)


def _path_row(path: PathFacts, here: str) -> PathRow:
    return PathRow(
        path=path,
        url=relative(here, path.url),
        title=shortened(path.label or path.title) or "Untitled",
        reason=visible(path.reason),
        when=wording.when(path.started, path.ended, path.days),
        files=wording.files_touched(path.files),
        markdown_url=relative(here, path.markdown_url) if path.markdown_url else "",
        compare_url=relative(here, path.compare_url) if path.compare_url else "",
        diverged=tuple(_diverged(other, here) for other in path.diverged),
    )


def _diverged(other: Diverged, here: str) -> NavLink:
    shared = count_of(other.shared, "message")
    text = f"Shares its first {shared} with session {other.path.session}"
    target = transcript_url(other.path.session, other.path.number)
    return NavLink(visible(text), relative(here, target))


def _dropped(copy: Contained, here: str) -> NavLink:
    length = count_of(copy.messages, "message")
    text = (
        f"Path {copy.path.number}, {shortened(copy.title)} ({length}), is contained in path"
        f" {copy.by.number} of session {copy.by.session}"
    )
    return NavLink(
        visible(text), relative(here, transcript_url(copy.by.session, copy.by.number))
    )


def _agent_row(agent: AgentFacts, here: str) -> LinkRow:
    title = agent.description or agent.agent_type or f"Agent {agent.agent_id}"
    meta = (
        visible(agent.agent_type) if agent.description else "",
        count_of(agent.messages, "message"),
        wording.when(agent.started, agent.ended, agent.days),
    )
    url = relative(here, agent.url) if agent.url else ""
    return LinkRow(shortened(title), url, " · ".join(filter(None, meta)))


def report_view(sessions: Sequence[SessionFacts], reading: ReportFacts) -> ReportView:
    """Return the view of the report.

    Sessions bring their own issues; `reading` adds those of no listed session.
    """
    listed = {session.session for session in sessions}
    found = [pair for session in sessions for pair in session_issues(session, REPORT_URL)]
    found += [_loose(issue) for issue in reading.issues if issue.session not in listed]
    groups = group_issues(found)
    issues = count_of(len(found), "issue")
    lede = f"{issues}: what was odd in the files, and what became of it."
    return ReportView(
        title="Report",
        lede=lede if found else "Nothing was odd in the files of this archive.",
        groups=groups,
        types=_most_first(reading.types),
        fields=_most_first(reading.fields),
        redactions=_most_first(reading.redactions),
        images=format_count(reading.images) if reading.images else "",
    )


def session_issues(session: SessionFacts, here: str) -> Iterator[tuple[str, IssueRow]]:
    """Yield the issues of a session by code, as rows on the page `here`."""
    url = relative(here, session.url) if session.url and session.url != here else ""
    for issue in session.issues:
        place = f"line {issue.line:,}" if issue.line else "whole file"
        yield issue.code, _issue_row(session.session, url, place, issue.message)


def group_issues(found: Iterable[tuple[str, IssueRow]]) -> tuple[IssueGroup, ...]:
    """Return issues by code, codes in the order of their definition, rows as given."""
    by_code: defaultdict[str, list[IssueRow]] = defaultdict(list)
    for code, row in found:
        by_code[code].append(row)
    order = {code.value: number for number, code in enumerate(IssueCode)}
    codes = sorted(by_code, key=lambda code: (order.get(code, len(order)), code))
    return tuple(
        IssueGroup(
            visible(code),
            DESCRIPTIONS[IssueCode(code)] if code in order else "",
            len(by_code[code]),
            tuple(by_code[code][:MAX_ROWS]),
        )
        for code in codes
    )


def _loose(issue: Issue) -> tuple[str, IssueRow]:
    place = f"{issue.file}, line {issue.line:,}" if issue.line else issue.file
    return issue.code, _issue_row(issue.session, "", place, issue.message)


def _issue_row(session: str, url: str, place: str, message: str) -> IssueRow:
    return IssueRow(visible(session), url, visible(place), visible(message))


def _most_first(counts: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((visible(name), format_count(count)) for name, count in ordered)


class ReportFacts(Struct, frozen=True):
    """What reading the archive brought to light, for the report."""

    issues: tuple[Issue, ...] = ()
    types: Mapping[str, int] = field(default_factory=dict[str, int])
    """Records by type."""
    fields: Mapping[str, int] = field(default_factory=dict[str, int])
    """Records by field that everyleaf does not know."""
    redactions: Mapping[str, int] = field(default_factory=dict[str, int])
    """What was masked, by kind: how often in the records."""
    images: int = 0
    """Pictures that are published: nobody can say what they show."""
