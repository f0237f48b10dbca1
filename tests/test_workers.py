from __future__ import annotations

import gc
import weakref

from everyleaf.workers import collector_relaxed


class Node:
    """Refers to itself, so that only the collector lets it go."""

    def __init__(self) -> None:
        self.me = self


def test_a_relaxed_collector_is_as_it_was_afterwards() -> None:
    before = gc.get_threshold(), gc.get_freeze_count()

    with collector_relaxed():
        assert gc.get_threshold() != before[0]

    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_cycles_that_were_made_meanwhile_are_let_go_in_the_end() -> None:
    with collector_relaxed():
        watched = weakref.ref(Node())

    assert watched() is None
