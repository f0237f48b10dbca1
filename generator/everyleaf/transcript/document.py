"""The neutral document: what a turn shows, before anyone decides between HTML and Markdown.

A turn becomes a tuple of entries; an entry holds parts; a renderer needs to know these
classes and nothing of Claude Code. All text is as written in the transcript: hostile until
a renderer has escaped it. Nothing here depends on the path that the turn is drawn for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from everyleaf.transcript.words import first_line, unmarked

if TYPE_CHECKING:
    from everyleaf.transcript.testruns import TestRun


QUESTIONS = "AskUserQuestion"
"""The tool that asks the person."""
HEADING_CHARS = 60
"""Of the words of a reply, so many stand in its heading."""


class Prose(Struct, frozen=True):
    """Markdown as a person or a model wrote it; raw HTML in it is text."""

    text: str
    keeps_breaks: bool = False
    """Typed by a person: a line break stays one."""


class Code(Struct, frozen=True):
    """Preformatted text: source, output, JSON."""

    text: str
    language: str = ""
    """A Pygments lexer name or a file name to guess from; empty: plain."""
    caption: str = ""
    first_line: int | None = None
    """Draw line numbers from here; None: no numbers."""
    is_terminal: bool = False
    """May hold ANSI sequences and carriage returns."""


class Picture(Struct, frozen=True):
    """An image; `data` is base64 as recorded, or empty where `problem` says why."""

    data: str
    media_type: str = ""
    alt: str = ""
    problem: str = ""


class Chip(Struct, frozen=True):
    """A short labelled fact beside a prompt: a command, a file, an IDE selection."""

    label: str
    text: str
    detail: str = ""


class DiffLine(Struct, frozen=True):
    """A line of a diff; `sign` is `+`, `-` or a blank."""

    sign: str
    text: str


class Hunk(Struct, frozen=True):
    """Consecutive lines of a diff with their places, as in a unified diff."""

    old_start: int
    new_start: int
    lines: tuple[DiffLine, ...]

    @property
    def head(self) -> str:
        """Return where it stands, as a unified diff says it: `@@ -1,3 +1,4 @@`."""
        old, new = (sum(line.sign != sign for line in self.lines) for sign in "+-")
        return f"@@ -{self.old_start},{old} +{self.new_start},{new} @@"


class Diff(Struct, frozen=True):
    """What an edit changed in one file."""

    file: str
    hunks: tuple[Hunk, ...]
    added: int
    removed: int
    is_cut: bool = False
    """Too much to compare: all between the first change and the last counts as changed."""


class Table(Struct, frozen=True):
    """Rows of cells; a two-column table without a head is a list of fields."""

    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()


class CheckItem(Struct, frozen=True):
    """One task of a list; `status` is pending, in_progress, completed or deleted.

    Of the options of a question it is chosen or option.
    """

    text: str
    status: str
    is_changed: bool = False


class Checklist(Struct, frozen=True):
    """A list of tasks as it stood after the call."""

    items: tuple[CheckItem, ...]


class Link(Struct, frozen=True):
    """A link whose address comes from a transcript; renderers allow-list its scheme."""

    text: str
    url: str


class Links(Struct, frozen=True):
    """A list of links."""

    items: tuple[Link, ...]


class AgentPage(Struct, frozen=True):
    """A link to the page of a subagent of the same session."""

    agent_id: str
    text: str


class Fold(Struct, frozen=True):
    """Parts behind a one-line summary."""

    summary: str
    parts: tuple[Part, ...]
    is_open: bool = False


Part = Prose | Code | Picture | Chip | Diff | Table | Checklist | Links | AgentPage | Fold
Parts: TypeAlias = "tuple[Part, ...]"


_TEXTS: dict[type, Callable[[Any], Iterable[str]]] = {
    Prose: lambda part: (part.text,),
    Code: lambda part: (part.caption, part.text),
    Picture: lambda _part: (),
    Chip: lambda part: (part.label, part.text, part.detail),
    Diff: lambda part: (line.text for hunk in part.hunks for line in hunk.lines),
    Table: lambda part: (cell for row in part.rows for cell in row),
    Checklist: lambda part: (item.text for item in part.items),
    Links: lambda part: (text for link in part.items for text in (link.text, link.url)),
    AgentPage: lambda _part: (),
    Fold: lambda part: (part.summary, *texts_of(part.parts)),
}
"""What is said by each kind of part, for whoever looks for words."""


def texts_of(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the texts that a reader sees of `parts`, in order."""
    for part in parts:
        yield from _TEXTS[type(part)](part)


class Task(Struct, frozen=True):
    """A task of the list that TaskCreate and its like keep, as it stood after a turn."""

    number: str
    subject: str
    status: str


_WORDS = {
    "ok": "",
    "error": "failed",
    "missing": "no result recorded",
    "typed": "",
    "steering": "typed while the model worked",
    "undelivered": "never delivered",
}


class _Told(StrEnum):
    @property
    def words(self) -> str:
        """Return what a reader is told of it; nothing of what goes without saying."""
        return _WORDS.get(self.value, self.value)


