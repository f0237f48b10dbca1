"""Packed sources: a zip or tar of sessions, and what comes in on standard input.

Nobody knows what is in such a file before it is unpacked, so that there are limits: how
many files, how many bytes, and how many for each byte that was packed.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import stat
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import IO, Self, cast

from msgspec import Struct

from everyleaf.digest import digest_file, open_digest
from everyleaf.errors import SourceError, refused
from everyleaf.sources.gathering import IGNORE_FILE
from everyleaf.sources.lines import Head, find_owner, first_cwds, is_session
from everyleaf.sources.projects import slug
from everyleaf.sources.unpacked import safe_name, unpack_dir, unpack_once, unpacking

MOST_FILES = 200_000
MOST_BYTES = 16 << 30
MOST_TIMES = 400
"""How much larger content may be than it is packed; transcripts are 5 to 40 times."""
UNSUSPICIOUS_BYTES = 64 << 20
"""As much may be packed as densely as it will."""
_HEADER_BYTES = 1 << 20
"""What a tar may say about one file; it is read at once."""
_CHUNK = 1 << 20
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".txt")
_WHOLE_FOLDERS = frozenset({"tool-results", "file-history"})
_OF_OTHERS = frozenset({"__MACOSX", "node_modules"})


def _open_zstd(packed: IO[bytes]) -> object:
    import zstandard  # noqa: PLC0415  (seldom)

    return zstandard.ZstdDecompressor().stream_reader(packed)


_MAGICS: tuple[tuple[bytes, Callable[[IO[bytes]], object]], ...] = (
    (b"\x1f\x8b", lambda packed: gzip.GzipFile(fileobj=packed)),
    (b"BZh", bz2.BZ2File),
    (b"\xfd7zXZ", lzma.LZMAFile),
    (b"(\xb5/\xfd", _open_zstd),
)
_BROKEN = (
    EOFError, NotImplementedError, RuntimeError, ValueError, lzma.LZMAError,
    tarfile.TarError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What the readers raise at a damaged, encrypted or unknown file."""
_HINT = "is it whole, and without a password?"


def unpack_archive(location: Path) -> Path:
    """Return a folder with the session files in a zip or tar.

    Raises:
        SourceError: it cannot be read, holds too much, or a name leads out of it.
    """
    name = location.name
    with refused(SourceError, f"cannot unpack {name!r}", _HINT):
        digest = digest_file(location)
    return _unpack(location, name, digest)


