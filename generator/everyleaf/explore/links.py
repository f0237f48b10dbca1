"""Where a match stands on a site that was built from the same sessions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct

from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.render.anchors import anchor_of

if TYPE_CHECKING:
    from everyleaf.explore.matching import Match

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


class SiteLinks(Struct, frozen=True):
    """Makes links into a site: a folder on disk, or an address."""

    site: str

    @property
    def is_address(self) -> bool:
        """Return whether the site is known by its address alone."""
        return _ADDRESS.match(self.site) is not None

    def link(self, match: Match) -> str:
        """Return the address of a match; empty where the folder has no such page."""
        if match.path is not None:
            page = transcript_url(match.path.session, match.path.number)
        elif match.agent_id:
            page = agent_url(match.session, match.agent_id)
        else:
            return ""
        # A title is that of the whole page.
        anchor = f"#{anchor_of(match.uuid)}" if match.uuid else ""
        if self.is_address:
            return f"{self.site.rstrip('/')}/{quote(page)}{anchor}"
        file = Path(self.site, page)
        return f"{file.resolve().as_uri()}{anchor}" if file.is_file() else ""
