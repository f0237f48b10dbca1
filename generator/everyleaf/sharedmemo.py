"""A memo that several machines share: a file a value, in a folder beside the site.

SQLite is for one machine: its locks do not hold across a network. Here a value is written
under another name and then renamed, so that whoever reads finds all of it or none.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from uuid import uuid4

from everyleaf.cachedir import is_private
from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError
from everyleaf.memo import Memo, T

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_IGNORE = ".gitignore"


class SharedMemo(Memo):
    """Named values of one scope, a file each; as `Memo`, trouble is more work, no error."""

    def __reduce__(self) -> tuple[type[Memo], tuple[Path | None, str]]:
        """Return what another process opens the same memo with."""
        return (SharedMemo, (self.folder, self.scope))

    def load(self, name: str, kind: type[T], *, is_used: bool = True) -> T | None:
        """Return the value that was saved as `name`, or None if it is no whole `kind`."""
        try:
            body = self._file(name).read_bytes()
        except OSError:
            return None
        value = self._decode(name, body, kind)
        if is_used and value is not None:
            self._names.add(name)
        return value

    def has(self, name: str) -> bool:
        """Return whether something was saved as `name`; it may be damaged."""
        return self._file(name).is_file()

    def save(self, name: str, value: object) -> bool:
        """Keep `value` under `name`; return whether it is kept."""
        self._names.add(name)
        body = self._encode(name, value)
        if body is None:
            return False
        file = self._file(name)
        # Several workers may write the same value: each has its own name for it.
        new = file.with_name(f"{file.name}-{uuid4().hex}")
        try:
            file.parent.mkdir(mode=0o700, exist_ok=True)
            new.write_bytes(body)
            new.replace(file)
        except OSError:
            with suppress(OSError):
                new.unlink()
            return False
        return True

    def drop_unused(self) -> None:
        """Delete what was neither found nor saved by this memo."""
        used = {self._file(name).name for name in self._names}
        with suppress(OSError):
            for file in self._file("").parent.iterdir():
                if file.name not in used:
                    file.unlink()

    def drop_older(self, days: int) -> None:
        """Do nothing: `drop_unused` deletes what is of no use."""

    def _file(self, name: str) -> Path:
        if self.folder is None:
            raise TypeError("a memo that is shared has a folder")
        scope = digest_hex(self.scope.encode(errors="replace"))
        return self.folder / scope / digest_hex(name.encode(errors="replace"), size=16)


@contextmanager
def open_shared(
    output_dir: Path, cache_dir: Path | None = None, *, is_kept: bool
) -> Generator[Path]:
    """Yield the folder of memos, for its owner alone; git ignores it.

    It is `cache_dir`, or lies beside `output_dir`. Unless it `is_kept`, it is another one,
    beside that, and deleted afterwards.

    Raises:
        OutputError: it cannot be made, or others may write into it.
    """
    folder = cache_dir or output_dir.parent / f".{output_dir.name}.everyleaf"
    if not is_kept:
        folder = folder.with_name(f"{folder.name}-{uuid4().hex}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / _IGNORE).write_bytes(b"*\n")
        is_ours = is_private(folder)
    except OSError as error:
        raise OutputError(
            f"cannot make the folder {str(folder)!r}: {error.strerror}",
            hint="a cluster keeps its work beside the site: check the permissions there, or"
            " name another folder with --cache-dir",
        ) from error
    if not is_ours:
        raise OutputError(
            f"others may write into {str(folder)!r}, where a cluster keeps its work",
            hint="delete it, or close it to others (chmod 700)",
        )
    try:
        yield folder
    finally:
        if not is_kept:
            shutil.rmtree(folder, ignore_errors=True)
