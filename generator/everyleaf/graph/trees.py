"""The records of a session or an agent, each once: what edges and turns are built on.

Which records are the same is `paths.md` §2: a copy says what it was copied from, a replay
repeats an earlier record of its session under a fresh uuid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from operator import lt
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.graph.forest import TurnKind
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, Envelope, Kind, SessionRecords

Part: TypeAlias = "tuple[SessionRecords, Sequence[Envelope]]"
"""A file with those of its records that belong to a tree, in file order."""

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _REPLY, _RESULT = Kind.PROMPT, Kind.REPLY, Kind.RESULT
_SAID = frozenset({Kind.PROMPT, Kind.STEERING})
_NOTES = frozenset({Kind.NOTE, Kind.INJECTED})
_INTERRUPT = "[Request interrupted by user"


def is_said(kind: Kind, words: str) -> bool:
    """Return whether a record of `kind` counts as a prompt: a person's own message.

    The mark of an interruption does not, not even where a reply hangs from it.
    """
    return kind in _SAID and not words.startswith(_INTERRUPT)


def parents_first(ids: Iterable[int], parent_of: Callable[[int], int]) -> list[int]:
    """Return `ids` in their order, but each parent (-1: none) before its children."""
    order: list[int] = []
    met: set[int] = set()
    for each in ids:
        trail, at = list[int](), each
        while at >= 0 and at not in met:
            met.add(at)
            trail.append(at)
            at = parent_of(at)
        order += reversed(trail)
    return order


class Units(Struct, eq=False):
    """The turns of a tree, by number; a parent's number is lower than its children's."""

    of: list[int]
    """Record position → unit."""
    kinds: list[TurnKind] = []
    parents: list[int] = []
    """Unit number of the parent, or -1."""
    members: list[list[int]] = []
    """Record positions, in file order."""
    children: list[Sequence[int]] = []
    """Unit numbers, first-written first."""
    edges: list[int] = []
    """The record through which each unit hangs from its parent."""

    def __len__(self) -> int:
        return len(self.kinds)


class Tree(Struct, eq=False):
    """The records of one session's main conversation, or of one agent, by position.

    A position is an index into `records`: file order, later copies and replays left out.
    The lists run parallel to `records`; steps of the graph fill them in `solve`'s order.
    """

    session: str
    agent_id: str | None
    files: tuple[SessionRecords, ...]
    records: list[Envelope] = []
    file_of: list[int] = []
    """Position in `files`."""
    index: dict[str, int] = {}
    """uuid → position; a replay's uuid leads to its original."""
    canonical: list[str] = []
    parents: list[int] = []
    """Position of the parent, or -1."""
    kinds: list[Kind] = []
    """As `Envelope.kind`, but with echoes decided once the edges stand."""
    is_conversation: bytes = b""
    """1 for each conversation record, 0 for each note; made of `kinds`."""
    inferred: set[int] = set()
    """Positions whose edge was repaired."""
    cycle_roots: set[int] = set()
    foreign: dict[int, tuple[Tree, int]] = {}
    """Roots whose parent stands in another session: (its tree, position there)."""
    other_parents: dict[int, list[str | None]] = {}
    """Parents that later copies of a record name, where they differ from the first's."""
    units: Units = field(default_factory=lambda: Units(of=[]))
    other_copies: dict[int, list[tuple[int, Envelope]]] = {}
    """Other copies with other content: (position in `files`, record)."""

    @property
    def key(self) -> str:
        """Return a name unique in the archive: the session, or session and agent."""
        return self.session if self.agent_id is None else f"{self.session}/{self.agent_id}"

    @property
    def has_parents(self) -> bool:
        """Whether the edges stand in the records; if not, they are one chain."""
        return any(file.has_parents for file in self.files)

    @property
    def is_in_order(self) -> bool:
        """Whether every record was written after its parent. Linear, but cheap."""
        return all(map(lt, self.parents, range(len(self.parents))))

    def issue(self, code: IssueCode, position: int, message: str) -> Issue:
        """Return an issue located at the record at `position`."""
        place = (self.file_of[position], self.records[position].line)
        return self.issue_at(code, place, message)

    def issue_at(self, code: IssueCode, place: tuple[int, int], message: str) -> Issue:
        """Return an issue located at `place`: (number of the file, line)."""
        file = self.files[place[0]].file
        return Issue(file, place[1], code, message, session=self.session)

    def place(self, position: int) -> tuple[int, int]:
        """Return (file, line) of the record at `position`, for comparing with markers.

        Of its first copy, if that is not the one that counts.
        """
        place = (self.file_of[position], self.records[position].line)
        copies = self.other_copies.get(position, ())
        return min([place, *((number, copy.line) for number, copy in copies)])


