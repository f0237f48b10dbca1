"""What is said of two paths held against each other, on pages and in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.compare.files import FileVerdict
from everyleaf.pages import wording
from everyleaf.pages.wording import inside, shortened
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count, format_duration, tool_name
from everyleaf.transcript.document import Outcome
from everyleaf.transcript.facts import DAY_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.compare.comparison import Comparison, Side
    from everyleaf.compare.files import FileComparison, FileSide
    from everyleaf.graph.forest import ConversationPath

NOTHING = "none"
_OUTCOMES = {
    Outcome.OK: "passed",
    Outcome.ERROR: "failed",
    Outcome.DENIED: "was not allowed",
    Outcome.INTERRUPTED: "was interrupted",
    Outcome.MISSING: "has no recorded result",
}
_CUT = "all lines from the first change to the last count as changed: too many to compare."


class FactRow(NamedTuple):
    """A row of the summary."""

    label: str
    """What is counted."""
    left: str
    """For the first path."""
    right: str
    """For the second path."""


def path_labels(left: ConversationPath, right: ConversationPath) -> tuple[str, str]:
    """Return what to call two paths: the session is named where it is not the same."""
    if left.session == right.session:
        return f"Path {left.number}", f"Path {right.number}"
    first, other = (
        f"{visible(path.session)[:8]}, path {path.number}" for path in (left, right)
    )
    return f"Session {first}", f"Session {other}"


def shared_words(comparison: Comparison, left: str, right: str) -> str:
    """Return in a sentence how far the two paths are one."""
    both = f"{left} and {inside(right)}"
    if comparison.is_same:
        return f"{both} are the same {count_of(comparison.shared, 'message')}."
    if not comparison.shared:
        return f"{both} have no message in common."
    begun = f"{both} begin with the same {count_of(comparison.shared, 'message')}"
    for label, side in ((left, comparison.left), (right, comparison.right)):
        if not side.messages:
            return f"{begun}; {inside(label)} ends there."
    return f"{begun}, and then part."


def ending_words(side: Side) -> Iterator[str]:
    """Yield how a side ended, a sentence each."""
    ending = side.ending
    if side.beyond:
        yield f"Goes on for {count_of(side.beyond, 'more message')}."
        return
    if not side.messages:
        yield "Ends at the fork."
    elif ending.is_withdrawn:
        yield "Withdrawn: the prompt never got a reply."
    if ending.is_interrupted:
        yield "Ended by an interruption."
    if ending.test_run:
        run = ending.test_run
        said = f": {visible(run.said)}" if run.said else ""
        ended = f"{_OUTCOMES[run.outcome]}{said}"
        yield f"The last run of tests ({visible(run.command)}) {ended}"
    if side.errors:
        yield f"{count_of(side.errors, 'tool call')} failed on the way."


def fact_rows(comparison: Comparison) -> Iterator[FactRow]:
    """Yield the summary: what is counted, for the first path, for the second."""
    files = [_file_counts(comparison, is_left=is_left) for is_left in (True, False)]
    counts = (
        (label, value(comparison.left), value(comparison.right)) for label, value in _FACTS
    )
    for label, left, right in (*counts, ("Files changed", *files)):
        if left or right:
            yield FactRow(label, left or NOTHING, right or NOTHING)


def _time(side: Side) -> str:
    if not side.messages:
        return ""
    working, wall = (format_duration(s * 1000) for s in (side.working_s, side.wall_s))
    if side.wall_s * 1000 > DAY_MS:
        return f"{working} ({wording.worked_on(side.days)})"
    return working if working == wall else f"{working} (of {wall})"


def _calls(side: Side) -> str:
    if not side.calls:
        return ""
    named = ", ".join(f"{visible(tool_name(name))} {n:,}" for name, n in side.tools[:5])
    return f"{side.calls:,} ({named}{', …' if len(side.tools) > 5 else ''})"


def _commits(side: Side) -> str:
    subjects = (commit.subject or commit.hash for commit in side.commits)
    return shortened("; ".join(filter(None, subjects)), 200)


_FACTS: tuple[tuple[str, Callable[[Side], str]], ...] = (
    ("Messages", lambda side: format_count(side.messages)),
    ("Prompts", lambda side: format_count(side.prompts)),
    ("Replies", lambda side: format_count(side.replies)),
    ("Tool calls", _calls),
    ("Failed calls", lambda s: format_count(s.errors) if s.errors else ""),
    ("Working time", _time),
    ("Tokens", lambda side: wording.tokens(side.usage)),
    ("Commits", _commits),
)


def _file_counts(comparison: Comparison, *, is_left: bool) -> str:
    sides = [each.left if is_left else each.right for each in comparison.files]
    changes = [side.change for side in sides if side is not None]
    if not changes:
        return ""
    return f"{len(changes):,} ({wording.changed_lines(changes)})"


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
