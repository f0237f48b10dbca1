"""What `everyleaf list` remembers of large archives: it is asked again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from everyleaf.fingerprint import digest_value
from everyleaf.indexing import KnownFiles
from everyleaf.sources.discover import default_inputs
from everyleaf.sources.files import number_files
from everyleaf.state.contents import CHUNK_BYTES, digest_code, digest_found
from everyleaf.state.index import IndexState
from everyleaf.state.store import Store, open_notes
from everyleaf.transcript.turnfacts import Usage
from everyleaf.workers import SMALL_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from everyleaf.sources.files import Found

Answer = tuple[str, str, Usage]
"""(response, model, tokens); a response without an id is named by its place."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What is known of files with these bytes."""

    store: Store
    contents: Mapping[int, str]
    """Source → digest of the bytes that it has now; empty where it cannot be read."""

    @property
    def files(self) -> KnownFiles:
        """Return what `read_archive` need not read."""
        return KnownFiles(IndexState(self.store), self.contents)

    def answers(self, source: int) -> list[Answer] | None:
        """Return the responses in a file, if they are known."""
        name = self._name(source)
        return self.store.load(name, list[Answer]) if name else None

    def keep(self, source: int, answers: list[Answer]) -> None:
        """Remember the responses in a file."""
        name = self._name(source)
        if name:
            self.store.save(name, answers)

    def _name(self, source: int) -> str:
        content = self.contents.get(source, "")
        return f"answers-{digest_value([content, digest_code()])}" if content else ""


def open_list_notes(sources: Sequence[Path], found: Found, *, is_masked: bool) -> Notes:
    """Return what is known of `found`; of a small archive, nothing is worth remembering.

    Reads every byte once: times and sizes can lie.
    """
    if found.size_bytes < SMALL_BYTES:
        return Notes(Store(None), {})
    purpose = "list" if is_masked else "list --raw"
    store = open_notes(purpose, sources or [default_inputs()])
    if store.folder is None:
        return Notes(store, {})
    buffer = bytearray(CHUNK_BYTES)
    numbered = number_files(found.files)
    contents = {n: digest_found(file, buffer) for n, file in numbered.items()}
    return Notes(store, contents)
