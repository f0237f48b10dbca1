"""`everyleaf stats`: tokens, calls, files, commits and working time."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (click reads it)
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import table, width_of_output
from everyleaf.cli.echoing import echo_json
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

    from everyleaf.survey.stats import By, Stats, Sums

WAYS = ("project", "day", "week", "month", "model")
SHOWN = ("project", "day", "model")
"""What is shown unless one is asked for."""
HEAD = (
    "sessions", "prompts", "calls", "files", "commits", "h:mm", "in", "cached", "out",
)  # fmt: skip

EPILOG = """\b
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


@click.command(epilog=EPILOG)
@sources_argument
@click.option(
    "--by",
    type=click.Choice(WAYS),
    help="Only this table.  [default: project, day and model]",
)
@json_option
@click.option(
    "--svg", "is_svg", is_flag=True, help="Print a bar chart of output tokens as SVG."
)
@choice_options
@archive_option
@raw_option
@quiet_option
def stats(  # noqa: PLR0913  (an argument an option)
    sources: tuple[Path, ...],
    *,
    by: str | None,
    is_json: bool,
    is_svg: bool,
    projects: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    include_archive: bool,
    is_raw: bool,
    is_quiet: bool,
) -> None:
    """Add up tokens, calls, files, commits and working time of the sessions in SOURCE.

    SOURCE is what `everyleaf build` takes.
    """
    from everyleaf.archive import Choice  # noqa: PLC0415  (slow to import)
    from everyleaf.opening.reading import Scope  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.stats import (  # noqa: PLC0415  (slow, too)
        By,
        draw_chart,
        gather_stats,
    )

    if is_json and is_svg:
        raise click.UsageError("--json and --svg are two forms; choose one")
    scope = Scope(
        sources,
        include_archive=include_archive,
        redact=masking(is_raw=is_raw),
        choice=Choice(projects=projects, since=since, until=until),
    )
    with show_progress(is_quiet=is_quiet) as on_progress:
        found = gather_stats(scope, on_progress)
    if is_json:
        echo_json(found)
    elif is_svg:
        way = By(by or WAYS[0])
        click.echo(draw_chart(found.by[way], way), nl=False)
    else:
        for line in iter_lines(
            found, [By(by)] if by else [By(way) for way in SHOWN], width_of_output()
        ):
            click.echo(line)


def iter_lines(found: Stats, ways: Sequence[By], width: int | None) -> Iterator[str]:
    """Yield a table for each of `ways`, the sum of all in its last row."""
    for number, way in enumerate(ways):
        if number:
            yield ""
        rows = [_row(one, way) for one in (*found.by[way], found.total)]
        columns: tuple[str, ...] = (str(way), *HEAD)
        if found.total.cost_usd is not None:
            columns = (*columns, "cost")
            costs = (one.cost_usd for one in (*found.by[way], found.total))
            rows = [(*row, _dollars(cost)) for row, cost in zip(rows, costs, strict=True)]
        head, *lines = table(columns, rows, width=width)
        yield click.style(head, bold=True)
        yield from lines


def _row(sums: Sums, way: By) -> tuple[str, ...]:
    usage = sums.usage
    counts = (sums.calls, sums.files, sums.commits)
    tokens = (usage.input + usage.cache_written, usage.cache_read, usage.output)
    return (
        sums.name,
        f"{sums.sessions:,}",
        # A person's prompt is no model's.
        "" if str(way) == "model" else f"{sums.prompts:,}",
        *(f"{count:,}" for count in counts),
        _hours(sums.working_s),
        *(short_count(count) for count in tokens),
    )


def _dollars(cost: float | None) -> str:
    return "" if cost is None else f"${cost:,.2f}"


def _hours(seconds: int) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours}:{minutes:02}"


def short_count(count: int) -> str:
    """Return `count` in at most five characters, up to 999 G.

    >>> short_count(999), short_count(14_502), short_count(999_950), short_count(2_589_787)
    ('999', '14.5k', '1.0M', '2.6M')
    """
    if count < 1000:
        return str(count)
    size = count / 1000
    for unit in "kM":
        if round(size, 1) < 1000:
            return f"{size:.1f}{unit}" if round(size, 1) < 100 else f"{size:.0f}{unit}"
        size /= 1000
    return f"{size:.1f}G"
