"""`everyleaf list`: the sessions of an archive, newest first."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import width_of_output
from everyleaf.cli.options import (
    archive_option,
    json_option,
    masking,
    quiet_option,
    raw_option,
    sources_argument,
    utc_option,
)
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.explore.listing import ListedSession
    from everyleaf.graph.forest import Status

EPILOG = """\b
Examples:
  everyleaf list
  everyleaf list ~/.claude --project "parser*" --since 7d
  everyleaf list logs/ --status abandoned --sort tokens
  everyleaf list --json | jq -r 'select(.abandoned > 0) | .session'

\b
JSON: one object a line:
  session, project, title, started, ended, messages, prompts (of the path that stands
  for the session: its last ACTIVE one), paths (unique ones), abandoned, compactions,
  agents, warmup, contained_in ("session:number" of the path that holds all of it, or
  null), tokens {input, output, cache_read, cache_written}, models [most used first]

Times are those of the last conversation record. Exit codes: 0 some sessions, 1 none
fits or an error, 2 wrong usage.
"""


@click.command("list", epilog=EPILOG)
@sources_argument
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="PATTERN",
    help="Only projects whose name fits. May be repeated.",
)
@click.option("--title", default="", metavar="TEXT", help="Only titles with this text.")
@click.option(
    "--status",
    type=click.Choice(["active", "abandoned"]),
    help="Only sessions with such a path.",
)
@click.option(
    "--model", "models", multiple=True, metavar="PATTERN", help="Only this model."
)
@click.option("--since", metavar="DAY", help="Not before 2026-01-31, or 7d: days back.")
@click.option("--until", metavar="DAY", help="Not after that day.")
@click.option(
    "--sort",
    "order",
    type=click.Choice(["time", "title", "project", "prompts", "paths", "tokens"]),
    default="time",
    show_default=True,
    help="Newest, most, or from A.",
)
@click.option("--reverse", "is_reversed", is_flag=True, help="The other way round.")
@click.option(
    "--warmup", "has_warmups", is_flag=True, help="Also sessions that are only warm-ups."
)
@utc_option
@json_option
@raw_option
@archive_option
@quiet_option
def list_command(  # noqa: PLR0913  (an argument an option)
    sources: tuple[Path, ...],
    *,
    projects: tuple[str, ...],
    title: str,
    status: str | None,
    models: tuple[str, ...],
    since: str | None,
    until: str | None,
    order: str,
    is_reversed: bool,
    has_warmups: bool,
    is_utc: bool,
    is_json: bool,
    is_raw: bool,
    include_archive: bool,
    is_quiet: bool,
) -> int:
    """List the sessions in SOURCE with their prompts, paths and tokens.

    SOURCE is what `everyleaf build` takes. Nothing is written.
    """
    from everyleaf.explore.listing import (  # noqa: PLC0415  (slow to import)
        Order,
        Wanted,
        read_sessions,
        sort_sessions,
    )

    now = _now(is_utc=is_utc)
    begin = _day("--since", since, now) if since else None
    end = _day("--until", until, now, is_end=True) if until else None
    wanted = Wanted(begin, end, _status(status), title, models, has_warmups)
    with show_progress(is_quiet=is_quiet) as on_progress:
        sessions = read_sessions(
            sources,
            on_progress=on_progress,
            redact=masking(is_raw=is_raw),
            projects=projects,
            include_archive=include_archive,
        )
    kept = [one for one in sessions if wanted.takes(one)]
    rows = sort_sessions(kept, Order(order), is_reversed=is_reversed)
    hidden = 0 if has_warmups else sum(one.is_warmup for one in sessions)
    _print(rows, sessions, now, hidden, is_json=is_json, is_grouped=order == "time")
    return 0 if rows else 1


def _now(*, is_utc: bool) -> datetime:
    now = datetime.fromtimestamp(time.time(), UTC)
    return now if is_utc else now.astimezone()


def _status(name: str | None) -> Status | None:
    from everyleaf.graph.forest import Status  # noqa: PLC0415  (slow to import)

    return Status(name.upper()) if name else None


def _print(  # noqa: PLR0913  (what is printed, and how)
    rows: list[ListedSession],
    sessions: list[ListedSession],
    now: datetime,
    hidden: int,
    *,
    is_json: bool,
    is_grouped: bool,
) -> None:
    from everyleaf.cli.listtext import iter_lines, to_json  # noqa: PLC0415  (slow, too)

    if is_json:
        for one in rows:
            click.echo(to_json(one))
        return
    names = [one.session for one in sessions]
    width = width_of_output()
    for line in iter_lines(rows, names, now, width=width, is_grouped=is_grouped):
        click.echo(line)
    if not rows:
        click.echo("no session fits", err=True)
    if hidden:
        noun = "session holds" if hidden == 1 else "sessions hold"
        click.echo(f"{hidden:,} {noun} only warm-ups: --warmup shows them", err=True)


def _day(option: str, text: str, now: datetime, *, is_end: bool = False) -> datetime:
    from everyleaf.explore.times import parse_day  # noqa: PLC0415  (slow to import)

    try:
        return parse_day(text, now, is_end=is_end)
    except ValueError as error:
        hint = "say 2026-01-31, 2026-01-31T14:05 or 7d"
        raise click.BadParameter(
            f"{text!r} is no day; {hint}", param_hint=option
        ) from error
