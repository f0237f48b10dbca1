"""What the stages hand to each other about an archive: plain frozen values, no behaviour.

`sources` and `records` make them, `graph` turns them into paths. Words are those of
`paths.md`: session = one file, record = one line, uuid and parent_uuid as on disk.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """What a tree record counts as, before the graph is known (`paths.md` §1)."""

    PROMPT = "prompt"
    REPLY = "reply"
    RESULT = "result"
    BOUNDARY = "boundary"
    SUMMARY = "summary"
    STEERING = "steering"
    ECHO = "echo"
    """Reports what happened at the terminal; a prompt if a reply hangs from it."""
    INJECTED = "injected"
    """A note that somebody else than the person wrote: a reply below answers it."""
    NOTE = "note"


CONVERSATION = frozenset(
    {Kind.PROMPT, Kind.REPLY, Kind.RESULT, Kind.BOUNDARY, Kind.SUMMARY, Kind.STEERING}
)
"""The kinds that paths are compared by, and that may not be lost."""


class MarkerKind(StrEnum):
    """Off-tree records that say something about a session or a path."""

    SUMMARY = "summary"
    CUSTOM_TITLE = "custom-title"
    AI_TITLE = "ai-title"
    AGENT_NAME = "agent-name"
    LAST_PROMPT = "last-prompt"
    CONTINUED_IN = "continued-in"


class ForkedFrom(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """Where a copied record says it came from."""

    session: str
    uuid: str


class AgentLink(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """A record's claim that the tool call `tool_use_id` started the subagent `agent_id`."""

    tool_use_id: str
    agent_id: str


class AgentCall(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """A tool call that asks for a subagent."""

    tool_use_id: str
    prompt: int
    """Digest of the prompt that the agent gets."""
    agent_type: str = ""
    description: str = ""
    """The agent's task in a few words, on one line."""


class Envelope(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """The few fields of a tree record that the graph needs; the rest stays on disk."""

    uuid: str
    parent_uuid: str | None
    kind: Kind
    line: int
    """1-based line of the file."""
    offset: int
    """Byte offset of the record's JSON in the file (inside the line, if it was glued)."""
    size_bytes: int
    """Length of the record's JSON, or of what it is recovered from; 0: the line's rest."""
    timestamp: str = ""
    """As written (ISO 8601, UTC); empty where there is none."""
    digest: int = 0
    """64-bit digest of the message content; equal content, equal digest; 0: no content."""
    is_sidechain: bool = False
    agent_id: str | None = None
    message_id: str | None = None
    """Id of the API message that a reply is a part of."""
    request_id: str | None = None
    is_synthetic: bool = False
    """A reply that the CLI made itself (model `<synthetic>`)."""
    tool_use_ids: tuple[str, ...] = ()
    """Calls that a reply makes, or that a result answers."""
    blocks: tuple[int, ...] = ()
    """A prompt's content, one digest a block."""
    words: str = ""
    """First words of a prompt or a reply, on one line, at most 200 characters."""
    forked_from: ForkedFrom | None = None
    logical_parent_uuid: str | None = None
    """Boundaries only."""
    preserved: tuple[str, ...] = ()
    """Boundaries only: uuids of the messages that were kept (`uuids` and `allUuids`)."""
    links: tuple[AgentLink, ...] = ()
    asked: tuple[AgentCall, ...] = ()
    """Calls of a reply that ask for an agent."""
    withdraws: tuple[str, ...] = ()
    """uuids of replies that the API took back, as this record says."""
    line_digest: int = 0
    """64-bit digest of all that stands on its line; 0: it is told by several lines."""


class Marker(Struct, frozen=True, gc=False, array_like=True, omit_defaults=True):
    """One off-tree record: a title, a pointer, a link to another session."""

    kind: MarkerKind
    line: int
    text: str = ""
    """The title, or the session that the conversation continues in."""
    leaf_uuid: str | None = None
    is_explicit: bool = False
    timestamp: str = ""


class AgentMeta(Struct, frozen=True):
    """What the `.meta.json` beside an agent file says; empty where there is none."""

    agent_type: str = ""
    description: str = ""
    tool_use_id: str | None = None
    """The call that started the agent."""
    parent_agent_id: str | None = None


class SessionRecords(Struct, frozen=True):
    """Everything that was read of one session file, or of one agent file."""

    session: str
    """The file's stem; of an agent file, the id of the session that it belongs to."""
    project: str
    """Name of the project folder as on disk (never shown: it may hold a home folder)."""
    file: str
    """Name inside the project folder, `/`-separated, unique within it."""
    records: tuple[Envelope, ...]
    """Tree records in file order."""
    markers: tuple[Marker, ...] = ()
    """Off-tree records in file order."""
    told: tuple[Envelope, ...] = ()
    """What progress records of the file tell of agents that have no file of their own."""
    folded: tuple[bytes, ...] = ()
    """Tree records that are left out above, in blocks (`records/folding.py`); the graph
    gets none."""
    has_parents: bool = True
    """False where no record of the file says what it hangs from, though some must hang from
    another: one chain in file order."""
    cwds: tuple[str, ...] = ()
    """Working folders named by the records, in order of first appearance."""
    plans: tuple[str, ...] = ()
    """Names of plans (`slug`) that the records carry, in order of first appearance."""
    agent_id: str | None = None
    """Set for an agent file."""
    meta: AgentMeta = AgentMeta()
    is_capture: bool = False
    """A recorded stream: its order is that of arrival, and each parent is made up."""
    source: int = 0
    """Index of the file in the list of sources, for reading records again."""

    @property
    def begun(self) -> tuple[bool, str, str, str]:
        """Return what sorts files by when they were begun; last those that do not say."""
        first = next((record.timestamp for record in self.records if record.timestamp), "")
        return (not first, first, self.project, self.file)
