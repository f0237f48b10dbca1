"""Turns as HTML: each is drawn once, whatever pages it will stand on.

A kind of part is one macro of the theme's `parts.html.j2`, a kind of entry a branch of its
`turn.html.j2`. What depends on a page is left open: the number of a prompt is `NUMBER_MARK`
until a page is put together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING

from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.outputs import Blob
from everyleaf.render import entries, highlight
from everyleaf.render.diffs import diff_text, first_lines, render_diff, render_split
from everyleaf.render.pictures import picture_blob
from everyleaf.render.prose import is_live, render_prose
from everyleaf.render.view import EntryView, OutlineItem, OutlineKind
from everyleaf.theming.formats import visible
from everyleaf.transcript import document as doc
from everyleaf.transcript.words import first_line

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule

    from everyleaf.theming.theme import Theme

NUMBER_MARK = "\0number\0"
"""Stands for a prompt's number; text that was made `visible` never has a NUL."""
TOO_HARD = "Shown as plain text: too long or too deeply nested to be drawn as Markdown."

# A constant without markup.
_NUMBER = Markup(NUMBER_MARK)  # noqa: S704
_known_prose = lru_cache(maxsize=192)(render_prose)
_KNOWN_CHARS = 4_000
"""Compare pages beside each other show the same prose; what is longer is not kept."""


def render_html(
    document: doc.TurnDocument,
    anchors: Mapping[str, str],
    *,
    theme: Theme,
    agent_url: Callable[[str, str], str | None],
    file_url: Callable[[str, str], str] = lambda _session, _name: "",
) -> entries.Fragment:
    """Return a turn, drawn with `theme`; ids of its elements are from `anchors`.

    `agent_url` gives the page of a session's agent, by its id, and `file_url` that of a
    file that it edited, by its name there: relative to a page one folder deep, as
    transcripts and agents are.
    A record whose uuid is not in `anchors` gets no id; a uuid that stands in two entries
    gives the first one its id. Anchors of what is not shown stand alone; a turn without
    entries and anchors is empty.
    """
    macros, session = theme.template("parts.html.j2").module, document.session
    canvas = Canvas(macros, partial(agent_url, session))
    pen = _Pen(canvas, dict(anchors), partial(file_url, session))
    with theme.explaining("turn.html.j2"):
        drawn = [pen.draw(entry) for entry in document.entries]
        views, alone = _shown(drawn)
        alone += tuple(pen.free_anchors.values())
        html = theme.template("turn.html.j2").render(
            entries=views,
            alone=alone,
            tall=entries.tallness(document.entries),
            unfolded=entries.tallness(document.entries, is_unfolded=True),
        )
    blobs = tuple(blob for _, blob in sorted(canvas.blobs.items()))
    return entries.Fragment(html.strip(), blobs, tuple(pen.outline), tuple(pen.edits))


def _shown(drawn: Iterable[EntryView]) -> tuple[list[EntryView], tuple[str, ...]]:
    """Return the views that show something, and the anchors that none of them has.

    The one after what shows nothing (thinking without words) has its anchors, so that who
    comes by a link sees where; at the end, the one before.
    """
    views: list[EntryView] = []
    anchors: tuple[str, ...] = ()
    for view in drawn:
        if view.kind == "thinking" and not view.body:
            anchors += tuple(filter(None, (view.anchor, *view.also)))
        else:
            views.append(replace(view, also=(*anchors, *view.also)) if anchors else view)
            anchors = ()
    if views and anchors:
        views[-1] = replace(views[-1], also=(*views[-1].also, *anchors))
        anchors = ()
    return views, anchors


