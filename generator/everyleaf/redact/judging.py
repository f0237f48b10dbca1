"""Whether what stands in a place of passwords is one: names and prose stand there, too."""

from __future__ import annotations

import base64
import re
from contextlib import suppress

from everyleaf.redact.examples import (
    FIELDS,
    MESSAGES,
    PROSE,
    is_code,
    is_example,
    is_name,
    is_placeholder,
)
from everyleaf.redact.strength import entropy


def is_password(value: str) -> bool:
    """Judge what is a password by its place alone, unless it stands for one."""
    return len(value) >= 2 and not is_placeholder(value)


def is_unquoted(value: str) -> bool:
    """Judge what may be an expression or a word of prose as well."""
    return is_password(value) and not is_code(value)


def is_word_too(value: str) -> bool:
    """Judge what stands where prose has words: one of letters alone is a word."""
    return (
        len(value) >= 4
        and is_unquoted(value)
        and not value.isalpha()
        and not is_name(value)
    )


def is_argument(value: str) -> bool:
    """Judge what follows an option in a command."""
    return is_unquoted(value) and value.lower() not in PROSE and value[0] not in "-|&>;"


def is_token(value: str) -> bool:
    """Judge what is a token if it looks random: mixed, or long without being words."""
    if len(value) < 8 or is_example(value) or is_code(value) or "://" in value[:10]:
        return False
    if " " in value:
        return any(map(str.isdigit, value)) and is_phrase(value)
    has_digit = any(map(str.isdigit, value))
    if has_digit and any(map(str.isalpha, value)):
        return entropy(value) >= (2.5 if len(value) < 16 else 2.9) and not _is_versioned(
            value
        )
    if value.isdigit():
        return len(value) >= 16
    return (
        len(value) >= 12
        and entropy(value) >= 3.0
        and not is_name(value)
        and _is_dense(value)
    )


def is_unquoted_token(value: str) -> bool:
    """Judge a token where expressions and paths stand as well."""
    return (
        len(value) >= 10
        and is_token(value)
        and not value.startswith(("/", "~", "./", "$"))
        and not (value.isalpha() and (value.islower() or value.istitle()))
    )


def is_header(value: str) -> bool:
    """Judge the value of a header."""
    return (
        len(value) >= 8 and is_password(value) and not is_code(value) and not is_name(value)
    )


_VERSIONED = re.compile(r"[A-Za-z]*\d{0,4}[A-Za-z]?")
_BETWEEN = re.compile(r"[-_./: ]+")


def _is_versioned(value: str) -> bool:
    """Return whether words with numbers are all there is: `claude-sonnet-4-5`, `test_2`."""
    parts = _BETWEEN.split(value)
    if not all(map(_VERSIONED.fullmatch, parts)):
        return False
    words = "-".join(word for part in parts if (word := part.strip("0123456789")))
    digits = sum(map(str.isdigit, value))
    return is_name(words) and (len(parts) > 1 or len(value) < (12 if digits < 2 else 8))


def _is_dense(value: str) -> bool:
    """Return whether a value is one run of characters: no prose, no path, no list."""
    return " " not in value and value.count("/") <= 2 and value.count(".") <= 2


def is_phrase(value: str) -> bool:
    """Judge a password in quotes, where messages to people stand as well."""
    if len(value) < 4 or is_example(value):
        return False
    if " " in value.strip():
        words = value.split()
        plain = sum(word.isalnum() and word == word.lower() for word in words)
        return (
            (2 if any(map(str.isdigit, value)) else 3) <= len(words) <= 8
            and plain == len(words)
            and not PROSE & set(words)
            and (not any(word in MESSAGES for word in words))
        )
    if value[0] in "/.#[(" and not any(map(str.isdigit, value)):
        return False
    parts = set(re.split(r"[-_. ]+", value.lower()))
    return not is_name(value) or (len(value) >= 6 and parts.isdisjoint(FIELDS))


def is_url_password(value: str) -> bool:
    """Judge what stands before the `@` of an address."""
    return (
        len(value) >= 2
        and not is_placeholder(value)
        and not value.startswith(("$", "{", "%s", "%(", "<"))
    ) or (len(value) > 3 and value.startswith("$") and not is_placeholder(value))


def is_word_or_short(value: str) -> bool:
    """Judge what follows `password=`, where short words are labels."""
    return (
        is_unquoted(value)
        and not (value.isalpha() and value.islower() and len(value) < 8)
        and not is_name(value)
    )


def is_url_token(value: str) -> bool:
    """Judge a parameter of an address."""
    return (
        len(value) >= 6
        and not is_example(value)
        and not is_name(value)
        and (
            (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))
            or len(value) >= 16
        )
        and not value.startswith(("$", "{", "%7B"))
        and not _is_versioned(value)
    )


def is_option_token(value: str) -> bool:
    """Judge what follows `--token`."""
    return (
        is_argument(value)
        and len(value) >= 6
        and not is_name(value)
        and (any(map(str.isdigit, value)) or not value.isalpha() or len(value) >= 16)
        and not value.startswith(("/", "./", "~", "http"))
        and "/" not in value[:2]
    )


def is_basic(value: str) -> bool:
    """Judge what stands behind `Basic`: base64 of a name and a password."""
    with suppress(ValueError):
        if b":" in base64.b64decode(value + "=" * (-len(value) % 4)):
            return True
    return len(value) >= 20 and is_encoded(value)


def is_encoded(value: str) -> bool:
    """Judge what is base64, or looks like it."""
    return (
        len(value) >= 8
        and not is_example(value)
        and entropy(value) >= 2.5
        and not is_name(value)
    )


def is_sql_password(value: str) -> bool:
    """Judge what follows PASSWORD in a statement."""
    return is_password(value) and (" " not in value or is_phrase(value))


def is_jar(value: str) -> bool:
    """Judge a header of cookies."""
    return "=" in value and not is_example(value)
