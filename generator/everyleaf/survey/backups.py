"""What the CLI kept of files before it changed them: `file-history` and its records."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.records.mending import load_strict
from everyleaf.records.text import as_object, as_text
from everyleaf.sources.lines import iter_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from everyleaf.sources.files import SourceFile

READ_LIMIT_BYTES = 16 * 1024 * 1024
"""A larger backup is not read."""
_NAME = re.compile(r"[0-9A-Za-z]{1,64}@v[0-9]{1,9}")
_TYPES = ("file-history-snapshot", "file-history-delta")


class Backup(Struct, frozen=True):
    """What a file held when a message was sent."""

    message: str
    """uuid of the message."""
    file: str
    """As the CLI tracks it: from its working folder, or the whole name."""
    name: str
    """Of the copy, in the session's folder of `file-history`."""


def history_dir(source: SourceFile) -> Path | None:
    """Return the folder with the backups of a session, if there is one."""
    for folder in source.location.resolve().parents:
        if folder.name == "projects":
            found = folder.parent / "file-history" / source.session
            is_own = _is_plain(source.session) and found.is_dir()
            return found if is_own and not found.is_symlink() else None
    return None


def _is_plain(name: str) -> bool:
    return name not in {"", ".", ".."} and not set(name) & set("/\\\0")


def iter_backups(location: Path) -> Iterator[Backup]:
    """Yield the backups that the records of a session file tell of, in file order."""
    for line in iter_lines(location):
        if b"file-history-" in line.data:
            raw = load_strict(line.data)
            if raw is not None and raw.get("type") in _TYPES:
                yield from _told(raw)


def _told(raw: dict[str, object]) -> Iterator[Backup]:
    message = as_text(raw.get("messageId"))
    snapshot = as_object(raw.get("snapshot")) or {}
    tracked = dict(as_object(snapshot.get("trackedFileBackups")) or {})
    file = as_text(raw.get("trackingPath"))
    if file:
        tracked[file] = raw.get("backup")
    for name, value in tracked.items():
        kept = as_text((as_object(value) or {}).get("backupFileName"))
        if message and kept and _NAME.fullmatch(kept):
            yield Backup(message, name, kept)


def read_backup(folder: Path, name: str, mask: Callable[[str], str]) -> str | None:
    """Return the text of a backup, masked; None where it is gone, no text, or too large."""
    location = folder / name
    try:
        if location.is_symlink() or location.stat().st_size > READ_LIMIT_BYTES:
            return None
        return mask(location.read_bytes().decode())
    except (OSError, UnicodeDecodeError):
        return None
