"""What sessions were called when they were last read: a shell that asks cannot wait."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from everyleaf.config import RedactOptions
from everyleaf.digest import digest_value
from everyleaf.memo import open_archive_memo
from everyleaf.state.contents import digest_code


class ListedPath(Struct, frozen=True):
    """A path, as a shell offers it."""

    number: int
    words: str
    """Its status, and what it is about."""


class NamedSession(Struct, frozen=True):
    """A session, as a shell offers it; all words are masked."""

    project: str
    title: str
    ended: str
    paths: tuple[ListedPath, ...]
    locations: tuple[str, ...]
    """Where its own files are on this machine."""


def load_catalog(places: Sequence[Path], redact: RedactOptions) -> dict[str, NamedSession]:
    """Return the sessions that were last read in `places`, masked as `redact` says."""
    store = open_archive_memo("catalog", places)
    return store.load(_name(redact), dict[str, NamedSession]) or {}


def keep_catalog(
    places: Sequence[Path], redact: RedactOptions, sessions: Mapping[str, NamedSession]
) -> None:
    """Remember what was read in `places`."""
    store = open_archive_memo("catalog", places)
    store.save(_name(redact), sessions)
    store.drop_unused()


def _name(redact: RedactOptions) -> str:
    return f"sessions-{digest_value([redact, digest_code()])}"
