"""What a build says at its end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from everyleaf.cli.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.issues import Issue
    from everyleaf.report import BuildCounts, BuildReport

SHOWN = 10
"""How many records that were lost are named."""


def summary_line(report: BuildReport) -> str:
    """Return the last line of a build: counts that a script can read."""
    placed = "all placed" if report.is_everything_placed else "NOT all placed"
    return (
        f"{_count(report.sessions, 'session')}, {_count(report.paths, 'path')}"
        f" ({report.active:,} active, {report.abandoned:,} abandoned,"
        f" {report.contained:,} contained), {_count(report.records, 'record')} {placed},"
        f" wrote {report.wrote:,}, kept {report.kept:,}, deleted {report.deleted:,};"
        f" {_count(len(report.issues), 'issue')}"
    )


def counts_line(counts: BuildCounts) -> str:
    """Return what a build had to do; all is zero where nothing had changed."""
    return (
        f"work: read {counts.bytes_read:,} bytes, drew {_count(counts.records, 'record')}"
        f" in {_count(counts.turns, 'turn')}, {_count(counts.pages, 'page')}"
        f" of {counts.families:,} families"
    )


def masked_line(masked: Sequence[tuple[str, int]]) -> str:
    """Return what only the last look masked, by kind and number of files."""
    kinds = ", ".join(f"{kind} in {_count(number, 'file')}" for kind, number in masked)
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
    lost = _count(len(unplaced), "conversation record")
    yield f"error: {lost} on no path, which is a bug"
    for uuid in unplaced[:SHOWN]:
        yield f"  {printable(uuid)}"
    if len(unplaced) > SHOWN:
        yield f"  and {len(unplaced) - SHOWN:,} more"
    yield "hint: please report this, if possible with the session"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