class Origins:
    """Names for the one record behind many copies: each uuid leads to its canonical id."""

    def __init__(self, files: Iterable[SessionRecords]) -> None:
        """Learn what `forkedFrom` says in `files`; of one uuid the first counts."""
        self._origin: dict[str, str] = {}
        for file in files:
            for record in file.records:
                if record.forked_from is not None:
                    self.note(record.uuid, record.forked_from.uuid)

    def note(self, uuid: str, original: str) -> None:
        """Learn that the record `uuid` is the record `original` written again."""
        if uuid != original:
            self._origin.setdefault(uuid, original)

    def canonical_of(self, records: Iterable[Envelope]) -> list[str]:
        """Return the canonical id of each of `records`."""
        if not self._origin:
            return [record.uuid for record in records]
        return [self.canonical(record.uuid) for record in records]

    def canonical(self, uuid: str) -> str:
        """Return the canonical id of `uuid`: the end of its chain of copies.

        A loop of copies ends at the lowest uuid in it. Amortised near-constant: chains are
        compressed as they are followed.
        """
        origin = self._origin
        if uuid not in origin:
            return uuid
        trail: dict[str, None] = {}
        at = uuid
        while at in origin and at not in trail:
            trail[at] = None
            at = origin[at]
        if at in trail:
            names = list(trail)
            at = min(names[names.index(at) :])
            del origin[at]
        for name in trail:
            if name != at:
                origin[name] = at
        return at


class _Replays(Struct):
    """Recognises records that repeat an earlier one of their session under a fresh uuid."""

    times: frozenset[str]
    """The timestamps that occur more than once: no other record is a replay."""
    _seen: dict[tuple[object, ...], int] = {}
    _prompts: dict[tuple[str, int], list[tuple[int, tuple[int, ...]]]] = {}

    def find_original(self, record: Envelope, position: int) -> int | None:
        """Return the position of the record that `record` repeats, else remember it."""
        time, kind = record.timestamp, record.kind
        if time not in self.times:
            return None
        if kind is _PROMPT and record.blocks:
            return self._find_prompt(record, position)
        if kind is _REPLY and record.message_id:
            response = record.message_id, record.request_id
            key: tuple[object, ...] = (response, record.digest, time)
        elif kind is _RESULT and record.tool_use_ids:
            key = (record.tool_use_ids, time)
        else:
            return None
        original = self._seen.setdefault(key, position)
        return None if original == position else original

    def _find_prompt(self, record: Envelope, position: int) -> int | None:
        seen = [self._prompts.get((record.timestamp, block)) for block in record.blocks]
        if all(seen):
            wanted = set(record.blocks)
            fewest = min((found for found in seen if found), key=len)
            for original, blocks in fewest:
                if wanted.issubset(blocks):
                    return original
        for block in record.blocks:
            self._prompts.setdefault((record.timestamp, block), []).append(
                (position, record.blocks)
            )
        return None


