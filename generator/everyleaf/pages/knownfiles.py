"""What turns did to files, remembered while that does not take much memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.compare.touches import FileTouch, TurnFiles
    from everyleaf.pages.work import TurnKey

KNOWN_CHARS = 16_000_000
"""Characters that are remembered: a turn that edits files holds their whole contents."""
_LEAST = 2_000
"""What a turn takes that holds nothing, in characters."""
_EACH = 300
"""What a touch, a replacement or a line takes beside its text."""


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
