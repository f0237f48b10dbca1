"""The records of a session or an agent, each once: what edges and turns are built on."""

from __future__ import annotations

from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.graph.identity import ReplayFinder
from everyleaf.graph.turns import Units
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.identity import Origins
    from everyleaf.model import Envelope, SessionRecords

Part: TypeAlias = "tuple[SessionRecords, Sequence[Envelope]]"
"""A file with those of its records that belong to a tree, in file order."""


_SAID = frozenset({Kind.PROMPT, Kind.STEERING})
_NOTES = frozenset({Kind.NOTE, Kind.INJECTED})
_INTERRUPT = "[Request interrupted by user"


def is_said(kind: Kind, words: str) -> bool:
    """Return whether a record of `kind` counts as a prompt: a person's own message.

    The mark of an interruption does not, not even where a reply hangs from it.
    """
    return kind in _SAID and not words.startswith(_INTERRUPT)


class Tree(Struct, eq=False):
    """The records of one session's main conversation, or of one agent, by position.

    A position is an index into `records`: file order, later copies and replays left out.
    The lists run parallel to `records`; steps of the graph fill them in `solve`'s order.
    """

    session: str
    agent_id: str | None
    files: tuple[SessionRecords, ...]
    records: list[Envelope] = field(default_factory=list["Envelope"])
    file_of: list[int] = field(default_factory=list[int])
    """Position in `files`."""
    index: dict[str, int] = field(default_factory=dict[str, int])
    """uuid → position; a replay's uuid leads to its original."""
    canonical: list[str] = field(default_factory=list[str])
    parents: list[int] = field(default_factory=list[int])
    """Position of the parent, or -1."""
    kinds: list[Kind] = field(default_factory=list[Kind])
    """As `Envelope.kind`, but with echoes decided once the edges stand."""
    is_conversation: bytes = b""
    """1 for each conversation record, 0 for each note; made of `kinds`."""
    inferred: set[int] = field(default_factory=set[int])
    """Positions whose edge was repaired."""
    cycle_roots: set[int] = field(default_factory=set[int])
    foreign: dict[int, tuple[Tree, int]] = field(
        default_factory=dict[int, "tuple[Tree, int]"]
    )
    """Roots whose parent stands in another session: (its tree, position there)."""
    other_parents: dict[int, list[str | None]] = field(
        default_factory=dict[int, list[str | None]]
    )
    """Parents that later copies of a record name, where they differ from the first's."""
    units: Units = field(default_factory=lambda: Units(of=[]))
    other_copies: dict[int, list[tuple[int, Envelope]]] = field(
        default_factory=dict[int, "list[tuple[int, Envelope]]"]
    )
    """Other copies with other content: (position in `files`, record)."""

    @property
    def conversation_ids(self) -> Iterator[str]:
        """Return the canonical ids of the conversation records, in file order."""
        return compress(self.canonical, self.is_conversation)

    @property
    def key(self) -> str:
        """Return a name unique in the archive: the session, or session and agent."""
        return self.session if self.agent_id is None else f"{self.session}/{self.agent_id}"

    @property
    def has_parents(self) -> bool:
        """Whether the edges stand in the records; if not, they are one chain."""
        return any(file.has_parents for file in self.files)

    def issue(self, code: IssueCode, position: int, message: str) -> Issue:
        """Return an issue located at the record at `position`."""
        file = self.files[self.file_of[position]]
        line = self.records[position].line
        return Issue(file.file, line, code, message, session=self.session)

    def place(self, position: int) -> tuple[int, int]:
        """Return (file, line) of the record at `position`, for comparing with markers.

        Of its first copy, if that is not the one that counts.
        """
        place = (self.file_of[position], self.records[position].line)
        copies = self.other_copies.get(position, ())
        return min([place, *((number, copy.line) for number, copy in copies)])


def grow_tree(
    session: str,
    agent_id: str | None,
    parts: Sequence[Part],
    origins: Origins,
) -> tuple[Tree, list[Issue]]:
    """Return the tree that holds each record of `parts` once, and what was odd.

    `parts` are files with the records of each that belong here, in order. Of records with
    one uuid the first counts; a record that replays an earlier one becomes another name of
    it. Edges are not set yet.
    """
    tree = Tree(session=session, agent_id=agent_id, files=tuple(file for file, _ in parts))
    if _take_all(tree, parts):
        return tree, []
    growth = _Growth(tree, origins, _repeated_times(parts))
    for number, (_, members) in enumerate(parts):
        for record in members:
            growth.take(record, number)
    issues = _count_issue(tree, IssueCode.REPEATED_UUID, growth.repeated, "written again")
    what = "written again under a fresh uuid"
    issues += _count_issue(tree, IssueCode.REPLAY, growth.replayed, what)
    issues += _variant_issues(tree)
    return tree, issues


