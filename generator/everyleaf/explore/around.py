"""What stands around a record on its path: the records before it and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.model import Kind
from everyleaf.opening.families import find_work
from everyleaf.pages.walk import rank

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.forest import Branch, ConversationPath, PlacedRecord, Turn
    from everyleaf.opening.named import Asked
    from everyleaf.pages.work import FamilyWork, PathWork, TurnKey


class Neighbour(Struct, frozen=True):
    """A conversation record near the one that was asked for."""

    uuid: str
    kind: Kind
    at: str
    line: int
    words: str
    calls: int
    """Tool calls that it makes."""
    is_asked: bool
    branches: tuple[Branch, ...]
    """Ways on after its turn, where it is the last record of one that ends in a fork."""
    followed: TurnKey | None
    """The next turn on this path."""


class Neighbourhood(Struct, frozen=True):
    """Records of one path, with the one that was asked for among them."""

    path: ConversationPath | None
    """None: the record is an agent's."""
    agent_id: str
    """Empty: it is not an agent's."""
    place: int
    """Index of the first of `records` among the conversation records of the path."""
    of: int
    """How many conversation records the path has."""
    records: tuple[Neighbour, ...]


def look_around(asked: Asked, count: int) -> Neighbourhood | None:
    """Return up to `count` records before and after the one that was asked for.

    On the ACTIVE path through it, else on the lowest; None where it stands on no path. A
    note that was asked for stands among the conversation records.
    """
    work, session = find_work(asked.archive, asked.session)
    owner = _find_turn(work, asked.uuid)
    if owner is None:
        return None
    for item in sorted(session.paths, key=_rank):
        keys = work.tree.chain(item.leaf)
        if owner in keys:
            return _cut(work, keys, asked.uuid, count, path=item.path)
    for agent in session.agents:
        for leaf in agent.leaves:
            keys = work.tree.chain(leaf)
            if owner in keys:
                return _cut(work, keys, asked.uuid, count, agent_id=agent.agent_id)
    return None


def _rank(item: PathWork) -> tuple[bool, bool, int]:
    return rank(item.path)


def _find_turn(work: FamilyWork, uuid: str) -> TurnKey | None:
    for key, turn in work.tree.turns.items():
        for placed in turn.records:
            if placed.envelope.uuid == uuid:
                return key
    return None


def _cut(  # noqa: PLR0913  (which records, and whose)
    work: FamilyWork,
    keys: Sequence[TurnKey],
    uuid: str,
    count: int,
    *,
    path: ConversationPath | None = None,
    agent_id: str = "",
) -> Neighbourhood:
    records = list(_records(work, keys, uuid))
    at = next(place for place, record in enumerate(records) if record.is_asked)
    first = max(at - count, 0)
    return Neighbourhood(
        path, agent_id, first, len(records), tuple(records[first : at + count + 1])
    )


def _records(work: FamilyWork, keys: Sequence[TurnKey], uuid: str) -> Iterator[Neighbour]:
    for key, followed in zip(keys, [*keys[1:], None], strict=True):
        turn = work.tree.turns[key]
        shown = _shown(turn, uuid)
        for placed in shown:
            is_last = placed is shown[-1]
            branches = work.tree.branches.get(key, ()) if is_last else ()
            envelope = placed.envelope
            yield Neighbour(
                uuid=envelope.uuid,
                kind=placed.kind,
                at=envelope.timestamp,
                line=envelope.line,
                words=envelope.words,
                calls=len(envelope.tool_use_ids) if placed.kind is Kind.REPLY else 0,
                is_asked=envelope.uuid == uuid,
                branches=branches,
                followed=followed,
            )


def _shown(turn: Turn, uuid: str) -> list[PlacedRecord]:
    return [
        placed
        for placed in turn.records
        if placed.kind is not Kind.NOTE or placed.envelope.uuid == uuid
    ]
