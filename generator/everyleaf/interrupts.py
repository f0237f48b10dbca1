"""Ctrl-C where there are several processes: one of them says so, the others just end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager


@contextmanager
def interrupts_held() -> Generator[None]:
    """Let Ctrl-C wait, for this process and for those that are started meanwhile.

    A process that has begun to be forked would else print where it was interrupted, and
    what Python calls after a fork would swallow the interrupt in this one.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows.
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_quietly(prepare: Callable[[], None] | None) -> None:
    """Make this process one that Ctrl-C ends at once, unless it is ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if prepare is not None:
        prepare()
