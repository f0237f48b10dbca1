"""Who may read what is published: the modes of files, on systems that have them."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.publish.address import parents

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_OWNER = 0o700


class Access(NamedTuple):
    """With what modes files and folders are made; a person's umask takes bits away."""

    file: int
    folder: int

    def opener(self, location: str, flags: int) -> int:
        """Open a file for `open`: made with the mode of these, and through no link."""
        return os.open(location, flags | _NO_LINK, self.file)


EVERYBODY = Access(0o644, 0o755)
OWNER_ALONE = Access(0o600, 0o700)


def close_to_others(output_dir: Path, urls: Iterable[str]) -> None:
    """Leave `output_dir`, and what it holds as `urls`, to its owner alone.

    The folder is closed first, and with it all that is below. Links and what is missing
    are passed over. Does nothing where files have no modes (Windows).

    Raises:
        OSError: something belongs to somebody else.
    """
    if os.name != "posix":
        return
    files = sorted(urls)
    folders = sorted({parent for url in files for parent in parents(url)})
    for place in (output_dir, *(output_dir / url for url in (*folders, *files))):
        try:
            mode = place.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not stat.S_ISLNK(mode) and stat.S_IMODE(mode) & ~_OWNER:
            place.chmod(stat.S_IMODE(mode) & _OWNER)
