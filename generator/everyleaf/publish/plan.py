"""Decides what a build writes, keeps and deletes: pure, without a look at the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.publish.address import find_obstacles
from everyleaf.publish.manifest import Listed, Manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ASSETS = "assets/"
"""Named by their content, so that an old one never stands in the way of a new one."""


class Plan(Struct, frozen=True):
    """What has to happen to a folder; sorted urls, each in one of the first three."""

    write: tuple[str, ...]
    keep: tuple[str, ...]
    """Unchanged, or of a session whose source has vanished."""
    delete: tuple[str, ...]
    clear: frozenset[str]
    """Those of `delete` that must go first: on some disks a new file takes their place."""
    edited: tuple[str, ...]
    """Those of `write` and `delete` that someone changed since we wrote them."""
    strangers: tuple[str, ...]
    """Those of `write` that would replace a file which we never wrote."""
    manifest: Manifest
    """What is true once all of it has happened."""


def plan_writes(
    wanted: Mapping[str, Listed],
    *,
    before: Manifest,
    on_disk: Mapping[str, str],
    is_vanished: Callable[[str], bool],
) -> Plan:
    """Return what to do so that a folder holds `wanted` and what has to stay of `before`.

    A file of `before` that is not wanted any more stays only for a session of its own that
    `is_vanished`: gone from the input, and not because a person excluded it. The assets
    stay with such pages, which still link to them. `on_disk` gives the digest of each file
    of `wanted` and `before` that exists. Changes by hand are overwritten.
    """
    vanished = {
        url: gone
        for url, listed in before.files.items()
        if (gone := tuple(name for name in listed.sessions if is_vanished(name)))
    }
    blocked = find_obstacles(before.files, wanted)
    stay = {url for url in vanished if url not in blocked}
    stay = {url for url in stay if url not in wanted and url in on_disk}
    if stay:
        stay |= {
            url
            for url in before.files
            if url.startswith(ASSETS) and url not in wanted and url in on_disk
        }
    write = {url for url in wanted if on_disk.get(url) != wanted[url].digest}
    delete = {url for url in before.files if url not in wanted and url not in stay}
    known = {url: listed.digest for url, listed in before.files.items() if listed.digest}
    kept_pages = {
        url: replace(before.files[url], sessions=vanished.get(url, ())) for url in stay
    }
    fresh = {
        url: replace(wanted[url], sessions=tuple(sorted({*wanted[url].sessions, *gone})))
        for url, gone in vanished.items()
        if url in wanted
    }
    return Plan(
        write=tuple(sorted(write)),
        keep=tuple(sorted({*wanted, *stay} - write)),
        delete=tuple(sorted(delete & on_disk.keys())),
        clear=frozenset(blocked),
        edited=tuple(
            url
            for url in sorted((write | delete) & known.keys() & on_disk.keys())
            if on_disk[url] != known[url]
        ),
        # What stands there may be a folder of ours, or ours under another spelling.
        strangers=tuple(
            url
            for url in sorted(write & on_disk.keys() - before.files.keys())
            if not find_obstacles(blocked, [url])
        ),
        manifest=Manifest({**kept_pages, **wanted, **fresh}),
    )
