"""What was found in a source, remembered by its content, so that it is scanned once."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple, cast

import orjson

from everyleaf.cachedir import is_private
from everyleaf.redact.gather import Scanned
from everyleaf.redact.kinds import Finding
from everyleaf.redact.sealed import load_sealed, write_sealed

if TYPE_CHECKING:
    from pathlib import Path

_KEPT_SECONDS = 30 * 24 * 3600
"""As long as the CLI keeps a session."""


class Mark(NamedTuple):
    """How far a source was scanned."""

    size_bytes: int
    digest: str
    """Of so many bytes."""
    key: str
    """Under which is kept what they hold."""


class Memory:
    """A folder that only its owner can read: the values that were found stand in it."""

    def __init__(self, folder: Path | None) -> None:
        """Remember in `folder`; nothing is without one, or in one that others may write."""
        self._folder = folder if folder is not None and _is_ours(folder) else None

    def load(self, key: str) -> Scanned | None:
        """Return what was kept under `key`; None if there is nothing that can be read."""
        if self._folder is None:
            return None
        body = load_sealed(self._folder, f"{key}.json")
        if body is None:
            return None
        try:
            told = cast("dict[str, list[object]]", orjson.loads(body))
            os.utime(self._folder / f"{key}.json")
            findings = cast("list[list[object]]", told["findings"])
            return Scanned(
                tuple(_finding(fields) for fields in findings),
                tuple(str(user) for user in told["users"]),
            )
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            return None

    def keep(self, key: str, scanned: Scanned) -> None:
        """Keep `scanned` under `key`; where the folder cannot be written, forget it."""
        findings = [tuple(one) for one in scanned.findings]
        self._write(key, orjson.dumps({"findings": findings, "users": scanned.users}))

    def load_mark(self, place: str) -> Mark | None:
        """Return how far the source called `place` was scanned; None if that is unknown."""
        if self._folder is None:
            return None
        body = load_sealed(self._folder, f"{place}.json")
        if body is None:
            return None
        try:
            told: object = orjson.loads(body)
        except orjson.JSONDecodeError:
            return None
        match told:
            case [int(size), str(digest), str(key)]:
                return Mark(size, digest, key)
            case _:
                return None

    def keep_mark(self, place: str, mark: Mark) -> None:
        """Remember how far the source called `place` was scanned."""
        self._write(place, orjson.dumps(tuple(mark)))

    def _write(self, name: str, body: bytes) -> None:
        if self._folder is not None:
            write_sealed(self._folder, f"{name}.json", body)

    def forget_old(self) -> None:
        """Delete what no build asked for in a month."""
        if self._folder is None or not self._folder.is_dir():
            return
        oldest = time.time() - _KEPT_SECONDS
        for file in self._folder.glob("*.json"):
            try:
                if file.stat().st_mtime < oldest:
                    file.unlink()
            except OSError:
                continue


def _is_ours(folder: Path) -> bool:
    """Return whether `folder`, made where it is missing, can be believed."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return is_private(folder)
    except OSError:
        return False


def _finding(fields: list[object]) -> Finding:
    kind, value, text, start, end, line, seen = fields
    return Finding(
        str(kind),
        str(value),
        str(text),
        int(str(start)),
        int(str(end)),
        int(str(line)),
        str(seen),
    )
