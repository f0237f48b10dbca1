"""The view of a page that holds two paths against each other, from their comparison."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.pages.comparewords import (
    FactRow,
    change_words,
    ending_words,
    fact_rows,
    file_notes,
    path_labels,
    shared_words,
    verdict_words,
)
from everyleaf.pages.wording import inside, shortened
from everyleaf.render.html import draw_parts
from everyleaf.render.view import PageView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count
from everyleaf.transcript.document import Prose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from markupsafe import Markup

    from everyleaf.compare.comparison import Comparison, Side, WordPiece
    from everyleaf.compare.files import FileComparison
    from everyleaf.compare.sketch import Passage, Row
    from everyleaf.graph.forest import ConversationPath, Status
    from everyleaf.render.html import Canvas
    from everyleaf.render.view import NavLink
    from everyleaf.transcript.document import Diff

MAX_ROWS = 300
"""Rows of steps that a page shows."""
LEAST_FOLDED = 3
"""Fewer rows that are the same than these are not worth a fold."""


class SideView(Struct, frozen=True, kw_only=True):
    """One of the two paths."""

    label: str
    """`Path 1`; across sessions, with the session."""
    title: str
    """Its title, or the first prompt of its own."""
    status: Status
    """ACTIVE or ABANDONED."""
    url_of: Callable[[str], str]
    """From the uuid of a message to its place on its page; empty: none."""
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


class StepGroup(Struct, frozen=True):
    """Rows that follow each other."""

    is_same: bool
    """Both sides did the same here: folded."""
    rows: tuple[Row, ...]
    """Steps beside each other: `left` and `right`; None: this side has nothing there."""


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
    words: tuple[WordPiece, ...]
    """The word diff of the prompts; empty: they are shown as they are."""
    facts: tuple[FactRow, ...] = ()
    """The summary."""
    files: tuple[FileView, ...] = ()
    """Sorted by name."""
    groups: tuple[StepGroup, ...] = ()
    """The steps after the fork."""
    more: int = 0
    """Rows of steps that are left out at the end."""
    reach: str = ""
    """How far the page looks where a path goes on much longer, in sentences; empty: it
    looks at all."""


class CompareSide(Struct, frozen=True):
    """One of the two paths."""

    path: ConversationPath
    url_of: Callable[[str], str]
    """From the uuid of a message to its place, relative to the page; empty: none."""


def compare_view(
    comparison: Comparison,
    left: CompareSide,
    right: CompareSide,
    canvas: Canvas,
    crumbs: tuple[NavLink, ...] = (),
) -> CompareView:
    """Return the view of the page that holds `left` against `right`.

    Parts are drawn on `canvas`; `crumbs` are its way back.
    """
    is_withdrawn = left.path.is_withdrawn or right.path.is_withdrawn
    labels = path_labels(left.path, right.path)
    view = CompareView(
        title=f"{labels[0]} and {inside(labels[1])} compared",
        crumbs=crumbs,
        lede=shared_words(comparison, *labels),
        left=_side(left, labels[0], comparison.left, comparison.prompts.left, canvas),
        right=_side(right, labels[1], comparison.right, comparison.prompts.right, canvas),
        is_withdrawn=is_withdrawn,
        is_same=comparison.is_same,
        words=comparison.prompts.words,
        more=max(len(comparison.rows) - MAX_ROWS, 0),
    )
    if is_withdrawn:
        return view
    return replace(
        view,
        reach=" ".join(_reach(comparison, *labels)),
        facts=() if comparison.is_same else tuple(fact_rows(comparison)),
        files=tuple(file_view(each, *labels, canvas) for each in comparison.files),
        groups=tuple(_groups(comparison)),
    )


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
    compared: CompareSide, label: str, side: Side, prompt: Passage | None, canvas: Canvas
) -> SideView:
    # What it says in the middle is not how it ended.
    path, reply = compared.path, None if side.beyond else side.ending.reply
    text = reply.text if reply else ""
    return SideView(
        label=label,
        title=shortened(path.label or path.title) or "Untitled",
        status=path.status,
        url_of=compared.url_of,
        url=compared.url_of(prompt.uuid if prompt else ""),
        prompt=visible(prompt.text) if prompt else "",
        reply=draw_parts((Prose(text),) if text else (), canvas),
        reply_url=compared.url_of(reply.uuid) if reply else "",
        ending=tuple(ending_words(side)),
    )


def _groups(comparison: Comparison) -> Iterator[StepGroup]:
    rows = comparison.rows[:MAX_ROWS]
    for is_same, some in groupby(rows, key=lambda row: row.is_same):
        beside = tuple(some)
        yield StepGroup(is_same and len(beside) >= LEAST_FOLDED, beside)


def file_view(
    comparison: FileComparison, left: str, right: str, canvas: Canvas
) -> FileView:
    """Return the view of a file that the path called `left` or the one `right` changed."""

    def drawn(diff: Diff | None) -> Markup:
        return draw_parts((diff,) if diff is not None and diff.hunks else (), canvas)

    sides = ((left, comparison.left), (right, comparison.right))
    return FileView(
        file=visible(comparison.file),
        verdict=verdict_words(comparison, left, right),
        kind=comparison.verdict,
        notes=tuple(file_notes(comparison, left, right)),
        difference=drawn(comparison.difference),
        changes=tuple(
            ChangeView(
                change_words(label, side),
                side.change.added,
                side.change.removed,
                drawn(side.change),
            )
            for label, side in sides
            if side is not None
        ),
    )
