"""Values that stand out by their shape, in the neighbourhood of what tells of secrets.

No sentence is looked at: only which characters follow each other, and what stands near.

Maple%41&nolu       words and digits with a sign between: nothing else looks so, anywhere
maple_nolu.417      words and digits, or no words: some lines from `login`, `pw`, `root`
maple-nolu-rim-oat  words that no id has: there, but not in a list of ids
"""

from __future__ import annotations

import base64
import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from everyleaf.redact import judging, words
from everyleaf.redact.anywhere import find_whole, is_signed
from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.examples import BEHIND_SERVICE, FOREIGN, PUBLIC, SERVICE, is_example
from everyleaf.redact.kinds import is_passphrase, is_told_of
from everyleaf.redact.words import is_listed, is_numbered, is_plain, is_words
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.redact.views import View

VALUE = lazily(
    r"[A-Za-z\u00c0-\u024f0-9!@#$%^&*_+=.~?-]{5,64}|(?:[A-Za-z0-9+/]{32}|(?=[A-Za-z0-9/]*[+=])[A-Za-z0-9+/]{14})[A-Za-z0-9+/]*={0,2}"
    rf"|{judging.UNPADDED}"
    r"|(?=\w+[!#$%^&~])[\w!@#$%^&*+=.~?/-]{8,64}"
)
"""What a password or a key may consist of."""
_CAMEL = lazily(r"[A-Z]?[a-z]{3,}")
DIGEST = frozenset("0123456789abcdef-")
"""Characters of digests and uuids."""
SIGNS = (
    rf"{words.MISSPELT}|passcode|pass[- ]?phrase|\b(?:pwd?|psw|pswd|psk)s?\b|\bpwd?_",
    r"(?:^|[^\w ][ ]?)(?-i:[Pp]ass)\b|\b(?-i:[Pp]ass)[ ]?[:=/(]",
    FOREIGN,
    rf"{words.ACCOUNTS}|パスは|пасс[ :]|auth_basic|docker[ ]hub|wordpress|패스워드|mots de passe|logge[ ]dich|register[ ]with|pdf[ ]with",
    r"\blogins\b|secrets?\b|combo\b|\bsudo\b|\b(?:root|admin|administrator)\b|decrypt|encrypted|\bhandover|\bonboarding|sshpass",
    r"\btokens?\b|\b(?:api|private|access|signing|encryption|master|auth|service|app|account|server|network|hmac|archive|wpa|client|unseal|fernet|aes[\w-]*)[ _-]?keys?\b",
    r"\b(?:salt|pepper|session[ ]cookie|(?:recovery|seed|wallet)[ ](?:phrase|words))\b|\b(?:the|my|our|your)[ ]keys?\b|schl\x{fc}ssel|geheimnis|секрет|비밀|anahtar",
    r"\blog[ ]?in[ ](?:details|data|info)\b[^\n]{0,40}\n|requirepass|masterauth|\b[lu](?:[s]er)?:[ ]?[\w.@-]{2,40}[,;]?[ ]p[ :=]|[ ]/[ ][\"'`*(]{0,2}[a-z]{3,10}(?:-[a-z]{3,10}){3}|\benter[ ]\"?[\w.@+-]{2,40}\"?[ ]and[ ]|(?:^|[\n\"'`>])[\w.+-]+@[\w-]+\.[a-z]{2,9}:[a-z!#$%&^~]|\w@[\w-]+\.[a-z]{2,9}[ |][!-~]+$|(?:^|[\"'>:.][ ])[\w.@-]+[ ]/[ ][!-~]+$",
    rf"(?:^|[,:][ ]){SERVICE}{BEHIND_SERVICE}[ ]",
    r"\b(?:wi-?fi|wlan|ftp|vnc|mqtt|imap|smtp|rdp|ipmi|snmp|router|nas|vpn|oracle|grafana|kibana|rabbit|nexus|portainer|couchdb|esxi|cpanel|plesk|proxmox|idrac|ilo|unifi)\b|\bmail:",
)
"""What tells of secrets in prose, in a list, in a command."""
_SIGN = f"(?i){'|'.join(SIGNS)}"
_RUN = lazily(
    rb"(?:(?<![A-Za-z0-9+/=.\\-])[A-Za-z0-9+/]{38,128}={0,2}(?![A-Za-z0-9+/=])|(?<![A-Za-z0-9_.!@#$%^&*?~\\\x1b-])(?<!\x1b\[)(?<!1[bB]\[)(?<!33\[)(?<!\x1b\[[01];)[A-Za-z_.!@#$%^&*+?-]{0,40}[0-9][A-Za-z0-9_.!@#$%^&*+?-]{0,64}(?:/\d\d\b)?)|(?:[A-Z][a-z]{2,11}){2}[!#*+]"
)
_WORD = lazily(
    rb"(?<![A-Za-z0-9_.!@#$%^&*+?/=-])(?=[A-Za-z0-9_.!@#$%^&*+?/=-]{5})"
    rb"(?:[A-Za-z_.!@#$%^&*+?/=-]*[0-9]|[A-Za-z_.!@#$%^&*+?/=-]{38}|(?:[A-Z][a-z]{2,11}){2}[!#*+])[A-Za-z0-9_.!@#$%^&*+?/=-]*"
)
"""Where such a run may be: it has a digit, or is long; no shorter one is a value."""
_PHRASE = lazily(
    rb"(?<![A-Za-z0-9_.#@$~\\-])[A-Za-z][a-z]{2,9}(?:-[A-Za-z][a-z]{2,9}){2,7}(?![A-Za-z0-9_/@\\=({-]|\.[A-Za-z]|[\"'`]?:[^\n]|:\n)"
)
"""Three words and more, where no path, no file, no name of a field goes on."""
_PAIR = (
    rb"(?:(?:^|[\s:(>*`\"'])(?:[\w.@+-]{2,40}[ ]/[ ][*(]{0,2}|(?<=: )[\w.@+-]{2,40}[ ](?:-|\xe2\x80[\x93\x94])[ ]|(?<=\()[\w.-]{2,60},[ ][\w.@-]{2,40},[ ]|[\w.@+-]{2,40}[\"'`*]{1,3}[ ]/[ ][\"'`*]{1,3}|(?:(?:admin|root|ubnt)(?:@[a-z]+)?(?:/|:[ ]|[ ](?:(?:[|/]|is|->)[ ])?)|\b(?:nas|router)[ ]))"
    rb"|enter[ ]\"[\w.@+-]{2,40}\"[ ]and[ ]\"|\b[lu](?:[s]er)?:[ ]?[\w.@-]{2,40}[,;]?[ ]p[:=]?[ ]|requirepass[\"',]{1,3}|\b(?:creds|credentials|logins?|zugangsdaten)(?:[ ](?:details|data|info)\b[^\n:]{0,40})?[ ]?:?\s{1,3}[\w.@+-]{2,30}\r?\n|://[!-~]{4,80}\s{1,3}[\w.@+-]{2,30}\r?\n|\b(?:smtp|mail|relay|mx)[\w.-]*\]?(?::\d{2,5})?[ \t]{1,8}[\w.@+-]{2,40}:|(?:(?:^|[\n\"'`>])[\w.+-]+@[\w-]+\.[a-z]{2,9}:|(?<!@)\b[\w.+-]+@[\w-]+\.[a-z]{2,9}[| ]))"
)
_PAIRED = lazily(rb"(?i)" + _PAIR + rb"\Z")
"""Who logs in, in front of a password."""
_TOLD = lazily(
    rb"(?i)(?:(?:\b(?:pass\w*|pwd?|psw|creds|credentials|zugangsdaten|login|(?:user(?:name)?|benutzer)\W{1,4}[\w.@+-]+|admin|root|[\w.+-]+@[\w.-]+)"
    rb"|_pass\w*|_pwd?|[^\x00-\x7f]{2}|\b(?:(?:un)?lock|open|decrypt|log[ ]?in|sign[ ]in|anmelden|einloggen)\b[^\n]{1,40}[ ](?:with|mit|und|con))[\"'`*\])]{0,3}[ \t]*"
    rb"(?:[^\w\n]{1,12}|[ ](?:(?:is|are|was|to|from|now|and|with|pass(?:word)?|pw|p|ist|lautet|und|y|et|es)\W{1,4}){1,3})"
    rb"|(?:pass|pwd)(?:[^\n/]|/[^ \n]){1,60}[\"'`(>|][ ]{0,20}|" + _PAIR + rb")\Z"
)
"""The same, or the name of a password."""
_OF_ID = lazily(
    rb"(?i)(?:\b(?:install|add|import|from|require|package|image|module|branch(?:[ ]is)?|(?:release|tag)(?:[ ]is)?|checkout|switch|repo|repository|plugin|skill|agent|pod|job|namespace|role|class|service|cluster|bucket|host|logs|i|-n|-b|cd)[ (][\"'`(]{0,2}|\bclass(?:name)?=[^\n]{0,40}|\w[ ]?/[ ]?[\"'`]?|:)\Z"
)
"""What stands in front of the name of something."""
_FARTHEST = 80
"""In bytes, before a value."""
_ID = lazily(rb"(?<![A-Za-z0-9-])[a-z][a-z0-9]*(?:-[a-z0-9]+){2,}(?![A-Za-z0-9-])")
_LONG_ROW = 3
"""Dashes of so many words that they may stand apart from a name."""
_MOST_IDS = 2
"""More stand in lists of ids."""
_IDS = lazily(
    rb"\d{12}:[a-z-]+:$|(?:(?:\b|_|instance|client|account|project|tenant|device|user|order)id|Id|ID|[Nn]ame|[\"'](?:login|user))\\*[\"']?[ ]?:?[:=(>]>?[ ]{0,16}\\*[\"']?$|[@#]$|(?:sha\d+|h1)[=:-]$|;base64,$|(?i:public)[ _-]?key\W{1,4}$"
    rb"|(?i:existing\w*|(?:secret|password|token)_?(?:key|name|ref))\\*[\"']?[ ]?[:=][ ]?\\*[\"']?$"
    rb"|\b(?:called|named)[ ][\"'`]?$|/(?i:passwords?|login|tokens?|secrets?|auth|reset)/$|[?&]v=$"
)
_GOES_ON = lazily(rb"[(\[/\\]|=(?!\s|\Z)|[ ]?\{\s*(?:[a-z-]+[ ]?:|\n|\Z)")
_USER = lazily(rb"(?:^|[\s\"'`(,])[\w.@-]{2,30}/$")
_ABOVE = 160
_BELOW = 280
_LINES_ABOVE = 2
_LINES_BELOW = 4
_SHORTEST = 7
_SHORTEST_KEY = 16
_LONGEST_PASSWORD = 38
_PARTS_OF_PATH = 4
_ABBREVIATED = lazily(r"(?:SMTP|IMAP|LDAP|SSH|SQL|VPN|FTP|API|DB)-[A-Z][a-z]+")
_DENSE = lazily(r"[!#$%^&*?~]|(?:\d\D*){3}")
_REVISION = lazily(r"[0-9a-f]{7,15}|[0-9a-f]{40}|[0-9a-f]{8}-[0-9a-f-]{27}")
_NAME = lazily(r"[0-9a-f]{40}|[0-9a-f]{8}-[0-9a-f-]{27}")
_NOT_SAID = lazily(
    rf"{_REVISION.pattern}|[\w-]+\.[a-z]{{2,4}}|[a-z]{{2,6}}\d(?:\.\d+)+|[\d.:]+[A-Za-z]{{1,3}}|.*[=/].*"
)
_PREFIXED = lazily(r"[a-z]+_|0x|sha\d|[0-9a-f-]+\Z")
LONG = 24
"""So many characters has a key, and seldom a password."""
_SLASHED = lazily(r"[^/]+")
_LOGIN_PAIR = lazily(r"[\w.@-]{2,40}:[!-~]{4,80}")
_SPELT = lazily(r"[\"']\\?(.)[\"']?|0x[0-9A-Fa-f]{1,2}|[1-9]\d{0,2}|0")
_SAID = lazily(r"[A-Za-z\u00c0-\u024f0-9!@#$%^&*_+=.~?/:,;()\[\]{}-]{5,}")
"""What no blank, no quote and no letter of another script parts; no value is shorter."""
_NO_RUN = lazily(r"\x1b|<(?:/|bash-|local-)|.?(?:u001b|x1b|033)\[")
"""A colour of a terminal, without which the text is looked at, too; an element."""
_PART = lazily(r"(?:SHA256:)?[^:,;()\[\]{}]+")  # A fingerprint stays one, and no value.
QUOTES = "\"'`\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u300c\u300d*"
AROUND = ".,;:=!?()[]{}*_"
LONGEST_RUN = 130


