"""Reads the turns of a family: their documents, and what they say about files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from everyleaf.compare.touches import TurnFiles
    from everyleaf.graph.forest import Turn
    from everyleaf.pages.work import FamilyWork, TurnKey
    from everyleaf.transcript.document import TurnDocument


class FamilyReader:
    """Reads each turn of a family at most once in each form."""

    def __init__(self, work: FamilyWork) -> None:
        """Read the turns of `work` as they are asked for."""
        # Half a second to import, and not needed where all that was seen is remembered.
        from everyleaf.pages.sourcing import open_builder, open_loader  # noqa: PLC0415

        self.work = work
        self._load = open_loader(work)
        self._build = open_builder(work)
        self._documents: dict[TurnKey, TurnDocument] = {}
        self._files: dict[str, TurnFiles] = {}

    def document(self, key: TurnKey) -> TurnDocument:
        """Return the document of a turn."""
        if key not in self._documents:
            self._documents[key] = self._build(self.work.tree.turns[key], ())
        return self._documents[key]

    def files(self, turn: Turn) -> TurnFiles:
        """Return what a turn says about files."""
        from everyleaf.compare.touches import read_turn_files  # noqa: PLC0415  (slow, too)

        first = turn.records[0].envelope.uuid
        if first not in self._files:
            self._files[first] = read_turn_files(turn, self._load)
        return self._files[first]

    def turns(self, leaf: TurnKey) -> list[Turn]:
        """Return the turns from the root to `leaf`."""
        return [self.work.tree.turns[key] for key in self.work.tree.chain(leaf)]
