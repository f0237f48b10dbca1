"""Whether what stands in a place of passwords is one: names and prose stand there, too."""

from __future__ import annotations

import base64
import re
from contextlib import suppress
from functools import lru_cache
from math import log2

from everyleaf.redact import words
from everyleaf.redact.examples import (
    FIELDS,
    PROSE,
    is_code,
    is_example,
    is_name,
    is_placeholder,
)
from everyleaf.redact.kinds import entropy
from everyleaf.redact.words import is_listed, is_phrase_like, is_plain, is_versioned
from everyleaf.sources.lines import lazily


def is_password(value: str) -> bool:
    """Judge what is a password by its place alone, unless it stands for one."""
    return not is_placeholder(value)


def is_unquoted(value: str) -> bool:
    """Judge what may be an expression or a word of prose as well."""
    is_chosen = is_mixed_up(value) or words.are_everyday(value)
    return is_password(value) and (is_chosen or not is_code(value))


def is_mixed_up(value: str) -> bool:
    """Return whether a value has signs, letters and digits as no expression has them."""
    if _CALLED.fullmatch(value) and any(
        name != value and is_made(name) and not is_identifier(name)
        for name in _RUN.findall(value)
    ):
        return True
    core = value.lstrip("!*&(")
    if len(core) < len(value) and len(core) >= 10 and not is_code(core):
        return is_token(core) or (core[-2:].isdigit() and is_unlisted_token(core))
    signs = _SIGNS.findall(value)
    return is_punctuated(value) or (
        len(signs) >= 2
        and any(map(str.isdigit, value))
        and any(map(str.islower, value))
        and (
            any(map(str.isupper, value)) or len(set(signs)) >= 4 or len(value) >= _LONG_KEY
        )
        and len(value) >= _FEWEST_MIXED
        and entropy(value) >= min(3.5, log2(len(value)) - 0.2)
    )


def is_punctuated(value: str) -> bool:
    """Return whether a value is letters, digits and many signs, and nothing like a word."""
    is_mixture = _MIXTURE.fullmatch(value) is not None
    return is_mixture and len(set(_ANY_SIGN.findall(value))) >= 4 and entropy(value) >= 3.3


def _is_scrambled(value: str) -> bool:
    """Return whether small letters, large ones and signs follow each other in no order."""
    return (
        len(_SIGNS.findall(value)) >= 2
        and _has_both_sizes(value)
        and not is_code(value)
        and entropy(value) >= 3.3
    )


def _has_both_sizes(value: str) -> bool:
    return any(map(str.islower, value)) and any(map(str.isupper, value))


def is_made(value: str) -> bool:
    """Judge what only a name stands before: it is random, and no name of a release."""
    return (
        is_odd(value)
        and not is_versioned(value)
        and _has_both_sizes(value)
        and entropy(value) >= 2.5
    )


def is_word_too(value: str) -> bool:
    """Judge what stands where prose has words: one of letters alone is a word."""
    is_row = is_phrase_like(value) or words.are_everyday(value)
    return (
        len(value) >= 4
        and is_unquoted(value)
        and (is_row or not is_plain(value.rstrip("=")))
        and not _OTHER.match(value)
    )


def is_unlisted(value: str) -> bool:
    """Judge a word of letters that is all that is assigned: most of them are listed."""
    return is_unquoted(value) and not is_listed(value)


def is_unlisted_token(value: str) -> bool:
    """Judge a word of letters that is assigned to a name of a token."""
    return (
        len(value) >= 6
        and any(map(str.isalpha, value))
        and is_unlisted(value)
        and not is_example(value)
        and (
            not _NAMED.fullmatch(value) or (value.count("_") > 2 and words.is_words(value))
        )
    )


def is_quoted_mixed(value: str) -> bool:
    """Judge such a value between quotes, where no names of programs stand."""
    parts = _SIGNS.split(value)
    is_letters = words.is_shouted(value) or any(
        len(word) >= 8 and _LETTERS.fullmatch(word) and not is_plain(word) for word in parts
    )
    return (
        (is_letters or any(map(str.isdigit, value)) or _is_scrambled(value))
        and any(map(str.isalpha, value))
        and not is_listed(value)
        and not is_example(value)
        and not _RELEASE.fullmatch(value)
    )


