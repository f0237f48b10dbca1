"""What the commands that ask an archive have in common: options, tables, JSON."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

import click

from everyleaf.cli.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

raw_option = click.option(
    "--raw", "is_raw", is_flag=True, help="Mask no secrets: print what the sessions hold."
)
"""Adds `--raw` to a command whose output is masked as pages are."""

json_option = click.option("--json", "is_json", is_flag=True, help="Print JSON.")
"""Adds `--json` to a command."""

quiet_option = click.option("-q", "--quiet", "is_quiet", is_flag=True, help="No progress.")
"""Adds `--quiet` to a command that shows how far it is."""

UNLIMITED = 10_000
NARROWEST = 20
NARROWEST_TEXT = 10


def line_width() -> int:
    """Return the columns of the terminal; no limit where the output goes elsewhere."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return max(NARROWEST, shutil.get_terminal_size().columns)
    return UNLIMITED


def echo_json(value: object) -> None:
    """Print `value` as one indented document of ASCII, its keys sorted."""
    click.echo(json.dumps(value, indent=2, sort_keys=True, default=_plain))


def json_line(value: object) -> str:
    """Return `value` as one line of ASCII, its keys sorted."""
    return json.dumps(value, sort_keys=True, default=_plain)


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be listed")


def cut(text: str, width: int) -> str:
    """Return `text` on one line of at most `width` columns, safe for a terminal.

    >>> cut("a long line", 8)
    'a long …'
    """
    line = printable(" ".join(text.split()))
    return line if len(line) <= width else f"{line[: max(width - 1, 0)]}…"


def wrapped(text: str, width: int, indent: str = "") -> Iterator[str]:
    """Yield the lines of `text`, each safe for a terminal, broken to `width`."""
    for line in text.split("\n"):
        safe = printable(line.replace("\t", "    "))
        yield from textwrap.wrap(
            safe,
            max(width, NARROWEST),
            initial_indent=indent,
            subsequent_indent=indent,
            replace_whitespace=False,
            drop_whitespace=True,
        ) or [indent.rstrip()]


def table(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, width: int, texts: int = 1
) -> Iterator[str]:
    """Yield the lines of a table; the first `texts` columns are texts, the rest numbers.

    Where the numbers leave no room for the texts, each row becomes a list of its fields.
    """
    body = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    room = width - sum(widths[texts:]) - 2 * (len(head) - 1)
    if room < texts * NARROWEST_TEXT and sum(widths[:texts]) > room:
        yield from _lists(head, body, width)
        return
    share = room // texts
    limits = [min(size, max(share, NARROWEST_TEXT)) for size in widths[:texts]] + widths[
        texts:
    ]
    for row in (list(head), *body):
        cells = [cut(cell, limits[at]) for at, cell in enumerate(row)]
        yield "  ".join(
            cell.ljust(limits[at]) if at < texts else cell.rjust(limits[at])
            for at, cell in enumerate(cells)
        ).rstrip()


def _lists(head: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    for row in rows:
        yield cut(row[0], width)
        fields = zip(head[1:], row[1:], strict=True)
        said = " · ".join(f"{name} {cell}" for name, cell in fields if cell)
        if said:
            yield from wrapped(said, width, "  ")
