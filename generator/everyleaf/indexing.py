"""Reading the files of an archive into the index, as far as they are not known yet.

What was read of a file is known for as long as its bytes stay the same, or more follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from functools import partial
from itertools import product
from operator import attrgetter
from sys import intern

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from everyleaf.collector import collector_paused
from everyleaf.digest import digest_value
from everyleaf.memo import Memo
from everyleaf.records.index import Counts, FileFacts, Indexed, facts_of, index_file
from everyleaf.redact.masking import Mask, open_mask
from everyleaf.redact.redaction import Redaction
from everyleaf.sources.files import SourceFile
from everyleaf.state.contents import digest_code, digest_or_none
from everyleaf.workers import Engine, Load, OnProgress, iter_done, next_shift

_FACTS = "facts"


class IndexState:
    """The index of earlier builds: the facts of all files together, the rest by file."""

    def __init__(self, store: Memo, contents: Mapping[int, str]) -> None:
        """Look into `store`, in which each value is named by all that it was made of.

        `contents` is the digest of the bytes that each source has now; empty where it
        cannot be read.
        """
        self._store = store
        self.contents = contents
        self._parts = store.load(_FACTS, list[str]) or []
        self.facts = store.load_parts(self._parts, dict[str, FileFacts]) or {}
        """Those that were kept, by the names of their keepers."""

    def keeper(self, source: SourceFile, number: int, mask: str) -> Keeper | None:
        """Return what remembers what `source` holds while its bytes are what they are.

        `mask` is a digest of what is masked in it. None where nothing is to be remembered.
        """
        content = self.contents.get(number, "")
        if not content or self._store.folder is None:
            return None
        # The place of the file is in no name.
        whose = [source.project, source.file, source.session, source.role, source.agent_id]
        how = [source.meta, sorted(source.agents), mask, digest_code()]
        key = digest_value(whose + how)
        name, name_of_last = f"index-{key}-{content}", f"last-{key}"
        for used in (name, name_of_last):
            self._store.use(used)
        return Keeper(self._store, name, name_of_last, content)

    def keep_facts(self, facts: dict[str, FileFacts]) -> None:
        """Remember the facts of all files there are, by the names of their keepers."""
        parts = self._store.save_parts(facts, self.facts, self._parts)
        self._store.save(_FACTS, parts)


NOTHING_KNOWN = IndexState(Memo(None), {})
"""Of who keeps no state."""


class Keeper(Struct, frozen=True):
    """Remembers what one file holds; goes to the process that reads it."""

    memo: Memo
    name: str
    """Of the file as it is now, and as it is read."""
    name_of_last: str
    """Of the digest of the bytes that were read last."""
    content: str

    def load(self) -> Indexed | None:
        """Return what the file holds, if that is remembered whole."""
        return self.memo.load(self.name, Indexed)

    def find_before(self, source: SourceFile) -> Indexed | None:
        """Return what the lines held that `source` begins with, if that can be proved.

        The proof is a digest of their bytes; sizes and times say nothing.
        """
        content = self.memo.load(self.name_of_last, str)
        if not content:
            return None
        name = f"{self.name.rpartition('-')[0]}-{content}"
        known = self.memo.load(name, Indexed, is_used=False)
        if known is None or known.ending is None:
            return None
        if digest_or_none(source.place, known.ending.offset) != content:
            return None
        return known

    def keep(self, indexed: Indexed) -> bool:
        """Remember that the file holds this; return whether that could be done."""
        self.memo.save(self.name_of_last, self.content)
        return self.memo.save(self.name, indexed)


SECOND_BYTES = 20_000_000
"""As many bytes are read into the index in about a second."""
_NAMES = ("uuid", "parent_uuid", "message_id", "request_id", "agent_id")
UNKNOWN = FileFacts("", "", (), (False, ""), Counts(), (), b"")
"""Of a file that nobody has read."""


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
    def input_digest(self) -> str:
        """Return a name for its bytes and how it was read; empty: that is not known."""
        return self.keeper.name if self.keeper else ""

    def load(self) -> Indexed:
        """Return what the file holds; it is read again if that was lost meanwhile."""
        if self.body:
            indexed = msgspec.msgpack.decode(self.body, type=Indexed)
        else:
            known = self.keeper.load() if self.keeper else None
            indexed = known or _read(self, None)
        # One value of each name that several records hold: a tenth of their memory.
        records = (*indexed.records.records, *indexed.records.told)
        for one, field_name in product(records, _NAMES):
            if (name := getattr(one, field_name)) is not None:
                force_setattr(one, field_name, intern(name))
        return replace(indexed, records=replace(indexed.records, source=self.number))


class _Unread(Struct, frozen=True):
    """A file to be read, and what is known of the lines that it begins with."""

    file: IndexedFile
    before: Indexed | None
    is_known: bool = False
    """Who reads it finds what it began with the last time: that is not to travel."""

    @property
    def size_bytes(self) -> int:
        """Return how much is to be read of it."""
        ending = self.before.ending if self.before else None
        return self.file.file.size_bytes - (ending.offset if ending else 0)


def read_files(
    files: Mapping[int, SourceFile],
    executor: Executor,
    on_progress: OnProgress,
    *,
    known: IndexState,
    redaction: Redaction,
) -> tuple[dict[int, IndexedFile], int, tuple[str, ...]]:
    """Return what is known of `files`, in their order, and how many bytes were read.

    What is not `known` is read, masked. Large files are begun first. When all are read, the
    next shift of processes begins: each of them keeps what it begins with. Named at the
    end are files with which workers were lost again and again: of their sessions, no file
    is among those that are known.
    """
    sessions = {file.session for file in files.values()}
    masks = {session: redaction.mask(session) for session in sessions}
    # Most sessions have one in common, which is long.
    by_mask = {id(mask): mask for mask in masks.values()}
    named = {place: mask.digest() for place, mask in by_mask.items()}
    digests = {session: named[id(mask)] for session, mask in masks.items()}
    indexed: dict[int, IndexedFile] = {}
    unread: list[_Unread] = []
    for number, file in files.items():
        keeper = known.keeper(file, number, digests[file.session])
        facts = known.facts.get(keeper.name) if keeper else None
        mask = redaction.mask(file.session)
        one = IndexedFile(number, file, mask, facts or UNKNOWN, keeper)
        indexed[number] = one
        if facts is None and isinstance(executor, Engine):
            is_known = keeper is not None and keeper.memo.has(keeper.name_of_last)
            unread.append(_Unread(one, None, is_known=is_known))
        elif facts is None:
            unread.append(_Unread(one, keeper.find_before(file) if keeper else None))
    unread.sort(key=lambda one: -one.size_bytes)
    size_bytes = sum(one.size_bytes for one in unread)
    bytes_read = 0
    load = Load("reading", attrgetter("size_bytes"), SECOND_BYTES, size_bytes)
    lost: list[SourceFile] = []
    results = iter_done(executor, _index_one, unread, load=load, lost=lambda _: None)
    for done, (place, read) in enumerate(results, 1):
        one = unread[place].file
        if read is None:
            lost.append(one.file)
        else:
            facts, body, taken = read
            bytes_read += taken
            indexed[one.number] = replace(one, facts=facts, body=body)
        on_progress("reading", done, len(unread))
    next_shift(executor)
    gone = {file.session for file in lost}
    indexed = {n: one for n, one in indexed.items() if one.file.session not in gone}
    whole = (one for one in indexed.values() if one.keeper)
    known.keep_facts({one.input_digest: one.facts for one in whole})
    return indexed, bytes_read, tuple(sorted(file.file for file in lost))


def _index_one(unread: _Unread) -> tuple[FileFacts, bytes, int]:
    """Read a file; return its facts, the rest unless it is remembered, and bytes read."""
    with collector_paused():
        file = unread.file
        read = file.keeper.load() if file.keeper else None
        if read is not None:  # By a build that did not come to its end.
            return facts_of(read), b"", 0
        if unread.is_known and file.keeper is not None:
            unread = _Unread(file, file.keeper.find_before(file.file))
        indexed = _read(file, unread.before)
        is_kept = file.keeper is not None and file.keeper.keep(indexed)
        body = b"" if is_kept else msgspec.msgpack.encode(indexed)
        return facts_of(indexed), body, unread.size_bytes


def _read(one: IndexedFile, before: Indexed | None) -> Indexed:
    read = partial(
        index_file, one.file, source_index=one.number, before=before, is_folding=True
    )
    if one.mask.is_empty:
        return read()
    redactor = open_mask(one.mask)
    known = redactor.counts.copy()
    if before is not None:
        known.subtract(dict(before.counts.redactions))
    indexed = read(redact=redactor.record, may_hold=redactor.may_hold)
    redactions = tuple(sorted((redactor.counts - known).items()))
    return replace(indexed, counts=replace(indexed.counts, redactions=redactions))
