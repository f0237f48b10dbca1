"""A turn in all formats of the site, as pages take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.pages.notes import TurnNote
    from everyleaf.pages.work import TurnKey
    from everyleaf.render.view import OutlineItem
    from everyleaf.search.pages import SearchText
    from everyleaf.transcript.document import TurnFacts


class TurnBody(Struct, frozen=True):
    """What pages show of a turn; what a format does not need is empty.

    Kept as UTF-8: a text with a single sign beyond Latin-1 takes twice the memory or more.
    """

    html: bytes
    markdown: bytes


class Bodies(Protocol):
    """Knows what pages show of turns, or draws it."""

    def body(self, key: TurnKey) -> TurnBody:
        """Return what pages show of a turn, drawn by then."""
        ...

    def is_drawn(self, key: TurnKey) -> bool:
        """Return whether a turn is drawn already, in this build."""
        ...


class KnownBody(Struct, frozen=True):
    """What pages show of one turn."""

    known: TurnBody

    def body(self, key: TurnKey) -> TurnBody:
        """Return it, whatever `key` is."""
        del key
        return self.known

    def is_drawn(self, key: TurnKey) -> bool:
        """Return True."""
        del key
        return True


class DrawnTurn(Struct, frozen=True):
    """A turn in all formats of the site, drawn where a page asks for what it shows.

    There is one for every turn of a family: it holds nothing that its note has.
    """

    note: TurnNote
    bodies: Bodies

    @property
    def made_of(self) -> str:
        """Return a digest of all that goes into it; empty where no notes are kept."""
        return self.note.made_of

    @property
    def anchors(self) -> Mapping[str, str]:
        """Return the anchors by uuid, in page order, results and fragments included."""
        return self.note.anchors

    @property
    def numbered(self) -> tuple[str, ...]:
        """Return the anchors of the prompts that count, in order."""
        return self.note.numbered

    @property
    def facts(self) -> TurnFacts:
        """Return what it adds to the facts of a path."""
        return self.note.facts

    @property
    def outline(self) -> tuple[OutlineItem, ...]:
        """Return its entries in the outline of a page."""
        return self.note.outline

    @property
    def blobs(self) -> tuple[str, ...]:
        """Return the names of the blobs that it links to, sorted."""
        return self.note.blobs

    @property
    def said(self) -> tuple[SearchText, ...]:
        """Return what search finds of it."""
        return self.note.said

    @property
    def has_html(self) -> bool:
        """Return whether it shows something on HTML pages."""
        return self.note.has_html

    @property
    def has_markdown(self) -> bool:
        """Return whether it shows something in Markdown files."""
        return self.note.has_markdown

    @property
    def is_drawn(self) -> bool:
        """Return whether it is drawn already, in this build."""
        return self.bodies.is_drawn(self.note.key)

    @property
    def html(self) -> str:
        """Return its HTML; empty where it shows nothing."""
        return _text(self.body().html) if self.has_html else ""

    @property
    def markdown(self) -> str:
        """Return its Markdown; empty where it shows nothing."""
        return _text(self.body().markdown) if self.has_markdown else ""

    def body(self) -> TurnBody:
        """Return what pages show of it, drawn by then."""
        return self.bodies.body(self.note.key)


def as_body(html: str, markdown: str) -> TurnBody:
    """Return what pages show of a turn, given as texts."""
    return TurnBody(_bytes(html), _bytes(markdown))


def _bytes(text: str) -> bytes:
    # Half of a pair, as records may hold one, must come back as it is.
    return text.encode("utf-8", "surrogatepass")


def _text(body: bytes) -> str:
    return body.decode("utf-8", "surrogatepass")
