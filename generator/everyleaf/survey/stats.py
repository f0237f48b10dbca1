"""Sums over an archive: tokens, calls, files, commits and working time; and as a chart.

turns ─▶ samples (each turn and each response once) ─▶ sums
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from enum import StrEnum
from xml.sax.saxutils import escape

from msgspec import Struct

from everyleaf.archive import Archive
from everyleaf.grouping import grouped
from everyleaf.model import Kind
from everyleaf.opening.reading import FamilyReader, Scope, families_of, survey
from everyleaf.pages.wording import count_commits
from everyleaf.pages.work import FamilyWork, SessionWork, TurnKey
from everyleaf.transcript.document import ToolCall, TurnDocument, Usage
from everyleaf.transcript.facts import add_usage, distinct_responses, join_spans, working_ms
from everyleaf.transcript.words import short_file
from everyleaf.workers import OnProgress

UNKNOWN = "unknown"

WIDTH = 720
ROW = 24
LABEL_WIDTH = 210
LABEL_CHARS = 30
VALUE_WIDTH = 110
_TOP = 40


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


class Sample(Struct, frozen=True):
    """What one turn adds."""

    session: str
    project: str
    day: str
    """Of its first message, in UTC: `2026-11-22`; empty where no time is recorded."""
    model: str
    """The one that answered; empty for a prompt."""
    prompts: int
    calls: int
    files: tuple[str, ...]
    """Files that it changed, as seen from its working folder."""
    commits: int
    spans: tuple[tuple[int, int], ...]
    """Stretches of work in milliseconds since 1970."""
    usage: Usage = Usage()
    cost: int = 0
    """In millionths of a dollar, as far as records tell it."""


def gather_stats(scope: Scope, on_progress: OnProgress) -> Stats:
    """Return the sums of all sessions that `scope` names."""
    found = survey(scope, look_at_work, on_progress, kind=tuple[Sample, ...])
    return add_up([sample for group in found.seen for sample in group])


def add_up(samples: Sequence[Sample]) -> Stats:
    """Return what `samples` add up to, in all and told apart in each way."""
    answered = [sample for sample in samples if sample.model]
    return Stats(
        total=_sums("total", samples),
        by={
            By.PROJECT: _most(_apart(samples, lambda sample: sample.project)),
            By.DAY: _apart(samples, lambda sample: sample.day or UNKNOWN),
            By.WEEK: _apart(samples, lambda sample: _week(sample.day)),
            By.MONTH: _apart(samples, lambda sample: sample.day[:7] or UNKNOWN),
            By.MODEL: _most(_apart(answered, lambda sample: sample.model)),
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
    groups = grouped((name_of(sample), sample) for sample in samples)
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


def look_at_work(archive: Archive) -> tuple[Sample, ...]:
    """Return a sample for each turn of `archive`, family by family.

    A record that several sessions hold a copy of counts once, for the first of them, and
    so does a response that is spread over several turns. Abandoned paths and subagents
    count like the rest: their tokens were spent.
    """
    return tuple(one for work in families_of(archive) for one in _samples(work))


def _samples(work: FamilyWork) -> Iterator[Sample]:
    turns = list(_iter_turns(work))
    usages: defaultdict[int, list[Usage]] = defaultdict(list)
    costs = _run_costs(
        (key, work.tree.turns[key].records[0].envelope.line, number, total)
        for number, (_, key, document) in enumerate(turns)
        for total in document.facts.run_costs
    )
    for number, one in distinct_responses(
        (number, one)
        for number, (_, _, document) in enumerate(turns)
        for one in document.facts.responses
    ):
        usages[number].append(one.usage)
        costs[number] += one.cost
    for number, (session, key, document) in enumerate(turns):
        yield _sample(session, key, document, add_usage(usages[number]), costs[number])


def _iter_turns(work: FamilyWork) -> Iterator[tuple[SessionWork, TurnKey, TurnDocument]]:
    """Yield the turns that hold a message which none before them holds."""
    reader, seen = FamilyReader(work), set[str]()
    keys = grouped((key[0].partition("/")[0], key) for key in work.tree.turns)
    for session in work.sessions:
        for key in keys.get(session.session, ()):
            records = work.tree.turns[key].records
            said = {p.canonical for p in records if p.kind is not Kind.NOTE}
            if not said <= seen:
                seen |= said
                yield session, key, reader.document(key)


def _run_costs(ends: Iterable[tuple[TurnKey, int, int, int]]) -> Counter[int]:
    """Return turn → what its runs cost, from (key, line, turn, total) of their ends.

    Each total is all that its process had spent; less than before: another process.
    """
    runs = grouped((key[0], (line, number, total)) for key, line, number, total in ends)
    costs: Counter[int] = Counter()
    for ends_of_file in runs.values():
        spent = 0
        for _, number, total in sorted(ends_of_file):
            costs[number] += total - spent if total >= spent else total
            spent = total
    return costs


def _sample(
    session: SessionWork, key: TurnKey, document: TurnDocument, usage: Usage, cost: int
) -> Sample:
    facts = document.facts
    calls = [entry for entry in document.entries if isinstance(entry, ToolCall)]
    changed = (short_file(c.file, facts.folder) for call in calls for c in call.changes)
    return Sample(
        session=session.session,
        project=session.project,
        day=next((e.at[:10] for e in document.entries if len(e.at) >= 10), ""),
        model=next((one.model for one in facts.responses if one.model), ""),
        # What an agent is told is no prompt.
        prompts=0 if "/" in key[0] else facts.prompts,
        calls=len(calls),
        files=tuple(dict.fromkeys(changed)),
        commits=count_commits(facts.commits),
        spans=facts.spans,
        usage=usage,
        cost=cost,
    )


def draw_chart(sums: Sequence[Sums], by: By) -> str:
    """Return `sums` as an svg with a bar a row; the same sums give the same bytes.

    It names itself and says its numbers in words for who cannot see it, takes its colours
    from the text around it, and holds no style sheet, no script and no link.
    """
    height = _TOP + ROW * max(len(sums), 1) + 8
    title = f"Output tokens by {by}{' (UTC)' if by in {By.DAY, By.WEEK, By.MONTH} else ''}"
    words = "; ".join(f"{one.name}: {one.usage.output:,}" for one in sums)
    words = words or "No session has any."
    lines = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" role="img" fill="currentColor"'
            f' aria-labelledby="stats-{by}-title stats-{by}-desc"'
            ' font-family="system-ui, sans-serif" font-size="13">'
        ),
        f'<title id="stats-{by}-title">{title}</title>',
        f'<desc id="stats-{by}-desc">{_svg_text(words)}</desc>',
        f'<text x="8" y="24" font-size="16" font-weight="600">{title}</text>',
        *_bars(sums),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _bars(sums: Sequence[Sums]) -> Iterator[str]:
    if not sums:
        yield f'<text x="8" y="{_TOP + 16}">Nothing to show</text>'
    most = max((one.usage.output for one in sums), default=0) or 1
    room = WIDTH - LABEL_WIDTH - VALUE_WIDTH
    for number, one in enumerate(sums):
        top, name, value = _TOP + ROW * number, one.name, one.usage.output
        size, middle = max(1, value * room // most), top + 16
        label = name if len(name) <= LABEL_CHARS else f"{name[: LABEL_CHARS - 1]}…"
        text = _svg_text(label)
        yield f'<text x="{LABEL_WIDTH - 8}" y="{middle}" text-anchor="end">{text}</text>'
        yield (
            f'<rect x="{LABEL_WIDTH}" y="{top + 3}" width="{size}" height="{ROW - 8}"'
            ' rx="2" fill-opacity="0.55"/>'
        )
        yield f'<text x="{LABEL_WIDTH + size + 8}" y="{middle}">{value:,}</text>'


def _svg_text(text: str) -> str:
    """Return `text` for an element: what XML forbids is shown as a mark."""
    shown = "".join(
        c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return escape(shown)
