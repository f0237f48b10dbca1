"""Two paths held against each other: the whole of what a comparison says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct
from msgspec.structs import asdict

from everyleaf.compare import sketch as sketches
from everyleaf.compare.files import FileComparison, FileVerdict, TurnFiles, compare_files
from everyleaf.compare.split import ForkSplit
from everyleaf.graph.forest import Turn
from everyleaf.transcript.facts import Totals, merge_facts

MOST_COMPARED = 250_000
"""Words of one text times words of the other; above it nothing is marked."""
LOOKED_BEFORE = 5
"""Turns before the fork in which what both answered is looked for."""
ALIKE = 0.3
"""Share of equal words below which two texts are two texts, and not one, edited."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


class SideEnding(Struct, frozen=True):
    """How a side ended."""

    reply: sketches.Passage | None
    """The last words of the model."""
    checks: tuple[sketches.CheckRun, ...]
    """The last run of tests, and of each other kind of check, after the fork."""
    is_interrupted: bool
    is_withdrawn: bool
    """A prompt, and no reply."""

    @property
    def test_run(self) -> sketches.CheckRun | None:
        """Return the last run of tests; None: there was none."""
        return next((run for run in self.checks if run.kind == sketches.TESTS), None)


class Side(Totals, frozen=True, kw_only=True):
    """What one path did after the fork: its facts, and how it ended."""

    messages: int
    ending: SideEnding
    beyond: int = 0
    """Messages after those, of which nothing is said here."""


class WordPiece(Struct, frozen=True):
    """A piece of a word diff; `sign` is `+`, `-` or a blank."""

    sign: str
    text: str


class PromptPair(Struct, frozen=True):
    """The first prompt of each side."""

    left: sketches.Passage | None
    right: sketches.Passage | None
    words: tuple[WordPiece, ...]
    """What turns one into the other; empty where they have too little in common."""


class Comparison(Struct, frozen=True):
    """Two paths with a common beginning, held against each other."""

    shared: int
    """Conversation records that both begin with."""
    left: Side
    right: Side
    prompts: PromptPair
    asked: sketches.Passage | None
    """What both answered: the last words before the fork."""
    rows: tuple[sketches.Row, ...]
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
        return all(each.verdict is FileVerdict.SAME for each in self.files)


def compare_chains(
    split: ForkSplit,
    *,
    read_files: Callable[[Turn], TurnFiles],
    sketch: Callable[[Turn], sketches.TurnSketch],
) -> Comparison:
    """Return the comparison of two paths that part as `split` says.

    Args:
        split: The two, cut where they part (`part_ways`).
        read_files: Says what a turn did to files; asked for one turn more than once.
        sketch: Makes the sketch of a turn; called for turns after the fork, and a few
            before it.

    Cost: that of the turns after the fork, of what `pair_up` needs for their steps, and of
    what `compare_files` reads before it.
    """
    left = [sketch(turn) for turn in split.left.own]
    right = [sketch(turn) for turn in split.right.own]
    has_prompts = any(side and side[0].prompt for side in (left, right))
    one, other = ([step for turn in side for step in turn.steps] for side in (left, right))
    return Comparison(
        shared=split.messages,
        left=_side(left, split.split, split.left.beyond),
        right=_side(right, split.split, split.right.beyond),
        prompts=_prompts(left, right),
        asked=_asked(split.left.shared, sketch, has_prompts=has_prompts),
        rows=sketches.align(one, other),
        files=compare_files(split, read_files),
    )


def _asked(
    shared: Sequence[Turn],
    sketch: Callable[[Turn], sketches.TurnSketch],
    *,
    has_prompts: bool,
) -> sketches.Passage | None:
    """Return the last reply before the fork, or the last prompt if replies part there."""
    for turn in shared[: -LOOKED_BEFORE - 1 : -1]:
        made = sketch(turn)
        if found := made.reply if has_prompts else made.prompt:
            return found
    return None


def _side(turns: Sequence[sketches.TurnSketch], split: int, beyond: int) -> Side:
    facts = merge_facts(turn.facts for turn in turns)
    backwards = turns[::-1]
    return Side(
        **asdict(facts),
        messages=max(sum(turn.messages for turn in turns) - split, 0),
        ending=SideEnding(
            reply=next((turn.reply for turn in backwards if turn.reply), None),
            checks=sketches.last_checks(run for turn in turns for run in turn.checks),
            is_interrupted=bool(turns) and turns[-1].is_interrupted,
            is_withdrawn=bool(turns) and not facts.replies,
        ),
        beyond=beyond,
    )


def _prompts(
    left: Sequence[sketches.TurnSketch], right: Sequence[sketches.TurnSketch]
) -> PromptPair:
    """Return the prompts at the fork; a side that begins with a reply has none there."""
    first = left[0].prompt if left else None
    other = right[0].prompt if right else None
    words = diff_words(first.text, other.text) if first and other else ()
    return PromptPair(first, other, words)


def diff_words(old: str, new: str) -> tuple[WordPiece, ...]:
    """Return what turns `old` into `new`; nothing if they have too little in common.

    Joined, all pieces but the `+` ones are `old`, and all but the `-` ones are `new`.
    """
    if old == new:
        return (WordPiece(" ", old),) if old else ()
    left, right = _WORDS.findall(old), _WORDS.findall(new)
    if len(left) * len(right) > MOST_COMPARED:
        return ()
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return tuple(_pieces(matcher, left, right)) if _is_alike(matcher, left, right) else ()


def _is_alike(matcher: SequenceMatcher[str], left: list[str], right: list[str]) -> bool:
    """Return whether the texts have enough words in common; blanks are no words."""
    spoken = sum(not word.isspace() for word in (*left, *right))
    equal = sum(
        not word.isspace()
        for start, _, size in matcher.get_matching_blocks()
        for word in left[start : start + size]
    )
    return 2 * equal > ALIKE * spoken


def _pieces(
    matcher: SequenceMatcher[str], left: list[str], right: list[str]
) -> Iterator[WordPiece]:
    """Yield the pieces; blanks between two changes are a part of both."""
    old = new = ""
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        before, after = "".join(left[i1:i2]), "".join(right[j1:j2])
        if tag == "equal" and (before.strip() or not (old or new)):
            yield from _changed(old, new)
            yield WordPiece(" ", before)
            old = new = ""
        else:
            old, new = old + before, new + after
    yield from _changed(old, new)


def _changed(old: str, new: str) -> Iterator[WordPiece]:
    if old:
        yield WordPiece("-", old)
    if new:
        yield WordPiece("+", new)
