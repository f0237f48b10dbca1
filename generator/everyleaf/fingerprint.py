"""Whether something is what it was: digests of values, and the marks of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from everyleaf.digest import digest_bytes

if TYPE_CHECKING:
    import os

RACY_NS = 20_000_000
"""What changed so shortly before it was looked at may change again in the same tick."""
_SECOND_NS = 1_000_000_000


def digest_value(value: object) -> str:
    """Return the digest of a value of plain data: equal values, equal digest."""
    return digest_bytes(msgspec.msgpack.encode(value)).hex()


class FileMarks(Struct, frozen=True, array_like=True):
    """What the system said of a file; while it says the same, the file holds the same."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    """Changes with every write, and no program can set it."""
    inode: int
    taken_ns: int
    """When this was noted."""

    @property
    def is_settled(self) -> bool:
        """Return whether the file was old enough then to show any later change."""
        # Some systems tell whole seconds, or every other one.
        racy_ns = RACY_NS if self.ctime_ns % _SECOND_NS else 3 * _SECOND_NS
        return self.ctime_ns < self.taken_ns - racy_ns

    def fits(self, status: os.stat_result) -> bool:
        """Return whether a file of this `status` holds what it held."""
        return (
            self.ctime_ns == status.st_ctime_ns
            and self.size_bytes == status.st_size
            and self.mtime_ns == status.st_mtime_ns
            and self.inode == status.st_ino
            and self.is_settled
        )


def marks_of(status: os.stat_result, taken_ns: int) -> FileMarks:
    """Return the marks of a file; its `status` was asked for no earlier than `taken_ns`."""
    return FileMarks(
        status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, taken_ns
    )
