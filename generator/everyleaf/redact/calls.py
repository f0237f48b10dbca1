"""Passwords in calls and tables of programs, beside who logs in with them.

BasicAuth("bob", "…"), connect(host, "bob", "…", db), hash("…"), users = {"bob": "…", "eve": "…"}
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.judging import is_far_password, is_odd, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.redact.engine import Pattern
    from everyleaf.redact.views import View

_LOGIN = (
    r"\w*(?:connect|auth|log_?in|sign_?in|credentials?|database|mysqli|bind|wi-?fi\.begin"
    r"|set_?user|create_?user|add_?user)\w*"
)
_TAKING = r"\w*(?:pass\w*_?hash|hash_?(?:pw|pass|sync)|hmac|b_?crypt|scrypt|argon|plain_?text|secret_?key)\w*"
_TABLE = (
    r"(?:users?|accounts?|logins?|creds|credentials|passwords?|basic_?auth|authenticators?)"
)
_QUOTED = r"\\*[\"'][^\"'\n\\]{1,64}\\*[\"']"
SIGNS = (
    rf"{_LOGIN}[ ]?\\*[({{\"][^\n]{{0,120}}\\*[\"'][^\s\"']{{6,64}}\\*[\"']",
    rf"{_TAKING}\([^()\n]{{0,60}}\\*[\"'][^\s\"']{{8,64}}\\*[\"']",
    rf"{_TABLE}[\"']?[ ]?[=:][ ]?(?:\w{{1,20}}\()?[\[{{(][\[{{( ]*{_QUOTED}[ ]?(?:[:,]|=>)[ ]?\\*[\"'][^\s\"']{{6}}",
)
"""What is in each line that something is found in, without regard to case."""
_PLACES = rf"(?i)\b(?:({_LOGIN})[ ]?[({{]|({_TAKING})\(|{_TABLE}[\"']?[ ]?[=:][ ]?(?:\w{{1,20}}\()?([\[{{(]))"
_STRING = re.compile(r"\\?([\"'])([^\"'\n\\]{1,128})\\?\1")
_PAIR = re.compile(
    r"[\s,({\[\])}]*\\?[\"'](?!(?:login|name|user\w*|e-?mail|id|title)\\?[\"'])[\w.@+-]{1,60}\\?[\"']\s?(?::|,|=>)\s?\\?[\"']([^\s\"'\\]{6,64})\\?[\"']"
)
_DIGEST = re.compile(r"[0-9a-f]{32,128}")
_USER = re.compile(r"[\w.@+-]{1,60}")
_FARTHEST = 300
_MOST_STRINGS = 8


def iter_calls(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where passwords stand in calls and tables, and the kind of each."""
    text = view.text
    for found in _open_places().finditer(view.body):
        _, at = view.span(*found.span())
        end = text.find("\n", at, at + _FARTHEST)
        end = min(len(text), at + _FARTHEST) if end < 0 else end
        if found.span(3)[0] >= 0:
            spans = _of_table(text, at, end)
        else:
            spans = _of_call(text, at, end, is_login=found.span(1)[0] >= 0)
        yield from ((*span, "password") for span in spans)


@cache
def _open_places() -> Pattern:
    return compile_pattern(_PLACES)


def _of_table(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the passwords of users stand, up to what is none."""
    while (pair := _PAIR.match(text, at, end)) is not None and is_odd(pair[1]):
        yield pair.span(1)
        at = pair.end()


def _of_call(text: str, at: int, end: int, *, is_login: bool) -> Iterator[tuple[int, int]]:
    """Yield where passwords stand among the arguments of a call.

    Behind who logs in, one may have fewer signs than elsewhere.
    """
    before = ""
    stop = at
    for _ in range(_MOST_STRINGS):
        if (found := _STRING.search(text, stop, end)) is None:
            return
        value = found[2]
        if _DIGEST.fullmatch(value):
            return
        is_behind = (
            is_login
            and _USER.fullmatch(before) is not None
            and text[stop : found.start()].strip(" \\")
            in {",", "', '", "+", ", Some(", ",Some("}
        )
        if (
            is_far_password(value)
            or (is_odd(value) and (is_behind or not is_login))
            or (is_behind and is_word(value))
        ):
            yield found.span(2)
        if ")" in text[stop : found.start()]:
            return
        before = value
        stop = found.end()
