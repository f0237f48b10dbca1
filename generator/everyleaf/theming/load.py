"""A theme by its name, loaded once a process.

A module of its own: what draws pages takes 0.3 s to import, and most commands draw none.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from everyleaf.theming.locate import find_theme_dir

if TYPE_CHECKING:
    from everyleaf.theming.theme import Theme


@lru_cache(maxsize=8)
def load_theme(name: str) -> Theme:
    """Return the theme `name`, a built-in one's name or a folder, loaded once a process.

    Raises:
        ThemeError: There is no such theme, or it is broken.
    """
    from everyleaf.theming.theme import Theme  # noqa: PLC0415  (slow to import)

    return Theme(find_theme_dir(name))
