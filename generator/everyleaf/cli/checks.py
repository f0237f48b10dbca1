"""`everyleaf check`, `audit` and `verify`: is an archive, or a site, as it should be?"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

import click
from msgspec.structs import asdict, replace

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.cli.settings import REDACT, redact_config_option
from everyleaf.config import REDACT_ALL, RedactOptions
from everyleaf.issues import ADVICE, Issue, Level
from everyleaf.transcript.words import counted

LISTED = 5
"""Findings of a kind that are listed without `--verbose`."""


@options.command()
@options.sources
@options.flag("--strict", "is_strict", help="Exit with 1 on any warning.")
@options.many(
    "--ignore", "ignored", metavar="CODE", help="Leave out findings with this code."
)
@options.json
@options.flag("-v", "--verbose", "is_verbose", help="List every finding.")
@options.archives
def check(
    *, reading: Reading, is_strict: bool, ignored: tuple[str, ...], is_verbose: bool
) -> int:
    """Say what is odd about the sessions in SOURCE, and what to do about it.

    SOURCE is what `everyleaf build` takes. Nothing is changed.
    """
    from everyleaf.survey.check import check as look

    unknown = sorted(set(ignored) - set(ADVICE))
    if unknown:
        raise click.UsageError(f"--ignore: there is no code {', '.join(unknown)}")
    report = reading.look(partial(look, now_s=time.time()))
    kept = [one for one in report.findings if one.code not in ignored]
    findings = sorted(kept, key=_is_note)
    notes = sum(map(_is_note, findings))
    warnings = len(findings) - notes
    if reading.is_json:
        counts = {"files": report.files, "sessions": report.sessions}
        advice = {code: ADVICE[code] for code in {one.code for one in findings}}
        output.echo_json(counts | {"findings": findings, "advice": advice})
    else:
        last = (
            f"{counted(report.files, 'file')}, {counted(report.sessions, 'session')};"
            f" {counted(warnings, 'warning')}, {counted(notes, 'note')}"
        )
        output.echo_lines(iter_findings(findings, len(findings) if is_verbose else LISTED))
        output.echo_lines(output.rows(last))
    return 1 if is_strict and warnings else 0


def _is_note(one: Issue) -> bool:
    return ADVICE[one.code].level is Level.NOTE


def iter_findings(findings: list[Issue], limit: int) -> Iterator[str]:
    """Yield the findings, kind by kind, `limit` of each, with what to do about them."""
    for code, some in groupby(findings, key=lambda one: one.code):
        alike, advice = list(some), ADVICE[code]
        yield output.row(f"{advice.level}: {code} ({len(alike):,})", bold=True)
        yield from output.rows(advice.means, "  ")
        yield from output.rows(f"⇒ {advice.to_do}", "  ")
        for one in alike[:limit]:
            place = f"{one.file}:{one.line}" if one.line else one.file
            said = f"{place}: {one.message}"
            if (line := output.row(said, "    ")) == f"    {output.printable(said)}":
                yield line
            else:
                yield from output.rows(place, "    ")
                yield from output.rows(one.message, "      ")
        if len(alike) > limit:
            yield f"    … and {len(alike) - limit:,} more (--verbose)"
        yield ""


@options.command()
@options.sources
@options.git
@options.flag(
    "--public",
    "is_public",
    help="Look for people, too: e-mail addresses, hosts of private networks.",
)
@options.flag(
    "--staged",
    "is_staged",
    help="Look at what is staged in this git repository instead, for a hook: also for raw"
    " sessions, and published folders that are not whole.",
)
@options.json
@redact_config_option
@options.quiet
def audit(*, reading: Reading, is_public: bool, is_staged: bool) -> int:
    """Look for secrets in SOURCE: sessions, or a finished site.

    SOURCE is what `everyleaf build` takes, or a folder that it wrote: pages, Markdown,
    JSON, drawings and the search index. A line tells file and line, what was found, and
    how it begins; never the whole value. Nothing is sent anywhere.

    What the settings of a build say in [redact] holds here, too: own words and patterns
    are looked for, and what is allowed is passed over.
    """
    from everyleaf.audit import audit as look, audit_staged

    context = click.get_current_context()
    if is_staged and context.meta[options.NAMED]:
        raise click.UsageError("--staged looks at this repository, and takes no SOURCE")
    told: RedactOptions = context.meta.get(REDACT, REDACT_ALL)
    redact = replace(told, is_public=is_public or told.is_public)
    if is_staged:
        exposed = audit_staged(Path(), redact)
    else:
        exposed = reading.look(
            lambda scope, on_progress: look(
                scope.places, on_progress=on_progress, options=redact
            )
        )
    lines = (
        f"{output.printable(one.file)}{line}: {one.kind}: {one.preview}"
        for one in exposed
        for line in (f":{one.line}" if one.line else "",)
    )
    reading.print(map(output.json_line, exposed), lines)
    # A hook has nothing to say of a good commit.
    if not reading.is_json and (exposed or not is_staged):
        click.echo(counted(len(exposed), "finding"))
    return 1 if exposed else 0


@click.command()
@click.argument("site", type=click.Path(path_type=Path), default=Path("site"))
@options.flag("--json", "is_json", help="One JSON object.")
def verify(site: Path, *, is_json: bool) -> int:
    """Check the folder SITE against the manifest that the last build left in it."""
    from everyleaf.publish.site import verify_site

    verdict = verify_site(site)
    if is_json:
        told = asdict(verdict) | {"whole": verdict.is_whole}
        click.echo(output.json_line(told, is_sorted=False))
    else:
        urls = {name: getattr(verdict, name) for name in ("missing", "changed", "extra")}
        for name, some in urls.items():
            output.echo_lines(f"{name}: {output.printable(url)}" for url in some)
        counts = ", ".join(f"{len(some)} {name}" for name, some in urls.items())
        click.echo(f"{verdict.files:,} files published, {counts}")
    return 0 if verdict.is_whole else 1
