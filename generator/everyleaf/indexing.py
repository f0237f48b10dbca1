"""Reading the files of an archive into the index, as far as they are not known yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.records.filefacts import FileFacts, facts_of
from everyleaf.records.index import Indexed, index_file
from everyleaf.redact.masking import open_mask
from everyleaf.workers import InProcess, collector_paused, iter_done, next_shift

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from everyleaf.redact.masking import Mask
    from everyleaf.redact.redaction import Redaction
    from everyleaf.sources.files import SourceFile
    from everyleaf.state.index import IndexState, Keeper
    from everyleaf.workers import OnProgress

LITTLE_BYTES = 1_000_000


class KnownFiles(Struct, frozen=True):
    """What earlier builds read; without a state, nothing."""

    state: IndexState | None = None
    contents: Mapping[int, str] = field(default_factory=dict[int, str])
    """Source → digest of the bytes that it has now; empty where it cannot be read."""

    def keeper(self, number: int, file: SourceFile, mask: str) -> Keeper | None:
        """Return what remembers what `file` holds; None: nothing is to be remembered.

        `mask` is a digest of what is masked in it.
        """
        if self.state is None:
            return None
        return self.state.keeper(file, self.contents.get(number, ""), mask)


class IndexedFile(Struct, frozen=True):
    """A file of which the facts are known, and where all else is that was read of it."""

    number: int
    """What records name their source by."""
    file: SourceFile
    mask: Mask
    facts: FileFacts
    keeper: Keeper | None
    body: bytes = b""
    """What was read, encoded, where nothing remembers it."""

    @property
    def made_of(self) -> str:
        """Return a name for its bytes and how it was read; empty: that is not known."""
        return self.keeper.name if self.keeper else ""

    def load(self) -> Indexed:
        """Return what the file holds; it is read again if that was lost meanwhile."""
        if self.body:
            indexed = msgspec.msgpack.decode(self.body, type=Indexed)
        else:
            known = self.keeper.load() if self.keeper else None
            indexed = known or _read(_Task(self.number, self.file, self.mask, None, None))
        return replace(indexed, records=replace(indexed.records, source=self.number))


class _Task(Struct, frozen=True):
    """A file to be read."""

    number: int
    file: SourceFile
    mask: Mask
    before: Indexed | None
    """What is known of the lines that it begins with."""
    keeper: Keeper | None
    """None: what it holds is not to be remembered."""

    @property
    def size_bytes(self) -> int:
        """Return how much is to be read of it."""
        ending = self.before.ending if self.before else None
        return self.file.size_bytes - (ending.offset if ending else 0)


class FileReader:
    """Reads files that are not known yet, masked."""

    def __init__(self, executor: Executor, known: KnownFiles, redaction: Redaction) -> None:
        """Read with `executor` what is not `known`; what is masked, `redaction` says."""
        self._executor = executor
        self._known = known
        self._redaction = redaction

    def run(
        self, files: Mapping[int, SourceFile], on_progress: OnProgress
    ) -> tuple[dict[int, IndexedFile], int]:
        """Return what is known of `files`, in their order, and how many bytes were read.

        Large files are begun first. When all are read, the next shift of processes begins:
        each of them keeps what it begins with.
        """
        masks = {file.session: "" for file in files.values()}
        masks = {session: self._redaction.digest(session) for session in masks}
        indexed: dict[int, IndexedFile | None] = {}
        missing: list[_Task] = []
        for number, file in files.items():
            keeper = self._known.keeper(number, file, masks[file.session])
            facts = keeper.find_facts() if keeper else None
            mask = self._redaction.mask(file.session)
            indexed[number] = None
            if facts is not None:
                indexed[number] = IndexedFile(number, file, mask, facts, keeper)
            else:
                before = keeper.find_before(file) if keeper else None
                missing.append(_Task(number, file, mask, before, keeper))
        missing.sort(key=lambda task: -task.size_bytes)
        read = sum(task.size_bytes for task in missing)
        # A little is read sooner than a worker has begun.
        reader = InProcess() if read < LITTLE_BYTES else self._executor
        for done, (place, one) in enumerate(iter_done(reader, _index_one, missing), 1):
            task = missing[place]
            facts, body = one
            indexed[task.number] = IndexedFile(
                task.number, task.file, task.mask, facts, task.keeper, body
            )
            on_progress("reading", done, len(missing))
        next_shift(self._executor)
        return {number: one for number, one in indexed.items() if one is not None}, read


def _index_one(task: _Task) -> tuple[FileFacts, bytes]:
    """Read a file; return its facts, and the rest encoded unless it is remembered."""
    with collector_paused():
        indexed = _read(task)
        facts = facts_of(indexed)
        if task.keeper is not None and task.keeper.keep(indexed, facts):
            return facts, b""
        return facts, msgspec.msgpack.encode(indexed)


def _read(task: _Task) -> Indexed:
    if task.mask.is_empty:
        return index_file(
            task.file, source_index=task.number, before=task.before, is_folding=True
        )
    redactor = open_mask(task.mask)
    known = redactor.counts.copy()
    indexed = index_file(
        task.file,
        source_index=task.number,
        redact=redactor.record,
        may_hold=redactor.may_hold,
        before=task.before,
        is_folding=True,
    )
    counted = redactor.counts - known
    if task.before is not None:
        counted.update(dict(task.before.counts.redactions))
    redactions = tuple(sorted(counted.items()))
    return replace(indexed, counts=replace(indexed.counts, redactions=redactions))
