"""What was read of each file, for as long as its bytes stay the same, or more follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import DIGEST_BYTES, digest_hex, digest_value
from everyleaf.records.filefacts import FileFacts
from everyleaf.records.index import Indexed
from everyleaf.state.contents import digest_code

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.config import RedactOptions
    from everyleaf.memo import Memo
    from everyleaf.sources.files import SourceFile


def index_scope(redact: RedactOptions) -> str:
    """Return where in the memo of an archive its index stands."""
    return "index, masked" if redact.is_on else "index, raw"


class IndexState(Struct):
    """The index of earlier builds, one value a file, named by all that it was made of."""

    store: Memo

    def keeper(self, source: SourceFile, content: str, mask: str) -> Keeper | None:
        """Return what remembers what `source` holds while its bytes are `content`.

        `mask` is a digest of what is masked in it. None where nothing is to be remembered.
        """
        if not content or self.store.folder is None:
            return None
        inputs = _circumstances(source, mask)
        # The place of the file is in no name.
        name = f"index-{digest_value([*inputs, content])}"
        name_of_last = f"last-{digest_value(inputs)}"
        for used in (name, _facts_name(name), name_of_last):
            self.store.use(used)
        self.store.expect([_facts_name(name)])
        return Keeper(self.store, name, name_of_last, inputs, content)


class Keeper(Struct, frozen=True):
    """Remembers what one file holds; goes to the process that reads it."""

    memo: Memo
    name: str
    """Of the file as it is now, and as it is read."""
    name_of_last: str
    """Of the digest of the bytes that were read last."""
    inputs: list[object]
    content: str

    def find_facts(self) -> FileFacts | None:
        """Return the facts of the file, which are remembered once all that it holds is."""
        return self.memo.load(_facts_name(self.name), FileFacts)

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
        name = f"index-{digest_value([*self.inputs, content])}"
        known = self.memo.load(name, Indexed, is_used=False)
        if known is None or known.ending is None:
            return None
        if digest_beginning(source.location, known.ending.offset) != content:
            return None
        return known

    def keep(self, indexed: Indexed, facts: FileFacts) -> bool:
        """Remember that the file holds this; return whether that could be done."""
        memo = self.memo
        memo.save(self.name_of_last, self.content)
        return memo.save(self.name, indexed) and memo.save(_facts_name(self.name), facts)


def _facts_name(name: str) -> str:
    return f"facts-{name}"


def digest_beginning(location: Path, size_bytes: int) -> str:
    """Return the digest of the first bytes of a file; empty if there are not so many."""
    try:
        with location.open("rb") as file:
            body = file.read(size_bytes)
    except OSError:
        return ""
    return digest_hex(body, size=DIGEST_BYTES) if len(body) == size_bytes else ""


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
