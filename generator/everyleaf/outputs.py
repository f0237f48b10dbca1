"""Files of a site as drawing hands them to publishing, and the checksums in data files.

A data file ends with digests of the files that it accounts for, and of itself:

    {
     …,
     "files": {
      "transcript_x.md": "0f…"
     },
     "seal": "9c…"
    }

In a repository, a digest in a list of all files would change a line of that list with every
message; here it stands in the file of the session, which changes anyway. `seal` is the
digest of the file as it is without those digits.
"""

from __future__ import annotations

import json
import mmap
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import IO, cast

from msgspec import Struct

from everyleaf.digest import HEX_BYTES, digest_hex, open_digest

HELD_BYTES = 500_000
"""Of a long file, so many stand in memory at a time."""


class Output(Struct, frozen=True):
    """A file of the site: `url` is site-relative and POSIX, without a leading slash."""

    url: str
    body: bytes


class StagedFile(Struct, frozen=True):
    """A file of the site whose bytes are on disk already, so that none travel."""

    url: str
    digest: str
    """Of its bytes, as `everyleaf.digest.digest_hex` gives it."""
    is_staged: bool = False
    """It lies in the stage, by its `name`, until it is moved to its place."""
    masked: tuple[str, ...] = ()
    """Kinds of secret that only the finished file held, and holds no more."""

    @property
    def name(self) -> str:
        """Return what it is called in the stage: made anew, as there are many files."""
        return f"{digest_hex(self.url.encode())}-{self.digest}"


class Blob(Struct, frozen=True):
    """An image or a long output, named by its content: `blobs/<digest>.<ext>`."""

    name: str
    """`<digest>.<ext>`."""
    body: bytes


class LongBody:
    """The bytes of a long file, on disk without a name; little of it stands in memory."""

    def __init__(self, file: IO[bytes]) -> None:
        """Take what was written to `file`, which can be closed afterwards."""
        file.flush()
        self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._seen_bytes = 0
        self.find = self._map.find
        made = open_digest()
        for piece in self.pieces():
            made.update(piece)
        self.digest = made.hexdigest(length=HEX_BYTES)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._map)

    def __getitem__(self, place: slice) -> bytes:
        """Return some of them."""
        found = self._map[place]
        self._seen_bytes += len(found)
        if self._seen_bytes > HELD_BYTES and sys.platform != "win32":
            self._map.madvise(mmap.MADV_DONTNEED)
            self._seen_bytes = 0
        return found

    def pieces(self) -> Iterator[bytes]:
        """Yield all of them, some at a time."""
        return (self[at : at + HELD_BYTES] for at in range(0, len(self), HELD_BYTES))


def join_encoded(pieces: Iterable[str]) -> bytes:
    """Return texts, one behind the other, as UTF-8; half of a pair is a question mark.

    What is long stands in memory once, and never as text.
    """
    body = BytesIO()
    for piece in pieces:
        body.write(piece.encode("utf-8", "replace"))
    return body.getvalue()


_END = re.compile(
    rb',\s*"files":\s*(?P<files>\{[^{}]*\}),\s*"seal":\s*"(?P<seal>[0-9a-f]*)"\n?\}\n'
)
"""Without spaces it is what everyleaf wrote when all of it stood on one line."""
_CLOSE = b"\n}\n"


class Checked(Struct, frozen=True):
    """A file that `add_checksums` made, read again."""

    body: bytes
    """As it was before checksums were added."""
    digests: Mapping[str, str]
    is_whole: bool
    """Nothing of it has changed since."""


def add_checksums(body: bytes, digests: Mapping[str, str]) -> bytes:
    """Return a JSON object, a line a field, with `digests` of files and its own in it."""
    listed = json.dumps(dict(sorted(digests.items())), indent=1).replace("\n", "\n ")
    start = body.removesuffix(_CLOSE) + f',\n "files": {listed},\n "seal": "'.encode()
    return start + digest_hex(start).encode() + b'"' + _CLOSE


def read_checksums(body: bytes) -> Checked | None:
    r"""Return what `add_checksums` made as `body`; None where it did not.

    What was added behind it is seen as a change, and what it lists can still be read.

    >>> read_checksums(add_checksums(b'{"a": 1' + b"\n}\n", {"b": "0f"})).is_whole
    True
    """
    found = _END.search(body)
    if found is None:
        return None
    try:
        digests = cast("dict[str, object]", json.loads(found["files"]))
    except ValueError:
        return None
    return Checked(
        body=body[: found.start()] + _CLOSE,
        digests={url: str(digest) for url, digest in digests.items()},
        is_whole=found.end() == len(body)
        and digest_hex(body[: found.start("seal")]).encode() == found["seal"],
    )
