"""The manual as a site: our prose, theme, search, policy and 404, around our own words.

    python generator/manual_site.py build/manual      # just manual

`everyleaf serve build/manual` shows it, `everyleaf verify` checks it. Nothing but the pages
of the manual goes into it.
"""

from __future__ import annotations

import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click
from markupsafe import Markup
from msgspec import Struct

from everyleaf.cli.manual import contents, text_of, topics
from everyleaf.outputs import Output
from everyleaf.pages.addresses import (
    INDEX_URL,
    NOT_FOUND_URL,
    SEARCH_URL,
    SiteSettings,
    draw_page,
)
from everyleaf.pages.lists import LOST, site_headers
from everyleaf.publish.site import publish_site
from everyleaf.render.prose import render_prose
from everyleaf.render.view import NavLink, PageView
from everyleaf.search.index import build_index, source_of
from everyleaf.search.pages import SearchPage, SearchText, plain
from everyleaf.theming.headers import HEADERS_URL, write_headers
from everyleaf.theming.load import load_theme

if TYPE_CHECKING:
    from collections.abc import Iterator

THEME_DIR = Path(__file__).resolve().parents[1] / "examples" / "themes" / "manual"
HERE = "https://manual.invalid/"
"""Stands in front of links between pages while prose is drawn, which takes no others."""
_PAGE = re.compile(r"\]\((?:commands/|\.\./)?(\w+)\.md(#[\w-]+)?\)")
_FOLDER = re.compile(r"\[([^]]+)\]\((?!https?:)[^)]*\)")
_HEADING = re.compile(r"<(h[34])>(.*?)</\1>")


class Section(Struct, frozen=True):
    """Topics that belong together."""

    title: str
    links: tuple[NavLink, ...]


class TopicView(PageView, frozen=True, kw_only=True):
    """A page of the manual (`topic.html.j2`)."""

    body: Markup
    url: str
    sections: tuple[Section, ...]
    """All pages, for the list beside it."""
    near: tuple[NavLink, ...]
    """The pages before and after it."""


class ContentsView(PageView, frozen=True, kw_only=True):
    """What is in the manual (`contents.html.j2`)."""

    sections: tuple[Section, ...]


class Topic(Struct, frozen=True):
    """A page as it stands in the package."""

    name: str
    title: str
    text: str
    """Without its title."""

    @property
    def link(self) -> NavLink:
        """Return the link to it from any page: all stand in one folder."""
        return NavLink(self.title, f"{self.name}.html")


def main() -> None:
    """Write the manual into the folder that the command line names."""
    settings = SiteSettings("everyleaf: the manual", theme=str(THEME_DIR), has_search=True)
    done = publish_site(
        Path(sys.argv[1]), outputs(settings), owners={}, is_vanished=lambda _: False
    )
    click.echo(f"wrote {done.wrote}, kept {done.kept}, deleted {done.deleted}")


def outputs(settings: SiteSettings) -> Iterator[Output]:
    """Yield every file of the site."""
    sections = list(_sections())
    order = [topic for _, several in sections for topic in several]
    shown = ContentsView(
        title=settings.title,
        summary="What everyleaf does, how to use it, and how it works.",
        sections=tuple(
            Section(title, tuple(topic.link for topic in several))
            for title, several in sections
        ),
    )

    def page(template: str, url: str, view: PageView) -> Output:
        return Output(url, draw_page(settings, template, url, view))

    yield page("contents.html.j2", INDEX_URL, shown)
    yield page("search.html.j2", SEARCH_URL, PageView(title="Search"))
    yield page("notfound.html.j2", NOT_FOUND_URL, LOST)
    near: dict[str, list[NavLink]] = {topic.name: [] for topic in order}
    for one, other in pairwise(order):
        near[one.name].append(NavLink(f"{other.title} →", other.link.url))
        near[other.name].insert(0, NavLink(f"← {one.title}", one.link.url))
    for topic in order:
        view = TopicView(
            title=topic.title,
            body=drawn(topic.text),
            url=topic.link.url,
            sections=shown.sections,
            near=tuple(near[topic.name]),
        )
        yield page("topic.html.j2", topic.link.url, view)
    yield from load_theme(settings.theme).assets()
    yield from build_index(map(_found, order))
    yield source_of([])
    yield Output(HEADERS_URL, write_headers(site_headers(settings)).encode())


def drawn(text: str) -> Markup:
    """Return the Markdown of a page as HTML, with links between pages and ids of headings.

    Raises:
        ValueError: it is too hard to parse.
    """
    linked = _FOLDER.sub(r"\1", _PAGE.sub(rf"]({HERE}\1.html\2)", text))
    html = render_prose(linked)
    if html is None:
        raise ValueError("a page is too hard to parse")
    titled = _HEADING.sub(
        lambda one: (
            f'<h{int(one[1][1]) - 1} id="{_id_of(one[2])}">{one[2]}</h{int(one[1][1]) - 1}>'
        ),
        html,
    )
    # Our own words, drawn by a parser that lets no markup through.
    return Markup(titled.replace(f'href="{HERE}', 'href="'))  # noqa: S704


def _id_of(heading: str) -> str:
    return re.sub(r"\W+", "-", re.sub(r"<[^>]*>", "", heading).lower()).strip("-")


def _sections() -> Iterator[tuple[str, list[Topic]]]:
    pages = topics()
    listed = contents()
    known = {name for _, names in listed for name in names}
    for title, names in [*listed, ("Commands", sorted({*pages} - known))]:
        found: list[Topic] = []
        for name in names:
            head, _, rest = text_of(pages[name]).partition("\n")
            found.append(Topic(name, head.removeprefix("# "), rest.strip()))
        yield title, found


def _found(topic: Topic) -> SearchPage:
    """Return what search finds of a page, section by section."""
    parts = re.split(r"(?m)^##+ (.*)$", f"## \n{topic.text}")[1:]
    said = tuple(
        SearchText("section", _id_of(head), f"{head} {plain(body)}".strip())
        for head, body in zip(parts[::2], parts[1::2], strict=True)
        if (head + body).strip()
    )
    return SearchPage(topic.link.url, topic.title, "", "", "", said)


if __name__ == "__main__":
    main()
