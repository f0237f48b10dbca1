"""`everyleaf paths`: every unique path as a line of JSON, without building anything."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from everyleaf.cli.echoing import fields_of, row_of
from everyleaf.cli.options import (
    archive_option,
    choice_options,
    masking,
    quiet_option,
    raw_option,
    sources_argument,
)
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from everyleaf.listing import PathListing

EPILOG = """\b
Examples:
  everyleaf paths ~/.claude
  everyleaf paths logs/ --ids none | head
  everyleaf paths session.jsonl --strict-paths --ids own

\b
JSON: one object a line:
  session, project, number, of, status, reason, title, label, fork_point, taken_over_by
  ("session:number" or null), compactions, messages, shared (how many of them with the
  path that took over), started, ended, ids, contains [{path, by ("session:number"), …}],
  inferred [uuid]
"""


@click.command(epilog=EPILOG)
@sources_argument
@click.option(
    "--strict-paths",
    is_flag=True,
    help="The raw graph: a path for each leaf uuid, tool results and hooks included.",
)
@click.option(
    "--ids",
    "which",
    type=click.Choice(["full", "own", "none"]),
    default="full",
    show_default=True,
    help="Which record ids to list: of the whole path, only after its fork point, none.",
)
@choice_options
@archive_option
@raw_option
@quiet_option
def paths(  # noqa: PLR0913  (an argument an option)
    sources: tuple[Path, ...],
    *,
    strict_paths: bool,
    which: str,
    projects: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    include_archive: bool,
    is_raw: bool,
    is_quiet: bool,
) -> None:
    """List every unique path of the sessions in SOURCE, one JSON object a line.

    SOURCE is what `everyleaf build` takes. Nothing is written.
    """
    from everyleaf.archive import Choice  # noqa: PLC0415  (slow to import)
    from everyleaf.listing import list_paths  # noqa: PLC0415  (slow to import)
    from everyleaf.sources.discover import default_inputs  # noqa: PLC0415  (slow, too)

    with show_progress(is_quiet=is_quiet) as on_progress:
        for listing in list_paths(
            sources or (default_inputs(),),
            strict_paths=strict_paths,
            include_archive=include_archive,
            on_progress=on_progress,
            redact=masking(is_raw=is_raw),
            choice=Choice(projects=projects, since=since, until=until),
        ):
            click.echo(to_json(listing, which))


def to_json(listing: PathListing, which: str) -> str:
    """Return `listing` as one line of ASCII, with the ids that `which` asks for."""
    row = row_of(listing)
    match which:
        case "none":
            del row["ids"]
        case "own":
            row["ids"] = listing.ids[listing.shared :]
        case _:
            pass
    return json.dumps(row, default=fields_of)