class Outcome(_Told):
    """How a tool call ended."""

    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    INTERRUPTED = "interrupted"
    MISSING = "missing"
    """No result was recorded."""


class Manner(_Told):
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


class FileChange(Struct, frozen=True, gc=False):
    """Lines that the edits of one file added and removed."""

    file: str
    added: int
    removed: int


class FileEdit(Struct, frozen=True, gc=False, array_like=True):
    """What a call did to a file."""

    anchor: str
    """Of the call, on the page."""
    file: str
    """As recorded."""
    name: str
    """As seen from where the call was made."""
    added: int
    removed: int
    lines: str = ""
    """The first lines that it changed, `+` or `-` before each; empty: not recorded."""


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

    uuid: str = ""
    """Empty until the entry stands in a turn."""
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
    is_request: bool = False
    """What a caller asked of its agent: no person sent it."""

    @property
    def heading(self) -> str:
        """Return the first words, without marks, for its heading."""
        return unmarked(self.words)


class Reply(Entry, frozen=True, kw_only=True):
    """What the model wrote."""

    parts: tuple[Part, ...]
    model: str = ""
    is_withdrawn: bool = False
    """Struck: the API took it back."""

    @property
    def words(self) -> str:
        """Return the first words, without marks, for its heading."""
        said = next((part.text for part in self.parts if isinstance(part, Prose)), "")
        return first_line(said.strip("#*` \n")[:HEADING_CHARS].replace("**", ""))


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
    about: str = ""
    """What a command does, in the model's words; empty: it did not say."""
    outcome_text: str = ""
    """How it ended in a few words: `exit 1`, `42 lines`, `+3 -1`."""
    asked: tuple[Part, ...] = ()
    answered: tuple[Part, ...] = ()
    duration_ms: int | None = None
    agent_id: str | None = None
    changes: tuple[FileChange, ...] = ()
    """What the call changed in files; empty if it failed."""
    commits: tuple[Commit, ...] = ()
    tests: TestRun | None = None
    """What a test run said, if it was one."""
    label: str = ""
    """What to call the tool where `name` is none for a reader: `server: tool`."""
    is_withdrawn: bool = False
    """Part of a reply that the API took back."""

    @property
    def is_personal(self) -> bool:
        """Whether its result is what the person said: an answer, or why it was denied."""
        if self.outcome is Outcome.DENIED:
            return any(isinstance(part, Prose) for part in self.answered)
        return self.name == QUESTIONS and self.outcome is Outcome.OK

    @property
    def is_open(self) -> bool:
        """Whether its result is to be seen at once: a person's word, or trouble."""
        return self.is_personal or self.outcome in {Outcome.ERROR, Outcome.DENIED}


class Compaction(Entry, frozen=True, kw_only=True):
    """A compact boundary in its place, with the summary that replaced what came before."""

    facts: tuple[str, ...] = ()
    """What is known of it, a few words each: `auto`, `155,000 → 12,000 tokens`."""
    summary: tuple[Part, ...] = ()
    has_boundary: bool = True
    """False: an old session that only begins with the summary of an earlier file."""

    @property
    def title(self) -> str:
        """Return what happened here, in one line."""
        if self.has_boundary:
            return "Conversation compacted"
        return "Continues an earlier conversation that is not in this file"


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


class Usage(Struct, frozen=True, gc=False):
    """Tokens of responses, each response counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0


USAGE_KEYS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
"""What the API calls the fields of `Usage`, in their order."""


class Response(Struct, frozen=True, gc=False):
    """One answer of the API, whichever of its records stand in a turn."""

    message_id: str
    """Empty where none was recorded: then it is like no other response."""
    request_id: str
    model: str
    usage: Usage
    cost: int = 0
    """In millionths of a dollar, where a record tells it (`costUSD`, up to 1.0.8)."""


class TurnFacts(Struct, frozen=True, gc=False):
    """What a turn adds to the facts of every path that it is on."""

    responses: tuple[Response, ...] = ()
    """In order of first appearance, each once, with its largest usage."""
    spans: tuple[tuple[int, int], ...] = ()
    """Stretches of work in milliseconds since 1970, in order of time: first and last
    message of each; between two of them lies a pause of more than `GAP_MS`."""
    prompts: int = 0
    replies: int = 0
    tools: tuple[tuple[str, int], ...] = ()
    """(tool name, calls), sorted by name."""
    files: tuple[FileChange, ...] = ()
    """Sorted by name."""
    errors: int = 0
    compactions: int = 0
    branch: str = ""
    """The git branch that the turn's last record names."""
    version: str = ""
    commits: tuple[Commit, ...] = ()
    """In the order made."""
    folder: str = ""
    """The working folder that the turn's first record names; not for show."""
    run_costs: tuple[int, ...] = ()
    """What recorded streams say at the end of a run, in millionths of a dollar: all that
    the process spent until then (`total_cost_usd`). Source: the CLI's issue 83239."""
    agents: tuple[str, ...] = ()
    """Ids of the subagents that its calls started or went on with, in order."""


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