@cache
def unpack_input() -> Path:
    """Return the file or folder with what comes in on standard input: it is read once.

    That is one session, or a zip or tar of sessions.

    Raises:
        SourceError: nothing comes in, too much, or a file that is damaged.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise SourceError(
            "nothing comes in on standard input",
            hint="'-' reads a session, or a zip or tar of sessions, that is piped in",
        )
    digest, size = open_digest(), 0
    temporary = tempfile.NamedTemporaryFile("wb", dir=unpack_dir(), delete=False)  # noqa: SIM115  (closed below)
    location = Path(temporary.name)
    try:
        with unpacking(), temporary:
            while data := sys.stdin.buffer.read(_CHUNK):
                size += len(data)
                if size > MOST_BYTES:
                    raise _too_much("standard input")
                digest.update(data)
                temporary.write(data)
        if not size:
            raise SourceError("standard input is empty", hint="pipe a session into it")
        key = digest.hexdigest(length=16)
        if zipfile.is_zipfile(location) or _is_tar(location):
            return _unpack(location, "standard input", key)
        folder = unpack_once(f"input-{key}", partial(_place_session, location))
        return next(folder.glob("*/*.jsonl"))
    finally:
        location.unlink(missing_ok=True)


def _place_session(location: Path, folder: Path) -> None:
    """Put a session where the CLI would, as far as its records say where that is."""
    head = Head(location)
    if not is_session(head):
        raise SourceError(
            "what comes in on standard input is no session",
            hint="pipe in a .jsonl file, or a zip or tar of them",
        )
    cwd = next(iter(first_cwds(location)), "")
    project = folder / safe_name(slug(cwd) or "standard-input").name
    project.mkdir()
    name = safe_name(find_owner(head) or "session").name
    shutil.copyfile(location, project / f"{name}.jsonl")


def _unpack(location: Path, name: str, key: str) -> Path:
    # Loose files belong to a project that is called as the folder around them.
    inside = safe_name(name.split(".", maxsplit=1)[0] or "archive").name[:40]
    folder = unpack_once(f"archive-{key}-{inside}", partial(_fill, location, name, inside))
    return folder / inside


def _fill(location: Path, name: str, inside: str, folder: Path) -> None:
    """Write the session files of a zip or tar to `folder / inside`."""
    root = folder / inside
    root.mkdir()
    most_bytes = max(UNSUSPICIOUS_BYTES, MOST_TIMES * location.stat().st_size)
    limit = _Limit(name, min(MOST_BYTES, most_bytes), MOST_FILES)
    is_zip = zipfile.is_zipfile(location)
    try:
        for member, content in (_iter_zip if is_zip else _iter_tar)(location, limit):
            target = root / safe_name(member)
            if _is_wanted(target.relative_to(root)):
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("wb") as handle:
                    shutil.copyfileobj(content, handle, _CHUNK)
    except _BROKEN as error:
        raise SourceError(f"cannot unpack {name!r}: {error}", hint=_HINT) from error


def _is_wanted(name: Path) -> bool:
    if not _OF_OTHERS.isdisjoint(name.parts):
        return False
    return (
        name.suffix.lower() in _SUFFIXES
        or name.name == IGNORE_FILE
        or not _WHOLE_FOLDERS.isdisjoint(name.parts)
    )


def _iter_zip(location: Path, limit: _Limit) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(location) as archive:
        for info in archive.infolist():
            limit.count(files=1)
            is_link = stat.S_ISLNK(info.external_attr >> 16)
            if not info.is_dir() and not is_link and _is_wanted(Path(info.filename)):
                with archive.open(info) as content:
                    yield info.filename, _Limited.of(content, limit)


def _iter_tar(location: Path, limit: _Limit) -> Iterator[tuple[str, IO[bytes]]]:
    with location.open("rb") as packed:
        # Counted as it is unpacked: also what is passed over costs time.
        plain = _Limited.of(_decompressed(packed), limit)
        with tarfile.open(fileobj=plain, mode="r|", tarinfo=_ShortHeader) as archive:
            for info in archive:
                limit.count(files=1)
                # A link would say what to read from this machine.
                content = archive.extractfile(info) if info.isreg() else None
                if content is not None:
                    yield info.name, content


def _decompressed(packed: IO[bytes]) -> IO[bytes]:
    magic = packed.read(8)
    packed.seek(0)
    fitting = (opened(packed) for start, opened in _MAGICS if magic.startswith(start))
    return cast("IO[bytes]", next(fitting, packed))


def _is_tar(location: Path) -> bool:
    """Return whether a file begins as a tar does, once it is decompressed."""
    try:
        with location.open("rb") as packed:
            head = _decompressed(packed).read(tarfile.BLOCKSIZE)
        tarfile.TarInfo.frombuf(head, tarfile.ENCODING, "surrogateescape")
    except (OSError, *_BROKEN):
        return False
    return True


class _ShortHeader(tarfile.TarInfo):
    """What a tar says of a file; nothing that would be read into memory without end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        made = super().frombuf(buf, encoding, errors)
        if not (made.isreg() or made.isdir()) and made.size > _HEADER_BYTES:
            raise tarfile.ReadError("a header of more than a megabyte")
        return made


class _Limit(Struct):
    """How much may still be unpacked of a file."""

    name: str
    bytes_left: int
    files_left: int

    def count(self, *, files: int = 0, size_bytes: int = 0) -> None:
        self.files_left -= files
        self.bytes_left -= size_bytes
        if self.files_left < 0 or self.bytes_left < 0:
            raise _too_much(self.name)


class _Limited(Struct):
    """A stream of which no more can be read than there may be."""

    stream: IO[bytes]
    limit: _Limit

    @classmethod
    def of(cls, stream: IO[bytes], limit: _Limit) -> IO[bytes]:
        return cast("IO[bytes]", cls(stream, limit))

    def read(self, size: int = -1) -> bytes:
        data = self.stream.read(size if size >= 0 else _CHUNK)
        self.limit.count(size_bytes=len(data))
        return data


def _too_much(name: str) -> SourceError:
    return SourceError(
        f"{name!r} holds more than is unpacked: {MOST_FILES:,} files, {MOST_BYTES >> 30} GB"
        f" or {MOST_TIMES} times its size",
        hint="unpack it yourself, if you trust it, and name the folder",
    )
