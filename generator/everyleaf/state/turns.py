"""What is known of the turns of each session, for as long as it is published."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.fingerprint import digest_value
from everyleaf.pages.fragments import FragmentBook, TurnFragment
from everyleaf.pages.standing import PagePlaces, StandingTurns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from everyleaf.memo import Memo
    from everyleaf.pages.work import FamilyWork


class TurnState(Struct, frozen=True):
    """The fragments of earlier builds, and where they stand on pages; used by who draws."""

    store: Memo
    context: str
    """Digest of what goes into every page: code, theme, configuration."""

    def open(self, work: FamilyWork) -> FragmentBook | None:
        """Return what is known of a family's turns; None where no state is kept."""
        if self.store.folder is None:
            return None
        found = (self.store.load(name, list[TurnFragment]) for name in self._names(work))
        return FragmentBook(
            work, self.context, [one for some in found for one in some or ()]
        )

    def begin(self, work: FamilyWork) -> FragmentBook | None:
        """Return an empty book for turns of which nothing is known; None as above."""
        return None if self.store.folder is None else FragmentBook(work, self.context)

    def knows(self, work: FamilyWork) -> bool:
        """Return whether turns of a session of the family are known."""
        return any(map(self.store.has, self._names(work)))

    def keep(self, work: FamilyWork, book: FragmentBook) -> None:
        """Remember the fragments that are true now, where they are not what they were."""
        by_session: defaultdict[str, list[TurnFragment]] = defaultdict(list)
        changed: set[str] = set()
        for key, fragment in book.now.items():
            session = work.tree.turns[key].session
            by_session[session].append(fragment)
            if not book.was_known(fragment):
                changed.add(session)
        for session in sorted(changed):
            self.store.save(turns_name(session, self.context), by_session[session])

    def open_standing(
        self, work: FamilyWork, read: Callable[[str], bytes | None]
    ) -> StandingTurns:
        """Return the turns on the pages that stand; `read` returns the bytes of one."""
        known: dict[str, PagePlaces] = {}
        for session in work.sessions:
            found = self.store.load(places_name(session.session), dict[str, PagePlaces])
            known |= found or {}
        return StandingTurns(known, read)

    def keep_standing(
        self, turns: StandingTurns, owners: Mapping[str, Iterable[str]]
    ) -> None:
        """Remember where turns stand on the pages that were drawn.

        `owners` has the sessions of every page that there is now, by url.
        """
        changed = {session for url in turns.now for session in owners[url]}
        for session in sorted(changed):
            urls = (url for url, sessions in owners.items() if session in sessions)
            self.store.save(places_name(session), turns.kept(urls))

    def _names(self, work: FamilyWork) -> list[str]:
        return [turns_name(session.session, self.context) for session in work.sessions]


def turns_name(session: str, context: str) -> str:
    """Return what the turns of a session, drawn in such a context, are kept under."""
    return f"turns-{digest_value([session, context])}"


def places_name(session: str) -> str:
    """Return the name under which it is kept where the turns of a session stand."""
    return f"places-{digest_value(session)}"
