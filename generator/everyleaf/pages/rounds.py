"""What was done between a prompt and its answer, gathered so that it can be folded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.pages.wording import count_commits, files_changed, shortened
from everyleaf.render.view import OutlineItem, OutlineKind
from everyleaf.theming.formats import visible
from everyleaf.transcript.facts import sum_changes
from everyleaf.transcript.words import counted

if TYPE_CHECKING:
    from everyleaf.pages.drawing import PageTurn

MANY_PROMPTS = 10
"""A conversation with more is a digest at first: work is folded."""
RUN_CALLS = 4
"""So many calls in turns without a word are gathered even where nothing else is."""
MOST_HASHES = 3
"""Commits that are named; more are counted."""
OUTLINE_CHARS = 120
"""More than the two lines that there is room for."""
STEPS = frozenset(
    {OutlineKind.PROMPT, OutlineKind.TESTS, OutlineKind.COMMIT, OutlineKind.PULL_REQUEST}
)
"""What was asked, and what came of it."""
_TOOLS = {
    "read": ("Read", "NotebookRead"),
    "edit": ("Edit", "MultiEdit", "NotebookEdit"),
    "write": ("Write",),
    "command": ("Bash", "PowerShell"),
    "search": ("Grep", "Glob", "LS"),
    "web look-up": ("WebSearch", "WebFetch"),
    "agent": ("Task", "Agent"),
}
_NOUNS = {name: noun for noun, names in _TOOLS.items() for name in names}
_PLURALS = {"search": "searches"}
_OTHER = "other"


def outlined(page_turn: PageTurn) -> Iterator[OutlineItem]:
    """Yield what the outline knows of a turn, with the numbers that its prompts have."""
    numbered = enumerate(page_turn.fragment.numbered, page_turn.prompts_before + 1)
    numbers = {anchor: number for number, anchor in numbered}
    for item in page_turn.fragment.outline:
        words = shortened(item.words, OUTLINE_CHARS)
        yield replace(item, number=numbers.get(item.anchor), words=words)


def outline(
    page_turns: Sequence[PageTurn], *, has_tests: bool = False
) -> Iterator[OutlineItem]:
    """Yield a line for each prompt with its number, each compaction, fork and git step.

    A pull request stands where it was first named. With tests, each run of them that ended
    otherwise than the one before has a line.
    """
    forks = 0
    last_run = ""
    requested: set[str] = set()
    for page_turn in page_turns:
        items = tuple(outlined(page_turn))
        failed = {item.anchor for item in items if item.kind is OutlineKind.ERROR}
        for item in items:
            if item.kind is OutlineKind.TESTS:
                if not has_tests or item.words == last_run or item.anchor in failed:
                    continue
                last_run = item.words
            if item.kind is OutlineKind.PULL_REQUEST:
                if item.words in requested:
                    continue
                requested.add(item.words)
            yield item
        if page_turn.branches:
            forks += 1
            ways = counted(len(page_turn.branches), "way")
            yield OutlineItem(OutlineKind.FORK, f"fork-{forks}", f"Forked {ways}")


def steps(page_turns: Iterable[PageTurn]) -> tuple[OutlineItem, ...]:
    """Return what was asked in turns that follow each other, and what came of it.

    Those are prompts, steps in git, and the last run of tests of each prompt.
    """
    found: list[OutlineItem] = []
    has_tests = False
    for item in reversed([item for turn in page_turns for item in outlined(turn)]):
        is_tests = item.kind is OutlineKind.TESTS
        if item.kind in STEPS and not (is_tests and has_tests):
            found.append(item)
        has_tests = item.kind is not OutlineKind.PROMPT and (has_tests or is_tests)
    return tuple(reversed(found))


class FoldedWork(Struct, frozen=True):
    """Turns that belong together as the work on one prompt."""

    turns: tuple[PageTurn, ...]

    def anchors(self) -> tuple[str, ...]:
        """Return the ids of all elements that it would show."""
        turns = self.turns
        return tuple(dict.fromkeys(at for t in turns for at in t.fragment.anchors.values()))

    @property
    def is_troubled(self) -> bool:
        """Whether a call in it failed, or the last test run."""
        has_errors = any(turn.fragment.facts.errors for turn in self.turns)
        return has_errors or "failed" in last_tests(self.turns)

    @property
    def summary(self) -> str:
        """Return what was done in one line: calls by kind, files, tests, commits."""
        facts = [turn.fragment.facts for turn in self.turns]
        files = sum_changes(change for one in facts for change in one.files)
        commits = [commit for one in facts for commit in one.commits]
        errors = sum(one.errors for one in facts)
        made = [visible(one.hash[:7]) for one in commits if one.hash]
        committed = f"commit {', '.join(made)}" if 0 < len(made) <= MOST_HASHES else ""
        if len(made) > MOST_HASHES:
            committed = counted(count_commits(commits), "commit")
        failed = f"{counted(errors, 'call')} failed" if errors else ""
        said = (
            _calls(self.turns),
            files_changed(files),
            last_tests(self.turns),
            failed,
            committed,
        )
        return "; ".join(filter(None, said))


def gather(
    turns: Sequence[PageTurn], *, is_digest: bool
) -> Iterator[PageTurn | FoldedWork]:
    """Yield `turns` in order, those between a prompt and its answer as one `FoldedWork`.

    Unless it `is_digest`, only runs of turns that say nothing. Prompts, compactions,
    calls that hold what the person said, and the last words before the next prompt are
    never in a fold.
    """
    start = 0
    for end in range(1, len(turns) + 1):
        if end == len(turns) or _begins(turns[end]):
            yield from _round(turns[start:end], is_digest=is_digest)
            start = end


def _begins(turn: PageTurn) -> bool:
    return bool(turn.fragment.numbered) or turn.fragment.facts.compactions > 0


def _round(
    turns: Sequence[PageTurn], *, is_digest: bool
) -> Iterator[PageTurn | FoldedWork]:
    first = int(_begins(turns[0]))
    yield from turns[:first]
    rest = turns[first:]
    last = answer_at(rest) if is_digest else len(rest)
    least = 1 if is_digest else RUN_CALLS
    run: list[PageTurn] = []
    for turn in rest[:last]:
        if turn.fragment.is_personal or (turn.fragment.has_reply and not is_digest):
            yield from _folded(run, least)
            run.clear()
            yield turn
        else:
            run.append(turn)
    yield from _folded(run, least)
    yield from rest[last:]


def answer_at(turns: Sequence[PageTurn]) -> int:
    """Return where the answer begins: the last words, if no call follows them.

    Without an answer, how many `turns` there are.
    """
    for at in range(len(turns) - 1, -1, -1):
        if turns[at].fragment.has_reply:
            return at
        if turns[at].fragment.facts.tools:
            break
    return len(turns)


def answer_of(turns: Sequence[PageTurn]) -> PageTurn | None:
    """Return the turn that a conversation ended with; None: it ended without a reply."""
    last = next(iter(turns[answer_at(turns) :]), None)
    return None if last is None or last.fragment.facts.tools else last


def _folded(turns: Sequence[PageTurn], least: int) -> Iterator[PageTurn | FoldedWork]:
    calls = sum(count for turn in turns for _, count in turn.fragment.facts.tools)
    if calls >= least:
        yield FoldedWork(tuple(turns))
    else:
        yield from turns


def _calls(turns: Iterable[PageTurn]) -> str:
    counts: Counter[str] = Counter()
    for turn in turns:
        for name, count in turn.fragment.facts.tools:
            counts[_NOUNS.get(name, _OTHER)] += count
    # Those that are most first; others last, whatever they are.
    kinds = sorted(counts.items(), key=lambda item: (item[0] == _OTHER, -item[1], item[0]))
    told = ", ".join(counted(count, kind, _PLURALS.get(kind, "")) for kind, count in kinds)
    total = counted(counts.total(), "call")
    if len(kinds) == 1:
        return total if kinds[0][0] == _OTHER else told
    return f"{total}: {told}"


def last_tests(turns: Iterable[PageTurn]) -> str:
    """Return what the last test run said; empty: there was none."""
    kinds = (item for turn in turns for item in turn.fragment.outline)
    words = [item.words for item in kinds if item.kind is OutlineKind.TESTS]
    return words[-1] if words else ""
