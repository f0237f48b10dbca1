"""What a worker needs to draw a family of sessions: picklable values, no shared memory."""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import astuple

from everyleaf.redact.masking import Mask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from everyleaf.graph.forest import (
        Branch,
        Contained,
        ConversationPath,
        Mention,
        PathRef,
        Turn,
    )

TurnKey = tuple[str, int]
"""(session or agent file key, index) of a turn."""


class SourceRef(Struct, frozen=True):
    """Where the records of a source are read from again."""

    location: str
    """The file on disk; never shown."""
    file: str
    """Name inside its project folder, as issues show it."""
    tool_results_dir: str
    """Folder with the session's spilled outputs; may not exist."""
    mask: Mask = field(default_factory=Mask)
    """What is masked in its records and outputs before anything is made of them."""
    content: str = ""
    """Digest of its bytes; empty where no state is kept."""
    beside: str = ""
    """Digest of what is masked, and of the spilled outputs; empty likewise."""
    is_clear: bool = False
    """When all of it was read, nothing but places was masked in its records."""


class TurnTree(Struct, frozen=True):
    """Turns with parent links; a path is a leaf."""

    turns: Mapping[TurnKey, Turn]
    parents: Mapping[TurnKey, TurnKey | None]
    branches: Mapping[TurnKey, tuple[Branch, ...]]
    """Turns after which kept paths part; only forks are in here."""

    def chain(self, leaf: TurnKey) -> list[TurnKey]:
        """Return the keys from the root to `leaf`, in reading order."""
        return list(self._up(leaf))[::-1]

    def _up(self, leaf: TurnKey) -> Iterator[TurnKey]:
        key: TurnKey | None = leaf
        while key is not None:
            yield key
            key = self.parents[key]


class PathWork(Struct, frozen=True):
    """A kept path of a session."""

    path: ConversationPath
    leaf: TurnKey


class AgentWork(Struct, frozen=True):
    """A subagent of a session: usually one leaf, more if it was run again from a point."""

    agent_id: str
    session: str
    agent_type: str
    description: str
    parent_agent_id: str | None
    tool_use_id: str | None
    """The call that started it, where it is known."""
    leaves: tuple[TurnKey, ...]
    """Its paths, in number order; the first ACTIVE one is the main line."""
    started: str
    ended: str
    messages: int
    main: int = 0
    """Index in `leaves` of the main line."""
    is_told: bool = False
    """Its own file is missing; what is known of it is what its caller noted."""


class SessionWork(Struct, frozen=True):
    """All that is published of one session."""

    session: str
    project: str
    """Name to show and to build addresses from; never the encoded folder name."""
    title: str
    ended: str
    paths: tuple[PathWork, ...]
    """Kept paths, by number."""
    dropped: tuple[Contained, ...]
    agents: tuple[AgentWork, ...]
    """As they began."""
    is_warmup: bool
    issues: tuple[tuple[int, str, str], ...] = ()
    """(line, code, message) of what was odd in its files, in order."""
    mentions: tuple[Mention, ...] = ()
    """Sessions that it names, sorted."""


class FamilyWork(Struct, frozen=True):
    """Sessions that share records, so that each record is drawn once."""

    tree: TurnTree
    sessions: tuple[SessionWork, ...]
    sources: Mapping[int, SourceRef]
    known_paths: frozenset[PathRef]
    """Every kept path of the archive that a page of this family may link to."""
    withdrawn: frozenset[str] = frozenset()
    """uuids of replies that the API took back, in whatever turn that is written."""


class PageCounts(Struct, frozen=True):
    """What had to be drawn."""

    turns: int = 0
    """Times that a turn was drawn."""
    records: int = 0
    """Records in those turns."""
    pages: int = 0
    """HTML pages and Markdown files."""
    families: int = 0

    def __add__(self, other: PageCounts) -> PageCounts:
        return PageCounts(*map(add, astuple(self), astuple(other)))


def sources_of(turns: Iterable[Turn]) -> list[int]:
    """Return the sources that hold records of `turns`, or variants of them, sorted."""
    used: set[int] = set()
    for turn in turns:
        used.add(turn.source)
        for placed in turn.records:
            used.add(placed.source)
            used.update(variant.source for variant in placed.variants)
    return sorted(used)
