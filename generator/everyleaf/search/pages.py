"""What search finds: messages by page, as kept in `data/search/<session>.json`.

    {"pages": [{"url": …, "title": …, "project": …, "status": …, "month": …,
                "said": [[kind, anchor, text], …]}, …], "version": 1}

A file of the site and not of a cache: a session whose source has gone, or that somebody
else published into the folder, stays searchable, and scripts can read it, too.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeGuard, cast

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS_DIR = "data/search/"
"""Folder of the files with what is found of each session."""

VERSION = 1
_URL = re.compile(r"(?:transcripts|agents)/[A-Za-z0-9._-]+\.html")
"""Pages that can be found; what a file says of others is not believed."""
_NAMES = ("url", "title", "project", "status", "month")


class Said(Struct, frozen=True):
    """A message as it can be found."""

    kind: str
    """`prompt`, `reply` or `tool`."""
    anchor: str
    """Id of its element on the page."""
    text: str
    """Plain words, control characters dropped; never empty."""


class SearchPage(Struct, frozen=True):
    """The messages of a page that are not found on another one."""

    url: str
    """Site-relative."""
    title: str
    project: str
    status: str
    """`active`, `abandoned` or `subagent`."""
    month: str
    """When it ended: `2026-03`; empty: unknown."""
    said: tuple[Said, ...]
    """In page order."""


def write_search_pages(pages: Iterable[SearchPage]) -> bytes:
    """Return the body of `data/search/<session>.json`: the same bytes each time."""
    shown = [
        {
            **{name: getattr(page, name) for name in _NAMES},
            "said": [[said.kind, said.anchor, said.text] for said in page.said],
        }
        for page in pages
    ]
    text = json.dumps({"pages": shown, "version": VERSION}, ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"


def parse_search_pages(body: bytes) -> tuple[SearchPage, ...]:
    """Return the pages that `body` holds; none if this version did not write it."""
    try:
        record: object = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    match _fields(record):
        case {"version": 1, "pages": listed}:
            pages = map(_parse_page, _items(listed))
            return tuple(page for page in pages if page is not None)
        case _:
            return ()


def _parse_page(value: object) -> SearchPage | None:
    match _fields(value):
        case {
            "url": str(url),
            "title": str(title),
            "project": str(project),
            "status": str(status),
            "month": str(month),
            "said": listed,
        }:
            if not _URL.fullmatch(url):
                return None
            said = tuple(Said(*one) for one in _items(listed) if _is_said(one))
            return SearchPage(url, title, project, status, month, said)
        case _:
            return None


def _fields(value: object) -> dict[str, object]:
    # JSON objects have no keys but strings.
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _is_said(value: object) -> TypeGuard[tuple[str, str, str]]:
    match value:
        case [str(), str(), str()]:
            return True
        case _:
            return False
