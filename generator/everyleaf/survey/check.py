"""What is odd about an archive, and what to do about it. Nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from everyleaf.opening.reading import load, open_workers
from everyleaf.survey.expiry import find_expiring
from everyleaf.survey.looseends import (
    find_calls_without_agent,
    find_dangling,
    find_lost_summaries,
    find_roots,
)
from everyleaf.survey.oddities import Finding
from everyleaf.survey.sharing import find_shared
from everyleaf.survey.spelling import find_case_slips, find_string_contents
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor

    from everyleaf.archive import Archive
    from everyleaf.opening.reading import Scope
    from everyleaf.workers import OnProgress


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was looked at, and what is odd."""

    files: int
    sessions: int
    findings: tuple[Finding, ...]
    """Sorted by code, file and line."""


def check(scope: Scope, on_progress: OnProgress, *, now_s: float) -> CheckReport:
    """Return what is odd about the sessions that `scope` names.

    `now_s` (seconds since 1970) is the moment from which the CLI's cleanup is looked at.
    Reads every file twice; nothing is written.

    Raises:
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
    """
    found = scope.find()
    with open_workers(found) as executor:
        archive = load(found, executor, on_progress, redact=scope.redact)
        strings = list(_strings(archive, executor, on_progress))
    findings = [
        *(_known(archive)),
        *strings,
        *find_case_slips(archive.forest.files),
        *find_shared(archive.forest.files),
        *find_dangling(archive.forest),
        *find_roots(archive.forest),
        *find_lost_summaries(archive.forest),
        *find_calls_without_agent(archive.forest),
        *find_expiring(archive.found.files, now_s),
    ]
    text = archive.redaction.text
    return CheckReport(
        files=len(archive.found.files),
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


def _strings(
    archive: Archive, executor: Executor, on_progress: OnProgress
) -> Iterator[Finding]:
    files = archive.found.files
    done = iter_done(executor, find_string_contents, files)
    for number, (_, finding) in enumerate(done, 1):
        on_progress("looking closer", number, len(files))
        if finding is not None:
            yield finding