def is_odd(value: str) -> bool:
    """Judge what stands near a name of a password: nothing else looks so."""
    return 8 <= len(value) <= 64 and _is_odd(value)


@lru_cache(maxsize=20_000)
def _is_odd(value: str) -> bool:
    # The same words stand in each form of a text, and in many texts.
    if words.is_shouted(value) or _WORDED.fullmatch(value) or words.is_compound(value):
        return not is_example(value)
    return ("_" not in value and words.is_words(value)) or (
        is_quoted_mixed(value)
        and is_unlisted_token(value)
        and (not is_versioned(value) or _has_unknown_words(value))
        and not value.startswith(("http", "/", "--", "~", "$"))
        and not any(sign in value for sign in ("::", "](", "=$"))
        and not words.is_counted(value)
    )


def is_far_password(value: str) -> bool:
    """Judge a password that stands apart from its name: names of all kinds do, too."""
    if words.is_shouted(value) or _WORDED.fullmatch(value) or words.is_compound(value):
        return not is_example(value)
    is_signed = is_odd(value) and not set(value).isdisjoint("!#$%^")
    return (
        is_made(value) or (is_signed and any(map(str.isdigit, value)))
    ) and not is_identifier(value)


def is_word(value: str) -> bool:
    """Judge a word of small letters, or three and more, where only a password stands."""
    parts = value.split("-")
    return (
        _SHORTEST_WORD <= len(value) <= _LONGEST_WORD * len(parts)
        and all(word.isalpha() and word.islower() for word in parts)
        and len(parts) != 2
        and value.isascii()
        and is_unlisted(value)
        and value not in words.USUAL
        and not is_example(value)
    )


def is_app_password(value: str) -> bool:
    """Judge four times four letters, as mail servers make passwords: no usual words."""
    return not any(map(is_listed, re.split("[ -]", value)))


def is_app_password_too(value: str) -> bool:
    """Judge such letters where a sentence goes on behind them."""
    said = sum(map(words.is_english, value.split()))
    return is_app_password(value) and (
        said < 2 or words.has_odd_letters(value.replace(" ", ""))
    )


def is_far_token(value: str) -> bool:
    """Judge a token that stands apart from its name: in a cell, in a sentence."""
    value = re.split(r"&\w+=", value, maxsplit=1)[0]  # More of an address may follow.
    digits = sum(map(str.isdigit, value))
    is_letters = value.isalpha() and not is_plain(value)
    is_letters = is_letters and len(value) >= (16 if value.isupper() else 20)
    is_letters = is_letters or (_is_torn(value) and entropy(value) >= 4)
    return (
        (digits >= (1 if len(value) >= 16 else 2) or is_letters or is_made(value))
        and is_unquoted_token(value)
        and "://" not in value
        and ("=" not in value.rstrip("=") or is_mixed_up(value))
        and not is_identifier(value)
        and not ("-" in value and is_versioned(value))
    )


def is_key_in_prose(value: str) -> bool:
    """Judge a key that no vendor's name stands before: no digest, but a wallet's."""
    return value.startswith("0x") or (is_far_token(value) and _has_both_sizes(value))


def is_session(value: str) -> bool:
    """Judge what a session is known by to who serves it: no name of one."""
    is_named = not any(map(str.isalpha, value)) or _SESSION.fullmatch(value)
    return is_far_token(value) and not is_named


def is_printed(value: str) -> bool:
    """Judge the line below a command that prints a secret."""
    judges = (is_far_token, is_odd, is_mixed_up, is_phrase_like, words.is_numbered)
    return not is_placeholder(value) and any(judge(value) for judge in judges)


def is_answer(value: str) -> bool:
    """Judge all that answers a question for a secret: also an unusual word."""
    return _is_no_path(value) and (
        is_printed(value) or (len(value) >= _SHORT_WORD and is_unlisted_token(value))
    )


def is_answer_too(value: str) -> bool:
    """Judge one line of such an answer: names stand in the others."""
    is_mail = _MAIL.search(value) is not None
    return (is_far_token(value) or is_odd(value)) and _is_no_path(value) and not is_mail


