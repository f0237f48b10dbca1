"""Results that were too large for the session file and were written beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.transcript.tags import tag_body

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READ_LIMIT_BYTES = 16 * 1024 * 1024
"""Longest spilled output that is read; the rest of a longer one is left out."""

_TAG = "persisted-output"
_SAVED_TO = re.compile(r"(?:saved|persisted|written) to:? (\S[^\n]{0,4000})", re.IGNORECASE)
_PREVIEW = re.compile(r"Preview \([^)\n]{0,40}\):\n")


class Spilled(Struct, frozen=True):
    """A result of which the record holds a preview only."""

    name: str
    """Base name of the file that the whole was written to."""
    preview: str
    note: str
    """What the CLI says of it: how large it was."""


def read_spill(text: str) -> Spilled | None:
    """Return where the rest of a result is, or None for a result that is whole."""
    if f"<{_TAG}>" not in text[:200]:
        return None
    body = tag_body(text, _TAG)
    if body is None:
        return None
    saved = _SAVED_TO.search(body)
    preview = _PREVIEW.search(body)
    shown = body[preview.end() :] if preview else body
    note = body.lstrip().partition("\n")[0].partition(" Full output")[0]
    return Spilled(
        name=_base_name(saved[1]) if saved else "",
        preview=shown.strip("\n").removesuffix("\n..."),
        note=note,
    )


def _base_name(written: str) -> str:
    """Return the last part of a place on the machine that wrote it, whatever its system."""
    return written.strip().replace("\\", "/").rsplit("/", 1)[-1]


def open_spills(
    folder: Path | None, redact: Callable[[str], str]
) -> Callable[[str], str | None]:
    """Return a function that gives the text spilled to a base name, or None.

    Only files in `folder` itself are read: no other folder, no link that leads out of it,
    and nothing at all if it or the session's folder around it is a link.
    What they hold is masked by `redact`.
    """
    if folder is not None and (folder.is_symlink() or folder.parent.is_symlink()):
        folder = None

    def read(name: str) -> str | None:
        if folder is None or not name or name in {".", ".."} or "/" in name or "\0" in name:
            return None
        location = folder / name
        try:
            if location.resolve().parent != folder.resolve() or not location.is_file():
                return None
            with location.open("rb") as file:
                head = file.read(READ_LIMIT_BYTES)
        except (OSError, ValueError):
            return None
        return redact(head.decode("utf-8", errors="replace"))

    return read