def _take_all(tree: Tree, parts: Sequence[Part]) -> bool:
    """Fill `tree` at one go where no record stands for another; else return False."""
    records = [record for _, members in parts for record in members]
    index = {record.uuid: position for position, record in enumerate(records)}
    if len(index) < len(records) or any(record.forked_from for record in records):
        return False
    times = _repeated_times(parts)
    finder = ReplayFinder()
    for position, record in enumerate(records) if times else ():
        if record.timestamp in times and finder.find_original(record, position) is not None:
            return False
    tree.records, tree.index = records, index
    for number, (_, members) in enumerate(parts):
        tree.file_of += [number] * len(members)
    return True


def _repeated_times(parts: Sequence[Part]) -> frozenset[str]:
    """Return the timestamps that occur more than once: records of others are no replays."""
    times = [record.timestamp for _, members in parts for record in members]
    if len(set(times)) == len(times):
        return frozenset()
    return frozenset(time for time, count in Counter(times).items() if count > 1)


class _Growth:
    """Adds records to a tree one by one: copies and replays become names of the first."""

    def __init__(self, tree: Tree, origins: Origins, times: frozenset[str]) -> None:
        self.tree = tree
        self.origins = origins
        self.times = times
        self.finder = ReplayFinder()
        self.by_canonical: dict[str, int] = {}
        self.repeated: list[tuple[int, int]] = []
        """(number of the file, line) of the records that were written again."""
        self.replayed: list[tuple[int, int]] = []

    def take(self, record: Envelope, number: int) -> None:
        """Add the next record, of file `number`."""
        tree = self.tree
        first = tree.index.get(record.uuid)
        if first is not None:
            if record.digest and not tree.records[first].digest:
                self._fill(first, record, number)
                return
            _note_copy(tree, first, record, number)
            self.repeated.append((number, record.line))
            return
        position = len(tree.records)
        original = self._find_original(record, position)
        if original is not None:
            tree.index[record.uuid] = original
            self.origins.note_replay(record.uuid, tree.records[original].uuid)
            _note_copy(tree, original, record, number, is_replay=True)
            self.replayed.append((number, record.line))
            return
        tree.index[record.uuid] = position
        tree.records.append(record)
        tree.file_of.append(number)

    def _fill(self, position: int, record: Envelope, number: int) -> None:
        """Put `record` in the place of its first copy, which says nothing."""
        tree = self.tree
        empty, parent = tree.records[position], record.parent_uuid
        if record.kind not in _NOTES:
            tree.other_copies[position] = [(tree.file_of[position], empty)]
        tree.records[position] = replace(record, parent_uuid=empty.parent_uuid or parent)
        tree.file_of[position] = number
        if parent not in (None, empty.parent_uuid):
            tree.other_parents.setdefault(position, []).append(parent)

    def _find_original(self, record: Envelope, position: int) -> int | None:
        original = None
        if record.timestamp in self.times:
            original = self.finder.find_original(record, position)
        if original is None and record.forked_from is not None:
            name = self.origins.canonical(record.uuid)
            known = self.by_canonical.setdefault(name, position)
            original = self.tree.index.get(name, known)
        return None if original == position else original


def _note_copy(
    tree: Tree, first: int, record: Envelope, number: int, *, is_replay: bool = False
) -> None:
    original = tree.records[first]
    if not is_replay and record.parent_uuid != original.parent_uuid:
        others = tree.other_parents.setdefault(first, [])
        if record.parent_uuid not in others:
            others.append(record.parent_uuid)
    if original.kind not in CONVERSATION or record.digest == original.digest:
        return
    if is_replay and record.kind is Kind.PROMPT:
        return  # Each of its blocks stands in the original: nothing is said differently.
    copies = tree.other_copies.setdefault(first, [])
    if all(copy.digest != record.digest for _, copy in copies):
        copies.append((number, record))


def _count_issue(
    tree: Tree, code: IssueCode, places: list[tuple[int, int]], what: str
) -> list[Issue]:
    if not places:
        return []
    number, line = places[0]
    noun = "record" if len(places) == 1 else "records"
    message = f"{len(places)} {noun} {what}; the first at line {line}"
    return [Issue(tree.files[number].file, line, code, message, session=tree.session)]


def _variant_issues(tree: Tree) -> list[Issue]:
    return [
        Issue(
            tree.files[number].file,
            copy.line,
            IssueCode.VARIANT,
            f"record of line {tree.records[first].line} written again with other content"
            if copy.digest
            else f"without a message; the record is in line {tree.records[first].line}",
            session=tree.session,
        )
        for first, copies in sorted(tree.other_copies.items())
        for number, copy in copies
    ]
