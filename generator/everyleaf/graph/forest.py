"""What the graph hands on: turns, and the paths that run through them."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from everyleaf.model import Envelope, Kind


class Status(StrEnum):
    """Whether a path is what a resume would show, or was left for another."""

    ACTIVE = "ACTIVE"
    ABANDONED = "ABANDONED"


class TurnKind(StrEnum):
    """What a contracted unit is (`paths.md` §4)."""

    PROMPT = "prompt"
    RESPONSE = "response"
    BOUNDARY = "boundary"
    NOTES = "notes"
    """A root that holds bookkeeping records only."""


class SeamKind(StrEnum):
    """Why a turn stands where it does although its record does not say so."""

    INFERRED = "inferred"
    """The parent is missing; the turn hangs from what was written before it."""
    CARRIED_ON = "carried-on"
    """The parent stands in another session file: the conversation went on in a new one."""
    CYCLE = "cycle"
    """The record was a part of a cycle and became a root."""
    EARLIER_MISSING = "earlier-missing"
    """The conversation begins with a summary of something that is not in this archive."""


class PathRef(Struct, frozen=True, order=True):
    """A path by its session and its number there."""

    session: str
    number: int


class Variant(Struct, frozen=True, gc=False):
    """The same record with other content, from a later line or another file's copy."""

    source: int
    session: str
    envelope: Envelope


class PlacedRecord(Struct, frozen=True, gc=False):
    """A record in its turn."""

    envelope: Envelope
    canonical: str
    """Canonical id: equal for all copies of one record, across all files."""
    kind: Kind
    """As decided with the graph known: an echo is a prompt or a note here."""
    variants: tuple[Variant, ...] = ()
    source: int = 0
    """Index of the source file that holds the record."""


class Turn(Struct, frozen=True, gc=False):
    """One unit of a session or an agent: a prompt, a response with results, a boundary.

    Records stand in file order; notes stand with the turn that they joined.
    """

    index: int
    """Unique within `session`; the order in which turns were formed."""
    session: str
    source: int
    """Index of the source file that holds the turn's first record."""
    kind: TurnKind
    records: tuple[PlacedRecord, ...]
    seam: SeamKind | None = None


class Branch(Struct, frozen=True):
    """One way on from a fork, as seen from a page at that fork."""

    turn: tuple[str, int]
    """(session, index) of the first turn of the branch."""
    path: PathRef
    """Where to send a reader: the ACTIVE path through this turn, else the lowest kept."""
    status: Status
    words: str
    """First words of the branch's first prompt, else of its first reply."""
    messages: int
    """Conversation records on `path` from the fork on."""
    uuid: str = ""
    """The first record of the branch, as the page of `path` has it; empty: not there."""


class Contained(Struct, frozen=True):
    """A path that was dropped because another one holds all of its records."""

    path: PathRef
    by: PathRef
    status: Status
    title: str
    messages: int
    leaf_uuid: str


class Diverged(Struct, frozen=True):
    """Another session that shares the first `shared` conversation records, then parts."""

    path: PathRef
    shared: int


class MentionKind(StrEnum):
    """How a session names another one."""

    CONTINUED_IN = "continued-in"
    """It says that it goes on there."""
    PLAN = "plan"
    """Both work from one plan; the other is the next older one that does."""
    SUMMARY = "summary"
    """The other holds a summary of it: the CLI wrote one into the next session."""


class Mention(Struct, frozen=True, order=True):
    """What a session has to do with the session `other`, though they share no record."""

    kind: MentionKind
    other: str


class ConversationPath(Struct, frozen=True):
    """One unique root-to-leaf conversation that is kept."""

    session: str
    number: int
    """1-based, stable under appending; given before paths are dropped, so gaps occur."""
    of: int
    """How many paths the session has, dropped ones included."""
    status: Status
    reason: str
    """Why it is ACTIVE or ABANDONED, in words for a reader."""
    title: str
    label: str
    """ABANDONED paths: the first prompt after the fork; else empty."""
    fork_point: str | None
    """uuid of the last record that an ABANDONED path shares with the one that took over."""
    shared: int
    """Conversation records before and with the fork point; 0 where there is none."""
    taken_over_by: PathRef | None
    is_withdrawn: bool
    """What is its own is one prompt that never got a reply."""
    is_merged_copy: bool
    """A copy that put branches which another session shows apart into one line."""
    compactions: int
    messages: int
    """Conversation records."""
    prompts: int
    started: str
    ended: str
    """Timestamp that lists sort by (`paths.md` §7)."""
    inferred: int
    """Edges on the path that were repaired."""
    contains: tuple[Contained, ...]
    diverged: tuple[Diverged, ...]
    leaf_uuid: str
    fork_point_there: str = ""
    """uuid of the fork point as the page of `taken_over_by` has it; empty: none."""
    project: str = ""
    """Name to show of the project that the session belongs to."""

    def __repr__(self) -> str:
        words = self.label or self.title
        said = f"{self.session}:{self.number} {self.status} {words[:40]!r}"
        return f"<ConversationPath {said}, {self.messages} messages>"

    @property
    def ref(self) -> PathRef:
        """Return the path's session and number."""
        return PathRef(self.session, self.number)
