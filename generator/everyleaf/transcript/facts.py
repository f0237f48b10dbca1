"""The facts of turns, and what they add up to along a path."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from everyleaf.clock import parse_timestamp
from everyleaf.records.schema import AssistantRecord
from everyleaf.transcript.document import (
    Compaction,
    FileChange,
    Outcome,
    Prompt,
    Reply,
    ToolCall,
    TurnFacts,
    Usage,
)
from everyleaf.transcript.replies import SYNTHETIC
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import AnyEntry, Commit

GAP_S = 30 * 60
"""A longer pause than this, in seconds, is not counted as work."""


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What the turns of a path add up to."""

    models: tuple[tuple[str, float], ...]
    """(model, share of the output tokens from 0 to 1), largest share first."""
    usage: Usage
    prompts: int
    replies: int
    tools: tuple[tuple[str, int], ...]
    """(tool name, calls), most called first."""
    calls: int
    files: tuple[FileChange, ...]
    """Sorted by name, seen from the folder in which the path began."""
    errors: int
    compactions: int
    commits: tuple[Commit, ...]
    branch: str
    """The last git branch that a record names."""
    version: str


def turn_facts(entries: Sequence[AnyEntry], records: Sequence[AnyRecord]) -> TurnFacts:
    """Return what a turn adds to its paths, from its entries and from its records."""
    calls = [entry for entry in entries if isinstance(entry, ToolCall)]
    usage, models = _tokens(records)
    return TurnFacts(
        models=models,
        usage=usage,
        prompts=sum(isinstance(e, Prompt) and e.is_numbered for e in entries),
        replies=int(any(isinstance(e, Reply | ToolCall) for e in entries)),
        tools=tuple(sorted(Counter(call.name for call in calls).items())),
        files=sum_changes(change for call in calls for change in call.changes),
        errors=sum(call.outcome is Outcome.ERROR for call in calls),
        compactions=sum(isinstance(e, Compaction) and e.has_boundary for e in entries),
        branch=next((r.git_branch for r in reversed(records) if r.git_branch), ""),
        version=next((r.version for r in reversed(records) if r.version), ""),
        commits=tuple(commit for call in calls for commit in call.commits),
        folder=next((r.cwd for r in records if r.cwd), ""),
    )


def _tokens(records: Sequence[AnyRecord]) -> tuple[Usage, tuple[tuple[str, int], ...]]:
    """Return the tokens of each response once: its records repeat them, and they grow."""
    largest: dict[tuple[str, str], AssistantRecord] = {}
    for number, record in enumerate(records):
        if not isinstance(record, AssistantRecord) or record.message.model == SYNTHETIC:
            continue
        key = (record.message.id or str(number), record.request_id)
        known = largest.get(key)
        if known is None or _size(record) >= _size(known):
            largest[key] = record
    models: Counter[str] = Counter()
    for record in largest.values():
        if record.message.model:
            models[record.message.model] += record.message.usage.output_tokens
    return add_usage(_usage(record) for record in largest.values()), tuple(models.items())


def _size(record: AssistantRecord) -> int:
    return record.message.usage.output_tokens


def _usage(record: AssistantRecord) -> Usage:
    usage = record.message.usage
    return Usage(
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_read_input_tokens,
        usage.cache_creation_input_tokens,
    )


def add_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of `usages`."""
    fresh = out = read = written = 0
    for usage in usages:
        fresh += usage.input
        out += usage.output
        read += usage.cache_read
        written += usage.cache_written
    return Usage(fresh, out, read, written)


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

    Every response is one turn, so that tokens are counted once.
    """
    turns = list(facts)
    tools: Counter[str] = Counter()
    models: Counter[str] = Counter()
    for turn in turns:
        tools.update(dict(turn.tools))
        models.update(dict(turn.models))
    return PathFacts(
        models=_shares(models),
        usage=add_usage(turn.usage for turn in turns),
        prompts=sum(turn.prompts for turn in turns),
        replies=sum(turn.replies for turn in turns),
        tools=tuple(sorted(tools.items(), key=lambda item: (-item[1], item[0]))),
        calls=tools.total(),
        files=sum_changes(_shortened(turns)),
        errors=sum(turn.errors for turn in turns),
        compactions=sum(turn.compactions for turn in turns),
        commits=tuple(commit for turn in turns for commit in turn.commits),
        branch=next((turn.branch for turn in reversed(turns) if turn.branch), ""),
        version=next((turn.version for turn in reversed(turns) if turn.version), ""),
    )


def _shortened(turns: Sequence[TurnFacts]) -> Iterator[FileChange]:
    """Yield the changes with files named as seen from where the path began to work."""
    folder = next((turn.folder for turn in turns if turn.folder), "")
    for turn in turns:
        for change in turn.files:
            yield replace(change, file=short_file(change.file, folder))


def _shares(models: Counter[str]) -> tuple[tuple[str, float], ...]:
    total = models.total()
    shares = [(model, tokens / total if total else 0.0) for model, tokens in models.items()]
    return tuple(sorted(shares, key=lambda share: (-share[1], share[0])))


def wall_seconds(timestamps: Iterable[str]) -> int:
    """Return the seconds from the earliest to the latest of `timestamps`."""
    moments = _moments(timestamps)
    return int((moments[-1] - moments[0]).total_seconds()) if moments else 0


def working_seconds(timestamps: Iterable[str]) -> int:
    """Return the seconds between `timestamps`, gaps of more than half an hour left out."""
    moments = _moments(timestamps)
    gaps = ((later - earlier).total_seconds() for earlier, later in pairwise(moments))
    return int(sum(gap for gap in gaps if gap <= GAP_S))


def _moments(timestamps: Iterable[str]) -> list[datetime]:
    """Return the times that can be read, sorted: files are not written in order of time."""
    return sorted(m for m in map(parse_timestamp, timestamps) if m is not None)
