r"""A text in the forms that readers get it in, each with the way back to the text.

    "key: \\u001b[1msk-\\u001b[0mabc\\\\nB"   as it stands
    "key: sk-abc\\nB"                      without colours, zero-width characters, marks
    "key: sk-abc⏎B"                        escapes resolved, level by level

A form is made by passes that take out or replace pieces of the text below. Where a piece
stood is asked for rarely, so it is found out then, by running the pass once more.
"""

from __future__ import annotations

import base64
import html
import re
import sys
from bisect import bisect_right
from contextlib import suppress
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from everyleaf.redact.engine import Gate, compile_pattern
from everyleaf.redact.tables import HEADS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from everyleaf.redact.engine import Pattern

MOST_LEVELS = 3
"""As often may one text be escaped: a tool's JSON in a record of JSON in a log."""

_WIDTHLESS = (
    r"\x{ad}\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{200b}-\x{200f}"
    r"\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}\x{ffa0}"
    r"\x{fff9}-\x{fffb}\x{e0000}-\x{e0fff}"
)
"""Characters without width, as RE2 writes them."""
_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_ODD = re.compile(
    "["
    + _CONTROL
    + re.sub(r"\\x\{([0-9a-f]+)\}", lambda code: chr(int(code[1], 16)), _WIDTHLESS)
    + r"](?:(?<=\x1b)(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~])"
    r"|(?<=\x9b)[0-?]*[ -/]*[@-~])?"
)
"""Colour codes, titles of terminals, and what has no width."""
_STRUCK = re.compile(r"[^\n]\x08")
"""What was written over."""
_MARK = re.compile(
    r"[*`~<'\"](?:(?:(?<=[\w=+/.:@%-]\*)\*{0,2}|(?<=[\w=+/.:@%-]`)`{0,2}|(?<=[\w=+/.:@%-]~)~)"
    r"(?=[\w=+/.:@%-])|(?<=<)/?(?:b|i|em|strong|mark|wbr|span|u|code)\b[^<>]{0,80}>"
    r"|(?:(?<=\w')'|(?<=\w\")\")(?=\w))"
)
"""What Markdown draws in another way, inside of a word."""
_GUTTER = re.compile(
    r"^(?:[ \t]*\d{1,7}(?:→|\t| ?[|│:] ?)|[+\-<>|](?!----) ?|(?:#|//|\*) "
    r"|[\w./+-]{1,100}[:-]\d{1,7}[:-])",
    re.MULTILINE,
)
"""Numbers of lines, places in files, signs of a diff, what quotes or comments a line."""
_BREAK = re.compile(
    r"(?<=[\w~+/=.:-])[ \t]*[|\u2502\u2503]?[ \t]*\r?\n(?:[ \t]*\d{1,7}[\u2192\t])?[|\u2502\u2503>+-]?[ \t]*"
    r"(?=([\w~+/.-]{6,}(?:=[0-9A-F]{8}|={0,2}))(?![ \t]*[=:])(?:[\s|\u2502\u2503\"'`,;?!@&)\]}<>\\]|\Z))"
)
"""Where a terminal may have broken a word: at the end of a line, maybe in a frame."""
_NARROWEST = 40
"""Fewer columns has no terminal."""
_ESCAPE = re.compile(
    r"\\(?:u([0-9A-Fa-f]{4}|\{[0-9A-Fa-f]{1,6}\})|x([0-9A-Fa-f]{2})|(?:0?33|e)(?=\[)|(\r?\n)"
    r"|([^\w\s]|[_nrtbfv]))|((?:%[0-9A-Fa-f]{2})+)(?![A-Za-z_]\w*%(?![0-9A-Fa-f]{2}))"
    r"|&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});"
)
_ESCAPING = re.compile(r"[\\%&]")
_LETTERS = {"n": "\n", "r": "\n", "t": "\t", "b": "", "f": "\n", "v": "\n"}
_BASE64 = (
    r"(?:[A-Za-z0-9+/]{60,76}\r?\n)+[A-Za-z0-9+/]{2,}|[A-Za-z0-9+/]{20,}|[A-Za-z0-9_-]{32,}"
)
_BASE64_OF_TEXT = (
    r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){5,}"
    r"|[A-Za-z0-9+/]{4}={0,2}[\"']?[ \t]*\|[ \t]*base64[ \t]"
)
"""Base64 of bytes below 128: of each four characters, three come from half of all.

Or what a command says is base64, however short.
"""
_LONGEST_BASE64 = 200_000
_READABLE = re.compile(r"[\t\n\r -~\u00a1-\uffef]+")
TAG = r"(?:b|i|em|strong|mark|wbr|span|u|code)"
"""Elements that may stand in a word."""


