"""What was found, where, in which forms it is written, and how far it is to be masked."""

from __future__ import annotations

import base64
import html
import json
import math
import re
from collections import Counter
from functools import reduce
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import quote

from everyleaf.redact.examples import is_example
from everyleaf.redact.words import is_listed, is_shouted, is_words
from everyleaf.sources.lines import lazily, names

_FEWEST_BYTES = 40
_WALLET_SIZES = (51, 52, 111, 112)
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

_PADDING = (0, 1, 2)
_SHORTEST_CORE = 12
"""A shorter piece of base64 could stand for something else."""
_SHORTEST_HEX = 6
_KEY_LINE = lazily(r"[A-Za-z0-9+/=]{40,}")


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
    seen: str = ""
    """What stands there, where that is not `value`: split up, escaped, encoded."""


GENERIC = names(
    "secret password env-secret env-password bearer-token api-key-header cookie url-token"
    " basic-credentials connection-password credential-uri"
)
"""Kinds that say where a secret stood, not what it opens: another rule names it better."""
LOOSE = names("secret password api-key-header bearer-token url-token")
"""What stands near names, in whose places others stand as well."""

KIND_NAMES = {
    "generic-api-key": "secret",
    "alibaba-secret-key": "secret",
    "alibaba-sts-access-key-secret": "secret",
    "aws-secret-access-key": "secret",
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

_STRONG_LENGTH = 8
_LONG_WORD = 16
_LONG_PHRASE = 14
_MIN_ENTROPY = 2.5
_PASSPHRASE = lazily(r"(?:[A-Za-z]{4,}[-_]){2,}\d{2,4}")
_BETWEEN_WORDS = lazily("[-_. ]")
_FEWEST_GAPS = 3
"""Four words and more that no id has are a phrase of somebody, wherever they stand."""
_NUMBERED = lazily(r"\.\d+$")
_TOLD_OF = lazily(
    r"\d{4}-\d\d-\d\d(?:[T_ ]\d\d[\d:.,_-]*(?:Z|[+-]\d\d:?\d\d)?)?|\d+(?:\.\d+)+"
    r"|[a-z]{2,6}\d(?:\.\d+)+|[A-Z\d]+_[A-Z\d_]*=|[a-z]+(?:_[a-z]+)*="
    r"|[a-z][a-z\d_-]*@[a-z][a-z-]*\d{0,4}|.*[\"'][}\]]+,?"
)
"""When, what, who is where; what JSON ends with: that stands in any text."""
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLOSED = lazily(r"(?<=[^\\])\"(?:[}\]]+,?\Z|,\"\w.*)")
_CHOSEN = lazily(
    r"[A-Za-z][a-z]{4,}(?:[A-Z][a-z]+){0,2}(?!128|256|512)\d{2,4}!{1,2}|(?:[A-Z][a-z]{2,}){1,3}(?:[_#.@-]\d\d|(?!128|256|512)\d{3})\d{0,2}!{1,2}|@[a-z]+\d\w*\d!|[A-Z](?=[a-z]*[03@][a-z])[a-z03@]{3,11}\d{3}!|[A-Z][a-z]{2,11}(?:19|20)\d\d[.?]!|[A-Za-z]{3,24}(?:\(\d{2,6}\)|\[\d{2,6}\]|\{\d{2,6}\})[!?#%$]"
)
"""A word, a year and a mark: what people choose where one of each kind is asked for."""
_ESCAPED_END = lazily(
    r"(?<!\\)\\+[nrt](?:\\|[\s+#\[-]|$|[A-Za-z][A-Z0-9_]*=|[A-Za-z][a-z_.]*=).*|(?<!\\)(?:\\+[nrt])+$|</[a-z][\w-]{0,40}(?:>.*|$)"
)
"""What a line, or an element, ends with, and what follows."""

_LINK_END = lazily(r"\]\((?:[a-z]+:|[/.#]|[\w/-]+\.(?:md|html)\b)\S*$")
"""Where a link begins whose words end with a value."""


def kind_of(rule_id: str) -> str:
    """Return the kind that findings of a rule have: the last part of its id, or a name."""
    name = bare_name(rule_id)
    return KIND_NAMES.get(name, name)


def bare_name(rule_id: str) -> str:
    """Return the last part of the id of a rule of the scanner, without its number.

    >>> bare_name("betterleaks.npm-access-token.2")
    'npm-access-token'
    """
    return re.split(r"[./]", _NUMBERED.sub("", rule_id))[-1]


def is_strong(kind: str, value: str) -> bool:
    """Return whether a value is one of a kind: masked wherever it occurs.

    What looks like words (`postgres`) may stand anywhere, so it is masked only where it was
    found to be a password.
    """
    if len(value) < _STRONG_LENGTH:
        return False
    if kind not in GENERIC:
        return True
    is_row = value.islower() and len(_BETWEEN_WORDS.findall(value)) >= _FEWEST_GAPS
    return not is_example(value) and (
        is_random(value) or is_passphrase(value) or (is_row and is_words(value))
    )


def is_random(value: str) -> bool:
    """Return whether no word of any text is `value`: mixed, and no name with a number."""
    classes = sum(any(map(of, value)) for of in (str.isdigit, str.islower, str.isupper))
    classes += not all(map(str.isalnum, value))
    is_plain = _is_ordinary(value) or is_told_of(value)
    return classes >= 2 and entropy(value) >= _MIN_ENTROPY and not is_plain


def is_told_of(value: str) -> bool:
    """Return whether a value is a moment, a number, a name or who is where."""
    return _TOLD_OF.fullmatch(value) is not None


def _is_ordinary(value: str) -> bool:
    parts = [part for part in re.split(r"[-_. /:]+|(?<=[a-z])(?=[A-Z])", value) if part]
    return (
        all(part.isalpha() or part.isdigit() for part in parts)
        and (value.islower() or value.isupper() or len(parts) > 1 or value.isalpha())
        and not (len(parts) > 2 and any(map(str.isdigit, value)) and len(value) > 20)
        # Where a password stood, a long run of small and large letters is no word.
        and not (len(value) >= _LONG_WORD and value.isalpha() and not value.islower())
    )


def is_passphrase(value: str) -> bool:
    """Return whether unusual words with a number are a value: `moni-tino-tuzaki-85`.

    Names with usual words are not (`my-branch-12`), nor is what goes on behind the number.
    """
    if len(value) < _LONG_PHRASE or _PASSPHRASE.fullmatch(value) is None:
        return False
    return not any(is_listed(part) for part in re.split("[-_]", value) if part.isalpha())


def best_kind(kinds: set[str]) -> str:
    """Return the kind that says most, of those that were found for one value."""
    return min(kinds, key=lambda kind: (kind in GENERIC, kind == "jwt", kind))


def entropy(value: str) -> float:
    """Return the entropy of the characters of `value` in bits a character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def is_wallet_key(value: str) -> bool:
    """Judge what a wallet may have printed: bytes, or what ends with a checksum of it."""
    if "," in value:
        numbers = [int(number) for number in value.split(",")]
        return len(set(numbers)) > _FEWEST_BYTES and max(numbers) < 256
    if value.startswith("nsec") or value[1:4] == "prv":
        return True
    return any(map(_ends_with_checksum, (value[:size] for size in _WALLET_SIZES)))


def _ends_with_checksum(value: str) -> bool:
    if not set(value) <= set(_BASE58):  # More may follow a key without a gap.
        return False
    number = reduce(lambda said, sign: said * 58 + _BASE58.index(sign), value, 0)
    body = number.to_bytes(len(value), "big").lstrip(b"\0")
    return body[-4:] == sha256(sha256(body[:-4]).digest()).digest()[:4]


def trimmed(value: str, before: str = "") -> str:
    """Return a value without the punctuation of the sentence, or the program, around it.

    Between quotes, it is without what follows those in JSON.
    """
    if before and before in "\"'`":
        return _CLOSED.sub("", value) if before == '"' else value
    kept = _ESCAPED_END.sub("", value)
    if value[0] not in _BRACKETS.values():
        kept = _LINK_END.sub("", kept) or value
    while kept and not is_shouted(kept) and not _CHOSEN.fullmatch(kept) and _is_ended(kept):
        kept = kept[:-1]
    return kept or value


def _is_ended(value: str) -> bool:
    """Return whether punctuation, or a bracket that was not opened, ends a value."""
    sign = value[-1]
    is_mark = sign in ".,;:!?'\"`*\\" or (sign >= "\u2000" and not sign.isalnum())
    return is_mark or _BRACKETS.get(sign, value) not in value


def forms_of(value: str) -> tuple[str, ...]:
    """Return `value` as it is, and as JSON (also twice), URL, HTML, hex and base64 have it.

    Base64 gives six forms: three offsets in the encoded text, two alphabets; the characters
    at both ends that depend on what stands around are left out.
    """
    value = value.encode(errors="replace").decode()  # As texts are looked through.
    escaped = json.dumps(value, ensure_ascii=False)[1:-1]
    forms = [
        value,
        escaped,
        json.dumps(value)[1:-1],
        json.dumps(escaped, ensure_ascii=False)[1:-1],
        value.replace("/", "\\/"),
        quote(value, safe=""),
        quote(value, safe="").lower(),
        html.escape(value),
    ]
    if len(value) >= _SHORTEST_HEX:
        forms += [value.encode().hex(), value.encode().hex().upper()]
    for offset in _PADDING:
        core = _base64_core(value.encode(), offset)
        if len(core) >= _SHORTEST_CORE:
            forms += [core, core.replace("+", "-").replace("/", "_")]
    if "\n" in value:
        forms.append(value.replace("\n", "\r\n"))
    return tuple(dict.fromkeys(forms))


def key_lines(value: str) -> tuple[str, ...]:
    """Return the long lines of a private key: they stand alone in diffs and listings."""
    return tuple(dict.fromkeys(_KEY_LINE.findall(value)))


def _base64_core(data: bytes, offset: int) -> str:
    """Return the part of a base64 text that `data` alone decides, `offset` bytes in."""
    encoded = base64.b64encode(bytes(offset) + data).decode()
    whole = (offset + len(data)) // 3 * 4
    return encoded[(0, 2, 3)[offset] : whole]
