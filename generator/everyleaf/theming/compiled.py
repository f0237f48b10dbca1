"""Templates compiled by an earlier run, kept in the user's cache folder.

They save a third of a second, and never change what is drawn.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from jinja2 import BytecodeCache

from everyleaf.cachedir import default_cache_dir, is_private
from everyleaf.digest import DIGEST_BYTES, digest_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2.bccache import Bucket

_FORMAT = b"everyleaf-template 2\n"
"""Goes up whenever templates are compiled with other settings."""


class CompiledTemplates(BytecodeCache):
    """Compiled templates in a folder that nobody else can write to: they are code.

    Jinja2 asks for one by a digest of its name, and takes it only if the template has not
    changed. One that is damaged is compiled again.
    """

    def __init__(self, folder: Path) -> None:
        """Keep them in `folder`."""
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill `bucket` from its file, if that is whole."""
        try:
            body = (self._folder / bucket.key).read_bytes()
        except OSError:
            return
        start = len(_FORMAT) + DIGEST_BYTES
        if body[:start] == _FORMAT + digest_bytes(body[start:]):
            bucket.bytecode_from_string(body[start:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the file of `bucket`, whole or not at all."""
        payload = bucket.bytecode_to_string()
        fresh = self._folder / f".{bucket.key}.{os.getpid()}"
        with suppress(OSError):
            opened = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(opened, "wb") as file:
                file.write(_FORMAT + digest_bytes(payload) + payload)
            fresh.replace(self._folder / bucket.key)


def open_compiled() -> CompiledTemplates | None:
    """Return what keeps compiled templates; None where no folder can be believed."""
    folder = default_cache_dir() / "templates"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return CompiledTemplates(folder) if is_private(folder) else None
    except OSError:
        return None
