"""The last build as a whole: if nothing is different, there is nothing to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

# msgspec reads the annotations, so their names must exist when the module runs.
from everyleaf.publish.disk import Seen, SiteFiles

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.memo import Memo

NAME = "last-build"


class LastBuild(Struct, frozen=True):
    """What a build was made of, and what it left."""

    input_digest: str
    """Digest of everything that went into it."""
    drawing: str
    """Digest of what turned records into pages."""
    contents: tuple[str, ...]
    """Digest of the bytes of each source."""
    files: dict[str, Seen]
    """Every file of the site, the manifest too."""
    report: bytes
    """What it reported, as its maker encoded it."""
    options: str = ""
    """Digest of what a person asked for."""
    audited: str = ""
    """Digest of the pages that it kept, and of what was looked for in them."""


def find_last_build(store: Memo) -> LastBuild | None:
    """Return the last build that `store` knows."""
    return store.load(NAME, LastBuild)


def keep_last_build(store: Memo, last: LastBuild) -> None:
    """Remember `last`."""
    store.save(NAME, last)


def open_files(output_dir: Path, last: LastBuild | None) -> SiteFiles:
    """Return the files of a site, with what is known of them."""
    return SiteFiles(output_dir, last.files if last else {})


def stands(last: LastBuild, files: SiteFiles) -> bool:
    """Return whether every file that `last` left is what it was."""
    return all(files.digest(url) == seen.digest for url, seen in last.files.items())
