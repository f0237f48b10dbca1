"""Which lexer a language or a file has: what Pygments says, without asking each of them.

Pygments itself compares a file's name with every pattern of every lexer, a millisecond a
name, and looks for plug-ins each time: what is installed must not change a site.
"""

from __future__ import annotations

from collections import defaultdict
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from pygments.lexers import find_lexer_class, get_all_lexers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pygments.lexer import Lexer

    Listed = tuple[str, Sequence[str], Sequence[str], Sequence[str]]
    """Name, aliases, patterns of file names, media types."""

_EXPLICIT_BONUS = 0.5
"""What Pygments adds to the priority of a pattern without a star."""


class _Tables(NamedTuple):
    """The names of lexers by what may lead to them."""

    aliases: Mapping[str, str]
    endings: Mapping[str, Sequence[str]]
    """By what follows the star of a pattern such as `*.py`."""
    patterns: Sequence[tuple[str, str]]
    """(pattern, lexer) of all others."""


def find_lexer(language: str) -> type[Lexer] | None:
    """Return the lexer for a name, else for a file's name; None where there is none."""
    tables = _tables()
    alias = tables.aliases.get(language.lower())
    if alias is not None:
        return find_lexer_class(alias)
    file = language.rpartition("/")[2]
    rated = [
        (lexer.priority + bonus, lexer.__name__, lexer)
        for name, bonus in _iter_fitting(tables, file)
        if (lexer := find_lexer_class(name)) is not None
    ]
    return max(rated, key=lambda one: one[:2])[2] if rated else None


def _iter_fitting(tables: _Tables, file: str) -> Iterator[tuple[str, float]]:
    """Yield the names of the lexers with a pattern that `file` fits, each with a bonus."""
    at = file.find(".")
    while at >= 0:
        for name in tables.endings.get(file[at:], ()):
            yield name, 0
        at = file.find(".", at + 1)
    for pattern, name in tables.patterns:
        if fnmatchcase(file, pattern):
            yield name, 0 if "*" in pattern else _EXPLICIT_BONUS


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    aliases: dict[str, str] = {}
    endings: defaultdict[str, list[str]] = defaultdict(list)
    patterns: list[tuple[str, str]] = []
    for listed in get_all_lexers(plugins=False):
        name, own, files, _ = cast("Listed", listed)
        for alias in own:
            aliases.setdefault(alias, name)
        for pattern in files:
            if pattern.startswith("*.") and not set(pattern[1:]) & set("*?["):
                endings[pattern[1:]].append(name)
            else:
                patterns.append((pattern, name))
    return _Tables(aliases, endings, patterns)
