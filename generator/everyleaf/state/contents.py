"""Digests of everything that a build reads: sessions, spilled outputs, themes, the code."""

from __future__ import annotations

import os
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.digest import DIGEST_BYTES, digest_value, open_digest
from everyleaf.theming.locate import theme_dirs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from concurrent.futures import Executor

    from everyleaf.sources.files import SourceFile, SourceMemory

CHUNK_BYTES = 1 << 20
_SECOND_BYTES = 200_000_000
"""As many bytes are read in about a second."""
DRAWING = (
    "ahocorasick_rs",
    "jinja2",
    "kingfisher_bin",
    "markdown_it_py",
    "markupsafe",
    "mdit_py_plugins",
    "pygments",
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
    buffer = bytearray(CHUNK_BYTES)

    def digest(location: str) -> str:
        return memory.digest(location, partial(digest_file, location, buffer))

    spills = {file.tool_results_dir: "" for file in files}
    for folder in spills:
        spills[folder] = digest_folder(folder, digest) if folder.is_dir() else ""
    return Contents(
        files=tuple(
            memory.digest(str(file.location), partial(digest_found, file, buffer))
            for file in files
        ),
        spills=tuple(spills[file.tool_results_dir] for file in files),
    )


def read_contents_by(
    executor: Executor, files: Sequence[SourceFile], memory: SourceMemory
) -> Contents:
    """Return what `read_contents` does, all read by workers; `memory` learns of them."""
    # Not imported above: a build that finds nothing changed reads without workers.
    from everyleaf.workers import Load, iter_done  # noqa: PLC0415

    folders = list(dict.fromkeys(file.tool_results_dir for file in files))
    items: list[SourceFile | Path] = [*files, *folders]
    total = sum(file.size_bytes for file in files)
    load = Load("comparing", _size_of, _SECOND_BYTES, total)
    digests = [""] * len(items)
    for place, digest in iter_done(executor, _digest, items, load=load, lost=lambda _: ""):
        digests[place] = digest
    for file, digest in zip(files, digests, strict=False):
        memory.digest(str(file.location), partial(str, digest))
    spills = dict(zip(folders, digests[len(files) :], strict=True))
    return Contents(
        files=tuple(digests[: len(files)]),
        spills=tuple(spills[file.tool_results_dir] for file in files),
    )


def _size_of(item: SourceFile | Path) -> int:
    return 0 if isinstance(item, Path) else item.size_bytes


def _digest(item: SourceFile | Path) -> str:
    buffer = bytearray(CHUNK_BYTES)
    if isinstance(item, Path):
        read = partial(digest_file, buffer=buffer)
        return digest_folder(item, read) if item.is_dir() else ""
    return digest_found(item, buffer)


def digest_found(file: SourceFile, buffer: bytearray) -> str:
    """Return the digest of a source's bytes, as many as it had when it was found."""
    return digest_file(file.location, buffer, size_bytes=file.size_bytes)


def digest_file(
    location: Path | str, buffer: bytearray, *, size_bytes: int = sys.maxsize
) -> str:
    """Return the digest of a file's first bytes, read through `buffer`; empty: unreadable.

    All of them, unless `size_bytes` says how many.
    """
    made = open_digest()
    view = memoryview(buffer)
    try:
        with open(location, "rb", buffering=0) as file:  # noqa: PTH123  (half the time)
            while count := file.readinto(view[:size_bytes]):
                made.update(view[:count])
                size_bytes -= count
    except OSError:
        return ""
    return made.hexdigest(length=DIGEST_BYTES)


def digest_folder(folder: Path, digest: Callable[[str], str]) -> str:
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
    read = partial(digest_file, buffer=bytearray(CHUNK_BYTES))
    folders = [folder for folder in theme_dirs(theme) if folder.is_dir()]
    return digest_value(
        [digest_code(), *(digest_folder(folder, read) for folder in folders)]
    )


@lru_cache(maxsize=1)
def digest_code() -> str:
    """Return the digest of the package, of what it draws with, and of Python's version.

    More than a version number, so that a checkout in which somebody works is right, too.
    """
    package_dir = Path(__file__).parents[1]
    read = partial(digest_file, buffer=bytearray(CHUNK_BYTES))
    packages = digest_folder(package_dir, read)
    return digest_value([packages, *sys.version_info[:3], *_distributions()])


def _distributions() -> Iterable[str]:
    """Yield the folders that installers leave for each of `DRAWING`: they name versions."""
    for place in sorted(set(sys.path)):
        try:
            names = os.listdir(place)  # noqa: PTH208  (names are all it takes)
        except OSError:
            continue
        yield from sorted(
            name
            for name in names
            if name.endswith(".dist-info") and name.lower().startswith(DRAWING)
        )
