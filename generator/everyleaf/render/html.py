"""Turns as HTML: each is drawn once, whatever pages it will stand on.

What depends on a page is left open: the number of a prompt is `NUMBER_MARK` until
`number_prompts` puts it in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from markupsafe import Markup
from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.render.committed import commit_words
from everyleaf.render.parts import Canvas, draw_parts
from everyleaf.render.view import EntryView, OutlineItem, OutlineKind
from everyleaf.transcript.document import (
    PULL_REQUEST,
    AgentPage,
    Compaction,
    Notice,
    Outcome,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from everyleaf.outputs import Blob
    from everyleaf.theming.load import Theme
    from everyleaf.transcript.document import AnyEntry, Commit, TurnDocument

NUMBER_MARK = "\0number\0"
"""Stands for a prompt's number; text that was made `visible` never has a NUL."""

_NOTHING = Markup()
# A constant without markup.
_NUMBER = Markup(NUMBER_MARK)  # noqa: S704


class RenderedTurn(Struct, frozen=True):
    """A turn as HTML, the same on every page."""

    html: str
    """One `section`; holds `NUMBER_MARK` once for each prompt in `outline`."""
    blobs: tuple[Blob, ...]
    """Pictures and long outputs that the HTML links to, sorted by name."""
    outline: tuple[OutlineItem, ...]
    """Numbered prompts and compactions, in page order."""


def number_prompts(
    turn: RenderedTurn, first: int
) -> tuple[Markup, tuple[OutlineItem, ...]]:
    """Return the HTML and the outline of `turn` with its prompts numbered from `first`."""
    pieces = turn.html.split(NUMBER_MARK)
    html = pieces[0] + "".join(f"{first + n}{piece}" for n, piece in enumerate(pieces[1:]))
    outline: list[OutlineItem] = []
    number = first
    for item in turn.outline:
        is_prompt = item.kind is OutlineKind.PROMPT
        outline.append(replace(item, number=number) if is_prompt else item)
        number += is_prompt
    # Drawn by `HtmlRenderer`, which escapes all text; a number needs no escaping.
    return Markup(html), tuple(outline)  # noqa: S704


class HtmlRenderer:
    """Draws turns with the macros of a theme."""

    def __init__(self, theme: Theme, agent_url: Callable[[str, str], str | None]) -> None:
        """Draw with `theme`; `agent_url` gives the page of a session's agent, by its id.

        Addresses are relative to a page one folder deep, as transcripts and agents are.
        """
        self._theme = theme
        self._fill_turn = theme.filler("turn.html.j2")
        self._macros = theme.template("parts.html.j2").module
        self._agent_url = agent_url

    def render_turn(
        self, document: TurnDocument, anchors: Mapping[str, str]
    ) -> RenderedTurn:
        """Return `document` as HTML in which the ids of elements are from `anchors`.

        A record whose uuid is not in `anchors` gets no id; a uuid that stands in two
        entries gives the first one its id. Anchors of what is not shown stand alone; a
        turn without entries and anchors is empty.
        """
        canvas = Canvas(
            macros=self._macros,
            find_agent=lambda agent_id: self._agent_url(document.session, agent_id),
        )
        pen = _Pen(canvas, dict(anchors))
        with self._theme.explaining("turn.html.j2"):
            views = [pen.draw(entry) for entry in document.entries]
            alone = tuple(pen.free_anchors.values())
            html = self._fill_turn({"entries": views, "alone": alone}).strip()
        return RenderedTurn(
            html=html,
            blobs=tuple(blob for _, blob in sorted(canvas.blobs.items())),
            outline=tuple(pen.outline),
        )


