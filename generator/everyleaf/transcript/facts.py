"""What turns add to the facts of their paths (tokens, calls, files, time), and the sums.

Paths share most of their turns. Followed through the tree of turns, each turn is added and
taken back once, however many paths it is on; both cost what the turn holds, whatever came
before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import astuple

from everyleaf.clock import parse_timestamp
from everyleaf.transcript import document as doc
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from everyleaf.records import schema


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
    entries: Sequence[doc.AnyEntry],
    records: Sequence[schema.AnyRecord],
    times: Iterable[str],
) -> doc.TurnFacts:
    """Return what a turn adds to its paths, from its entries and from its records.

    `times` are the timestamps of its conversation records: a note that was written before
    or long after is no work. Progress adds nothing: it may have been left out.
    """
    told = [record for record in records if record.type != "progress"]
    calls = [entry for entry in entries if isinstance(entry, doc.ToolCall)]
    telling = [entry for entry in entries if isinstance(entry, doc.ToolCall | doc.Notice)]
    return doc.TurnFacts(
        responses=_responses(records),
        spans=find_spans(times),
        prompts=sum(isinstance(one, doc.Prompt) and one.is_numbered for one in entries),
        replies=int(any(isinstance(one, (doc.Reply, doc.ToolCall)) for one in entries)),
        tools=tuple(sorted(Counter(call.name for call in calls).items())) if calls else (),
        files=sum_changes(change for call in calls for change in call.changes),
        errors=sum(call.outcome is doc.Outcome.ERROR for call in calls),
        compactions=sum(
            isinstance(one, doc.Compaction) and one.has_boundary for one in entries
        ),
        branch=next((r.git_branch for r in reversed(told) if r.git_branch), ""),
        version=next((r.version for r in reversed(told) if r.version), ""),
        commits=tuple(commit for one in telling for commit in one.commits),
        run_costs=tuple(filter(None, map(_run_cost, records))),
        folder=next((r.cwd for r in told if r.cwd), ""),
        agents=called_agents(calls),
    )


def _run_cost(record: schema.AnyRecord) -> int:
    """Return what a run cost by its own word at the end, in millionths of a dollar."""
    told = cast("schema.OtherRecord", record)
    is_run = told.type == "result"  # No other class of records has that type.
    return _millionths(told.raw.get("total_cost_usd")) if is_run else 0


def called_agents(entries: Iterable[doc.AnyEntry]) -> tuple[str, ...]:
    """Return the ids of the subagents that calls among `entries` lead to, each once."""
    calls = (entry for entry in entries if isinstance(entry, doc.ToolCall))
    return tuple(dict.fromkeys(call.agent_id for call in calls if call.agent_id))


def _responses(records: Iterable[schema.AnyRecord]) -> tuple[doc.Response, ...]:
    # By its type, not by its class: what only adds facts up needs no model of a record.
    replies = (cast("schema.AssistantRecord", r) for r in records if r.type == "assistant")
    found: list[doc.Response] = []
    for record in replies:
        said, cost = record.message, _millionths(record.cost_usd)
        usage, asked = usage_of(said.usage), record.request_id
        if said.model != SYNTHETIC:
            found.append(doc.Response(said.id, asked, said.model, usage, cost))
    return tuple(one for _, one in distinct_responses(enumerate(found)))


def distinct_responses(
    placed: Iterable[tuple[_Place, doc.Response]],
) -> list[tuple[_Place, doc.Response]]:
    """Return each response once, in its first place, with the largest of its usages.

    Its records repeat the tokens, and they grow. One without an id is like no other.
    """
    largest: dict[tuple[str, str, int], tuple[_Place, doc.Response]] = {}
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


def usage_of(usage: schema.RecordedUsage) -> doc.Usage:
    """Return the tokens that a record tells."""
    return doc.Usage(*(getattr(usage, key) for key in doc.USAGE_KEYS))


def sum_changes(changes: Iterable[doc.FileChange]) -> tuple[doc.FileChange, ...]:
    """Return one change a file with the lines of all its changes, sorted by name."""
    sums: dict[str, list[int]] = {}
    for change in changes:
        lines = sums.setdefault(change.file, [0, 0])
        lines[0] += change.added
        lines[1] += change.removed
    return tuple(doc.FileChange(file, *sums[file]) for file in sorted(sums))


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


_ResponseKey: TypeAlias = "tuple[str, str, int]"
"""Message id, request id, and a number of its own where there is no message id."""
_Count: TypeAlias = "tuple[str, str]"
"""What is counted, and of what: `("calls", "Bash")`, `("added", "a.py")`."""


class WorkDone(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was done in a conversation, or in several."""

    tool_calls: int = 0
    errors: int = 0
    working_s: int = 0
    """Seconds from the first record to the last, without pauses of over half an hour."""
    usage: doc.Usage = doc.Usage()
    models: tuple[tuple[str, float], ...] = ()
    """(model, share of the output tokens from 0 to 1), largest share first."""
    tools: tuple[tuple[str, int], ...] = ()
    """(tool name, calls), most called first."""
    files: tuple[doc.FileChange, ...] = ()
    """Sorted by name, seen from the folder in which the path began."""
    commits: tuple[doc.Commit, ...] = ()
    """In the order made, those of agents last; a pull request stands once."""


