"""What was found in a source, remembered by its content, so that it is looked at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.memo import open_memo
from everyleaf.redact.gather import Scanned

if TYPE_CHECKING:
    from pathlib import Path

_KEPT_DAYS = 30
"""As long as the CLI keeps a session."""


class Mark(NamedTuple):
    """How far a source was scanned."""

    size_bytes: int
    digest: str
    """Of so many bytes."""
    key: str
    """Under which is kept what they hold."""


class Memory:
    """Findings in a folder that only its owner can read: the values stand in it."""

    def __init__(self, folder: Path | None) -> None:
        """Remember in `folder`; nothing is without one, or in one that others may write."""
        self._found = None if folder is None else open_memo(folder, "found")

    def load(self, key: str) -> Scanned | None:
        """Return what was kept under `key`; None if nothing there can be believed."""
        return self._found.load(key, Scanned) if self._found else None

    def keep(self, key: str, scanned: Scanned) -> None:
        """Keep `scanned` under `key`; where the folder cannot be written, forget it."""
        if self._found:
            self._found.save(key, scanned)

    def load_mark(self, place: str) -> Mark | None:
        """Return how far the source called `place` was scanned; None if that is unknown."""
        return self._found.load(f"mark {place}", Mark) if self._found else None

    def keep_mark(self, place: str, mark: Mark) -> None:
        """Remember how far the source called `place` was scanned."""
        if self._found:
            self._found.save(f"mark {place}", mark)

    def forget_old(self) -> None:
        """Delete what no build asked for in a month."""
        if self._found:
            self._found.drop_older(_KEPT_DAYS)
