"""A file that two paths changed, as their comparison shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.compare.files import FileVerdict
from everyleaf.pages.compareviews import ChangeView, FileView
from everyleaf.render.parts import draw_parts
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.compare.files import FileComparison, FileSide
    from everyleaf.render.parts import Canvas
    from everyleaf.transcript.document import Diff

_CUT = "all lines from the first change to the last count as changed: too many to compare."


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


def inside(label: str) -> str:
    """Return a label as it stands inside of a sentence."""
    return label[:1].lower() + label[1:]
