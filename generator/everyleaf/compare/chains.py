"""From two paths as turns to their comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.compare.attempt import Attempt, Parting
from everyleaf.compare.comparison import compare_paths
from everyleaf.compare.files import compare_files
from everyleaf.graph.forest import TurnKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.compare.comparison import Comparison
    from everyleaf.compare.sketch import TurnSketch
    from everyleaf.compare.touches import TurnFiles
    from everyleaf.graph.forest import Turn


def compare_chains(
    parting: Parting,
    *,
    read_files: Callable[[Turn], TurnFiles],
    sketch: Callable[[Turn], TurnSketch],
) -> Comparison:
    """Return the comparison of two paths that part as `parting` says.

    Args:
        parting: The two, cut where they part (`part_ways`).
        read_files: Says what a turn did to files; asked for one turn more than once.
        sketch: Makes the sketch of a turn; called for turns after the fork alone.

    Cost: that of the turns after the fork, and of what `compare_files` reads before it.
    """
    found = compare_paths(
        [sketch(turn) for turn in parting.left.own],
        [sketch(turn) for turn in parting.right.own],
        shared=parting.messages,
        split=parting.split,
        files=compare_files(parting, read_files),
    )
    return replace(
        found,
        left=replace(found.left, beyond=parting.left.beyond),
        right=replace(found.right, beyond=parting.right.beyond),
    )


def cut_after_prompts(parting: Parting) -> Parting:
    """Return `parting` with no more than the prompts if one side got no reply.

    There is nothing to hold the rest of the other side against.
    """
    if _is_silent(parting.left) or _is_silent(parting.right):
        return replace(parting, left=_first(parting.left), right=_first(parting.right))
    return parting


def _is_silent(attempt: Attempt) -> bool:
    return bool(attempt.own) and all(turn.kind is TurnKind.PROMPT for turn in attempt.own)


def _first(attempt: Attempt) -> Attempt:
    return Attempt(attempt.shared, attempt.own[:1])
