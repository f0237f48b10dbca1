"""`everyleaf check`: what is odd about an archive, and what to do about it."""

from __future__ import annotations

import time
from itertools import groupby
from pathlib import Path  # noqa: TC003  (click reads it)
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import cells_of, cut, width_of_output, wrapped
from everyleaf.cli.echoing import echo_json
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
    from collections.abc import Iterator
    from datetime import datetime

    from everyleaf.survey.check import CheckReport
    from everyleaf.survey.oddities import Oddity

LISTED = 5
"""Findings of a kind that are listed without `--verbose`."""

EPILOG = """\b
Examples:
  everyleaf check
  everyleaf check ~/.claude --strict --ignore expires-soon
  everyleaf check logs/ --verbose
  everyleaf check logs/ --json

A warning: something is lost, damaged or in danger, or may be read in another way than
meant. A note: sound archives look so, too.

JSON: files, sessions, findings: [{code, file, line, message, session}], advice: {code:
{means, to_do, level}} for the codes that occur; level: warning or note.

Exit codes: 0 looked, also where something is odd; 1 an error, or any warning under
--strict; 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@sources_argument
@click.option("--strict", "is_strict", is_flag=True, help="Exit with 1 on any warning.")
@click.option(
    "--ignore",
    "ignored",
    multiple=True,
    metavar="CODE",
    help="Leave out findings with this code. May be repeated.",
)
@json_option
@click.option("-v", "--verbose", "is_verbose", is_flag=True, help="List every finding.")
@choice_options
@archive_option
@raw_option
@quiet_option
def check(  # noqa: PLR0913  (an argument an option)
    sources: tuple[Path, ...],
    *,
    is_strict: bool,
    ignored: tuple[str, ...],
    is_json: bool,
    is_verbose: bool,
    projects: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    include_archive: bool,
    is_raw: bool,
    is_quiet: bool,
) -> int:
    """Say what is odd about the sessions in SOURCE, and what to do about it.

    SOURCE is what `everyleaf build` takes. Nothing is changed.
    """
    from everyleaf.archive import Choice  # noqa: PLC0415  (slow to import)
    from everyleaf.opening.reading import Scope  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.check import check as look  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.oddities import ADVICE  # noqa: PLC0415  (slow to import)

    unknown = sorted(set(ignored) - set(ADVICE))
    if unknown:
        raise click.UsageError(f"--ignore: there is no code {', '.join(unknown)}")
    scope = Scope(
        sources,
        include_archive=include_archive,
        redact=masking(is_raw=is_raw),
        choice=Choice(projects=projects, since=since, until=until),
    )
    with show_progress(is_quiet=is_quiet) as on_progress:
        report = look(scope, on_progress, now_s=time.time())
    kept = [one for one in report.findings if one.code not in ignored]
    findings = sorted(kept, key=_is_note)
    if is_json:
        _echo_json(report, findings)
    else:
        limit = len(findings) if is_verbose else LISTED
        for line in iter_lines(findings, limit, width_of_output()):
            click.echo(line)
        for line in wrapped(_last_line(report, findings), width_of_output()):
            click.echo(line)
    return 1 if is_strict and findings and not _is_note(findings[0]) else 0


def _is_note(one: Oddity) -> bool:
    from everyleaf.survey.oddities import ADVICE, Level  # noqa: PLC0415  (slow to import)

    return ADVICE[one.code].level is Level.NOTE


def _echo_json(report: CheckReport, findings: list[Oddity]) -> None:
    from everyleaf.survey.oddities import ADVICE  # noqa: PLC0415  (slow to import)

    echo_json(
        {
            "files": report.files,
            "sessions": report.sessions,
            "findings": findings,
            "advice": {str(code): ADVICE[code] for code in {o.code for o in findings}},
        }
    )


def iter_lines(findings: list[Oddity], limit: int, width: int | None) -> Iterator[str]:
    """Yield the findings, kind by kind, `limit` of each, with what to do about them."""
    from everyleaf.survey.oddities import ADVICE  # noqa: PLC0415  (slow to import)

    for code, some in groupby(findings, key=lambda one: one.code):
        alike, advice = list(some), ADVICE[code]
        head = cut(f"{advice.level}: {code} ({len(alike):,})", width)
        yield click.style(head, bold=True)
        yield from wrapped(advice.means, width, "  ")
        yield from wrapped(f"⇒ {advice.to_do}", width, "  ")
        for one in alike[:limit]:
            yield from _place(one, width)
        if len(alike) > limit:
            yield f"    … and {len(alike) - limit:,} more (--verbose)"
        yield ""


def _place(one: Oddity, width: int | None) -> Iterator[str]:
    place = f"{one.file}:{one.line}" if one.line else one.file
    said = f"    {printable(place)}: {printable(one.message)}"
    if width is None or cells_of(said) <= width:
        yield said
    else:
        yield from wrapped(place, width, "    ")
        yield from wrapped(one.message, width, "      ")


def _last_line(report: CheckReport, findings: list[Oddity]) -> str:
    from everyleaf.theming.formats import count_of  # noqa: PLC0415  (with the rest)

    notes = sum(map(_is_note, findings))
    odd = f"{count_of(len(findings) - notes, 'warning')}, {count_of(notes, 'note')}"
    return (
        f"{count_of(report.files, 'file')}, {count_of(report.sessions, 'session')}; {odd}"
    )
