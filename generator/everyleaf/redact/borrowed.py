"""The patterns of the secret scanner, read from it once on a machine and matched by us.

The program is 49 MB, takes a second to start and wants files; its patterns are compiled in
less than a second, once on a machine, and go through 150 MB of text a second.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, cast

import orjson

from everyleaf.digest import digest_hex
from everyleaf.errors import RedactError
from everyleaf.memo import open_memo
from everyleaf.redact.examples import is_example
from everyleaf.redact.formats import BEGIN, is_key
from everyleaf.redact.judging import is_identifier
from everyleaf.redact.kinds import bare_name, entropy, kind_of
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from pathlib import Path

HINT = "install the scanner (pip install kingfisher-bin), or publish without: --no-redact"
_TAIL = lazily(r"\(\?:\\\\\?\['\"\\x60\]\|\[\\s;\]\|\\\\\[nr\]\|\$\)$|\\b$")
"""How many of the patterns end: by what may stand behind a key in a source file."""
_END = "(?:[^A-Za-z0-9]|$)"
_ANY_KEY = lazily(r"(\A\(\?i[:)]\(\?:(?:\w+\|)*secret\|(?:access\|)?)key(?=[|)])")
"""What a pattern begins with that takes any name of a key, and not only a vendor's."""
_NO_PUBLIC = (
    r"(?:^[ _-]?|[^cey _-]|[^h]e|(?:[^cey]|[^h]e)[ _-])"
    r"key(?:\b|[_\d]|s\b|[adeg-mo-qtuvxyz])"
)
"""No key of a cache, no public key, and no word that begins so: `keychain`, `keyframe`."""
_URL_PASSWORD = lazily(r"://[^\s:/@]*:([^\s@]*)@")
_WORDS = lazily(r"/?[A-Z]?[a-z]{2,}")
_FLAGS = lazily(r"\A\(\?[imsx]+\)")
_ENDLESS = lazily(r",\d{4,}\}")
"""RE2 counts to 1,000."""
_NO_GROUP = lazily(r"\(\?(?!P<)|\\\(")
_OURS = (
    *("generic-", "curl-auth-", "password", "kubernetes-secret", "aws-access-"),
    *("azure-client-id", "azure-tenant-", "azure-storage-account-key", "twilio-api-"),
    *("buildkite-service-", "facebook-access-", "ibm-cloud-user-", "salesforce-access-"),
    *("vault-service-", "zai-api-", "posthog-project-"),
)
"""Beginnings of the names of rules for which everyleaf has its own, in all places, or
which find what opens nothing.

Those of keys without a prefix have no word that a text must hold, and would each be tried
on every text: `formats` has them as one pattern.
"""


def borrowed_patterns(folder: Path) -> tuple[tuple[str, str], ...]:
    """Return the scanner's rules as (kind, pattern of RE2), remembered in `folder`.

    Patterns end where a token does, not where one does in a source file.

    Raises:
        RedactError: the scanner is missing, or says nothing that can be read.
    """
    key = f"rules-{scanner_version()}"
    memo = open_memo(folder, "rules")
    known = memo.load(key, bytes)
    if known is None:
        known = _ask()
        memo.save(key, known)
    try:
        told = cast("list[dict[str, str]]", orjson.loads(known))
        rules = ((str(rule["id"]), str(rule["pattern"])) for rule in told)
        wanted = (one for one in rules if not bare_name(one[0]).startswith(_OURS))
        return tuple((kind_of(name), _relaxed(pattern)) for name, pattern in wanted)
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise RedactError(
            "the secret scanner said nothing that can be read", hint=HINT
        ) from error


def is_likely_key(value: str) -> bool:
    """Judge what a pattern of the scanner finds, which has more rules than it tells."""
    inside = _URL_PASSWORD.search(value)
    if inside is not None and is_example(inside[1]):
        return False
    in_words = sum(map(len, _WORDS.findall(value)))
    is_name = in_words * 5 >= len(value) * 4 and ("/" in value or not value.islower())
    if is_name or (value.isalpha() and is_identifier(value)):
        return False
    return len(value) >= 8 and is_key(value) and entropy(value) >= 3.0


def scanner_version() -> str:
    """Return what names the scanner's rules.

    Raises:
        RedactError: it is not installed.
    """
    try:
        from kingfisher import __version__  # noqa: PLC0415  (only where it is used)  # pyright: ignore[reportMissingTypeStubs]  (it has none)
    except ImportError as error:
        raise RedactError("the secret scanner is not installed", hint=HINT) from error
    return digest_hex(f"1 {__version__}".encode())


def _ask() -> bytes:
    try:
        from kingfisher import get_binary_path  # noqa: PLC0415  (only where it is used)  # pyright: ignore[reportMissingTypeStubs]  (it has none)

        done = subprocess.run(  # noqa: S603  (our own program, our own arguments)
            [get_binary_path(), "rules", "list", "--format", "json", "--no-update-check"],
            capture_output=True,
            check=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )
    except (ImportError, OSError, subprocess.SubprocessError) as error:
        raise RedactError("the secret scanner does not say its rules", hint=HINT) from error
    return done.stdout


def _relaxed(pattern: str) -> str:
    pattern = _ENDLESS.sub(",}", pattern.replace("(?x)", ""))
    pattern = _ANY_KEY.sub(lambda found: found[1] + _NO_PUBLIC, pattern)
    pattern = pattern.replace("secret|access|", "secret|(?:^|[^a-z])access|")
    flags = _FLAGS.match(pattern)
    head, rest = (flags[0], pattern[flags.end() :]) if flags else ("", pattern)
    if rest.startswith(r"\b"):
        rest = BEGIN + rest[2:]
    ended = _TAIL.sub("", rest)
    if "(" not in _NO_GROUP.sub("", rest):
        ended, rest = (f"{BEGIN}({one.removeprefix(BEGIN)})" for one in (ended, rest))
    return head + (ended + _END if ended != rest else rest)
