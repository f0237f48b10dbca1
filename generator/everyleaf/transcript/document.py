"""The neutral document: what a turn shows, before anyone decides between HTML and Markdown.

A turn becomes a tuple of entries; an entry holds parts; a renderer needs to know these
classes and nothing of Claude Code. All text is as written in the transcript: hostile until
a renderer has escaped it. Nothing here depends on the path that the turn is drawn for.
The classes of `parts` are names of this module, too: who draws needs to import no other.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.transcript.parts import (
    AgentPage,
    CheckItem,
    Checklist,
    Chip,
    Code,
    Diff,
    DiffLine,
    Fold,
    Hunk,
    Link,
    Links,
    Part,
    Picture,
    Prose,
    Table,
)

if TYPE_CHECKING:
    from everyleaf.transcript.turnfacts import TurnFacts

__all__ = [
    "AgentPage",
    "AnyEntry",
    "CheckItem",
    "Checklist",
    "Chip",
    "Code",
    "Commit",
    "Compaction",
    "Diff",
    "DiffLine",
    "Entry",
    "FileChange",
    "Fold",
    "Hunk",
    "Link",
    "Links",
    "Manner",
    "Notice",
    "NoticeKind",
    "Outcome",
    "Part",
    "Picture",
    "Prompt",
    "Prose",
    "Reply",
    "Rewritten",
    "Table",
    "Task",
    "Thinking",
    "ToolCall",
    "TurnDocument",
]


class Task(Struct, frozen=True):
    """A task of the list that TaskCreate and its like keep, as it stood after a turn."""

    number: str
    subject: str
    status: str


class Outcome(StrEnum):
    """How a tool call ended."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    INTERRUPTED = "interrupted"
    MISSING = "missing"
    """No result was recorded."""


class Manner(StrEnum):
    """How a prompt reached the model."""

    TYPED = "typed"
    COMMAND = "command"
    SHELL = "shell"
    MEMORY = "memory"
    STEERING = "steering"
    """Typed while the model worked."""
    UNDELIVERED = "undelivered"
    """Typed while the model worked, and never sent."""


class NoticeKind(StrEnum):
    """What a notice is about; says nothing of how it looks."""

    COMMAND = "command"
    INTERRUPT = "interrupt"
    API_ERROR = "api-error"
    HOOK = "hook"
    RECAP = "recap"
    LINK = "link"
    MODEL = "model"
    MESSAGE = "message"
    """From a teammate, a peer, a channel or a finished task: not from the person."""
    META = "meta"
    OTHER = "other"


class FileChange(Struct, frozen=True):
    """Lines that the edits of one file added and removed."""

    file: str
    added: int
    removed: int


PULL_REQUEST = "pull-request"
"""Kind of a `Commit` that is a pull request."""


class Commit(Struct, frozen=True):
    """A step of a git history that a call made: a commit, a push, a pull request."""

    hash: str
    """Abbreviated as reported; empty where only the rest is known."""
    subject: str = ""
    branch: str = ""
    kind: str = "commit"
    """commit, amend, push, merge, pull-request, …, as recorded."""
    url: str = ""
    """Of a pull request; of a push, the repository's."""


class Entry(Struct, frozen=True, kw_only=True):
    """Anything with a place of its own: its anchor is made of `uuid`; `at` as written."""

    uuid: str
    at: str = ""
    also: tuple[str, ...] = ()
    """uuids of further records that this entry shows (results, fragments): anchors too."""


class Prompt(Entry, frozen=True, kw_only=True):
    """What a person sent. Its number is given when a page is assembled."""

    parts: tuple[Part, ...]
    manner: Manner = Manner.TYPED
    words: str = ""
    """First words, for outlines."""
    is_numbered: bool = True


class Reply(Entry, frozen=True, kw_only=True):
    """What the model wrote."""

    parts: tuple[Part, ...]
    model: str = ""
    is_withdrawn: bool = False
    """Struck: the API took it back."""


class Thinking(Entry, frozen=True, kw_only=True):
    """Extended thinking; an empty `text` means that only a signature was kept."""

    text: str
    is_withdrawn: bool = False


class ToolCall(Entry, frozen=True, kw_only=True):
    """A call with its result, wherever that was written."""

    tool_use_id: str
    name: str
    """As the API knows it: `Bash`, `mcp__server__tool`."""
    target: str
    """What on, in one line: a command, a file, a pattern."""
    outcome: Outcome
    outcome_text: str = ""
    """How it ended in a few words: `exit 1`, `42 lines`, `+3 -1`."""
    asked: tuple[Part, ...] = ()
    answered: tuple[Part, ...] = ()
    duration_ms: int | None = None
    agent_id: str | None = None
    changes: tuple[FileChange, ...] = ()
    """What the call changed in files; empty if it failed."""
    commits: tuple[Commit, ...] = ()
    label: str = ""
    """What to call the tool where `name` is none for a reader: `server: tool`."""
    is_withdrawn: bool = False
    """Part of a reply that the API took back."""


class Compaction(Entry, frozen=True, kw_only=True):
    """A compact boundary in its place, with the summary that replaced what came before."""

    trigger: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    duration_ms: int | None = None
    kept_messages: int | None = None
    focus: str = ""
    """What the person wanted the summary to look at."""
    summary: tuple[Part, ...] = ()
    has_boundary: bool = True
    """False: an old session that only begins with the summary of an earlier file."""


class Notice(Entry, frozen=True, kw_only=True):
    """Something that happened and is neither prompt nor reply; dim unless it is trouble."""

    kind: NoticeKind
    text: str
    parts: tuple[Part, ...] = ()
    is_trouble: bool = False
    commits: tuple[Commit, ...] = ()
    """What it tells of a git history: a pull request."""


class Rewritten(Entry, frozen=True, kw_only=True):
    """The same record written again, differently: drawn folded under the first."""

    where: str
    entries: tuple[AnyEntry, ...]


AnyEntry = Prompt | Reply | Thinking | ToolCall | Compaction | Notice | Rewritten


class TurnDocument(Struct, frozen=True):
    """One turn, ready to be drawn: the same value on whatever path it is."""

    session: str
    index: int
    entries: tuple[AnyEntry, ...]
    facts: TurnFacts
    records: tuple[str, ...]
    """uuids of the conversation records in the turn, in file order: each is in some entry's
    `uuid` or `also`, which is what conservation on the page rests on."""
    tasks: tuple[Task, ...] = ()
    """The task list after the turn: what the next turn of a path is built with."""
    reads_tasks: bool = False
    """Built with another list before it, it might be another one."""
