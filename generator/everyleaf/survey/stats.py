"""Sums over an archive: tokens, calls, files, commits and working time."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.opening.families import survey
from everyleaf.survey.samples import Sample, look_at_work
from everyleaf.transcript.turnfacts import add_usage
from everyleaf.transcript.worktime import join_spans, working_ms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from everyleaf.opening.reading import Scope
    from everyleaf.transcript.turnfacts import Usage
    from everyleaf.workers import OnProgress

UNKNOWN = "unknown"


class By(StrEnum):
    """What sums are told apart by."""

    PROJECT = "project"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    MODEL = "model"


class Sums(Struct, frozen=True):
    """What some turns add up to."""

    name: str
    """The project, the model, or the time in UTC: the day (`2026-11-22`), the week
    (`2026-W47`, as ISO 8601 counts them) or the month (`2026-11`); `unknown`: not told."""
    sessions: int
    prompts: int
    calls: int
    files: int
    """Different files that were changed; of two projects, each counts its own."""
    commits: int
    working_s: int
    """Seconds, session by session, without pauses of more than half an hour."""
    usage: Usage
    cost_usd: float | None = None
    """What records tell of it; None: nothing."""


class Stats(Struct, frozen=True):
    """The sums of an archive."""

    total: Sums
    by: dict[By, tuple[Sums, ...]]
    """Projects and models: most output first. Times in order."""


def gather_stats(scope: Scope, on_progress: OnProgress) -> Stats:
    """Return the sums of all sessions that `scope` names.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    _, seen = survey(scope, look_at_work, on_progress, kind=tuple[Sample, ...])
    return add_up([sample for family in seen for sample in family])


def add_up(samples: Sequence[Sample]) -> Stats:
    """Return what `samples` add up to, in all and told apart in each way."""
    return Stats(
        total=_sums("total", samples),
        by={
            By.PROJECT: _most(_apart(samples, lambda sample: sample.project)),
            By.DAY: _apart(samples, lambda sample: sample.day or UNKNOWN),
            By.WEEK: _apart(samples, lambda sample: _week(sample.day)),
            By.MONTH: _apart(samples, lambda sample: sample.day[:7] or UNKNOWN),
            By.MODEL: _most(
                _apart([s for s in samples if s.model], lambda sample: sample.model)
            ),
        },
    )


def _week(day: str) -> str:
    """Return the week of a day.

    >>> _week("2027-01-01"), _week("not a day")
    ('2026-W53', 'unknown')
    """
    try:
        year, week, _ = date.fromisoformat(day).isocalendar()
    except ValueError:
        return UNKNOWN
    return f"{year:04}-W{week:02}"


def _apart(samples: Iterable[Sample], name_of: Callable[[Sample], str]) -> tuple[Sums, ...]:
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(name_of(sample), []).append(sample)
    return tuple(_sums(name, groups[name]) for name in sorted(groups))


def _most(sums: Iterable[Sums]) -> tuple[Sums, ...]:
    return tuple(sorted(sums, key=lambda one: (-one.usage.output, one.name)))


def _sums(name: str, samples: Sequence[Sample]) -> Sums:
    spans: dict[str, list[tuple[int, int]]] = {}
    for sample in samples:
        spans.setdefault(sample.session, []).extend(sample.spans)
    return Sums(
        name=name,
        sessions=len(spans),
        prompts=sum(sample.prompts for sample in samples),
        calls=sum(sample.calls for sample in samples),
        files=len({(s.project, file) for s in samples for file in s.files}),
        commits=sum(sample.commits for sample in samples),
        working_s=round(sum(working_ms(join_spans(own)) for own in spans.values()) / 1000),
        usage=add_usage(sample.usage for sample in samples),
        cost_usd=sum(sample.cost for sample in samples) / 1e6 or None,
    )
