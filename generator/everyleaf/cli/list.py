"""`everyleaf list`: the sessions of an archive, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import width_of_output
from everyleaf.cli.options import (
    archive_option,
    choice_options,
    json_option,
    masking,
    quiet_option,
    raw_option,
    sources_argument,
    this_moment,
    utc_option,
)
from everyleaf.cli.paging import pager_option, print_lines
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from everyleaf.explore.listing import ListedSession
    from everyleaf.graph.forest import Status

EPILOG = """\b
Examples:
  everyleaf list -n 10
  everyleaf list ~/.claude --project "parser*" --since 7d
  everyleaf list logs/ --status abandoned --sort tokens
  everyleaf list --json | jq -r 'select(.abandoned > 0) | .session'

\b
JSON: one object a line:
  session, project, file (where it is), cwd, branch (of the last reply), title, started,
  ended, messages, prompts (of the path that stands for the session: its last ACTIVE one),
  paths (unique ones), abandoned, compactions, agents, warmup, contained_in
  ("session:number" of the path that holds all of it, or null), usage {input, output,
  cache_read, cache_written}, models [most used first]

Times are those of the last conversation record. Exit codes: 0 some sessions, 1 none
fits or an error, 2 wrong usage.
"""


@click.command("list", epilog=EPILOG)
@sources_argument
@choice_options
@click.option("--title", default="", metavar="TEXT", help="Only titles with this text.")
@click.option(
    "--status",
    type=click.Choice(["active", "abandoned"]),
    help="Only sessions with such a path.",
)
@click.option(
    "--model", "models", multiple=True, metavar="PATTERN", help="Only this model."
)
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
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Show so many.  [default: all]",
)
@pager_option
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
    since: datetime | None,
    until: datetime | None,
    order: str,
    is_reversed: bool,
    has_warmups: bool,
    limit: int,
    has_pager: bool,
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

    now = this_moment(is_utc=is_utc)
    wanted = Wanted(since, until, _status(status), title, models, has_warmups)
    with show_progress(is_quiet=is_quiet) as on_progress:
        sessions = read_sessions(
            sources,
            on_progress=on_progress,
            redact=masking(is_raw=is_raw),
            projects=projects,
            include_archive=include_archive,
        )
    kept = [one for one in sessions if wanted.takes(one)]
    fitting = sort_sessions(kept, Order(order), is_reversed=is_reversed)
    rows = fitting[:limit] if limit else fitting
    hidden = 0 if has_warmups else sum(one.is_warmup for one in sessions)
    is_grouped = order == "time"
    _print(
        rows,
        sessions,
        now,
        hidden,
        has_pager=has_pager,
        is_json=is_json,
        is_grouped=is_grouped,
    )
    if len(rows) < len(fitting) and not is_quiet:
        click.echo(f"{len(rows):,} of {len(fitting):,} sessions shown", err=True)
    return 0 if rows else 1


def _status(name: str | None) -> Status | None:
    from everyleaf.graph.forest import Status  # noqa: PLC0415  (slow to import)

    return Status(name.upper()) if name else None


def _print(  # noqa: PLR0913  (what is printed, and how)
    rows: list[ListedSession],
    sessions: list[ListedSession],
    now: datetime,
    hidden: int,
    *,
    has_pager: bool,
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
    lines = iter_lines(rows, names, now, width=width, is_grouped=is_grouped)
    print_lines(lines, has_pager=has_pager)
    if not rows:
        click.echo("no session fits", err=True)
    if hidden:
        noun = "session holds" if hidden == 1 else "sessions hold"
        click.echo(f"{hidden:,} {noun} only warm-ups: --warmup shows them", err=True)
