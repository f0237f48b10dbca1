"""What discovery hands on: one value for each file that holds a session or an agent."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import digest_int

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from everyleaf.issues import Issue


EARLIER = ".until-"
"""Stands between a session's id and the time until which it was so, in a store."""

STORE_MARKER = "everyleaf-store.json"
"""Lies in the folder of a store of `everyleaf keep`."""


class Role(StrEnum):
    """What the records of a file are to its session."""

    SESSION = "session"
    AGENT = "agent"
    INTERNAL_AGENT = "internal-agent"
    """A helper of the CLI, a near-copy of the conversation: counted, not published."""


class AgentMeta(Struct, frozen=True):
    """What the `.meta.json` beside an agent file says; empty where there is none."""

    agent_type: str = ""
    description: str = ""
    tool_use_id: str | None = None
    """The call that started the agent."""
    parent_agent_id: str | None = None


class SourceFile(Struct, frozen=True):
    """One session file or agent file, found but not yet read."""

    project: str
    """Name of the project folder as on disk (never shown: it may hold a home folder)."""
    file: str
    """Name inside the project folder, `/`-separated."""
    location: Path
    session: str
    """The file's stem; of an agent file, the id of the session that it belongs to."""
    role: Role
    size_bytes: int
    tool_results_dir: Path
    """Where outputs of the session that were too large for the file may lie."""
    agent_id: str | None = None
    """Set for the two agent roles."""
    meta: AgentMeta = AgentMeta()
    is_capture: bool = False
    """A recorded stream of the CLI: arrival is its order, no record names a parent."""
    agents: frozenset[str] = frozenset()
    """Agents of the session whose files are there."""


class Found(Struct, frozen=True):
    """Everything that the inputs hold."""

    files: tuple[SourceFile, ...]
    """Sorted by (project, file)."""
    foreign: tuple[str, ...]
    """`.jsonl` files that are no sessions, as named in their folder: left alone."""
    issues: tuple[Issue, ...]
    ignored: frozenset[str] = frozenset()
    """Sessions that an ignore file leaves out, and that no other input holds."""

    @property
    def size_bytes(self) -> int:
        """Return the size of all files together."""
        return sum(file.size_bytes for file in self.files)


def number_files(files: Iterable[SourceFile]) -> dict[int, SourceFile]:
    """Return `files` by a number of their own, which stays when others come and go.

    It is made of the file's name and, of several files of one name, its place among them.
    """
    numbered: dict[int, SourceFile] = {}
    seen: dict[tuple[str, str], int] = {}
    for file in files:
        name = (file.project, file.file)
        seen[name] = seen.get(name, 0) + 1
        text = "\0".join((*name, str(seen[name])))
        numbered[digest_int(text.encode("utf-8", "surrogatepass")) >> 1] = file
    return numbered
