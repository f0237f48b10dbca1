"""Who and where somebody is: home folders, and in public sites addresses and hosts, too.

Home folders and user names in paths are always masked, since any page would show them.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact.kinds import Finding
from everyleaf.redact.words import FOLDERS
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

HOME = "~"
USER = "user"

_CHARACTERS = r"[^\s/\\\"'<>:|?*`,;()\[\]{}$&=#%]"
_SEPARATOR = r"(?:/|\\{1,4})"
_ROOT = rf"(?:/mnt/[a-z]|/[a-z](?=/Users/)|[A-Za-z]:)?{_SEPARATOR}(?:home|Users)"
_BEFORE = r"(?:(?<=file://)|(?<=\\n)|(?<=\\t)|(?<=\\r)|(?<![\w.~/\\-]))"
_ANY_HOME = lazily(rf"{_BEFORE}{_ROOT}{_SEPARATOR}({_CHARACTERS}{{1,64}})(?={_SEPARATOR})")
_CWD_HOME = lazily(rf"{_ROOT}{_SEPARATOR}([^/\\]{{1,64}})")
_NO_PERSON = frozenset({"shared", "public", "default", "all users", "runner", "user"})
_EMAIL = lazily(
    r"(?<![A-Za-z0-9._%+/:-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}"
    r"(?![A-Za-z0-9(-])"
)
_PRIVATE = r"(?:internal|intranet|local|localdomain|lan|corp|home\.arpa)"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_HOST = lazily(
    rf"(?:(?<=//)|(?<=@))((?:{_LABEL}\.){{1,6}}{_PRIVATE})(?![\w-]|\.\w)"
    rf"|(?<![\w./@-])((?:{_LABEL}\.){{1,6}}{_PRIVATE})(?=:\d)"
)
_KEPT_HOSTS = frozenset({"host.docker.internal", "host.containers.internal"})
"""Names that every machine with containers has."""
KEPT_EMAILS = names(
    "noreply@* no-reply@* git@* *@example.com *@example.org *@example.net *@*.example.com"
    " *@test.com *@domain.tld *@openssh.com* *@*.example *@users.noreply.github.com"
)
"""Addresses that are nobody's."""


def user_in(folder: str) -> str | None:
    """Return the user whose home a working folder lies in, if it lies in one."""
    match = _CWD_HOME.match(folder)
    if match is None or match[1].lower() in _NO_PERSON:
        return None
    return match[1]


class _Rule(NamedTuple):
    """What a pattern finds is shown as `shown`."""

    literals: tuple[str, ...]
    """One of them is in each match, at most `_BEFORE_LITERAL` characters from its start."""
    pattern: re.Pattern[str]
    shown: str
    is_meant: Callable[[re.Match[str]], bool] = lambda _: True


_BEFORE_LITERAL = 12
_BEHIND_LITERAL = 200
"""No match is longer."""


def mask_places(text: str, users: tuple[str, ...]) -> str:
    """Return `text` with home folders as `~` and the names of `users` in paths masked.

    The home of one of `users` is known wherever it stands; another one only where
    something follows it, so that `/home/settings` of a web site stays. Linear.
    """
    for rule in _rules(users):
        hits: list[int] = []
        for literal in rule.literals:
            if literal in text:
                hits += (one.start() for one in re.finditer(re.escape(literal), text))
        if hits:
            text = _replace_at(sorted(hits), text, rule)
    return text


def literals_of(users: tuple[str, ...]) -> frozenset[str]:
    """Return of what one is in each text in which `mask_places` masks something."""
    return frozenset(literal for rule in _rules(users) for literal in rule.literals)


def is_on_disk(match: re.Match[str]) -> bool:
    """Return whether a folder is part of a path on disk, not of a web or module address.

    A public account's name (`github.com/alice/parser`) is no place; to mask it would break
    every import. Looks back to where the path begins, at most 300 characters.
    """
    begin = max(0, match.start() - _LONGEST_PATH)
    path = _PATH_BEFORE.search(match.string[begin : match.start()])
    return path is not None and _ROOTED.match(path[0]) is not None


_LONGEST_PATH = 300
_PATH_BEFORE = lazily(r"[^\s\"'`<>|()=,;:\[\]{}]*\Z")
_ROOTED = lazily(
    r"(?:///|/(?!/)|~|\$|(?:home|Users)[/\\]|\\{1,4}[tnr]/|\\(?![tnr][^\\]*(?:/|\Z)))"
)
"""Where a path on disk begins; `\\t` and the like are no folders but escapes."""


def _replace_at(hits: list[int], text: str, rule: _Rule) -> str:
    """Return `rule.pattern.sub(rule.shown, text)`, from where its literals stand.

    Patterns that begin with what may be there or not are tried at every character of a
    text; few texts have a folder in more than a few places.
    """
    parts: list[str] = []
    done = 0
    for at in hits:
        if at < done:
            continue
        start = max(done, at - _BEFORE_LITERAL)
        match = rule.pattern.search(text, start, at + _BEHIND_LITERAL)
        if match is not None and rule.is_meant(match):
            parts += (text[done : match.start()], rule.shown)
            done = match.end()
    parts.append(text[done:])
    return "".join(parts)


_HOMES = ("home", "Users")
_STRANGER = _Rule(_HOMES, _ANY_HOME, HOME)


@lru_cache(maxsize=64)
def _rules(users: tuple[str, ...]) -> tuple[_Rule, ...]:
    """Return what finds homes, folders named after users, and encoded names."""
    if not users:
        return (_STRANGER,)
    longest_first = sorted(users, key=lambda user: (-len(user), user))
    names = "|".join(map(re.escape, longest_first))
    slugs = "|".join(re.escape(re.sub(r"[^A-Za-z0-9]", "-", u)) for u in longest_first)
    rare = tuple(u for u in longest_first if len(u) >= 4 and u.lower() not in FOLDERS)
    home = re.compile(rf"(?<![\w.~]){_ROOT}{_SEPARATOR}(?:{names})(?![\w-]|\.\w)")
    folders = {
        user: re.compile(rf"(?<=[/\\]){re.escape(user)}(?=[/\\]|$)") for user in rare
    }
    encoded = re.compile(rf"(?:(?<=-home-)|(?<=-Users-))(?:{slugs})(?![A-Za-z0-9])")
    return (
        _Rule(_HOMES, home, HOME),
        *(_Rule((user,), folders[user], USER, is_on_disk) for user in rare),
        _Rule(("-home-", "-Users-"), encoded, USER),
        _STRANGER,
    )


def iter_people(text: str, digest: str, keep: Sequence[str]) -> Iterator[Finding]:
    """Yield the e-mail addresses and private hosts in `text`, but those that fit `keep`."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            address = match[0].lower()
            if not any(fnmatchcase(address, p) for p in (*KEPT_EMAILS, *keep)):
                yield Finding("email", match[0], digest, match.start(), match.end())
    if "." in text:
        for match in _HOST.finditer(text):
            host = match[1] or match[2]
            if host.lower() not in _KEPT_HOSTS:
                yield Finding("host", host, digest, *match.span(match.lastindex or 0))
