"""A note that belongs to an entry written before it."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.transcript.document import AnyEntry

if TYPE_CHECKING:
    from everyleaf.transcript.document import Notice, Part


class Beside(Enum):
    """Which entry a note adds to."""

    PROMPT = auto()
    """The prompt that the turn begins with: files, expanded commands."""
    COMMAND = auto()
    """The command or shell line right before it: its output."""
    CALL = auto()
    """The tool call named by `tool_use_id`: a skill's text."""


class Aside(Struct, frozen=True):
    """Parts to add to an entry of the same turn, or a notice where there is none."""

    beside: Beside
    parts: tuple[Part, ...]
    otherwise: Notice | None
    """None: the note is left out where it finds no place."""
    tool_use_id: str = ""


Note = AnyEntry | Aside | None
"""What a record beside the conversation shows; None: nothing."""
