"""A transcript for a terminal: wrapped between words, and with its colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.explore.plain import Line, Look

WIDEST_PROSE = 100
"""Columns; longer lines are hard to read."""


def iter_drawn(lines: Iterable[Line], width: int) -> Iterator[str]:
    """Yield `lines` in lines of at most `width` columns, each indented as it begins."""
    for line in lines:
        text = line.text.lstrip(" ")
        indent = " " * min(line.indent + len(line.text) - len(text), width // 2)
        room = min(width, WIDEST_PROSE) if line.look == "prose" else width
        for part in wrapped(text, room, indent):
            yield _styled(part, line.look)


def _styled(text: str, look: Look) -> str:
    match look:
        case "head":
            return click.style(text, bold=True)
        case "person":
            return click.style(text, fg="cyan", bold=True)
        case "quiet":
            return click.style(text, dim=True)
        case "added":
            return click.style(text, fg="green")
        case "removed":
            return click.style(text, fg="red")
        case _:
            return text
