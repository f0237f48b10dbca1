"""Where tool calls stand, so that the page of an agent can lead back to its call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.pages.walk import Stop
    from everyleaf.pages.work import TurnKey


class CallPlaces:
    """The address of each call of a session, on the page that was added first."""

    def __init__(self) -> None:
        """Know no call yet."""
        self._urls: dict[str, str] = {}
        self._seen: set[TurnKey] = set()

    def add(self, stops: Iterable[Stop], page: str) -> None:
        """Note the calls on `page`; turns that an earlier page has cost nothing."""
        for stop in stops:
            if stop.key in self._seen:
                continue
            self._seen.add(stop.key)
            for placed in stop.turn.records:
                anchor = stop.drawn.anchors.get(placed.envelope.uuid)
                if placed.kind is Kind.REPLY and anchor:
                    for call in placed.envelope.tool_use_ids:
                        self._urls.setdefault(call, f"{page}#{anchor}")

    def url_of(self, tool_use_id: str | None) -> str:
        """Return the site-relative address of a call; empty where it is not published."""
        return self._urls.get(tool_use_id or "", "")
