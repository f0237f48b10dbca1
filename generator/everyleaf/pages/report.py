"""The report: everything that was odd in the files of an archive."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from everyleaf.issues import DESCRIPTIONS, IssueCode
from everyleaf.pages.addresses import REPORT_URL, relative, root_of
from everyleaf.pages.listviews import IssueGroup, IssueRow, ReportView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.issues import Issue
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.reading import Reading
    from everyleaf.pages.settings import SiteSettings

MAX_ROWS = 500
"""Issues of one code that are listed; the rest is counted."""


def report_view(
    sessions: Sequence[SessionFacts],
    settings: SiteSettings,
    reading: Reading,
) -> ReportView:
    """Return the view of the report.

    Sessions bring their own issues; `reading` adds those of no listed session.
    """
    listed = {session.session for session in sessions}
    found = [
        *(pair for session in sessions for pair in session_issues(session, REPORT_URL)),
        *(_loose(issue) for issue in reading.issues if issue.session not in listed),
    ]
    groups = group_issues(found)
    total = sum(group.count for group in groups)
    lede = "Nothing was odd in the files of this archive."
    if total:
        lede = (
            f"{count_of(total, 'issue')}: what was odd in the files, and what became of it."
        )
    return ReportView(
        title="Report",
        site_title=visible(settings.title),
        root=root_of(REPORT_URL),
        lede=lede,
        groups=groups,
        types=_most_first(reading.types),
        fields=_most_first(reading.fields),
        redactions=_most_first(reading.redactions),
        images=format_count(reading.images) if reading.images else "",
    )


def session_issues(session: SessionFacts, here: str) -> Iterator[tuple[str, IssueRow]]:
    """Yield the issues of a session by code, as rows on the page `here`."""
    url = relative(here, session.url) if session.url and session.url != here else ""
    for issue in session.issues:
        place = f"line {issue.line:,}" if issue.line else "whole file"
        yield (
            issue.code,
            IssueRow(visible(session.session), url, place, visible(issue.message)),
        )


def group_issues(found: Iterable[tuple[str, IssueRow]]) -> tuple[IssueGroup, ...]:
    """Return issues by code, codes in the order of their definition, rows as given."""
    by_code: defaultdict[str, list[IssueRow]] = defaultdict(list)
    for code, row in found:
        by_code[code].append(row)
    order = {code.value: number for number, code in enumerate(IssueCode)}
    codes = sorted(by_code, key=lambda code: (order.get(code, len(order)), code))
    return tuple(
        IssueGroup(
            visible(code),
            DESCRIPTIONS[IssueCode(code)] if code in order else "",
            len(by_code[code]),
            tuple(by_code[code][:MAX_ROWS]),
        )
        for code in codes
    )


def _loose(issue: Issue) -> tuple[str, IssueRow]:
    place = f"{issue.file}, line {issue.line:,}" if issue.line else issue.file
    return issue.code, IssueRow(
        visible(issue.session), "", visible(place), visible(issue.message)
    )


def _most_first(counts: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((visible(name), format_count(count)) for name, count in ordered)
