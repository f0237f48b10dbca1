"""What page templates are given: the contract between page assembly and a theme.

A template sees its view as `page`, and `theme` for the addresses of assets. Every `str` is
plain text, which Jinja2 escapes; only `Markup` is already HTML. Every address is relative
to the page it stands on, or empty where there is nothing to link to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import ClassVar

from markupsafe import Markup
from msgspec import Struct

from everyleaf.graph.forest import Status
from everyleaf.transcript.document import AnyEntry, FileChange


class NavLink(Struct, frozen=True):
    """A link made by us, so that its address needs no check."""

    text: str
    """What the link says."""
    url: str = ""
    """Where it leads, relative to the page; empty: nowhere, it is a text."""


class Fact(Struct, frozen=True):
    """One row of a page's facts."""

    label: str
    """What it is: `Tokens`, `Models`, `Branch`."""
    value: str
    """How it is, ready to read: `12,345 in, 678 out`."""
    url: str = ""
    """Where the value leads; empty: nowhere."""
    at: str = ""
    """ISO 8601, where the value is a time: a reader's browser may show it as local time."""


class OutlineKind(StrEnum):
    """What a line of the outline stands for."""

    PROMPT = "prompt"
    COMPACTION = "compaction"
    FORK = "fork"
    RESULT = "result"
    """What an agent gave back to its caller."""
    COMMIT = "commit"
    PULL_REQUEST = "pull-request"
    ERROR = "error"
    """A call that failed: on the map alone."""
    TESTS = "tests"
    """A test run; likewise, and in the line that sums up work."""


class OutlineItem(Struct, frozen=True, gc=False):
    """One line of a page's outline."""

    kind: OutlineKind
    """What the line stands for."""
    anchor: str
    """Id of an element on the page, without `#`."""
    words: str
    """First words of the prompt, or what happened."""
    number: int | None = None
    """Number of the prompt on its page; None: not numbered, or not assembled yet."""


class BranchView(Struct, frozen=True):
    """One way on from a fork."""

    words: str
    """First words of the branch."""
    url: str
    """Its page at the fork (`transcript_….html#m-…`); in-page where it is followed."""
    status: Status
    """Of the path that `url` leads to."""
    messages: int
    """Conversation records from the fork on."""
    label: str
    """The path's name for a reader: `Path 2`."""
    is_withdrawn: bool = False
    """It leads to a prompt alone, taken back before a reply."""
    is_followed: bool = False
    """The page that this stands on goes on with this branch."""
    compare_url: str = ""
    """Page that compares the branch with the one followed; empty: none."""


class EntryView(Struct, frozen=True, kw_only=True):
    """An entry of a turn, its parts drawn (`turn.html.j2`)."""

    kind: str
    """`prompt`, `reply`, `thinking`, `tool`, `compaction`, `notice` or `rewritten`."""
    entry: AnyEntry
    """What it says; templates read its short texts (name, target, outcome, time)."""
    anchor: str = ""
    """Id of its element; empty: another element of the page has that id."""
    also: tuple[str, ...] = ()
    """Ids of further elements, for the other records that it shows."""
    body: Markup = Markup()
    """Its parts; of a tool call, what was asked."""
    answer: Markup = Markup()
    """Of a tool call, the result; else empty."""
    number: Markup = Markup()
    """Stands for the prompt's number until a page is assembled; else empty."""
    is_open: bool = False
    """A fold that a reader should not have to open."""
    is_long: bool = False
    """A prompt or a reply of which a digest shows the beginning."""
    is_personal: bool = False
    """A tool call whose result is what the person said: no filter of tools hides it."""
    agent_url: str = ""
    """Page of the subagent that the call started; empty: none."""
    file_url: str = ""
    """Page of the file that the call is about and edited; empty: none."""
    inner: tuple[EntryView, ...] = ()
    """Entries of a rewritten record."""


class TurnBlock(Struct, frozen=True):
    """Turns that follow each other, drawn."""

    kind: ClassVar[str] = "turn"
    """Which of the body's items this is."""
    html: Markup
    """Their entries, numbered for this page."""


class WorkStart(Struct, frozen=True):
    """What was done between a prompt and its answer begins here; it may be folded."""

    kind: ClassVar[str] = "work"
    """Which of the body's items this is."""
    summary: str
    """What was done, in one line: calls by kind, files, tests, commits."""
    is_troubled: bool = False
    """A test run or a call failed in it."""
    left_out: tuple[str, ...] = ()
    """Ids of elements that would stand here, if the page leaves the work out: then no
    `WorkEnd` follows."""


class WorkEnd(Struct, frozen=True):
    """What the last `WorkStart` began ends here."""

    kind: ClassVar[str] = "work-end"
    """Which of the body's items this is."""


class ForkMark(Struct, frozen=True):
    """Where paths part, after the last turn that they share."""

    kind: ClassVar[str] = "fork"
    """Which of the body's items this is."""
    anchor: str
    """Unique id on the page: `fork-1`."""
    branches: tuple[BranchView, ...]
    """Ways on, the followed one included, in the order they were written."""
    rest: NavLink = NavLink("")
    """A page with those that are not listed, of many; without a text: all are."""


class Seam(Struct, frozen=True):
    """A place where the order of things was inferred, or where something is missing."""

    kind: ClassVar[str] = "seam"
    """Which of the body's items this is."""
    text: str
    """What is known, as one sentence."""
    url: str = ""
    """A page that shows the other side; empty: none."""
    link_text: str = ""
    """What the link says."""


