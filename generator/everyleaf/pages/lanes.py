"""Where the runs of a session stand in a picture of its tree: a lane a path, a row a run.

At a fork the ways that were left come first and the one that the lane follows comes last.
So all that hangs from a run ends before its lane goes on, and no two lines ever cross.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.pages.facts import RunFacts


class Placed(Struct, frozen=True):
    """A run in its place."""

    run: RunFacts
    row: int
    """From 0, downwards."""
    lane: int
    """From 0, to the right; all runs of a lane have the same `path`."""
    above: int | None
    """Index of the run that it goes on from; None: it begins a conversation."""
    is_last: bool
    """Nothing goes on from here."""


def place_runs(runs: Sequence[RunFacts]) -> tuple[Placed, ...]:
    """Return `runs` (parents first) in their places, by row. Linear."""
    below = _below(runs)
    lanes: dict[int, int] = {}
    placed: list[Placed] = []
    waiting: list[tuple[RunFacts, int | None]] = [(run, None) for run in below[0][::-1]]
    while waiting:
        run, above = waiting.pop()
        row = len(placed)
        lane = lanes.setdefault(run.path, len(lanes))
        children = below.get(run.number, [])
        placed.append(Placed(run, row, lane, above, is_last=not children))
        # A stack: what is put on it last is drawn first.
        on = [child for child in children if child.path == run.path]
        left = [child for child in children if child.path != run.path]
        waiting.extend((child, row) for child in (*on, *left[::-1]))
    return tuple(placed)


def only_paths(runs: Sequence[RunFacts], paths: Iterable[int]) -> tuple[RunFacts, ...]:
    """Return the runs that `paths` are made of, joined where no fork is left between two.

    `paths` must hold the path of every run that one of them goes through, as the first few
    by rank do.
    """
    wanted = frozenset(paths)
    kept = [run for run in runs if run.path in wanted]
    below = _below(kept)
    joined: dict[int, RunFacts] = {}
    into: dict[int, int] = {}
    for run in kept:
        target = into.get(run.parent, run.parent)
        before = joined.get(target)
        if before and len(below[run.parent]) == 1 and before.origin == run.origin:
            joined[target] = _join(before, run)
            into[run.number] = target
        else:
            joined[run.number] = replace(run, parent=target)
    return tuple(joined.values())


def _below(runs: Iterable[RunFacts]) -> dict[int, list[RunFacts]]:
    below: defaultdict[int, list[RunFacts]] = defaultdict(list)
    for run in runs:
        below[run.parent].append(run)
    return below


def _join(run: RunFacts, following: RunFacts) -> RunFacts:
    return replace(
        run,
        messages=run.messages + following.messages,
        prompts=run.prompts + following.prompts,
        compactions=run.compactions + following.compactions,
        agents=run.agents + following.agents,
    )
