"""Digests of values: whether what something is made of is what it was."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

DIGEST_BYTES = 16


def digest_value(value: object) -> str:
    """Return the digest of a value of plain data: equal values, equal digest."""
    return blake2b(msgspec.msgpack.encode(value), digest_size=DIGEST_BYTES).hexdigest()
