"""A guard against work that never ends: no measurement (those stand in `tests/bench/`)."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HANG_S = 90
"""CPU seconds after which work hangs, by `ends_soon`.

What is guarded takes a second or two alone on a machine. Coverage, a slow machine and
company make that ten; a search that backtracks or a loop over pairs takes minutes.
"""


HANG_MS = 30_000
"""Milliseconds of wall time after which a page hangs that answers within one."""


@contextmanager
def ends_soon() -> Iterator[None]:
    """Fail when the body used over `HANG_S` CPU seconds of this process."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < HANG_S, "hangs: work grows faster than input"
