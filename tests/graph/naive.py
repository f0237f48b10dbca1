"""The path rules once more, as plainly as possible: recursion and sets, from paths.md.

Knows prompts, replies in parts, results, steering, notes, echoes, forks and copies; no
compaction, no broken parents, no pointers. Shares no code with the product.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from everyleaf.model import Kind

if TYPE_CHECKING:
    from everyleaf.model import Envelope, SessionRecords

_NOT_SAID = (Kind.NOTE, Kind.INJECTED, Kind.ECHO)


@dataclass(eq=False)
class Unit:
    """A turn."""

    parent: Unit | None
    is_response: bool
    message: tuple[str | None, str | None] | None = None
    records: list[Envelope] = field(default_factory=list)
    children: list[Unit] = field(default_factory=list)

    def chain(self) -> list[Unit]:
        """Return the units from the root down to this one."""
        return [*(self.parent.chain() if self.parent else []), self]

    def below(self) -> list[Unit]:
        """Return this unit and all below it, in no particular order."""
        return [self, *(unit for child in self.children for unit in child.below())]

    def leaves(self) -> list[Unit]:
        """Return the leaves at or below this unit."""
        return [unit for unit in self.below() if not unit.children]


@dataclass(eq=False)
class Path:
    """A root-to-leaf conversation."""

    session: str
    root: Unit
    leaf: Unit
    ids: frozenset[str]
    is_active: bool = False


class Session:
    """One session file, contracted (or, in strict mode, not)."""

    def __init__(
        self, file: SessionRecords, names: dict[str, str], *, strict: bool
    ) -> None:
        self.name = file.session
        self.names = names
        self.by_uuid = {record.uuid: record for record in file.records}
        self.kinds = {record.uuid: record.kind for record in file.records}
        for record in file.records:
            if record.kind is Kind.REPLY and not record.is_synthetic:
                self._answer(record.parent_uuid)
        self.unit_of: dict[str, Unit] = {}
        self.units: list[Unit] = []
        for record in file.records:
            self._place(record, strict=strict)
        roots = [unit for unit in self.units if unit.parent is None]
        self.roots = sorted(roots, key=self._first_words)

    def _answer(self, uuid: str | None) -> None:
        """Make the echo above a reply, with nothing but notes between, a prompt."""
        if uuid is None:
            return
        if self.kinds[uuid] is Kind.ECHO:
            self.kinds[uuid] = Kind.PROMPT
        elif self.kinds[uuid] is Kind.NOTE:
            self._answer(self.by_uuid[uuid].parent_uuid)

    def _place(self, record: Envelope, *, strict: bool) -> None:
        above = self.unit_of[record.parent_uuid] if record.parent_uuid else None
        kind = self.kinds[record.uuid]
        if strict or (above is None and kind is not Kind.REPLY):
            unit = self._begin(above, is_response=kind is Kind.RESULT)
        elif kind is Kind.REPLY and record.is_synthetic:
            unit = self._begin(self._last_response(above), is_response=True)
        elif kind is Kind.REPLY:
            unit = self._find_response(above, record)
        elif kind is Kind.PROMPT or above is None:
            unit = self._begin(above, is_response=False)
        elif kind is Kind.RESULT:
            unit = above
        else:
            unit = self._last_response(above) or above
        unit.records.append(record)
        self.unit_of[record.uuid] = unit

    def _begin(self, above: Unit | None, *, is_response: bool) -> Unit:
        unit = Unit(above, is_response)
        self.units.append(unit)
        if above is not None:
            above.children.append(unit)
        return unit

    def _find_response(self, above: Unit | None, record: Envelope) -> Unit:
        message = (record.message_id, record.request_id)
        beside = [] if above is None else [above, *above.children]
        for unit in beside:
            if unit.message == message:
                return unit
        unit = self._begin(above, is_response=True)
        unit.message = message
        return unit

    def _last_response(self, above: Unit | None) -> Unit | None:
        """Return the unit, or the last response that hangs from it by responses alone."""
        if above is None:
            return None
        found = [above]
        for unit in self.units:
            if unit.is_response and unit.parent in found:
                found.append(unit)
        return found[-1]

    def said(self, unit: Unit) -> list[str]:
        """Return the canonical ids of a unit's conversation records, in file order."""
        return [
            self.names.get(record.uuid, record.uuid)
            for record in unit.records
            if self.kinds[record.uuid] not in _NOT_SAID
        ]

    def paths(self) -> list[Path]:
        """Return the session's paths that say anything, the ACTIVE ones marked."""
        found: list[Path] = []
        for number, root in enumerate(self.roots):
            paths = [Path(self.name, root, leaf, self.ids(leaf)) for leaf in root.leaves()]
            later = any(
                self.ids(leaf) for r in self.roots[number + 1 :] for leaf in r.leaves()
            )
            if not (later and self._is_withdrawn(root)):
                active = self._follow(root)
                for path in paths:
                    path.is_active = path.leaf is active
            found += [path for path in paths if path.ids]
        return found

    def ids(self, leaf: Unit) -> frozenset[str]:
        """Return the canonical ids on the path to `leaf`."""
        return frozenset(name for unit in leaf.chain() for name in self.said(unit))

    def _is_withdrawn(self, root: Unit) -> bool:
        is_prompt = self.kinds[root.records[0].uuid] in (Kind.PROMPT, Kind.STEERING)
        kinds = [
            self.kinds[record.uuid] for unit in root.below() for record in unit.records
        ]
        return is_prompt and Kind.REPLY not in kinds

    def _follow(self, unit: Unit) -> Unit:
        if not unit.children:
            return unit
        return self._follow(max(unit.children, key=self._last_words))

    def _first_words(self, root: Unit) -> int:
        return min(
            (
                record.line
                for unit in root.below()
                for record in unit.records
                if self.kinds[record.uuid] not in _NOT_SAID
            ),
            default=0,
        )

    def _last_words(self, unit: Unit) -> tuple[int, int]:
        kinds = [
            (record.line, self.kinds[record.uuid])
            for below in unit.below()
            for record in below.records
        ]
        spoken = [line for line, kind in kinds if kind in (Kind.PROMPT, Kind.REPLY)]
        told = [line for line, kind in kinds if kind not in _NOT_SAID]
        return (max(spoken, default=0), max(told, default=0))


