"""Digests of all that a build reads: sessions, spilled outputs, themes, the code.

And what sessions were called when they were last read: a shell that asks cannot wait.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.config import RedactOptions
from everyleaf.digest import digest_file, digest_value
from everyleaf.memo import open_archive_memo
from everyleaf.sources.files import SourceFile, SourceMemory
from everyleaf.theming.locate import theme_dirs

if TYPE_CHECKING:
    from concurrent.futures import Executor

_SECOND_BYTES = 200_000_000
"""As many bytes are read in about a second."""
DRAWING = (
    *("ahocorasick_rs", "jinja2", "kingfisher_bin", "markdown_it_py", "markupsafe"),
    *("mdit_py_plugins", "pygments"),
)
"""Distributions whose version decides what is masked, and what a page looks like."""


class Contents(Struct, frozen=True):
    """What each source holds, by its place in the list of sources."""

    files: tuple[str, ...]
    """Digest of each file's bytes; empty: it cannot be read."""
    spills: tuple[str, ...]
    """Digest of the outputs that lie beside each file."""


def read_contents(files: Sequence[SourceFile], memory: SourceMemory) -> Contents:
    """Return the digests of `files`, reading those that `memory` does not know."""

    def digest(location: str) -> str:
        return memory.digest(location, partial(digest_or_none, location))

    spills = {file.tool_results_dir: "" for file in files}
    for folder in filter(os.path.isdir, spills):
        spills[folder] = digest_folder(folder, digest)
    return Contents(
        files=tuple(memory.digest(one.place, partial(digest_found, one)) for one in files),
        spills=tuple(spills[file.tool_results_dir] for file in files),
    )


def read_contents_by(
    executor: Executor, files: Sequence[SourceFile], memory: SourceMemory
) -> Contents:
    """Return what `read_contents` does, all read by workers; `memory` learns of them."""
    # Not imported above: a build that finds nothing changed reads without workers.
    from everyleaf.workers import Load, iter_done  # noqa: PLC0415

    folders = list(dict.fromkeys(file.tool_results_dir for file in files))
    items: list[SourceFile | Path] = [*files, *map(Path, folders)]
    total = sum(file.size_bytes for file in files)
    load = Load("comparing", _size_of, _SECOND_BYTES, total)
    digests = [""] * len(items)
    for place, digest in iter_done(executor, _digest, items, load=load, lost=lambda _: ""):
        digests[place] = digest
    for file, digest in zip(files, digests, strict=False):
        memory.digest(file.place, partial(str, digest))
    spills = dict(zip(folders, digests[len(files) :], strict=True))
    return Contents(
        files=tuple(digests[: len(files)]),
        spills=tuple(spills[file.tool_results_dir] for file in files),
    )


def _size_of(item: SourceFile | Path) -> int:
    return 0 if isinstance(item, Path) else item.size_bytes


def _digest(item: SourceFile | Path) -> str:
    if isinstance(item, Path):
        return digest_folder(item) if item.is_dir() else ""
    return digest_found(item)


def digest_found(file: SourceFile) -> str:
    """Return the digest of a source's bytes, as many as it had when it was found."""
    return digest_or_none(file.place, file.size_bytes)


def digest_or_none(location: Path | str, size_bytes: int = sys.maxsize) -> str:
    """Return what `digest_file` does; empty: the file cannot be read."""
    try:
        return digest_file(location, size_bytes)
    except OSError:
        return ""


def digest_folder(folder: Path | str, digest: Callable[[str], str] = digest_or_none) -> str:
    """Return the digest of all files below `folder`, with their names and digests."""
    found = sorted(
        os.path.join(where, name)  # noqa: PTH118  (a Path for each takes longer)
        for where, _, names in os.walk(folder)
        for name in names
        if not name.endswith(".pyc")
    )
    start = len(str(folder))
    return digest_value([(file[start:], digest(file)) for file in found])


def digest_drawing(theme: str) -> str:
    """Return the digest of what turns records into pages: the code and the theme."""
    folders = [folder for folder in theme_dirs(theme) if folder.is_dir()]
    return digest_value([digest_code(), *map(digest_folder, folders)])


@lru_cache(maxsize=1)
def digest_code() -> str:
    """Return the digest of the package, of what it draws with, and of Python's version.

    More than a version number, so that a checkout in which somebody works is right, too.
    """
    packages = digest_folder(Path(__file__).parents[1])
    return digest_value([packages, *sys.version_info[:3], *_distributions()])


def _distributions() -> Iterable[str]:
    """Yield the folders that installers leave for each of `DRAWING`: they name versions."""
    for place in sorted(set(sys.path)):
        try:
            names = os.listdir(place)  # noqa: PTH208  (names are all it takes)
        except OSError:
            continue
        folders = (name for name in names if name.endswith(".dist-info"))
        yield from sorted(name for name in folders if name.lower().startswith(DRAWING))


class ListedPath(Struct, frozen=True):
    """A path, as a shell offers it."""

    number: int
    words: str
    """Its status, and what it is about."""


class NamedSession(Struct, frozen=True):
    """A session, as a shell offers it; all words are masked."""

    project: str
    title: str
    ended: str
    paths: tuple[ListedPath, ...]
    locations: tuple[str, ...]
    """Where its own files are on this machine."""


def load_catalog(places: Sequence[Path], redact: RedactOptions) -> dict[str, NamedSession]:
    """Return the sessions that were last read in `places`, masked as `redact` says."""
    store = open_archive_memo("catalog", places)
    return store.load(_name(redact), dict[str, NamedSession]) or {}


def keep_catalog(
    places: Sequence[Path], redact: RedactOptions, sessions: Mapping[str, NamedSession]
) -> None:
    """Remember what was read in `places`."""
    store = open_archive_memo("catalog", places)
    store.save(_name(redact), sessions)
    store.drop_unused()


def _name(redact: RedactOptions) -> str:
    return f"sessions-{digest_value([redact, digest_code()])}"
