"""Parts: what an entry of a transcript is made of, down to the single picture or diff.

All text is as written in the transcript: hostile until a renderer has escaped it.
"""

from __future__ import annotations

from msgspec import Struct


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
