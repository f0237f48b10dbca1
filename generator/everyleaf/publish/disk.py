"""The files of an output folder: whole files or nothing, inside it, through no link.

Bodies are staged first, under the output folder and so on its file system, and moved to
their place when all of them are there: memory holds one body at a time, and a build that
fails before that leaves the site as it was.

A file whose size, times and inode are what they were holds what it held. That spares
reading a site to learn that nobody has touched it.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import time
from contextlib import AbstractContextManager, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import are_settled, are_true, digest_hex, marks_of
from everyleaf.errors import OutputError, refused
from everyleaf.outputs import HELD_BYTES, LongBody, StagedFile
from everyleaf.publish.manifest import FileDigest, parents

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

    os.register_at_fork(
        after_in_child=lambda: [*map(os.close, [_locks.pop() for _ in {*_locks}])]
    )

from collections.abc import Generator, Iterable, Iterator, Mapping

STAGING = ".everyleaf-staging"
_LEFT = f"{STAGING}-left"
"""What it is called while it is removed."""
ASIDE = "aside-"
_LOCK = "lock"
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_OWNER = 0o700
_locks: set[int] = set()
"""Of open stages: processes that are forked hold none, as they may outlive this one."""


class Access(NamedTuple):
    """With what modes files and folders are made; a person's umask takes bits away."""

    file: int
    folder: int

    def write(self, location: Path, body: bytes | LongBody) -> None:
        """Write a file that is made with the mode of these, and through no link."""

        def opener(path: str, flags: int) -> int:
            return os.open(path, flags | _NO_LINK, self.file)

        with open(location, "wb", opener=opener) as file:
            file.writelines([body] if isinstance(body, bytes) else body.pieces())


EVERYBODY = Access(0o644, 0o755)
OWNER_ALONE = Access(0o600, 0o700)


def close_to_others(output_dir: Path, urls: Iterable[str]) -> None:
    """Leave `output_dir`, and what it holds as `urls`, to its owner alone.

    The folder is closed first, and with it all that is below. Links and what is missing
    are passed over. Does nothing where files have no modes (Windows).

    Raises:
        OSError: something belongs to somebody else.
    """
    if os.name != "posix":
        return
    files = sorted(urls)
    folders = sorted({parent for url in files for parent in parents(url)})
    for place in (output_dir, *(output_dir / url for url in (*folders, *files))):
        try:
            mode = place.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not stat.S_ISLNK(mode) and stat.S_IMODE(mode) & ~_OWNER:
            place.chmod(stat.S_IMODE(mode) & _OWNER)


class Stage(Struct):
    """Files that are written but not yet in their place. Use as `with open_stage(…)`."""

    output_dir: Path
    access: Access = EVERYBODY
    _staged: dict[str, str] = {}
    """Url → digest."""
    _safe_dirs: set[str] = set()

    def add(self, url: str, body: bytes) -> None:
        """Write `body` where `place` finds it as `url`; a second one replaces the first."""
        self.take(StagingWriter(self.output_dir, self.access).put(url, body))

    def take(self, file: StagedFile) -> None:
        """Have `place` find what a `StagingWriter` wrote."""
        self._staged[file.url] = file.digest

    def place(self, url: str) -> None:
        """Move the file that was added as `url` there, at once and whole.

        Raises:
            OutputError: if a folder on the way is a link, or the disk refuses.
        """
        for parent in reversed(parents(url)):
            if parent not in self._safe_dirs:
                check_no_link(self.output_dir, parent)
                with located(url):
                    (self.output_dir / parent).mkdir(self.access.folder, exist_ok=True)
                self._safe_dirs.add(parent)
        with located(url):
            self.location(url).replace(self.output_dir / url)

    def location(self, url: str) -> Path:
        """Return where the bytes of `url` are now: staged, or in their place."""
        digest = self._staged.get(url)
        name = digest and StagedFile(url, digest).name
        return self.output_dir / (f"{STAGING}/{name}" if name else url)


