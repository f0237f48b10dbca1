"""Parts: what an entry of a transcript is made of, down to the single picture or diff.

All text is as written in the transcript: hostile until a renderer has escaped it.
"""

from __future__ import annotations

from everyleaf.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown as a person or a model wrote it; raw HTML in it is text."""

    text: str
    keeps_breaks: bool = False
    """Typed by a person: a line break stays one."""


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text: source, output, JSON."""

    text: str
    language: str = ""
    """A Pygments lexer name or a file name to guess from; empty: plain."""
    caption: str = ""
    first_line: int | None = None
    """Draw line numbers from here; None: no numbers."""
    is_terminal: bool = False
    """May hold ANSI sequences and carriage returns."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image; `data` is base64 as recorded, or empty where `problem` says why."""

    data: str
    media_type: str = ""
    alt: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A short labelled fact beside a prompt: a command, a file, an IDE selection."""

    label: str
    text: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a diff; `sign` is `+`, `-` or a blank."""

    sign: str
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Consecutive lines of a diff with their places, as in a unified diff."""

    old_start: int
    new_start: int
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """What an edit changed in one file."""

    file: str
    hunks: tuple[Hunk, ...]
    added: int
    removed: int
    is_cut: bool = False
    """Too much to compare: all between the first change and the last counts as changed."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a two-column table without a head is a list of fields."""

    rows: tuple[tuple[str, ...], ...]
    head: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One task of a list; `status` is pending, in_progress, completed or deleted.

    Of the options of a question it is chosen or option.
    """

    text: str
    status: str
    is_changed: bool = False


@dataclass(frozen=True, slots=True)
class Checklist:
    """A list of tasks as it stood after the call."""

    items: tuple[CheckItem, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link whose address comes from a transcript; renderers allow-list its scheme."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Links:
    """A list of links."""

    items: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class AgentPage:
    """A link to the page of a subagent of the same session."""

    agent_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Parts behind a one-line summary."""

    summary: str
    parts: tuple[Part, ...]
    is_open: bool = False


Part = Prose | Code | Picture | Chip | Diff | Table | Checklist | Links | AgentPage | Fold