class _Pen(Struct):
    """Draws the entries of one turn, in order."""

    canvas: Canvas
    free_anchors: dict[str, str]
    file_url: Callable[[str], str]
    edits: list[doc.FileEdit] = []
    outline: list[OutlineItem] = []

    def draw(self, entry: doc.AnyEntry, *, is_again: bool = False) -> EntryView:
        """Return `entry` drawn, and take note of what the outline shows of it.

        What was written again has no number, and the outline knows nothing of it.
        """
        uuids = [uuid for uuid in (entry.uuid, *entry.also) if uuid in self.free_anchors]
        anchors = {uuid: self.free_anchors.pop(uuid) for uuid in dict.fromkeys(uuids)}
        anchor = anchors.pop(entry.uuid, "")
        if anchor and not is_again:
            outlined = _outlined(entry)
            self.outline += (OutlineItem(kind, anchor, words) for kind, words in outlined)
        is_counted = isinstance(entry, doc.Prompt) and entry.is_numbered and not is_again
        call = entry if isinstance(entry, doc.ToolCall) else None
        agent = (call.agent_id if call else None) or ""
        agent_url = (self.canvas.find_agent(agent) if agent else "") or ""
        others = entry.entries if isinstance(entry, doc.Rewritten) else ()
        inner, alone = _shown(self.draw(other, is_again=True) for other in others)
        shown, answer = entries.shown_parts(entry)
        if agent_url:  # It stands beside the call's name, where nothing has to be opened.
            shown, answer = _unlinked(shown), _unlinked(answer)
        edits = list(_edits(call, anchor)) if call and not is_again else []
        self.edits += edits
        self.canvas.file_pages = {edit.name: self.file_url(edit.name) for edit in edits}
        page = self.canvas.file_pages.pop(call.target, "") if call else ""
        # What a command does, or the one file of which lines were added and removed.
        target = (call.target,) if call and len(call.changes) == 1 else ()
        self.canvas.said = (call.about, *target) if call else ()
        return EntryView(
            kind="tool" if call else type(entry).__name__.lower(),
            entry=entry,
            anchor=anchor,
            also=(*anchors.values(), *alone),
            body=draw_parts(shown, self.canvas),
            answer=draw_parts(answer, self.canvas),
            number=_NUMBER if is_counted and anchor else Markup(),
            is_open=call is not None and call.is_open,
            is_long=entries.is_long(entry),
            is_personal=call is not None and call.is_personal,
            agent_url=agent_url,
            file_url=page,
            inner=tuple(inner),
        )


def _edits(call: doc.ToolCall, anchor: str) -> Iterator[doc.FileEdit]:
    """Yield what `call` did to files; a diff knows the name better than the target."""
    parts = (part for part in call.answered if isinstance(part, doc.Diff | doc.Code))
    for change in call.changes if anchor else ():
        part = next(parts, None)
        name = part.file if isinstance(part, doc.Diff) else call.target
        lines = first_lines(part) if part else ""
        yield doc.FileEdit(anchor, change.file, name, change.added, change.removed, lines)


def _outlined(entry: doc.AnyEntry) -> Iterator[tuple[OutlineKind, str]]:
    """Yield what the outline says of `entry`."""
    match entry:
        case doc.Prompt(is_numbered=True):
            yield OutlineKind.PROMPT, entry.words or _output_words(entry)
        case doc.Compaction():
            yield OutlineKind.COMPACTION, entry.title
        case doc.ToolCall() | doc.Notice():
            for commit in entry.commits:
                is_request = commit.kind == doc.PULL_REQUEST
                kind = OutlineKind.PULL_REQUEST if is_request else OutlineKind.COMMIT
                yield kind, entries.commit_words(commit)
            if isinstance(entry, doc.ToolCall) and entry.tests is not None:
                yield OutlineKind.TESTS, entry.tests.words
            if isinstance(entry, doc.ToolCall) and entry.outcome is doc.Outcome.ERROR:
                words = f"{entry.name}: {entry.outcome_text or entry.outcome.words}"
                yield OutlineKind.ERROR, visible(words)
        case _:
            pass


def _unlinked(parts: Sequence[doc.Part]) -> tuple[doc.Part, ...]:
    return tuple(part for part in parts if not isinstance(part, doc.AgentPage))


def _output_words(prompt: doc.Prompt) -> str:
    """Return how the output begins that is all of a prompt; empty: there is none."""
    texts = (part.text for part in prompt.parts if isinstance(part, doc.Code))
    return visible(first_line(next(texts, "")))


class Canvas(Struct):
    """Where the parts of one turn are drawn: what they need, and the blobs they leave."""

    macros: TemplateModule
    """The theme's `parts.html.j2`."""
    find_agent: Callable[[str], str | None]
    """From an agent's id to the address of its page, if it has one."""
    blobs: dict[str, Blob] = {}
    file_pages: dict[str, str] = {}
    """Pages of other files than its own line names that the call edited, by name."""
    said: tuple[str, ...] = ()
    """What the line of the call says, so that no part below repeats it."""

    def keep(self, blob: Blob) -> str:
        """Keep `blob` and return its address from a page one folder deep."""
        self.blobs[blob.name] = blob
        return f"../blobs/{blob.name}"

    def draw(self, macro: str, *values: object) -> Markup:
        """Return what the theme's macro makes of `values`."""
        drawn: Markup = getattr(self.macros, macro)(*values)
        return drawn


def draw_parts(parts: Sequence[doc.Part], canvas: Canvas) -> Markup:
    """Return `parts` as HTML, chips that follow each other in one row."""
    if len(parts) == 1 and not isinstance(parts[0], doc.Chip):
        return _draw_part(parts[0], canvas)
    drawn: list[Markup] = []
    for are_chips, group in groupby(parts, key=lambda part: isinstance(part, doc.Chip)):
        row = _joined([_draw_part(part, canvas) for part in group])
        drawn.append(canvas.draw("chips", row) if are_chips else row)
    return _joined(drawn)


