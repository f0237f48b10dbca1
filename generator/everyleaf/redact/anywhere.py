"""What is a secret wherever it stands, by its characters alone.

No word, no name and no id of a usual kind looks so, and hardly anything of what people write
and programs print. What only may be one is looked for where something tells of it.
"""

from __future__ import annotations

import base64
from contextlib import suppress
from itertools import pairwise

from everyleaf.redact.examples import FOREIGN, PUBLIC, is_example
from everyleaf.redact.words import is_counted, is_listed
from everyleaf.sources.lines import lazily

SIGNED = (
    r"(?:^|[^A-Za-z0-9_.!@#$%^&~\\]|\\[nrt])"
    r"(!?[A-Za-z0-9][A-Za-z0-9_.+!@#$%^&*?-]*(?:[!@#$%^&*][A-Za-z0-9_.+!@#$%^&*?-]*[0-9]|[0-9][A-Za-z0-9_.+-]*[!@#$%^&*])"
    r"[A-Za-z0-9_.!@#$%^&*+?-]*(?:/[0-9]{2,4})?|[A-Z][a-z]+[!@#$%][A-Za-z0-9]+/[0-9]{2,4}|![A-Za-z][A-Za-z0-9_.+-]*[0-9][A-Za-z0-9_.+-]*)"
    r"(?:[^A-Za-z0-9_!@#$%^&+/=~(\[{-]|$)"
)
"""What is a password by its characters, if `is_signed` says so."""
_TURN = "|".join(
    (
        *("[a-z][0-9][A-Z]", "[A-Z][0-9][a-z]", "[0-9][a-z][A-Z]", "[0-9][A-Z][a-z]"),
        *("[a-z][A-Z][0-9]", "[A-Z][a-z][0-9]"),
    )
)
"""Where letters of both sizes and a digit follow each other."""
# Letters of both sizes by turns, where a digit is near.
_WAVE = "(?:[a-z][A-Z][a-z][A-Z]|[A-Z][a-z][A-Z][a-z])"
# What a key consists of.
_OF_KEY = "[A-Za-z0-9!#$%^&*+=?@~._/-]*"
_OF_ID = (
    r"(?:\|?1\|[\w/+]{27}=\||[\w-]*(?:id|Id|ID|[Ss]ha\d+|[Hh]ash|[Dd]igest|[Cc]ursor|verification|etag|integrity|[Ww]eb[Ss]ocket-\w{3,6}|(?:public|Public)[ _-]?[Kk]ey)s?\\{0,2}"
    r"[\"']?(?:[ ]content=|[ ]?[:=][ ]?|[ ](?:is[ ])?)\\{0,2}[\"'`]?)"
)
"""What stands in front of what is no secret; a hashed host of OpenSSH, and half of one."""
_SCRAMBLED = rf"{_OF_KEY}(?:{_TURN}|[0-9]{_OF_KEY}{_WAVE}|{_WAVE}{_OF_KEY}[0-9]){_OF_KEY}"
SCRAMBLED = (
    rf"[A-Z](-----\s{{1,3}}{_SCRAMBLED})|(?:^|[\s\"'`(*,|>\x{{201c}}\x{{2018}}\x{{ab}}])"
    rf"(?:({_OF_ID}{_SCRAMBLED})|(?:\$?\w[\w.$-]*=)?({_SCRAMBLED}(?:\s+(?:=\w{{4}}\s+)?-----END)?)"
    r"(?:[\s\"'`)*,;:|<>\\!?.\x{201d}\x{2019}\x{bb}]|$))"
)
"""What is a secret by its characters, if `is_scrambled` says so."""
_SIGN = "[!#$%&()*+;<>?@[\\]^`{|}~]"
_JUMP = (
    f"{_TURN}|[a-z]{_SIGN}[A-Z0-9]|[A-Z]{_SIGN}[a-z0-9]|{_SIGN}[a-z][A-Z]|[a-z][A-Z]{_SIGN}"
)
QUOTED = (
    rf"({_OF_ID}[^\s\"'\\]*(?:{_JUMP})[^\s\"'\\]*)"
    rf"|'([^\s'\\]*(?:{_JUMP})[^\s'\\]*)'|\"([^\s\"\\]*(?:{_JUMP})[^\s\"\\]*)\""
)
"""The same between quotes, with all signs, if `is_jumbled` says so."""
CHOSEN = (
    r"(?:^|[\s\"'`(*,|>:=@\x{201c}\x{2018}\x{ab}])([#%!+~^]?(?:[A-Za-z][a-z]{2,11}[._-][A-Za-z][a-z]{2,11}|[A-Z]?[a-z]{3,12}[A-Z][a-z]{2,11}"
    r"|[A-Z]?[a-z]{3,12}[0-9]{2}[a-z]{3,12})[0-9]{4}[!?*#$%]?|[A-Za-z][a-z]{2,11}[0-9]{4}[a-z]{3,12}|[a-z]{4,12}[0-9]{4}[!#$%]|@[a-z]{1,9}[03][a-z][a-z03]{0,9}[0-9]{3}!"
    r"|[A-Z][a-z]{2,11}(?:[-_.#@$!][A-Z][a-z]{2,11}[0-9]{2,4}[!?*#$%]?|[-_#][0-9]{2,4}[!?*#$%&]{1,2}|[?=](?:19|20)[0-9]{2}[?=]|(?:19|20)[0-9]{2}(?:[?.]!|[?]1)|[0-9]{2,4}(?:[*!$%&]{2}|[*$%&])))(?:[\s\"'`)*,;|<>\\!?.\x{201d}\x{2019}\x{bb}]|=(?:\s|$)|$)"
)
"""What people choose, if `is_chosen` says so: two words and four digits, or a sign."""
_LONGEST_FORM = 400
_OF_PASSWORD = lazily(
    rf"(?i)(?:passw\w{{2,4}}|(?<![a-z])pass(?:code|phrase)?|(?<![a-z])pwd?|{FOREIGN})"
    r"\\{0,3}[\"'`*]{0,3}(?:[ ]?(?:[:=]|=>)|[ ](?:is|ist|es|est|\xe8|\xe9))[ \t]{0,8}\\{0,3}[\"'`]?\Z"
)
"""The name of a password, and a sign or a verb: what follows is one."""
_TYPE = lazily(r"\A[A-Z][A-Za-z]+:")
_NODE = lazily(
    r"(?:cursor:v\d:|(?:array)?connection:?\d*)|(?!Admin|Root|User)(?:[A-Z][a-z]+)+:\d{0,12}"
    r"|(?:[A-Z][a-z]+)*(?:Repository|Request|Issue|Comment|Commit|Project|Item|Product|Order|Post|Thread|Page"
    r"|Team|Group|Job|Run|Build|Label|Release|Version|File|Discussion|Review|Event|Workflow):[a-z\d]{0,12}"
)
"""A type, and an id of it; where a page of a list begins."""
_RUN = lazily(r"[A-Za-z0-9]{8,}")
_BASE64 = lazily(r"[A-Za-z0-9/+]{20,}")
_JOINS = lazily(r"[^\w.*/+-]")
_SIGNS = lazily("[:,;]")
_SHORTEST = 7
_DIGIT_KIND = -1
_SIGN_KIND = 0
_LETTERS = (1, 2)
_MEASURES = ((24, 0.33, 0.75), (16, 0.33, 0.6), (0, 0.4, 0.4))
"""(length, least share of changes, most share of what may be words): a longer run has more
letters in a row."""
_OF_LINES = frozenset({64, 70, 72, 76})
"""So many characters have lines of certificates, pictures, signatures."""
_NO_JUMBLED = lazily(
    r"[$^/.#<{%*[(~]|[\w-]*[ \"'=:]|.*(?:://|\[\^|A-Z|0-9|\.\*|%Y|;q=|&\w+;)"
)
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"))
_STRANGE = lazily(r"[^\w\s./:+=-]")
_LIKE_WORD = lazily(r"[A-Z][a-z]{2,}|[a-z]{3,}")
_SIGNED = lazily(r"^![A-Za-z]{3,}\d{2,}|[A-Za-z]{4,}[!#$%]\d+$|\d[!#$%@&]+$")
"""Words, a sign and digits; digits and signs at the end."""
_BETWEEN = lazily(r"[A-Za-z0-9][!@#$%^][A-Za-z0-9]")