class Totals(WorkDone, frozen=True, kw_only=True):
    """What the turns of a path add up to."""

    prompts: int
    replies: int
    compactions: int
    branch: str
    """The last git branch that a record names."""
    version: str
    wall_s: int
    """Seconds from the first record to the last."""
    days: tuple[str, ...]
    """Days that were worked on (`2026-01-31`, UTC), in order."""
    folder: str = ""
    """Where the path began to work: what `files` are seen from; not for show."""


_Joined = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Where stretches were joined to one, and their beginnings and ends."""


class _Added(NamedTuple):
    """What has to be undone to take a turn back."""

    turn: doc.TurnFacts | None
    responses: tuple[tuple[_ResponseKey, doc.Response | None], ...] = ()
    """Those that others took the place of; None: a first one was put there."""
    spans: tuple[_Joined, ...] = ()
    folder: str = ""
    """The first that a turn up to this one names."""
    branch: str = ""
    """The last one."""
    version: str = ""


class RunningFacts(Struct):
    """What the turns that were added, and not taken back, add up to.

    Adding a turn and taking it back cost what the turn holds, whatever came before it.
    """

    _counts: Counter[_Count] = field(default_factory=Counter[_Count])
    _responses: dict[_ResponseKey, doc.Response] = {}
    """Each counts once, also where it is spread over several turns."""
    _alone: int = 0
    _begins: list[int] = []
    _ends: list[int] = []
    """Of stretches of work, joined where no long pause is between them."""
    _commits: list[tuple[bool, doc.Commit]] = []
    """Those that an agent made are marked by True."""
    _added: list[_Added] = field(default_factory=lambda: [_Added(None)])

    def add(self, turn: doc.TurnFacts, *, is_agent: bool = False) -> None:
        """Add a turn; what an agent commits stands behind what the conversation does."""
        self._count(_counts_of(turn))
        responses = tuple(filter(None, map(self._put, turn.responses)))
        spans = tuple(self._join(begin, end) for begin, end in turn.spans)
        self._commits.extend((is_agent, commit) for commit in turn.commits)
        before = self._added[-1]
        folder, branch = before.folder or turn.folder, turn.branch or before.branch
        version = turn.version or before.version
        self._added.append(_Added(turn, responses, spans, folder, branch, version))

    def take_back(self) -> None:
        """Take back the turn that was added last."""
        added = self._added.pop()
        if added.turn is None:
            raise IndexError("nothing was added")
        self._count(_counts_of(added.turn), -1)
        for key, before in reversed(added.responses):
            self._count(_counts_of_response(self._responses.pop(key)), -1)
            if before is not None:
                self._responses[key] = before
                self._count(_counts_of_response(before))
        for first, begins, ends in reversed(added.spans):
            self._begins[first : first + 1] = begins
            self._ends[first : first + 1] = ends
        del self._commits[len(self._commits) - len(added.turn.commits) :]

    def settle(self) -> None:
        """Take none of the turns back that were added so far."""
        del self._added[:-1]

    def _count(self, counts: Iterable[tuple[_Count, int]], sign: int = 1) -> None:
        for count, by in counts:
            self._counts[count] += sign * by

    def _put(
        self, response: doc.Response
    ) -> tuple[_ResponseKey, doc.Response | None] | None:
        """Count a response unless a larger one stands for it; return what was there."""
        # One without an id is like no other.
        self._alone += 1
        alone = 0 if response.message_id else self._alone
        key = (response.message_id, response.request_id, alone)
        known = self._responses.get(key)
        if known is not None:
            if response.usage.output < known.usage.output:
                return None
            self._count(_counts_of_response(known), -1)
        self._count(_counts_of_response(response))
        self._responses[key] = response
        return key, known

    def _join(self, begin: int, end: int) -> _Joined:
        """Add a stretch of work, joined with those near it; return which those were."""
        first = bisect_left(self._ends, begin - GAP_MS)
        last = bisect_right(self._begins, end + GAP_MS)
        begins, ends = tuple(self._begins[first:last]), tuple(self._ends[first:last])
        self._begins[first:last] = [min([begin, *begins[:1]])]
        self._ends[first:last] = [max([end, *ends[-1:]])]
        return first, begins, ends

    def total(self) -> Totals:
        """Return the sum; cost: that of its files, tools, models, commits and days."""
        count = self._counts
        tools = [(name, calls) for name, calls in self._counted("calls") if calls]
        last = self._added[-1]
        written = {
            model: count["written", model]
            for model, responses in self._counted("responses")
            if model and responses
        }
        output = sum(written.values())
        models = ((m, tokens / output if output else 0.0) for m, tokens in written.items())
        files = (
            doc.FileChange(
                short_file(name, last.folder), count["added", name], count["removed", name]
            )
            for name, changes in self._counted("changes")
            if changes
        )
        wall_ms = self._ends[-1] - self._begins[0] if self._ends else 0
        return Totals(
            models=tuple(sorted(models, key=lambda share: (-share[1], share[0]))),
            usage=doc.Usage(
                *(count["tokens", kind] for kind in doc.Usage.__struct_fields__)
            ),
            prompts=count["turns", "prompts"],
            replies=count["turns", "replies"],
            tools=tuple(sorted(tools, key=lambda item: (-item[1], item[0]))),
            tool_calls=sum(calls for _, calls in tools),
            files=sum_changes(files),
            errors=count["turns", "errors"],
            compactions=count["turns", "compactions"],
            commits=tuple(_steps(sorted(self._commits, key=itemgetter(0)))),
            branch=last.branch,
            version=last.version,
            wall_s=round(wall_ms / 1000),
            working_s=round((sum(self._ends) - sum(self._begins)) / 1000),
            days=days_of(zip(self._begins, self._ends, strict=True)),
            folder=last.folder,
        )

    def _counted(self, what: str) -> Iterator[tuple[str, int]]:
        counts = self._counts.items()
        return ((name, count) for (kind, name), count in counts if kind == what)


def _counts_of(turn: doc.TurnFacts) -> Iterator[tuple[_Count, int]]:
    """Yield what a turn adds, its responses apart."""
    for kind in ("prompts", "replies", "errors", "compactions"):
        yield ("turns", kind), getattr(turn, kind)
    for name, calls in turn.tools:
        yield ("calls", name), calls
    for change in turn.files:
        yield ("changes", change.file), 1
        yield ("added", change.file), change.added
        yield ("removed", change.file), change.removed


def _counts_of_response(response: doc.Response) -> Iterator[tuple[_Count, int]]:
    usage, model = response.usage, response.model
    yield ("responses", model), 1
    yield ("written", model), usage.output
    for kind in doc.Usage.__struct_fields__:
        yield ("tokens", kind), getattr(usage, kind)


def _steps(commits: Iterable[tuple[bool, doc.Commit]]) -> Iterator[doc.Commit]:
    """Yield the steps of a git history; a pull request is linked to again and again."""
    seen: set[str] = set()
    for _, commit in commits:
        name = commit.url or commit.subject
        if commit.kind == doc.PULL_REQUEST and name:
            if name in seen:
                continue
            seen.add(name)
        yield commit


def merge_facts(facts: Iterable[doc.TurnFacts]) -> Totals:
    """Return what the turns of a path, in its order, add up to.

    Tokens are counted once a response, also where it is spread over several turns.
    """
    running = RunningFacts()
    for turn in facts:
        running.add(turn)
    return running.total()


def add_usage(usages: Iterable[doc.Usage]) -> doc.Usage:
    """Return the sum of `usages`."""
    return doc.Usage(*map(sum, zip(*map(astuple, usages), strict=True)))