@lru_cache(maxsize=5_000)
def stands_out(value: str) -> bool:
    """Judge what stands near a name of a password: no word, and no name, looks so."""
    if (
        VALUE.fullmatch(value) is None
        or PUBLIC["value"].fullmatch(value)
        or words.is_counted(value)
    ):
        return False
    known = sum(len(one) for one in _CAMEL.findall(value) if is_listed(one))
    if known * 2 >= sum(map(str.isalpha, value)):
        return False
    return (
        (judging.is_far_password(value) and not value.isalpha())
        or is_passphrase(value)
        or (judging.is_odd(value) and value.islower() and any(map(str.isdigit, value)))
    )


def is_told(value: str) -> bool:
    """Judge what stands right behind what tells of a password: also words and numbers."""
    return (
        stands_out(value)
        or words.is_compound(value)
        or is_numbered(value)
        or (len(value) == 16 and value.isalpha() and judging.is_app_password_too(value))
        or is_words(value, max(value.count("-") - 2, 0))
    )


def is_word_abroad(value: str) -> bool:
    """Judge what follows a name of another language, of which a word may be the next."""
    is_like_word = value.isalpha() and (value.islower() or value.istitle())
    return judging.is_word_too(value) and (not is_like_word or words.is_phrase_like(value))


def is_bare_word(value: str) -> bool:
    """Judge what follows a name and a blank: a word of another language tells of it."""
    return judging.is_word_too(value) and not (
        value.isalpha() and words.is_abroad(value.lower())
    )


