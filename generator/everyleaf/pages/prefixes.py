"""Which pages leave out what they share with the path that took over, and link to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.config import SharedPrefix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.forest import ConversationPath, PathRef
    from everyleaf.pages.work import FamilyWork, SessionWork

SHARED_BUDGET = 5_000
"""Messages that the pages of a session's abandoned paths may repeat, all together."""


def find_linked(work: FamilyWork, mode: SharedPrefix) -> frozenset[PathRef]:
    """Return the paths of a family whose pages begin behind their fork point.

    Only abandoned paths leave something out: the path that took over is ACTIVE, and its
    page has all of it.
    """
    return frozenset(
        path.ref for session in work.sessions for path in _linked(session, mode)
    )


def is_over_budget(session: SessionWork) -> bool:
    """Return whether repeating what the paths of `session` share would take too much."""
    repeated = (item.path for item in session.paths if not item.path.is_withdrawn)
    return sum(path.shared for path in repeated) > SHARED_BUDGET


def _linked(session: SessionWork, mode: SharedPrefix) -> Iterator[ConversationPath]:
    links_all = mode is SharedPrefix.LINK or (
        mode is SharedPrefix.AUTO and is_over_budget(session)
    )
    for item in session.paths:
        path = item.path
        can_link = path.fork_point is not None and path.taken_over_by is not None
        is_short = path.is_withdrawn and mode is not SharedPrefix.FULL
        if can_link and (links_all or is_short):
            yield path
