"""What turns did to files: told by the records that they are drawn of, else read again."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from everyleaf.compare.touches import read_turn_files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from everyleaf.compare.touches import FileTouch, TurnFiles
    from everyleaf.graph.forest import Turn
    from everyleaf.model import Envelope
    from everyleaf.pages.work import TurnKey
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.build import Load

MOST_CHARACTERS = 4_000_000
"""Of contents that are kept while turns are drawn; what goes beyond is read again."""
KNOWN_CHARS = 16_000_000
"""Characters that are remembered: a turn that edits files holds their whole contents."""
_LEAST = 2_000
"""What a turn takes that holds nothing, in characters."""
_EACH = 300
"""What a touch, a replacement or a line takes beside its text."""


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


class KnownFiles:
    """Reads what turns did to files, and remembers those that were asked for last."""

    def __init__(self, read: Callable[[TurnKey], TurnFiles]) -> None:
        """Take what reads a turn; nothing is read before it is asked for."""
        self._read = read
        self._known: dict[TurnKey, TurnFiles] = {}
        self._chars = 0

    def find(self, key: TurnKey) -> TurnFiles:
        """Return what a turn did to files."""
        found = self._known.pop(key, None)
        if found is None:
            found = self._read(key)
            self._chars += _chars(found)
        # Behind all others: the first is the one that was not asked for the longest.
        self._known[key] = found
        while self._chars > KNOWN_CHARS:
            self._chars -= _chars(self._known.pop(next(iter(self._known))))
        return found


def _chars(files: TurnFiles) -> int:
    return _LEAST + sum(map(_touch_chars, files.touches))


def _touch_chars(touch: FileTouch) -> int:
    replaced = sum(len(each.old) + len(each.new) for each in touch.replacements)
    lines = [line.text for hunk in touch.hunks for line in hunk.lines]
    values = _EACH * (1 + len(touch.replacements) + len(lines))
    whole = len(touch.before or "") + len(touch.after or "")
    return values + whole + replaced + sum(map(len, lines))
