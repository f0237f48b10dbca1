"""What a build says: what is in a site before it becomes public, and at its end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from everyleaf.cli.output import echo_lines, is_attended, printable
from everyleaf.errors import OutputError
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.config import BuildOptions
    from everyleaf.issues import Issue
    from everyleaf.report import BuildCounts, BuildReport, Draft

MOST_BYTES = 1_000_000_000
"""What GitHub Pages takes as a whole site."""
MOST_FILE_BYTES = 100_000_000
"""What GitHub takes as one file."""
PICTURES = (".png", ".jpg", ".gif", ".webp")
SHOWN = 10
"""How many records that were lost are named."""


def check_public(draft: Draft, *, is_agreed: bool) -> None:
    """Tell what `draft` is, and have it confirmed; secrets are masked in it.

    Raises:
        OutputError: nobody agreed, or nobody can be asked.
    """
    echo_lines(iter_summary(draft), err=True)
    if is_agreed:
        return
    if not is_attended():
        raise OutputError(
            "a public site needs a person's consent, and there is no terminal to ask at",
            hint="read the summary, then build with --yes",
        )
    if not click.confirm("Publish this for everybody to read?", err=True):
        raise OutputError("not published", hint="the output folder is as it was")


def iter_summary(draft: Draft) -> Iterator[str]:
    """Yield lines that sum up `draft`: contents, pictures, what was masked, sizes."""
    sizes = {url: location.stat().st_size for url, location in draft.files.items()}
    total, pictures = sum(sizes.values()), sum(url.endswith(PICTURES) for url in sizes)
    yield (
        f"projects: {draft.projects:,}, sessions: {draft.sessions:,},"
        f" paths: {draft.paths:,}"
    )
    yield f"images, which nothing looks into: {pictures:,}"
    masked = sorted(draft.redactions.items(), key=lambda item: (-item[1], item[0]))
    yield f"masked: {', '.join(f'{kind} {count:,}' for kind, count in masked) or 'nothing'}"
    yield f"files: {len(sizes):,}, {total / 1e6:,.1f} MB"
    if total > MOST_BYTES:
        yield f"  more than the {MOST_BYTES / 1e6:,.0f} MB that some hosts take"
    for url, size in sorted(sizes.items()):
        if size > MOST_FILE_BYTES:
            yield (
                f"  {url}: {size / 1e6:,.1f} MB, more than the"
                f" {MOST_FILE_BYTES / 1e6:,.0f} MB that some hosts take"
            )


def print_report(
    report: BuildReport, options: BuildOptions, *, is_quiet: bool, is_verbose: bool
) -> None:
    """Print what a build did: issues to stderr, and a count that a script can read."""
    if not is_quiet:
        has_report = "html" in options.formats
        lines = iter_issue_lines(
            report.issues, is_verbose=is_verbose, has_report=has_report
        )
        echo_lines(lines, err=True)
    if is_verbose:
        click.echo(counts_line(report.counts), err=True)
    if report.masked_late and not is_quiet:
        click.echo(masked_line(report.masked_late), err=True)
    if not report.is_everything_placed:
        echo_lines(iter_unplaced_lines(report.unplaced), err=True)
    click.echo(summary_line(report))


def summary_line(report: BuildReport) -> str:
    """Return the last line of a build: counts that a script can read."""
    placed = "all placed" if report.is_everything_placed else "NOT all placed"
    return (
        f"{count_of(report.sessions, 'session')}, {count_of(report.paths, 'path')}"
        f" ({report.active:,} active, {report.abandoned:,} abandoned,"
        f" {report.contained:,} contained), {count_of(report.records, 'record')} {placed},"
        f" wrote {report.wrote:,}, kept {report.kept:,}, deleted {report.deleted:,};"
        f" {count_of(len(report.issues), 'issue')}"
    )


def counts_line(counts: BuildCounts) -> str:
    """Return what a build had to do; all is zero where nothing had changed."""
    return (
        f"work: read {counts.bytes_read:,} bytes, drew {count_of(counts.records, 'record')}"
        f" in {count_of(counts.turns, 'turn')}, {count_of(counts.pages, 'page')}"
        f" of {count_of(counts.families, 'session group')}"
    )


def masked_line(masked: Sequence[tuple[str, int]]) -> str:
    """Return what only the last look masked, by kind and number of files."""
    kinds = ", ".join(f"{kind} in {count_of(number, 'file')}" for kind, number in masked)
    return f"masked in finished files, where drawing brought it together: {kinds}"


def iter_issue_lines(
    issues: Sequence[Issue], *, is_verbose: bool, has_report: bool
) -> Iterator[str]:
    """Yield every issue with its place if `is_verbose`, else one line of counts by code."""
    if is_verbose:
        for issue in sorted(issues):
            yield printable(str(issue))
    elif issues:
        codes = Counter(issue.code for issue in issues)
        counts = ", ".join(f"{number:,} {code}" for code, number in sorted(codes.items()))
        where = "see report.html, or list them with -v" if has_report else "-v lists them"
        yield f"issues: {counts} ({where})"


def iter_unplaced_lines(unplaced: Sequence[str]) -> Iterator[str]:
    """Yield why the build failed, where conversation records are on no page."""
    lost = count_of(len(unplaced), "conversation record")
    yield f"error: {lost} on no path, which is a bug"
    for uuid in unplaced[:SHOWN]:
        yield f"  {printable(uuid)}"
    if len(unplaced) > SHOWN:
        yield f"  and {len(unplaced) - SHOWN:,} more"
    yield "hint: please report this, if possible with the session"
