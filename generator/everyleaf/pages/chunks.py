"""Session groups in chunks: turns of long ones that are drawn before their pages."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.pages.forks import compared_turns, iter_pairs, opponents
from everyleaf.pages.walk import index_paths
from everyleaf.pages.work import FamilyWork, Part, TurnTree, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.forest import Turn
    from everyleaf.pages.work import SessionWork, TurnKey

LONG_BYTES = 8_000_000
"""Records of a group that are drawn in one go; what has more is cut.

Drawing that takes about six seconds. To cut costs a twentieth more: what is drawn is
written, and read as pages ask.
"""
CHUNK_BYTES = 3_000_000
"""Records of a chunk: what a worker holds of them is a few times that."""
MANY_PAIRS = 100
"""Comparisons that are drawn beside all else, not after it: both parts must know all turns,
which takes as long as a hundred comparisons do."""
HUGE_BYTES = 50_000_000
"""Records of a group whose pages are one piece of work however many comparisons there are:
each worker that knows all turns takes five times this in memory."""


class ChunkWork(Struct, frozen=True):
    """Turns to draw."""

    work: FamilyWork
    """Only what drawing these turns takes of their family."""
    sketched: frozenset[TurnKey]
    """Those that are compared."""


def iter_chunks(work: FamilyWork, *, has_html: bool) -> Iterator[ChunkWork]:
    """Yield the turns of a family in chunks, in the order of its files.

    Each comes with what drawing it takes, and nothing else of its family. So a turn's
    parent stands before it, in its chunk or an earlier one, but for odd files.
    """
    tree = work.tree
    compared = opponents(index_paths(work) if has_html else {})
    sketched = compared_turns(work, compared)
    sessions = tuple(map(_agents_alone, work.sessions))
    for keys in _cut(work):
        turns = {key: tree.turns[key] for key in keys}
        parents = {key: tree.parents[key] for key in keys}
        yield ChunkWork(
            FamilyWork(
                tree=TurnTree(turns, parents, {}),
                sessions=sessions,
                sources={n: work.sources[n] for n in sources_of(turns.values())},
                known_paths=frozenset(),
                withdrawn=work.withdrawn,
            ),
            frozenset(key for key in keys if key in sketched),
        )


def _cut(work: FamilyWork) -> Iterator[list[TurnKey]]:
    """Yield the turns of a family, in the order of its files, some at a time."""
    turns = work.tree.turns
    chunk: list[TurnKey] = []
    room = CHUNK_BYTES
    for key in sorted(turns, key=lambda key: (_place(turns[key]), key)):
        if room <= 0:
            yield chunk
            chunk, room = [], CHUNK_BYTES
        chunk.append(key)
        room -= _size_bytes(turns[key])
    if chunk:
        yield chunk


def parts_of(families: Sequence[FamilyWork], *, has_html: bool) -> tuple[Part, ...]:
    """Return the parts in which the pages of a long group are drawn, longest first."""
    if not has_html or sum(map(size_of, families)) > HUGE_BYTES:
        return (Part.WHOLE,)
    pairs = chain.from_iterable(iter_pairs(opponents(index_paths(w))) for w in families)
    is_much = next(islice(pairs, MANY_PAIRS, None), None) is not None
    return (Part.COMPARISONS, Part.PATHS) if is_much else (Part.WHOLE,)


def size_of(work: FamilyWork) -> int:
    """Return the size of the records of all turns of a family, in bytes."""
    return sum(map(_size_bytes, work.tree.turns.values()))


def _size_bytes(turn: Turn) -> int:
    return sum(placed.envelope.size_bytes for placed in turn.records)


def _place(turn: Turn) -> tuple[int, int]:
    return (turn.source, turn.records[0].envelope.line if turn.records else 0)


def _agents_alone(session: SessionWork) -> SessionWork:
    """Return a session with nothing but its agents: turns link to them."""
    return replace(session, paths=(), dropped=(), issues=(), mentions=())
