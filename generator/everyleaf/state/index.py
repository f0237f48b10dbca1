"""What was read of each file, for as long as its bytes stay the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from everyleaf.fingerprint import digest_value
from everyleaf.records.index import Indexed
from everyleaf.state.contents import digest_code

if TYPE_CHECKING:
    from everyleaf.sources.files import SourceFile
    from everyleaf.state.store import Store


@dataclass(slots=True)
class IndexState:
    """The index of earlier builds, one value a file, named by all that it was made of."""

    store: Store

    def find(
        self, source: SourceFile, content: str, *, source_index: int
    ) -> Indexed | None:
        """Return what `source` held when its bytes had the digest `content`, if known."""
        known = self.store.load(_name(source, content), Indexed) if content else None
        if known is None:
            return None
        return replace(known, records=replace(known.records, source=source_index))

    def keep(self, source: SourceFile, content: str, indexed: Indexed) -> None:
        """Remember that `source`, while its bytes have the digest `content`, holds this."""
        if content:
            self.store.save(_name(source, content), indexed)


def _name(source: SourceFile, content: str) -> str:
    """Return a name of everything that an index is made of; the place is not in it."""
    made_of = [
        source.project,
        source.file,
        source.session,
        source.role,
        source.agent_id,
        source.meta,
        sorted(source.agents),
        content,
        digest_code(),
    ]
    return f"index-{digest_value(made_of)}"
