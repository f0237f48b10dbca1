"""How wide the terminal is, and text that fits it; wide characters take two columns."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from everyleaf.cli.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

NARROWEST = 30
"""Columns; below that, lines are longer than the terminal."""
NARROWEST_TEXT = 10
"""Columns of the texts in a table; below that, it becomes a list."""


def width_of_output() -> int | None:
    """Return the columns of the terminal, or `$COLUMNS`; None: a pipe, nothing is cut."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal():
        return max(shutil.get_terminal_size().columns, NARROWEST)
    return None


def cells_of(text: str) -> int:
    """Return how many columns `text` takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415  (slow to import)

    return cell_len(text)


def fit(text: str, width: int | None) -> str:
    """Return `text` without anything that drives a terminal, cut to `width` columns."""
    shown = printable(text)
    if width is None or cells_of(shown) <= width:
        return shown
    return shown[: _fitting(shown, width - 1)].rstrip() + "…" if width > 0 else ""


def padded(text: str, width: int, *, to_right: bool = False) -> str:
    """Return `text` filled with blanks to `width` columns."""
    blanks = " " * (width - cells_of(text))
    return f"{blanks}{text}" if to_right else f"{text}{blanks}"


def less(width: int | None, taken: int) -> int | None:
    """Return the columns that are left of `width` beside `taken`; None: all there are."""
    return None if width is None else max(width - taken, 0)


def cut(text: str, width: int | None) -> str:
    r"""Return `text` on one line of at most `width` columns, safe for a terminal.

    >>> cut("a long\nline", 8)
    'a long…'
    """
    return fit(" ".join(text.split()), width)


def wrapped(text: str, width: int | None, indent: str = "") -> Iterator[str]:
    """Yield the lines of `text`, each safe for a terminal, broken to `width`."""
    room = None if width is None else max(width - cells_of(indent), 1)
    for line in text.split("\n"):
        for part in _broken(printable(line.replace("\t", "    ")), room):
            yield f"{indent}{part}".rstrip()


def _broken(line: str, room: int | None) -> Iterator[str]:
    """Yield `line` in parts of at most `room` columns, between words where that works."""
    while room is not None and cells_of(line) > room:
        end = max(_fitting(line, room), 1)
        space = line.rfind(" ", 1, end + 1)
        if not line[:space].strip():
            space = -1  # An indent alone would be an empty line.
        yield line[: space if space > 0 else end].rstrip()
        line = line[space + 1 if space > 0 else end :].lstrip()
    yield line


def _fitting(text: str, room: int) -> int:
    """Return how many characters of `text` fit into `room` columns."""
    used = 0
    for end, character in enumerate(text):
        used += cells_of(character)
        if used > room:
            return end
    return len(text)


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, width: int | None
) -> Iterator[str]:
    """Yield the lines of a table; the first column is a text, the others are numbers.

    Where the numbers leave no room for the text, each row becomes a list of its fields.
    """
    body = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(cells_of, column)) for column in zip(head, *body, strict=True)]
    room = less(width, sum(widths[1:]) + 2 * (len(head) - 1))
    if room is not None and room < min(widths[0], NARROWEST_TEXT):
        yield from _lists(head, body, width)
        return
    widths[0] = widths[0] if room is None else min(widths[0], room)
    for text, *numbers in (list(head), *body):
        cells = [padded(cut(text, widths[0]), widths[0])]
        cells += [
            padded(number, size, to_right=True)
            for number, size in zip(numbers, widths[1:], strict=True)
        ]
        yield "  ".join(cells).rstrip()


def _lists(
    head: Sequence[str], rows: Iterable[Sequence[str]], width: int | None
) -> Iterator[str]:
    for row in rows:
        yield cut(row[0], width)
        said = zip(head[1:], row[1:], strict=True)
        for line in joined(
            (f"{name} {cell}" for name, cell in said if cell), less(width, 2)
        ):
            yield f"  {line}"


def joined(facts: Iterable[str], width: int | None) -> Iterator[str]:
    """Yield `facts` in lines of at most `width` columns, a dot between two of them."""
    line = ""
    for fact in (fit(each, width) for each in facts):
        longer = f"{line} · {fact}" if line else fact
        if line and width is not None and cells_of(longer) > width:
            yield line
            longer = fact
        line = longer
    if line:
        yield line
