"""What turns did to files: told by the records that they are drawn of, else read again."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from everyleaf.compare.touches import read_turn_files
from everyleaf.pages.knownfiles import KnownFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from everyleaf.compare.touches import FileTouch, TurnFiles
    from everyleaf.graph.forest import Turn
    from everyleaf.model import Envelope
    from everyleaf.pages.work import TurnKey
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.build import Load

MOST_CHARACTERS = 4_000_000
"""Of contents that are kept while turns are drawn; what goes beyond is read again."""


class TouchedFiles:
    """Knows what the turns of a family did to files, as far as it may be asked for it."""

    def __init__(
        self, turns: Mapping[TurnKey, Turn], load: Load, asked: Collection[TurnKey] = ()
    ) -> None:
        """Read the records of `turns` by `load`; it keeps what is told of those `asked`."""
        self._turns = turns
        self._load = load
        self._asked = asked
        self._kept: dict[TurnKey, TurnFiles] = {}
        self._room = MOST_CHARACTERS
        self._read = KnownFiles(lambda key: read_turn_files(turns[key], load))

    def watch(self, turn: Turn) -> Load | None:
        """Return what loads the records of `turn` for who draws it, and looks at them.

        None where nothing of them will be asked.
        """
        key = (turn.session, turn.index)
        # An agent's turn may have the index of one of its session's.
        is_asked = key in self._asked and self._turns[key] is turn
        if not is_asked or self._room <= 0:
            return None

        def load(source: int, envelopes: Sequence[Envelope]) -> Sequence[AnyRecord]:
            records = self._load(source, envelopes)
            if source == turn.source and _are_all(envelopes, turn):
                self._keep(turn, records)
            return records

        return load

    def of(self, turn: Turn) -> TurnFiles:
        """Return what the records of `turn` say about files."""
        key = (turn.session, turn.index)
        kept = self._kept.get(key)
        return self._read.find(key) if kept is None else kept

    def _keep(self, turn: Turn, records: Sequence[AnyRecord]) -> None:
        files = read_turn_files(turn, lambda _source, _envelopes: records)
        self._room -= sum(map(_characters, files.touches))
        if self._room > 0:
            self._kept[turn.session, turn.index] = files


def _are_all(envelopes: Sequence[Envelope], turn: Turn) -> bool:
    own = [placed.envelope for placed in turn.records]
    return len(envelopes) == len(own) and all(map(is_, envelopes, own))


def _characters(touch: FileTouch) -> int:
    replaced = sum(len(one.old) + len(one.new) for one in touch.replacements)
    return len(touch.before or "") + len(touch.after or "") + replaced
