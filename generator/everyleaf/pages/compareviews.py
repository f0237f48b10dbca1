"""What `compare.html.j2` is given; see `render/view.py` for the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.render.view import PageView

if TYPE_CHECKING:
    from markupsafe import Markup

    from everyleaf.graph.forest import Status


class PieceView(Struct, frozen=True):
    """A piece of a word diff."""

    kind: str
    """`ins`, `del`, or empty for what both sides have."""
    text: str
    """The words, as written."""


class SideView(Struct, frozen=True, kw_only=True):
    """One of the two paths."""

    label: str
    """`Path 1`; across sessions, with the session."""
    title: str
    """Its title, or the first prompt of its own."""
    status: Status
    """ACTIVE or ABANDONED."""
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


class FactRow(Struct, frozen=True):
    """A row of the summary."""

    label: str
    """What is counted."""
    left: str
    """For the first path."""
    right: str
    """For the second path."""


class StepView(Struct, frozen=True):
    """A step of one side."""

    kind: str
    """`prompt`, `reply`, `tool`, `compaction` or `notice`."""
    name: str
    """The tool, or what the step is."""
    words: str
    """What was said, or what the call was about."""
    ending: str
    """How a call ended."""
    is_trouble: bool
    """The call failed, was refused or interrupted."""
    url: str
    """The message on its page; empty: none."""


class StepRow(Struct, frozen=True):
    """Steps beside each other; None: this side has nothing there."""

    left: StepView | None
    right: StepView | None


class StepGroup(Struct, frozen=True):
    """Rows that follow each other."""

    is_same: bool
    """Both sides did the same here: folded."""
    rows: tuple[StepRow, ...]


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
    difference: Markup
    """From one end to the other, drawn; empty: none, or not known."""
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
    """The diff, drawn."""


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
    facts: tuple[FactRow, ...]
    """The summary."""
    words: tuple[PieceView, ...]
    """The word diff of the prompts; empty: they are shown as they are."""
    files: tuple[FileView, ...]
    """Sorted by name."""
    groups: tuple[StepGroup, ...]
    """The steps after the fork."""
    more: int = 0
    """Rows of steps that are left out at the end."""
    reach: str = ""
    """How far the page looks where a path goes on much longer, in sentences; empty: it
    looks at all."""
