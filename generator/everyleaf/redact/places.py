"""Home folders and user names in paths: always masked, since any page would show them."""

from __future__ import annotations

import re
from functools import lru_cache

from everyleaf.sources.content import names as words

HOME = "~"
USER = "user"

_CHARACTERS = r"[^\s/\\\"'<>:|?*`,;()\[\]{}$&=#%]"
_SEPARATOR = r"(?:/|\\{1,4})"
_ROOT = rf"(?:/mnt/[a-z]|/[a-z](?=/Users/)|[A-Za-z]:)?{_SEPARATOR}(?:home|Users)"
_BEFORE = r"(?:(?<=file://)|(?<=\\n)|(?<=\\t)|(?<=\\r)|(?<![\w.~/\\-]))"
_ANY_HOME = re.compile(
    rf"{_BEFORE}{_ROOT}{_SEPARATOR}({_CHARACTERS}{{1,64}})(?={_SEPARATOR})"
)
_CWD_HOME = re.compile(rf"{_ROOT}{_SEPARATOR}([^/\\]{{1,64}})")
_NO_PERSON = frozenset({"shared", "public", "default", "all users", "runner", "user"})
_COMMON = words(
    """
    admin apps build builder circleci codespace coder data default debian docker fedora git
    guest home jenkins linux local node python root runner server shared site source test
    ubuntu user users vagrant vscode work workspace www
    """
)
"""User names that are also names of folders: masked only behind `home` or `Users`."""
_SHORTEST_USER = 4


def user_in(folder: str) -> str | None:
    """Return the user whose home a working folder lies in, if it lies in one."""
    match = _CWD_HOME.match(folder)
    if match is None or match[1].lower() in _NO_PERSON:
        return None
    return match[1]


def mask_places(text: str, users: tuple[str, ...]) -> str:
    """Return `text` with home folders as `~` and the names of `users` in paths masked.

    The home of one of `users` is known wherever it stands; another one only where
    something follows it, so that `/home/settings` of a web site stays. Linear.
    """
    if users:
        home, encoded, folder = _patterns(users)
        if home.search(text):
            text = home.sub(HOME, text)
        if any(user in text for user in users):
            text = folder.sub(USER, text)
        if "-home-" in text or "-Users-" in text:
            text = encoded.sub(rf"\1{USER}", text)
    if "/home" in text or "Users" in text or "\\home" in text:
        text = _ANY_HOME.sub(HOME, text)
    return text


@lru_cache(maxsize=64)
def _patterns(
    users: tuple[str, ...],
) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what finds the homes, the encoded names, and the folders named after users."""
    longest_first = sorted(users, key=lambda user: (-len(user), user))
    names = "|".join(map(re.escape, longest_first))
    slugs = "|".join(re.escape(re.sub(r"[^A-Za-z0-9]", "-", u)) for u in longest_first)
    rare = [
        u for u in longest_first if len(u) >= _SHORTEST_USER and u.lower() not in _COMMON
    ]
    folders = "|".join(map(re.escape, rare)) or r"(?!)"
    return (
        re.compile(rf"(?<![\w.~]){_ROOT}{_SEPARATOR}(?:{names})(?![\w-]|\.\w)"),
        re.compile(rf"(-(?:home|Users)-)(?:{slugs})(?![A-Za-z0-9])"),
        re.compile(rf"(?<=[/\\])(?:{folders})(?=[/\\]|$)"),
    )
