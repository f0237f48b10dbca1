"""Envelopes of archives that were never written: shapes that make a path engine slow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.digest import digest_int
from everyleaf.model import Envelope, Kind, SessionRecords

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FILES = 2_000
DEPTH = 200_000
"""Records in one file of the deep shapes, at most."""
COPIES = 10
FORK_EVERY = 10


def plain(size: int) -> list[SessionRecords]:
    """Return `size` records in 2,000 files, each one chain of prompts and replies."""
    return [
        _session(f"plain-{number:04}", _chain(f"p{number}-", count))
        for number, count in _shares(size, FILES)
    ]


def forked(size: int) -> list[SessionRecords]:
    """Return `size` records in 2,000 files, every tenth a prompt that was retyped."""
    return [
        _session(f"forked-{number:04}", _forks(f"f{number}-", count))
        for number, count in _shares(size, FILES)
    ]


def copied(size: int) -> list[SessionRecords]:
    """Return `size` records in 2,000 files, of which ten each begin with the same 90 %."""
    sessions: list[SessionRecords] = []
    for group, count in _shares(size, FILES):
        family = group // COPIES
        common = list(_forks(f"c{family}-", count * 9 // 10))
        own = _chain(f"o{group}-", count - len(common), after=common[-1], line=len(common))
        sessions.append(_session(f"copied-{group:04}", iter([*common, *own])))
    return sessions


def deep(size: int) -> list[SessionRecords]:
    """Return `size` records in chains of up to 200,000."""
    return [
        _session(f"deep-{number:04}", _chain(f"d{number}-", count))
        for number, count in _shares(size, -(-size // DEPTH))
    ]


def deep_forked(size: int) -> list[SessionRecords]:
    """Return `size` records in files of up to 200,000, every tenth a prompt retyped."""
    return [
        _session(f"deep-forked-{number:04}", _forks(f"g{number}-", count))
        for number, count in _shares(size, -(-size // DEPTH))
    ]


SHAPES: dict[str, Callable[[int], list[SessionRecords]]] = {
    "plain": plain,
    "fork-heavy": forked,
    "copy-heavy": copied,
    "deep": deep,
    "deep, fork-heavy": deep_forked,
}


def _shares(size: int, files: int) -> Iterator[tuple[int, int]]:
    for number in range(files):
        yield number, size * (number + 1) // files - size * number // files


def _session(name: str, records: Iterator[Envelope]) -> SessionRecords:
    return SessionRecords(
        session=name, project="bench", file=f"{name}.jsonl", records=tuple(records)
    )


def _chain(
    prefix: str, count: int, *, after: Envelope | None = None, line: int = 0
) -> Iterator[Envelope]:
    parent = after.uuid if after else None
    for number in range(count):
        record = _record(
            f"{prefix}{number}", parent, line + number + 1, is_prompt=number % 2 == 0
        )
        parent = record.uuid
        yield record


def _forks(prefix: str, count: int) -> Iterator[Envelope]:
    parent: str | None = None
    is_prompt = True
    forks = 1
    for number in range(count):
        record = _record(f"{prefix}{number}", parent, number + 1, is_prompt=is_prompt)
        yield record
        if is_prompt and number >= forks * FORK_EVERY - 2:
            forks += 1  # a leaf: the next prompt hangs from what this one hung from
        else:
            parent = record.uuid
            is_prompt = not is_prompt


def _record(uuid: str, parent: str | None, line: int, *, is_prompt: bool) -> Envelope:
    digest = digest_int(uuid.encode())
    return Envelope(
        uuid=uuid,
        parent_uuid=parent,
        kind=Kind.PROMPT if is_prompt else Kind.REPLY,
        line=line,
        offset=line * 1_000,
        size_bytes=1_000,
        # Seconds of one day would repeat, and equal records are replays of each other.
        timestamp=f"2026-01-01T00:00:00.{line:06}Z",
        digest=digest,
        message_id=None if is_prompt else f"msg_{uuid}",
        request_id=None if is_prompt else f"req_{uuid}",
        blocks=(digest,) if is_prompt else (),
        words=f"Prompt {line}" if is_prompt else "",
    )
