"""What was found in a source, remembered by its content, so that it is scanned once."""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import mkstemp
from typing import NamedTuple, cast

import orjson

from everyleaf.cachedir import is_private
from everyleaf.redact.findings import Finding

_KEPT_SECONDS = 30 * 24 * 3600
"""As long as the CLI keeps a session."""


class Scanned(NamedTuple):
    """What a source holds that is to be masked."""

    findings: tuple[Finding, ...]
    """In the order of the source."""
    users: tuple[str, ...]


class Memory:
    """A folder that only its owner can read: the values that were found stand in it."""

    def __init__(self, folder: Path | None) -> None:
        """Remember in `folder`; nothing is without one, or in one that others may write."""
        self._folder = folder if folder is not None and _is_ours(folder) else None

    def load(self, key: str) -> Scanned | None:
        """Return what was kept under `key`; None if there is nothing that can be read."""
        if self._folder is None:
            return None
        file = self._folder / f"{key}.json"
        try:
            told = cast("dict[str, list[object]]", orjson.loads(file.read_bytes()))
            os.utime(file)
            findings = cast("list[list[object]]", told["findings"])
            return Scanned(
                tuple(_finding(fields) for fields in findings),
                tuple(str(user) for user in told["users"]),
            )
        except (OSError, orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            return None

    def keep(self, key: str, scanned: Scanned) -> None:
        """Keep `scanned` under `key`; where the folder cannot be written, forget it."""
        if self._folder is None:
            return
        try:
            handle, name = mkstemp(dir=self._folder)
            with os.fdopen(handle, "wb") as out:
                out.write(
                    orjson.dumps(
                        {
                            "findings": [tuple(one) for one in scanned.findings],
                            "users": scanned.users,
                        }
                    )
                )
            Path(name).replace(self._folder / f"{key}.json")
        except OSError:
            return

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
    kind, value, text, start, end, line = fields
    return Finding(
        str(kind), str(value), str(text), int(str(start)), int(str(end)), int(str(line))
    )
