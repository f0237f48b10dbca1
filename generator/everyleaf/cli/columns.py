"""How wide the terminal is, and text cut to it; wide characters take two columns."""

from __future__ import annotations

import os
import shutil
import sys

from everyleaf.cli.errors import printable

NARROWEST = 30
"""Columns; below that, lines are longer than the terminal."""


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
    room = max(width - 1, 0)
    used = end = 0
    for character in shown:
        used += cells_of(character)
        if used > room:
            break
        end += 1
    return shown[:end].rstrip() + "…" if width > 0 else ""


def padded(text: str, width: int, *, to_right: bool = False) -> str:
    """Return `text` filled with blanks to `width` columns."""
    blanks = " " * (width - cells_of(text))
    return f"{blanks}{text}" if to_right else f"{text}{blanks}"
