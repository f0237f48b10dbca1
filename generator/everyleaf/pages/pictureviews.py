"""What templates are given to draw pictures; see `render/view.py` for the rules.

Lengths are in pixels of the picture's own space, from its upper left corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from everyleaf.graph.forest import Status


class StrokeView(Struct, frozen=True):
    """A line of a picture."""

    d: str
    """What an SVG `<path>` draws."""
    kind: str
    """`ACTIVE` or `ABANDONED`; between sessions, how they are related."""


class MarkView(Struct, frozen=True):
    """A sign on a line."""

    kind: str
    """`fork`, `compaction`, `agent`, or `elsewhere` (another session went on from here)."""
    x: int
    """Its middle; of an agent, its left edge."""
    y: int
    """Its middle."""


class NodeView(Struct, frozen=True):
    """A piece of conversation in a picture: a mark, with words beside it."""

    x: int
    """Of the mark."""
    y: int
    """Of the mark, and of the middle of the words."""
    label_x: int
    """Where the words begin."""
    meta_x: int
    """Where the second line begins, after its squares."""
    words: str
    """What was said first."""
    meta: str
    """How long it is, and what is in it."""
    title: str
    """All that is known of it, in one line."""
    url: str
    """Its first message."""
    status: Status
    """ACTIVE or ABANDONED."""
    is_last: bool
    """A path ends here."""


class TreeItem(Struct, frozen=True):
    """A piece of conversation in words."""

    words: str
    """What was said first."""
    url: str
    """Its first message."""
    place: str
    """Its path and its status."""
    meta: str
    """How long it is, and what is in it."""
    status: Status
    """ACTIVE or ABANDONED."""
    left: tuple[tuple[TreeItem, ...], ...]
    """Other ways that were taken after it, each from its first piece to its last."""


class TreeView(Struct, frozen=True, kw_only=True):
    """The tree of a session, as a picture and in words."""

    width: int
    """Of the picture."""
    height: int
    """Of the picture."""
    strokes: tuple[StrokeView, ...]
    """In the order they are drawn."""
    marks: tuple[MarkView, ...]
    """By row."""
    nodes: tuple[NodeView, ...]
    """By row."""
    items: tuple[TreeItem, ...]
    """The same in words: what leaves a path stands under where it left."""
    key: str
    """What the lines and signs mean that are in the picture."""
    hidden: int
    """Paths that are not drawn, since there are too many."""


class RelationNode(Struct, frozen=True):
    """A session in the picture of a project."""

    y: int
    """Middle of its row."""
    label_x: int
    """Where its title begins."""
    title: str
    """Of the session."""
    meta: str
    """When it ended, how it continues others."""
    url: str
    """Its page."""


class RelationRow(Struct, frozen=True):
    """A relation between two sessions, in words: `<from> <says> <to>`."""

    title: str
    """Of the session that it is said of."""
    url: str
    """Its page."""
    says: str
    """`carries on`, `is contained in`, `shares 12 messages with`."""
    other: str
    """Title of the other session."""
    other_url: str
    """Its page."""


class RelationsView(Struct, frozen=True, kw_only=True):
    """How sessions of a project continue, contain and copy each other."""

    width: int
    """Of the picture."""
    height: int
    """Of the picture."""
    strokes: tuple[StrokeView, ...]
    """`carried-on`, `contained` or `diverged`, each from one row to another."""
    nodes: tuple[RelationNode, ...]
    """By row."""
    rows: tuple[RelationRow, ...]
    """The same in words."""
    key: str
    """What the lines mean that are in the picture."""
    hidden: int
    """Sessions that are not drawn, since there are too many; `rows` has them."""
