"""What rendering hands to publishing: named bytes."""

from __future__ import annotations

from msgspec import Struct


class Output(Struct, frozen=True):
    """A file of the site: `url` is site-relative and POSIX, without a leading slash."""

    url: str
    body: bytes


class Drawn(Struct, frozen=True):
    """A file of the site whose bytes are on disk already, so that none travel."""

    url: str
    digest: str
    """Of its bytes, as `everyleaf.digest.digest_hex` gives it."""
    staged: str = ""
    """What it is called until it is moved to its place; empty: it stands there."""
    masked: tuple[str, ...] = ()
    """Kinds of secret that only the finished file held, and holds no more."""


class Blob(Struct, frozen=True):
    """An image or a long output, named by its content: `blobs/<digest>.<ext>`."""

    name: str
    """`<digest>.<ext>`."""
    body: bytes