class Shape(IntEnum):
    """What a text may hold that takes more than a look at it as it stands."""

    LINES = 0
    """What stands in the lines below its name."""
    PRIVATE_KEY = 1
    TABLE = 2
    """Names of passwords where columns have theirs."""
    PACKED = -1
    """Base64 of text; no pattern of `SHAPES`, but looked for only where it may stand."""


SHAPES = (
    r"(?i)PRIVATE[\s_-]*(?:KEY|LINES)|(?:pass\w*|secret|token|key)[\"']?\s*[:=]\s*[|>]?-?\s*\n|[^pP]assword[^\n]{0,30}\n",
    "PRIVATE|PuTTY",
    HEADS,
)
"""Patterns of what is in each text of such a shape."""
UNSEEN = (
    rf"[{_CONTROL}{_WIDTHLESS}]",
    r"[\w=+/.:@%-](?:\*|~~|`)[\w=+/.:@%*`-]|[^\x00-\x7f](?:\*|~~|`)|(?:\*|~|`)[^\x00-\x7f]"
    rf"|\w</?{TAG}\b|</{TAG}>\w|\w(?:''|\"\")\w",
)
"""Patterns of what a reader does not see: characters without width, marks in a word."""
HIDING = (
    r"(?:hooks|amzn|xoxe|ya29|dp|s[lk]|hv[bsr]|SG)\\\.|\\(?:[-_\n]|u\{?00[0-7]|u(?:20|fe|FE|18|17)|x[01-7]|(?:0?33|e)\[)|%(?:2[5bBdDeEfF]|3[AaDd]|40|5[fF]|[46][0-9a-fA-F]|[57][0-9aA])|&#",
)
"""Escapes that may be inside of a key."""


_GAP = "\n" * 10
"""More ends of lines than there are within any secret."""
_MANY_LINES = {Shape.PRIVATE_KEY, Shape.TABLE}


class Pass(NamedTuple):
    """Takes a text to its next form: what `pattern` finds becomes what `shown` says."""

    pattern: re.Pattern[str]
    shown: Callable[[re.Match[str]], str] | str
    """Makes what is shown of what was found; or that itself, which takes less time."""


