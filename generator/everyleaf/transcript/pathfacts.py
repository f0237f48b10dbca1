"""Facts of a path: what its turns add up to, added and taken back turn by turn.

Paths share most of their turns. Followed through the tree of turns, each turn is added and
taken back once, however many paths it is on; both cost what the turn holds, whatever came
before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from everyleaf.transcript.document import PULL_REQUEST, FileChange, Usage
from everyleaf.transcript.facts import GAP_MS, days_of
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.transcript.document import Commit, Response, TurnFacts

_ResponseKey: TypeAlias = "tuple[str, str, int]"
"""Message id, request id, and a number of its own where there is no message id."""
_Count: TypeAlias = "tuple[str, str]"
"""What is counted, and of what: `("calls", "Bash")`, `("added", "a.py")`."""


class Totals(Struct, frozen=True):
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
    """In the order made; a pull request stands once."""
    branch: str
    """The last git branch that a record names."""
    version: str
    wall_s: int
    """Seconds from the first record to the last."""
    working_s: int
    """The same, pauses of more than half an hour left out."""
    days: tuple[str, ...]
    """Days that were worked on (`2026-01-31`, UTC), in order."""
    folder: str = ""
    """Where the path began to work: what `files` are seen from; not for show."""


class _Added(NamedTuple):
    """What has to be undone to take a turn back."""

    turn: TurnFacts | None
    responses: list[tuple[_ResponseKey, Response | None]]
    """Those that others took the place of; None: a first one was put there."""
    spans: list[tuple[int, list[int], list[int]]]
    """Where stretches were joined to one, and their beginnings and ends."""
    folder: str = ""
    """The first that a turn up to this one names."""
    branch: str = ""
    """The last one."""
    version: str = ""


class RunningFacts:
    """What the turns that were added, and not taken back, add up to.

    Adding a turn and taking it back cost what the turn holds, whatever came before it.
    """

    def __init__(self) -> None:
        """Begin with no turn."""
        self._counts: defaultdict[_Count, int] = defaultdict(int)
        self._responses: dict[_ResponseKey, Response] = {}
        """Each counts once, also where it is spread over several turns."""
        self._alone = 0
        self._begins: list[int] = []
        self._ends: list[int] = []
        """Of stretches of work, joined where no long pause is between them."""
        self._commits: list[tuple[bool, Commit]] = []
        """Those that an agent made are marked by True."""
        self._added = [_Added(None, [], [])]

    def add(self, turn: TurnFacts, *, is_agent: bool = False) -> None:
        """Add a turn; what an agent commits stands behind what the conversation does."""
        self._count(_counts_of(turn))
        responses = [
            replaced
            for response in turn.responses
            if (replaced := self._put(response)) is not None
        ]
        spans = [self._join(begin, end) for begin, end in turn.spans]
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

    def _count(self, counts: Iterable[tuple[_Count, int]], sign: int = 1) -> None:
        for count, by in counts:
            self._counts[count] += sign * by

    def _put(self, response: Response) -> tuple[_ResponseKey, Response | None] | None:
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

    def _join(self, begin: int, end: int) -> tuple[int, list[int], list[int]]:
        """Add a stretch of work, joined with those near it; return which those were."""
        first = bisect_left(self._ends, begin - GAP_MS)
        last = bisect_right(self._begins, end + GAP_MS)
        begins, ends = self._begins[first:last], self._ends[first:last]
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
        files: dict[str, list[int]] = {}
        for name, changes in self._counted("changes"):
            if changes:
                lines = files.setdefault(short_file(name, last.folder), [0, 0])
                lines[0] += count["added", name]
                lines[1] += count["removed", name]
        wall_ms = self._ends[-1] - self._begins[0] if self._ends else 0
        return Totals(
            models=tuple(sorted(models, key=lambda share: (-share[1], share[0]))),
            usage=Usage(*(count["tokens", kind] for kind in Usage.__struct_fields__)),
            prompts=count["turns", "prompts"],
            replies=count["turns", "replies"],
            tools=tuple(sorted(tools, key=lambda item: (-item[1], item[0]))),
            calls=sum(calls for _, calls in tools),
            files=tuple(FileChange(file, *files[file]) for file in sorted(files)),
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


def _counts_of(turn: TurnFacts) -> Iterator[tuple[_Count, int]]:
    """Yield what a turn adds, its responses apart."""
    yield ("turns", "prompts"), turn.prompts
    yield ("turns", "replies"), turn.replies
    yield ("turns", "errors"), turn.errors
    yield ("turns", "compactions"), turn.compactions
    for name, calls in turn.tools:
        yield ("calls", name), calls
    for change in turn.files:
        yield ("changes", change.file), 1
        yield ("added", change.file), change.added
        yield ("removed", change.file), change.removed


def _counts_of_response(response: Response) -> Iterator[tuple[_Count, int]]:
    usage, model = response.usage, response.model
    yield ("responses", model), 1
    yield ("written", model), usage.output
    for kind in Usage.__struct_fields__:
        yield ("tokens", kind), getattr(usage, kind)


def _steps(commits: Iterable[tuple[bool, Commit]]) -> Iterator[Commit]:
    """Yield the steps of a git history; a pull request is linked to again and again."""
    seen: set[str] = set()
    for _, commit in commits:
        name = commit.url or commit.subject
        if commit.kind == PULL_REQUEST and name:
            if name in seen:
                continue
            seen.add(name)
        yield commit


def merge_facts(facts: Iterable[TurnFacts]) -> Totals:
    """Return what the turns of a path, in its order, add up to.

    Tokens are counted once a response, also where it is spread over several turns.
    """
    running = RunningFacts()
    for turn in facts:
        running.add(turn)
    return running.total()


def add_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of `usages`."""
    some = tuple(usages)
    return Usage(
        *(sum(getattr(one, kind) for one in some) for kind in Usage.__struct_fields__)
    )
