"""Builds again when sessions grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.errors import EveryleafError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Sequence
    from pathlib import Path

QUIET_MS = 400
"""A change is built when nothing more has come for so long."""
LONGEST_MS = 1600
"""Or after so long: a session that is being written never rests."""

_KINDS = (".jsonl", ".json", ".txt")
"""Session files, what links agents to them, and outputs that were written apart."""


def watch_sources(
    sources: Sequence[Path],
    rebuild: Callable[[], None],
    on_error: Callable[[EveryleafError], None],
    *,
    stop: threading.Event,
) -> None:
    """Call `rebuild`, and again after each change of a session file, until `stop` is set.

    An error of a later build goes to `on_error`: the next change may mend it.

    Raises:
        EveryleafError: the first build failed.
    """
    from watchfiles import watch  # noqa: PLC0415  (only where something is watched)

    changes = watch(
        *sources,
        watch_filter=_is_session_file,
        debounce=LONGEST_MS,
        step=QUIET_MS,
        stop_event=stop,
        rust_timeout=QUIET_MS,
        yield_on_timeout=True,
        raise_interrupt=True,
    )
    # What changes from here on is known, also while the first build runs.
    next(changes, None)
    rebuild()
    for changed in changes:
        if not changed:
            continue
        try:
            rebuild()
        except EveryleafError as error:
            on_error(error)


def _is_session_file(_change: object, file: str) -> bool:
    return file.endswith(_KINDS)
