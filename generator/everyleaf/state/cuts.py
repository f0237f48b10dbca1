"""Where on its pages the turns of each session stand, for as long as it is published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.fingerprint import digest_value
from everyleaf.pages.cuts import CutPage, Cuts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from everyleaf.memo import Memo
    from everyleaf.pages.work import FamilyWork


class CutState(Struct, frozen=True):
    """What earlier builds noted, one value a session; used by who draws the session."""

    store: Memo

    def open(self, work: FamilyWork, read: Callable[[str], bytes | None]) -> Cuts:
        """Return what can be cut out of a family's pages; `read` returns their bytes."""
        known: dict[str, CutPage] = {}
        for session in work.sessions:
            found = self.store.load(cuts_name(session.session), dict[str, CutPage])
            known |= found or {}
        return Cuts(known, read)

    def keep(self, cuts: Cuts, owners: Mapping[str, Iterable[str]]) -> None:
        """Remember where turns stand on the pages that were drawn.

        `owners` has the sessions of every page that there is now, by url.
        """
        changed = {session for url in cuts.now for session in owners[url]}
        for session in sorted(changed):
            urls = (url for url, sessions in owners.items() if session in sessions)
            self.store.save(cuts_name(session), cuts.kept(urls))


def cuts_name(session: str) -> str:
    """Return the name under which it is kept where the turns of a session stand."""
    return f"cuts-{digest_value(session)}"
