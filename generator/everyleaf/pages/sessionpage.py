"""The page of a session: what was asked, what came of it, and which path to read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Contained, Diverged, Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import relative, transcript_url
from everyleaf.pages.facts import AgentFacts, PathFacts, SessionFacts, file_urls
from everyleaf.pages.reportpage import IssueGroup, group_issues, session_issues
from everyleaf.pages.rows import LinkRow
from everyleaf.pages.treeview import TreeView, tree_view
from everyleaf.pages.wording import shortened, summed_up, titled
from everyleaf.render.view import NavLink, OutlineKind, PageView
from everyleaf.sources.projects import short_session
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import FileChange
from everyleaf.transcript.words import counted

TOLD_STEPS = 2
"""So many steps in git are named where it is said what came of a session."""
MOST_LEFT = 3
"""So many abandoned paths are named beside the one to read."""
_PUSH = "Push"
"""Begins a step that adds nothing to the commit before it."""


class StepLink(Struct, frozen=True):
    """Something that came of a prompt."""

    kind: OutlineKind
    """Tests, a commit or a pull request."""
    text: str
    """`10 tests passed`."""
    url: str
    """The call that did it."""


class RoundRow(Struct, frozen=True):
    """A prompt of a path, and what came of it."""

    number: int | None
    """Of the prompt on its page; None: it stands before the part that is told here."""
    words: str
    """The prompt, on one line."""
    url: str
    """Where it stands."""
    came: tuple[StepLink, ...] = ()
    """In order."""


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
    """How long it took, prompts, calls, commits, its pull request; empty: only a prompt is
    its own."""
    files: str
    """How many files it touched, and by how many lines; empty: none."""
    markdown_url: str
    """Its Markdown file; empty: none."""
    compare_url: str
    """The page that holds it against the path that took over; empty: none."""
    diverged: tuple[NavLink, ...]
    """Other sessions that share its beginning and then go on by themselves."""
    rounds: tuple[RoundRow, ...]
    """Its prompts; of an abandoned path, those that are its own."""

    @property
    def came(self) -> tuple[StepLink, ...]:
        """Return what came of it: its last tests, and its last steps in git."""
        links = [link for one in self.rounds for link in one.came]
        tests = [link for link in links if link.kind is OutlineKind.TESTS][-1:]
        made = [link for link in links if link.kind is not OutlineKind.TESTS]
        return (*tests, *made[-TOLD_STEPS:])

    @property
    def earlier(self) -> str:
        """Return how many commits and pull requests are not in `came`; empty: none."""
        links = [link.kind for one in self.rounds for link in one.came]
        told = [link.kind for link in self.came]
        commit, request = OutlineKind.COMMIT, OutlineKind.PULL_REQUEST
        commits = max(wording.count_commits(self.path.commits), links.count(commit))
        rest = {
            "earlier commit": commits - told.count(commit),
            "earlier pull request": links.count(request) - told.count(request),
        }
        return ", ".join(counted(n, noun) for noun, n in rest.items() if n > 0)


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
    left: tuple[PathRow, ...]
    """Abandoned paths that got a reply, by number; of many, the last few."""
    lead: tuple[str, ...]
    """When, how much was done, and with what."""
    files: tuple[FileChange, ...]
    """What the path that stands for it changed, by name."""
    file_urls: Mapping[str, str]
    """Pages of files, by name."""
    paths: tuple[PathRow, ...]
    """Kept paths: the one that stands for the session, then the others by number."""
    dropped: tuple[NavLink, ...]
    """Paths that another one contains, with a link to that one."""
    agents: tuple[LinkRow, ...]
    """By time."""
    issues: tuple[IssueGroup, ...]
    """What was odd in its files."""
    tree: TreeView | None = None
    """How its paths part; None: there is but one."""


def session_view(session: SessionFacts) -> SessionView:
    """Return the view of a session's page."""
    here = session.url
    title, asked = titled(session.title), shortened(_asked(session), 200)
    rounds = _rounds(session, here)
    rows = {
        path.number: _path_row(path, here, tuple(rounds[path.number]))
        for path in session.paths
    }
    main = session.main
    left = [
        rows[path.number]
        for path in session.paths
        if path.status is Status.ABANDONED and not path.is_withdrawn and path is not main
    ]
    return SessionView(
        title=title,
        summary=summed_up(session),
        crumbs=(wording.project_link(session.project, here),),
        session=visible(session.session),
        asked="" if asked == title else asked,
        ended=wording.moment_utc(session.ended),
        main=rows[main.number] if main else None,
        left=tuple(left[-MOST_LEFT:]),
        lead=_lead(session),
        files=main.files if main else (),
        file_urls={file: relative(here, url) for file, url in file_urls(session).items()},
        paths=tuple(sorted(rows.values(), key=lambda row: row.path is not main)),
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


def _lead(session: SessionFacts) -> tuple[str, ...]:
    days = sorted({day for one in session.paths or session.agents for day in one.days})
    main, several = session.main, len(session.paths) > 1
    left = [path for path in session.paths if path.status is Status.ABANDONED]
    # One path and those that were left: how many that is, is told; and so is no path.
    is_told = len(session.paths) in {0, len(left) + 1}
    facts = (
        wording.span(session.started, session.ended, days),
        # What came of it is told below; of several paths, each says its own.
        *(wording.path_effort(main) if main and not several else ()),
        "" if is_told else counted(len(session.paths), "path"),
        wording.left_behind(left) if several else "",
        counted(len(session.agents), "agent") if main and session.agents else "",
        visible(main.branch) if main else "",
        visible(wording.models(main.models)) if main else "",
    )
    return tuple(filter(None, facts))


def _rounds(session: SessionFacts, here: str) -> defaultdict[int, list[RoundRow]]:
    """Return the prompts of each path, with what came of them, by its number."""
    urls = {path.number: relative(here, path.url) for path in session.paths}
    rounds: defaultdict[int, list[RoundRow]] = defaultdict(list)
    told: set[tuple[int, str]] = set()
    # The head names it.
    branch = f" ({session.main.branch})" if session.main else ""
    for run in session.runs:
        page, rows = urls.get(run.path, ""), rounds[run.path]
        for step in run.steps if page else ():
            url = f"{page}#{step.anchor}"
            text = visible(step.words).removesuffix(branch)
            if step.kind is OutlineKind.PROMPT:
                rows.append(RoundRow(step.number, text or "(no words)", url))
                continue
            if text == _PUSH or text.startswith(f"{_PUSH} ") or (run.path, text) in told:
                continue
            if step.kind is OutlineKind.PULL_REQUEST:  # It may be named again and again.
                told.add((run.path, text))
            last = rows.pop() if rows else RoundRow(None, "Before its first prompt", page)
            rows.append(replace(last, came=(*last.came, StepLink(step.kind, text, url))))
    return rounds


def _path_row(path: PathFacts, here: str, rounds: tuple[RoundRow, ...]) -> PathRow:
    moment = wording.moment_utc(path.ended)
    span = wording.span(path.started, path.ended, path.days)
    messages = counted(max(path.messages - path.shared, 0), "message")
    own = f"{messages} of its own after {path.shared:,} shared"
    return PathRow(
        path=path,
        url=relative(here, path.url),
        title=titled(path.label or path.title),
        why=wording.why(visible(path.reason)),
        answered=path.answered,
        when=moment if path.is_withdrawn else span,
        own=own if path.shared else "",
        work=() if path.is_withdrawn else tuple(wording.path_work(path)),
        files="" if path.is_withdrawn else wording.files_changed(path.files),
        markdown_url=relative(here, path.markdown_url),
        compare_url=relative(here, path.compare_url),
        diverged=tuple(_diverged(other, here) for other in path.diverged),
        rounds=rounds,
    )


def _diverged(other: Diverged, here: str) -> NavLink:
    shared, session = counted(other.shared, "message"), short_session(other.path.session)
    target = transcript_url(other.path.session, other.path.number)
    text = f"Shares its first {shared} with session {session}"
    return NavLink(visible(text), relative(here, target))


def _dropped(copy: Contained, here: str) -> NavLink:
    length = counted(copy.messages, "message")
    dropped = f"Path {copy.path.number}, {shortened(copy.title)} ({length}), is contained"
    text = f"{dropped} in path {copy.by.number} of session {short_session(copy.by.session)}"
    target = transcript_url(copy.by.session, copy.by.number)
    return NavLink(visible(text), relative(here, target))


def _agent_row(agent: AgentFacts, here: str) -> LinkRow:
    named = agent.description or agent.asked
    title = named or agent.agent_type or f"Agent {agent.agent_id}"
    meta = (
        visible(agent.agent_type) if named else "",
        counted(agent.messages, "message"),
        counted(agent.tool_calls, "call") if agent.tool_calls else "",
        wording.files_changed(agent.files),
        wording.commits_made(agent.commits),
        wording.when(agent.started, agent.ended, agent.days),
    )
    url = relative(here, agent.url)
    return LinkRow(titled(title), url, " · ".join(filter(None, meta)))
