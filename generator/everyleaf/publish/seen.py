"""What the files of a site looked like when they were last read or written.

A file whose size, times and inode are what they were holds what it held. That spares
reading a site to learn that nobody has touched it.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.digest import digest_hex
from everyleaf.publish.address import parents
from everyleaf.publish.write import check_no_link, located

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RACY_NS = 20_000_000
"""What changed so shortly before it was looked at may change again in the same tick."""


class Seen(Struct, frozen=True):
    """One file, as it was."""

    digest: str
    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    """Changes with every write, and no program can set it."""
    inode: int
    taken_ns: int
    """When this was noted."""


class SiteFiles(Struct):
    """Digests of the files in an output folder, read only where they are not known."""

    output_dir: Path
    known: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    """By url, from an earlier build."""
    bytes_read: int = 0
    _found: dict[str, Seen] = field(default_factory=dict[str, Seen])
    _safe_dirs: set[str] = field(default_factory=set[str])

    def digest(self, url: str) -> str | None:
        """Return the digest of a file; None if it is missing, empty if it is no plain file.

        Raises:
            OutputError: it cannot be read, or a folder on the way is a link.
        """
        if url in self._found:
            return self._found[url].digest
        self._check_parents(url)
        # A Path for each of thousands of files takes longer than looking at them.
        location = f"{self.output_dir}/{url}"
        with located(url):
            taken = time.time_ns()
            try:
                status = os.lstat(location)
            except (FileNotFoundError, NotADirectoryError):
                return None
            if not stat.S_ISREG(status.st_mode):
                return ""
            seen = self.known.get(url)
            if seen is None or not _is_same(seen, status):
                body = Path(location).read_bytes()
                self.bytes_read += len(body)
                seen = _see(digest_hex(body), status, taken)
        self._found[url] = seen
        return seen.digest

    def digests(self, urls: Iterable[str]) -> dict[str, str]:
        """Return the digest of each of `urls` that exists."""
        found = ((url, self.digest(url)) for url in urls)
        return {url: digest for url, digest in found if digest is not None}

    def note(self, url: str, digest: str) -> None:
        """Remember that `url` was just written, with bytes of this digest."""
        with located(url):
            taken = time.time_ns()
            self._found[url] = _see(digest, (self.output_dir / url).lstat(), taken)

    def seen(self, urls: Iterable[str]) -> dict[str, Seen]:
        """Return what is known of those of `urls` that were looked at, for the next build.

        What was written just now is looked at once more, some time later.
        """
        return {url: self._settled(url) for url in urls if url in self._found}

    def _settled(self, url: str) -> Seen:
        seen = self._found[url]
        if not _is_settled(seen):
            with located(url):
                later = replace(seen, taken_ns=time.time_ns())
                if _is_same(later, (self.output_dir / url).lstat()):
                    return later
        return seen

    def _check_parents(self, url: str) -> None:
        folder = url.rpartition("/")[0]
        if folder in self._safe_dirs:
            return
        for parent in parents(url):
            check_no_link(self.output_dir, parent)
            self._safe_dirs.add(parent)


def _see(digest: str, status: os.stat_result, taken: int) -> Seen:
    return Seen(
        digest,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        taken,
    )


def _is_settled(seen: Seen) -> bool:
    return seen.ctime_ns < seen.taken_ns - RACY_NS


def _is_same(seen: Seen, status: os.stat_result) -> bool:
    then = (seen.size_bytes, seen.mtime_ns, seen.ctime_ns, seen.inode)
    now = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    return _is_settled(seen) and then == now
