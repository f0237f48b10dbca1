"""What was drawn of each family of sessions, while nothing that went in changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

# msgspec reads the annotations, so this name must exist when the module runs.
from everyleaf.pages.facts import SessionFacts  # noqa: TC001
from everyleaf.state.contents import digest_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.pages.work import FamilyWork
    from everyleaf.state.store import Store


@dataclass(frozen=True, slots=True)
class KeptFamily:
    """All that a family, or the lists of all sessions, added to a site."""

    files: dict[str, str]
    """Digest of the bytes of each file, by url."""
    owners: dict[str, tuple[str, ...]]
    facts: tuple[SessionFacts, ...]


@dataclass(slots=True)
class FamilyState:
    """The families that earlier builds drew, named by all that went into them."""

    store: Store
    context: str
    """Digest of what goes into every page: code, theme, configuration, redaction."""
    contents: Mapping[int, str]
    """Source → digest of its bytes, and of the outputs that lie beside it."""

    def name(self, work: FamilyWork) -> str:
        """Return a name for everything that goes into the pages of `work`. Linear."""
        tree = work.tree
        made_of = (
            self.context,
            work.sessions,
            list(tree.turns.items()),
            list(tree.parents.items()),
            list(tree.branches.items()),
            sorted((ref.session, ref.number) for ref in work.known_paths),
            [(s, ref.file, self.contents.get(s, "")) for s, ref in work.sources.items()],
        )
        return f"family-{digest_value(made_of)}"

    def name_of(self, value: object) -> str:
        """Return a name for a page that is made of `value`, plain data, and the context."""
        return f"lists-{digest_value([self.context, value])}"

    def find(self, name: str) -> KeptFamily | None:
        """Return what was drawn of the family of this name, if it is known."""
        return self.store.load(name, KeptFamily)

    def keep(self, name: str, family: KeptFamily) -> None:
        """Remember what was drawn."""
        self.store.save(name, family)
