"""What the turns of a path add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from everyleaf.transcript.document import Commit, FileChange
    from everyleaf.transcript.turnfacts import Usage


class PathFacts(Struct, frozen=True):
    """What the turns of a path add up to."""

    models: tuple[tuple[str, float], ...]
    """(model, share of the output tokens from 0 to 1), largest share first."""
    usage: Usage
    prompts: int
    replies: int
    tools: tuple[tuple[str, int], ...]
    """(tool name, calls), most called first."""
    calls: int
    files: tuple[FileChange, ...]
    """Sorted by name, seen from the folder in which the path began."""
    errors: int
    compactions: int
    commits: tuple[Commit, ...]
    """In the order made; a pull request stands once."""
    branch: str
    """The last git branch that a record names."""
    version: str
    wall_s: int
    """Seconds from the first record to the last."""
    working_s: int
    """The same, pauses of more than half an hour left out."""
    days: tuple[str, ...]
    """Days that were worked on (`2026-01-31`, UTC), in order."""
