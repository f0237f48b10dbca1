"""The records of a session or an agent, each once: what edges and turns are built on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from everyleaf.graph.identity import ReplayFinder
from everyleaf.graph.turns import Units
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.graph.identity import Origins
    from everyleaf.model import Envelope, SessionRecords

CONVERSATION = frozenset(
    {Kind.PROMPT, Kind.REPLY, Kind.RESULT, Kind.BOUNDARY, Kind.SUMMARY, Kind.STEERING}
)
"""The kinds that paths are compared by, and that may not be lost."""


_SAID = frozenset({Kind.PROMPT, Kind.STEERING})
_INTERRUPT = "[Request interrupted by user"


def is_said(kind: Kind, words: str) -> bool:
    """Return whether a record of `kind` counts as a prompt: a person's own message.

    The mark of an interruption does not, not even where a reply hangs from it.
    """
    return kind in _SAID and not words.startswith(_INTERRUPT)


@dataclass(slots=True, eq=False)
class Tree:
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
    later_copies: dict[int, list[tuple[int, Envelope]]] = field(
        default_factory=dict[int, "list[tuple[int, Envelope]]"]
    )
    """Later copies with other content: (position in `files`, record)."""

    @property
    def key(self) -> str:
        """Return a name unique in the archive: the session, or session and agent."""
        return self.session if self.agent_id is None else f"{self.session}/{self.agent_id}"

    @property
    def has_parents(self) -> bool:
        """Whether any record names a parent; if not, the file is one chain."""
        return any(file.has_parents for file in self.files)

    def issue(self, code: IssueCode, position: int, message: str) -> Issue:
        """Return an issue located at the record at `position`."""
        file = self.files[self.file_of[position]]
        line = self.records[position].line
        return Issue(file.file, line, code, message, session=self.session)

    def place(self, position: int) -> tuple[int, int]:
        """Return (file, line) of the record at `position`, for comparing with markers."""
        return (self.file_of[position], self.records[position].line)


def grow_tree(
    session: str,
    agent_id: str | None,
    parts: Sequence[tuple[SessionRecords, Iterable[Envelope]]],
    origins: Origins,
) -> tuple[Tree, list[Issue]]:
    """Return the tree that holds each record of `parts` once, and what was odd.

    `parts` are files with the records of each that belong here, in order. Of records with
    one uuid the first counts; a record that replays an earlier one becomes another name of
    it. Edges are not set yet.
    """
    tree = Tree(session=session, agent_id=agent_id, files=tuple(file for file, _ in parts))
    repeated: list[tuple[int, int]] = []
    replayed: list[tuple[int, int]] = []
    finder = ReplayFinder()
    index, records, file_of = tree.index, tree.records, tree.file_of
    by_canonical: dict[str, int] = {}
    for number, (_, members) in enumerate(parts):
        for record in members:
            position = len(records)
            first = index.get(record.uuid)
            if first is not None:
                _note_copy(tree, first, record, number)
                repeated.append((number, record.line))
                continue
            original = finder.find_original(record, position)
            if original is None and record.forked_from is not None:
                name = origins.canonical(record.uuid)
                original = index.get(name, by_canonical.setdefault(name, position))
                original = None if original == position else original
            if original is not None:
                index[record.uuid] = original
                origins.note_replay(record.uuid, records[original].uuid)
                _note_copy(tree, original, record, number, is_replay=True)
                replayed.append((number, record.line))
                continue
            index[record.uuid] = position
            records.append(record)
            file_of.append(number)
    issues = _count_issue(tree, IssueCode.REPEATED_UUID, repeated, "written again")
    issues += _count_issue(
        tree, IssueCode.REPLAY, replayed, "written again under a fresh uuid"
    )
    issues += _variant_issues(tree)
    return tree, issues


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
    copies = tree.later_copies.setdefault(first, [])
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
            f"record of line {tree.records[first].line} written again with other content",
            session=tree.session,
        )
        for first, copies in sorted(tree.later_copies.items())
        for number, copy in copies
    ]
