"""Reading the files of an archive into the index, as far as they are not known yet."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.records.index import index_file
from everyleaf.redact.masking import open_mask
from everyleaf.workers import InProcess, collector_paused, iter_done, next_shift

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from everyleaf.records.indexed import Indexed
    from everyleaf.redact.masking import Mask
    from everyleaf.redact.redaction import Redaction
    from everyleaf.sources.files import SourceFile
    from everyleaf.state.index import IndexState, Keeper
    from everyleaf.workers import OnProgress

LITTLE_BYTES = 1_000_000


class KnownFiles(Struct, frozen=True):
    """What earlier builds read; without a state, nothing."""

    state: IndexState | None = None
    contents: Mapping[int, str] = field(default_factory=dict["int", "str"])
    """Source → digest of the bytes that it has now; empty where it cannot be read."""

    def find(self, number: int, file: SourceFile, mask: str) -> Indexed | None:
        """Return what `file` holds, if an earlier build read and masked the same bytes.

        `mask` is a digest of what is masked in it.
        """
        if self.state is None:
            return None
        content = self.contents.get(number, "")
        return self.state.find(file, content, mask, source_index=number)

    def find_before(self, number: int, file: SourceFile, mask: str) -> Indexed | None:
        """Return what the lines hold that `file` begins with, if they are known."""
        if self.state is None:
            return None
        return self.state.find_before(file, mask, source_index=number)

    def keeper(self, number: int, file: SourceFile, mask: str) -> Keeper | None:
        """Return what remembers, in whichever process, what `file` holds."""
        if self.state is None:
            return None
        return self.state.keeper(file, self.contents.get(number, ""), mask)


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
    ) -> tuple[list[Indexed], int]:
        """Return what each of `files` holds, in their order, and how many bytes were read.

        Large files are begun first. When all are read, the next shift of processes begins:
        before what was read is decoded here, since each of them keeps what it begins with.
        """
        masks = {file.session: "" for file in files.values()}
        masks = {session: self._redaction.digest(session) for session in masks}
        indexed = {n: self._known.find(n, f, masks[f.session]) for n, f in files.items()}
        missing = [
            self._task(number, file, masks[file.session])
            for number, file in files.items()
            if not indexed[number]
        ]
        missing.sort(key=lambda task: -task.size_bytes)
        read = sum(task.size_bytes for task in missing)
        # A little is read sooner than a worker has begun.
        reader = InProcess() if read < LITTLE_BYTES else self._executor
        encoded: dict[int, bytes] = {}
        for done, (place, one) in enumerate(iter_done(reader, _index_one, missing), 1):
            task = missing[place]
            encoded[task.number] = one
            on_progress("reading", done, len(missing))
        next_shift(self._executor)
        for task in missing:
            # From our own workers, as all that they return is.
            indexed[task.number] = pickle.loads(encoded.pop(task.number))  # noqa: S301
        return [one for one in indexed.values() if one is not None], read

    def _task(self, number: int, file: SourceFile, mask: str) -> _Task:
        before = self._known.find_before(number, file, mask)
        keeper = self._known.keeper(number, file, mask)
        return _Task(number, file, self._redaction.mask(file.session), before, keeper)


def _index_one(task: _Task) -> bytes:
    """Remember what a file holds, and return it pickled: few bytes, and decoded later."""
    with collector_paused():
        indexed = _read(task)
        if task.keeper is not None:
            task.keeper.keep(indexed)
        return pickle.dumps(indexed)


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
