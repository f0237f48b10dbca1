"""Everything that the pages of one path are made of, gathered once for all formats."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from everyleaf.frozen import dataclass
from everyleaf.pages.addresses import compare_url, markdown_url, transcript_url
from everyleaf.pages.walk import first_own, walk
from everyleaf.transcript.facts import merge_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.graph.forest import ConversationPath, PathRef
    from everyleaf.pages.called import CalledAgents, WithAgents
    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.settings import SiteSettings
    from everyleaf.pages.walk import Stop
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork
    from everyleaf.transcript.facts import PathFacts


@dataclass(frozen=True, slots=True)
class Family:
    """What the pages of a family have in common."""

    work: FamilyWork
    settings: SiteSettings
    drawer: TurnDrawer
    paths: Mapping[PathRef, ConversationPath]
    """Kept paths of the family's sessions."""
    called: CalledAgents
    compared: Mapping[PathRef, tuple[PathRef, ...]] = field(
        default_factory=dict["PathRef", "tuple[PathRef, ...]"]
    )
    """The paths that each one has a compare page with."""
    linked: frozenset[PathRef] = frozenset()
    """The paths whose pages leave out what they share."""

    def html_url(self, ref: PathRef) -> str:
        """Return the HTML page of a path; empty if it has none."""
        is_known = ref in self.work.known_paths and self.settings.has_html
        return transcript_url(ref.session, ref.number) if is_known else ""

    def compare_url(self, ref: PathRef, other: PathRef) -> str:
        """Return the page that compares two paths; empty if there is none."""
        return compare_url(ref, other) if other in self.compared.get(ref, ()) else ""

    def markdown_url(self, ref: PathRef) -> str:
        """Return the Markdown file of a path of the family; empty if it has none."""
        path = self.paths.get(ref)
        if path is None or not self.settings.has_markdown:
            return ""
        folder = self.settings.markdown_dir
        return markdown_url(path.session, path.number, path.of, path.status, folder=folder)


@dataclass(frozen=True, slots=True)
class Tour:
    """One path with its stops and what they add up to."""

    family: Family
    session: SessionWork
    path: ConversationPath
    stops: tuple[Stop, ...]
    """The whole path, from the root."""
    own_from: int
    """Index of the first stop that only this path has; 0 where it shares nothing."""
    totals: PathFacts
    with_agents: WithAgents | None
    """The same with the subagents that the path called; None: it called none."""

    @property
    def is_linked(self) -> bool:
        """Return whether the page leaves out what the path shares, and links to it."""
        return self.path.ref in self.family.linked and self.own_from > 0

    @property
    def shown(self) -> tuple[Stop, ...]:
        """Return the stops that the page holds."""
        return self.stops[self.own_from :] if self.is_linked else self.stops


def tour(family: Family, session: SessionWork, item: PathWork) -> Tour:
    """Return all that the pages of the path `item` need."""
    stops = tuple(walk(family.work.tree, item.leaf, family.drawer))
    return Tour(
        family=family,
        session=session,
        path=item.path,
        stops=stops,
        own_from=first_own(stops, item.path),
        totals=merge_facts(stop.drawn.facts for stop in stops),
        with_agents=family.called.include(stops),
    )
