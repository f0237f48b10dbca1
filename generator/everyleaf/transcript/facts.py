"""The facts of turns, and what they add up to along a path."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from everyleaf.records.schema import AssistantRecord, OtherRecord
from everyleaf.transcript.document import (
    Compaction,
    FileChange,
    Notice,
    Outcome,
    Prompt,
    Reply,
    ToolCall,
)
from everyleaf.transcript.replies import SYNTHETIC
from everyleaf.transcript.running import RunningFacts
from everyleaf.transcript.turnfacts import Response, TurnFacts, Usage, distinct_responses
from everyleaf.transcript.worktime import find_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import AnyEntry
    from everyleaf.transcript.pathfacts import PathFacts


_MOST_DOLLARS = 1e9
"""More is no cost but a slip."""


def turn_facts(
    entries: Sequence[AnyEntry], records: Sequence[AnyRecord], times: Iterable[str]
) -> TurnFacts:
    """Return what a turn adds to its paths, from its entries and from its records.

    `times` are the timestamps of its conversation records: a note that was written before
    or long after is no work.
    """
    calls = [entry for entry in entries if isinstance(entry, ToolCall)]
    return TurnFacts(
        responses=_responses(records),
        spans=find_spans(times),
        prompts=sum(isinstance(e, Prompt) and e.is_numbered for e in entries),
        replies=int(any(isinstance(e, Reply | ToolCall) for e in entries)),
        tools=tuple(sorted(Counter(call.name for call in calls).items())),
        files=sum_changes(change for call in calls for change in call.changes),
        errors=sum(call.outcome is Outcome.ERROR for call in calls),
        compactions=sum(isinstance(e, Compaction) and e.has_boundary for e in entries),
        branch=next((r.git_branch for r in reversed(records) if r.git_branch), ""),
        version=next((r.version for r in reversed(records) if r.version), ""),
        commits=tuple(
            commit
            for entry in entries
            if isinstance(entry, ToolCall | Notice)
            for commit in entry.commits
        ),
        run_costs=tuple(
            cost
            for record in records
            if isinstance(record, OtherRecord) and record.type == "result"
            if (cost := _millionths(record.raw.get("total_cost_usd")))
        ),
        folder=next((r.cwd for r in records if r.cwd), ""),
        agents=called_agents(entries),
    )


def called_agents(entries: Iterable[AnyEntry]) -> tuple[str, ...]:
    """Return the ids of the subagents that calls among `entries` lead to, each once."""
    calls = (entry for entry in entries if isinstance(entry, ToolCall))
    return tuple(dict.fromkeys(call.agent_id for call in calls if call.agent_id))


def _responses(records: Sequence[AnyRecord]) -> tuple[Response, ...]:
    found = (
        Response(
            record.message.id or "",
            record.request_id,
            record.message.model or "",
            _usage(record),
            _millionths(record.cost_usd),
        )
        for record in records
        if isinstance(record, AssistantRecord) and record.message.model != SYNTHETIC
    )
    return tuple(one for _, one in distinct_responses(enumerate(found)))


def _millionths(dollars: object) -> int:
    """Return dollars in millionths, which add up to the same in any order.

    >>> _millionths(0.25), _millionths("0.25"), _millionths(float("nan"))
    (250000, 0, 0)
    """
    if isinstance(dollars, bool) or not isinstance(dollars, int | float):
        return 0
    return round(dollars * 1e6) if 0 < dollars < _MOST_DOLLARS else 0


def _usage(record: AssistantRecord) -> Usage:
    usage = record.message.usage
    return Usage(
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
    )


def sum_changes(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """Return one change a file with the lines of all its changes, sorted by name."""
    added: Counter[str] = Counter()
    removed: Counter[str] = Counter()
    for change in changes:
        added[change.file] += change.added
        removed[change.file] += change.removed
    return tuple(FileChange(file, added[file], removed[file]) for file in sorted(added))


def merge_facts(facts: Iterable[TurnFacts]) -> PathFacts:
    """Return what the turns of a path, in its order, add up to.

    Tokens are counted once a response, also where it is spread over several turns.
    """
    running = RunningFacts()
    for turn in facts:
        running.add(turn)
    return running.total()
