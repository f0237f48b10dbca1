"""What is said of two paths held against each other, on pages and in a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from everyleaf.compare.comparison import Comparison, Side
from everyleaf.compare.files import FileComparison, FileSide, FileVerdict
from everyleaf.compare.sketch import TESTS, CheckRun
from everyleaf.graph.forest import ConversationPath, Status
from everyleaf.pages import wording
from everyleaf.pages.wording import inside, shortened
from everyleaf.render.entries import commit_words
from everyleaf.sources.projects import short_session
from everyleaf.theming.formats import MINUS, visible
from everyleaf.transcript.document import Diff, Outcome
from everyleaf.transcript.facts import DAY_MS
from everyleaf.transcript.words import counted, duration, joined, tool_name

NOTHING = "none"
_OUTCOMES = {
    Outcome.OK: "passed",
    Outcome.ERROR: "failed",
    Outcome.DENIED: "was not allowed",
    Outcome.INTERRUPTED: "was interrupted",
    Outcome.MISSING: "has no recorded result",
}
ABANDONED, TAKEN = "Abandoned", "Taken"
EARLIER, LATER = "Earlier", "Later"
_NAMES = {
    ABANDONED: "The abandoned attempt",
    TAKEN: "The attempt taken",
    EARLIER: "The earlier attempt",
    LATER: "The later attempt",
}
_FAILED = re.compile(r"(?i)\b([\d,]+) (?:tests? )?fail(?:ed|ures?|ing)\b")
_PASSED = re.compile(r"(?i)\b([\d,]+) (?:tests? )?pass(?:ed|ing)\b")
_ERRORS = re.compile(r"(?i)\b(\d+) errors? in (\d+) files?\b")
_CUT = "all lines from the first change to the last count as changed: too many to compare."


class FactRow(NamedTuple):
    """A row of the summary."""

    label: str
    """What is counted."""
    left: str
    """For the first path."""
    right: str
    """For the second path."""
    difference: str = ""
    """Of the second to the first, in figures; empty: none, or not to be counted."""


def side_labels(left: ConversationPath, right: ConversationPath) -> tuple[str, str]:
    """Return what a page calls two paths by: what became of them, else a number or when."""
    if left.status is right.status:
        if left.session == right.session or left.ended == right.ended:
            return path_labels(left, right)
        return (EARLIER, LATER) if left.ended < right.ended else (LATER, EARLIER)
    is_left_taken = left.status is Status.ACTIVE
    return (TAKEN, ABANDONED) if is_left_taken else (ABANDONED, TAKEN)


def in_sentences(labels: tuple[str, str]) -> tuple[str, str]:
    """Return what sentences call the two that have these labels."""
    left, right = (_NAMES.get(label, label) for label in labels)
    return left, right


def path_labels(left: ConversationPath, right: ConversationPath) -> tuple[str, str]:
    """Return what to call two paths: the session is named where it is not the same."""
    if left.session == right.session:
        return f"Path {left.number}", f"Path {right.number}"
    names = [f"Session {visible(short_session(path.session))}" for path in (left, right)]
    return f"{names[0]}, path {left.number}", f"{names[1]}, path {right.number}"


def shared_words(comparison: Comparison, left: str, right: str) -> str:
    """Return in a sentence how far the two paths are one."""
    both = f"{left} and {inside(right)}"
    if comparison.is_same:
        return f"{both} are the same {counted(comparison.shared, 'message')}."
    if not comparison.shared:
        return f"{both} have no message in common."
    begun = f"{both} begin with the same {counted(comparison.shared, 'message')}"
    for label, side in ((left, comparison.left), (right, comparison.right)):
        if not side.messages:
            return f"{begun}; {inside(label)} ends there."
    return f"{begun}, and then part."


def side_verdict(label: str, side: Side) -> str:
    """Return in a sentence what came of a side."""
    took = side.working_s or side.wall_s
    after = f" after {duration(took * 1000)}" if label == ABANDONED and took else ""
    return f"{label}{after}: {', '.join(_came_of(side))}."


def _came_of(side: Side) -> Iterator[str]:
    ending = side.ending
    if side.beyond:
        yield f"goes on for {counted(side.beyond, 'more message')}"
        return
    if not side.messages or ending.is_withdrawn:
        yield "no reply" if side.messages else "ends at the fork"
        return
    if ending.is_interrupted:
        yield "interrupted"
    failed = [run for run in ending.checks if is_failed(run)]
    yield from map(check_words, failed or ending.checks[:1])
    made = wording.pull_requests_made(side.commits) or wording.commits_made(side.commits)
    if made:
        yield made
    elif not ending.checks:
        files = wording.files_touched(side.files)
        yield files or f"{counted(side.replies, 'reply', 'replies')}, no file changed"


def followed_words(side: Side) -> str:
    """Return in one line what was done after a prompt, and the last words."""
    reply = side.ending.reply
    said = reply.text.partition("\n```")[0] if reply and not side.beyond else ""
    told = (
        counted(side.tool_calls, "call") if side.tool_calls else "",
        wording.files_changed(side.files),
        *(check_words(run) for run in side.ending.checks),
        wording.commits_made(side.commits),
        wording.pull_requests_made(side.commits),
        shortened(said, 160),
    )
    return " · ".join(filter(None, told))


def is_failed(run: CheckRun) -> bool:
    """Return whether a check failed, as far as its outcome and its words tell."""
    if run.counted:
        return run.outcome is not Outcome.OK or run.counted.endswith("failed")
    told = _FAILED.search(run.said) or _ERRORS.search(run.said)
    return run.outcome is not Outcome.OK or bool(told and told[1].strip("0,"))


def check_words(run: CheckRun) -> str:
    """Return how a check ended, in a few words."""
    if run.counted and run.counted.endswith("failed") is is_failed(run):
        return run.counted
    if not is_failed(run):
        found = _PASSED.search(run.said) if run.kind == TESTS else None
        return f"{found[1]} tests passed" if found else f"{run.kind} passed"
    if found := _FAILED.search(run.said):
        return f"{found[1]} {run.kind} failed"
    if not (found := _ERRORS.search(run.said)):
        is_ok = run.outcome is Outcome.OK  # Of the last command of several.
        return f"{run.kind} {'failed' if is_ok else _OUTCOMES[run.outcome]}"
    errors, files = int(found[1]), int(found[2])
    where = f"{counted(errors, 'error')} in {counted(files, 'file')}"
    if "tsc" in run.command:
        where = f"{counted(files, 'file')} {'do' if files > 1 else 'does'} not compile"
    return f"{run.kind} failed, {where}"


def ending_words(side: Side) -> Iterator[str]:
    """Yield how a side ended, a sentence each."""
    ending = side.ending
    if side.beyond:
        yield f"Goes on for {counted(side.beyond, 'more message')}."
        return
    if not side.messages:
        yield "Ends at the fork."
    elif ending.is_withdrawn:
        yield "Withdrawn: the prompt never got a reply."
    if ending.is_interrupted:
        yield "Ended by an interruption."
    for run in ending.checks:
        said = f": {visible(run.said)}" if run.said else ""
        ended = f"{_OUTCOMES[run.outcome]}{said}"
        if run.kind != TESTS:
            ended = check_words(run).removeprefix(f"{run.kind} ") + "."
        name = "run of tests" if run.kind == TESTS else run.kind
        yield f"The last {name} ({visible(run.command)}) {ended}"
    if side.errors:
        yield f"{counted(side.errors, 'tool call')} failed on the way."


def fact_rows(comparison: Comparison) -> Iterator[FactRow]:
    """Yield the summary: what is counted, for each path, and by how much they differ."""
    left, right = comparison.left, comparison.right
    for label, words, number, as_words in _FACTS:
        if words(left) or words(right):
            yield FactRow(
                label,
                words(left) or NOTHING,
                words(right) or NOTHING,
                _apart(number(left), number(right), as_words),
            )
    ours = [each.left.change for each in comparison.files if each.left]
    theirs = [each.right.change for each in comparison.files if each.right]
    if ours or theirs:
        yield FactRow(
            "Files changed",
            _files(ours),
            _files(theirs),
            _apart(len(ours), len(theirs), partial(counted, noun="file"))
            or _apart(_lines(ours), _lines(theirs), partial(counted, noun="line")),
        )


def _apart(left: int, right: int, as_words: Callable[[int], str]) -> str:
    sign = "+" if right > left else MINUS
    return f"{sign}{as_words(abs(right - left))}" if left != right else ""


def _time(side: Side) -> str:
    if not side.messages:
        return ""
    working, wall = (duration(s * 1000) for s in (side.working_s, side.wall_s))
    if side.wall_s * 1000 > DAY_MS:
        return f"{working} ({wording.worked_on(side.days)})"
    return working if working == wall else f"{working} (of {wall})"


def _calls(side: Side) -> str:
    if not side.tool_calls:
        return ""
    named = ", ".join(f"{visible(tool_name(name))} {n:,}" for name, n in side.tools[:5])
    return f"{side.tool_calls:,} ({named}{', …' if len(side.tools) > 5 else ''})"


def _commits(side: Side) -> str:
    words = (wording.inside(commit_words(commit)) for commit in side.commits)
    return shortened("; ".join(words), 200)


_Words: TypeAlias = "Callable[[Side], str]"
_with_commas = "{:,}".format
_FACTS: tuple[tuple[str, _Words, Callable[[Side], int], Callable[[int], str]], ...] = (
    ("Messages", lambda s: f"{s.messages:,}", lambda s: s.messages, _with_commas),
    ("Prompts", lambda s: f"{s.prompts:,}", lambda s: s.prompts, _with_commas),
    ("Replies", lambda s: f"{s.replies:,}", lambda s: s.replies, _with_commas),
    ("Tool calls", _calls, lambda s: s.tool_calls, _with_commas),
    (
        "Failed calls",
        lambda s: f"{s.errors:,}" if s.errors else "",
        lambda s: s.errors,
        _with_commas,
    ),
    ("Working time", _time, lambda s: s.working_s, lambda n: duration(n * 1000)),
    (
        "Tokens",
        lambda s: wording.tokens(s.usage),
        lambda s: s.usage.output,
        lambda n: f"{n:,} out",
    ),
    (
        "Git",
        _commits,
        lambda s: wording.count_commits(s.commits),
        partial(counted, noun="commit"),
    ),
    ("Checks", lambda s: joined(*map(check_words, s.ending.checks)), lambda _: 0, str),
)
"""Name, words for a side, what is counted and how a difference is said."""


def _lines(changes: Sequence[Diff]) -> int:
    return sum(each.added + each.removed for each in changes)


def _files(changes: Sequence[Diff]) -> str:
    return f"{len(changes):,} ({wording.changed_lines(changes)})" if changes else NOTHING


def verdict_words(comparison: FileComparison, left: str, right: str) -> str:
    """Return in a few words how the two sides left a file."""
    match comparison.verdict:
        case FileVerdict.SAME:
            return "ended the same"
        case FileVerdict.DIFFERENT:
            return "ended differently"
        case FileVerdict.ONLY_LEFT:
            return f"changed on {inside(left)} only"
        case FileVerdict.ONLY_RIGHT:
            return f"changed on {inside(right)} only"
        case FileVerdict.UNKNOWN:
            return "changed on both; how it ended cannot be told"


def file_notes(comparison: FileComparison, left: str, right: str) -> Iterator[str]:
    """Yield what a reader must know of a file before they trust the diffs."""
    if comparison.begins_apart:
        yield (
            "The two began with different contents: going back in the conversation did not"
            " put the file back."
        )
    difference = comparison.difference
    if comparison.verdict is FileVerdict.DIFFERENT and difference and not difference.hunks:
        yield "They differ in the line break at the end alone."
    if difference and difference.is_cut:
        yield f"The difference: {_CUT}"
    for label, side in ((left, comparison.left), (right, comparison.right)):
        if side is None:
            continue
        if side.change.is_cut:
            yield f"{label}: {_CUT}"
        elif not side.is_exact:
            yield (
                f"{label}: the contents cannot be reconstructed from the records; these are"
                " the recorded edits, one after the other."
            )
        if side.has_foreign_changes:
            yield f"{label}: something else changed the file between two of its edits."


def change_words(label: str, side: FileSide) -> str:
    """Return what the diff of a side is."""
    if not side.is_exact and not side.change.is_cut:
        return f"{label}: recorded edits"
    return f"{label}: new file" if side.is_new else f"{label}: net change"