def is_signed_abroad(value: str) -> bool:
    """Judge what follows such a name and a sign."""
    return judging.is_word_too(value) or words.is_compound_abroad(value)


def is_odd_abroad(value: str) -> bool:
    """Judge what stands beside such a name: letters side by side tell nothing there."""
    is_joined = _ABBREVIATED.fullmatch(value.rstrip("?.")) is not None
    return judging.is_odd(value) and is_word_abroad(value) and not is_joined


def is_noted(value: str) -> bool:
    """Judge what people note down beside an account: also two words with a sign between."""
    return is_told(value) or words.are_everyday(value)


def is_paired(value: str) -> bool:
    """Judge the same behind a name and a sign: the digest of something is none."""
    return is_told(value) and _NAME.fullmatch(value) is None


def is_apart(value: str) -> bool:
    """Judge a password apart from its name, where words and numbers stand as well."""
    return judging.is_far_password(value) and stands_out(value)


def looks_made(value: str) -> bool:
    """Judge what a sign or a verb says to be a password: a digest may be one."""
    return (
        VALUE.fullmatch(value) is not None
        and judging.is_odd(value)
        and (value.isascii() or any(map(str.isdigit, value)))
        and not PUBLIC["value"].fullmatch(value)
    )


def is_sayable(value: str) -> bool:
    """Judge what a sentence says to be a password, far from its name: no short revision."""
    if words.is_phrase_like(value) or is_words(value, 1) or is_numbered(value):
        return True
    is_name = is_plain(value) or judging.is_identifier(value) or _REVISION.fullmatch(value)
    is_word = value.isalpha() and value.islower()
    return looks_made(value) and not (is_name or is_word)


