"""Turns drawn once, however many pages they stand on.

What is drawn holds nothing of a page but anchors, and those are the same on every page
unless two uuids begin alike; only then a turn is drawn again for that page.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from everyleaf.compare.sketch import sketch_turn
from everyleaf.config import Detail
from everyleaf.frozen import dataclass
from everyleaf.pages.notes import TurnNote
from everyleaf.render.anchors import assign_anchors
from everyleaf.search.words import said_in
from everyleaf.transcript.detail import shorten, uuids_of
from everyleaf.transcript.document import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from everyleaf.compare.sketch import TurnSketch
    from everyleaf.graph.forest import Turn
    from everyleaf.pages.notes import NoteBook
    from everyleaf.pages.work import TurnKey, TurnTree
    from everyleaf.render.html import HtmlRenderer
    from everyleaf.render.markdown import MarkdownRenderer
    from everyleaf.render.output import Blob
    from everyleaf.render.view import OutlineItem
    from everyleaf.search.pages import Said
    from everyleaf.transcript.document import Task, TurnDocument
    from everyleaf.transcript.turnfacts import TurnFacts

    Build = Callable[[Turn, tuple[Task, ...]], TurnDocument]
    """Makes a document of a turn and of the task list as it stood before it."""


@dataclass(frozen=True, slots=True)
class TurnBody:
    """What pages show of a turn; what a format does not need is empty.

    Kept as UTF-8: a text with a single sign beyond Latin-1 takes twice the memory or more.
    """

    html: bytes
    markdown: bytes


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """A turn in all formats of the site, drawn where a page asks for what it shows."""

    made_of: str
    """Digest of all that goes into it; empty where no notes are kept."""
    anchors: Mapping[str, str]
    """By uuid, in page order: all that the turn shows, results and fragments included."""
    numbered: tuple[str, ...]
    """Anchors of the prompts that count, in order."""
    facts: TurnFacts
    outline: tuple[OutlineItem, ...]
    blobs: tuple[str, ...]
    """Names, sorted."""
    said: tuple[Said, ...]
    """What search finds of it."""
    has_html: bool
    """It shows something on HTML pages."""
    has_markdown: bool
    body: Callable[[], TurnBody]
    """Returns what pages show of it, drawn by then."""

    @property
    def html(self) -> str:
        """Return its HTML; empty where it shows nothing."""
        return _text(self.body().html) if self.has_html else ""

    @property
    def markdown(self) -> str:
        """Return its Markdown; empty where it shows nothing."""
        return _text(self.body().markdown) if self.has_markdown else ""


_Place = tuple["TurnKey", tuple[str, ...]]
"""A turn, and the anchors with which it is drawn."""


class TurnDrawer:
    """Builds and draws turns, each at most once; what is known of one costs nothing."""

    def __init__(  # noqa: PLR0913  (all but two are named where it is called)
        self,
        tree: TurnTree,
        build: Build,
        *,
        html: HtmlRenderer | None,
        markdown: MarkdownRenderer | None,
        detail: Detail = Detail.FULL,
        sketched: Collection[TurnKey] = frozenset(),
        has_search: bool = False,
        book: NoteBook | None = None,
    ) -> None:
        """Take the turns of a family, what builds a document, and a renderer a format.

        `detail` is how much of a document is drawn; its facts are those of all of it. Of
        the turns that are `sketched`, a sketch is kept for when they are compared.
        """
        self.blobs: dict[str, Blob] = {}
        """All blobs that were drawn so far, by name."""
        self.drawn = 0
        """How often a turn was drawn."""
        self.records = 0
        """How many records the turns that were drawn have, together."""
        self._tree = tree
        self._build = build
        self._detail = detail
        self._has_search = has_search
        self._html = html
        self._markdown = markdown
        self._sketched = sketched
        self._book = book
        self._turns: dict[TurnKey, DrawnTurn] = {}
        self._notes: dict[TurnKey, TurnNote] = {}
        self._tasks: dict[TurnKey, tuple[Task, ...]] = {}
        self._again: dict[_Place, DrawnTurn] = {}
        self._bodies: dict[TurnKey, TurnBody] = {}
        self._drawn: set[TurnKey] = set()

    def turn(self, key: TurnKey) -> DrawnTurn:
        """Return the turn with the anchors that it has on most pages."""
        if key not in self._turns:
            note = self._note(key)
            self._notes[key] = note
            before = self._tasks_before(key)
            self._tasks[key] = before if note.tasks is None else note.tasks
            self._turns[key] = _drawn_turn(note, partial(self._body, key))
        return self._turns[key]

    def sketch(self, key: TurnKey) -> TurnSketch:
        """Return the sketch of a turn that is `sketched`; draws it where it was not yet."""
        self.turn(key)
        return cast("TurnSketch", self._notes[key].sketch)

    def page(self, keys: Sequence[TurnKey]) -> list[DrawnTurn]:
        """Return the turns of one page, no anchor used twice."""
        turns = [self.turn(key) for key in keys]
        if _are_distinct(turns):
            return turns
        anchors = assign_anchors(uuid for turn in turns for uuid in turn.anchors)
        return [
            self._with_anchors(key, turn, anchors)
            for key, turn in zip(keys, turns, strict=True)
        ]

    def _tasks_before(self, key: TurnKey) -> tuple[Task, ...]:
        """Return the task list that a turn begins with.

        A turn has one parent, so that it is the same on every page; it is known where the
        turns before were asked for first.
        """
        above = self._tree.parents[key]
        return self._tasks.get(above, ()) if above else ()

    def _note(self, key: TurnKey) -> TurnNote:
        """Return what is known of a turn; one of which nothing is known is drawn."""
        turn, book = self._tree.turns[key], self._book
        if book is None:
            return self._draw_first(key, "")
        made_of = book.made_of(turn, self._tasks_before(key))
        note = book.find(key, made_of, is_sketched=key in self._sketched)
        book.notes[key] = note or self._draw_first(key, made_of)
        return book.notes[key]

    def _draw_first(self, key: TurnKey, made_of: str) -> TurnNote:
        turn, before = self._tree.turns[key], self._tasks_before(key)
        document = self._build(turn, before)
        is_sketched = key in self._sketched
        sketch = sketch_turn(turn, document) if is_sketched else None
        tasks = None if document.tasks == before else document.tasks
        document = shorten(document, self._detail)
        note, body = self._draw(key, document, assign_anchors(_uuids(document)))
        self._bodies[key] = body
        return replace(note, made_of=made_of, sketch=sketch, tasks=tasks)

    def _body(self, key: TurnKey) -> TurnBody:
        if key not in self._bodies:
            anchors = self._notes[key].anchors
            _, self._bodies[key] = self._draw(key, self._document(key), anchors)
        return self._bodies[key]

    def _document(self, key: TurnKey) -> TurnDocument:
        """Return the document of a turn as it is drawn: none is kept afterwards."""
        document = self._build(self._tree.turns[key], self._tasks_before(key))
        return shorten(document, self._detail)

    def _with_anchors(
        self, key: TurnKey, turn: DrawnTurn, anchors: Mapping[str, str]
    ) -> DrawnTurn:
        wanted = {uuid: anchors[uuid] for uuid in turn.anchors}
        if wanted == turn.anchors:
            return turn
        place = (key, tuple(wanted.values()))
        if place not in self._again:
            note, body = self._draw(key, self._document(key), wanted)
            made_of = f"{turn.made_of} {' '.join(wanted.values())}"
            note = replace(note, made_of=made_of if turn.made_of else "")
            self._again[place] = _drawn_turn(note, lambda: body)
        return self._again[place]

    def _draw(
        self, key: TurnKey, document: TurnDocument, anchors: Mapping[str, str]
    ) -> tuple[TurnNote, TurnBody]:
        self.drawn += 1
        if key not in self._drawn:
            self._drawn.add(key)
            self.records += len(self._tree.turns[key].records)
        html = self._html.render_turn(document, anchors) if self._html else None
        text = self._markdown.render_turn(document, anchors) if self._markdown else None
        blobs = [*(html.blobs if html else ()), *(text.blobs if text else ())]
        self.blobs.update((blob.name, blob) for blob in blobs)
        numbered = (
            anchors[entry.uuid]
            for entry in document.entries
            if isinstance(entry, Prompt) and entry.is_numbered
        )
        note = TurnNote(
            key=key,
            made_of="",
            anchors=dict(anchors),
            numbered=tuple(dict.fromkeys(numbered)),
            facts=document.facts,
            outline=html.outline if html else (),
            blobs=tuple(sorted({blob.name for blob in blobs})),
            said=tuple(said_in(document.entries, anchors)) if self._has_search else (),
            linked=self._book.take_asked() if self._book else (),
            has_html=bool(html and html.html),
            has_markdown=bool(text and text.text),
        )
        body = TurnBody(
            _bytes(html.html if html else ""), _bytes(text.text if text else "")
        )
        return note, body


def _bytes(text: str) -> bytes:
    # Half of a pair, as records may hold one, must come back as it is.
    return text.encode("utf-8", "surrogatepass")


def _text(body: bytes) -> str:
    return body.decode("utf-8", "surrogatepass")


def _drawn_turn(note: TurnNote, body: Callable[[], TurnBody]) -> DrawnTurn:
    return DrawnTurn(
        made_of=note.made_of,
        anchors=note.anchors,
        numbered=note.numbered,
        facts=note.facts,
        outline=note.outline,
        blobs=note.blobs,
        said=note.said,
        has_html=note.has_html,
        has_markdown=note.has_markdown,
        body=body,
    )


def _uuids(document: TurnDocument) -> Iterator[str]:
    """Yield what needs an anchor: of a turn that shows nothing, where links lead."""
    for entry in document.entries:
        yield from uuids_of(entry)
    if not document.entries:
        yield from dict.fromkeys((*document.records[:1], *document.records[-1:]))


def _are_distinct(turns: Iterable[DrawnTurn]) -> bool:
    """Return whether no anchor stands in two turns, and none is longer than it needs be."""
    seen: set[str] = set()
    count = 0
    for turn in turns:
        seen.update(turn.anchors.values())
        count += len(turn.anchors)
    return len(seen) == count
