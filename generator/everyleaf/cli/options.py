"""What the options of several commands have in common."""

from __future__ import annotations

from pathlib import Path

import click

sources_argument = click.argument(
    "sources", nargs=-1, type=click.Path(path_type=Path), metavar="[SOURCE]..."
)
"""Adds `SOURCE…` to a command."""

archive_option = click.option(
    "--include-archive", is_flag=True, help="Read sessions in _archive folders, too."
)
"""Adds `--include-archive` to a command."""