def is_signed(value: str) -> bool:
    """Judge what has letters, digits and a sign: a password, and no name with an operator.

    >>> is_signed("Maple$Nolu4"), is_signed("24*time.Hour"), is_signed("left-pad@1.3.0")
    (True, False, False)
    """
    if not 8 <= len(value) <= 40 or PUBLIC["signed"].search(value) or is_example(value):
        return False
    if not any(map(str.isdigit, value)) or not any(map(str.islower, value)):
        return False
    if _SIGNED.search(value):
        return not is_counted(value.rstrip("!"))
    has_large = any(map(str.isupper, value))
    return has_large and _BETWEEN.search(value) is not None


def is_scrambled(value: str) -> bool:
    """Judge what is random by its characters alone: no name, no id of usual kinds.

    >>> is_scrambled("bob/q7Rt2LmX9cVb"), is_scrambled("Utf32Codec"), is_scrambled("a/v2Caps")
    (True, False, False)
    """
    if not 8 <= len(value) <= 128 or len(value) in _OF_LINES:
        return False
    if value in {value.lower(), value.upper()} or not any(map(str.isdigit, value)):
        return False
    if PUBLIC["scrambled"].fullmatch(value) or is_example(value) or _says_words(value):
        return False
    runs = (*_RUN.findall(value), *_BASE64.findall(value))
    return any(map(_changes_often, (*runs, *_RUN.findall(_JOINS.sub("", value)))))


