"""Which pages leave out what another page of the session shows, and link to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.compare.split import conversation_ids
from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Status
from everyleaf.pages.runs import rank
from everyleaf.pages.walk import own_turns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.forest import ConversationPath, PathRef
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork, TurnKey, TurnTree

SHARED_BUDGET = 5_000
"""Messages that the pages of a session's abandoned paths may repeat, all together."""


class Prefix(Struct, frozen=True):
    """What a page leaves out: the beginning of its path, which stands on another page."""

    host: PathRef
    """The path whose page shows its end."""
    above: TurnKey
    """The last turn that is left out."""
    messages: int
    """Conversation records up to and with that turn."""


class Linked(Struct, frozen=True):
    """What the pages of a family leave out."""

    prefixes: dict[PathRef, Prefix] = field(default_factory=dict["PathRef", "Prefix"])
    """By path; one that is not in here has a whole page."""
    homes: dict[tuple[str, TurnKey], PathRef] = field(
        default_factory=dict["tuple[str, TurnKey]", "PathRef"]
    )
    """The path that shows a turn, by session, where paths link to each other."""

    def page_of(self, ref: PathRef, key: TurnKey) -> PathRef:
        """Return the path on whose page a turn of `ref` is found."""
        if ref not in self.prefixes:
            return ref
        return self.homes.get((ref.session, key), ref)


def find_linked(work: FamilyWork, mode: SharedPrefix) -> Linked:
    """Return which paths of a family have pages that begin later than they do.

    Only abandoned paths leave something out. A withdrawn prompt links to the path that took
    over, which is ACTIVE and whole. Where all paths of a session link, each shows what no
    page before it does (ACTIVE first, then by number): of many attempts that went far
    together before they were all given up, one page tells the common part, too.
    """
    linked = Linked()
    if mode is SharedPrefix.FULL:
        return linked
    for session in work.sessions:
        found = _Found(work.tree, session)
        if mode is SharedPrefix.LINK or found.repeated > SHARED_BUDGET:
            linked.prefixes.update(found.prefixes)
            linked.homes.update(((session.session, k), r) for k, r in found.homes.items())
        else:
            linked.prefixes.update(_withdrawn(work.tree, session))
    return linked


class _Found:
    """What the paths of a session have that no path before them has."""

    def __init__(self, tree: TurnTree, session: SessionWork) -> None:
        """Follow every path up to a turn that is known: linear in the turns."""
        self.homes: dict[TurnKey, PathRef] = {}
        self.prefixes: dict[PathRef, Prefix] = {}
        self.repeated = 0
        """Messages that abandoned paths would repeat."""
        self._tree = tree
        self._messages: dict[TurnKey, int] = {}
        for item in sorted(session.paths, key=lambda item: rank(item.path)):
            self._add(item)

    def _add(self, item: PathWork) -> None:
        path, own = item.path, list(self._own(item.leaf))[::-1]
        above = self._tree.parents[own[0]] if own else item.leaf
        prefix: Prefix | None
        if above is not None:
            prefix = Prefix(self.homes[above], above, self._messages[above])
        else:
            prefix = _fork(self._tree, item)
            # What it shares with another session stands there.
            own = own[own.index(prefix.above) + 1 :] if prefix else own
        if prefix is not None and path.status is Status.ABANDONED:
            self.prefixes[path.ref] = prefix
            left_out_anyway = path.shared if path.is_withdrawn else 0
            self.repeated += prefix.messages - left_out_anyway
        messages = prefix.messages if prefix else 0
        for key in own:
            messages += len(conversation_ids(self._tree.turns[key]))
            self._messages[key] = messages
            self.homes[key] = path.ref

    def _own(self, leaf: TurnKey) -> Iterator[TurnKey]:
        key: TurnKey | None = leaf
        while key is not None and key not in self.homes:
            yield key
            key = self._tree.parents[key]


def _withdrawn(tree: TurnTree, session: SessionWork) -> Iterator[tuple[PathRef, Prefix]]:
    for item in session.paths:
        prefix = _fork(tree, item) if item.path.is_withdrawn else None
        if prefix is not None:
            yield item.path.ref, prefix


def _fork(tree: TurnTree, item: PathWork) -> Prefix | None:
    """Return what a path shares with the one that took over; None: nothing."""
    path: ConversationPath = item.path
    if path.fork_point is None or path.taken_over_by is None:
        return None
    above, _ = own_turns(tree, item.leaf, path)
    return Prefix(path.taken_over_by, above, path.shared) if above else None
