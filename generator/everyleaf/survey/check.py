"""What is odd about an archive, and what to do about it. Nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import EVERYTHING
from everyleaf.opening.notes import open_archive
from everyleaf.survey.expiry import find_expiring
from everyleaf.survey.looseends import (
    find_calls_without_agent,
    find_dangling,
    find_lost_summaries,
    find_roots,
)
from everyleaf.survey.oddities import Finding
from everyleaf.survey.sharing import find_shared
from everyleaf.survey.spelling import (
    count_strings,
    find_case_slips,
    find_string_contents,
)
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from everyleaf.archive import Archive
    from everyleaf.opening.notes import Opened
    from everyleaf.opening.reading import Scope
    from everyleaf.sources.files import SourceFile
    from everyleaf.workers import OnProgress


class CheckReport(Struct, frozen=True):
    """What was looked at, and what is odd."""

    files: int
    sessions: int
    findings: tuple[Finding, ...]
    """Sorted by code, file and line."""


def check(scope: Scope, on_progress: OnProgress, *, now_s: float) -> CheckReport:
    """Return what is odd about the sessions that `scope` names.

    `now_s` (seconds since 1970) is the moment from which the CLI's cleanup is looked at.
    Reads every file twice, but for what is remembered.

    Raises:
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
    """
    with open_archive(scope, on_progress, purpose="check") as opened:
        archive = opened.archive
        files = _chosen_files(archive, scope)
        strings = list(_strings(opened, files, on_progress))
    findings = [
        *(_known(archive)),
        *strings,
        *find_case_slips(archive.forest.files),
        *find_shared(archive.forest.files),
        *find_dangling(archive.forest),
        *find_roots(archive.forest),
        *find_lost_summaries(archive.forest),
        *find_calls_without_agent(archive.forest),
        *find_expiring(files.values(), now_s),
    ]
    text = archive.redaction.text
    return CheckReport(
        files=len(files),
        sessions=len(archive.forest.sessions),
        findings=tuple(
            sorted({replace(one, message=text(one.message)) for one in findings})
        ),
    )


def _known(archive: Archive) -> Iterable[Finding]:
    """Return what building a site reports, too."""
    return [
        Finding(issue.code, issue.file, issue.line, issue.message, issue.session)
        for issue in archive.issues
    ]


def _chosen_files(archive: Archive, scope: Scope) -> dict[int, SourceFile]:
    if scope.choice == EVERYTHING:
        return dict(archive.files)
    sources = {file.source for file in archive.forest.files}
    return {number: file for number, file in archive.files.items() if number in sources}


def _strings(
    opened: Opened, files: Mapping[int, SourceFile], on_progress: OnProgress
) -> Iterator[Finding]:
    notes = opened.notes
    names = {n: notes.name(notes.contents.get(n, "")) for n in files}
    counts = {n: notes.find(name, tuple[int, int]) for n, name in names.items()}
    missing = [number for number, known in counts.items() if known is None]
    done = iter_done(opened.executor, count_strings, [files[n] for n in missing])
    for number, (at, count) in enumerate(done, 1):
        counts[missing[at]] = count
        notes.keep(names[missing[at]], count)
        on_progress("looking closer", number, len(missing))
    for number, file in files.items():
        yield from find_string_contents(file, *(counts[number] or (0, 0)))