def is_public(value: str, before: str = "") -> bool:
    """Return whether a value is known to be no secret by its form.

    Where the name of a password and a sign stand right before it, only if all its words
    are usual ones, too, or it is a template.

    >>> is_public("userId=17119aac-25de-4b9e-be37-aff98138e7cc"), is_public("MyPass=1234567x")
    (True, False)
    >>> is_public("221b-BakerStreet"), is_public("221b-BakerStreet", "password: ")
    (True, False)
    """
    if len(value) >= _LONGEST_FORM:
        return False
    bare = value.lstrip("+-")  # In a diff.
    if PUBLIC["always"].fullmatch(bare):
        return True
    parts = _LIKE_WORD.findall(bare)
    if _OF_PASSWORD.search(before) and not (parts and all(map(is_listed, parts))):
        return False
    return PUBLIC["any"].fullmatch(bare) is not None or _says_words(bare)


def _says_words(value: str) -> bool:
    """Return whether a value is base64 of words that programs have, or of a node of GraphQL.

    >>> _says_words("UmVwb3NpdG9yeTpyanZtdmxy"), _says_words("YWRtaW46aHVudGVyMg==")
    (True, False)
    """
    bare = _TYPE.sub("", value)
    with suppress(ValueError):
        padded = bare + "=" * (-len(bare) % 4)
        said = base64.b64decode(padded, validate=True).decode("ascii")
        is_words = said.rstrip(":").replace(" ", "").replace("-", "").isalpha()
        parts = said.lower().split()
        is_told = any(map(is_listed, parts)) if len(parts) > 2 else is_listed(said)
        return (is_words and is_told) or _NODE.fullmatch(said) is not None
    return False


def find_whole(value: str) -> int:
    """Return where a password begins that has signs of sentences in it; -1 for none.

    >>> find_whole("GT7z6,xU4,kcM"), find_whole("ada:q7Rt,LmX9"), find_whole("1,024:foo")
    (0, 4, -1)
    """
    for at in (value.find(":") + 1, 0):
        whole = _SIGNS.sub(",", value[at:])
        is_one = "," in whole and is_scrambled(whole)
        if is_one and not any(map(is_scrambled, whole.split(","))):
            return at
    return -1


def is_jumbled(value: str) -> bool:
    """Judge what stands between quotes: no expression, no pattern, no format.

    >>> is_jumbled("G(x`%]KR}Tw;g"), is_jumbled("2*Sin[x+y]"), is_jumbled("%Y-%mT%H")
    (True, False, False)
    """
    if not 10 <= len(value) <= 64 or _NO_JUMBLED.match(value) or is_example(value):
        return False
    kinds, changes = _changes(value)
    is_paired = any(value.count(a) == value.count(b) > 0 for a, b in _PAIRS)
    return is_scrambled(value) or (
        {_SIGN_KIND, *_LETTERS} <= kinds
        and len(set(_STRANGE.findall(value))) > 1
        and not is_paired
        and changes >= len(value) * 0.5
        and not any(map(is_listed, _LIKE_WORD.findall(value)))
    )


def is_chosen(value: str) -> bool:
    """Judge words with a number: no name of a standard, none with a year.

    >>> is_chosen("pierre.walnut8374"), is_chosen("validate_rfc3339")
    (True, False)
    """
    bare = value.strip("!?*#$%&+~^=")
    is_name = is_counted(bare) or is_listed(bare.rstrip("0123456789_#-?=").lstrip("_"))
    return not (is_name or PUBLIC["chosen"].fullmatch(value) or is_example(value))


def _changes_often(run: str) -> bool:
    """Return whether letters of both sizes and digits follow each other in no order."""
    run = run.rstrip("0123456789") if run[-3:-2].isalpha() else run
    kinds, changes = _changes(run)
    words = _LIKE_WORD.findall(run)
    least, most = next(measure[1:] for measure in _MEASURES if len(run) >= measure[0])
    return (
        len(run) >= _SHORTEST
        and {_DIGIT_KIND, *_LETTERS} <= kinds
        and changes >= len(run) * least
        and sum(map(len, words)) < len(run) * most
        and not any(len(word) > 3 and is_listed(word) for word in words)
    )


def _changes(value: str) -> tuple[set[int], int]:
    """Return which kinds of characters a value has, and how often one follows another."""
    kinds = [one.isalpha() + one.isupper() - one.isdigit() for one in value]
    return set(kinds), sum(a != b for a, b in pairwise(kinds))


ANYWHERE = (
    ("password", SIGNED, is_signed),
    ("secret", SCRAMBLED, is_scrambled),
    ("password", QUOTED, is_jumbled),
    ("password", CHOSEN, is_chosen),
)
"""Kind, pattern and judge of what is a secret wherever it stands."""
