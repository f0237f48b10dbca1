"""`everyleaf restore`: undo what `rename` and `goto` did to a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.errors import printable
from everyleaf.cli.options import session_argument, source_option
from everyleaf.cli.revising import (
    dry_run_option,
    open_named,
    tell_backup,
    tell_outlook,
    this_moment,
)

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.revise.session import OpenSession

EPILOG = """\b
Examples:
  everyleaf restore 66e54b32 --dry-run
  everyleaf restore 66e54b32
  everyleaf restore 66e54b32 --list
  everyleaf restore 66e54b32 --to 3
"""


@click.command(epilog=EPILOG)
@session_argument("session", "SESSION")
@click.option("--list", "is_list", is_flag=True, help="List the backups, newest first.")
@click.option(
    "--to",
    "number",
    metavar="N",
    type=int,
    help="Put back backup N of --list. [default: 1]",
)
@source_option
@dry_run_option
def restore(
    session: str,
    *,
    sources: tuple[Path, ...],
    is_dry: bool,
    is_list: bool,
    number: int | None,
) -> None:
    """Put the file of SESSION back as it was before everyleaf last changed it.

    What was said in the session since then stays. An undo is a change like the others:
    a second `restore` undoes the first. Any earlier state can be had back, too: --list
    shows them, --to names one.
    """
    from everyleaf.revise.session import check_idle  # noqa: PLC0415  (slow to import)
    from everyleaf.revise.write import plan_restore, put_back  # noqa: PLC0415  (slow)

    if is_list and number is not None:
        raise click.UsageError("--list shows backups, --to puts one back: say one of them")
    opened = open_named(session, sources)
    if is_list:
        _show_backups(opened)
        return
    wanted = plan_restore(opened, 1 if number is None else number)
    click.echo(printable(wanted.did))
    if wanted.since_bytes:
        click.echo(f"  {wanted.since_bytes:,} bytes that were written since stay")
    if is_dry:
        click.echo("nothing was written (--dry-run)")
        return
    check_idle(opened)
    tell_backup(opened, put_back(opened, wanted, at=this_moment()))
    tell_outlook(opened.source)


def _show_backups(session: OpenSession) -> None:
    from everyleaf.revise.write import find_backups  # noqa: PLC0415  (slow to import)

    backups = find_backups(session.name, session.location)
    for number, backup in enumerate(backups, 1):
        did = backup.did.replace(f" session {session.name}", "")
        click.echo(
            f"{number:>3}  {backup.at:%Y-%m-%d %H:%M:%S} UTC  before: {printable(did)}"
        )
