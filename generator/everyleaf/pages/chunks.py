"""Long families cut into chunks: turns that are drawn before their pages, and at once."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.pages.forks import compared_turns, iter_pairs, opponents
from everyleaf.pages.walk import index_paths
from everyleaf.pages.work import FamilyWork, Part, TurnTree, sources_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.graph.forest import Turn
    from everyleaf.pages.work import SessionWork, TurnKey

LONG_BYTES = 8_000_000
"""Records of a family that are drawn in one go; what has more is cut.

Drawing that takes about six seconds. To cut costs a twentieth more: what is drawn is
written, and read as pages ask.
"""
CHUNK_BYTES = 3_000_000
"""Records of a chunk: what a worker holds of them is a few times that."""
MANY_PAIRS = 100
"""Comparisons that are drawn beside all else, not after it: both parts must know all turns,
which takes as long as a hundred comparisons do."""
HUGE_BYTES = 50_000_000
"""Records of a family whose pages are one piece of work however many comparisons there are:
each worker that knows all turns takes five times this in memory."""


class ChunkWork(Struct, frozen=True):
    """Turns to draw."""

    work: FamilyWork
    """Only what drawing these turns takes of their family."""
    sketched: frozenset[TurnKey]
    """Those that are compared."""


def cut(work: FamilyWork) -> list[list[TurnKey]]:
    """Return the turns of a family in chunks, in the order of its files; few are one chunk.

    So a turn's parent stands before it, in its chunk or an earlier one, but for odd files.
    """
    tree = work.tree
    sizes = {key: _size_bytes(turn) for key, turn in tree.turns.items()}
    if sum(sizes.values()) <= LONG_BYTES:
        return [list(tree.turns)]
    chunks: list[list[TurnKey]] = []
    room = 0
    for key in sorted(tree.turns, key=lambda key: (_place(tree.turns[key]), key)):
        if room <= 0:
            chunks.append([])
            room = CHUNK_BYTES
        chunks[-1].append(key)
        room -= sizes[key]
    return chunks


def iter_chunks(
    work: FamilyWork, chunks: Iterable[Sequence[TurnKey]], *, has_html: bool
) -> Iterator[ChunkWork]:
    """Yield what drawing each of `chunks` takes, and nothing else of its family."""
    tree = work.tree
    compared = opponents(index_paths(work) if has_html else {})
    sketched = compared_turns(work, compared)
    sessions = tuple(map(_agents_alone, work.sessions))
    for keys in chunks:
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


def parts_of(work: FamilyWork, *, has_html: bool) -> tuple[Part, ...]:
    """Return the parts in which the pages of a long family are drawn, longest first."""
    if not has_html or is_huge(work):
        return (Part.WHOLE,)
    pairs = iter_pairs(opponents(index_paths(work)))
    is_much = next(islice(pairs, MANY_PAIRS, None), None) is not None
    return (Part.COMPARISONS, Part.PATHS) if is_much else (Part.WHOLE,)


def is_huge(work: FamilyWork) -> bool:
    """Return whether all that is known of a family takes much memory."""
    return sum(map(_size_bytes, work.tree.turns.values())) > HUGE_BYTES


def _size_bytes(turn: Turn) -> int:
    return sum(placed.envelope.size_bytes for placed in turn.records)


def _place(turn: Turn) -> tuple[int, int]:
    return (turn.source, turn.records[0].envelope.line if turn.records else 0)


def _agents_alone(session: SessionWork) -> SessionWork:
    """Return a session with nothing but its agents: turns link to them."""
    return replace(session, paths=(), dropped=(), issues=(), mentions=())
