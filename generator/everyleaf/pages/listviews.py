"""What the templates of list pages are given; see `render/view.py` for the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.render.view import PageView

if TYPE_CHECKING:
    from everyleaf.graph.forest import Status
    from everyleaf.pages.pictureviews import RelationsView, TreeView
    from everyleaf.render.view import CopyView, Fact, NavLink


class AttemptRow(Struct, frozen=True):
    """An abandoned path under its session."""

    title: str
    """Its first own prompt."""
    url: str
    """Its page."""
    meta: str
    """Its length, and whether it was withdrawn."""


class SessionRow(Struct, frozen=True):
    """A session in a list."""

    title: str
    """Of the session, cut to one or two lines."""
    url: str
    """The page of the path that stands for it."""
    day: str
    """When it ended (UTC, to the minute): `2026-01-31 14:05`; empty: unknown."""
    project: str
    """Its project, where the list is of several; else empty."""
    prompts: str
    """How many; empty: it has no path of its own."""
    has_compaction: bool
    """One of its paths contains a compaction."""
    more: NavLink | None
    """The session's page, where there is more to see than one path."""
    attempts: tuple[AttemptRow, ...]
    """Its abandoned paths, by number."""
    models: str = ""
    """Which of `ListView.models` replied: their numbers, from 0, with blanks between."""
    is_gone: bool = False
    """Its file is not there any more: its pages are those of an earlier build."""


class RowGroup(Struct, frozen=True):
    """Sessions of one month."""

    name: str
    """`January 2026`."""
    rows: tuple[SessionRow, ...]
    """Newest first."""


class ProjectCard(Struct, frozen=True):
    """A project on the index."""

    name: str
    """As shown."""
    url: str
    """Its page."""
    meta: str
    """Sessions, and when the last one ended."""


class ListView(PageView, frozen=True, kw_only=True):
    """Sessions by time: the index (`index.html.j2`) or a project (`project.html.j2`)."""

    lede: str
    """One line under the title."""
    stats: tuple[Fact, ...]
    """Counts of what is listed."""
    groups: tuple[RowGroup, ...]
    """Sessions by month, newest first."""
    warmups: tuple[SessionRow, ...]
    """Sessions that only warmed up, or hold no conversation of their own; newest first."""
    projects: tuple[ProjectCard, ...] = ()
    """On the index: projects by name."""
    models: tuple[str, ...] = ()
    """The models that replied in the sessions listed, by name."""
    links: tuple[NavLink, ...] = ()
    """Further pages: the report, the Markdown index."""
    relations: RelationsView | None = None
    """Of a project: how its sessions continue and copy each other; None: none does."""


class PathRow(Struct, frozen=True):
    """A path in the table of its session."""

    number: int
    """In its session."""
    url: str
    """Its page."""
    title: str
    """Its title, or of an abandoned path its first own prompt."""
    status: Status
    """ACTIVE or ABANDONED."""
    reason: str
    """Why, in words for a reader."""
    when: str
    """From when to when."""
    messages: str
    """How many."""
    prompts: str
    """How many."""
    calls: str
    """How many tool calls."""
    files: str
    """How many files it touched; empty: none."""
    is_withdrawn: bool
    """A prompt without a reply."""
    markdown_url: str
    """Its Markdown file; empty: none."""
    compare_url: str = ""
    """The page that holds it against the path that took over; empty: none."""
    diverged: tuple[CopyView, ...] = ()
    """Other sessions that share its beginning and then go on by themselves."""


class AgentRow(Struct, frozen=True):
    """A subagent in the list of its session."""

    title: str
    """What it was for."""
    url: str
    """Its page; empty: none."""
    meta: str
    """Its kind, its length, when."""


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
    dropped: tuple[CopyView, ...]
    """Paths that another one contains, with a link to that one."""
    agents: tuple[AgentRow, ...]
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
