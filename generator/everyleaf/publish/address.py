"""Which urls may be written, and which cannot stand side by side on every disk."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from everyleaf.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

RESERVED = frozenset({"manifest.json", ".everyleaf-staging"})
"""First parts of urls that publishing keeps for itself, as `fold` gives them."""


_PLAIN = re.compile(r"(?:[\w.-]*[\w-]/)*[\w.-]*[\w-]", re.ASCII)


def is_safe(url: str) -> bool:
    """Tell whether `url` stays inside the output folder, on POSIX and on Windows alike.

    >>> [is_safe(url) for url in ("a/b.html", "../a", "/a", "a//b", "C:a", "a/b. ")]
    [True, False, False, False, False, False]
    """
    # Nearly all are plain.
    return bool(_PLAIN.fullmatch(url)) or (
        all(
            part.strip(" ") and part[-1] not in ". " and part.isprintable()
            for part in url.split("/")
        )
        and not set(url) & set('\\:*?"<>|')
    )


def fold(url: str) -> str:
    """Return what a disk that ignores case and Unicode form takes `url` for."""
    if url.isascii():
        return url.lower()  # As nearly all are: the same in a tenth of the time.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", url).casefold())


def parents(url: str) -> list[str]:
    """Return the folders that `url` stands in, nearest first, without the output folder.

    >>> parents("a/b/c.html")
    ['a/b', 'a']
    """
    folders = url.split("/")[:-1]
    return ["/".join(folders[:depth]) for depth in range(len(folders), 0, -1)]


def check_urls(urls: Iterable[str]) -> None:
    """Check that all `urls` can be written into one folder on any disk.

    Raises:
        OutputError: if any leaves the folder, is reserved, or stands in the place of
            another; names all of them.
    """
    known = sorted(set(urls))
    bad = [url for url in known if not is_safe(url) or fold(url.split("/")[0]) in RESERVED]
    if bad:
        raise OutputError(
            f"pages have addresses that cannot be written: {_listing(bad)}",
            hint="leave out the sessions with --exclude, and please report this",
        )
    groups = _collisions(known)
    if groups:
        shown = "; ".join(" and ".join(repr(url) for url in group) for group in groups)
        raise OutputError(
            f"pages would overwrite each other: {shown}",
            hint="rename one of the sessions or projects, or leave one out with --exclude",
        )


def find_obstacles(old: Iterable[str], wanted: Collection[str]) -> set[str]:
    """Return those of `old` that stand where a `wanted` one goes, under another spelling.

    Renamed in case only, or a file where a folder is wanted or the other way round.
    """
    gone = set(old).difference(wanted)
    if not gone:
        return gone
    files = {fold(url) for url in wanted}
    taken = files | _folders(files)
    return {
        url
        for url in gone
        if fold(url) in taken or not files.isdisjoint(parents(fold(url)))
    }


def _folders(urls: Iterable[str]) -> set[str]:
    """Return every folder that one of `urls` stands in, at any depth."""
    nearest = {url.rpartition("/")[0] for url in urls} - {""}
    return nearest.union(*map(parents, nearest))


def _collisions(urls: Iterable[str]) -> list[list[str]]:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for url in urls:
        places[fold(url)].append(url)
    around = places.keys() & _folders(places)
    for place in sorted(places) if around else ():
        for parent in around.intersection(parents(place)):
            places[parent].extend(places[place])
    return [group for _, group in sorted(places.items()) if len(group) > 1]


def _listing(urls: Iterable[str]) -> str:
    return ", ".join(repr(url) for url in urls)
