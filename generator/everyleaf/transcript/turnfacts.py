"""What a turn adds to the facts of every path that it is on."""

from __future__ import annotations

from everyleaf.frozen import dataclass

# msgspec reads the annotations, so their names must exist when the module runs.
from everyleaf.transcript.document import Commit, FileChange  # noqa: TC001


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of responses, each response counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0


@dataclass(frozen=True, slots=True)
class Response:
    """One answer of the API, whichever of its records stand in a turn."""

    message_id: str
    """Empty where none was recorded: then it is like no other response."""
    request_id: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class TurnFacts:
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
    agents: tuple[str, ...] = ()
    """Ids of the subagents that its calls started or went on with, in order."""
