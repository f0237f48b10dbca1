"""What was drawn of each family of sessions, while nothing that went in changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.fingerprint import digest_value
from everyleaf.pages.facts import SessionFacts  # noqa: TC001  (msgspec reads it)

# msgspec reads the annotations, so their names must exist when the module runs.
from everyleaf.pages.shelf import MadePage, Standing
from everyleaf.state.cuts import cuts_name
from everyleaf.state.notes import notes_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.graph.forest import Turn
    from everyleaf.pages.work import FamilyWork
    from everyleaf.state.store import Store

_FAMILIES = "families"


class KeptFamily(Struct, frozen=True):
    """All that a family, or the lists of all sessions, added to a site."""

    files: dict[str, str]
    """Digest of the bytes of each file, by url."""
    owners: dict[str, tuple[str, ...]]
    facts: tuple[SessionFacts, ...]
    pages: dict[str, MadePage] = field(default_factory=dict[str, MadePage])
    """What each page was made of, by url."""


class FamilyState:
    """The families that earlier builds drew, named by all that went into them."""

    def __init__(self, store: Store, context: str) -> None:
        """Look into `store`; `context` is a digest of what goes into every page."""
        self._store = store
        self._context = context
        self._before = store.load(_FAMILIES, dict[str, str]) or {}
        self._now: dict[str, str] = {}

    def name(self, work: FamilyWork) -> str:
        """Return a name for everything that goes into the pages of `work`. Linear."""
        name = f"family-{digest_value([self._context, family_shape(work)])}"
        for session in work.sessions:
            self._now[session.session] = name
            self._store.use(notes_name(session.session, self._context))
            self._store.use(cuts_name(session.session))
        return name

    def name_of(self, value: object) -> str:
        """Return a name for a page that is made of `value`, plain data, and the context."""
        return f"lists-{digest_value([self._context, value])}"

    def find(self, name: str) -> KeptFamily | None:
        """Return what was drawn of the family of this name, if it is known."""
        return self._store.load(name, KeptFamily)

    def find_standing(
        self, work: FamilyWork, stands: Callable[[str, str], bool]
    ) -> Standing:
        """Return what there is of a family that changed: what `stands` of its sessions.

        `stands` is asked whether a url has bytes of a digest.
        """
        files: dict[str, str] = {}
        pages: dict[str, MadePage] = {}
        names = (self._before.get(session.session, "") for session in work.sessions)
        for name in dict.fromkeys(names):
            kept = self._store.load(name, KeptFamily, is_used=False) if name else None
            if kept is not None:
                files |= {u: d for u, d in kept.files.items() if stands(u, d)}
                pages |= kept.pages
        return Standing(files, pages)

    def keep(self, name: str, family: KeptFamily) -> None:
        """Remember what was drawn."""
        self._store.save(name, family)

    def finish(self) -> None:
        """Remember which family each session is in."""
        if self._now != self._before:
            self._store.save(_FAMILIES, self._now)
        self._store.use(_FAMILIES)


def family_shape(work: FamilyWork) -> tuple[object, ...]:
    """Return plain data that is equal where two families hold the same. Linear.

    What a record says is known by the bytes of its file.
    """
    tree = work.tree
    return (
        work.sessions,
        [(key, *_shape(turn)) for key, turn in tree.turns.items()],
        list(tree.parents.items()),
        list(tree.branches.items()),
        sorted((ref.session, ref.number) for ref in work.known_paths),
        [(s, ref.file, ref.content, ref.beside) for s, ref in work.sources.items()],
    )


def _shape(turn: Turn) -> Iterator[object]:
    """Yield what decides which records stand where; what they say is known otherwise."""
    yield from (turn.kind, turn.seam, turn.source)
    for placed in turn.records:
        yield (placed.source, placed.envelope.line, placed.kind, placed.canonical)
        yield from ((each.source, each.envelope.line) for each in placed.variants)
