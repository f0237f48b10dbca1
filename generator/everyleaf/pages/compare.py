"""The page that holds two paths against each other: its view, from their comparison."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.files import FileVerdict
from everyleaf.compare.sketch import StepKind
from everyleaf.pages import wording
from everyleaf.pages.wording import inside, shortened
from everyleaf.render.parts import draw_parts
from everyleaf.render.view import PageView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count, format_duration, tool_name
from everyleaf.transcript.document import Outcome, Prose
from everyleaf.transcript.facts import DAY_MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from markupsafe import Markup

    from everyleaf.compare.comparison import Comparison, Side
    from everyleaf.compare.files import FileComparison, FileSide
    from everyleaf.compare.sketch import Passage, Step
    from everyleaf.graph.forest import ConversationPath, Status
    from everyleaf.render.parts import Canvas
    from everyleaf.render.view import NavLink
    from everyleaf.transcript.document import Diff

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
_CUT = "all lines from the first change to the last count as changed: too many to compare."


class PieceView(Struct, frozen=True):
    """A piece of a word diff."""

    kind: str
    """`ins`, `del`, or empty for what both sides have."""
    text: str
    """The words, as written."""


class SideView(Struct, frozen=True, kw_only=True):
    """One of the two paths."""

    label: str
    """`Path 1`; across sessions, with the session."""
    title: str
    """Its title, or the first prompt of its own."""
    status: Status
    """ACTIVE or ABANDONED."""
    url: str
    """Its page where it parts; empty: it has none."""
    prompt: str
    """The first prompt after the fork, in full; empty: it begins with a reply."""
    reply: Markup
    """The last words of the model, drawn; empty: there was no reply."""
    reply_url: str
    """The message with these words."""
    ending: tuple[str, ...]
    """How it ended, a sentence each."""


class FactRow(Struct, frozen=True):
    """A row of the summary."""

    label: str
    """What is counted."""
    left: str
    """For the first path."""
    right: str
    """For the second path."""


class StepView(Struct, frozen=True):
    """A step of one side."""

    kind: str
    """`prompt`, `reply`, `tool`, `compaction` or `notice`."""
    name: str
    """The tool, or what the step is."""
    words: str
    """What was said, or what the call was about."""
    ending: str
    """How a call ended."""
    is_trouble: bool
    """The call failed, was refused or interrupted."""
    url: str
    """The message on its page; empty: none."""


class StepRow(Struct, frozen=True):
    """Steps beside each other; None: this side has nothing there."""

    left: StepView | None
    right: StepView | None


class StepGroup(Struct, frozen=True):
    """Rows that follow each other."""

    is_same: bool
    """Both sides did the same here: folded."""
    rows: tuple[StepRow, ...]


class FileView(Struct, frozen=True):
    """A file that at least one side changed."""

    file: str
    """Its name, as seen from the folder that the paths began in."""
    verdict: str
    """How the two left it, in a few words."""
    kind: str
    """`same`, `different`, `only-left`, `only-right` or `unknown`."""
    notes: tuple[str, ...]
    """What cannot be told, a sentence each."""
    difference: Markup
    """From one end to the other, drawn; empty: none, or not known."""
    changes: tuple[ChangeView, ...]
    """What each side did, the first path's first."""


class ChangeView(Struct, frozen=True):
    """What one side did to a file."""

    summary: str
    """`Path 1: net change`."""
    added: int
    """Lines."""
    removed: int
    """Lines."""
    body: Markup
    """The diff, drawn."""


class CompareView(PageView, frozen=True, kw_only=True):
    """Two paths held against each other (`compare.html.j2`)."""

    lede: str
    """Where they part, in a sentence."""
    left: SideView
    """The path with the lower number."""
    right: SideView
    """The other path."""
    is_withdrawn: bool
    """One side is a prompt without a reply: the page holds only the prompts."""
    is_same: bool
    """The two have all messages in common: the page says so, and no more."""
    facts: tuple[FactRow, ...]
    """The summary."""
    words: tuple[PieceView, ...]
    """The word diff of the prompts; empty: they are shown as they are."""
    files: tuple[FileView, ...]
    """Sorted by name."""
    groups: tuple[StepGroup, ...]
    """The steps after the fork."""
    more: int = 0
    """Rows of steps that are left out at the end."""
    reach: str = ""
    """How far the page looks where a path goes on much longer, in sentences; empty: it
    looks at all."""


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
        facts=() if is_withdrawn or comparison.is_same else tuple(_fact_rows(comparison)),
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


def _fact_rows(comparison: Comparison) -> Iterator[FactRow]:
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


def file_view(
    comparison: FileComparison, left: str, right: str, canvas: Canvas
) -> FileView:
    """Return the view of a file that the path called `left` or the one `right` changed."""
    return FileView(
        file=visible(comparison.file),
        verdict=verdict_words(comparison, left, right),
        kind=comparison.verdict,
        notes=tuple(file_notes(comparison, left, right)),
        difference=draw_parts(_shown(comparison.difference), canvas),
        changes=tuple(_changes(comparison, left, right, canvas)),
    )


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


def _changes(
    comparison: FileComparison, left: str, right: str, canvas: Canvas
) -> Iterator[ChangeView]:
    for label, side in ((left, comparison.left), (right, comparison.right)):
        if side is not None:
            change = side.change
            body = draw_parts(_shown(change), canvas)
            words = change_words(label, side)
            yield ChangeView(words, change.added, change.removed, body)


def _shown(diff: Diff | None) -> tuple[Diff, ...]:
    return (diff,) if diff is not None and diff.hunks else ()
