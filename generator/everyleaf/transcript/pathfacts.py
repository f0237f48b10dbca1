"""Facts of a path: what its turns add up to, added and taken back turn by turn.

Paths share most of their turns. Followed through the tree of turns, each turn is added and
taken back once, however many paths it is on; both cost what the turn holds, whatever came
before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from everyleaf.transcript.document import PULL_REQUEST, FileChange, Usage
from everyleaf.transcript.facts import GAP_MS, days_of
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.transcript.document import Commit, Response, TurnFacts

_ResponseKey: TypeAlias = "tuple[str, str, int]"
"""Message id, request id, and a number of its own where there is no message id."""


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


class _Tokens:
    """Tokens, counted once a response, also where it is spread over several turns."""

    def __init__(self) -> None:
        """Begin with no response."""
        self._largest: dict[_ResponseKey, Response] = {}
        self._undo: list[tuple[_ResponseKey, Response | None] | None] = []
        """What each response took the place of; None: a larger one stood there."""
        self._sums = [0, 0, 0, 0]
        self._models: dict[str, list[int]] = {}
        """By model: responses, and their output tokens."""
        self._alone = 0

    def add(self, responses: Sequence[Response]) -> None:
        """Add the responses of a turn; of those that are one, the largest counts."""
        for response in responses:
            # One without an id is like no other.
            self._alone += 1
            alone = 0 if response.message_id else self._alone
            key = (response.message_id, response.request_id, alone)
            known = self._largest.get(key)
            if known is not None and response.usage.output < known.usage.output:
                self._undo.append(None)
            else:
                self._replace(key, known, response)
                self._undo.append((key, known))

    def take_back(self, responses: Sequence[Response]) -> None:
        """Take back the responses that were added last."""
        for _ in responses:
            replaced = self._undo.pop()
            if replaced is not None:
                key, before = replaced
                self._replace(key, self._largest[key], before)

    def _replace(
        self, key: _ResponseKey, old: Response | None, new: Response | None
    ) -> None:
        for response, sign in ((old, -1), (new, 1)):
            if response is not None:
                self._count(response, sign)
        if new is None:
            del self._largest[key]
        else:
            self._largest[key] = new

    def _count(self, response: Response, sign: int) -> None:
        usage = response.usage
        for place, tokens in enumerate(
            (usage.input, usage.output, usage.cache_read, usage.cache_written)
        ):
            self._sums[place] += sign * tokens
        model = self._models.setdefault(response.model, [0, 0])
        model[0] += sign
        model[1] += sign * usage.output

    def usage(self) -> Usage:
        """Return the sum of all tokens."""
        return Usage(*self._sums)

    def shares(self) -> tuple[tuple[str, float], ...]:
        """Return (model, share of the output tokens from 0 to 1), largest share first."""
        used = {m: tokens for m, (count, tokens) in self._models.items() if m and count}
        total = sum(used.values())
        shares = ((m, tokens / total if total else 0.0) for m, tokens in used.items())
        return tuple(sorted(shares, key=lambda share: (-share[1], share[0])))


class _Stretches:
    """Stretches of work, joined where no long pause is between them."""

    def __init__(self) -> None:
        """Begin with no work."""
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._undo: list[tuple[int, list[int], list[int]]] = []
        self.working_ms = 0
        """Milliseconds of work, pauses of more than half an hour left out."""

    @property
    def wall_ms(self) -> int:
        """Return the milliseconds from the first moment to the last."""
        return self._ends[-1] - self._begins[0] if self._ends else 0

    def days(self) -> tuple[str, ...]:
        """Return the days (UTC) that were worked on, in order."""
        return days_of(zip(self._begins, self._ends, strict=True))

    def add(self, spans: Iterable[tuple[int, int]]) -> None:
        """Add the stretches of a turn: (begin, end) in milliseconds, in any order."""
        for begin, end in spans:
            first = bisect_left(self._ends, begin - GAP_MS)
            last = bisect_right(self._begins, end + GAP_MS)
            begins, ends = self._begins[first:last], self._ends[first:last]
            self._undo.append((first, begins, ends))
            joined = (min([begin, *begins[:1]]), max([end, *ends[-1:]]))
            self._put(first, last, [joined[0]], [joined[1]])

    def take_back(self, spans: Sequence[tuple[int, int]]) -> None:
        """Take back the stretches that were added last."""
        for _ in spans:
            first, begins, ends = self._undo.pop()
            self._put(first, first + 1, begins, ends)

    def _put(self, first: int, last: int, begins: list[int], ends: list[int]) -> None:
        old = sum(self._ends[first:last]) - sum(self._begins[first:last])
        self.working_ms += sum(ends) - sum(begins) - old
        self._begins[first:last] = begins
        self._ends[first:last] = ends


class _ChangedFiles:
    """Lines added to files and removed from them."""

    def __init__(self) -> None:
        """Begin with no file."""
        self._changes: dict[str, list[int]] = {}
        """By name as recorded: changes, lines added, lines removed."""

    def count(self, changes: Iterable[FileChange], sign: int) -> None:
        """Add the changes of a turn (`sign` 1), or take them back (-1)."""
        for change in changes:
            counted = self._changes.setdefault(change.file, [0, 0, 0])
            counted[0] += sign
            counted[1] += sign * change.added
            counted[2] += sign * change.removed

    def seen_from(self, folder: str) -> tuple[FileChange, ...]:
        """Return one change a file, sorted, named as seen from where the path began."""
        sums: dict[str, list[int]] = {}
        for name, (count, added, removed) in self._changes.items():
            if count:
                counted = sums.setdefault(short_file(name, folder), [0, 0])
                counted[0] += added
                counted[1] += removed
        return tuple(FileChange(file, *sums[file]) for file in sorted(sums))


class RunningFacts(Struct):
    """What the turns that were added, and not taken back, add up to.

    Adding a turn and taking it back cost what the turn holds, whatever came before it.
    """

    _counts: Counter[str] = field(default_factory=Counter["str"])
    _tools: Counter[str] = field(default_factory=Counter["str"])
    _responses: _Tokens = field(default_factory=_Tokens)
    _spans: _Stretches = field(default_factory=_Stretches)
    _files: _ChangedFiles = field(default_factory=_ChangedFiles)
    _commits: tuple[list[Commit], list[Commit]] = field(default_factory=lambda: ([], []))
    """The conversation's own, and those of its agents."""
    _folders: list[str] = field(default_factory=list["str"])
    """Those that turns name, in order; the same for branches and versions."""
    _branches: list[str] = field(default_factory=list["str"])
    _versions: list[str] = field(default_factory=list["str"])

    def add(self, turn: TurnFacts, *, is_agent: bool = False) -> None:
        """Add a turn; what an agent commits stands behind what the conversation does."""
        self._count(turn, 1)
        for name, calls in turn.tools:
            self._tools[name] += calls
        self._responses.add(turn.responses)
        self._spans.add(turn.spans)
        self._files.count(turn.files, 1)
        self._commits[is_agent].extend(turn.commits)
        for names, name in self._named(turn):
            names.append(name)

    def take_back(self, turn: TurnFacts, *, is_agent: bool = False) -> None:
        """Take back the turn that was added last; `turn` must be that one."""
        self._count(turn, -1)
        for name, calls in turn.tools:
            self._tools[name] -= calls
        self._responses.take_back(turn.responses)
        self._spans.take_back(turn.spans)
        self._files.count(turn.files, -1)
        commits = self._commits[is_agent]
        del commits[len(commits) - len(turn.commits) :]
        for names, _ in self._named(turn):
            names.pop()

    def total(self) -> Totals:
        """Return the sum; cost: that of its files, tools, models, commits and days."""
        tools = [(name, calls) for name, calls in self._tools.items() if calls]
        folder = self._folders[0] if self._folders else ""
        return Totals(
            models=self._responses.shares(),
            usage=self._responses.usage(),
            prompts=self._counts["prompts"],
            replies=self._counts["replies"],
            tools=tuple(sorted(tools, key=lambda item: (-item[1], item[0]))),
            calls=sum(calls for _, calls in tools),
            files=self._files.seen_from(folder),
            errors=self._counts["errors"],
            compactions=self._counts["compactions"],
            commits=tuple(_steps((*self._commits[0], *self._commits[1]))),
            branch=self._branches[-1] if self._branches else "",
            version=self._versions[-1] if self._versions else "",
            wall_s=round(self._spans.wall_ms / 1000),
            working_s=round(self._spans.working_ms / 1000),
            days=self._spans.days(),
        )

    def _count(self, turn: TurnFacts, sign: int) -> None:
        counts = self._counts
        counts["prompts"] += sign * turn.prompts
        counts["replies"] += sign * turn.replies
        counts["errors"] += sign * turn.errors
        counts["compactions"] += sign * turn.compactions

    def _named(self, turn: TurnFacts) -> Iterator[tuple[list[str], str]]:
        if turn.folder:
            yield self._folders, turn.folder
        if turn.branch:
            yield self._branches, turn.branch
        if turn.version:
            yield self._versions, turn.version


def _steps(commits: Iterable[Commit]) -> Iterator[Commit]:
    """Yield the steps of a git history; a pull request is linked to again and again."""
    seen: set[str] = set()
    for commit in commits:
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
    fresh = out = read = written = 0
    for usage in usages:
        fresh += usage.input
        out += usage.output
        read += usage.cache_read
        written += usage.cache_written
    return Usage(fresh, out, read, written)
