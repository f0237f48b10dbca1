"""`everyleaf stats`, `files`, `feedback`: what sessions took, changed, and were told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from everyleaf.cli import options, output
from everyleaf.cli.completion import complete_session
from everyleaf.cli.options import Reading
from everyleaf.cli.settings import trivial_prompts
from everyleaf.errors import SourceError
from everyleaf.sources.projects import short_session
from everyleaf.transcript.words import counted, joined, squeezed

if TYPE_CHECKING:
    from everyleaf.survey.feedback import Feedback, Said
    from everyleaf.survey.files import Change
    from everyleaf.survey.stats import By, Stats, Sums

WAYS = ("project", "day", "week", "month", "model")
SHOWN = ("project", "day", "model")
"""What is shown unless one is asked for."""
HEAD = (
    "sessions", "prompts", "calls", "files", "commits", "h:mm", "in", "cached", "out",
)  # fmt: skip


@options.command()
@options.sources
@options.one_of(
    "--by", known=WAYS, help="Only this table.  [default: project, day and model]"
)
@options.json
@options.flag("--svg", "is_svg", help="Print a bar chart of output tokens as SVG.")
@options.archives
def stats(*, reading: Reading, by: str | None, is_svg: bool) -> None:
    """Add up tokens, calls, files, commits and working time of the sessions in SOURCE.

    SOURCE is what `everyleaf build` takes.
    """
    from everyleaf.survey.stats import By, draw_chart, gather_stats

    if reading.is_json and is_svg:
        raise click.UsageError("--json and --svg are two forms; choose one")
    found = reading.look(gather_stats)
    if reading.is_json:
        output.echo_json(found)
    elif is_svg:
        way = By(by or WAYS[0])
        click.echo(draw_chart(found.by[way], way), nl=False)
    else:
        output.echo_lines(iter_tables(found, [*map(By, (by,) if by else SHOWN)]))


def iter_tables(found: Stats, ways: Sequence[By]) -> Iterator[str]:
    """Yield a table for each of `ways`, the sum of all in its last row."""
    has_cost = found.total.cost_usd is not None
    for number, way in enumerate(ways):
        if number:
            yield ""
        body = [_cells(one, way) for one in (*found.by[way], found.total)]
        columns = (str(way), *HEAD, "cost")
        shown = None if has_cost else -1
        head, *lines = output.table(columns[:shown], [cells[:shown] for cells in body])
        yield click.style(head, bold=True)
        yield from lines


def _cells(sums: Sums, way: By) -> tuple[str, ...]:
    usage = sums.usage
    tokens = (usage.input + usage.cache_written, usage.cache_read, usage.output)
    hours, minutes = divmod(round(sums.working_s / 60), 60)
    return (
        sums.name,
        f"{sums.sessions:,}",
        # A person's prompt is no model's.
        "" if str(way) == "model" else f"{sums.prompts:,}",
        *(f"{count:,}" for count in (sums.calls, sums.files, sums.commits)),
        f"{hours}:{minutes:02}",
        *(output.short_count(count, tenths_below=99.95) for count in tokens),
        "" if sums.cost_usd is None else f"${sums.cost_usd:,.2f}",
    )


@options.command()
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
def files(*, reading: Reading, pattern: str, at: tuple[str, str] | None) -> int:
    """List which sessions and paths in SOURCE wrote or edited files.

    SOURCE is what `everyleaf build` takes. Each path of a session is listed by itself, and
    so is each subagent.
    """
    from everyleaf.survey.files import list_changes

    if at and reading.is_json:
        raise click.UsageError("--json is for the list; --at prints the file itself")
    if at:
        return _print_file(reading, *at)
    changes = reading.look(partial(list_changes, pattern=pattern))
    reading.print((output.json_line(to_row(one)) for one in changes), iter_changes(changes))
    return 0 if changes or pattern == "*" else 1


def _print_file(reading: Reading, name: str, file: str) -> int:
    from everyleaf.survey.files import file_at

    left = reading.look(partial(file_at, name=name, file=file))
    path = f"{left.path.session}:{left.path.number}"
    if left.text is None:
        since = f" since {left.lost_at}" if left.lost_at else ""
        raise SourceError(
            f"the contents of {left.file!r} at the end of {path} cannot be told{since}",
            hint="no record and no backup holds what a change made of it",
        )
    if left.has_foreign_changes:
        said = f"note: something else than edits of {path} changed {left.file!r} meanwhile"
        click.echo(output.printable(said), err=True)
    output.echo_file(left.text)
    return 0


def to_row(change: Change) -> output.Json:
    """Return a change by the names that `everyleaf files --help` tells."""
    picked = output.pick(
        change,
        "file project session agent=agent_id? status? title ended added removed"
        " exact=is_exact new=is_new changed_elsewhere=has_foreign_changes url",
    )
    return picked | {"path": output.path_name(change.session, change.path)}


def iter_changes(changes: Sequence[Change]) -> Iterator[str]:
    """Yield the lines of the list, file by file."""
    if not changes:
        yield "no file was changed"
    for (project, file), some in groupby(changes, key=lambda one: (one.project, one.file)):
        yield output.row(squeezed(f"{project}: {file}"), bold=True)
        for change in some:
            yield output.row(squeezed(_words(change)), "  ")


def _words(change: Change) -> str:
    who = f"path {change.path}" if change.path else f"agent {change.agent_id}"
    sure = "" if change.is_exact else "~"
    new = "new" if change.is_new else ""
    elsewhere = "changed elsewhere" if change.has_foreign_changes else ""
    said = joined(change.status or "", new, elsewhere)
    counts = f"{sure}+{change.added} -{change.removed}"
    name, title = short_session(change.session), output.headline(change.title)
    return f"{name} {who}  {counts}  {said}  {title}"


@options.command()
@options.sources
@options.flag("--json", "is_json", help="Print JSON, one object a line.")
@options.many(
    "--trivial", metavar="TEXT", help="Leave out prompts that say just this, too."
)
@options.archives
def feedback(*, reading: Reading, trivial: tuple[str, ...]) -> None:
    """Print what people said in the sessions in SOURCE, as Markdown or JSON.

    Prompts, refused tool calls with the reason, interruptions, answers to questions and
    rejected plans, of sessions and of their subagents, each once and with what it answered.
    """
    from everyleaf.render.markdown_text import literal
    from everyleaf.survey.feedback import gather_feedback

    omitted = trivial_prompts(trivial)
    found = reading.look(partial(gather_feedback, trivial=omitted))
    lines = iter_markdown(found, lambda text: literal(output.printable(text)))
    reading.print(iter_json(found), lines)


def iter_json(found: Feedback) -> Iterator[str]:
    """Yield lines of JSON, as `everyleaf feedback --help` describes them."""
    for said in found.said:
        told = asdict(said)
        told["path"] = output.path_name(said.session, said.path)
        told["agent"] = told.pop("agent_id") or None
        yield output.json_line(told)
    for lost in found.history.lost if found.history else ():
        row = output.pick(lost, "project session at text")
        yield output.json_line(row | {"kind": "lost-prompt"})


def iter_markdown(found: Feedback, literal: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of a Markdown file; what people wrote stands in it as code.

    `literal` makes a text show itself.
    """
    yield "# What people said"
    ordered = sorted(found.said, key=lambda one: (one.project, one.session))
    for (project, session), some in groupby(ordered, key=lambda o: (o.project, o.session)):
        title = output.headline(found.titles.get(session, ""))
        yield from ("", f"## {literal(f'{project} · {title}')}")
        yield from ("", f"Session {literal(session)}")
        for said in some:
            yield from ("", f"### {_heading(said)}", "")
            if said.answered:
                yield from (f"to: {literal(said.answered)}", "")
            yield from _code(said.text or "(without a word)")
    history = found.history
    if not history:
        return
    yield from ("", "## Prompts in history.jsonl that have no session left", "")
    yield f"{len(history.lost):,} of {counted(history.prompts, 'prompt')}."
    if history.unreadable:
        yield f"Lines that are no prompt: {history.unreadable:,}."
    for lost in history.lost:
        where = filter(None, (_moment(lost.at), literal(lost.project)))
        yield from ("", f"### {' · '.join(where) or 'at an unknown time'}", "")
        yield from _code(lost.text)


def _heading(said: Said) -> str:
    where = f"path {said.path}" if said.path else ""
    agent = f"agent {output.printable(said.agent_id)}" if said.agent_id else ""
    parts = (_moment(said.at), said.kind.replace("-", " "), where, agent)
    return " · ".join(part for part in parts if part)


def _moment(at: str) -> str:
    return output.printable(at[:16].replace("T", " "))


def _code(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield f"    {output.printable(line.replace(chr(9), '    '))}".rstrip()
