"""What was read of each file, for as long as its bytes stay the same, or more follow."""

from __future__ import annotations

from msgspec import Struct

from everyleaf.config import RedactOptions
from everyleaf.digest import digest_value
from everyleaf.memo import Memo
from everyleaf.records.filefacts import FileFacts
from everyleaf.records.index import Indexed
from everyleaf.sources.files import SourceFile
from everyleaf.state.contents import digest_code, digest_or_none

_FACTS = "facts"


def index_scope(redact: RedactOptions) -> str:
    """Return where in the memo of an archive its index stands."""
    return "index, masked" if redact.is_on else "index, raw"


class IndexState:
    """The index of earlier builds: the facts of all files together, the rest by file."""

    def __init__(self, store: Memo) -> None:
        """Look into `store`, in which each value is named by all that it was made of."""
        self._store = store
        self._facts = store.load(_FACTS, dict[str, FileFacts]) or {}

    def keeper(self, source: SourceFile, content: str, mask: str) -> Keeper | None:
        """Return what remembers what `source` holds while its bytes are `content`.

        `mask` is a digest of what is masked in it. None where nothing is to be remembered.
        """
        if not content or self._store.folder is None:
            return None
        # The place of the file is in no name.
        key = digest_value(_circumstances(source, mask))
        name, name_of_last = f"index-{key}-{content}", f"last-{key}"
        for used in (name, name_of_last):
            self._store.use(used)
        return Keeper(self._store, name, name_of_last, content)

    def find_facts(self, name: str) -> FileFacts | None:
        """Return the facts of the file whose keeper has this name."""
        return self._facts.get(name)

    def keep_facts(self, facts: dict[str, FileFacts]) -> None:
        """Remember the facts of all files there are, by the names of their keepers."""
        if facts.keys() != self._facts.keys():
            self._store.save(_FACTS, facts)
        self._store.use(_FACTS)


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

    def knows_last(self) -> bool:
        """Return whether the file may begin with what was read of it the last time."""
        return self.memo.has(self.name_of_last)

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


def _circumstances(source: SourceFile, mask: str) -> list[object]:
    return [
        source.project,
        source.file,
        source.session,
        source.role,
        source.agent_id,
        source.meta,
        sorted(source.agents),
        mask,
        digest_code(),
    ]