def _is_no_path(value: str) -> bool:
    """Return whether a value is no path, no address, no setting and no JSON."""
    if (_SETTING.match(value) and value[-1] != "=") or "://" in value:
        return False
    if "/" not in value or is_mixed_up(value):
        return True
    return _BASE64.fullmatch(value) is not None and is_made(value.rstrip("=")[:_LONGEST])


def is_cell(value: str) -> bool:
    """Judge what stands in a column of passwords."""
    is_named = _NAMED.fullmatch(value) is not None and not words.is_words(value, 1)
    return len(value) >= 4 and " " not in value and is_unlisted(value) and not is_named


def is_assigned(value: str) -> bool:
    """Judge the value of a field whose name stands beside it."""
    return is_unquoted(value) and not _NAMED.fullmatch(value)


def is_argument(value: str) -> bool:
    """Judge what follows an option in a command."""
    if value[0] == "-":
        return is_made(value[1:])
    if value.isupper() and is_listed(value.rstrip(_DIGITS)):
        return False  # What manuals call a value.
    if _ARCHIVE.fullmatch(value):
        return False  # `7z a -p` asks for one.
    return is_unquoted(value) and value.lower() not in PROSE and value[0] not in "|&>;"


def is_token(value: str) -> bool:
    """Judge what is a token if it looks random: mixed, or long without being words."""
    if len(value) < 8 or is_example(value) or "://" in value[:10] or not is_unquoted(value):
        return False
    if " " in value:
        return any(map(str.isdigit, value)) and is_phrase(value)
    has_digit = any(map(str.isdigit, value))
    if has_digit and any(map(str.isalpha, value)):
        is_short = len(value) < 16 or (len(value) < 20 and set(value) <= _HEX)
        return entropy(value) >= (2.4 if is_short else 2.9) and (
            not is_versioned(value)
            or (_has_unknown_words(value) and _NAME_SIGNS.search(value) is None)
        )
    if value.isdigit():
        return len(value) >= 16
    if _LETTERS.fullmatch(value):
        return not is_plain(value) or is_phrase_like(value)
    return (
        len(value) >= 12
        and entropy(value) >= 3.0
        and (not is_name(value) or _is_torn(value))
        and " " not in value
        and max(map(value.count, "/.")) <= _MOST_PARTS  # No path, no list.
    )


def is_unquoted_token(value: str) -> bool:
    """Judge a token where expressions and paths stand as well."""
    return (
        len(value) >= 8
        and is_token(value)
        and (
            not value.startswith(("/", "~", "./", "$", "#"))
            or (value.endswith("=") and _BASE64.fullmatch(value) is not None)
            or is_mixed_up(value)
        )
    )


def is_header(value: str) -> bool:
    """Judge the value of a header."""
    return (
        len(value) >= 8
        and not value.startswith(("${", "https://"))
        and not (value.endswith("=") and value[:-1].isalpha())  # Of several, the first.
        and is_unquoted(value)
        and (not is_plain(value) or is_phrase_like(value))
    )


