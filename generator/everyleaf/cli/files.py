"""`everyleaf files`: who changed a file, and how a path left it."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path  # noqa: TC003  (click reads it)
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import cut, less, width_of_output
from everyleaf.cli.completing import complete_session
from everyleaf.cli.echoing import json_line, path_name
from everyleaf.cli.errors import printable
from everyleaf.cli.options import (
    archive_option,
    choice_options,
    json_option,
    masking,
    quiet_option,
    raw_option,
    sources_argument,
)
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from everyleaf.opening.reading import Scope
    from everyleaf.survey.files import Change

EPILOG = """\b
Examples:
  everyleaf files
  everyleaf files ~/.claude --match "src/*.py"
  everyleaf files logs/ --match parser.py --json
  everyleaf files --at 66e54b32:2 src/parser.py > parser.before.py

+ and - are lines of the net change, from the file's contents at the start of the path to
those at its end; ~ where these cannot be told: then they are lines of all recorded edits;
of a file too long to compare, they are the most that it can be.
new: the path made the file. Shell commands show only where a later edit recorded what
they did: "changed elsewhere".

--at plays forward what tool results recorded, helped by file-history/ beside the projects
folder. Where the contents cannot be told, a line on stderr says since when.

JSON: one object a line: file, project, session, path ("session:number", or null for an
agent's change), agent (its id, or null), status, title, ended, added, removed, exact, new,
changed_elsewhere, url.

Exit codes: 0 listed, printed; 1 no such file, or its contents cannot be told; 2 wrong
usage.
"""


@click.command(epilog=EPILOG)
@sources_argument
@click.option(
    "--match",
    "pattern",
    default="*",
    metavar="GLOB",
    help="Only files whose name, or whose last parts, fit.  [default: all]",
)
@click.option(
    "--at",
    "at",
    nargs=2,
    metavar="SESSION[:N] FILE",
    shell_complete=complete_session,
    help="Print FILE as that path left it.",
)
@json_option
@choice_options
@archive_option
@raw_option
@quiet_option
def files(  # noqa: PLR0913  (an argument an option)
    sources: tuple[Path, ...],
    *,
    pattern: str,
    at: tuple[str, str] | None,
    is_json: bool,
    projects: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    include_archive: bool,
    is_raw: bool,
    is_quiet: bool,
) -> int:
    """List which sessions and paths in SOURCE wrote or edited files.

    SOURCE is what `everyleaf build` takes. Each path of a session is listed by itself, and
    so is each subagent.
    """
    from everyleaf.archive import Choice  # noqa: PLC0415  (slow to import)
    from everyleaf.opening.reading import Scope  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.files import list_changes  # noqa: PLC0415  (slow to import)

    scope = Scope(
        sources,
        include_archive=include_archive,
        redact=masking(is_raw=is_raw),
        choice=Choice(projects=projects, since=since, until=until),
    )
    if at:
        return _print_file(scope, *at, is_quiet=is_quiet)
    with show_progress(is_quiet=is_quiet) as on_progress:
        changes = list_changes(scope, pattern, on_progress)
    if is_json:
        for change in changes:
            click.echo(json_line(to_row(change)))
    else:
        for line in iter_lines(changes, width_of_output()):
            click.echo(line)
    return 0 if changes or pattern == "*" else 1


def to_row(change: Change) -> dict[str, object]:
    """Return a change by the names that `everyleaf files --help` tells."""
    return {
        "file": change.file,
        "project": change.project,
        "session": change.session,
        "path": path_name(change.session, change.path),
        "agent": change.agent_id or None,
        "status": change.status or None,
        "title": change.title,
        "ended": change.ended,
        "added": change.added,
        "removed": change.removed,
        "exact": change.is_exact,
        "new": change.is_new,
        "changed_elsewhere": change.has_foreign_changes,
        "url": change.url,
    }


def _print_file(scope: Scope, name: str, file: str, *, is_quiet: bool) -> int:
    from everyleaf.survey.files import file_at  # noqa: PLC0415  (slow to import)

    with show_progress(is_quiet=is_quiet) as on_progress:
        left = file_at(scope, name, file, on_progress)
    path = f"{left.path.session}:{left.path.number}"
    if left.text is None:
        since = f" since {left.lost_at}" if left.lost_at else ""
        said = f"the contents of {left.file!r} at the end of {path} cannot be told{since}"
        click.echo(f"error: {printable(said)}", err=True)
        click.echo("hint: no record and no backup holds what a change made of it", err=True)
        return 1
    if left.has_foreign_changes:
        said = f"note: something else than edits of {path} changed {left.file!r} meanwhile"
        click.echo(printable(said), err=True)
    click.echo(left.text.encode("utf-8", "replace"), nl=False)
    return 0


def iter_lines(changes: Sequence[Change], width: int | None) -> Iterator[str]:
    """Yield the lines of the list, file by file, each at most `width` long."""
    if not changes:
        yield "no file was changed"
    for (project, file), some in groupby(changes, key=lambda one: (one.project, one.file)):
        yield click.style(cut(f"{project}: {file}", width), bold=True)
        for change in some:
            yield f"  {cut(_words(change), less(width, 2))}"
            yield f"    {cut(change.url, less(width, 4))}"


def _words(change: Change) -> str:
    who = f"path {change.path}" if change.path else f"agent {change.agent_id}"
    sure = "" if change.is_exact else "~"
    marks = [
        change.status,
        "new" if change.is_new else "",
        "changed elsewhere" if change.has_foreign_changes else "",
    ]
    said = ", ".join(mark for mark in marks if mark)
    counts = f"{sure}+{change.added} -{change.removed}"
    return f"{change.session[:8]} {who}  {counts}  {said}  {change.title}"
