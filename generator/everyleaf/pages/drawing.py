"""Turns drawn once, however many pages they stand on.

What is drawn holds nothing of a page but anchors, and those are the same on every page
unless two uuids begin alike; only then a turn is drawn again for that page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.sketch import TurnSketch, prose_of, sketch_turn
from everyleaf.graph.forest import Branch, Turn
from everyleaf.outputs import Blob, StagedFile
from everyleaf.pages import fragments
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.gist import gist
from everyleaf.pages.work import TurnKey, TurnTree
from everyleaf.render.entries import Fragment, assign_anchors
from everyleaf.render.html import NUMBER_MARK
from everyleaf.render.markdown import MARKDOWN_NUMBER_MARK
from everyleaf.search.pages import said_in
from everyleaf.transcript import document as doc
from everyleaf.transcript.entries import shorten, uuids_of

Build = Callable[[Turn, tuple[doc.Task, ...]], doc.TurnDocument]
"""Makes a document of a turn and of the task list as it stood before it."""
Render = Callable[[doc.TurnDocument, Mapping[str, str]], Fragment]
"""Draws a document in one format, with anchors by uuid."""

KNOWN_SKETCHES = 2_000
"""Sketches that are kept as values: compare pages beside each other share theirs."""
_SKETCHES = msgspec.msgpack.Decoder(TurnSketch)
_Place = tuple["TurnKey", tuple[str, ...]]
"""A turn, and the anchors with which it is drawn."""


class PageTurn(Struct, frozen=True, gc=False):
    """One turn on the way, and what stands before and after it."""

    key: TurnKey
    turn: Turn
    fragment: fragments.TurnFragment
    prompts_before: int
    """Numbered prompts on the path before this turn."""
    branches: tuple[Branch, ...]
    """Ways on after it; none: no fork."""
    followed: TurnKey | None
    """The next turn of the path."""

    @property
    def inputs(self) -> tuple[str, int]:
        """Return what decides how it looks on a page, as plain data."""
        return self.fragment.input_digest, self.prompts_before


class TurnDrawer:
    """Builds and draws turns, each at most once; what is known of one costs nothing."""

    def __init__(  # noqa: PLR0913  (all but two are named where it is called)
        self,
        tree: TurnTree,
        build: Build,
        settings: SiteSettings,
        *,
        html: Render | None,
        markdown: Render | None,
        sketched: Collection[TurnKey] = frozenset(),
        book: fragments.FragmentBook | None = None,
        ahead: fragments.ChunkFiles | None = None,
    ) -> None:
        """Take the turns of a family, what builds a document, and what draws a format.

        `settings` say how much of a document is drawn; its facts are those of all of it.
        Of the turns that are `sketched`, a sketch is kept for when they are compared. Those
        that were drawn `ahead` are drawn again only if the task list before them is
        another one than was thought.
        """
        self.blobs: dict[str, Blob] = {}
        """All blobs that were drawn here so far, by name."""
        self.drawn = 0
        """How often a turn was drawn."""
        self.records = 0
        """How many records the turns that were drawn have, together."""
        self._tree = tree
        self._build = build
        self._settings = settings
        self._html = html
        self._markdown = markdown
        self._sketched = sketched
        self._book = book
        self._ahead = ahead or fragments.ChunkFiles(())
        self._turns: dict[TurnKey, fragments.TurnFragment] = (
            {} if book is None else book.now
        )
        self._tasks: dict[TurnKey, tuple[doc.Task, ...]] = {}
        self._again: dict[
            _Place, tuple[fragments.TurnFragment, fragments.FragmentText]
        ] = {}
        self._texts: dict[TurnKey, fragments.FragmentText] = {}
        self._drawn: set[TurnKey] = set()
        self._sketch = lru_cache(maxsize=KNOWN_SKETCHES)(self._decode_sketch)

    def turn(self, key: TurnKey) -> fragments.TurnFragment:
        """Return the turn with the anchors that it has on most pages."""
        if key not in self._turns:
            fragment = self._known_or_drawn(key)
            before = self.tasks_before(key)
            if tasks := before if fragment.tasks is None else fragment.tasks:
                self._tasks[key] = tasks
            self._turns[key] = fragment
        return self._turns[key]

    def html(self, turn: PageTurn) -> str:
        """Return the HTML of a turn, with the numbers that its prompts have on the page."""
        fragment = turn.fragment
        text = self.text(fragment).html if fragment.has_html else b""
        return _numbered(text, NUMBER_MARK, turn.prompts_before)

    def markdown(self, turn: PageTurn) -> str:
        """Return the same as Markdown."""
        fragment = turn.fragment
        text = self.text(fragment).markdown if fragment.has_markdown else b""
        return _numbered(text, MARKDOWN_NUMBER_MARK, turn.prompts_before)

    def text(self, fragment: fragments.TurnFragment) -> fragments.FragmentText:
        """Return what pages show of a turn that is known; draws it if need be."""
        key, anchors = fragment.key, fragment.anchors
        again = self._again.get((key, tuple(anchors.values()))) if self._again else None
        if again is not None:
            return again[1]
        if key not in self._texts:
            if key in self._ahead:
                return self._ahead.text(key)  # Not kept: there may be more than memory has.
            _, self._texts[key] = self._draw(key, self._document(key), anchors)
        return self._texts[key]

    def is_drawn(self, fragment: fragments.TurnFragment) -> bool:
        """Return whether a turn is drawn already, in this build."""
        key = fragment.key
        is_known = key in self._ahead or key in self._texts
        return is_known or fragment is not self._turns.get(key)

    def sketch(self, key: TurnKey) -> TurnSketch:
        """Return the sketch of a turn that is `sketched`; draws it where it was not yet."""
        self.turn(key)
        return self._sketch(key)

    def gist(self, fragment: fragments.TurnFragment) -> str:
        """Return what the last reply of a turn that is known says, in a few lines."""
        return self.whole(fragment).gist or ""

    def whole(self, fragment: fragments.TurnFragment) -> fragments.TurnFragment:
        """Return a turn that is known with what may have stayed on disk."""
        return self._ahead.whole(fragment)

    def _decode_sketch(self, key: TurnKey) -> TurnSketch:
        fragment = self._turns[key]
        sketch = self.whole(fragment).sketch or b""
        return replace(_SKETCHES.decode(sketch), facts=fragment.facts)

    def tasks_before(self, key: TurnKey) -> tuple[doc.Task, ...]:
        """Return the task list that a turn begins with.

        A turn has one parent, so that it is the same on every page; it is known where the
        turns before were asked for first.
        """
        above = self._tree.parents[key]
        return self._tasks.get(above, ()) if above else ()

    def blob(self, name: str, fragment: fragments.TurnFragment) -> bytes | StagedFile:
        """Return a blob of a turn, or where it was put already."""
        if name in self._ahead.blobs:
            return self._ahead.blobs[name]
        self.text(fragment)
        return self.blobs[name].body

    def walk(self, leaf: TurnKey) -> list[PageTurn]:
        """Return the turns of the path that ends in `leaf`, from its root on."""
        return self.walk_along(self._tree.chain(leaf))

    def walk_along(self, keys: Sequence[TurnKey], *, prompts: int = 0) -> list[PageTurn]:
        """Return the turns of a page that holds the turns `keys`, each below the last.

        `prompts` is the number of numbered prompts on the path before them.
        """
        page_turns: list[PageTurn] = []
        for key, fragment, followed in zip(
            keys, self._page(keys), [*keys[1:], None], strict=True
        ):
            turn, branches = self._tree.turns[key], self._tree.branches.get(key, ())
            page_turns.append(PageTurn(key, turn, fragment, prompts, branches, followed))
            prompts += len(fragment.numbered)
        return page_turns

    def _page(self, keys: Sequence[TurnKey]) -> list[fragments.TurnFragment]:
        """Return the turns of one page, no anchor used twice."""
        turns = [self.turn(key) for key in keys]
        known = [anchor for turn in turns for anchor in turn.anchors.values()]
        if len(set(known)) == len(known):
            return turns
        anchors = assign_anchors(uuid for turn in turns for uuid in turn.anchors)
        return [self._with_anchors(turn, anchors) for turn in turns]

    def _known_or_drawn(self, key: TurnKey) -> fragments.TurnFragment:
        """Return what is known of a turn; one of which nothing is known is drawn."""
        before, book = self.tasks_before(key), self._book
        fragment = self._ahead.find(key, before)
        if book is None:
            return fragment or self._draw_first(key, "")
        if fragment is not None and fragment.input_digest:
            return fragment
        input_digest = book.input_digest(self._tree.turns[key], before)
        if fragment is not None:
            return replace(fragment, input_digest=input_digest)
        known = book.find(key, input_digest, is_sketched=key in self._sketched)
        return known or self._draw_first(key, input_digest)

    def _draw_first(self, key: TurnKey, input_digest: str) -> fragments.TurnFragment:
        turn, before = self._tree.turns[key], self.tasks_before(key)
        document = self._build(turn, before)
        sketch = None
        if key in self._sketched:
            sketched = replace(sketch_turn(turn, document), facts=doc.TurnFacts())
            sketch = msgspec.msgpack.encode(sketched)
        tasks = None if document.tasks == before else document.tasks
        document = shorten(document, self._settings.detail)
        fragment, self._texts[key] = self._draw(
            key, document, assign_anchors(_uuids(document))
        )
        return replace(fragment, input_digest=input_digest, sketch=sketch, tasks=tasks)

    def _document(self, key: TurnKey) -> doc.TurnDocument:
        """Return the document of a turn as it is drawn: none is kept afterwards."""
        document = self._build(self._tree.turns[key], self.tasks_before(key))
        return shorten(document, self._settings.detail)

    def _with_anchors(
        self, fragment: fragments.TurnFragment, anchors: Mapping[str, str]
    ) -> fragments.TurnFragment:
        wanted = {uuid: anchors[uuid] for uuid in fragment.anchors}
        if wanted == fragment.anchors:
            return fragment
        key = fragment.key
        place = (key, tuple(wanted.values()))
        if place not in self._again:
            input_digest = f"{fragment.input_digest} {' '.join(wanted.values())}"
            drawn, text = self._draw(key, self._document(key), wanted)
            drawn = replace(
                drawn, input_digest=input_digest if fragment.input_digest else ""
            )
            self._again[place] = (drawn, text)
        return self._again[place][0]

    def _draw(
        self, key: TurnKey, document: doc.TurnDocument, anchors: Mapping[str, str]
    ) -> tuple[fragments.TurnFragment, fragments.FragmentText]:
        self.drawn += 1
        if key not in self._drawn and key not in self._ahead:
            self._drawn.add(key)
            self.records += len(self._tree.turns[key].records)
        html = self._html(document, anchors) if self._html else None
        text = self._markdown(document, anchors) if self._markdown else None
        blobs = [*(html.blobs if html else ()), *(text.blobs if text else ())]
        self.blobs.update((blob.name, blob) for blob in blobs)
        numbered = (
            anchors[entry.uuid]
            for entry in document.entries
            if isinstance(entry, doc.Prompt) and entry.is_numbered
        )
        replies = [e for e in document.entries if isinstance(e, doc.Reply) and e.parts]
        facts = document.facts
        said = said_in(document.entries, anchors)
        fragment = fragments.TurnFragment(
            key=key,
            input_digest="",
            anchors=dict(anchors),
            numbered=tuple(dict.fromkeys(numbered)),
            facts=facts,
            outline=html.outline if html else (),
            edits=html.edits if html else (),
            blobs=tuple(sorted({blob.name for blob in blobs})),
            said=tuple(said) if self._settings.has_search else (),
            linked=self._book.take_asked() if self._book else (),
            has_reply=bool(replies),
            gist=gist(prose_of(replies[-1].parts)) if replies and not facts.tools else "",
            is_personal=any(
                isinstance(e, doc.ToolCall) and e.is_personal for e in document.entries
            ),
            unrecorded=sum(
                isinstance(e, doc.Thinking) and not e.text.strip() for e in document.entries
            ),
            has_html=bool(html and html.text),
            has_markdown=bool(text and text.text),
            reads_tasks=document.reads_tasks,
        )
        # Half of a pair, as records may hold one, must come back as it is.
        shown = (
            one.text.encode("utf-8", "surrogatepass") if one else b""
            for one in (html, text)
        )
        return fragment, fragments.FragmentText(*shown)


def _uuids(document: doc.TurnDocument) -> Iterator[str]:
    """Yield what needs an anchor: of a turn that shows nothing, where links lead."""
    for entry in document.entries:
        yield from uuids_of(entry)
    if not document.entries:
        yield from dict.fromkeys((*document.records[:1], *document.records[-1:]))


def _numbered(text: bytes, mark: str, before: int) -> str:
    """Return a text with the number of a prompt for each `mark`."""
    first, *rest = text.decode("utf-8", "surrogatepass").split(mark)
    return "".join([first, *(f"{n}{part}" for n, part in enumerate(rest, before + 1))])


def draw_chunk(
    drawer: TurnDrawer, keys: Iterable[TurnKey], put: Callable[[Blob], StagedFile]
) -> tuple[fragments.Chunk, bytes]:
    """Return the turns `keys`, drawn, and what pages show of them as the bytes of a file.

    `put` takes what they link to, and says where it is then.
    """
    turns: list[fragments.ChunkTurn] = []
    lists: dict[tuple[doc.Task, ...], int] = {}
    shown = bytearray()
    for key in keys:
        fragment = drawer.turn(key)
        text = drawer.text(fragment)
        number = lists.setdefault(drawer.tasks_before(key), len(lists))
        rest = msgspec.msgpack.encode((fragment.sketch, fragment.gist))
        parts = (text.html, text.markdown, rest)
        fragment = replace(fragment, sketch=None, gist=None)
        turns.append(fragments.ChunkTurn(fragment, number, len(shown)))
        shown += fragments.LENGTHS.pack(*map(len, parts)) + b"".join(parts)
    blobs = {name: put(blob) for name, blob in sorted(drawer.blobs.items())}
    return fragments.Chunk(turns, list(lists), blobs), bytes(shown)
