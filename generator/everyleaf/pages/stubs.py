"""Stubs: pages that were published once, and whose conversation now stands elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.outputs import Output
from everyleaf.pages.addresses import relative, root_of, transcript_url
from everyleaf.pages.sheets import draw_page
from everyleaf.render.anchors import anchor_of
from everyleaf.render.view import PageView
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.settings import SiteSettings


class StubView(PageView, frozen=True, kw_only=True):
    """A page that leads on (`stub.html.j2`)."""

    target: str
    """Where the conversation stands now, down to its last message; relative to the page."""


def stub_page(url: str, target: str, settings: SiteSettings) -> Output:
    """Return the page at `url` that leads to `target`, both site-relative."""
    view = StubView(
        title="This page has moved",
        site_title=visible(settings.title),
        root=root_of(url),
        target=relative(url, target),
    )
    return Output(url, draw_page(settings, "stub.html.j2", url, view))


def stubs(
    sessions: Iterable[SessionFacts], settings: SiteSettings, published: Container[str]
) -> Iterator[tuple[Output, str]]:
    """Yield a stub, with its session, for each dropped path that has a page in `published`.

    `published` holds the addresses of the last build.
    """
    if not settings.has_html:
        return
    for session in sessions:
        for copy in session.dropped:
            url = transcript_url(copy.path.session, copy.path.number)
            if url in published:
                page = transcript_url(copy.by.session, copy.by.number)
                anchor = anchor_of(copy.leaf_uuid)
                yield stub_page(url, f"{page}#{anchor}", settings), session.session
