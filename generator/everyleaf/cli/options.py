"""What the options of several commands have in common."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from everyleaf.cli.completing import complete_project, complete_session
from everyleaf.cli.places import Source
from everyleaf.cli.redacting import redact_options
from everyleaf.cli.settings import REDACT, settings_sources, settings_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.decorators import FC

    from everyleaf.config import RedactOptions

NAMES = "everyleaf.names"
NAMED = "everyleaf.sources"
"""Where a command finds the sources that were typed; settings may name others."""


def sources_argument(function: FC) -> FC:
    """Add `SOURCE…` to a command, and `--source`; without any, what the settings say."""
    added = click.option(
        "--source",
        multiple=True,
        type=Source(),
        metavar="SOURCE",
        expose_value=False,
        is_eager=True,
        callback=_remember_sources,
        help="The same as the argument SOURCE. May be repeated.",
    )(function)
    return click.argument(
        "sources", nargs=-1, type=Source(), metavar="[SOURCE]...", callback=_all_sources
    )(added)


def _remember_sources(
    context: click.Context, _parameter: click.Parameter, value: tuple[Path, ...]
) -> None:
    context.meta[NAMED] = value


def _all_sources(
    context: click.Context, parameter: click.Parameter, value: tuple[Path, ...]
) -> tuple[Path, ...]:
    is_typed = context.get_parameter_source("sources") is ParameterSource.COMMANDLINE
    typed = (*(value if is_typed else ()), *context.meta[NAMED])
    context.meta[NAMED] = typed
    return typed or value or settings_sources(parameter)


def _or_of_settings(
    context: click.Context, parameter: click.Parameter, value: tuple[Path, ...]
) -> tuple[Path, ...]:
    # Options that were not typed come after all that was: the names are known.
    names: list[str] = context.meta.get(NAMES, [])
    if value or (names and all(map(_is_file, names))):
        return value
    return settings_sources(parameter)


def _is_file(name: str) -> bool:
    return any(Path(each).is_file() for each in (name, name.rpartition(":")[0]))


archive_option = click.option(
    "--include-archive", is_flag=True, help="Read sessions in _archive folders, too."
)
"""Adds `--include-archive` to a command."""

source_option = click.option(
    "--source",
    "sources",
    multiple=True,
    type=Source(),
    metavar="SOURCE",
    callback=_or_of_settings,
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
    "--utc",
    "is_utc",
    is_flag=True,
    is_eager=True,
    help="Times in UTC, not in the machine's zone.",
)
"""Adds `--utc` to a command."""

project_option = click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="PATTERN",
    shell_complete=complete_project,
    help="Only projects whose name fits. May be repeated.",
)
"""Adds `--project` to a command."""


def _parse_day(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> datetime | None:
    if value is None:
        return None
    from everyleaf.explore.times import parse_day  # noqa: PLC0415  (slow to import)

    now = this_moment(is_utc=bool(context.params.get("is_utc")))
    try:
        return parse_day(value, now, is_end=parameter.name == "until").astimezone(UTC)
    except ValueError as error:
        raise click.BadParameter(
            f"{value!r} is no day; say 2026-01-31, 2026-01-31T14:05 or 7d"
        ) from error


def this_moment(*, is_utc: bool) -> datetime:
    """Return the time, in the machine's zone or in UTC; nothing published depends on it."""
    now = datetime.fromtimestamp(time.time(), UTC)
    return now if is_utc else now.astimezone()


since_option = click.option(
    "--since",
    metavar="DAY",
    callback=_parse_day,
    help="Only sessions whose last message is not older: 2026-01-31, or 7d: days back.",
)
"""Adds `--since` to a command."""

until_option = click.option(
    "--until",
    metavar="DAY",
    callback=_parse_day,
    help="Only sessions whose last message is of that day or older.",
)
"""Adds `--until` to a command."""


def choice_options(function: FC) -> FC:
    """Add `--project`, `--since` and `--until` to a command."""
    return project_option(since_option(until_option(function)))


def session_argument(name: str, metavar: str) -> Callable[[FC], FC]:
    """Return what adds an argument that names a session; shells complete it."""
    return click.argument(
        name, metavar=metavar, shell_complete=complete_session, callback=_note_name
    )


def _note_name(context: click.Context, _parameter: click.Parameter, value: str) -> str:
    context.meta[NAMES] = [*context.meta.get(NAMES, []), value]
    return value


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
