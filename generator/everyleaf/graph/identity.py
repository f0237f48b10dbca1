"""Which records are the same record: canonical ids and replays (`paths.md` §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.model import Envelope, SessionRecords

_Key = TypeVar("_Key")

# Looking up a member of an enum costs ten times a name in Python 3.11; this is a hot path.
_PROMPT, _REPLY, _RESULT = Kind.PROMPT, Kind.REPLY, Kind.RESULT


class Origins:
    """Names for the one record behind many copies: each uuid leads to its canonical id."""

    __slots__ = ("_origin",)

    def __init__(self) -> None:
        """Start with no copies known: every uuid is its own canonical id."""
        self._origin: dict[str, str] = {}

    def note_copies(self, records: Iterable[Envelope]) -> None:
        """Learn where `records` say they were copied from; of one uuid the first counts."""
        for record in records:
            fork = record.forked_from
            if fork is not None and fork.uuid != record.uuid:
                self._origin.setdefault(record.uuid, fork.uuid)

    def note_replay(self, uuid: str, original: str) -> None:
        """Learn that the record `uuid` is the record `original` written again."""
        if uuid != original:
            self._origin.setdefault(uuid, original)

    def canonical_of(self, records: Sequence[Envelope]) -> list[str]:
        """Return the canonical id of each of `records`."""
        if not self._origin:
            return [record.uuid for record in records]
        return [self.canonical(record.uuid) for record in records]

    def canonical(self, uuid: str) -> str:
        """Return the canonical id of `uuid`: the end of its chain of copies.

        A loop of copies ends at the lowest uuid in it. Amortised near-constant: chains are
        compressed as they are followed.
        """
        origin = self._origin
        if uuid not in origin:
            return uuid
        trail: dict[str, None] = {}
        at = uuid
        while at in origin and at not in trail:
            trail[at] = None
            at = origin[at]
        if at in trail:
            names = list(trail)
            at = min(names[names.index(at) :])
            del origin[at]
        for name in trail:
            if name != at:
                origin[name] = at
        return at


def learn_origins(files: Iterable[SessionRecords]) -> Origins:
    """Return what the `forkedFrom` fields of all `files` say, in the order given."""
    origins = Origins()
    for file in files:
        origins.note_copies(file.records)
    return origins


class ReplayFinder:
    """Recognises records that repeat an earlier one of their session under a fresh uuid."""

    __slots__ = ("_prompts", "_replies", "_results")

    def __init__(self) -> None:
        """Start without any record seen."""
        self._replies: dict[tuple[str, str | None, int, str], int] = {}
        self._results: dict[tuple[tuple[str, ...], str], int] = {}
        self._prompts: dict[tuple[str, int], list[tuple[int, tuple[int, ...]]]] = {}

    def find_original(self, record: Envelope, position: int) -> int | None:
        """Return the position of the record that `record` repeats, else remember it."""
        if not record.timestamp:
            return None
        kind = record.kind
        if kind is _REPLY and record.message_id:
            message = (record.message_id, record.request_id)
            key = (*message, record.digest, record.timestamp)
            return _first(self._replies, key, position)
        if kind is _PROMPT and record.blocks:
            return self._find_prompt(record, position)
        if kind is _RESULT and record.tool_use_ids:
            return _first(self._results, (record.tool_use_ids, record.timestamp), position)
        return None

    def _find_prompt(self, record: Envelope, position: int) -> int | None:
        seen = [self._prompts.get((record.timestamp, block)) for block in record.blocks]
        if all(seen):
            wanted = set(record.blocks)
            fewest = min((found for found in seen if found), key=len)
            for original, blocks in fewest:
                if wanted.issubset(blocks):
                    return original
        for block in record.blocks:
            self._prompts.setdefault((record.timestamp, block), []).append(
                (position, record.blocks)
            )
        return None


def _first(seen: dict[_Key, int], key: _Key, position: int) -> int | None:
    original = seen.setdefault(key, position)
    return None if original == position else original
