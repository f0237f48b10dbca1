"""What is remembered about secrets, with a digest over content and place: or no trust.

One flipped bit in a remembered value, or another file's entry in its place, and a secret
would be published. What does not prove to be what was written there is as good as missing.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp

from everyleaf.cachedir import is_private
from everyleaf.digest import DIGEST_BYTES, digest_bytes


def load_sealed(folder: Path, name: str) -> bytes | None:
    """Return what `write_sealed` kept in `folder` as `name`; None where it is not that."""
    try:
        body = (folder / name).read_bytes()
    except OSError:
        return None
    seal, told = body[:DIGEST_BYTES], body[DIGEST_BYTES:]
    return told if seal == _seal(name, told) else None


def write_sealed(folder: Path, name: str, body: bytes) -> None:
    """Keep `body` in `folder` as `name`; where that cannot be, forget it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not is_private(folder):
            return
        handle, fresh = mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as out:
            out.write(_seal(name, body) + body)
        Path(fresh).replace(folder / name)
    except OSError:
        return


def _seal(name: str, body: bytes) -> bytes:
    return digest_bytes(name.encode(), b"\0", body)
