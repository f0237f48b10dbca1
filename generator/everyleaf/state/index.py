"""What was read of each file, for as long as its bytes stay the same, or more follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import DIGEST_BYTES, digest_hex
from everyleaf.fingerprint import digest_value
from everyleaf.records.indexed import Indexed
from everyleaf.state.contents import digest_code
from everyleaf.state.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.sources.files import SourceFile


class IndexState(Struct):
    """The index of earlier builds, one value a file, named by all that it was made of."""

    store: Store

    def find(
        self, source: SourceFile, content: str, mask: str, *, source_index: int
    ) -> Indexed | None:
        """Return what `source` held when its bytes had the digest `content`, if known.

        `mask` is a digest of what is masked in it.
        """
        if not content:
            return None
        known = self.store.load(_name(source, content, mask), Indexed)
        if known is None:
            return None
        self.store.use(_name_of_last(source, mask))
        return replace(known, records=replace(known.records, source=source_index))

    def find_before(
        self, source: SourceFile, mask: str, *, source_index: int
    ) -> Indexed | None:
        """Return what the lines held that `source` begins with, if that can be proved.

        The proof is a digest of their bytes; sizes and times say nothing.
        """
        content = self.store.load(_name_of_last(source, mask), str)
        if not content:
            return None
        known = self.store.load(_name(source, content, mask), Indexed, is_used=False)
        if known is None or known.ending is None:
            return None
        if digest_beginning(source.location, known.ending.offset) != content:
            return None
        return replace(known, records=replace(known.records, source=source_index))

    def keeper(self, source: SourceFile, content: str, mask: str) -> Keeper | None:
        """Return what remembers what `source` holds while its bytes are `content`.

        None where nothing is to be remembered.
        """
        if not content or self.store.folder is None:
            return None
        names = (_name(source, content, mask), _name_of_last(source, mask))
        for name in names:
            self.store.use(name)
        return Keeper(self.store.folder, *names, content)


class Keeper(Struct, frozen=True):
    """Remembers what one file holds; goes to the process that reads it."""

    folder: Path
    name: str
    name_of_last: str
    content: str

    def keep(self, indexed: Indexed) -> None:
        """Remember that the file holds this."""
        store = Store(self.folder)
        store.save(self.name, indexed)
        store.save(self.name_of_last, self.content)


def digest_beginning(location: Path, size_bytes: int) -> str:
    """Return the digest of the first bytes of a file; empty if there are not so many."""
    try:
        with location.open("rb") as file:
            body = file.read(size_bytes)
    except OSError:
        return ""
    return digest_hex(body, size=DIGEST_BYTES) if len(body) == size_bytes else ""


def _name(source: SourceFile, content: str, mask: str) -> str:
    """Return a name of everything that an index is made of; the place is not in it."""
    return f"index-{digest_value([*_circumstances(source, mask), content])}"


def _name_of_last(source: SourceFile, mask: str) -> str:
    """Return a name for the digest of the bytes that were read last."""
    return f"last-{digest_value(_circumstances(source, mask))}"


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
