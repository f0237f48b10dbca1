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

source_option = click.option(
    "--source",
    "sources",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where to look for sessions, as for `everyleaf build`. May be repeated.",
)
"""Adds `--source` to a command that names a session."""

raw_option = click.option(
    "--raw",
    "is_raw",
    is_flag=True,
    help="Mask nothing: secrets and home folders are printed as they stand.",
)
"""Adds `--raw` to a command that prints what sessions hold."""

json_option = click.option("--json", "is_json", is_flag=True, help="Print JSON.")
"""Adds `--json` to a command."""

quiet_option = click.option("-q", "--quiet", "is_quiet", is_flag=True, help="No progress.")
"""Adds `--quiet` to a command."""

utc_option = click.option(
    "--utc", "is_utc", is_flag=True, help="Times in UTC, not in the machine's zone."
)
"""Adds `--utc` to a command."""
