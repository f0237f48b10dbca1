"""The view of a page that holds two paths against each other, from their comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.comparison import Comparison, Side, WordPiece
from everyleaf.compare.files import FileComparison
from everyleaf.compare.sketch import Passage, Row, Step, StepKind
from everyleaf.graph.forest import ConversationPath, Status
from everyleaf.pages import comparewords
from everyleaf.pages.wording import inside, titled
from everyleaf.render.html import Canvas, draw_parts, draw_split
from everyleaf.render.markdown_text import literal
from everyleaf.render.view import NavLink, PageView
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import Prose
from everyleaf.transcript.words import counted

MAX_ROWS = 300
"""Rows of steps that a page shows."""
LEAST_FOLDED = 3
"""Fewer rows that are the same than these are not worth a fold."""


class SideView(Struct, frozen=True, kw_only=True):
    """One of the two paths."""

    label: str
    """`Abandoned` or `Taken`; else `Path 1`, across sessions with the session."""
    verdict: str
    """What came of it, in a sentence that begins with the label."""
    title: str
    """The first prompt of its own; of one without, that it is another reply."""
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
    last: Step | None
    """The step it ends with where the other side goes on; None: it does not end first."""
    is_withdrawn: bool
    """It is but a prompt, withdrawn before a reply came."""
    number: int
    """Of the first prompt after the fork, on its page; 0: not known."""
    asked: str
    """When it was asked; empty: not known."""
    followed: str
    """What was done about it, in one line; empty: nothing, or the page says more."""


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
    heads: tuple[str, str]
    """What the columns are: `Abandoned` and `Taken`, or `Before` and one of them."""
    difference: Markup
    """From one to the other in two columns, drawn; empty: none, or not known."""
    url: str
    """The page of the file; empty: it has none."""
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
    """The diff, drawn; empty where the columns show it already."""


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
    asked: Markup
    """What both answered, drawn; empty: not known."""
    asked_url: str
    """The message that asked."""
    words: tuple[WordPiece, ...]
    """The word diff of the prompts; empty: they are shown as they are."""
    draw: Callable[[Step], Markup] = lambda _: Markup()
    """From a step to what was said in it, drawn; empty for what is no speech."""
    facts: tuple[comparewords.FactRow, ...] = ()
    """The summary."""
    facts_head: str = ""
    """What it counts: what came after the fork, or all where there is none."""
    files: tuple[FileView, ...] = ()
    """Sorted by name."""
    groups: tuple[StepGroup, ...] = ()
    """The steps after the fork."""
    more: int = 0
    """Rows of steps that are left out at the end."""
    markdown: str = ""
    """The page in short as Markdown, to be copied; empty: there is no script to do it."""
    reach: str = ""
    """How far the page looks where a path goes on much longer, in sentences; empty: it
    looks at all."""


class CompareSide(Struct, frozen=True):
    """One of the two paths."""

    path: ConversationPath
    url_of: Callable[[str], str]
    """From the uuid of a message to its place, relative to the page; empty: none."""
    file_url: Callable[[str], str] = lambda _: ""
    """From the name of a file to its page, likewise."""
    number: int = 0
    """Of the prompt that it begins with behind the fork; 0: not known."""
    asked: str = ""
    """When that was asked; empty: not known."""


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
    is_subject = not (is_withdrawn or comparison.is_same)
    labels = (comparewords.side_labels if is_subject else comparewords.path_labels)(
        left.path, right.path
    )
    asked, prompts = comparison.asked, comparison.prompts
    view = CompareView(
        title=f"{labels[0]} and {inside(labels[1])} compared",
        crumbs=crumbs,
        lede=comparewords.shared_words(comparison, *labels),
        left=_side(left, labels[0], comparison.left, prompts.left, canvas),
        right=_side(right, labels[1], comparison.right, prompts.right, canvas),
        is_withdrawn=is_withdrawn,
        is_same=comparison.is_same,
        asked=_said(asked.text if asked else "", canvas),
        asked_url=left.url_of(asked.uuid) if asked else "",
        words=prompts.words,
    )
    if is_subject:
        return _with_attempts(view, comparison, left, right, canvas)
    if not is_withdrawn:
        return view
    lede = (
        f"After the same {counted(comparison.shared, 'message')}, a prompt was"
        " withdrawn before Claude replied."
    )
    return replace(view, title=_subject(left.path, right.path), lede=lede)


def _with_attempts(
    view: CompareView,
    comparison: Comparison,
    left: CompareSide,
    right: CompareSide,
    canvas: Canvas,
) -> CompareView:
    """Return `view` with what both sides did after the fork."""
    labels = (view.left.label, view.right.label)
    rows = comparison.rows[:MAX_ROWS]
    last, other = _last_steps(rows) if rows == comparison.rows else (None, None)
    both = f"Two attempts after the same {counted(comparison.shared, 'message')}."

    def draw(step: Step) -> Markup:
        return _said(step.text, canvas, keeps_breaks=step.kind is StepKind.PROMPT)

    return replace(
        view,
        title=_subject(left.path, right.path),
        lede=both if comparison.shared else "Two conversations with no message in common.",
        draw=draw,
        left=replace(view.left, last=last),
        right=replace(view.right, last=other),
        reach=" ".join(_reach(comparison, *comparewords.in_sentences(labels))),
        facts=tuple(comparewords.fact_rows(comparison)),
        facts_head="After the fork" if comparison.shared else "In figures",
        files=tuple(
            file_view(one, labels, canvas, left.file_url(name) or right.file_url(name))
            for one in comparison.files
            for name in (one.file,)
        ),
        groups=tuple(_groups(rows)),
        more=len(comparison.rows) - len(rows),
    )


def _said(text: str, canvas: Canvas, *, keeps_breaks: bool = False) -> Markup:
    prose = Prose(text, keeps_breaks=keeps_breaks)
    return draw_parts((prose,) if text else (), canvas)


def _subject(left: ConversationPath, right: ConversationPath) -> str:
    """Return what both are about: the title of the one that was gone on with."""
    main = left if left.status is Status.ACTIVE else right
    return titled(main.title)


def _last_steps(rows: Sequence[Row]) -> tuple[Step | None, Step | None]:
    """Return the last step of the side that ends before the other one does."""
    left = max((at for at, row in enumerate(rows) if row.left), default=-1)
    right = max((at for at, row in enumerate(rows) if row.right), default=-1)
    return (
        rows[left].left if 0 <= left < right else None,
        rows[right].right if 0 <= right < left else None,
    )


def _reach(comparison: Comparison, left: str, right: str) -> Iterator[str]:
    """Yield of each side that goes on how far this page looks."""
    for label, side in ((left, comparison.left), (right, comparison.right)):
        if side.beyond:
            yield (
                f"Of {inside(label)}, this page looks at the first"
                f" {counted(side.messages, 'message')} after the fork; it goes on for"
                f" {side.beyond:,} more."
            )


def _side(
    compared: CompareSide, label: str, side: Side, prompt: Passage | None, canvas: Canvas
) -> SideView:
    # What it says in the middle is not how it ended.
    path, reply = compared.path, None if side.beyond else side.ending.reply
    return SideView(
        label=label,
        verdict=comparewords.side_verdict(label, side),
        title=titled(path.label or (prompt.text if prompt else "Another reply")),
        status=path.status,
        url_of=compared.url_of,
        url=compared.url_of(prompt.uuid if prompt else ""),
        prompt=visible(prompt.text) if prompt else "",
        reply=_said(reply.text if reply else "", canvas),
        reply_url=compared.url_of(reply.uuid) if reply else "",
        ending=tuple(comparewords.ending_words(side)),
        last=None,
        is_withdrawn=path.is_withdrawn,
        number=compared.number,
        asked=compared.asked,
        followed=comparewords.followed_words(side) if compared.asked else "",
    )


def _groups(rows: Sequence[Row]) -> Iterator[StepGroup]:
    for is_same, some in groupby(rows, key=lambda row: row.is_same):
        beside = tuple(some)
        yield StepGroup(is_same and len(beside) >= LEAST_FOLDED, beside)


def file_view(
    comparison: FileComparison, labels: tuple[str, str], canvas: Canvas, url: str = ""
) -> FileView:
    """Return the view of a file that one of the paths with these `labels` changed."""
    sides = tuple(zip(labels, (comparison.left, comparison.right), strict=True))
    only = next((side for side in sides if side[1]), sides[0])
    is_alone = any(side is None for _, side in sides)
    heads, diff, after = labels, comparison.difference, comparison.right
    if is_alone and only[1] and only[1].is_exact:
        heads, diff, after = ("Before", only[0]), only[1].change, only[1]
    has_columns = diff is not None and bool(diff.hunks)
    return FileView(
        file=visible(comparison.file),
        verdict=comparewords.verdict_words(comparison, *comparewords.in_sentences(labels)),
        kind=comparison.verdict,
        notes=tuple(comparewords.file_notes(comparison, *labels)),
        heads=heads,
        difference=draw_split(diff, after.end if after else None, canvas)
        if diff is not None and has_columns
        else Markup(),
        url=url,
        changes=tuple(
            ChangeView(
                comparewords.change_words(label, side),
                side.change.added,
                side.change.removed,
                Markup()
                if is_alone and has_columns
                else draw_parts((side.change,) if side.change.hunks else (), canvas),
            )
            for label, side in sides
            if side is not None
        ),
    )


def write_markdown(view: CompareView) -> str:
    """Return what a page says, in short, to be pasted where Markdown is read."""
    sides = (view.left, view.right)
    blocks = [f"## {literal(view.title)}", view.lede]
    blocks.append("\n".join(f"- {literal(side.verdict)}" for side in sides))
    head = (view.facts_head, view.left.label, view.right.label, "Difference")
    rows = [head, ("---",) * 4, *view.facts]
    blocks.append("\n".join(f"| {' | '.join(map(literal, row))} |" for row in rows))
    blocks += [f"**{side.label}** was asked:\n\n{_quoted(side.prompt)}" for side in sides]
    files = (f"- `{literal(each.file)}`: {each.verdict}" for each in view.files)
    blocks.append("\n".join(files))
    for side in sides:
        if side.ending:
            ending = "\n".join(f"- {literal(sentence)}" for sentence in side.ending)
            blocks.append(f"**{side.label}** ended:\n\n{ending}")
    return "\n\n".join(filter(None, blocks)) + "\n"


def _quoted(text: str) -> str:
    return "\n".join(f"> {literal(line)}" for line in (text or "…").split("\n"))
