"""What the options of several commands have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyleaf.cli.completing import complete_session
from everyleaf.cli.redacting import redact_options
from everyleaf.cli.settings import REDACT, settings_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.decorators import FC

    from everyleaf.config import RedactOptions

sources_argument = click.argument(
    "sources", nargs=-1, type=click.Path(path_type=Path), metavar="[SOURCE]..."
)
"""Adds `SOURCE…` to a command."""

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


no_redact_option = click.option(
    "--no-redact",
    "is_unredacted",
    is_flag=True,
    help="Do not look for secrets: show everything as it stands in the sessions.",
)
"""Adds `--no-redact` to a command that publishes."""

raw_option = click.option(
    "--raw",
    "--no-redact",
    "is_raw",
    is_flag=True,
    help="Mask nothing: print what the sessions hold, secrets and home folders, too.",
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


def session_argument(name: str, metavar: str) -> Callable[[FC], FC]:
    """Return what adds an argument that names a session; shells complete it."""
    return click.argument(name, metavar=metavar, shell_complete=complete_session)


def masking(*, is_raw: bool) -> RedactOptions:
    """Return what is masked in what a command prints: what pages mask, unless `is_raw`.

    So the table `[redact]` of the settings in the working folder counts here as well.

    Raises:
        ConfigError: the table makes no sense.
    """
    from everyleaf.config import REDACT_ALL, RedactOptions  # noqa: PLC0415  (slow, too)

    if is_raw:
        return RedactOptions(is_on=False)
    told = settings_table(REDACT)
    return redact_options(told.keys, told.where) if told else REDACT_ALL
