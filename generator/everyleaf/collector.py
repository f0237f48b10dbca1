"""When processes may be forked, and their values looked through or given back."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from time import monotonic

FULL_AFTER_S = 10.0
"""Seconds after which a relaxed collector, in the end, looks at all values once."""
RELAXED_AFTER = 20_000
"""New values after which a relaxed collector looks at them; 700 is what Python does."""

_relaxing = threading.Lock()
_relaxed: list[tuple[int, int, int]] = []
"""The thresholds that each began with who relaxes the collector now."""
_is_shared = False
"""What this process was forked with is to stay shared with others."""
_next_full_s = monotonic() + FULL_AFTER_S
"""When to look at all values next; short builds never do."""


def is_forkable() -> bool:
    """Return whether to fork, which is fastest, and safe while there is no other thread."""
    return sys.platform == "linux" and threading.active_count() == 1


def keep_shared() -> None:
    """Never look for cycles among what this process was forked with.

    To look at a value writes to it: what processes share would be there in each of them.
    """
    global _is_shared  # noqa: PLW0603  (of the process, as the collector is)
    _is_shared = True
    gc.freeze()


@contextmanager
def collector_paused() -> Generator[None]:
    """Collect no cycles meanwhile: for work that makes many values, none of them in one.

    With millions of values alive, looking through them again and again takes a third of
    the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def collector_relaxed() -> Generator[None]:
    """Look for cycles rarely meanwhile, and only among values that are made meanwhile.

    What is left of them in the end is let go, so that memory does not grow from one piece
    of work to the next; now and then also what was there before and is in cycles by now:
    a worker of a cluster had nine million of such after 40 minutes. Without any collector
    a build took an eighth less time.
    """
    global _next_full_s  # noqa: PLW0603  (of the process, as the collector is)
    with _relaxing:
        _relaxed.append(gc.get_threshold())
        if len(_relaxed) == 1:
            if _is_shared:
                gc.collect()  # Of what is frozen now, no cycle is let go any more.
            gc.freeze()
            gc.set_threshold(RELAXED_AFTER, *_relaxed[0][1:])
    try:
        yield
    finally:
        gc.collect()
        with _relaxing:
            # Threads may end in any order; the first of them knows how it was.
            before = _relaxed[0]
            _relaxed.pop()
            if not _relaxed:
                gc.set_threshold(*before)
                if not _is_shared:
                    gc.unfreeze()
                    if (now := monotonic()) >= _next_full_s:
                        gc.collect()
                        _next_full_s = now + FULL_AFTER_S


def give_back() -> None:
    """Give memory that was freed back to the system, where the C library waits to be told.

    For who goes on beside others that need it.
    """
    # Slow to import, and of use to what takes much memory alone.
    import ctypes  # noqa: PLC0415

    if sys.platform == "linux":
        with suppress(AttributeError):  # Not every C library has it.
            ctypes.CDLL(None).malloc_trim(0)
