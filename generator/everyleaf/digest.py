"""Content digests: the same bytes always give the same short name."""

from __future__ import annotations

from hashlib import blake2b


def digest_int(data: bytes) -> int:
    """Return a 64-bit digest of `data`, for comparing contents in memory."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def digest_hex(data: bytes | memoryview, *, size: int = 10) -> str:
    """Return `2 * size` hex characters that name `data` in an address or a manifest."""
    return blake2b(data, digest_size=size).hexdigest()
