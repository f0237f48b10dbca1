"""The report: what was masked in the archive, and what was odd in its files."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.grouping import grouped
from everyleaf.issues import DESCRIPTIONS, Issue, IssueCode
from everyleaf.pages.addresses import REPORT_URL, relative
from everyleaf.pages.facts import ReportFacts, SessionFacts
from everyleaf.pages.wording import moment_utc, titled
from everyleaf.redact.masking import HOME_FOLDER
from everyleaf.render.view import PageView
from everyleaf.theming.formats import visible
from everyleaf.transcript.words import counted

_KINDS = {
    HOME_FOLDER: "Home folders",
    "cookie": "Cookies",
    "password": "Passwords",
    "secret": "Secrets and keys",
    "private-id": "Numbers of accounts and devices",
    "env-secret": "Secrets in environment variables",
    "env-password": "Passwords in environment variables",
    "connection-password": "Passwords in addresses of servers",
}
"""What was masked, in a reader's words, where the kind's own name says less."""
MAX_ROWS = 500
"""Issues of one code that are listed; the rest is counted."""
MAX_LINES = 8
"""Lines of one session that the report names."""
WHOLE_FILE = "whole file"


class IssueRow(Struct, frozen=True):
    """Something odd in a file; in the report, all of its kind in the files of a session."""

    session: str
    """Id of the session; empty: of none."""
    title: str
    """Of the session."""
    session_url: str
    """Its page; empty: none."""
    place: str
    """`line 12`, or the file where no session says it."""
    message: str
    """What is wrong."""


class IssueGroup(Struct, frozen=True):
    """Issues of one code."""

    code: str
    """As scripts know it: `inferred-parent`."""
    description: str
    """What the code means."""
    count: int
    """How many there are."""
    rows: tuple[IssueRow, ...]
    """By session and line."""
    hidden: int
    """Rows that were cut off."""

    @property
    def said(self) -> str:
        """Return what is wrong, where it is the same in every row; empty: it is not."""
        messages = {row.message for row in self.rows}
        return messages.pop() if len(messages) == 1 < len(self.rows) else ""


class MaskedIn(Struct, frozen=True):
    """A session in which something was masked."""

    title: str
    """Of the session; its id where it is not listed."""
    url: str
    """Its page; empty: none."""
    times: int
    """How often, in its records."""


class MaskedGroup(Struct, frozen=True):
    """What was masked of one kind."""

    kind: str
    """As placeholders say it: `github-token`."""
    times: int
    """How often in all."""
    rows: tuple[MaskedIn, ...]
    """Sessions, those with most first."""
    hidden: int
    """Sessions that were cut off."""

    @property
    def words(self) -> str:
        """Return what it is, for a reader."""
        return _KINDS.get(self.kind, self.kind.replace("-", " ").capitalize())


class ReportView(PageView, frozen=True, kw_only=True):
    """What was masked and what was odd in the archive (`report.html.j2`)."""

    lede: str
    """How much of both."""
    groups: tuple[IssueGroup, ...]
    """Issues by code."""
    types: tuple[tuple[str, str], ...]
    """(record type, number of records), most frequent first."""
    fields: tuple[tuple[str, str], ...]
    """(field that everyleaf does not know, number of records), most frequent first."""
    masked: tuple[MaskedGroup, ...] = ()
    """What was masked, most frequent first; home folders last."""
    images: str = ""
    """How many pictures are published; empty: none."""


def report_view(sessions: Sequence[SessionFacts], reading: ReportFacts) -> ReportView:
    """Return the view of the report.

    Sessions bring their own issues; `reading` adds those of no listed session.
    """
    listed = {session.session for session in sessions}
    names = _names(sessions)
    found = [
        (code, replace(row, title=names[session.session]))
        for session in sessions
        if session.issues
        for code, row in session_issues(session, REPORT_URL)
    ]
    found += [_loose(issue) for issue in reading.issues if issue.session not in listed]
    masked = tuple(_masked(reading.redactions, sessions, names))
    lede = _lede(masked, len(found))
    return ReportView(
        title="Report",
        lede=f"{lede}." if lede else "Nothing was masked, and nothing odd in the files.",
        groups=tuple(map(_by_session, group_issues(found, most=len(found)))),
        types=_most_first(reading.types),
        fields=_most_first(reading.fields),
        masked=masked,
        images=f"{reading.images:,}" if reading.images else "",
    )


def _lede(masked: Sequence[MaskedGroup], issues: int) -> str:
    folders = sum(group.times for group in masked if group.kind == HOME_FOLDER)
    others = sum(group.times for group in masked) - folders
    told = (
        f"{counted(others, 'secret or name', 'secrets and names')} masked" * bool(others),
        f"{counted(folders, 'mention')} of a home folder shortened to ~" * bool(folders),
        f"{counted(issues, 'thing')} odd in the files" * bool(issues),
    )
    return "; ".join(filter(None, told))


def _masked(
    redactions: Iterable[tuple[str, str, int]],
    sessions: Iterable[SessionFacts],
    names: Mapping[str, str],
) -> Iterator[MaskedGroup]:
    """Yield what was masked by kind, with the sessions that it was masked in."""
    urls = {one.session: relative(REPORT_URL, one.url) for one in sessions}
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for kind, session, times in redactions:
        kinds[kind][session] += times

    def rank(one: tuple[str, Counter[str]]) -> tuple[bool, int, str]:
        return one[0] == HOME_FOLDER, -one[1].total(), one[0]

    for kind, found in sorted(kinds.items(), key=rank):
        ordered = sorted(found.items(), key=lambda one: (-one[1], one[0]))
        rows = (
            MaskedIn(names.get(name) or visible(name), urls.get(name, ""), n)
            for name, n in ordered[:MAX_ROWS]
        )
        hidden = max(len(ordered) - MAX_ROWS, 0)
        yield MaskedGroup(visible(kind), found.total(), tuple(rows), hidden)


def _names(sessions: Sequence[SessionFacts]) -> dict[str, str]:
    """Return titles by session; of equal ones, each with its project and time."""
    named = [(session, titled(session.title)) for session in sessions]
    titles = Counter(title for _, title in named)
    return {
        session.session: " · ".join(
            filter(None, (title, visible(session.project), moment_utc(session.ended)))
        )
        if titles[title] > 1
        else title
        for session, title in named
    }


def _by_session(group: IssueGroup) -> IssueGroup:
    """Return a group with one row for all of a session: its page has them one by one."""
    rows: list[IssueRow] = []
    for (session, _), some in groupby(group.rows, lambda row: (row.session, row.title)):
        own = list(some)
        if not session:
            rows += own
            continue
        lines = list(dict.fromkeys(row.place.removeprefix("line ") for row in own))
        place = ", ".join(lines[:MAX_LINES])
        if len(lines) > MAX_LINES:
            place += f" and {len(lines) - MAX_LINES:,} more"
        messages = list(dict.fromkeys(row.message for row in own))
        more = f"; {len(messages) - 1:,} more" if len(messages) > 1 else ""
        is_line = lines[0] != WHOLE_FILE
        place = f"line{'s' if len(lines) > 1 else ''} {place}" if is_line else place
        rows.append(replace(own[0], place=place, message=f"{messages[0]}{more}"))
    return replace(group, rows=tuple(rows[:MAX_ROWS]), hidden=max(len(rows) - MAX_ROWS, 0))


def session_issues(session: SessionFacts, here: str) -> Iterator[tuple[str, IssueRow]]:
    """Yield the issues of a session by code, as rows on the page `here`."""
    url = relative(here, session.url) if session.url != here else ""
    title = titled(session.title)
    for issue in session.issues:
        place = f"line {issue.line:,}" if issue.line else WHOLE_FILE
        message = visible(issue.message)
        yield issue.code, IssueRow(visible(session.session), title, url, place, message)


def group_issues(
    found: Iterable[tuple[str, IssueRow]], most: int = MAX_ROWS
) -> tuple[IssueGroup, ...]:
    """Return issues by code, codes in the order of their definition, rows as given."""
    by_code = grouped(found)
    order = {code.value: number for number, code in enumerate(IssueCode)}
    codes = sorted(by_code, key=lambda code: (order.get(code, len(order)), code))
    return tuple(
        IssueGroup(
            code=visible(code),
            description=DESCRIPTIONS[IssueCode(code)] if code in order else "",
            count=len(by_code[code]),
            rows=tuple(by_code[code][:most]),
            hidden=max(len(by_code[code]) - most, 0),
        )
        for code in codes
    )


def _loose(issue: Issue) -> tuple[str, IssueRow]:
    place = f"{issue.file}, line {issue.line:,}" if issue.line else issue.file
    return issue.code, IssueRow("", "", "", visible(place), visible(issue.message))


def _most_first(counts: Mapping[str, int]) -> tuple[tuple[str, str], ...]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((visible(name), f"{count:,}") for name, count in ordered)
