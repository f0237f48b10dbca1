"""What the options of several commands have in common."""

from __future__ import annotations

from pathlib import Path

import click

sources_argument = click.argument(
    "sources", nargs=-1, type=click.Path(path_type=Path), metavar="[SOURCE]..."
)
"""Adds `SOURCE…` to a command."""

no_redact_option = click.option(
    "--no-redact",
    "is_unredacted",
    is_flag=True,
    help="Do not look for secrets: show everything as it stands in the sessions.",
)
"""Adds `--no-redact` to a command."""

archive_option = click.option(
    "--include-archive", is_flag=True, help="Read sessions in _archive folders, too."
)
"""Adds `--include-archive` to a command."""
