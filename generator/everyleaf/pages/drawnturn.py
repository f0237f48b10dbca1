"""A turn in all formats of the site, as pages take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from everyleaf.pages.notes import TurnNote
    from everyleaf.render.view import OutlineItem
    from everyleaf.search.pages import Said
    from everyleaf.transcript.turnfacts import TurnFacts


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
    is_drawn: Callable[[], bool]
    """Returns whether it is drawn already, in this build."""

    @property
    def html(self) -> str:
        """Return its HTML; empty where it shows nothing."""
        return _text(self.body().html) if self.has_html else ""

    @property
    def markdown(self) -> str:
        """Return its Markdown; empty where it shows nothing."""
        return _text(self.body().markdown) if self.has_markdown else ""


def drawn_turn(
    note: TurnNote, body: Callable[[], TurnBody], is_drawn: Callable[[], bool]
) -> DrawnTurn:
    """Return the turn of which `note` tells; `body` is asked for where a page shows it."""
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
        is_drawn=is_drawn,
    )


def as_body(html: str, markdown: str) -> TurnBody:
    """Return what pages show of a turn, given as texts."""
    return TurnBody(_bytes(html), _bytes(markdown))


def _bytes(text: str) -> bytes:
    # Half of a pair, as records may hold one, must come back as it is.
    return text.encode("utf-8", "surrogatepass")


def _text(body: bytes) -> str:
    return body.decode("utf-8", "surrogatepass")
