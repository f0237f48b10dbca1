"""Where two paths part: the turns that both have, and those of each alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Turn, TurnKind
from everyleaf.model import Kind
from everyleaf.transcript.edits import count_alike


class Attempt(Struct, frozen=True):
    """One of two paths, cut where they part."""

    shared: tuple[Turn, ...]
    """From the root on; of two sessions' copies, this path's own. Turns long before the
    fork may be missing, but not the first."""
    own: tuple[Turn, ...]
    beyond: int = 0
    """Conversation records of its own after these, which are not looked at."""


class ForkSplit(Struct, frozen=True):
    """Two paths, cut after the last turn that both have."""

    left: Attempt
    right: Attempt
    messages: int
    """Conversation records that both begin with."""
    split: int = 0
    """How many of them stand in the first own turn of each side: it parts inside."""


def part_ways(left: Sequence[Turn], right: Sequence[Turn]) -> ForkSplit:
    """Return two paths, each from its root on, cut where their records begin to differ.

    Records are the same if their canonical ids are, in whatever file they stand. A turn of
    which the two share only the beginning is the first of what is their own.
    """
    turns = messages = split = 0
    for one, other in zip(left, right, strict=False):
        ids, others = conversation_ids(one), conversation_ids(other)
        if ids != others:
            split = count_alike(ids, others)
            break
        turns += 1
        messages += len(ids)
    return ForkSplit(
        Attempt(tuple(left[:turns]), tuple(left[turns:])),
        Attempt(tuple(right[:turns]), tuple(right[turns:])),
        messages + split,
        split,
    )


def cut_after_prompts(split: ForkSplit) -> ForkSplit:
    """Return `split` without what was asked later if one side got no reply.

    There is nothing to hold the rest of the other side against.
    """
    sides = (split.left, split.right)
    replies = [{turn.kind for turn in side.own} - {TurnKind.PROMPT} for side in sides]
    if all(found or not side.own for found, side in zip(replies, sides, strict=True)):
        return split
    left, right = map(_first_round, sides)
    return replace(split, left=left, right=right)


def _first_round(side: Attempt) -> Attempt:
    """Return what `side` begins with, and what was done until the next prompt."""
    work = takewhile(lambda turn: turn.kind is not TurnKind.PROMPT, side.own[1:])
    own = (*side.own[:1], *work)
    return Attempt(side.shared, own, side.beyond if own == side.own else 0)


def conversation_ids(turn: Turn) -> tuple[str, ...]:
    """Return the canonical ids of the turn's conversation records, in file order."""
    return tuple(one.canonical for one in turn.records if one.kind is not Kind.NOTE)
