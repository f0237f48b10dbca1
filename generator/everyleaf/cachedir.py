"""Where everyleaf keeps what only saves work; all of it may be deleted at any time."""

from __future__ import annotations

import os
import stat
from pathlib import Path

CACHE_VARIABLE = "EVERYLEAF_CACHE_DIR"
"""Names the folder to use instead of the one that this system has for a user's caches."""


def default_cache_dir() -> Path:
    """Return everyleaf's cache folder: of builds, of secrets found, of compiled rules."""
    chosen = os.environ.get(CACHE_VARIABLE, "")
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path  # noqa: PLC0415  (not needed where one is set)

    return user_cache_path("everyleaf", appauthor=False)


def made_private(folder: Path) -> Path | None:
    """Return `folder`, made where it is missing; None unless it is there and private."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder if is_private(folder) else None
    except OSError:
        return None


def is_private(folder: Path) -> bool:
    """Return whether `folder` is this user's, and nobody else may write into it.

    What somebody else could have put there is not to be believed.

    Raises:
        OSError: it is missing.
    """
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return False
    if os.name != "posix":
        return True  # There, a person's folders are closed to others by inheritance.
    is_open = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid == os.getuid() and not is_open
