"""The page that holds two paths against each other: its view, from their comparison."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.sketch import StepKind
from everyleaf.pages import wording
from everyleaf.pages.comparefiles import file_view, inside
from everyleaf.pages.compareviews import (
    CompareView,
    FactRow,
    PieceView,
    SideView,
    StepGroup,
    StepRow,
    StepView,
)
from everyleaf.pages.rows import shortened
from everyleaf.render.parts import draw_parts
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count, format_duration, tool_name
from everyleaf.transcript.document import Outcome, Prose
from everyleaf.transcript.facts import DAY_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.compare.comparison import Comparison, Side
    from everyleaf.compare.sketch import Passage, Step
    from everyleaf.graph.forest import ConversationPath
    from everyleaf.render.parts import Canvas
    from everyleaf.render.view import NavLink

MAX_ROWS = 300
"""Rows of steps that a page shows."""
NOTHING = "none"
LEAST_FOLDED = 3
"""Fewer rows that are the same than these are not worth a fold."""

_NAMES = {
    StepKind.PROMPT: "Prompt",
    StepKind.REPLY: "Reply",
    StepKind.COMPACTION: "Compaction",
    StepKind.NOTICE: "Notice",
}
_SIGNS = {"+": "ins", "-": "del"}
_OUTCOMES = {
    Outcome.OK: "passed",
    Outcome.ERROR: "failed",
    Outcome.DENIED: "was not allowed",
    Outcome.INTERRUPTED: "was interrupted",
    Outcome.MISSING: "has no recorded result",
}


class Contender(Struct, frozen=True):
    """One of the two paths, as the page names it."""

    path: ConversationPath
    label: str
    url_of: Callable[[str], str]
    """From the uuid of a message to its place, relative to the page; empty: none."""


class Ground(Struct, frozen=True):
    """What the page stands on."""

    canvas: Canvas
    title: str
    site_title: str
    root: str
    crumbs: tuple[NavLink, ...] = ()


def path_labels(left: ConversationPath, right: ConversationPath) -> tuple[str, str]:
    """Return what to call two paths: the session is named where it is not the same."""
    if left.session == right.session:
        return f"Path {left.number}", f"Path {right.number}"
    first, other = (
        f"{visible(path.session)[:8]}, path {path.number}" for path in (left, right)
    )
    return f"Session {first}", f"Session {other}"


def compare_view(
    comparison: Comparison, left: Contender, right: Contender, ground: Ground
) -> CompareView:
    """Return the view of the page that holds `left` against `right`."""
    is_withdrawn = left.path.is_withdrawn or right.path.is_withdrawn
    groups = tuple(_groups(comparison, left, right))
    labels = (left.label, right.label)
    return CompareView(
        title=ground.title,
        site_title=ground.site_title,
        root=ground.root,
        crumbs=ground.crumbs,
        lede=shared_words(comparison, *labels),
        reach="" if is_withdrawn else " ".join(_reach(comparison, *labels)),
        left=_side(left, comparison.left, comparison.prompts.left, ground.canvas),
        right=_side(right, comparison.right, comparison.prompts.right, ground.canvas),
        is_withdrawn=is_withdrawn,
        is_same=comparison.is_same,
        facts=() if is_withdrawn or comparison.is_same else tuple(_facts(comparison)),
        words=tuple(
            PieceView(_SIGNS.get(piece.sign, ""), visible(piece.text))
            for piece in comparison.prompts.words
        ),
        files=()
        if is_withdrawn
        else tuple(file_view(each, *labels, ground.canvas) for each in comparison.files),
        groups=() if is_withdrawn else groups,
        more=max(len(comparison.rows) - MAX_ROWS, 0),
    )


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


def _reach(comparison: Comparison, left: str, right: str) -> Iterator[str]:
    """Yield of each side that goes on how far this page looks."""
    for label, side in ((left, comparison.left), (right, comparison.right)):
        if side.beyond:
            yield (
                f"Of {inside(label)}, this page looks at the first"
                f" {count_of(side.messages, 'message')} after the fork; it goes on for"
                f" {format_count(side.beyond)} more."
            )


def _side(
    contender: Contender, side: Side, prompt: Passage | None, canvas: Canvas
) -> SideView:
    # What it says in the middle is not how it ended.
    path, reply = contender.path, None if side.beyond else side.ending.reply
    text = reply.text if reply else ""
    return SideView(
        label=contender.label,
        title=shortened(path.label or path.title) or "Untitled",
        status=path.status,
        url=contender.url_of(prompt.uuid if prompt else ""),
        prompt=visible(prompt.text) if prompt else "",
        reply=draw_parts((Prose(text),) if text else (), canvas),
        reply_url=contender.url_of(reply.uuid) if reply else "",
        ending=tuple(ending_words(side)),
    )


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


def fact_rows(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yield the summary: what is counted, for the first path, for the second."""
    for label, value in _FACTS:
        left, right = value(comparison.left), value(comparison.right)
        if left or right:
            yield label, left or NOTHING, right or NOTHING
    left, right = (_file_counts(comparison, is_left=is_left) for is_left in (True, False))
    if left or right:
        yield "Files changed", left or NOTHING, right or NOTHING


def _facts(comparison: Comparison) -> Iterator[FactRow]:
    for label, left, right in fact_rows(comparison):
        yield FactRow(label, left, right)


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
    added = sum(change.added for change in changes)
    removed = sum(change.removed for change in changes)
    return f"{len(changes):,} (+{added:,} {wording.MINUS}{removed:,})"


def _groups(
    comparison: Comparison, left: Contender, right: Contender
) -> Iterator[StepGroup]:
    rows = comparison.rows[:MAX_ROWS]
    for is_same, some in groupby(rows, key=lambda row: row.is_same):
        drawn = tuple(
            StepRow(_step(row.left, left), _step(row.right, right)) for row in some
        )
        yield StepGroup(is_same and len(drawn) >= LEAST_FOLDED, drawn)


def _step(step: Step | None, contender: Contender) -> StepView | None:
    if step is None:
        return None
    return StepView(
        kind=step.kind,
        name=_NAMES.get(step.kind) or visible(tool_name(step.name)),
        words=visible(step.words),
        ending=visible(step.ending),
        is_trouble=step.outcome in {Outcome.ERROR, Outcome.DENIED, Outcome.INTERRUPTED},
        url=contender.url_of(step.uuid),
    )
