"""A text in one of the forms that readers get it in, with the way back to the text.

A form is made by passes that take out or replace pieces of the text below. Where a piece
stood is asked for rarely, so it is found out then, by running the pass once more.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact.engine import compile_pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from everyleaf.redact.engine import Passed

_GAP = "\n" * 10
"""More ends of lines than there are within any secret."""
_CONTINUING = bytes(range(0x80, 0xC0))
"""Bytes of UTF-8 that begin no character."""


class Pass(NamedTuple):
    """Takes a text to its next form: what `pattern` finds becomes what `shown` says."""

    pattern: re.Pattern[str]
    shown: Callable[[re.Match[str]], str] | str
    """Makes what is shown of what was found; or that itself, which takes less time."""


class View:
    """One form of a text; `text` is what can be looked through."""

    def __init__(
        self,
        text: str,
        below: View | None = None,
        how: Pass | tuple[int, int] | list[Edit] | None = None,
    ) -> None:
        """Show `text`, which a pass or edits made of `below`, or a piece of it says."""
        self.text = text
        self._body: bytes | None = None
        self._below = below
        self._how = how
        self._place = 0, 0
        """A place in bytes and in characters, from which the next one is counted."""
        self.shapes: set[int] = set()
        """Which of `SHAPES` are in the text, and more, where someone looked already."""
        self.signs: list[int] = []
        """Behind which bytes there is what tells of a password or a token."""
        self.hiding: list[int] = []
        """Behind which bytes there are escapes that may be inside of a key."""
        self.lists: list[int] = []
        """Behind which bytes lists of passwords or tokens begin."""
        self.cut: list[int] = []
        """Behind which bytes a line ends that may cut off a key."""
        self.near: list[int] = []
        """Behind which bytes there is a word near which secrets stand."""
        self.unseen: list[int] | None = None
        """Behind which bytes something may stand that a reader does not see; None: nobody
        looked."""

    def note(self, passed: Passed) -> None:
        """Keep what a gate said of the text."""
        self.shapes, ends = passed
        self.signs, self.unseen, self.hiding, self.lists, self.cut, self.near = ends

    @property
    def body(self) -> bytes:
        """Return the text in UTF-8, which is what patterns look through."""
        if self._body is None:
            self._body = self.text.encode(errors="replace")
        return self._body

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the text that all began with a piece of this form stands.

        What was taken out of the piece belongs to it; what was, just before and behind it,
        does not. The first time, linear in the text.
        """
        if self._below is None or self._how is None:
            return start, end
        if isinstance(self._how, Pass):
            self._how = [*_iter_edits(self._below.text, self._how)]
        if isinstance(self._how, tuple):
            return self._below.origin(*self._how)
        first, last = _last_edit(self._how, start), _last_edit(self._how, end - 1)
        if first is not None:
            inside = start < first.here_end
            start = first.start if inside else first.end + start - first.here_end
        if last is not None:
            inside = end < last.here_end
            end = last.end if inside else last.end + end - last.here_end
        return self._below.origin(start, end)

    def passed(self, how: Pass) -> View:
        """Return the form that a pass makes of this one; this one if nothing changes."""
        text = how.pattern.sub(how.shown, self.text)
        return self if text == self.text else View(text, self, how)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return a span of bytes of `body` as one of characters."""
        if len(self.body) == len(self.text):
            return start, end
        return self._character(start), self._character(end)

    def lines(
        self, ends: Sequence[int], *, below: int, above: int = 0
    ) -> list[tuple[int, int]]:
        """Return where the runs of lines are in which there is a byte before one of `ends`.

        With as many lines `above` and `below` each; in order, what touches as one span.
        Linear but for the sorting of `ends`.
        """
        spans: list[tuple[int, int]] = []
        line_end = -1
        for at in sorted({end - 1 for end in ends if end}):
            if at <= line_end:
                continue
            start = self.body.rfind(b"\n", 0, at) + 1
            for _ in range(above if start else 0):
                start = self.body.rfind(b"\n", 0, max(start - 1, 0)) + 1
            end = line_end = _line_end(self.body, at)
            for _ in range(below):
                end = _line_end(self.body, end + 1)
            if spans and start <= spans[-1][1] + 1:
                start, _ = spans.pop()
            spans.append((start, end))
        return [self.span(*one) for one in spans]

    def piece(self, start: int, end: int) -> View:
        """Return a form of one span of characters."""
        return View(self.text[start:end], self, [Edit(0, start, 0, 0)])

    def pieces(self, spans: Iterable[tuple[int, int]]) -> View | None:
        """Return a form of some spans of characters alone, many line ends between them.

        They are in order and do not overlap. None where there are none; linear.
        """
        parts: list[str] = []
        edits: list[Edit] = []
        done = here = 0
        for start, end in spans:
            if start > done:
                edits.append(Edit(done, start, here, here + len(_GAP)))
                parts.append(_GAP)
                here += len(_GAP)
            parts.append(self.text[start:end])
            here += end - start
            done = end
        return View("".join(parts), self, edits) if parts else None

    def found(self, heads: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield what a pattern finds that begins where RE2 finds one of `heads`.

        To look for what it begins with alone takes a tenth of the time, or less.
        """
        at = 0
        for head in compile_pattern(heads).finditer(self.body):
            start, _ = self.span(*head.span())
            if start >= at and (found := pattern.match(self.text, start)) is not None:
                at = found.end()
                yield found

    def _character(self, at: int) -> int:
        """Return which character begins at a byte; linear in how far it is from the last.

        What is asked for mostly comes in order.
        """
        done, count = self._place if self._place[0] <= at else (0, 0)
        count += len(self.body[done:at].translate(None, _CONTINUING))
        self._place = at, count
        return count


def _last_edit(edits: Sequence[Edit], at: int) -> Edit | None:
    """Return the last of some edits that begins at or before a place of their form."""
    found = bisect_right(edits, at, key=lambda edit: edit.here) - 1
    return edits[found] if found >= 0 else None


def _line_end(body: bytes, at: int) -> int:
    found = body.find(b"\n", at)
    return found if found >= 0 else len(body)


class Edit(NamedTuple):
    """A piece of a text, and what stands for it in the next form."""

    start: int
    end: int
    here: int
    here_end: int


def _iter_edits(text: str, how: Pass) -> Iterator[Edit]:
    shift = 0
    for match in how.pattern.finditer(text):
        here = match.start() + shift
        shown = how.shown if isinstance(how.shown, str) else how.shown(match)
        here_end = here + len(shown)
        shift = here_end - match.end()
        yield Edit(match.start(), match.end(), here, here_end)
