"""Which paths of a family are held against each other on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import PathRef, Status
from everyleaf.pages.addresses import compare_url, relative
from everyleaf.pages.walk import first_paths
from everyleaf.render.view import NavLink
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from everyleaf.graph.forest import ConversationPath
    from everyleaf.pages.work import FamilyWork, TurnKey

MAX_COPIES = 8
"""Diverged copies that a path is compared with: of hundreds, no one reads all pairs."""

Pair = tuple[PathRef, PathRef]
"""Two paths that have a page together, the lower one first."""


def opponents(
    paths: Mapping[PathRef, ConversationPath],
) -> Mapping[PathRef, tuple[PathRef, ...]]:
    """Return, for each of the kept `paths` of a family, those it is compared with, sorted.

    An ABANDONED path stands against the one that took over, and a path against the copies
    of it that went on in other sessions.
    """
    found: dict[PathRef, set[PathRef]] = {}
    for ref, path in paths.items():
        others = [diverged.path for diverged in path.diverged[:MAX_COPIES]]
        if path.status is Status.ABANDONED and path.taken_over_by is not None:
            others.append(path.taken_over_by)
        for other in others:
            if other in paths and other != ref:
                found.setdefault(ref, set()).add(other)
                found.setdefault(other, set()).add(ref)
    return {ref: tuple(sorted(others)) for ref, others in sorted(found.items())}


def compared_turns(
    work: FamilyWork, compared: Mapping[PathRef, Sequence[PathRef]]
) -> Collection[TurnKey]:
    """Return the turns of the paths of a family that are `compared`. Linear."""
    items = (item for session in work.sessions for item in session.paths)
    return first_paths(work.tree, [item for item in items if item.path.ref in compared])


def iter_pairs(compared: Mapping[PathRef, Sequence[PathRef]]) -> Iterator[Pair]:
    """Yield each pair of `compared` once, in order."""
    for ref, others in compared.items():
        yield from ((ref, other) for other in others if ref < other)


def compare_links(ref: PathRef, others: Sequence[PathRef], here: str) -> Iterator[NavLink]:
    """Yield links from the page `here` of a path to its comparisons with `others`."""
    for other in others:
        words = f"path {other.number}"
        if other.session != ref.session:
            words = f"session {visible(other.session)[:8]}, {words}"
        yield NavLink(f"Compare with {words}", relative(here, compare_url(ref, other)))
