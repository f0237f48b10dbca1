"""Sums that grow and shrink turn by turn: tokens, time, changed files.

What was added last is taken back first; both cost no more than what is added.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from everyleaf.transcript.document import FileChange
from everyleaf.transcript.turnfacts import Usage
from everyleaf.transcript.words import short_file
from everyleaf.transcript.worktime import GAP_MS, days_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.transcript.turnfacts import Response

    ResponseKey = tuple[str, str, int]
    """Message id, request id, and a number of its own where there is no message id."""


class Tokens:
    """Tokens, counted once a response, also where it is spread over several turns."""

    def __init__(self) -> None:
        """Begin with no response."""
        self._largest: dict[ResponseKey, Response] = {}
        self._undo: list[tuple[ResponseKey, Response | None] | None] = []
        """What each response took the place of; None: a larger one stood there."""
        self._sums = [0, 0, 0, 0]
        self._models: dict[str, list[int]] = {}
        """By model: responses, and their output tokens."""
        self._alone = 0

    def add(self, responses: Sequence[Response]) -> None:
        """Add the responses of a turn; of those that are one, the largest counts."""
        for response in responses:
            # One without an id is like no other.
            self._alone += 1
            alone = 0 if response.message_id else self._alone
            key = (response.message_id, response.request_id, alone)
            known = self._largest.get(key)
            if known is not None and response.usage.output < known.usage.output:
                self._undo.append(None)
            else:
                self._replace(key, known, response)
                self._undo.append((key, known))

    def take_back(self, responses: Sequence[Response]) -> None:
        """Take back the responses that were added last."""
        for _ in responses:
            replaced = self._undo.pop()
            if replaced is not None:
                key, before = replaced
                self._replace(key, self._largest[key], before)

    def _replace(
        self, key: ResponseKey, old: Response | None, new: Response | None
    ) -> None:
        for response, sign in ((old, -1), (new, 1)):
            if response is not None:
                self._count(response, sign)
        if new is None:
            del self._largest[key]
        else:
            self._largest[key] = new

    def _count(self, response: Response, sign: int) -> None:
        usage = response.usage
        for place, tokens in enumerate(
            (usage.input, usage.output, usage.cache_read, usage.cache_written)
        ):
            self._sums[place] += sign * tokens
        model = self._models.setdefault(response.model, [0, 0])
        model[0] += sign
        model[1] += sign * usage.output

    def usage(self) -> Usage:
        """Return the sum of all tokens."""
        return Usage(*self._sums)

    def shares(self) -> tuple[tuple[str, float], ...]:
        """Return (model, share of the output tokens from 0 to 1), largest share first."""
        used = {m: tokens for m, (count, tokens) in self._models.items() if m and count}
        total = sum(used.values())
        shares = ((m, tokens / total if total else 0.0) for m, tokens in used.items())
        return tuple(sorted(shares, key=lambda share: (-share[1], share[0])))


class Stretches:
    """Stretches of work, joined where no long pause is between them."""

    def __init__(self) -> None:
        """Begin with no work."""
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._undo: list[tuple[int, list[int], list[int]]] = []
        self.working_ms = 0
        """Milliseconds of work, pauses of more than half an hour left out."""

    @property
    def wall_ms(self) -> int:
        """Return the milliseconds from the first moment to the last."""
        return self._ends[-1] - self._begins[0] if self._ends else 0

    def days(self) -> tuple[str, ...]:
        """Return the days (UTC) that were worked on, in order."""
        return days_of(zip(self._begins, self._ends, strict=True))

    def add(self, spans: Iterable[tuple[int, int]]) -> None:
        """Add the stretches of a turn: (begin, end) in milliseconds, in any order."""
        for begin, end in spans:
            first = bisect_left(self._ends, begin - GAP_MS)
            last = bisect_right(self._begins, end + GAP_MS)
            begins, ends = self._begins[first:last], self._ends[first:last]
            self._undo.append((first, begins, ends))
            joined = (min([begin, *begins[:1]]), max([end, *ends[-1:]]))
            self._put(first, last, [joined[0]], [joined[1]])

    def take_back(self, spans: Sequence[tuple[int, int]]) -> None:
        """Take back the stretches that were added last."""
        for _ in spans:
            first, begins, ends = self._undo.pop()
            self._put(first, first + 1, begins, ends)

    def _put(self, first: int, last: int, begins: list[int], ends: list[int]) -> None:
        old = sum(self._ends[first:last]) - sum(self._begins[first:last])
        self.working_ms += sum(ends) - sum(begins) - old
        self._begins[first:last] = begins
        self._ends[first:last] = ends


class ChangedFiles:
    """Lines added to files and removed from them."""

    def __init__(self) -> None:
        """Begin with no file."""
        self._changes: dict[str, list[int]] = {}
        """By name as recorded: changes, lines added, lines removed."""

    def count(self, changes: Iterable[FileChange], sign: int) -> None:
        """Add the changes of a turn (`sign` 1), or take them back (-1)."""
        for change in changes:
            counted = self._changes.setdefault(change.file, [0, 0, 0])
            counted[0] += sign
            counted[1] += sign * change.added
            counted[2] += sign * change.removed

    def seen_from(self, folder: str) -> tuple[FileChange, ...]:
        """Return one change a file, sorted, named as seen from where the path began."""
        sums: dict[str, list[int]] = {}
        for name, (count, added, removed) in self._changes.items():
            if count:
                counted = sums.setdefault(short_file(name, folder), [0, 0])
                counted[0] += added
                counted[1] += removed
        return tuple(FileChange(file, *sums[file]) for file in sorted(sums))
