"""A store of session files: what is in it never changes, and nothing is ever taken out.

    everyleaf-store.json             what the folder is
    objects/ab/<digest>.zst          a piece of a file, named by the bytes in it
    states/<session>/<digest>.zst    what files of a session held when they were kept
    log/                             what went wrong in hooks

A file that grew is what is known of it and a further piece; small pieces are put together
again as it grows, so that a file of any age has few. Everything is written beside the
store's names, flushed and then renamed: what is there is whole, whatever ended the program.
No two machines ever write different bytes under one name, so that stores are merged by
copying one into the other.

The hook imports this module: it knows nothing of sessions, and needs little.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import IO

import msgspec
from blake3 import blake3
from msgspec import Struct

from everyleaf.digest import digest_hex, open_digest
from everyleaf.errors import OutputError, SourceError, refused
from everyleaf.grouping import grouped

MARKER = "everyleaf-store.json"
_MARKER_BODY = b'{"everyleaf-store": 1}\n'
PIECE_BYTES = 16 << 20
"""The most that a piece holds, and about what keeping and reading take as memory."""
_READ_BYTES = 1 << 20
_RECORD_BYTES = 256 << 20
"""A record of more is not ours: 100 bytes for each file of a session make it."""
_LEVEL = 3
_STALE_S = 24 * 3600
"""Files that a run left half written are deleted after that."""
_DIGEST_BYTES = 32
"""What others could have put there is told apart by it, so it is a whole one."""
_hex = partial(digest_hex, size=_DIGEST_BYTES)


class Piece(Struct, frozen=True, array_like=True):
    """A run of bytes of a file, which has an object of its own."""

    digest: str
    size_bytes: int


class StoredFile(Struct, frozen=True):
    """What a file held."""

    name: str
    """Where it stands below the settings folder, `/`-separated."""
    size_bytes: int
    digest: str
    pieces: tuple[Piece, ...]


class Record(Struct, frozen=True):
    """Files of a session as they were found in one go; only those that were new then."""

    session: str
    kept_ms: int
    """When, in milliseconds since 1970."""
    files: tuple[StoredFile, ...]


class KeptState(Struct, frozen=True):
    """A state of a file, and when it was kept first."""

    kept_ms: int
    file: StoredFile


class Added(Struct, frozen=True):
    """What a session brought to a store."""

    files: int = 0
    """Those that were new or had changed."""
    size_bytes: int = 0
    """What that took on disk."""
    unread: tuple[str, ...] = ()
    """Files that could not be read, by name."""


class Store(Struct, eq=False):
    """A store in a folder, of which nothing is read or written yet."""

    folder: Path
    _written_bytes: int = 0

    def create(self) -> None:
        """Make the folder a store, if it is none yet, and remove what was left half done.

        Raises:
            OutputError: it holds something else, or cannot be written.
        """
        marker = self.folder / MARKER
        with _writing(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if is_store(self.folder):
                self._sweep_temporary()
                return
            if any(each.name not in {MARKER, "log"} for each in self.folder.iterdir()):
                raise OutputError(
                    f"{str(self.folder)!r} holds something else, and is no store",
                    hint="name a new or empty folder with --to",
                )
            with open(marker, "wb", opener=_owner_alone) as handle:
                _write_through(handle, _MARKER_BODY)

    def keep(self, session: str, files: Iterable[tuple[str, Path]]) -> Added:
        """Add what is new in `files`, pairs of a name and where it is, of a session.

        Each file is read once, and what is new of it once more at most. Pieces are on disk
        before the record that names them: a run that is ended leaves pieces that the next
        run finds and needs.

        Raises:
            OutputError: the store cannot be written.
            SourceError: it is torn.
        """
        before = self._written_bytes
        states = self.states_of(session_folder(session))
        known = grouped((s.file.name, s.file) for s in states if self.is_whole(s.file))
        new: list[StoredFile] = []
        unread: list[str] = []
        for name, location in files:
            try:
                with location.open("rb") as handle:
                    found = self._keep_file(name, handle, known.get(name, ()))
            except FileNotFoundError:
                continue  # Deleted since it was listed.
            except OSError:
                unread.append(name)
                continue
            if found is not None:
                new.append(found)
        if new:
            record = Record(session, time.time_ns() // 1_000_000, tuple(new))
            body = msgspec.json.encode(record)
            folder = self.folder / "states" / session_folder(session)
            self._write(folder / f"{_hex(body)}.zst", body)
        return Added(len(new), self._written_bytes - before, tuple(unread))

    def _keep_file(
        self, name: str, handle: IO[bytes], known: Sequence[StoredFile]
    ) -> StoredFile | None:
        """Return the state of an open file, with its pieces stored; None: it is known.

        Where it begins with all of a known state, only what follows that is stored.
        """
        prefix: StoredFile | None = None
        digest, seen, at = open_digest(), open_digest(), 0
        for state in sorted(known, key=lambda state: state.size_bytes):
            if not _update(seen, handle, state.size_bytes - at):
                break
            at = state.size_bytes
            if seen.hexdigest(length=_DIGEST_BYTES) == state.digest:
                prefix, digest = state, seen.copy()
        size = prefix.size_bytes if prefix else 0
        pieces = list(prefix.pieces) if prefix else []
        handle.seek(size)
        while data := handle.read(PIECE_BYTES):
            digest.update(data)
            size += len(data)
            pieces = self._appended(pieces, data)
        if prefix and size == prefix.size_bytes:
            return None
        return StoredFile(name, size, digest.hexdigest(length=_DIGEST_BYTES), tuple(pieces))

    def _appended(self, pieces: list[Piece], data: bytes) -> list[Piece]:
        """Return `pieces` and `data` behind them, put together with the last if small.

        Each is then at least twice what follows it, so that they are few, and a byte is
        stored again as often as a file doubles.
        """
        while pieces:
            last = pieces[-1].size_bytes
            if last >= 2 * len(data) or last + len(data) > PIECE_BYTES:
                break
            data = self.read_piece(pieces[-1]) + data
            pieces = pieces[:-1]
        piece = Piece(_hex(data), len(data))
        self._write(self._object(piece), data)
        return [*pieces, piece]

    def folders(self) -> list[str]:
        """Return the folders of all sessions, sorted."""
        return _names(self.folder / "states")

    def record_names(self) -> list[str]:
        """Return what tells this state of the store from any other: names of records."""
        states = self.folder / "states"
        return [
            f"{each}/{name}" for each in self.folders() for name in _names(states / each)
        ]

    def records_of(self, folder: str) -> Iterator[Record]:
        """Yield the records of a session, in no order that means anything.

        Raises:
            SourceError: one is damaged.
        """
        states = self.folder / "states" / folder
        for name in _names(states):
            yield self._load_record(states / name)

    def states_of(self, folder: str) -> list[KeptState]:
        """Return the states of all files of a session, by the time when they were kept.

        What several machines kept is there once, by its first time.

        Raises:
            SourceError: a record is damaged.
        """
        found: dict[tuple[str, str], KeptState] = {}
        for record in self.records_of(folder):
            for file in record.files:
                key = (file.name, file.digest)
                other = found.get(key)
                if other is None:
                    found[key] = KeptState(record.kept_ms, file)
                else:
                    pieces = other.file if self.is_whole(other.file) else file
                    found[key] = KeptState(min(record.kept_ms, other.kept_ms), pieces)
        return sorted(found.values(), key=lambda one: (one.kept_ms, one.file.digest))

    def is_whole(self, file: StoredFile) -> bool:
        """Return whether an object is there for each piece of `file`."""
        return all(self._object(piece).is_file() for piece in file.pieces)

    def read(self, file: StoredFile) -> Iterator[bytes]:
        """Yield the bytes of `file`, piece by piece.

        Raises:
            SourceError: one is missing or damaged.
        """
        digest = open_digest()
        for piece in file.pieces:
            data = self.read_piece(piece)
            digest.update(data)
            yield data
        if digest.hexdigest(length=_DIGEST_BYTES) != file.digest:
            raise torn(self.folder, f"{file.name!r} is not what was kept")

    def read_piece(self, piece: Piece) -> bytes:
        """Return the bytes of a piece.

        Raises:
            SourceError: its object is missing or damaged.
        """
        location = self._object(piece)
        data = self._unpack(location, PIECE_BYTES)
        if len(data) != piece.size_bytes or _hex(data) != piece.digest:
            raise torn(self.folder, f"object {location.name!r} is damaged")
        return data

    def _load_record(self, location: Path) -> Record:
        body = self._unpack(location, _RECORD_BYTES)
        with suppress(ValueError):
            if _hex(body) == location.stem:
                return msgspec.json.decode(body, type=Record)
        raise torn(self.folder, f"record {location.name!r} is damaged")

    def _unpack(self, location: Path, most_bytes: int) -> bytes:
        import zstandard  # noqa: PLC0415  (a list of states in a shell needs none)

        try:
            body = location.read_bytes()
            size = zstandard.frame_content_size(body)
            if 0 <= size <= most_bytes:
                # An empty frame says that its size is unknown.
                return zstandard.ZstdDecompressor().decompress(body) if size else b""
        except OSError as error:
            reason = error.strerror or "unreadable"
            raise torn(self.folder, f"{location.name!r}: {reason}") from error
        except zstandard.ZstdError:
            pass
        raise torn(self.folder, f"{location.name!r} is damaged")

    def _object(self, piece: Piece) -> Path:
        # A record of somebody else's may call a piece what it likes.
        name = piece.digest if piece.digest.isalnum() else _hex(piece.digest.encode())
        return self.folder / "objects" / name[:2] / f"{name}.zst"

    def _write(self, target: Path, data: bytes) -> None:
        """Store `data` as `target`, whole or not at all; what is there is the same."""
        import zstandard  # noqa: PLC0415  (as above)

        if target.is_file():
            return
        body = zstandard.ZstdCompressor(level=_LEVEL).compress(data)
        temporary = self.folder / "tmp" / f"{os.getpid()}-{target.name}"
        with _writing(self.folder):
            for folder in (temporary.parent, target.parent.parent, target.parent):
                folder.mkdir(mode=0o700, exist_ok=True)
            try:
                with open(temporary, "wb", opener=_owner_alone) as handle:
                    _write_through(handle, body)
                temporary.replace(target)
            finally:
                temporary.unlink(missing_ok=True)
        self._written_bytes += len(body)

    def _sweep_temporary(self) -> None:
        with suppress(OSError):
            for each in (self.folder / "tmp").iterdir():
                if time.time() - each.stat().st_mtime > _STALE_S:
                    each.unlink()


def is_store(folder: Path) -> bool:
    """Return whether `folder` is a store that this version can read.

    Raises:
        SourceError: it is one of a later version.
    """
    try:
        with (folder / MARKER).open("rb") as handle:
            body = handle.read(1024)
    except OSError:
        return False
    if not _MARKER_BODY.startswith(body):  # One that begins so was not written whole.
        raise SourceError(
            f"{str(folder)!r} is a store that this version of everyleaf cannot read",
            hint="use the version that wrote it, or a later one",
        )
    return body == _MARKER_BODY


def session_folder(session: str) -> str:
    """Return the folder that holds the records of `session`: its id, if that is a uuid."""
    is_plain = len(session) == 36 and set(session) <= set("0123456789abcdef-")
    return session if is_plain else _hex(session.encode("utf-8", "surrogatepass"))[:32]


def torn(folder: Path, what: str) -> SourceError:
    """Return what to say of a store in which something is missing or damaged."""
    return SourceError(
        f"the store {str(folder)!r} is torn: {what}",
        hint=f"`everyleaf keep --verify {folder}` lists all that is; copy it again from"
        " where it is whole",
    )


def _writing(folder: Path) -> AbstractContextManager[None]:
    hint = "what is in it is whole; the next run goes on from there"
    return refused(OutputError, f"cannot write to the store {str(folder)!r}", hint)


def _update(digest: blake3, handle: IO[bytes], size_bytes: int) -> bool:
    """Tell `digest` the next bytes of a file; return whether there were so many."""
    while data := handle.read(min(size_bytes, _READ_BYTES)):
        digest.update(data)
        size_bytes -= len(data)
    return not size_bytes


def _write_through(handle: IO[bytes], body: bytes) -> None:
    handle.write(body)
    handle.flush()
    os.fsync(handle.fileno())


def _owner_alone(name: str, flags: int) -> int:
    # Sessions hold secrets, and nothing of them is masked here.
    return os.open(name, flags, 0o600)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))  # noqa: PTH208  (a Path takes longer)
    except (FileNotFoundError, NotADirectoryError):
        return []
