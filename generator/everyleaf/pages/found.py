"""What search finds of a family of sessions: each message once, on one page."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.clock import parse_timestamp
from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.search.pages import SearchPage
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.graph.forest import ConversationPath, PathRef
    from everyleaf.pages.agents import AgentTour
    from everyleaf.pages.tour import Tour
    from everyleaf.pages.work import FamilyWork, TurnKey

_SUBAGENT = "subagent"
_Rank = tuple[bool, bool, str, int]
"""Which of several pages a message is found on: ABANDONED, withdrawn, session, number."""


def month_key(timestamp: str) -> str:
    """Return the month of a time (UTC) to filter by; empty for what is no time.

    >>> month_key("2026-01-31T23:59:00Z")
    '2026-01'
    """
    moment = parse_timestamp(timestamp)
    return f"{moment:%Y-%m}" if moment else ""


def home_paths(work: FamilyWork) -> dict[TurnKey, PathRef]:
    """Return the path on whose page each turn of `work` is found.

    That is an ACTIVE one, else the lowest one that is no mere withdrawn prompt. Linear in
    the number of turns: a path is followed up to the first turn that is known.
    """
    items = [item for session in work.sessions for item in session.paths]
    homes: dict[TurnKey, PathRef] = {}
    for item in sorted(items, key=lambda item: _rank(item.path)):
        key: TurnKey | None = item.leaf
        while key is not None and key not in homes:
            homes[key] = item.path.ref
            key = work.tree.parents[key]
    return homes


def _rank(path: ConversationPath) -> _Rank:
    is_abandoned = path.status is Status.ABANDONED
    return is_abandoned, path.is_withdrawn, path.session, path.number


class Findings:
    """Takes the pages of a family as they are drawn, and keeps what is found on each."""

    def __init__(self, work: FamilyWork) -> None:
        """Prepare to take the pages of `work`."""
        self._homes = home_paths(work)
        self._ranked: list[tuple[_Rank, SearchPage]] = []

    def add_path(self, one: Tour) -> None:
        """Take the page of a path; one whose messages are found elsewhere has its title."""
        path = one.path
        is_abandoned = path.status is Status.ABANDONED
        page = SearchPage(
            url=transcript_url(path.session, path.number),
            title=visible((is_abandoned and path.label) or path.title) or "Untitled",
            project=visible(one.session.project),
            status="abandoned" if is_abandoned else "active",
            month=month_key(path.ended),
            said=tuple(
                said
                for stop in one.shown
                if self._homes.get(stop.key) == path.ref
                for said in stop.drawn.said
            ),
        )
        self._ranked.append((_rank(path), page))

    def add_agent(self, one: AgentTour) -> None:
        """Take the page of a subagent."""
        agent = one.agent
        page = SearchPage(
            url=agent_url(agent.session, agent.agent_id),
            title=one.title,
            project=visible(one.session.project),
            status=_SUBAGENT,
            month=month_key(agent.ended),
            said=tuple(said for stop in one.all_stops for said in stop.drawn.said),
        )
        self._ranked.append(((True, True, agent.session, 0), page))

    def by_session(self) -> Iterator[tuple[str, Iterable[SearchPage]]]:
        """Yield (session, its pages by address) for each session, sorted.

        A message that copies in several sessions hold is left to the first of their pages.
        """
        pages: defaultdict[str, list[SearchPage]] = defaultdict(list)
        taken: set[tuple[str, str]] = set()
        for rank, page in sorted(self._ranked, key=lambda item: (item[0], item[1].url)):
            own = tuple(said for said in page.said if (said.anchor, said.text) not in taken)
            taken.update((said.anchor, said.text) for said in own)
            pages[rank[2]].append(replace(page, said=own))
        for session, made in sorted(pages.items()):
            yield session, sorted(made, key=lambda page: page.url)
