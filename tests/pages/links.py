"""Which links of a built site lead nowhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class _Reader(HTMLParser):
    """Collects what a page links to, and the places in it that can be linked to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002  (its name is the base class's)
        for name, value in attrs:
            if value is not None and name == "id":
                self.ids.add(value)
            elif value is not None and name in {"href", "src"}:
                self.links.append(value)


def dead_links(output_dir: Path) -> list[str]:
    """Return `page: address` for each link inside the site to a file or place not there."""
    pages = {file.resolve(): _read(file) for file in sorted(output_dir.rglob("*.html"))}
    dead: list[str] = []
    for file, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            # The page for lost readers is shown for addresses below a folder of the site.
            address = link
            if file.name == "404.html":
                address = link.removeprefix("../").lstrip("/") or "index.html"
            target, _, anchor = address.partition("#")
            there = (file.parent / target).resolve() if target else file
            is_there = there.is_file()
            if not is_there or (
                # `#/` begins what a list is filtered by, and no place.
                anchor
                and anchor[0] != "/"
                and there in pages
                and anchor not in pages[there].ids
            ):
                dead.append(f"{file.relative_to(output_dir.resolve())}: {link}")
    return dead


def _read(file: Path) -> _Reader:
    reader = _Reader()
    reader.feed(file.read_text(encoding="utf-8"))
    return reader
