"""What turns did to files: told by the records that they are drawn of, else read again."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from everyleaf.compare.touches import read_turn_files

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from everyleaf.compare.touches import TurnFiles
    from everyleaf.graph.forest import Turn
    from everyleaf.model import Envelope
    from everyleaf.pages.work import TurnKey
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.build import Load
    from everyleaf.transcript.edits import FileTouch

KNOWN_CHARS = 16_000_000
"""Characters that are remembered: a turn that edits files holds their whole contents."""
_LEAST = 2_000
"""What a turn takes that holds nothing, in characters."""
_EACH = 300
"""What a touch, a replacement or a line takes beside its text."""


class TouchedFiles:
    """Knows what turns did to files; those asked for last are remembered."""

    def __init__(
        self, turns: Mapping[TurnKey, Turn], load: Load, asked: Collection[TurnKey] = ()
    ) -> None:
        """Read the records of `turns` by `load`; those `asked` may be asked for later."""
        self._turns = turns
        self._load = load
        self._asked = asked
        self._known: dict[TurnKey, TurnFiles] = {}
        self._chars = 0
        self._is_full = False

    def watch(self, turn: Turn) -> Load | None:
        """Return what loads the records of `turn` for who draws it, and looks at them.

        None where nothing of them will be asked, or no more can be remembered.
        """
        key = (turn.session, turn.index)
        # An agent's turn may have the index of one of its session's.
        is_asked = key in self._asked and self._turns[key] is turn
        if not is_asked or self._is_full:
            return None

        def load(source: int, envelopes: Sequence[Envelope]) -> Sequence[AnyRecord]:
            records = self._load(source, envelopes)
            if source == turn.source and _are_all(envelopes, turn):
                self._remember(key, read_turn_files(turn, lambda _source, _some: records))
            return records

        return load

    def of(self, turn: Turn) -> TurnFiles:
        """Return what the records of `turn` say about files."""
        key = (turn.session, turn.index)
        found = self._known.get(key) or read_turn_files(self._turns[key], self._load)
        self._remember(key, found)
        return found

    def _remember(self, key: TurnKey, files: TurnFiles) -> None:
        if self._known.pop(key, None) is None:
            self._chars += _chars(files)
        # Behind all others: the first is the one that was not asked for the longest.
        self._known[key] = files
        while self._chars > KNOWN_CHARS:
            self._is_full = True
            self._chars -= _chars(self._known.pop(next(iter(self._known))))


def _are_all(envelopes: Sequence[Envelope], turn: Turn) -> bool:
    own = [placed.envelope for placed in turn.records]
    return len(envelopes) == len(own) and all(map(is_, envelopes, own))


def _chars(files: TurnFiles) -> int:
    return _LEAST + sum(map(_touch_chars, files.touches))


def _touch_chars(touch: FileTouch) -> int:
    replaced = sum(len(each.old) + len(each.new) for each in touch.replacements)
    lines = [line.text for hunk in touch.hunks for line in hunk.lines]
    values = _EACH * (1 + len(touch.replacements) + len(lines))
    whole = len(touch.before or "") + len(touch.after or "")
    return values + whole + replaced + sum(map(len, lines))
