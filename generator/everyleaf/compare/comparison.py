"""Two paths held against each other: the whole of what a comparison says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.align import align
from everyleaf.compare.files import Verdict
from everyleaf.compare.words import diff_words
from everyleaf.transcript.pathfacts import merge_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.compare.align import Row
    from everyleaf.compare.files import FileComparison
    from everyleaf.compare.sketch import Passage, TestRun, TurnSketch
    from everyleaf.compare.words import Words
    from everyleaf.transcript.document import Commit, Usage


class Ending(Struct, frozen=True):
    """How a side ended."""

    reply: Passage | None
    """The last words of the model."""
    test_run: TestRun | None
    """The last run of tests after the fork."""
    errors: int
    """Tool calls that failed after the fork."""
    is_interrupted: bool
    is_withdrawn: bool
    """A prompt, and no reply."""


class Side(Struct, frozen=True):
    """What one path did after the fork."""

    messages: int
    prompts: int
    replies: int
    calls: int
    tools: tuple[tuple[str, int], ...]
    """(tool name, calls), most called first."""
    usage: Usage
    wall_s: int
    """Seconds from its first record to its last."""
    working_s: int
    """The same without pauses of more than half an hour."""
    days: tuple[str, ...]
    """Days that were worked on (`2026-01-31`, UTC), in order."""
    commits: tuple[Commit, ...]
    ending: Ending
    beyond: int = 0
    """Messages after those, of which nothing is said here."""


class PromptPair(Struct, frozen=True):
    """The first prompt of each side."""

    left: Passage | None
    right: Passage | None
    words: tuple[Words, ...]
    """What turns one into the other; empty where they have too little in common."""


class Comparison(Struct, frozen=True):
    """Two paths with a common beginning, held against each other."""

    shared: int
    """Conversation records that both begin with."""
    left: Side
    right: Side
    prompts: PromptPair
    rows: tuple[Row, ...]
    """The steps after the fork, side by side."""
    files: tuple[FileComparison, ...] = ()
    """Every file that either side changed, sorted by name."""

    def __repr__(self) -> str:
        sides = f"{self.left.messages} and {self.right.messages} messages of their own"
        return f"<Comparison: {self.shared} shared, {sides}, {len(self.files)} files>"

    @property
    def is_same(self) -> bool:
        """Return whether neither path has anything that the other one has not."""
        return not (self.left.messages or self.right.messages)

    @property
    def has_same_files(self) -> bool:
        """Return whether both left every file alike, as far as can be told."""
        return all(each.verdict is Verdict.SAME for each in self.files)


def compare_paths(
    left: Sequence[TurnSketch],
    right: Sequence[TurnSketch],
    *,
    shared: int,
    split: int = 0,
    files: tuple[FileComparison, ...] = (),
) -> Comparison:
    """Return what the turns after the fork, in order, make of `left` and of `right`.

    Args:
        left: The turns that the first path alone has.
        right: The turns that the second path alone has.
        shared: Conversation records before the fork.
        split: How many of them stand in the first turn of each side, because the two part
            inside of a turn.
        files: What `compare_files` says of the two.

    Cost: linear in the turns, but for what `pair_up` needs for the steps.
    """
    one, other = _side(left, split), _side(right, split)
    steps = [tuple(step for turn in side for step in turn.steps) for side in (left, right)]
    return Comparison(
        shared=shared,
        left=one,
        right=other,
        prompts=_prompts(left, right),
        rows=align(*steps),
        files=files,
    )


def _side(turns: Sequence[TurnSketch], split: int) -> Side:
    facts = merge_facts(turn.facts for turn in turns)
    return Side(
        messages=max(sum(turn.messages for turn in turns) - split, 0),
        prompts=facts.prompts,
        replies=facts.replies,
        calls=facts.calls,
        tools=facts.tools,
        usage=facts.usage,
        wall_s=facts.wall_s,
        working_s=facts.working_s,
        days=facts.days,
        commits=facts.commits,
        ending=_ending(turns),
    )


def _ending(turns: Sequence[TurnSketch]) -> Ending:
    backwards = turns[::-1]
    has_reply = any(turn.facts.replies for turn in turns)
    return Ending(
        reply=next((turn.reply for turn in backwards if turn.reply), None),
        test_run=next((turn.test_run for turn in backwards if turn.test_run), None),
        errors=sum(turn.facts.errors for turn in turns),
        is_interrupted=bool(turns) and turns[-1].is_interrupted,
        is_withdrawn=bool(turns) and not has_reply,
    )


def _prompts(left: Sequence[TurnSketch], right: Sequence[TurnSketch]) -> PromptPair:
    """Return the prompts at the fork; a side that begins with a reply has none there."""
    first = left[0].prompt if left else None
    other = right[0].prompt if right else None
    words = diff_words(first.text, other.text) if first and other else ()
    return PromptPair(first, other, words)