class View:
    """One form of a text; `text` is what can be looked through."""

    __slots__ = (
        "_below",
        "_body",
        "_edits",
        "_how",
        "cut",
        "hiding",
        "lists",
        "shapes",
        "signs",
        "text",
        "unseen",
    )

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
        self._edits: list[Edit] | None = None
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
        self.unseen: list[int] | None = None
        """Behind which bytes something may stand that a reader does not see; None: nobody
        looked."""

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
        if isinstance(self._how, tuple) and not isinstance(self._how, Pass):
            return self._below.origin(*self._how)
        if self._edits is None:
            self._edits = (
                list(_iter_edits(self._below.text, self._how))
                if isinstance(self._how, Pass)
                else self._how
            )
        first, last = self._last_edit(start), self._last_edit(end - 1)
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
        first = len(self.body[:start].decode(errors="replace"))
        return first, first + len(self.body[start:end].decode(errors="replace"))

    def lines(
        self, ends: Sequence[int], *, below: int, above: int = 0
    ) -> list[tuple[int, int]]:
        """Return where the runs of lines are in which there is a byte before one of `ends`.

        With as many lines `above` and `below` each. Linear.
        """
        if not ends:
            return []
        spans = _lines_around(self.body, ends, above, below)
        if len(self.body) == len(self.text):
            return spans
        return list(self._in_characters(spans))

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

    def _in_characters(self, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield spans of bytes as spans of characters."""
        done = at = 0
        for start, end in spans:
            first = at + len(self.body[done:start].decode(errors="replace"))
            at = first + len(self.body[start:end].decode(errors="replace"))
            done = end
            yield first, at

    def _last_edit(self, at: int) -> Edit | None:
        """Return the last edit that begins at or before a place of this form."""
        edits = self._edits or []
        found = bisect_right(edits, at, key=lambda edit: edit.here) - 1
        return edits[found] if found >= 0 else None


def _lines_around(
    body: bytes, ends: Sequence[int], above: int, below: int
) -> list[tuple[int, int]]:
    """Return where the lines are in which something ends, with some `above` and `below`.

    In order, what touches as one span. Linear but for the sorting of `ends`.
    """
    spans: list[tuple[int, int]] = []
    line_end = -1
    for at in sorted({end - 1 for end in ends if end}):
        if at <= line_end:
            continue
        start = body.rfind(b"\n", 0, at) + 1
        for _ in range(above if start else 0):
            start = body.rfind(b"\n", 0, max(start - 1, 0)) + 1
        end = line_end = _line_end(body, at)
        for _ in range(below):
            end = _line_end(body, end + 1)
        if spans and start <= spans[-1][1] + 1:
            start, _ = spans.pop()
        spans.append((start, end))
    return spans


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


def _join(match: re.Match[str]) -> str:
    """Return what stands for the end of a line: nothing, if a terminal broke it there."""
    begin = match.string.rfind("\n", 0, match.start()) + 1
    rest = match[1]
    is_random = any(map(str.isdigit, rest)) or not (
        rest.islower() or rest.istitle() or rest.isupper()
    )
    return "" if is_random and match.start() - begin >= _NARROWEST else match[0]


def _resolve(match: re.Match[str]) -> str:
    """Return what an escape stands for: JSON, shells, URLs, HTML."""
    unicode, byte, line_end, sign, percent = match.groups()
    if code := unicode or byte:
        number = int(code.strip("{}"), 16)
        return chr(number) if number <= sys.maxunicode else ""
    if sign:
        return _LETTERS.get(sign, sign)
    if percent:
        return unquote(percent)
    if match[0].startswith("&"):
        return html.unescape(match[0])
    return "" if line_end else "\x1b"


_NOTHING = Pass(_ODD, "")
_LAST_STRUCK = Pass(_STRUCK, "")
_UNMARKED = Pass(_MARK, "")
_PLAIN = Pass(_ESCAPE, _resolve)
_BARE = Pass(_GUTTER, "")
_JOINED = Pass(_BREAK, _join)


def iter_cleaned(view: View) -> Iterator[View]:
    """Yield a form as it is, and as readers get it where that differs; escapes stay.

    Of the latter, if someone looked at the former meanwhile: the lines that differ, with
    two above and below, and all of it only if it has what takes many lines.
    """
    yield view
    if view.unseen is None:
        if (clean := _cleaned(view)) is not view:
            yield clean
        return
    around = view.pieces(view.lines(view.unseen, above=2, below=2))
    if around is None or (lines := _cleaned(around)) is around:
        return
    if _MANY_LINES.isdisjoint(view.shapes) and "PRIVATE" not in lines.text:
        yield lines
        if Shape.TABLE not in lines.shapes:
            return
    yield _cleaned(view)


def iter_bare(view: View) -> Iterator[View]:
    """Yield further forms in which a key may stand of a text that someone looked at.

    Without the gutter of a listing where that matters, what base64 says, and the lines with
    escapes that can be inside of a key with those resolved. Linear.
    """
    has_packed = Shape.PACKED in view.shapes
    clean = _cleaned(view) if view.unseen else view
    is_listing = not {Shape.LINES, Shape.TABLE}.isdisjoint(view.shapes)
    if is_listing and (bare := clean.passed(_BARE)) is not clean:
        yield bare
    if has_packed:
        yield from _iter_decoded(clean)
    around = view.pieces(view.lines(view.hiding, above=2, below=2))
    for plain in iter_levels(_cleaned(around)) if around else ():
        yield plain
        if has_packed:
            yield from _iter_decoded(plain)


def unwrapped(view: View) -> View:
    """Return a form with the words whole that a terminal broke; this one if there is none."""
    return view.passed(_JOINED)


def iter_levels(view: View) -> Iterator[View]:
    """Yield a form with its escapes resolved, level by level, `MOST_LEVELS` at most."""
    for _ in range(MOST_LEVELS):
        if _ESCAPING.search(view.text) is None:
            return
        plain = view.passed(_PLAIN)
        if plain is view:
            return
        view = _cleaned(plain)
        yield view


def _cleaned(view: View) -> View:
    """Return a form without what a reader does not see; the same one if nothing is."""
    if "\x08" in view.text:
        view = view.passed(_LAST_STRUCK)
    return view.passed(_NOTHING).passed(_UNMARKED)


def without_width(text: str) -> str:
    """Return `text` without colours and what else has no width."""
    return _ODD.sub("", text)


def has_packed(body: bytes) -> bool:
    """Return whether there may be text in base64 in UTF-8."""
    return bool(_open_packed().match(body))


@cache
def _open_packed() -> Gate:
    return Gate([_BASE64_OF_TEXT])


def _iter_decoded(view: View) -> Iterator[View]:
    """Yield what base64 in a text says, if that is text; it stands for its whole run."""
    for match in _open_base64().finditer(view.body):
        start, end = match.span()
        run = view.body[start:end].translate(None, b"\r\n")  # It may be in lines.
        if len(run) > _LONGEST_BASE64:
            continue
        whole = len(run) - (len(run) % 4 == 1)
        packed = run[:whole] + b"=" * (-whole % 4)
        decoded = base64.b64decode(packed, altchars=_altchars(run))
        with suppress(UnicodeDecodeError):
            if _READABLE.fullmatch(text := decoded.decode()):
                yield View(text, view, view.span(start, end))


def _altchars(run: bytes) -> bytes:
    return b"-_" if b"-" in run or b"_" in run else b"+/"


@cache
def _open_base64() -> Pattern:
    return compile_pattern(_BASE64)
