"""What rendering hands to publishing: named bytes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Output:
    """A file of the site: `url` is site-relative and POSIX, without a leading slash."""

    url: str
    body: bytes


@dataclass(frozen=True, slots=True)
class Blob:
    """An image or a long output, named by its content: `blobs/<digest>.<ext>`."""

    name: str
    """`<digest>.<ext>`."""
    body: bytes