_WORDED = lazily(
    r"(?:[A-Z][a-z]{2,}[-_.!@#$%+]){1,3}[A-Z][a-z]{2,}\d{1,4}[!?#$%]?|[A-Z][a-z]{3,11}[-_.](?:root|db|nas|vpn|prod|dev|admin|wifi|api|test)[1-9]\d{1,3}[!?#$%*]?"
)
"""Words with capitals and a number, or a purpose: `Maple-Falcon27`, `Maple_db417`."""
_SESSION = lazily(r"[0-9a-f]{8}-[0-9a-f-]+|\d{4}-\d\d-.*|[a-z]{2,8}[_-].*")
"""What archives name their sessions by."""
_CALLED, _RUN = lazily(r"[^\s\"'`.,]+"), lazily(r"\w{8,}")
"""What a call would be, and what it would be of, or with."""
_FIELD_PARTS = lazily(r"[-_. ]+|(?<=[a-z])(?=[A-Z])")
_LENGTH = lazily(
    r"(?i)\d[ ]?(?:[ck]ara[ck]t\w*|chars?|characters?|zeichen|te[ck]k?ens?|tegn|znak\w*"
    r"|merkki\w*|символ\w*|знак\w*)\b"
)
_TRANSLATION = lazily(r"[^A-Za-z0-9]*[^\W\x00-\x7f][^A-Za-z0-9]*")
"""Letters of other scripts alone."""
_NAMED = lazily(
    r"[A-Za-z]+(?:_[A-Za-z]+)+|(?:sha\d+|md5|b2)sum|[A-Z\d_]*(?:PASSWORD|SECRET|TOKEN)|(?:[A-Z\d_]*_)?(?:ACCESS|API|APP|AUTH|CLIENT|DB|LICENSE|MASTER|PRIV|PRIVATE|PUB|SECRET|SIGNING|SSH|USER)?KEY|[\w.-]+\.(?:pem|key|json|txt|ya?ml|toml|env|crt|cer|p8|p12|pfx|py|[jt]s)"
)
"""A name of a program, or of a file."""
_QUALIFIED = lazily(r"_?[a-z]\w*\.[A-Z][A-Za-z]+")
"""A class of a module."""
_NAME_SIGNS = lazily("[a-z][A-Z]|[A-Z]{2}|[_.]")
"""What names of programs have, and few passwords of words."""
_DIGITS = "0123456789"
_HEX = frozenset("0123456789abcdefABCDEF")
_MAIL, _ARCHIVE = (
    lazily(r"@[\w-]+\.[\w.-]+\Z"),
    lazily(r"[a-z_./-]+\.(?:7z|zip|rar|tar|t?gz)"),
)
_TEMPLATE = lazily(r"%s(?!\w*\d)|<(?!\w*\d\w*\Z)")
_OF_TYPE = lazily(r">|[^=]*; ")
_OTHER = lazily(
    r"https?://|[\w-]+:[x*!]+:|--|\(\[|\[\\|\[\w+=|[A-Z]{2,}(?:_[A-Z]+)*=[^=]|[a-z_]{3,16}=[a-z](?!\w+(?:=\w+)+\Z)"
)
"""An account, an option, an expression of a pattern, another field."""
_SHORTEST_WORD, _LONGEST_WORD, _LONG_KEY = 6, 24, 40
_FEWEST_MIXED, _LONG_NAME, _SHORT_WORD, _MOST_PARTS = 10, 20, 8, 2
UNPADDED = (
    r"(?=[A-Za-z0-9/]*(?:\d[A-Z]|[A-Z]\d|[a-z][A-Z][A-Z\d]))(?=[A-Za-z+/]*\d)"
    r"(?:[A-Za-z0-9+/]{4}){4,16}"
)
"""Base64 that ends with no sign: letters and digits follow each other as in no path."""
_SIGNED = lazily(r"[^{}<>$:]*[a-z][^{}<>$:]*[&;=+#@*!][^{}<>$:]*\d\d[!?]?")
"""Words with a sign between them, and a number at their end."""
_SETTING = lazily(r"[{\[</~]|\./|(?:[a-z_.-]+|[A-Z_]+|[a-z]+(?:[A-Z][a-z]+)*)\d{0,3}=[^=]")
_BASE64 = lazily(r"[A-Za-z0-9+/]{22,}={0,2}")
_LONGEST = 64
_TURN = lazily(r"[A-Z]+[a-z]*|[a-z]+")
"""What would be a word of a name."""
_ANY_SIGN = lazily(r"[^\w\s]")
_MIXTURE = lazily(
    r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?!.*(?:(?=[a-z]{4})[a-z]{0,3}[aeiouy]|[A-Z]{4}))\S{10,}"
)
_SIGNS = lazily(r"[!#$%&*+?@^~]")
_LETTERS = lazily(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_RELEASE = lazily(
    rf"(?!{words.DATED}\Z|\d{{2,4}}[A-Z][a-z]{{4,}}(?<!s)\Z|(?:19[3-9]|20[0-3])\d[a-z]{{4,}}(?<![dgns])\Z|\d{{2,3}}[a-z]{{4,8}}\.[a-z]{{5,8}}\d\Z)(?![0-9a-f]{{16}})"
    r"v?\d[\d.]{0,11}(?:[._-]?[a-z]{1,8}[\d.]{0,4}"
    r"(?:(?:[._-]?(?:[a-z]{1,8}|[A-Z][a-z]{1,7})|[._-][A-Z]{1,4})[\d.]{0,4})?"
    r"|[._-]?(?:[A-Z][a-z]{1,7}|[A-Z]{1,4})[\d.]{0,4}(?:[._-][A-Za-z]{1,8}[\d.]{0,4})?)?"
)
_WORD = lazily(r"[A-Z][a-z]{2,}|(?<!\d)[a-z]{3,}")


def _has_unknown_words(value: str) -> bool:
    parts = [part.strip("0123456789") for part in words.BETWEEN.split(value)]
    known = sum(is_listed(part) for part in parts if part)
    return len(parts) > 1 and known * 2 <= len(list(filter(None, parts)))


def is_identifier(value: str) -> bool:
    """Return whether a value is a name with digits in it: `Ed25519PublicKey`."""
    last = value.rpartition(".")[2]
    if (
        words.is_counted(value)
        or _QUALIFIED.fullmatch(value)
        or (last.isupper() and any(map(is_listed, last.split("_"))))
    ):
        return True
    parts = _WORD.findall(last)
    return sum(map(len, parts)) * 2 >= len(last) and any(map(is_listed, parts))


def _is_torn(value: str) -> bool:
    """Return whether words of a long value would be of three letters each."""
    count = len(_TURN.findall(value))
    return len(value) >= _LONG_NAME and count * 4 > len(value) and not is_listed(value)


def is_phrase(value: str) -> bool:
    """Judge a password in quotes, where messages to people stand as well."""
    if len(value) < 4 or is_example(value) or _TRANSLATION.fullmatch(value):
        return False
    if " " in value.strip():
        row = value.rstrip("!").split()
        # Messages begin with a capital, and tell how long a password has to be.
        is_chosen = (
            value.islower() or value.istitle() or (len(row) > 3 and row[-1].isdigit())
        )
        is_row = is_chosen and all(map(str.isalnum, row)) and not _LENGTH.search(value)
        known = sum(map(is_listed, _LETTERS.findall(value)))
        is_whole = is_row or _SIGNED.fullmatch(value) is not None
        return is_whole and 2 <= len(row) <= 8 and known <= len(row) // 4
    if value[0] in "/.#[(:" and not any(map(str.isdigit, value)):
        return value[0] == "#" and not is_plain(value[1:])
    said = value if value[0].islower() else value.lower()  # `forgotPassword`
    parts = {part.lower() for part in _FIELD_PARTS.split(said)}
    is_no_field = value in words.THINGS or (len(value) >= 6 and parts.isdisjoint(FIELDS))
    return is_no_field or is_phrase_like(value) or not is_name(value)


def is_url_password(value: str) -> bool:
    """Judge what stands before the `@` of an address."""
    is_template = value.startswith(("{", "%(")) or _TEMPLATE.match(value)
    return is_password(value) and not is_template and (value[0] != "$" or len(value) > 3)


def is_word_or_short(value: str) -> bool:
    """Judge what follows `password=`, where short words are labels."""
    return is_unquoted(value) and not is_plain(value)


def is_url_token(value: str) -> bool:
    """Judge a parameter of an address."""
    return (
        len(value) >= 6
        and not is_example(value)
        and (not is_plain(value) or is_phrase_like(value))
        and not value.startswith(("$", "{", "%7B"))
        and not is_versioned(value)
    )


def is_option_token(value: str) -> bool:
    """Judge what follows `--token`."""
    return (
        is_argument(value)
        and len(value) >= 6
        and (not is_plain(value) or is_phrase_like(value))
        and not value.startswith(("/", "./", "~", "http"))
        and "/" not in value[:2]
    )


def is_basic(value: str) -> bool:
    """Judge what stands behind `Basic`: base64 of a name and a password."""
    with suppress(ValueError):
        said = base64.b64decode(value + "=" * (-len(value) % 4))
        if b":" in said or said.count(b"\0") > 1:
            return True
    return len(value) >= 20 and is_encoded(value)


def is_encoded(value: str) -> bool:
    """Judge what is base64, or looks like it."""
    return (
        len(value) >= 8
        and not is_example(value)
        and entropy(value) >= 2.5
        and not is_name(value)
        and value.count(".") < 2
    )


def is_sql_password(value: str) -> bool:
    """Judge what follows PASSWORD in a statement."""
    return is_password(value) and (" " not in value or is_phrase(value))


def is_jar(value: str) -> bool:
    """Judge a header of cookies."""
    return "=" in value and not is_example(value) and not _OF_TYPE.match(value)
