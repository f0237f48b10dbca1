"""The page that searches all messages; what it finds is in `search/` and `found.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.pages.addresses import SEARCH_URL, root_of
from everyleaf.pages.found import month_key
from everyleaf.pages.rows import month_of
from everyleaf.render.view import NavLink, PageView
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.settings import SiteSettings


class SearchView(PageView, frozen=True, kw_only=True):
    """Search in all messages (`search.html.j2`)."""

    projects: tuple[str, ...]
    """What one can choose, by name."""
    months: tuple[NavLink, ...]
    """What one can choose, newest first: `March 2026`, with `2026-03` as its address."""


def search_view(sessions: Iterable[SessionFacts], settings: SiteSettings) -> SearchView:
    """Return the view of the page that searches the messages of `sessions`."""
    projects: set[str] = set()
    months: dict[str, str] = {}
    for session in sessions:
        projects.add(visible(session.project))
        ends = [path.ended for path in session.paths]
        ends += [agent.ended for agent in session.agents]
        months.update((month_key(end), month_of(end)) for end in ends)
    months.pop("", None)
    return SearchView(
        title="Search",
        site_title=visible(settings.title),
        root=root_of(SEARCH_URL),
        projects=tuple(sorted(projects)),
        months=tuple(
            NavLink(name, key) for key, name in sorted(months.items(), reverse=True)
        ),
    )
