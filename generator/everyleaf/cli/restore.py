"""`everyleaf restore`: undo the last `rename` or `goto` of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.errors import printable
from everyleaf.cli.options import session_argument, source_option
from everyleaf.cli.revising import (
    dry_run_option,
    open_named,
    tell_backup,
    this_moment,
)

if TYPE_CHECKING:
    from pathlib import Path

EPILOG = """\b
Examples:
  everyleaf restore 66e54b32 --dry-run
  everyleaf restore 66e54b32
"""


@click.command(epilog=EPILOG)
@session_argument("session", "SESSION")
@source_option
@dry_run_option
def restore(session: str, *, sources: tuple[Path, ...], is_dry: bool) -> None:
    """Put the file of SESSION back as it was before everyleaf last changed it.

    What was said in the session since then stays. An undo is a change like the others:
    a second `restore` undoes the first.
    """
    from everyleaf.revise.busy import check_idle  # noqa: PLC0415  (slow to import)
    from everyleaf.revise.restore import plan_restore  # noqa: PLC0415  (slow to import)
    from everyleaf.revise.write import put_back  # noqa: PLC0415  (slow to import)

    opened = open_named(session, sources)
    backup = plan_restore(opened)
    click.echo(f"undo: {printable(backup.did)}")
    since = opened.state.size_bytes - backup.after_bytes
    if since:
        click.echo(f"  {since:,} bytes that were written since stay")
    if is_dry:
        click.echo("nothing was written (--dry-run)")
        return
    check_idle(opened)
    tell_backup(opened, put_back(opened, backup, at=this_moment()))
