r"""What a search looks for: quickly in bytes as they are on disk, exactly in decoded text.

On disk a quote stands as `\"` and an `é` may stand as `\u00e9`. So only the longest piece
of the text that JSON leaves as it is, is looked for in the bytes; what that finds is
decoded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import regex
from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

PATTERN_SECONDS = 2.0
"""A regular expression may take so long for one text, then the search ends in an error."""
MOST_HITS = 50
"""Places of one text that are counted."""

_SAFE = re.compile(r"[A-Za-z0-9 _.,:;()\[\]{}|=+*#@!?%$^~`-]+")
"""Characters that JSON writers leave alone; some escape `/`, `<`, `>`, `&` and `'`."""


class TooSlowError(Exception):
    """A regular expression took too long for one text."""


class Needle(Protocol):
    """Finds what a search is for. Can be sent to another process."""

    @property
    def forms(self) -> tuple[bytes, ...]:
        """Return lower-case bytes one of which each line must hold; none: any line may."""
        ...

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where it stands in `text`, in order."""
        ...


class Words(Struct, frozen=True):
    """A text, in whatever case unless `is_exact`."""

    text: str
    is_exact: bool = False

    @property
    def forms(self) -> tuple[bytes, ...]:
        """Return the forms of the longest piece that can be looked for in bytes."""
        pieces = sorted(_pieces(self.text), key=len)
        if not pieces:
            return ()
        piece = pieces[-1].lower()
        written = piece.encode("utf-8", "replace")
        return (written,) if piece.isascii() else (written, _json_escaped(piece))

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the text stands, as it is or in whatever case."""
        flags = 0 if self.is_exact else re.IGNORECASE
        found = re.finditer(re.escape(self.text), text, flags)
        return [match.span() for match, _ in zip(found, range(MOST_HITS), strict=False)]


class Pattern(Struct, frozen=True):
    """A regular expression; every record is decoded for it."""

    text: str
    is_exact: bool = False

    @property
    def forms(self) -> tuple[bytes, ...]:
        """Return nothing: what a line must hold is not known."""
        return ()

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the expression matches; empty matches count for nothing.

        Raises:
            TooSlowError: it takes longer than `PATTERN_SECONDS`.
        """
        flags = regex.MULTILINE | (0 if self.is_exact else regex.IGNORECASE)
        compiled = regex.compile(self.text, flags)
        try:
            matches = compiled.finditer(text, timeout=PATTERN_SECONDS)
            found = (match.span() for match in matches if match.end() > match.start())
            return [span for span, _ in zip(found, range(MOST_HITS), strict=False)]
        except TimeoutError as error:
            raise TooSlowError from error


def check_pattern(text: str) -> str:
    """Return what is wrong with a regular expression; empty: nothing.

    >>> check_pattern("a(b")
    'missing ) at position 3'
    """
    try:
        regex.compile(text)
    except regex.error as error:
        return str(error)
    return ""


def _pieces(text: str) -> Iterator[str]:
    """Yield runs of safe characters, and runs of letters that have no other case."""
    yield from _SAFE.findall(text)
    run = ""
    for character in text:
        if not character.isascii() and _has_one_case(character):
            run += character
        else:
            yield from filter(None, (run,))
            run = ""
    if run:
        yield run


def _has_one_case(character: str) -> bool:
    # Regular expressions fold more than `lower` does: the Kelvin sign fits "k".
    return character.lower() == character.upper() == character.casefold()


def _json_escaped(text: str) -> bytes:
    r"""Return `text` with each character as `\uXXXX`, in lower case.

    >>> _json_escaped("日")
    b'\\u65e5'
    """
    units = text.encode("utf-16-be", "surrogatepass")
    pairs = zip(units[::2], units[1::2], strict=True)
    return b"".join(b"\\u%02x%02x" % pair for pair in pairs)
