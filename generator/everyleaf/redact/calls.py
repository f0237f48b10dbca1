"""Passwords in calls and tables of programs, beside who logs in with them.

BasicAuth("bob", "…"), connect(host, "bob", "…", db), hash("…"), users = {"bob": "…", "eve": "…"}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.judging import is_far_password, is_key_in_prose, is_odd, is_word
from everyleaf.redact.words import is_numbered, is_words
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.redact.views import View

_LOGIN = (
    r"\w*(?:connect|auth|log_?in|sign_?in|credentials?|database|mysqli|bind|new_?instance|wi-?fi\.begin"
    r"|set_?user|(?:create|add)_?(?:user|account))\w*"
)
_TAKING = (
    r"\w*(?:pass\w*_?hash|hash_?(?:pw|pass|sync)|hmac|b_?crypt|scrypt|argon|plain_?text|secret_?key"
    r"|(?:en|de)crypt|pbkdf2|cookie_?(?:parser|session)|signer|(?:safe|timed)_?serializer|keystore)\w*"
    r"(?:[\"')]{1,4})?(?:\.\w{1,20})?"
)
_CLIENT = r"\w*(?:client|bot)(?:\(\))?(?:\.(?:run|login|start))?"
_TABLE = r"(?:users?|accounts?|logins?|creds|credentials|passwords?|(?:basic_?)?auth|authenticators?)"
_QUOTED = r"\\*[\"'][^\"'\n\\]{1,64}\\*[\"']"
SIGNS = (
    rf"{_LOGIN}(?:(?:::|\.)(?:new|\w*called\w*with))?[ ]?\\*[({{\"][^\n]{{0,120}}\\*[\"'][^\s\"']{{6,64}}\\*[\"']",
    rf"{_CLIENT}\([^()\n]{{0,120}}\\*[\"'][^\s\"']{{8,64}}\\*[\"']",
    rf"{_TAKING}\([^()\n]{{0,60}}\\*[\"'][^\s\"']{{8,64}}\\*[\"']",
    rf"{_TABLE}[\"']?[ ]?(?:=>|[=:])[ ]?(?:\w{{1,20}}\()?[\[{{(][\[{{( ]*(?:{_QUOTED}|\w{{2,30}})[ ]?(?:[:,]|=>|\]=)[ ]?\\*[\"'][^\s\"']{{6}}",
)
"""What is in each line that something is found in, without regard to case."""
_PLACES = rf"(?i)\b(?:({_LOGIN})(?:(?:::|\.)(?:new|\w*called\w*with))?[ ]?[({{]|({_TAKING})\(|({_CLIENT})\(|{_TABLE}[\"']?[ ]?(?:=>|[=:])[ ]?(?:\w{{1,20}}\()?([\[{{(]))"
_STRING = lazily(r"\\?([\"'])([^\"'\n\\]{1,128})\\?\1")
_PAIR = lazily(
    r"[\s,({\[\])}]*\\?[\"']?(?!(?:login|name|user\w*|e-?mail|id|title|url|role|type|host)\b)[\w.@+-]{1,60}\\?[\"']?\s?(?::|,|=>|\]=)\s?\\?[\"']([^\s\"'\\]{6,64})\\?[\"']"
)
_BESIDE = lazily(r"[ \\\s]*(?:\.\w+\(\))?(?:,\s?(?:Some\()?|\+|', ')[ \\\s]*[bfru]{0,2}")
"""What stands between who logs in and a password."""
_WITHIN = lazily(r"\([^()]*\)")
_DIGEST = lazily(r"[0-9a-f]{32,128}")
_USER = lazily(r"[\w.@+=,-]{1,60}")
_ACCOUNT = lazily(r"AC[0-9a-f]{32}\b|(?i:account_?sid)\b,")
"""What Twilio's tokens stand behind; they look like digests."""
_LOGS_IN, _TAKES, _OF_CLIENT = _CALLS = 1, 2, 3
"""A call that logs in, one that takes a password or a key, one that makes a client."""
_LONG_KEY = 24
_FARTHEST = 300
_MOST_STRINGS = 8


def iter_calls(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where passwords stand in calls and tables, and the kind of each."""
    text = view.text
    for found in compile_pattern(_PLACES).finditer(view.body):
        _, at = view.span(*found.span())
        end = text.find("\n", at, at + _FARTHEST)
        end = min(len(text), at + _FARTHEST) if end < 0 else end
        if found.span(4)[0] >= 0:
            spans = _of_table(text, at, end)
        else:
            number = next(one for one in _CALLS if found.span(one)[0] >= 0)
            spans = _of_call(text, at, end, number)
        yield from ((*span, "password") for span in spans)


def _of_table(text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the passwords of users stand, up to what is none."""
    while (pair := _PAIR.match(text, at, end)) is not None and is_odd(pair[1]):
        yield pair.span(1)
        at = pair.end()


def _of_call(text: str, at: int, end: int, call: int) -> Iterator[tuple[int, int]]:
    """Yield where passwords stand among the arguments of a call.

    Behind who logs in, one may have fewer signs than elsewhere.
    """
    before = ""
    stop = at
    for _ in range(_MOST_STRINGS):
        if (found := _STRING.search(text, stop, end)) is None:
            return
        if ")" in _WITHIN.sub("", text[stop : found.start()]):  # Of another call.
            return
        value = found[2]
        is_of_account = _ACCOUNT.search(text, at, found.start()) is not None
        if _DIGEST.fullmatch(value) and not is_of_account:
            return
        is_behind = (
            call == _LOGS_IN
            and _USER.fullmatch(before) is not None
            and _BESIDE.fullmatch(text, stop, found.start()) is not None
        )
        if (
            is_far_password(value)
            or (is_odd(value) and (is_behind or call == _TAKES))
            or (is_behind and any((is_word(value), is_words(value, 2), is_numbered(value))))
            or (call == _OF_CLIENT and len(value) >= _LONG_KEY and is_key_in_prose(value))
            or is_of_account
        ):
            yield found.span(2)
        before = value
        stop = found.end()
