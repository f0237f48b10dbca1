"""`everyleaf goto`: which branch of a session resumes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from everyleaf.cli.errors import printable
from everyleaf.cli.options import session_argument, source_option
from everyleaf.cli.revising import carry_out, dry_run_option, open_named
from everyleaf.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.revise.plan import Target

EPILOG = """\b
Examples:
  everyleaf goto 66e54b32 :1
  everyleaf goto 66e54b32 "use a state machine"
  everyleaf goto 66e54b32 0d3f9a2c --dry-run
  everyleaf restore 66e54b32
"""


@click.command(epilog=EPILOG)
@session_argument("session", "SESSION")
@click.argument("wanted", metavar="UUID|TEXT|:N")
@source_option
@dry_run_option
def goto(session: str, wanted: str, *, sources: tuple[Path, ...], is_dry: bool) -> None:
    """Make another branch of SESSION the one that resumes.

    The branch is named by path number (:N), by the uuid of a record that stands on it
    alone, or by a text from it; where several fit, you are asked. Nothing is deleted and no
    message changes: a line is appended that says where the conversation goes on. The file
    as it was is kept, and `everyleaf restore` puts it back.

    Claude Code 2.1.122 and later read that line, whichever version wrote the session;
    earlier ones resume what was written last.
    """
    from everyleaf.revise.plan import find_targets, plan_goto  # noqa: PLC0415  (slow)

    opened = open_named(session, sources)
    target = _choose(find_targets(opened, wanted), wanted)
    carry_out(opened, plan_goto(opened, target), is_dry=is_dry)


def _choose(targets: list[Target], wanted: str) -> Target:
    """Return the one target, or the one that a person picks.

    Raises:
        SourceError: there are several, and nobody to ask.
    """
    if len(targets) == 1:
        return targets[0]
    by_number = {str(target.number): target for target in targets}
    for target in targets:
        state = "ACTIVE" if target.is_active else "abandoned"
        place = f"path {target.number} ({state}), line {target.line}"
        click.echo(f"{place}: {printable(target.words)}", err=True)
    if not _is_terminal():
        numbers = " or ".join(f":{number}" for number in by_number)
        raise SourceError(
            f"{wanted!r} fits {len(targets)} branches", hint=f"say which path: {numbers}"
        )
    answer: str = click.prompt("Which path", type=click.Choice(list(by_number)), err=True)
    return by_number[answer]


def _is_terminal() -> bool:
    """Return whether there is somebody to ask."""
    return sys.stdin.isatty()
