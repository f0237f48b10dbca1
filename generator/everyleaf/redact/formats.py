r"""What keys look like: of vendors by prefix, characters, length; private ones by their lines.

A token is one wherever it stands.

A row of `formats.txt` is a kind and a pattern of RE2. In it, `<` stands where no letter or
digit may come before, for prefixes that words have too, `>` where none may follow; `~` is
both, and no dash. Lengths are the shortest that vendors write, and open above where what
follows cannot be told apart.

Source: the documentation of each vendor, and the secret scanning patterns that GitHub, GitLab
and the vendors name in public; seen until 2026-11.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.redact import text_of
from everyleaf.redact.examples import is_example
from everyleaf.redact.judging import is_identifier
from everyleaf.redact.kinds import entropy, is_wallet_key
from everyleaf.redact.neighbours import is_bytes
from everyleaf.redact.words import has_odd_letters
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ROWS = [row.split(maxsplit=1) for row in text_of("formats").splitlines()]

BEGIN = r"(?:^|[^A-Za-z0-9]|(?:^|[^\w-])-[A-Za-z]?|\^I|\\[abefnrtv0]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\[[0-9;]*m)"
"""Where a token may begin: also behind an escape that is written out."""
_BEGIN_WITHOUT_DASH = BEGIN.replace("[^A-Za-z0-9]", "[^A-Za-z0-9-]")


_PREFIX = lazily(
    r"\(?((?:[\w$-]|\\[.$d]|\(\?:\[[^\]]+\]\{[\d,]+\}\\\.\)\?|\(\?:(?:[\w|-]|\\\.|\[[A-Za-z]+-[a-z]\])+\)\??|\[[A-Za-z0-9]+\](?![*+{])\??)+)(\[[^\]]+\]|\\[wd])[*+{]"
)
_CHOICE = lazily(r"\(\?:[^()]*\)\?|\(\?:([\w-]+)(?:\|[\w|-]*)?\)|\[[A-Za-z]+\]|\\")
_LETTERS = lazily("(?i)[a-z]{40}")
"""What no name has, though it has no digits."""
_INSIDE = (
    r"hooks\.slack\.com/services/[\w/]",
    r"discord(?:app)?\.com/api/webhooks/[\w/-]",
    r"webhook\.office\.com/webhookb2/[\w@/-]",
    r"\b\d{8,10}:AA[\w-]",
    r":APA91b[\w-]",
    r"\b[MNO][\w-]{23,27}\.[\w.-]",
    r"\.atlasv1\.[\w-]",
    r"//[0-9a-f]{8,}:?[0-9a-f]",
    r"\bdt0[a-z]\d\d\.[A-Z0-9.]",
    r"\b\d/\d{12,}[\d/]*:[0-9a-f]",
)
"""What stands in keys that have no prefix, up to where a line may end."""
_CUT = r"{2,}(?:[ \t|\x{2502}\x{2503}]|\\+u250[23])*(?:\r?\n|\\+(?:r\\+)?n)"


def cut_keys() -> tuple[str, ...]:
    """Return patterns of keys that may be cut off by the end of a line, by their prefixes.

    Only prefixes of three characters and more, since others end lines of prose.
    """
    made: list[str] = []
    for _, shape in _ROWS:
        found = _PREFIX.match(shape.lstrip("<~"))
        if found is None or len(_CHOICE.sub(r"\1", found[1])) < 3:
            continue
        begin = r"\b" if shape[0] in "<~" else ""
        is_all = found.end() >= len(shape) - len("<{1000,}>")
        rest = found[2] if is_all else r"[\w.~+/=-]"
        made.append(begin + found[1] + rest)
    return tuple(dict.fromkeys(inside + _CUT for inside in (*made, *_INSIDE)))


def formats() -> list[tuple[str, str, Callable[[str], bool]]]:
    """Return kind, pattern for RE2 and judge of each, the ones that say more first.

    The first group of a pattern is the key.
    """
    made: list[tuple[str, str, Callable[[str], bool]]] = []
    for kind, row in _ROWS:
        begin = {"<": BEGIN, "~": _BEGIN_WITHOUT_DASH}.get(row[0], "")
        end = {">": "(?:[^A-Za-z0-9]|$)", "~": "(?:[^A-Za-z0-9-]|$)"}.get(row[-1], "")
        shape = row[bool(begin) : len(row) - bool(end)]
        if shape[0] == "(" and shape[-1] == ")" and shape[1] != "?":
            shape = shape[1:-1]
        has_group = "(" in shape.replace("(?", "").replace("\\(", "")
        # Two may stand side by side.
        twice = f"((?:{shape}){{1,2}})" if end else f"({shape})"
        pattern = begin + (shape if has_group else twice) + end
        made.append((kind, pattern, _JUDGES.get(kind, is_key)))
    return made


def is_key(value: str) -> bool:
    """Judge what has a vendor's form: random, and no example of it."""
    if is_example(value) or entropy(value) < 2.5:
        return False
    if value[1] == ".":  # As methods are called.
        return sum(map(str.isdigit, value)) >= 2
    return (
        any(map(str.isdigit, value))
        or _LETTERS.search(value) is not None
        or (
            any(map(str.isupper, value)) and (not value.isupper() or has_odd_letters(value))
        )
    )