class _Pen(Struct):
    """Draws the entries of one turn, in order."""

    canvas: Canvas
    free_anchors: dict[str, str]
    outline: list[OutlineItem] = field(default_factory=list[OutlineItem])

    def draw(self, entry: AnyEntry) -> EntryView:
        """Return the view of `entry`, and take note of what the outline shows of it."""
        anchor = self.free_anchors.pop(entry.uuid, "")
        also = tuple(
            self.free_anchors.pop(uuid) for uuid in entry.also if uuid in self.free_anchors
        )
        return self._view(entry, anchor, also)

    def _view(  # noqa: PLR0911  (one return a kind of entry)
        self, entry: AnyEntry, anchor: str, also: tuple[str, ...]
    ) -> EntryView:
        match entry:
            case Prompt():
                return self._prompt(entry, anchor, also)
            case Reply():
                body = draw_parts(entry.parts, self.canvas)
                return _view("reply", entry, anchor, also, body)
            case Thinking():
                parts = (Prose(entry.text),) if entry.text.strip() else ()
                body = draw_parts(parts, self.canvas)
                return _view("thinking", entry, anchor, also, body)
            case ToolCall():
                return self._tool_call(entry, anchor, also)
            case Compaction():
                return self._compaction(entry, anchor, also)
            case Notice():
                self._commits(entry, anchor)
                body = draw_parts(entry.parts, self.canvas)
                return _view("notice", entry, anchor, also, body)
            case Rewritten():
                return self._rewritten(entry, anchor, also)
            case _ as never:
                assert_never(never)

    def _prompt(self, entry: Prompt, anchor: str, also: tuple[str, ...]) -> EntryView:
        body = draw_parts(entry.parts, self.canvas)
        if not (entry.is_numbered and anchor):
            return _view("prompt", entry, anchor, also, body)
        self.outline.append(OutlineItem(OutlineKind.PROMPT, anchor, entry.words))
        return _view("prompt", entry, anchor, also, body, number=_NUMBER)

    def _tool_call(self, entry: ToolCall, anchor: str, also: tuple[str, ...]) -> EntryView:
        self._commits(entry, anchor)
        return EntryView(
            kind="tool",
            entry=entry,
            anchor=anchor,
            also=also,
            body=draw_parts(entry.asked, self.canvas),
            answer=draw_parts(entry.answered, self.canvas),
            number=_NOTHING,
            is_open=entry.outcome in {Outcome.ERROR, Outcome.DENIED},
            agent_url=self._own_agent_url(entry),
        )

    def _commits(self, entry: ToolCall | Notice, anchor: str) -> None:
        if anchor:
            self.outline += [
                OutlineItem(_outline_kind(commit), anchor, commit_words(commit))
                for commit in entry.commits
            ]

    def _own_agent_url(self, entry: ToolCall) -> str:
        """Return the page of the agent that `entry` started, unless a part links to it."""
        is_linked = any(
            isinstance(part, AgentPage) for part in entry.asked + entry.answered
        )
        if is_linked or not entry.agent_id:
            return ""
        return self.canvas.find_agent(entry.agent_id) or ""

    def _compaction(
        self, entry: Compaction, anchor: str, also: tuple[str, ...]
    ) -> EntryView:
        if anchor:
            self.outline.append(OutlineItem(OutlineKind.COMPACTION, anchor, entry.title))
        body = draw_parts(entry.summary, self.canvas)
        return _view("compaction", entry, anchor, also, body)

    def _rewritten(self, entry: Rewritten, anchor: str, also: tuple[str, ...]) -> EntryView:
        # Numbers and outline are for what the conversation went on from.
        shown = len(self.outline)
        inner = tuple(replace(self.draw(other), number=_NOTHING) for other in entry.entries)
        del self.outline[shown:]
        return replace(_view("rewritten", entry, anchor, also, _NOTHING), inner=inner)


def _outline_kind(commit: Commit) -> OutlineKind:
    is_request = commit.kind == PULL_REQUEST
    return OutlineKind.PULL_REQUEST if is_request else OutlineKind.COMMIT


def _view(  # noqa: PLR0913  (they are what the view has)
    kind: str,
    entry: AnyEntry,
    anchor: str,
    also: tuple[str, ...],
    body: Markup,
    *,
    number: Markup = _NOTHING,
) -> EntryView:
    return EntryView(
        kind=kind,
        entry=entry,
        anchor=anchor,
        also=also,
        body=body,
        answer=_NOTHING,
        number=number,
    )
