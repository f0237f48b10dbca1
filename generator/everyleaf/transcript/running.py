"""Facts of a path, added and taken back turn by turn.

Paths share most of their turns. Followed through the tree of turns, each turn is added and
taken back once, however many paths it is on.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.transcript.document import PULL_REQUEST
from everyleaf.transcript.pathfacts import PathFacts
from everyleaf.transcript.tallies import ChangedFiles, Stretches, Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.transcript.document import Commit
    from everyleaf.transcript.turnfacts import TurnFacts


class RunningFacts(Struct):
    """What the turns that were added, and not taken back, add up to.

    Adding a turn and taking it back cost what the turn holds, whatever came before it.
    """

    _counts: Counter[str] = field(default_factory=Counter["str"])
    _tools: Counter[str] = field(default_factory=Counter["str"])
    _responses: Tokens = field(default_factory=Tokens)
    _spans: Stretches = field(default_factory=Stretches)
    _files: ChangedFiles = field(default_factory=ChangedFiles)
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

    def total(self) -> PathFacts:
        """Return the sum; cost: that of its files, tools, models, commits and days."""
        tools = [(name, calls) for name, calls in self._tools.items() if calls]
        folder = self._folders[0] if self._folders else ""
        return PathFacts(
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
