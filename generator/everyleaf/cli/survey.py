"""`everyleaf stats` and `everyleaf files`: what sessions took, and what they changed."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import click

from everyleaf.cli import options
from everyleaf.cli.completion import complete_session
from everyleaf.cli.output import (
    Json,
    echo_file,
    echo_json,
    echo_lines,
    json_line,
    path_name,
    pick,
    printable,
    row,
    short_count,
    squeezed,
    table,
)
from everyleaf.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.cli.options import Reading
    from everyleaf.survey.files import Change
    from everyleaf.survey.stats import By, Stats, Sums

WAYS = ("project", "day", "week", "month", "model")
SHOWN = ("project", "day", "model")
"""What is shown unless one is asked for."""
HEAD = (
    "sessions", "prompts", "calls", "files", "commits", "h:mm", "in", "cached", "out",
)  # fmt: skip


STATS_EPILOG = """\b
Examples:
  everyleaf stats
  everyleaf stats ~/.claude --by week --since 30d
  everyleaf stats logs/ --json
  everyleaf stats logs/ --by model --svg > models.svg

Every record counts once, whatever paths and copies hold it; abandoned paths and subagents
count, too. Days, weeks and months are those of UTC. Working time leaves out pauses of more
than half an hour; two sessions at once count twice. h:mm: working time; in: tokens sent
anew or written to the cache; cached: read from it. Cost is what records tell of it, as
the CLI reckoned it: versions up to 1.0.8 and recorded streams; without any, there is no
column.

JSON: total, by: {project, day, week, month, model}, each row: name, sessions, prompts,
calls, files, commits, working_s, usage {input, output, cache_read, cache_written},
cost_usd (or null).
"""


@options.command(epilog=STATS_EPILOG)
@options.sources
@options.one_of(
    "--by", known=WAYS, help="Only this table.  [default: project, day and model]"
)
@options.json
@options.flag("--svg", "is_svg", help="Print a bar chart of output tokens as SVG.")
@options.archives
def stats(*, reading: Reading, by: str | None, is_json: bool, is_svg: bool) -> None:
    """Add up tokens, calls, files, commits and working time of the sessions in SOURCE.

    SOURCE is what `everyleaf build` takes.
    """
    from everyleaf.survey.stats import By, draw_chart, gather_stats

    if is_json and is_svg:
        raise click.UsageError("--json and --svg are two forms; choose one")
    found = reading.look(gather_stats)
    if is_json:
        echo_json(found)
    elif is_svg:
        way = By(by or WAYS[0])
        click.echo(draw_chart(found.by[way], way), nl=False)
    else:
        ways = [By(by)] if by else [By(way) for way in SHOWN]
        echo_lines(iter_tables(found, ways))


def iter_tables(found: Stats, ways: Sequence[By]) -> Iterator[str]:
    """Yield a table for each of `ways`, the sum of all in its last row."""
    has_cost = found.total.cost_usd is not None
    for number, way in enumerate(ways):
        if number:
            yield ""
        body = [_cells(one, way) for one in (*found.by[way], found.total)]
        columns = (str(way), *HEAD, "cost")
        shown = None if has_cost else -1
        head, *lines = table(columns[:shown], [cells[:shown] for cells in body])
        yield click.style(head, bold=True)
        yield from lines


def _cells(sums: Sums, way: By) -> tuple[str, ...]:
    usage = sums.usage
    counts = (sums.calls, sums.files, sums.commits)
    tokens = (usage.input + usage.cache_written, usage.cache_read, usage.output)
    hours, minutes = divmod(round(sums.working_s / 60), 60)
    return (
        sums.name,
        f"{sums.sessions:,}",
        # A person's prompt is no model's.
        "" if str(way) == "model" else f"{sums.prompts:,}",
        *(f"{count:,}" for count in counts),
        f"{hours}:{minutes:02}",
        *(short_count(count, tenths_below=99.95) for count in tokens),
        "" if sums.cost_usd is None else f"${sums.cost_usd:,.2f}",
    )


FILES_EPILOG = """\b
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


@options.command(epilog=FILES_EPILOG)
@options.sources
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
@options.json
@options.archives
def files(
    *, reading: Reading, pattern: str, at: tuple[str, str] | None, is_json: bool
) -> int:
    """List which sessions and paths in SOURCE wrote or edited files.

    SOURCE is what `everyleaf build` takes. Each path of a session is listed by itself, and
    so is each subagent.
    """
    from everyleaf.survey.files import list_changes

    if at:
        return _print_file(reading, *at)
    changes = reading.look(
        lambda scope, on_progress: list_changes(scope, pattern, on_progress)
    )
    if is_json:
        echo_lines(json_line(to_row(change)) for change in changes)
    else:
        echo_lines(iter_changes(changes))
    return 0 if changes or pattern == "*" else 1


def _print_file(reading: Reading, name: str, file: str) -> int:
    from everyleaf.survey.files import file_at

    left = reading.look(lambda scope, on_progress: file_at(scope, name, file, on_progress))
    path = f"{left.path.session}:{left.path.number}"
    if left.text is None:
        since = f" since {left.lost_at}" if left.lost_at else ""
        raise SourceError(
            f"the contents of {left.file!r} at the end of {path} cannot be told{since}",
            hint="no record and no backup holds what a change made of it",
        )
    if left.has_foreign_changes:
        said = f"note: something else than edits of {path} changed {left.file!r} meanwhile"
        click.echo(printable(said), err=True)
    echo_file(left.text)
    return 0


def to_row(change: Change) -> Json:
    """Return a change by the names that `everyleaf files --help` tells."""
    picked = pick(
        change,
        "file project session agent=agent_id? status? title ended added removed"
        " exact=is_exact new=is_new changed_elsewhere=has_foreign_changes url",
    )
    return picked | {"path": path_name(change.session, change.path)}


def iter_changes(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the lines of the list, file by file."""
    if not changes:
        yield "no file was changed"
    for (project, file), some in groupby(changes, key=lambda one: (one.project, one.file)):
        yield row(squeezed(f"{project}: {file}"), bold=True)
        for change in some:
            yield row(squeezed(_words(change)), "  ")
            yield row(squeezed(change.url), "    ")


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
