"""What was noted of the turns of each session, for as long as it is published."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.fingerprint import digest_value
from everyleaf.pages.notes import NoteBook, TurnNote

if TYPE_CHECKING:
    from everyleaf.memo import Memo
    from everyleaf.pages.work import FamilyWork


class NoteState(Struct, frozen=True):
    """The notes of earlier builds, one value a session; used by who draws the session."""

    store: Memo
    context: str
    """Digest of what goes into every page: code, theme, configuration."""

    def open(self, work: FamilyWork) -> NoteBook | None:
        """Return the notes of a family's turns; None where no state is kept."""
        if self.store.folder is None:
            return None
        names = (notes_name(session.session, self.context) for session in work.sessions)
        found = (self.store.load(name, list[TurnNote]) for name in names)
        known = [note for notes in found if notes is not None for note in notes]
        return NoteBook(work, self.context, known)

    def begin(self, work: FamilyWork) -> NoteBook | None:
        """Return an empty book for turns of which nothing is known; None as above."""
        return None if self.store.folder is None else NoteBook(work, self.context)

    def knows(self, work: FamilyWork) -> bool:
        """Return whether there are notes of a session of the family."""
        names = (notes_name(session.session, self.context) for session in work.sessions)
        return any(map(self.store.has, names))

    def keep(self, work: FamilyWork, book: NoteBook) -> None:
        """Remember the notes that are true now, where they are not what they were."""
        by_session: defaultdict[str, list[TurnNote]] = defaultdict(list)
        changed: set[str] = set()
        for key, note in book.notes.items():
            session = work.tree.turns[key].session
            by_session[session].append(note)
            if not book.was_known(note):
                changed.add(session)
        for session in sorted(changed):
            self.store.save(notes_name(session, self.context), by_session[session])


def notes_name(session: str, context: str) -> str:
    """Return what the notes of a session, drawn in such a context, are kept under."""
    return f"notes-{digest_value([session, context])}"