def is_said(value: str) -> bool:
    """Judge what a sentence says to be a password: also a short one, and two words."""
    is_letters = len(value) > _SHORTEST and not value.islower()
    return (
        (any(map(str.isdigit, value)) or (is_letters and words.has_odd_letters(value)))
        and value[0].isalnum()
        and judging.is_unlisted_token(value)
        and not judging.is_identifier(value)
        and not _NOT_SAID.fullmatch(value)
    )


def is_long_key(value: str) -> bool:
    """Judge what is said to be a token: long, and with a digit."""
    return (
        len(value) >= _SHORTEST_KEY
        and any(map(str.isdigit, value))
        and VALUE.fullmatch(value) is not None
        and judging.is_far_token(value)
    )


def is_mixed_key(value: str) -> bool:
    """Judge what a sentence tells of near a name of a key: no id looks so."""
    return (
        len(value) >= LONG
        and VALUE.fullmatch(value) is not None
        and judging.is_key_in_prose(value)
        and not PUBLIC["value"].fullmatch(value)
        and not _PREFIXED.match(value)
    )


def is_login(value: str) -> bool:
    """Judge a password behind who logs in, in a program."""
    return judging.is_far_password(value) or is_told(value)


def is_given(value: str) -> bool:
    """Judge what stands where nothing but a password does."""
    return (
        is_told(value)
        or is_said(value)
        or (judging.is_odd(value) and not is_told_of(value))
    )