def canonical_names(files: list[SessionRecords]) -> dict[str, str]:
    """Return uuid → canonical id, for records that were copied under a fresh uuid."""
    origin = {
        record.uuid: record.forked_from.uuid
        for file in files
        for record in file.records
        if record.forked_from and record.forked_from.uuid != record.uuid
    }

    def follow(uuid: str) -> str:
        return follow(origin[uuid]) if uuid in origin else uuid

    return {uuid: follow(uuid) for uuid in origin}


@dataclass
class Answer:
    """The unique paths of an archive, by their ids."""

    is_active: dict[frozenset[str], bool]
    merged: set[frozenset[str]]
    """Kept copies that put several branches into one line."""


def naive_answer(files: list[SessionRecords], *, strict: bool = False) -> Answer:
    """Return the paths that are kept. All pairs of sets are compared."""
    names = canonical_names(files)
    sessions = [Session(file, names, strict=strict) for file in files]
    said = {unit: set(session.said(unit)) for session in sessions for unit in session.units}
    every = [path for session in sessions for path in session.paths()]
    merged = {
        other.ids
        for path in every
        for other in every
        if other.root is not path.root
        and path.ids < other.ids
        and _shows_apart(path, other, said)
    }
    kept: dict[frozenset[str], bool] = {}
    for path in every:
        if not any(path.ids < other.ids and other.ids not in merged for other in every):
            kept[path.ids] = kept.get(path.ids, False) or path.is_active
    return Answer(kept, merged & kept.keys())


def _shows_apart(path: Path, other: Path, said: dict[Unit, set[str]]) -> bool:
    """Return whether `other` holds records of two branches of the tree of `path`."""
    for fork in path.root.below():
        ways = [
            child
            for child in fork.children
            if any(said[unit] & other.ids for unit in child.below())
        ]
        if len(ways) > 1:
            return True
    return False