class StagingWriter(Struct, frozen=True):
    """Writes bodies into a folder's stage, from any process; only names travel back.

    Each method raises an OutputError where the disk refuses; of a site at an address, a
    StorageError where the store does, or where something is not as it was written.
    """

    output_dir: Path
    access: Access = EVERYBODY

    def put(self, url: str, body: bytes | LongBody) -> StagedFile:
        """Write `body` where `Stage.take` finds it, unless it is there already."""
        digest = digest_hex(body) if isinstance(body, bytes) else body.digest
        staged = StagedFile(url, digest, is_staged=True)
        with located(url):
            self.write(staged.name, body)
        return staged

    def put_aside(self, name: str, body: bytes) -> None:
        """Write what is no file of the site, for other work of the same build."""
        with located(name):
            self.write(f"{ASIDE}{name}", body)

    def aside(self, name: str) -> Path:
        """Return where `put_aside` wrote it; it goes with the stage."""
        return self.output_dir / STAGING / f"{ASIDE}{name}"

    def is_aside(self, name: str) -> bool:
        """Return whether `put_aside` has begun to write it, on this machine."""
        return StagingWriter.aside(self, name).exists()

    def spool(self, url: str, texts: Iterable[str]) -> bytes | LongBody:
        """Return what `join_encoded` does; what is long waits in the stage, unnamed."""
        body = BytesIO()
        file: IO[bytes] | None = None
        for text in texts:
            body.write(text.encode("utf-8", "replace"))
            if body.tell() > HELD_BYTES:
                with located(url):
                    file = file or TemporaryFile(dir=self.output_dir / STAGING)  # noqa: SIM115  (closed below)
                    file.write(body.getbuffer())
                body = BytesIO()
        if file is None:
            return body.getvalue()
        with file, located(url):
            file.write(body.getbuffer())
            return LongBody(file)

    def write(self, name: str, body: bytes | LongBody) -> None:
        """Write a file of the stage."""
        self.access.write(self.output_dir / STAGING / name, body)

    def flush(self) -> None:
        """Have all that was written where other machines find it."""

    def gather(self, drawn: Iterable[StagedFile]) -> Iterator[StagedFile]:
        """Yield `drawn`, each when it is in the stage of this machine."""
        yield from drawn

    def find(self, url: str) -> bytes | None:
        """Return the bytes of a file that stands in its place; None if none does."""
        try:
            return (self.output_dir / url).read_bytes()
        except OSError:
            return None

    def read_all(self, files: Iterable[StagedFile]) -> Iterator[bytes]:
        """Yield the bytes of files that were put here, or that stand in their place."""
        for file in files:
            with located(file.url):
                yield self._location(file).read_bytes()

    def size(self, file: StagedFile) -> int:
        """Return how many bytes a file has that was gathered, or stands in its place."""
        with located(file.url):
            return self._location(file).stat().st_size

    def _location(self, file: StagedFile) -> Path:
        name = f"{STAGING}/{file.name}" if file.is_staged else file.url
        return self.output_dir / name


@contextmanager
def open_stage(output_dir: Path, access: Access = EVERYBODY) -> Generator[Stage]:
    """Yield an empty stage in `output_dir`, and remove it with what was not placed.

    What an earlier build left there, because it was killed, goes first. There is one stage
    at a time: a lock says so, which the system opens when its process ends.

    Raises:
        OutputError: another build has one, or the disk refuses.
    """
    check_no_link(output_dir, STAGING)
    staging_dir = output_dir / STAGING
    place = staging_dir / _LOCK
    with located(STAGING):
        staging_dir.mkdir(access.folder, exist_ok=True)
        lock = os.open(place, os.O_RDWR | os.O_CREAT | _NO_LINK, access.file)
    _locks.add(lock)
    try:
        if not _is_locked(lock, place):
            raise OutputError(
                f"another build writes to {str(output_dir)!r}",
                hint="wait until it is done, or choose another --out",
            )
        try:
            with located(STAGING):
                _empty(staging_dir)
                shutil.rmtree(output_dir / _LEFT, ignore_errors=True)
                # A build that is killed leaves it, and someone may commit the folder.
                access.write(staging_dir / ".gitignore", b"*\n")
                staging_dir.chmod(staging_dir.stat().st_mode & access.folder)
            yield Stage(output_dir, access)
        finally:
            left = staging_dir
            with suppress(OSError):
                # Who still draws, in a cluster, has no stage to write to then.
                left = staging_dir.rename(output_dir / _LEFT)
            with suppress(OSError):
                _empty(left)
                # Before it is open to others; Windows refuses, and keeps it for the next.
                (left / _LOCK).unlink()
                left.rmdir()
    finally:
        _locks.remove(lock)
        os.close(lock)