def is_row_of_words(value: str) -> bool:
    """Judge four words and more with blanks between them: no sentence."""
    row = value.split()
    usual = sum(
        is_listed(w) or w in words.USUAL or w.endswith(("ed", "ing", "ly")) for w in row
    )
    return usual <= len(row) // 4 and words.LEADING.isdisjoint(row)


def is_wrapped(value: str) -> bool:
    """Judge base64 of what looks like a password."""
    with suppress(ValueError):
        return is_login(base64.b64decode(value + "==").decode())
    return False


def is_login_pair(value: str) -> bool:
    """Judge base64 of whatever stood there: only of a name, a colon and a password."""
    with suppress(ValueError):
        said = base64.b64decode(value, validate=True).decode("ascii")
        return _LOGIN_PAIR.fullmatch(said) is not None
    return False


def is_spelled(value: str) -> bool:
    """Judge characters or numbers of them between commas: what they spell is a password."""
    said = _SPELT.finditer(value)
    return judging.is_printed(
        "".join(one[1] or chr(int(one[0], 0)) for one in said).rstrip("\0")
    )


def is_bytes(value: str) -> bool:
    """Judge the bytes of a key: those of tables go in order, or repeat themselves."""
    codes = re.findall("-?[0-9a-fx]+", re.sub(r"\([Bb]yte\)|u8", "", value.lower()))
    if all(code.lstrip("-").isdecimal() for code in codes):
        numbers = [int(code) for code in codes]
        is_sized = 99 < max(map(abs, numbers)) < 256  # No sizes, no keys of a keyboard.
        return is_sized and len(set(codes)) * 2 > len(codes) and numbers != sorted(numbers)
    return len(set(codes)) * 2 > len(codes) and codes != sorted(codes)


