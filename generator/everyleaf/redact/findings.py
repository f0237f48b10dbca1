"""What was found, where, and how far it is to be masked."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import NamedTuple


class Finding(NamedTuple):
    """One hit of a rule in one text."""

    kind: str
    """What it is, as a placeholder says it: `github-token`."""
    value: str
    text: str
    """Digest of the text that it stands in (`digest_text`); empty: known by itself."""
    start: int = 0
    """Where it stands in that text, in characters."""
    end: int = 0
    line: int = 0
    """1-based line of the source file; 0 for its name or what was written beside it."""


GENERIC = (
    "secret",
    "password",
    "env-secret",
    "env-password",
    "bearer-token",
    "api-key-header",
    "cookie",
    "connection-password",
    "credential-uri",
)
"""Kinds that say where a secret stood, not what it opens: another rule names it better."""

KIND_NAMES = {
    "generic-api-key": "secret",
    "generic-credential-uri": "connection-password",
    "generic-password": "password",
    "github-pat": "github-token",
    "github-app-token": "github-token",
    "github-oauth": "github-token",
    "github-fine-grained-pat": "github-token",
    "github-refresh-token": "github-token",
    "gitlab-pat": "gitlab-token",
    "anthropic-api-key": "anthropic-key",
    "anthropic-admin-api-key": "anthropic-key",
    "aws-access-token": "aws-access-key-id",
}
"""Names for readers, where a rule's own name is another one."""

_PASSWORDS = frozenset({"password", "env-password", "connection-password", "secret"})
_STAND_IN = re.compile(
    r"(?:^|[^a-z])(?:your|my|some|insert|replace|enter)[-_ ]?(?:own[-_ ])?(?:[a-z]+[-_ ])?"
    r"(?:api|key|token|secret|pass|password)|example|placeholder|changeme|change[-_]me|"
    r"redacted|dummy|(?:x{4,}|\*{3,}|\.{3,}|0{8,}|1234567|abcdefg)|^(?:none|null|true|"
    r"false|undefined|string|password|required|optional)$",
    re.IGNORECASE,
)
_STOCK_WORD = re.compile(
    r"pass(?:word|wd|phrase)?|secret|test(?:ing|er)?|admin|user(?:name)?|strong|secure|weak|"
    r"demo|sample|hello|world|welcome|valid|wrong|correct|invalid|old|new|super|hunter2|"
    r"qwerty|letmein|default|root|local|dev|my|the",
    re.IGNORECASE,
)
_CODE = re.compile(r"[({\[]|^(?:process|os|self|this|config|settings|env)\.|^\$|^%[(\w]")
STRONG_LENGTH = 12
_MIN_ENTROPY = 3.0


def kind_of(rule_id: str) -> str:
    """Return the kind that findings of a rule have: the last part of its id, or a name."""
    name = rule_id.rpartition(".")[2]
    return KIND_NAMES.get(name, name)


def is_stand_in(kind: str, value: str) -> bool:
    """Return whether a value only shows where a secret would stand: no secret itself."""
    if len(set(value)) <= 3:
        return True
    if kind == "private-key":
        return False
    if kind in {"password", "secret"} and is_stock(value):
        return True
    return _STAND_IN.search(value) is not None or (
        kind in GENERIC and _CODE.search(value) is not None
    )


def is_stock(value: str) -> bool:
    """Return whether `value` is made of the words of examples: `StrongPass123!`.

    At most digits of a year and one other letter are left without them.
    """
    rest = _STOCK_WORD.sub("", value)
    return rest != value and sum(map(str.isalpha, rest)) <= 1 and len(rest) <= 6


def is_strong(kind: str, value: str) -> bool:
    """Return whether a value is one of a kind: masked wherever it occurs.

    Twelve characters or more that look random. What looks like words (`postgres`) may
    stand anywhere, so it is masked only where it was found to be a password.
    """
    if len(value) < STRONG_LENGTH:
        return False
    if kind in GENERIC or kind in _PASSWORDS:
        return is_random(value)
    return True


def is_random(value: str) -> bool:
    """Return whether no person would write `value` but from a key: mixed, without words."""
    if is_stock(value):
        return False
    classes = sum(
        any(test(c) for c in value) for test in (str.isdigit, str.islower, str.isupper)
    )
    return classes >= 2 and entropy(value) >= _MIN_ENTROPY


def entropy(value: str) -> float:
    """Return the entropy of the characters of `value` in bits a character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def best_kind(kinds: set[str]) -> str:
    """Return the kind that says most, of those that were found for one value."""
    return min(kinds, key=lambda kind: (kind in GENERIC, kind == "jwt", kind))
