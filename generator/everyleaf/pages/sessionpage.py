"""The page of a session, and the report: paths, agents, and what was odd."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.issues import DESCRIPTIONS, IssueCode
from everyleaf.pages import wording
from everyleaf.pages.addresses import (
    REPORT_URL,
    project_url,
    relative,
    transcript_url,
)
from everyleaf.pages.facts import file_urls
from everyleaf.pages.rows import LinkRow
from everyleaf.pages.treeview import tree_view
from everyleaf.pages.wording import shortened, summed_up
from everyleaf.render.view import Fact, NavLink, PageView
from everyleaf.theming.formats import count_of, format_count, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.forest import Contained, Diverged
    from everyleaf.issues import Issue
    from everyleaf.pages.facts import AgentFacts, PathFacts, SessionFacts
    from everyleaf.pages.treeview import TreeView
    from everyleaf.transcript.document import FileChange

MAX_ROWS = 500
"""Issues of one code that are listed; the rest is counted."""
MAX_LINES = 8
"""Lines of one session that the report names."""
WHOLE_FILE = "whole file"


class PathRow(Struct, frozen=True):
    """A path in the table of its session."""

    path: PathFacts
    """Its number, status and counts."""
    url: str
    """Its page."""
    title: str
    """Its title, or of an abandoned path its first own prompt."""
    why: str
    """Why it is ACTIVE or ABANDONED, in words for a reader; the rule is `path.reason`."""
    answered: str
    """First words of its last reply; empty: there is none."""
    when: str
    """From when to when."""
    own: str
    """How many messages no other path has; empty: it shares none."""
    work: tuple[str, ...]
    """How long it took, prompts, calls, commits; empty: only a prompt is its own."""
    files: str
    """How many files it touched, and by how many lines; empty: none."""
    markdown_url: str
    """Its Markdown file; empty: none."""
    compare_url: str
    """The page that holds it against the path that took over; empty: none."""
    diverged: tuple[NavLink, ...]
    """Other sessions that share its beginning and then go on by themselves."""


class IssueRow(Struct, frozen=True):
    """Something odd in a file; in the report, all of its kind in the files of a session."""

    session: str
    """Id of the session; empty: of none."""
    title: str
    """Of the session."""
    session_url: str
    """Its page; empty: none."""
    place: str
    """`line 12`, or the file where no session says it."""
    message: str
    """What is wrong."""


class IssueGroup(Struct, frozen=True):
    """Issues of one code."""

    code: str
    """As scripts know it: `inferred-parent`."""
    description: str
    """What the code means."""
    count: int
    """How many there are."""
    rows: tuple[IssueRow, ...]
    """By session and line."""
    hidden: int
    """Rows that were cut off."""


class SessionView(PageView, frozen=True, kw_only=True):
    """A session (`session.html.j2`)."""

    session: str
    """Its id."""
    asked: str
    """First words of its first prompt; empty: not known, or the title says them."""
    ended: str
    """When; empty: not known."""
    main: PathRow | None
    """The path that stands for the session; None: it has none of its own."""
    facts: tuple[Fact, ...]
    """Rows of the head."""
    files: tuple[FileChange, ...]
    """What the path that stands for it changed, by name."""
    file_urls: Mapping[str, str]
    """Pages of files, by name."""
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
    title, asked = shortened(session.title) or "Untitled", shortened(_asked(session), 200)
    rows = {path.number: _path_row(path, here) for path in session.paths}
    main = session.main
    return SessionView(
        title=title,
        summary=summed_up(session),
        crumbs=(project,),
        session=visible(session.session),
        asked="" if asked == title else asked,
        ended=wording.moment_utc(session.ended),
        main=rows[main.number] if main else None,
        facts=_facts(session),
        files=main.files if main else (),
        file_urls={file: relative(here, url) for file, url in file_urls(session).items()},
        paths=tuple(rows.values()),
        dropped=tuple(_dropped(copy, here) for copy in session.dropped),
        agents=tuple(_agent_row(agent, here) for agent in session.agents),
        issues=group_issues(session_issues(session, here)),
        tree=tree_view(session),
    )


def _asked(session: SessionFacts) -> str:
    """Return the first words of the conversation that stands for `session`."""
    runs = {run.number: run for run in session.runs}
    number = session.main.number if session.main else 0
    run = next((run for run in session.runs if run.path == number), None)
    while run is not None and run.parent in runs:
        run = runs[run.parent]
    return run.words if run else ""


def _facts(session: SessionFacts) -> tuple[Fact, ...]:
    days = sorted({day for path in session.paths for day in path.days})
    main, several = session.main, len(session.paths) > 1
    abandoned = sum(path.status is Status.ABANDONED for path in session.paths)
    paths = f"{len(session.paths)}, {abandoned} abandoned" if several else ""
    facts = (
        Fact("When", wording.span(session.started, session.ended, days)),
        Fact("Work", ", ".join(wording.path_work(main)) if main else ""),
        Fact("Git branch", visible(main.branch) if main else ""),
        Fact("Models", visible(wording.models(main.models)) if main else ""),
        Fact("Paths", paths),
        Fact("Agents", format_count(len(session.agents)) if session.agents else ""),
        Fact("Session", visible(session.session)),
    )
    return tuple(fact for fact in facts if fact.value)


def _path_row(path: PathFacts, here: str) -> PathRow:
    moment = wording.moment_utc(path.ended)
    span = wording.span(path.started, path.ended, path.days)
    messages = count_of(max(path.messages - path.shared, 0), "message")
    own = f"{messages} of its own after {format_count(path.shared)} shared"
    return PathRow(
        path=path,
        url=relative(here, path.url),
        title=shortened(path.label or path.title) or "Untitled",
        why=wording.why(visible(path.reason)),
        answered=shortened(path.answered, 200),
        when=moment if path.is_withdrawn else span,
        own=own if path.shared else "",
        work=() if path.is_withdrawn else tuple(wording.path_work(path)),
        files="" if path.is_withdrawn else wording.files_changed(path.files),
        markdown_url=relative(here, path.markdown_url) if path.markdown_url else "",
        compare_url=relative(here, path.compare_url) if path.compare_url else "",
        diverged=tuple(_diverged(other, here) for other in path.diverged),
    )


def _diverged(other: Diverged, here: str) -> NavLink:
    shared = count_of(other.shared, "message")
    text = f"Shares its first {shared} with session {other.path.session[:8]}"
    target = transcript_url(other.path.session, other.path.number)
    return NavLink(visible(text), relative(here, target))


def _dropped(copy: Contained, here: str) -> NavLink:
    length = count_of(copy.messages, "message")
    text = (
        f"Path {copy.path.number}, {shortened(copy.title)} ({length}), is contained in path"
        f" {copy.by.number} of session {copy.by.session[:8]}"
    )
    return NavLink(
        visible(text), relative(here, transcript_url(copy.by.session, copy.by.number))
    )


def _agent_row(agent: AgentFacts, here: str) -> LinkRow:
    named = agent.description or agent.asked
    title = named or agent.agent_type or f"Agent {agent.agent_id}"
    meta = (
        visible(agent.agent_type) if named else "",
        count_of(agent.messages, "message"),
        count_of(agent.tool_calls, "call") if agent.tool_calls else "",
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
    issues = count_of(len(found), "issue")
    lede = f"{issues}: what was odd in the files, and what became of it."
    return ReportView(
        title="Report",
        lede=lede if found else "Nothing was odd in the files of this archive.",
        groups=tuple(map(_by_session, group_issues(found, most=len(found)))),
        types=_most_first(reading.types),
        fields=_most_first(reading.fields),
        redactions=_most_first(reading.redactions),
        images=format_count(reading.images) if reading.images else "",
    )


def _by_session(group: IssueGroup) -> IssueGroup:
    """Return a group with one row for all of a session: its page has them one by one."""
    rows: list[IssueRow] = []
    for (session, _), some in groupby(group.rows, lambda row: (row.session, row.title)):
        own = list(some)
        if not session:
            rows += own
            continue
        lines = list(dict.fromkeys(row.place.removeprefix("line ") for row in own))
        place = ", ".join(lines[:MAX_LINES]) if lines != [WHOLE_FILE] else WHOLE_FILE
        if len(lines) > MAX_LINES:
            place += f" and {len(lines) - MAX_LINES:,} more"
        messages = list(dict.fromkeys(row.message for row in own))
        more = f"; {len(messages) - 1:,} more" if len(messages) > 1 else ""
        is_line = lines[0] != WHOLE_FILE
        place = f"line{'s' if len(lines) > 1 else ''} {place}" if is_line else place
        rows.append(replace(own[0], place=place, message=f"{messages[0]}{more}"))
    return replace(group, rows=tuple(rows[:MAX_ROWS]), hidden=max(len(rows) - MAX_ROWS, 0))


def session_issues(session: SessionFacts, here: str) -> Iterator[tuple[str, IssueRow]]:
    """Yield the issues of a session by code, as rows on the page `here`."""
    url = relative(here, session.url) if session.url and session.url != here else ""
    title = shortened(session.title, 60) or "Untitled"
    for issue in session.issues:
        place = f"line {issue.line:,}" if issue.line else WHOLE_FILE
        message = visible(issue.message)
        yield issue.code, IssueRow(visible(session.session), title, url, place, message)


def group_issues(
    found: Iterable[tuple[str, IssueRow]], most: int = MAX_ROWS
) -> tuple[IssueGroup, ...]:
    """Return issues by code, codes in the order of their definition, rows as given."""
    by_code: defaultdict[str, list[IssueRow]] = defaultdict(list)
    for code, row in found:
        by_code[code].append(row)
    order = {code.value: number for number, code in enumerate(IssueCode)}
    codes = sorted(by_code, key=lambda code: (order.get(code, len(order)), code))
    return tuple(
        IssueGroup(
            code=visible(code),
            description=DESCRIPTIONS[IssueCode(code)] if code in order else "",
            count=len(by_code[code]),
            rows=tuple(by_code[code][:most]),
            hidden=max(len(by_code[code]) - most, 0),
        )
        for code in codes
    )


def _loose(issue: Issue) -> tuple[str, IssueRow]:
    place = f"{issue.file}, line {issue.line:,}" if issue.line else issue.file
    return issue.code, IssueRow("", "", "", visible(place), visible(issue.message))


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