class ResultMark(Struct, frozen=True):
    """What an agent gave back to its caller follows."""

    kind: ClassVar[str] = "result"
    """Which of the body's items this is."""
    anchor: str = "result"
    """Unique id on the page."""


Mark = WorkStart | WorkEnd | ForkMark | Seam | ResultMark
BodyItem = TurnBlock | Mark


class SharedNotice(Struct, frozen=True):
    """Says which part of the page stands on another path's page too."""

    messages: int
    """How many conversation records from the start are shared."""
    path: NavLink
    """The path that they are shared with."""
    first_own: str
    """Anchor of the first message that only this path has; empty: none."""
    is_linked: bool = False
    """The page leaves the shared part out."""
    budget: int = 0
    """Messages that a session may repeat, if that is why the shared part is left out."""
    instead: NavLink | None = None
    """Of a withdrawn prompt: the words that were gone on with; None: not known."""


class RunView(Struct, frozen=True):
    """A further run of a subagent, started again from a point of the first."""

    label: str
    """What tells it from the others."""
    status: Status
    """Whether it is the run that counted."""
    body: Iterable[BodyItem]
    """What it does not share with the runs before it."""


class PageView(Struct, frozen=True, kw_only=True):
    """What `base.html.j2` needs of any page. Views of further pages extend it."""

    title: str
    """Of the page; its only `h1` and, with `site_title`, its `<title>`."""
    site_title: str = ""
    """Of the archive."""
    root: str = ""
    """From the page to the root of the output: empty, or `../`. On the page for lost
    readers, the site's path on its host; empty: not known."""
    summary: str = ""
    """What it is, in a line: for social cards."""
    crumbs: tuple[NavLink, ...] = ()
    """The way back, from the archive down to the page's parent."""
    markdown_url: str = ""
    """The same page as Markdown; empty: none."""
    is_public: bool = False
    """Search engines may list the page; otherwise it says `noindex`."""
    is_redacted: bool = True
    """Secrets were masked; if not, the page begins with a warning."""
    canonical: str = ""
    """The page's absolute address; empty: where the site will stand is not known."""
    search_url: str = ""
    """The page that searches all messages; empty: the site has none."""


class ConversationView(PageView, frozen=True, kw_only=True):
    """What transcript and agent pages have in common (`conversation.html.j2`)."""

    session: str
    """Id of the session."""
    facts: tuple[Fact, ...]
    """Rows of the head, in reading order."""
    number: int
    """The path's number in its session; the agent's, as the session's page lists them."""
    of: int
    """How many paths or agents the session has; 1: the page does not say so."""
    previous: NavLink | None = None
    """The kept path before this one, or the agent."""
    next: NavLink | None = None
    """The kept path after this one, or the agent."""
    file_urls: Mapping[str, str] = {}
    """Pages of the files, by name; of what no call of this page edited there is none."""
    files: tuple[FileChange, ...] = ()
    """Files touched, sorted by name."""
    outline: tuple[OutlineItem, ...] = ()
    """In page order; prompts with their numbers."""
    body: Iterable[BodyItem] = ()
    """The conversation, from its start."""
    lead: tuple[str, ...] = ()
    """What a reader wants to know first, a few words each."""
    outcome: tuple[str, ...] = ()
    """What it came to, a few words each: tests, commits, a pull request."""
    ended: NavLink | None = None
    """What its last reply says in a sentence, and where that stands; None: no reply."""
    is_digest: bool = False
    """Long: what was done between prompts and answers is folded at first."""
    unrecorded: int = 0
    """Times that thinking was not recorded, which the page says once."""
    commits: tuple[NavLink, ...] = ()
    """Commits, pushes and pull requests, in the order made; linked where a code host shows
    them (`https` only), else to their message."""


class TranscriptView(ConversationView, frozen=True, kw_only=True):
    """One path of a session (`transcript.html.j2`)."""

    project: NavLink
    """The project's name and page."""
    status: Status
    """ACTIVE or ABANDONED."""
    reason: str
    """Why, in words for a reader; empty: it is the only one."""
    rule: str = ""
    """The rule that `reason` tells of, for who wants to know."""
    label: str = ""
    """An abandoned path's first own prompt."""
    session_url: str = ""
    """The session's page."""
    compactions: int = 0
    """How many compactions the path contains."""
    shared: SharedNotice | None = None
    """An abandoned path's common part with the one that took over."""
    taken_over_by: NavLink | None = None
    """The path that took over from an abandoned one."""
    is_withdrawn: bool = False
    """All that is its own is a prompt without a reply."""
    is_merged_copy: bool = False
    """A copy that put branches which another session shows apart into one line."""
    copies: tuple[NavLink, ...] = ()
    """Dropped paths that this one contains."""
    diverged: tuple[NavLink, ...] = ()
    """Other sessions that share the beginning and then go on by themselves."""
    links: tuple[NavLink, ...] = ()
    """Further pages about this path, such as comparisons."""


class AgentView(ConversationView, frozen=True, kw_only=True):
    """The transcript of a subagent (`agent.html.j2`)."""

    agent_id: str
    """The agent's id."""
    agent_type: str
    """Its kind: `Explore`, `general-purpose`; empty: not recorded."""
    description: str
    """What it was for, in the words of its call; empty: not recorded."""
    call: NavLink
    """The message that started it; its session, where that is not in the archive."""
    runs: tuple[RunView, ...] = ()
    """Further runs of the same agent."""
