"""Turns drawn once, however many pages they stand on.

What is drawn holds nothing of a page but anchors, and those are the same on every page
unless two uuids begin alike; only then a turn is drawn again for that page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.compare.sketch import sketch_turn
from everyleaf.config import Detail
from everyleaf.frozen import dataclass
from everyleaf.render.anchors import assign_anchors
from everyleaf.search.words import said_in
from everyleaf.transcript.detail import shorten, uuids_of
from everyleaf.transcript.document import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from everyleaf.compare.sketch import TurnSketch
    from everyleaf.graph.forest import Turn
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
class DrawnTurn:
    """A turn in all formats of the site; what a format does not need is empty."""

    anchors: Mapping[str, str]
    """By uuid, in page order: all that the turn shows, results and fragments included."""
    numbered: tuple[str, ...]
    """Anchors of the prompts that count, in order."""
    facts: TurnFacts
    html: str
    outline: tuple[OutlineItem, ...]
    markdown: str
    blobs: tuple[str, ...]
    """Names, sorted."""
    said: tuple[Said, ...] = ()
    """What search finds of it."""


class TurnDrawer:
    """Builds and draws turns, each once."""

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
        self._known: dict[TurnKey, DrawnTurn] = {}
        self._tasks: dict[TurnKey, tuple[Task, ...]] = {}
        self._sketched = sketched
        self._sketches: dict[TurnKey, TurnSketch] = {}
        self._again: dict[tuple[TurnKey, tuple[str, ...]], DrawnTurn] = {}

    def turn(self, key: TurnKey) -> DrawnTurn:
        """Return the turn with the anchors that it has on most pages."""
        if key not in self._known:
            document = self._document(key)
            if key in self._sketched:
                self._sketches[key] = sketch_turn(self._tree.turns[key], document)
            document = shorten(document, self._detail)
            self.records += len(self._tree.turns[key].records)
            self._known[key] = self._draw(document, assign_anchors(_uuids(document)))
        return self._known[key]

    def sketch(self, key: TurnKey) -> TurnSketch:
        """Return the sketch of a turn that is `sketched`; draws it where it was not yet."""
        self.turn(key)
        return self._sketches[key]

    def _document(self, key: TurnKey) -> TurnDocument:
        """Return the document of a turn: none is kept once it is drawn.

        A turn has one parent, so that the task list it begins with is the same on every
        page; it is known where the turns before were asked for first.
        """
        above = self._tree.parents[key]
        tasks = self._tasks.get(above, ()) if above else ()
        document = self._build(self._tree.turns[key], tasks)
        self._tasks[key] = document.tasks
        return document

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

    def _with_anchors(
        self, key: TurnKey, turn: DrawnTurn, anchors: Mapping[str, str]
    ) -> DrawnTurn:
        wanted = {uuid: anchors[uuid] for uuid in turn.anchors}
        if wanted == turn.anchors:
            return turn
        name = (key, tuple(wanted.values()))
        if name not in self._again:
            self._again[name] = self._draw(
                shorten(self._document(key), self._detail), wanted
            )
        return self._again[name]

    def _draw(self, document: TurnDocument, anchors: Mapping[str, str]) -> DrawnTurn:
        self.drawn += 1
        html = self._html.render_turn(document, anchors) if self._html else None
        text = self._markdown.render_turn(document, anchors) if self._markdown else None
        blobs = [*(html.blobs if html else ()), *(text.blobs if text else ())]
        self.blobs.update((blob.name, blob) for blob in blobs)
        numbered = (
            anchors[entry.uuid]
            for entry in document.entries
            if isinstance(entry, Prompt) and entry.is_numbered
        )
        return DrawnTurn(
            anchors=anchors,
            numbered=tuple(dict.fromkeys(numbered)),
            facts=document.facts,
            html=html.html if html else "",
            outline=html.outline if html else (),
            markdown=text.text if text else "",
            blobs=tuple(sorted({blob.name for blob in blobs})),
            said=tuple(said_in(document.entries, anchors)) if self._has_search else (),
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
