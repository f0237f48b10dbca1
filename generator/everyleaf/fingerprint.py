"""Digests of values: whether what something is made of is what it was."""

from __future__ import annotations

import msgspec

from everyleaf.digest import digest_bytes


def digest_value(value: object) -> str:
    """Return the digest of a value of plain data: equal values, equal digest."""
    return digest_bytes(msgspec.msgpack.encode(value)).hex()
