"""What a turn adds to the facts of each path that it is on: tokens, calls, files, time."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from everyleaf.clock import parse_timestamp
from everyleaf.transcript.document import (
    Compaction,
    FileChange,
    Notice,
    Outcome,
    Prompt,
    Reply,
    Response,
    ToolCall,
    TurnFacts,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.records.schema import (
        AnyRecord,
        AssistantRecord,
        OtherRecord,
        RecordedUsage,
    )
    from everyleaf.transcript.document import AnyEntry, Commit

_Place = TypeVar("_Place")
Spans: TypeAlias = "tuple[tuple[int, int], ...]"
"""(begin, end) of stretches of work in milliseconds since 1970, in order of time; between
two of them lies a pause of more than `GAP_MS`."""

SYNTHETIC = "<synthetic>"
"""The model that records name whose text the CLI wrote."""
GAP_MS = 30 * 60 * 1000
"""A longer pause than this is not counted as work."""
DAY_MS = 24 * 60 * 60 * 1000
_FIRST_DAY = date(1970, 1, 1).toordinal()
_MOST_DOLLARS = 1e9
"""More is no cost but a slip."""


def turn_facts(
    entries: Sequence[AnyEntry], records: Sequence[AnyRecord], times: Iterable[str]
) -> TurnFacts:
    """Return what a turn adds to its paths, from its entries and from its records.

    `times` are the timestamps of its conversation records: a note that was written before
    or long after is no work. Progress adds nothing: it may have been left out.
    """
    told = [record for record in records if record.type != "progress"]
    calls: list[ToolCall] = []
    commits: list[Commit] = []
    prompts = replies = compactions = 0
    for entry in entries:
        match entry:
            case ToolCall():
                calls.append(entry)
                commits += entry.commits
            case Notice():
                commits += entry.commits
            case Prompt():
                prompts += entry.is_numbered
            case Reply():
                replies = 1
            case Compaction():
                compactions += entry.has_boundary
            case _:
                pass
    return TurnFacts(
        responses=_responses(records),
        spans=find_spans(times),
        prompts=prompts,
        replies=int(bool(replies or calls)),
        tools=tuple(sorted(Counter(call.name for call in calls).items())) if calls else (),
        files=sum_changes(change for call in calls for change in call.changes),
        errors=sum(call.outcome is Outcome.ERROR for call in calls),
        compactions=compactions,
        branch=next((r.git_branch for r in reversed(told) if r.git_branch), ""),
        version=next((r.version for r in reversed(told) if r.version), ""),
        commits=tuple(commits),
        run_costs=tuple(filter(None, map(_run_cost, records))),
        folder=next((r.cwd for r in told if r.cwd), ""),
        agents=called_agents(calls),
    )


def _run_cost(record: AnyRecord) -> int:
    """Return what a run cost by its own word at the end, in millionths of a dollar."""
    told = cast("OtherRecord", record)
    is_run = told.type == "result"  # No other class of records has that type.
    return _millionths(told.raw.get("total_cost_usd")) if is_run else 0


def called_agents(entries: Iterable[AnyEntry]) -> tuple[str, ...]:
    """Return the ids of the subagents that calls among `entries` lead to, each once."""
    calls = (entry for entry in entries if isinstance(entry, ToolCall))
    return tuple(dict.fromkeys(call.agent_id for call in calls if call.agent_id))


def _responses(records: Iterable[AnyRecord]) -> tuple[Response, ...]:
    # By its type, not by its class: what only adds facts up needs no model of a record.
    replies = (cast("AssistantRecord", r) for r in records if r.type == "assistant")
    found = (
        Response(
            record.message.id,
            record.request_id,
            record.message.model,
            _usage(record.message.usage),
            _millionths(record.cost_usd),
        )
        for record in replies
        if record.message.model != SYNTHETIC
    )
    return tuple(one for _, one in distinct_responses(enumerate(found)))


def distinct_responses(
    placed: Iterable[tuple[_Place, Response]],
) -> list[tuple[_Place, Response]]:
    """Return each response once, in its first place, with the largest of its usages.

    Its records repeat the tokens, and they grow. One without an id is like no other.
    """
    largest: dict[tuple[str, str, int], tuple[_Place, Response]] = {}
    for number, (place, one) in enumerate(placed):
        alone = 0 if one.message_id else number + 1
        key = (one.message_id, one.request_id, alone)
        first, known = largest.get(key, (place, one))
        largest[key] = (first, one if one.usage.output >= known.usage.output else known)
    return list(largest.values())


def _millionths(dollars: object) -> int:
    """Return dollars in millionths, which add up to the same in any order.

    >>> _millionths(0.25), _millionths("0.25"), _millionths(float("nan"))
    (250000, 0, 0)
    """
    if isinstance(dollars, bool) or not isinstance(dollars, int | float):
        return 0
    return round(dollars * 1e6) if 0 < dollars < _MOST_DOLLARS else 0


def _usage(usage: RecordedUsage) -> Usage:
    return Usage(
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
    )


def sum_changes(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """Return one change a file with the lines of all its changes, sorted by name."""
    sums: dict[str, list[int]] = {}
    for change in changes:
        lines = sums.setdefault(change.file, [0, 0])
        lines[0] += change.added
        lines[1] += change.removed
    return tuple(FileChange(file, *sums[file]) for file in sorted(sums))


def find_spans(timestamps: Iterable[str]) -> Spans:
    """Return the stretches of work that `timestamps`, in any order, mark.

    What is no time is left out: files are not written in order of time.
    """
    moments = (parse_timestamp(text) for text in timestamps)
    found = (round(moment.timestamp() * 1000) for moment in moments if moment is not None)
    return join_spans((moment, moment) for moment in found)


def join_spans(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return the stretches of work that `spans`, in any order, make up together.

    Joining stretches gives what `find_spans` gives for all of their times at once.
    """
    joined: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if joined and begin - joined[-1][1] <= GAP_MS:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((begin, end))
    return tuple(joined)


def working_ms(spans: Spans) -> int:
    """Return the milliseconds of work, pauses of more than half an hour left out."""
    return sum(end - begin for begin, end in spans)


def days_of(spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    """Return the days (UTC) that stretches of work touch, each once and in order.

    >>> days_of([(0, 1), (DAY_MS - 1, DAY_MS)])
    ('1970-01-01', '1970-01-02')
    """
    days = {
        day for begin, end in spans for day in range(begin // DAY_MS, end // DAY_MS + 1)
    }
    return tuple(date.fromordinal(_FIRST_DAY + day).isoformat() for day in sorted(days))