def grow_tree(
    session: str, agent_id: str | None, parts: Sequence[Part], origins: Origins
) -> tuple[Tree, list[Issue]]:
    """Return the tree that holds each record of `parts` once, and what was odd.

    `parts` are files with the records of each that belong here, in order. Of records with
    one uuid the first counts; a record that replays an earlier one becomes another name of
    it. Edges are not set yet.
    """
    tree = Tree(session=session, agent_id=agent_id, files=tuple(file for file, _ in parts))
    met = Counter(record.timestamp for _, members in parts for record in members)
    times = frozenset(time for time, count in met.items() if count > 1 and time)
    if _take_all(tree, parts, times):
        return tree, []
    growth = _Growth(tree, origins, _Replays(times))
    for number, (_, members) in enumerate(parts):
        for record in members:
            growth.take(record, number)
    return tree, growth.issues()


def _take_all(tree: Tree, parts: Sequence[Part], times: frozenset[str]) -> bool:
    """Fill `tree` at one go where no record stands for another; else return False."""
    records = [record for _, members in parts for record in members]
    index = {record.uuid: position for position, record in enumerate(records)}
    if len(index) < len(records) or any(record.forked_from for record in records):
        return False
    replays = _Replays(times)
    for position, record in enumerate(records) if times else ():
        if replays.find_original(record, position) is not None:
            return False
    tree.records, tree.index = records, index
    for number, (_, members) in enumerate(parts):
        tree.file_of += [number] * len(members)
    return True


class _Growth(Struct):
    """Adds records to a tree one by one: copies and replays become names of the first."""

    tree: Tree
    origins: Origins
    replays: _Replays
    by_canonical: dict[str, int] = {}
    repeated: list[tuple[int, int]] = []
    """(number of the file, line) of the records that were written again."""
    replayed: list[tuple[int, int]] = []

    def take(self, record: Envelope, number: int) -> None:
        """Add the next record, of file `number`."""
        tree = self.tree
        first = tree.index.get(record.uuid)
        if first is not None:
            if record.digest and not tree.records[first].digest:
                self._fill(first, record, number)
                return
            parent = record.parent_uuid
            if parent != tree.records[first].parent_uuid:
                others = tree.other_parents.setdefault(first, [])
                others += [] if parent in others else [parent]
            self._note_copy(first, record, number)
            self.repeated.append((number, record.line))
            return
        position = len(tree.records)
        original = self._find_original(record, position)
        if original is not None:
            tree.index[record.uuid] = original
            self.origins.note(record.uuid, tree.records[original].uuid)
            if record.kind is not _PROMPT:  # Each block of a prompt stands in the original.
                self._note_copy(original, record, number)
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
        original = self.replays.find_original(record, position)
        if original is None and record.forked_from is not None:
            name = self.origins.canonical(record.uuid)
            known = self.by_canonical.setdefault(name, position)
            original = self.tree.index.get(name, known)
        return None if original == position else original

    def _note_copy(self, first: int, record: Envelope, number: int) -> None:
        """Keep a copy of the record at `first` that says something else."""
        original = self.tree.records[first]
        if original.kind not in CONVERSATION or record.digest == original.digest:
            return
        copies = self.tree.other_copies.setdefault(first, [])
        if all(copy.digest != record.digest for _, copy in copies):
            copies.append((number, record))

    def issues(self) -> list[Issue]:
        """Return how many records were written again, and where with other content."""
        tree, found = self.tree, list[Issue]()
        for code, places, what in (
            (IssueCode.REPEATED_UUID, self.repeated, "written again"),
            (IssueCode.REPLAY, self.replayed, "written again under a fresh uuid"),
        ):
            if places:
                noun = "record" if len(places) == 1 else "records"
                message = f"{len(places)} {noun} {what}; the first at line {places[0][1]}"
                found.append(tree.issue_at(code, places[0], message))
        for first, copies in sorted(tree.other_copies.items()):
            line = tree.records[first].line
            for number, copy in copies:
                message = (
                    f"record of line {line} written again with other content"
                    if copy.digest
                    else f"without a message; the record is in line {line}"
                )
                place = (number, copy.line)
                found.append(tree.issue_at(IssueCode.VARIANT, place, message))
        return found
