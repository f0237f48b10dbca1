"""Parts of entries as HTML: a kind of part is one function and one macro of the theme."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, assert_never

from markupsafe import Markup, escape
from msgspec import Struct, field

from everyleaf.outputs import Blob
from everyleaf.render.diffs import MAX_LINES, count_lines, diff_text, render_diff
from everyleaf.render.highlight import code_block, framed
from everyleaf.render.longtext import Shortened, blob_of, shorten
from everyleaf.render.pictures import picture_blob
from everyleaf.render.prose import render_prose
from everyleaf.render.prose_rules import is_live
from everyleaf.render.terminal import plain_text, render_runs, slice_runs, terminal_runs
from everyleaf.theming.characters import visible
from everyleaf.transcript.document import (
    AgentPage,
    Checklist,
    Chip,
    Code,
    Diff,
    Fold,
    Links,
    Part,
    Picture,
    Prose,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jinja2.environment import TemplateModule

TOO_HARD = "Shown as plain text: too long or too deeply nested to be drawn as Markdown."


class Canvas(Struct):
    """Where the parts of one turn are drawn: what they need, and the blobs they leave."""

    macros: TemplateModule
    """The theme's `parts.html.j2`."""
    find_agent: Callable[[str], str | None]
    """From an agent's id to the address of its page, if it has one."""
    blobs: dict[str, Blob] = field(default_factory=dict[str, Blob])

    def keep(self, blob: Blob) -> str:
        """Keep `blob` and return its address from a page one folder deep."""
        self.blobs[blob.name] = blob
        return f"../blobs/{blob.name}"

    def draw(self, macro: str, *values: object) -> Markup:
        """Return what the theme's macro makes of `values`."""
        drawn: Markup = getattr(self.macros, macro)(*values)
        return drawn


def draw_parts(parts: Sequence[Part], canvas: Canvas) -> Markup:
    """Return `parts` as HTML, chips that follow each other in one row."""
    if len(parts) == 1 and not isinstance(parts[0], Chip):
        return _draw_part(parts[0], canvas)
    drawn: list[Markup] = []
    for are_chips, group in groupby(parts, key=_is_chip):
        row = _joined([_draw_part(part, canvas) for part in group])
        drawn.append(canvas.draw("chips", row) if are_chips else row)
    return _joined(drawn)


def _is_chip(part: Part) -> bool:
    return isinstance(part, Chip)


def _joined(drawn: list[Markup]) -> Markup:
    # All of it is markup: joined as what it is, no piece is looked at again.
    return Markup("".join(drawn))  # noqa: S704


def _draw_part(part: Part, canvas: Canvas) -> Markup:  # noqa: C901, PLR0911  (a branch a part)
    match part:
        case Prose():
            return _draw_prose(part, canvas)
        case Code():
            return draw_code(part, canvas)
        case Picture():
            return _draw_picture(part, canvas)
        case Chip():
            return canvas.draw("chip", part.label, part.text, part.detail)
        case Diff():
            return _draw_diff(part, canvas)
        case Table():
            return _draw_table(part, canvas)
        case Checklist():
            return canvas.draw("checklist", part.items)
        case Links():
            return canvas.draw("links", [(link, is_live(link.url)) for link in part.items])
        case AgentPage():
            return canvas.draw("agent", canvas.find_agent(part.agent_id) or "", part.text)
        case Fold():
            body = draw_parts(part.parts, canvas)
            return canvas.draw("fold", part.summary, body, part.is_open)
        case _ as never:
            assert_never(never)


def _draw_prose(part: Prose, canvas: Canvas) -> Markup:
    text = visible(part.text)
    drawn = render_prose(text, keeps_breaks=part.keeps_breaks)
    if drawn is None:
        plain = draw_code(Code(text), canvas)
        return canvas.draw("plain", TOO_HARD, plain)
    # The parser escaped all text, and raw HTML is off.
    return canvas.draw("prose", Markup(drawn))  # noqa: S704


def draw_code(part: Code, canvas: Canvas) -> Markup:
    """Return a block of code or terminal output, cut in the middle where it is long."""
    if part.is_terminal:
        return _draw_terminal(part, canvas)
    text = visible(part.text)
    cut = shorten(text)
    language = visible(part.language)
    if cut is None:
        body = code_block(text, language, first_line=part.first_line)
        return _draw_block(part, body, canvas)
    last_lines = None
    if part.first_line is not None:
        last_lines = part.first_line + cut.lines - cut.tail.count("\n") - 1
    head = code_block(cut.head, language, first_line=part.first_line)
    tail = code_block(cut.tail, language, first_line=last_lines)
    return _draw_cut(part, (head, tail), cut, text, canvas)


def _draw_terminal(part: Code, canvas: Canvas) -> Markup:
    runs = terminal_runs(part.text)
    text = plain_text(runs)
    cut = shorten(text)
    if cut is None:
        body = framed(render_runs(runs).removesuffix("\n"), text, extra_class="terminal")
        return _draw_block(part, body, canvas)
    end = len(text.rstrip("\n"))
    head = render_runs(slice_runs(runs, 0, len(cut.head)))
    tail = render_runs(slice_runs(runs, end - len(cut.tail), end))
    drawn = (
        framed(head, cut.head, extra_class="terminal"),
        framed(tail, cut.tail, extra_class="terminal"),
    )
    return _draw_cut(part, drawn, cut, text, canvas)


def _draw_block(part: Code, body: str, canvas: Canvas) -> Markup:
    # Made by `codeblock`, which escapes all text.
    return canvas.draw("code", part.caption, Markup(body))  # noqa: S704


def _draw_cut(
    part: Code, ends: tuple[str, str], cut: Shortened, text: str, canvas: Canvas
) -> Markup:
    url = canvas.keep(blob_of(text))
    # Made by `codeblock`, which escapes all text.
    head, tail = (Markup(end) for end in ends)  # noqa: S704
    return canvas.draw("cut", part.caption, head, tail, cut.lines, url)


def _draw_picture(part: Picture, canvas: Canvas) -> Markup:
    found = part.problem or picture_blob(part.data, part.media_type)
    if isinstance(found, str):
        return canvas.draw("no_picture", found, part.alt)
    url = canvas.keep(found.blob)
    return canvas.draw("picture", url, part.alt, found.width, found.height)


def _draw_diff(part: Diff, canvas: Canvas) -> Markup:
    lines = count_lines(part)
    url = canvas.keep(blob_of(diff_text(part))) if lines > MAX_LINES else ""
    # Made by `diffs`, which escapes all text.
    body = Markup(render_diff(part))  # noqa: S704
    return canvas.draw("diff", part, body, url, lines)


def _draw_table(part: Table, canvas: Canvas) -> Markup:
    is_fields = not part.head and all(len(row) == 2 for row in part.rows)
    rows = [[_draw_cell(cell, canvas) for cell in row] for row in part.rows]
    return canvas.draw("fields" if is_fields else "table", rows, part.head)


def _draw_cell(text: str, canvas: Canvas) -> Markup:
    text = visible(text)
    cut = shorten(text)
    if cut is None:
        return escape(text)
    url = canvas.keep(blob_of(text))
    return canvas.draw("cut_cell", cut.head, cut.tail, cut.lines, url)