def _is_key_id(value: str) -> bool:
    """Judge what has capitals in all places, and a digit in most."""
    return not is_example(value) and entropy(value) >= 3.0


def _is_no_style(value: str) -> bool:
    """Judge what names of styles look like: `md-` and small letters, or words."""
    if not is_key(value) or not any(map(str.isupper, value)):
        return False
    return any(map(str.isdigit, value)) or not is_identifier(value[3:])


_JUDGES = {
    "encryption-key": is_bytes,
    "aws-access-key-id": _is_key_id,
    **dict.fromkeys(
        names("ably-key litellm-key mandrill-key mixed-key plex-token"), _is_no_style
    ),
    "wallet-key": is_wallet_key,
}


_KEY_BEGIN = lazily(
    r"-{4,5} ?BEGIN (?:(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
    r"|(?<!- )(?<!-)\bBEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?=(?:\\n|[\s>|+→\d:-]){1,24}[A-Za-z0-9+/]{40,})|PuTTY-User-Key-File-\d:"
    r"|[Pp]rivate key[^\n]{0,60}\r?\n(?:[ \t>]*(?:`{3}\w*)?\r?\n){0,2}(?P<body>)(?=(?:[A-Za-z0-9+/]{60,76}\r?\n){2})"
)
_KEY_END = lazily(
    r"(?:-{4,5} ?)?\bEND (?:(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)(?: ?-{4,5})?|Private-MAC: ?[0-9a-f]+"
)
_LONGEST_KEY = 24_000
_KEY_REST = lazily(
    r"(?:\n[^\n]{0,40}\d\d:\d\d:\d\d[.\d]*Z[ \t](?:\[\w+\])?|\n[\w./-]{1,120}[:-]\d{1,6}[:-]"
    r"|\n[\w.-]{1,40}[ \t]+\||[\s\"',+\-|│>#/*\\$]|\\[nrt]|\d{1,6}(?:→|\t|[|:])"
    r"|(?:Proc-Type|DEK-Info|Comment|Version"
    r"|Hash|Charset|Encryption|Public-Lines|Private-Lines)[ :][^\n\\]*|[A-Za-z0-9+/=]{16,}"
    r"|[A-Za-z0-9+/]+={0,2}(?=[\s\"'\\]|$))*+"
)
_KEY_TAIL = lazily(
    r"(?:(?:^|\n)(?:[ \t]*+\d{1,6}(?:→|\t|[|:]))?[ \t+\->|]*+[A-Za-z0-9+/=]{4,80}+[ \t\r]*+){1,100}"
    r"\n[^\n]{0,12}-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY"
)
"""The end of one whose beginning stands elsewhere."""
_KEY_BODY = lazily(r"[A-Za-z0-9+/=]{20,}")


def iter_private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    r"""Yield where private keys stand in `text`, from first line to last; their kind.

    One that is cut off ends where lines no longer look like one. A form without a key in
    it (`-----BEGIN PRIVATE KEY-----\n...`) is passed over.
    """
    for tail in _KEY_TAIL.finditer(text):
        yield *tail.span(), "private-key"
    at = 0
    while (begin := _KEY_BEGIN.search(text, at)) is not None:
        at = begin.end()
        limit = at + _LONGEST_KEY
        following = _KEY_BEGIN.search(text, at, limit)
        end = _KEY_END.search(text, at, following.start() if following else limit)
        if end is None:
            rest = _KEY_REST.match(text, at, limit)
            at = rest.end() if rest else at
        else:
            at = end.end()
        if _KEY_BODY.search(text, begin.end(), at) is not None:
            yield max(begin.start(), begin.start("body")), at, "private-key"