def iter_neighbours(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where values stand near what tells of secrets, and the kind of each. Linear."""
    body = view.body
    done = 0
    for sign in compile_pattern(_SIGN).finditer(body):
        begin, end = _around(body, *sign.span())
        last = min(end + _ABOVE, len(body))  # What begins before the end may end behind it.
        for found in _iter_runs(body, max(begin, done), last):
            start, stop = found.span()
            if start >= end:
                break
            value = found[0].rstrip(b".,;:-?").lstrip(b"+-*.")
            start += found[0].index(value)
            stop = start + len(value)
            if _may_stand(body, start, found.end()) and (
                _is_value(said := value.decode())
                or (
                    (is_numbered(said) or (is_told(said) and not _REVISION.fullmatch(said)))
                    and _PAIRED.search(body, max(start - _FARTHEST, 0), start)
                )
            ):
                kind = "secret" if len(value) >= LONG else "password"
                yield *view.span(start, stop), kind
        for start, stop in _iter_phrases(body, max(begin, done), last):
            # A name within the words tells nothing of them.
            if start < end and not start <= sign.span()[0] < stop:
                yield *view.span(start, stop), "password"
        done = max(done, end)


def _iter_runs(body: bytes, begin: int, end: int) -> Iterator[re.Match[bytes]]:
    """Yield what may be a value, no fingerprint; to look at words first takes a third."""
    for word in _WORD.finditer(body, begin, end):
        if body[max(word.start() - 7, 0) : word.start()] != b"SHA256:":
            yield from _RUN.finditer(body, *word.span())


def _iter_phrases(body: bytes, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where words in a row stand that no id has, in no list of ids."""
    rows = _PHRASE.finditer(body, begin, end) if body.count(b"-", begin, end) > 1 else ()
    found = [one for one in rows if is_words(one[0].decode(), 1)]
    long = sum(one[0].count(b"-") >= _LONG_ROW for one in found)
    others = len(_ID.findall(body, begin, end)) - long if found else 0
    for one in found:
        first, at = max(one.start() - _FARTHEST, 0), one.start()
        is_long = one[0].count(b"-") >= _LONG_ROW
        if _IDS.search(body[first:at]):
            continue
        if _TOLD.search(body, first, at):
            is_phrase = is_long or is_words(one[0].decode())
        else:
            is_phrase = (
                is_long
                and others <= _MOST_IDS
                and not _OF_ID.search(body, first, at)
                and is_words(one[0].decode())
            )
        if is_phrase:
            yield one.span()


def iter_split(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a run stand between slashes, some of which base64 has."""
    for at in (start, text.find("/", start, stop) + 1):
        if at and "/" in text[at:stop] and stands_out(text[at:stop]):
            yield at, stop
            return
    yield from (part.span() for part in _SLASHED.finditer(text, start, stop))


def _around(body: bytes, first: int, last: int) -> tuple[int, int]:
    """Return where the neighbourhood of a sign begins and ends: in its block of lines."""
    begin = first
    for _ in range(_LINES_ABOVE + 1):
        begin = body.rfind(b"\n", max(first - _ABOVE, 0), begin)
        if begin < 0 or body[begin - 1 : begin] == b"\n":
            break
    end = last
    for _ in range(_LINES_BELOW + 1):
        end = body.find(b"\n", end, last + _BELOW)
        if end < 0 or (body[end + 1 : end + 2] == b"\n" and body[end - 1 : end] != b":"):
            break
        end += 1
    return (
        begin if begin >= 0 else max(first - _ABOVE, 0),
        end if end >= 0 else min(last + _BELOW, len(body)),
    )


def _may_stand(body: bytes, start: int, end: int) -> bool:
    """Return whether a value stands where no path, name, letter or id goes on."""
    before = body[max(start - 34, 0) : start]
    return (
        _GOES_ON.match(body, end) is None
        and not (body[end : end + 1] == b":" and b"@" in body[start:end])
        and before[-2:-1] not in {b"\xc3", b"\xc4", b"\xc5", b"\xd0", b"\xd1"}
        and not _IDS.search(before)
        and (before[-1:] != b"/" or _USER.search(before) is not None)
    )


@lru_cache(maxsize=5_000)
def _is_value(value: str) -> bool:
    if value.startswith(("sha256-", "sha384-", "sha512-")):
        return False
    if len(value) >= _LONGEST_PASSWORD:
        return judging.is_key_in_prose(value) and value.count("/") < _PARTS_OF_PATH
    is_form = any(PUBLIC[of].fullmatch(value) for of in ("name", "value"))
    return (
        len(value) >= _SHORTEST
        and not is_form
        and not PUBLIC["signed"].search(value)
        and not is_example(value)
        and not words.is_counted(value)
        and (
            is_signed(value)
            or (stands_out(value) and _DENSE.search(value) is not None)
            or (
                len(value) >= 8
                and judging.is_made(value)
                and not judging.is_identifier(value)
            )
        )
    )


def iter_runs(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the runs stand that begin in a part of a text, and may be a value.

    If all of one is none, its parts, but for what is called, and the rest of an escape.
    """
    for run in _SAID.finditer(text, begin, end + LONGEST_RUN):
        if run.start() >= end:
            return
        if _NO_RUN.match(text, max(run.start() - 1, 0)):
            continue
        start, stop = bare(text, *run.span())
        spans = [(start, stop)]
        if VALUE.fullmatch(text, start, stop) is None:
            spans = [bare(text, *one.span()) for one in _PART.finditer(text, start, stop)]
            if (at := find_whole(text[start:stop])) >= 0:
                spans = [(start + at, stop)]
        for span in spans:
            if text[span[0] - 1] != "\\" and text[span[1] : span[1] + 1] != "(":
                yield span


def bare(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return where a run stands without the punctuation around it."""
    while start < stop and text[start] in f"{AROUND}+":
        start += 1
    if text[stop : stop + 1] == text[start - 1] and text[start - 1] in QUOTES:
        return start, stop
    while start < stop and text[stop - 1] in AROUND:
        is_inner = text[stop : stop + 1] in {")", '"', "`", "'", "*"}
        if (is_inner and text[stop - 1] in "!?") or words.is_shouted(text[start:stop]):
            break  # No sentence ends before those.
        stop -= 1
    return start, stop
