"""Lines that are too many for the terminal, a page at a time."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

pager_option = click.option(
    "--pager/--no-pager",
    "has_pager",
    default=True,
    help="On a terminal, show what is longer than it in $PAGER.  [default: pager]",
)
"""Adds `--pager` to a command."""


def print_lines(lines: Iterable[str], *, has_pager: bool) -> None:
    """Print `lines`; with `has_pager` in `$PAGER` if the terminal has not that many."""
    if not (has_pager and sys.stdout.isatty()):
        for line in lines:
            click.echo(line)
        return
    shown = list(lines)
    if len(shown) < shutil.get_terminal_size().lines:
        click.echo("".join(f"{line}\n" for line in shown), nl=False)
    else:
        click.echo_via_pager("".join(f"{line}\n" for line in shown))
