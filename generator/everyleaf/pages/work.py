"""What a worker needs to draw sessions that share records, and ways through their turns.

Picklable values, no shared memory.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import add
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from everyleaf.graph import forest
from everyleaf.model import Kind
from everyleaf.redact.masking import Mask

if TYPE_CHECKING:
    from everyleaf.pages.facts import PathFacts

Owner = TypeVar("Owner")
TurnKey = tuple[str, int]
"""(session or agent file key, index) of a turn."""
AgentKey = tuple[str, str]
"""(session, agent id)."""


class SourceRef(Struct, frozen=True):
    """Where the records of a source are read from again."""

    location: str
    """The file on disk; never shown."""
    file: str
    """Name inside its project folder, as issues show it."""
    tool_results_dir: str
    """Folder with the session's spilled outputs; may not exist."""
    mask: Mask = Mask()
    """What is masked in its records and outputs before anything is made of them."""
    content: str = ""
    """Digest of its bytes; empty where no state is kept."""
    beside: str = ""
    """Digest of what is masked, and of the spilled outputs; empty likewise."""
    is_clear: bool = False
    """When all of it was read, nothing but places was masked in its records."""


class TurnTree(Struct, frozen=True):
    """Turns with parent links; a path is a leaf."""

    turns: dict[TurnKey, forest.Turn]
    parents: dict[TurnKey, TurnKey | None]
    branches: dict[TurnKey, tuple[forest.Branch, ...]]
    """Turns after which kept paths part; only forks are in here."""
    leaves: dict[forest.PathRef, TurnKey]
    """The last turn of each kept path."""

    def chain(self, leaf: TurnKey) -> list[TurnKey]:
        """Return the keys from the root to `leaf`, in reading order."""
        return list(climb(self, leaf))[::-1]

    def line(self, leaf: TurnKey) -> list[forest.Turn]:
        """Return the turns from the root to `leaf`, likewise."""
        return [self.turns[key] for key in self.chain(leaf)]


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
    paths: tuple[forest.ConversationPath, ...]
    """Kept paths, by number."""
    dropped: tuple[forest.Contained, ...]
    agents: tuple[AgentWork, ...]
    """As they began."""
    is_warmup: bool
    issues: tuple[tuple[int, str, str], ...] = ()
    """(line, code, message) of what was odd in its files, in order."""
    mentions: tuple[forest.Mention, ...] = ()
    """Sessions that it names, sorted."""


class FamilyWork(Struct, frozen=True):
    """Sessions that share records, so that each record is drawn once."""

    tree: TurnTree
    sessions: tuple[SessionWork, ...]
    sources: Mapping[int, SourceRef]
    withdrawn: frozenset[str] = frozenset()
    """uuids of replies that the API took back, in whatever turn that is written."""

    def cut(self, keys: Iterable[TurnKey]) -> FamilyWork:
        """Return only what drawing some turns takes: they link to agents, but no paths."""
        turns = {key: self.tree.turns[key] for key in keys}
        return FamilyWork(
            tree=TurnTree(turns, {key: self.tree.parents[key] for key in turns}, {}, {}),
            sessions=tuple(
                replace(one, paths=(), dropped=(), issues=(), mentions=())
                for one in self.sessions
            ),
            sources={number: self.sources[number] for number in sources_of(turns.values())},
            withdrawn=self.withdrawn,
        )

    def paths(self) -> dict[forest.PathRef, forest.ConversationPath]:
        """Return the kept paths by session and number."""
        return {path.ref: path for session in self.sessions for path in session.paths}

    def projects(self) -> dict[str, str]:
        """Return the project of each session."""
        return {session.session: session.project for session in self.sessions}

    def agents(self) -> dict[AgentKey, AgentWork]:
        """Return the subagents of all sessions."""
        return {
            (agent.session, agent.agent_id): agent
            for session in self.sessions
            for agent in session.agents
        }

    def names(self) -> Iterator[object]:
        """Yield what turns and their records are called; fragments hold the same."""
        for key, turn in self.tree.turns.items():
            yield key
            for one in (placed.envelope for placed in turn.records):
                yield from (one.uuid, one.message_id, one.request_id)

    def called(self) -> dict[tuple[str, str], str]:
        """Return the agent that each call started, by session and call."""
        return {
            (session, agent.tool_use_id): agent_id
            for (session, agent_id), agent in self.agents().items()
            if agent.tool_use_id
        }


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


def sources_of(turns: Iterable[forest.Turn]) -> list[int]:
    """Return the sources that hold records of `turns`, or variants of them, sorted."""
    used: set[int] = set()
    for turn in turns:
        used.add(turn.source)
        for placed in turn.records:
            used.add(placed.source)
            used.update(variant.source for variant in placed.variants)
    return sorted(used)


def climb(
    tree: TurnTree, key: TurnKey, known: Container[TurnKey] = ()
) -> Iterator[TurnKey]:
    """Yield `key` and the turns above it, towards the root, up to one that is `known`."""
    at: TurnKey | None = key
    while at is not None and at not in known:
        yield at
        at = tree.parents[at]


def own_turns(
    tree: TurnTree, path: forest.ConversationPath
) -> tuple[TurnKey | None, list[TurnKey]]:
    """Return the turn that holds the fork point of `path`, and those behind it, in order.

    None, and no turn, where the path shares nothing. Cost: that of its own turns.
    """
    own: list[TurnKey] = []
    for key in climb(tree, tree.leaves[path.ref]) if path.fork_point is not None else ():
        if any(one.envelope.uuid == path.fork_point for one in tree.turns[key].records):
            return key, own[::-1]
        own.append(key)
    return None, []


def first_message(turn: forest.Turn) -> str:
    """Return the uuid of the first conversation record of `turn`, else of its first."""
    said = (one for one in turn.records if one.kind is not Kind.NOTE)
    first = next(said, turn.records[0] if turn.records else None)
    return first.envelope.uuid if first else ""


def first_words_of(turns: Sequence[forest.Turn], *kinds: Kind) -> str:
    """Return the first words of the first record of the first of `kinds` that says any."""
    for kind in kinds:
        for turn in turns:
            for placed in turn.records:
                if placed.kind is kind and placed.envelope.words:
                    return placed.envelope.words
    return ""


def first_paths(
    tree: TurnTree, paths: Iterable[forest.ConversationPath]
) -> dict[TurnKey, int]:
    """Return the number of the first of `paths`, in their order, that each turn is on."""
    return first_owners(tree, ((tree.leaves[path.ref], path.number) for path in paths))


def whole_paths(
    tree: TurnTree, paths: Iterable[forest.ConversationPath]
) -> dict[TurnKey, int]:
    """Return the number of the path to see each turn on: an ACTIVE one, else the lowest.

    The page of an ACTIVE path leaves nothing out that it shares with others.
    """
    return first_paths(tree, sorted(paths, key=rank))


def first_owners(
    tree: TurnTree, owners: Iterable[tuple[TurnKey, Owner]]
) -> dict[TurnKey, Owner]:
    """Return the first of `owners`, given as (last turn, owner), that each turn is on.

    Linear in the number of turns: a path is followed up to the first turn that is known.
    """
    first_on: dict[TurnKey, Owner] = {}
    for leaf, owner in owners:
        for key in climb(tree, leaf, first_on):
            first_on[key] = owner
    return first_on


def rank(path: forest.ConversationPath | PathFacts) -> tuple[bool, bool, int]:
    """Return what decides which path stands for a shared turn: the least does.

    ACTIVE before ABANDONED, then one whose page shows what it shares, then the lowest.
    """
    return (path.status is not forest.Status.ACTIVE, path.is_withdrawn, path.number)
