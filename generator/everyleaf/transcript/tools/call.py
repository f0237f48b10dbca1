"""What a tool module is given, and what it gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from everyleaf.transcript.words import one_line, short_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Commit, FileChange, Outcome, Part, Task

Told: TypeAlias = "Callable[[JsonValue], bool]"


def is_switch(value: JsonValue) -> bool:
    """Return whether `value` is true or false."""
    return isinstance(value, bool)


def is_number(value: JsonValue) -> bool:
    """Return whether `value` is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_among(*words: str) -> Told:
    """Return what tells whether a value is one of `words`."""
    return lambda value: isinstance(value, str) and value in words


class Call(Struct, frozen=True):
    """A tool call with whatever was recorded of its result."""

    name: str
    input: JsonObject
    outcome: Outcome
    text: str = ""
    """The result's text, without reminders and wrappers."""
    media: tuple[Part, ...] = ()
    """What else the result holds: pictures, documents, blocks of unknown type."""
    result: JsonValue = None
    """The record's `toolUseResult`: structured, a text, or None."""
    structured: JsonValue = None
    """Structured content that an MCP server sent along."""
    folder: str = ""
    """Where the CLI stood when the call was made."""
    tasks: tuple[Task, ...] = ()
    """The task list as it was before the call."""

    def short(self, file: str) -> str:
        """Return the name of a file as seen from the working folder, on one line."""
        return one_line(short_file(file, self.folder))


class Asked(Struct, frozen=True):
    """What a call was about."""

    target: str = ""
    """What on, in one line."""
    parts: tuple[Part, ...] = ()
    label: str = ""
    """What to call the tool where its name is no name for a reader."""
    is_whole: bool = False
    """All of the input is drawn, whatever it is."""


class Answered(Struct, frozen=True):
    """What came of a call."""

    text: str = ""
    """How it ended, in a few words."""
    parts: tuple[Part, ...] = ()
    outcome: Outcome | None = None
    """Set where the tool knows better than the result's error flag."""
    duration_ms: int | None = None
    agent_id: str | None = None
    changes: tuple[FileChange, ...] = ()
    commits: tuple[Commit, ...] = ()
    tasks: tuple[Task, ...] | None = None
    """The task list after the call; None: as before."""


class Tool(Struct, frozen=True):
    """How the calls of one tool are shown."""

    names: tuple[str, ...]
    asked: Callable[[Call], Asked]
    answered: Callable[[Call], Answered]
    """Called for results only; for failed ones only if `reads_errors`."""
    draws: frozenset[str] = frozenset()
    """Fields of the input, on any level, whose texts are drawn as they are; a text that is
    not found in what was drawn is listed, and so is every other field."""
    told: Mapping[str, Told] = field(default_factory=dict[str, "Told"])
    """Fields that are told in other words, with which values of them are."""
    reads_errors: bool = False
    reads_tasks: bool = False
    """What is shown depends on the task list as it was before the call."""
