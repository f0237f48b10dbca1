"""`everyleaf rename`: a session's title, as the CLI's own list reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.options import session_argument, source_option
from everyleaf.cli.revising import carry_out, dry_run_option, open_named

if TYPE_CHECKING:
    from pathlib import Path

EPILOG = """\b
Examples:
  everyleaf rename 66e54b32 "Parser: quoted fields"
  everyleaf rename session.jsonl "Parser: quoted fields" --dry-run
  everyleaf restore 66e54b32
"""


@click.command(epilog=EPILOG)
@session_argument("session", "SESSION")
@click.argument("title", metavar="TITLE")
@source_option
@dry_run_option
def rename(session: str, title: str, *, sources: tuple[Path, ...], is_dry: bool) -> None:
    """Give SESSION the title TITLE, in Claude Code's own list and in everyleaf's.

    SESSION is an id, the beginning of one, a session's file, latest, or a title. A title is
    written as Claude Code writes it: no message changes, the file as it was is kept, and
    `everyleaf restore` puts it back. A session that something is working on is left alone.
    """
    from everyleaf.revise.plan import plan_rename  # noqa: PLC0415  (slow to import)

    opened = open_named(session, sources)
    carry_out(opened, plan_rename(opened, title), is_dry=is_dry)
