"""Which off-tree records a version of the CLI reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.records.recover import read_object

if TYPE_CHECKING:
    from everyleaf.revise.session import OpenSession

CUSTOM_TITLE_SINCE = (2, 0, 64)
"""`/rename` came with it (changelog of the CLI)."""
EXPLICIT_PROMPT_SINCE = (2, 1, 218)
"""Writes and honours `last-prompt` with `explicit` (measured, `format.md` §4.3)."""

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


def knows(version: tuple[int, ...] | None, since: tuple[int, int, int]) -> bool:
    """Return whether `version` is not older than `since`; an unknown one counts as new."""
    return version is None or version >= since


def last_version(session: OpenSession) -> tuple[int, ...] | None:
    """Return the version that wrote the last record of the conversation, if it says so."""
    raw = read_object(session.location, session.conversation[-1])
    found = _VERSION.match(str(raw.get("version", "")))
    return tuple(map(int, found.groups())) if found else None
