"""What the three commands that write to sessions have in common."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from textwrap import shorten
from typing import TYPE_CHECKING

import click

from everyleaf.cli.errors import printable

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.revise.plan import SessionChange
    from everyleaf.revise.session import OpenSession
    from everyleaf.revise.write import Backup
    from everyleaf.sources.files import SourceFile

WORDS_WIDTH = 40

dry_run_option = click.option(
    "--dry-run", "-n", "is_dry", is_flag=True, help="Show what would change; write nothing."
)
"""Adds `--dry-run` to a command that writes."""


def open_named(name: str, sources: tuple[Path, ...]) -> OpenSession:
    """Return the session that a person named, read and solved.

    Raises:
        SourceError: nothing fits, several do, or the file cannot be read.
    """
    from everyleaf.revise.session import find_session, open_session  # noqa: PLC0415  (slow)

    return open_session(find_session(name, sources))


def carry_out(session: OpenSession, change: SessionChange, *, is_dry: bool) -> None:
    """Show `change`, make it unless `is_dry`, and say how to undo it.

    Raises:
        SourceError: someone writes to the session now.
        OutputError: it cannot be written, or no backup kept.
    """
    from everyleaf.revise.session import check_idle  # noqa: PLC0415  (slow to import)
    from everyleaf.revise.write import apply_change  # noqa: PLC0415  (slow to import)

    click.echo(printable(change.summary))
    for edit in change.edits:
        click.echo(f"  {printable(edit.says)}")
    if not change.edits:
        click.echo("nothing to do: it is so already")
        tell_outlook(session.source)
        return
    if is_dry:
        click.echo("nothing was written (--dry-run)")
        return
    check_idle(session)
    tell_backup(session, apply_change(session, change, at=this_moment()))
    tell_outlook(session.source)


def tell_backup(session: OpenSession, backup: Backup) -> None:
    """Say where the file is as it was, and how to have it back."""
    click.echo(f"the file as it was: {printable(str(backup.copy))}")
    click.echo(f"to undo: everyleaf restore {printable(session.name)}")


def tell_outlook(source: SourceFile) -> None:
    """Read a session's file again, and say what Claude Code now makes of it."""
    from everyleaf.revise.claude import listed_title, resumed_at  # noqa: PLC0415  (slow)
    from everyleaf.revise.session import open_session  # noqa: PLC0415  (slow)

    session = open_session(source)
    click.echo(f"Claude Code now lists it as {printable(listed_title(session))!r}")
    position = resumed_at(session)
    if position is None:
        click.echo("and begins anew there: it was rewound to before its first prompt")
        return
    paths = " and ".join(str(number) for number in session.paths_of(position))
    last = session.words_at(position)
    words = shorten(printable(last.words), WORDS_WIDTH, placeholder="…")
    where = f"path {paths}" if paths.isdecimal() else f"what paths {paths} share"
    click.echo(f"and resumes {where}, up to line {last.line}: {words!r}")


def this_moment() -> datetime:
    """Return the time for the name of a backup; nothing published depends on it."""
    return datetime.fromtimestamp(time.time(), UTC)