def _joined(drawn: list[Markup]) -> Markup:
    # All of it is markup: joined as what it is, no piece is looked at again.
    return Markup("".join(drawn))  # noqa: S704


def _draw_part(part: doc.Part, canvas: Canvas) -> Markup:  # noqa: C901, PLR0911  (a branch a part)
    match part:
        case doc.Prose():
            draw = _known_prose if len(part.text) <= _KNOWN_CHARS else render_prose
            drawn = draw(visible(part.text), keeps_breaks=part.keeps_breaks)
            if drawn is None:
                return canvas.draw(
                    "plain", TOO_HARD, _draw_code(doc.Code(part.text), canvas)
                )
            # `render_prose` escaped all text, and made text of raw HTML.
            return canvas.draw("prose", Markup(drawn))  # noqa: S704
        case doc.Code():
            return _draw_code(part, canvas)
        case doc.Picture():
            found = part.problem or picture_blob(part.data, part.media_type)
            if isinstance(found, str):
                return canvas.draw("no_picture", found, part.alt)
            url = canvas.keep(found.blob)
            return canvas.draw("picture", url, part.alt, found.width, found.height)
        case doc.Chip():
            return canvas.draw("chip", part.label, part.text, part.detail)
        case doc.Diff():
            return _draw_diff(part, canvas)
        case doc.Table():
            is_fields = not part.head and all(len(row) == 2 for row in part.rows)
            rows = [[_draw_cell(cell, canvas) for cell in row] for row in part.rows]
            return canvas.draw("fields" if is_fields else "table", rows, part.head)
        case doc.Checklist():
            return canvas.draw("checklist", part.items)
        case doc.Links():
            return canvas.draw("links", [(link, is_live(link.url)) for link in part.items])
        case doc.AgentPage():
            return canvas.draw("agent", canvas.find_agent(part.agent_id) or "", part.text)
        case doc.Fold():
            body = draw_parts(part.parts, canvas)
            return canvas.draw("fold", part.summary, body, part.is_open)


def _draw_code(part: doc.Code, canvas: Canvas) -> Markup:
    """Return a block of code or terminal output, cut in the middle where it is long."""
    runs = highlight.terminal_runs(part.text) if part.is_terminal else []
    text = highlight.plain_text(runs) if part.is_terminal else visible(part.text)
    language = visible(part.language)
    end = len(text.rstrip("\n"))
    cut = entries.shorten(text)

    def piece(start: int, shown: str, first_line: int | None) -> Markup:
        if part.is_terminal:
            drawn = highlight.render_runs(
                highlight.slice_runs(runs, start, start + len(shown))
            )
            drawn = drawn if cut else drawn.removesuffix("\n")
            block = highlight.framed(drawn, shown, extra_class="terminal")
        else:
            block = highlight.code_block(shown, language, first_line=first_line)
        return Markup(block)  # noqa: S704  (made by `highlight`, which escapes all text)

    caption = "" if part.caption in canvas.said else part.caption
    if cut is None:
        return canvas.draw("code", caption, piece(0, text, part.first_line))
    last_lines = None
    if part.first_line is not None:
        last_lines = part.first_line + cut.lines - cut.tail.count("\n") - 1
    head = piece(0, cut.head, part.first_line)
    tail = piece(end - len(cut.tail), cut.tail, last_lines)
    url = canvas.keep(entries.blob_of(text))
    return canvas.draw("cut", caption, head, tail, cut.lines, url)


def _draw_diff(part: doc.Diff, canvas: Canvas) -> Markup:
    lines = entries.count_lines(part)
    is_cut = lines > entries.MAX_DIFF_LINES
    url = canvas.keep(entries.blob_of(diff_text(part))) if is_cut else ""
    # Made by `diffs`, which escapes all text.
    body = Markup(render_diff(part))  # noqa: S704
    page = canvas.file_pages.get(part.file, "")
    return canvas.draw("diff", part, body, url, lines, page, part.file in canvas.said)


def draw_split(diff: doc.Diff, after: str | None, canvas: Canvas) -> Markup:
    """Return `diff` in two columns; what stays of the text `after` is folded."""
    body = Markup(render_split(diff, after))  # noqa: S704  (as above)
    lines = entries.count_lines(diff)
    if lines > entries.MAX_DIFF_LINES:
        url = canvas.keep(entries.blob_of(diff_text(diff)))
        body += canvas.draw("diff", diff, "", url, lines)
    return body


def _draw_cell(text: str, canvas: Canvas) -> Markup:
    text = visible(text)
    cut = entries.shorten(text)
    if cut is None:
        return escape(text)
    url = canvas.keep(entries.blob_of(text))
    return canvas.draw("cut_cell", cut.head, cut.tail, cut.lines, url)