def _is_locked(file: int, place: Path) -> bool:
    """Return whether `file` could be locked, and still is what lies at `place`."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Some file systems of networks have no locks.
        return error.errno not in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
    try:
        return os.path.samestat(os.fstat(file), place.stat())
    except FileNotFoundError:
        return False  # The one before ended, and took it along.


def _empty(staging_dir: Path) -> None:
    for each in staging_dir.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each, ignore_errors=True)
        elif each.name != _LOCK:
            each.unlink()


def delete_files(output_dir: Path, urls: Iterable[str]) -> None:
    """Delete `urls`, and the folders that are empty afterwards; what is gone is no error.

    Raises:
        OutputError: if a folder on the way is a link, or the disk refuses.
    """
    for url in urls:
        for parent in parents(url):
            check_no_link(output_dir, parent)
        with located(url):
            (output_dir / url).unlink(missing_ok=True)
        for parent in parents(url):
            try:
                (output_dir / parent).rmdir()
            except OSError:
                break


def check_no_link(output_dir: Path, url: str) -> None:
    """Check that `url` in `output_dir`, if it exists, is not a link to somewhere else.

    Raises:
        OutputError: if it is.
    """
    location = output_dir / url
    if location.is_symlink():
        raise OutputError(
            f"{str(location)!r} is a symbolic link, and writing through it could leave the"
            " output folder",
            hint="replace the link by a folder, or choose another --out",
        )


def located(url: str) -> AbstractContextManager[None]:
    """Turn what the disk refuses meanwhile into an `OutputError` that names `url`."""
    hint = "check the permissions of the output folder and the space on its disk"
    return refused(OutputError, f"cannot write {url!r}", hint)


class SiteFiles(Struct):
    """Digests of the files in an output folder, read only where they are not known."""

    output_dir: Path
    known: Mapping[str, FileDigest] = {}
    """By url, from an earlier build."""
    bytes_read: int = 0
    _found: dict[str, FileDigest] = {}
    _safe_dirs: set[str] = set()

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
        taken = time.time_ns()
        with located(url):
            try:
                status = os.lstat(location)
            except (FileNotFoundError, NotADirectoryError):
                return None
        if not stat.S_ISREG(status.st_mode):
            return ""
        seen = self.known.get(url)
        if seen is None or not are_true(seen.marks, status):
            with located(url):
                body = Path(location).read_bytes()
            self.bytes_read += len(body)
            seen = FileDigest(digest_hex(body), marks_of(status, taken))
        self._found[url] = seen
        return seen.digest

    def look(self) -> bool:
        """Look at every file that is known; return whether all are what they were."""
        base = f"{self.output_dir}/"
        others: list[str] = []
        for url, seen in self.known.items():
            # One after the other: what each takes is felt, with a hundred thousand.
            if url.rpartition("/")[0] not in self._safe_dirs:
                self._check_parents(url)
            try:
                is_same = are_true(seen.marks, os.lstat(base + url))
            except OSError:
                is_same = False
            if not is_same:
                others.append(url)
        self._found |= self.known
        for url in others:
            del self._found[url]
        return all(self.digest(url) == self.known[url].digest for url in others)

    def digests(self, urls: Iterable[str]) -> dict[str, str]:
        """Return the digest of each of `urls` that exists."""
        found = ((url, self.digest(url)) for url in urls)
        return {url: digest for url, digest in found if digest is not None}

    def note(self, url: str, digest: str) -> None:
        """Remember that `url` was just written, with bytes of this digest."""
        with located(url):
            taken = time.time_ns()
            status = (self.output_dir / url).lstat()
            self._found[url] = FileDigest(digest, marks_of(status, taken))

    def seen(self, urls: Iterable[str]) -> dict[str, FileDigest]:
        """Return what is known of those of `urls` that were looked at, for the next build.

        What was written just now is looked at once more, some time later.
        """
        find, know = self._found.get, self.known.get
        return {u: f if f is know(u) else self._settled(u) for u in urls if (f := find(u))}

    def _settled(self, url: str) -> FileDigest:
        seen = self._found[url]
        if not are_settled(seen.marks):
            with located(url):
                taken = time.time_ns()
                later = marks_of((self.output_dir / url).lstat(), taken)
                if seen.marks.startswith(later):
                    return replace(seen, marks=later)
        return seen

    def _check_parents(self, url: str) -> None:
        if url.rpartition("/")[0] in self._safe_dirs:
            return
        for parent in parents(url):
            check_no_link(self.output_dir, parent)
            self._safe_dirs.add(parent)
