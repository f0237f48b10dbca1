r"""What people say in a chat: who tells of access says the password with it, or soon.

Files and outputs are full of names with digits; the sentences of a chat are not: of 4,900
messages of real sessions, 90 words look at all as people choose passwords. So a word that
does is one, wherever it stands in a message that tells of passwords, or in a short one soon
behind it; in a long one, near the name.

`try Gravel-Otter-1956 first`   a word that is no word, no name, no version
`the hint: six brave pianos 41` words of which most are unusual, where a sign says so
`Gate: 55068#`                  digits, where the talk is of codes
"""

from __future__ import annotations

import re
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact import words
from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.examples import PUBLIC, is_example
from everyleaf.redact.judging import is_identifier
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.redact.engine import PatternMatch


def _named(pattern: str, name: str) -> str:
    return pattern.replace(f"{{{name}}}", getattr(words, name))


_KINDS: dict[str, str] = {
    kind: reduce(_named, ("ACCOUNTS", "FOREIGN", "MISSPELT"), "|".join(rows.splitlines()))
    for kind, rows in re.findall(
        r"(?m)^== (\w+):.*\n((?:.+\n)+)",
        (Path(__file__).parent / "talk.txt").read_text("utf-8"),
    )
}
"""What a message may tell of, the name that counts first: kind → a pattern of its names."""
_NAMES = f"(?i)({')|('.join(_KINDS.values())})"
_NONE, _TOLD = "none", "told"
"""Stands among what is kept of a chat for what its last messages told of."""
_FENCE = lazily(r"(?s)```.*?(?:```|\Z)|<([a-z-]+)>[^<]*</\1>")
_QUOTES = "\"'`\u201c-\u201e\u2018\u2019\u300c\u300d\xab\xbb"
_RUN = lazily(rf"[^\s{_QUOTES}]{{6,}}(?=\s|\Z)|[^\s{_QUOTES}(){{}}\[\]]{{6,}}")
_OPEN, _CLOSED = "([{<*_.,;:", ")]}>*_.,;:?\u2026\u3002\u3001\uff0c"
_HAS = lazily(
    r"\d|\w[!#$%^&*+?~<>|;@\xa3\xa7=]+\w|\w[!#$%^&*~=]\Z|[A-Z][a-z]{3,}\.[A-Z][a-z]{3,}"
)
_COUNTED = "line|issue|port|number|run|build|ticket|order|row|step|PR|MR|ADR|RFC|status|exit|error|HTTP|version|page|in|since|of"
_NUMBER = lazily(
    r"(?<![\w#.:/$\u20ac\xa3-])"
    + "".join(f"(?<!{word} )" for word in _COUNTED.split("|"))
    + r"(?!(?:19|20)\d\d\b)(?:\d{4,8}(?:[#*]\d{0,4}|[A-F])?|\d{3}[ ]\d{3}|\d\d(?:-\d\d){2,3}|\d{4}(?:[ -]\d{4}){1,7}|\d{16})(?![\w.:/%-]*\d|[%:/]"
    r"|[ ](?:ms|px|passed|passing)|[ ][a-z]+s\b)"
)
_KEY = lazily(
    r"\b(?:[0-9a-f]{32}|[0-9a-f]{64})\b|(?<![\w/+])[\w/+]{43}=|(?<![\w/+])[\w/+]{86}=="
)
_DIGEST = lazily(r"(?i)digest|checksum|\bsha|hash|fingerprint|commit|md5|etag|uuid")
_PHRASE = lazily(
    r"(?i)(?:\A|(?:\b(?:is|was|to|as|with|says?|said|words|use|type|enter|put|phrase|pass(?:word|phrase)?|it['\u2019]s|that['\u2019]s|lautet|ist|est|es|\xe8|would)|[:=\u2014\u2013])[ ])(?=([\"\u201c\u201e\u300c\xab`*]{0,2})[ ]?"
    r"((?:[^\W_]+(?:['\u2019-][^\W_]+)?[ ]){1,9}[^\W_]+[!?]?)[ ]?([\"\u201d\u201c\u300d\xbb`*.,;\n]|\Z|[ ][\u2014(]|but[ ]))"
)
_OVER = lazily(
    r"(?i)\W*(?:(?:ok(?:ay)?|great|perfect),? )?(?:thanks?|thank you|danke|merci|gracias|got it|done)\b"
)
"""Ends what the messages before told of."""
_SHORT, _ANSWER, _BARE, _FAR = 400, 120, 40, 200
"""Characters of a message that is short; of one that may answer; of one that may answer
with a number alone; around a name in a long one."""
_BLANK = lazily(r"\s")
_TURNS = 2
"""So many messages behind one that tells of passwords may answer."""
_LATIN = "\u024f"
_SHORTEST, _LONG, _LONGEST = 6, 8, 48


def is_loose(value: str) -> bool:
    """Judge a word of a chat that tells of passwords: no word, no name, no version.

    >>> is_loose("Gravel-Otter-1956"), is_loose("test_login_bad2"), is_loose("v1beta2")
    (True, False, False)
    """
    value = value.lstrip("#@~_?*+,'!$%&^\u00a7")
    bare = value.strip("0123456789!?#$%&*+~^=_.-")
    is_plain = bare.isidentifier() and (words.is_listed(bare) or bare in words.USUAL)
    is_camel = value[:1].islower() and value.isalnum() and is_identifier(value)
    is_one = value[:-1].isalpha() and words.ENDINGS.search(bare) is not None
    return words.is_shouted(value) or (
        sum(map(str.isalpha, value)) >= 3
        and _HAS.search(value) is not None
        and PUBLIC["talk"].fullmatch(value) is None
        and not (is_plain or is_camel or is_one)
        and not is_example(value)
        and not words.is_counted(value)
        and PUBLIC["any"].fullmatch(value) is None
    )


def _is_answer(value: str) -> bool:
    """Judge such a word in a message behind: more than one digit, or a sign."""
    return is_loose(value) and (sum(map(str.isdigit, value)) > 1 or not value.isalnum())


def _is_chosen(value: str) -> bool:
    """Judge such a word where a chat tells of access alone."""
    return _is_answer(value) and len(value) >= _LONG


def _is_odd(word: str) -> bool:
    """Return whether a word is none of those that sentences are made of."""
    is_usual = word.lower() in words.USUAL | words.LEADING
    return len(word) > 2 and not is_usual and not words.is_listed(word)


def _is_phrase(value: str, *, is_apart: bool) -> bool:
    """Judge words with blanks; `is_apart`: in quotes, behind a sign, or all that is said."""
    parts = value.rstrip("!?").split()
    plain = [part for part in parts if not part.isdigit()]
    odd = [*filter(_is_odd, plain)]
    if len(plain) == len(parts) and max(value) > _LATIN:
        return False  # Which words of other scripts are usual, nobody knows.
    if is_apart or len(plain) < len(parts):
        least = len(plain) / (2 if is_apart else 3)
        return len(parts) > 2 and len(odd) >= max(2, least)
    return len(odd) > 3 and len(odd) == len(plain) and min(map(len, odd)) > 3


class _Part(NamedTuple):
    """A part of a message, and what is looked for there."""

    begin: int
    end: int
    kind: str
    is_answer: bool = False
    """A message before tells of it, this one does not."""

    def spans(self, said: str) -> Iterator[tuple[int, int]]:
        """Yield where secrets stand in this part of what is `said`."""
        judge = _is_answer if self.is_answer else is_loose
        judge = _is_chosen if self.kind == "access" else judge
        for start, stop in _iter_words(said, self.begin, self.end):
            if judge(said[start:stop]):
                yield start, stop
        part = said[self.begin : self.end]
        is_bare = len(part) <= _BARE and self.kind in {"code", "password"}
        if is_bare or (self.kind == "code" and not self.is_answer):
            yield from (one.span() for one in _NUMBER.finditer(said, self.begin, self.end))
        if self.kind == "key" and not _DIGEST.search(part):
            yield from (one.span() for one in _KEY.finditer(said, self.begin, self.end))
        if self.kind == "password":
            for found in _PHRASE.finditer(said, self.begin, self.end):
                if self._is_told(found, is_short=len(said) <= _SHORT):
                    yield found.span(2)

    def _is_told(self, found: re.Match[str], *, is_short: bool) -> bool:
        lead, quote, phrase, after = found[0], *found.groups()
        if not lead:  # All that is said, or its first line, and no sentence.
            is_whole = after == "\n" or found.end(3) >= self.end - 2
            is_row = min(map(len, phrase.split())) > 2 or any(map(str.isdigit, phrase))
            is_whole = is_whole and is_row and after not in {".", ":"}
            return is_whole and _is_phrase(phrase, is_apart=True)
        is_behind_sign = lead[0] in ":=" and not self.is_answer
        is_apart = is_short and (quote != "" or is_behind_sign)
        if lead.lower().startswith("pass") and not quote and not _is_odd(phrase.split()[0]):
            return False  # `password reset mails arrive late`
        return (is_apart or not self.is_answer) and _is_phrase(phrase, is_apart=is_apart)


def iter_talked(said: str, calls: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Yield where passwords, codes and keys stand that somebody says in a chat. Linear.

    `calls` keeps what the messages before told of, and for how many more it counts.
    """
    before = "" if _OVER.match(said) else calls.get(_TOLD, "")
    calls.pop(_TOLD, None)
    body = said.encode(errors="replace")
    named = [
        (one.span()[0], _kind_of(one)) for one in compile_pattern(_NAMES).finditer(body)
    ]
    kinds = {kind for _, kind in named} - {_NONE}
    if len(kinds) < len({kind for _, kind in named}):
        kinds, before = kinds - {"code"}, ""
    if len(said) <= _SHORT:
        parts = [_Part(0, len(said), kind) for kind in sorted(kinds)]
        if before and len(said) <= _ANSWER:
            parts.append(_Part(0, len(said), before.rstrip(), is_answer=True))
    else:
        parts = [*_iter_parts(said, body, [one for one in named if one[1] in kinds])]
        before = ""
    told = next((kind for kind in _KINDS if kind in kinds), "")
    if told or before.endswith(" "):
        calls[_TOLD] = told + " " * _TURNS if told else before[:-1]
    fences = [found.span() for found in _FENCE.finditer(said)]
    for start, stop in (span for part in parts for span in part.spans(said)):
        if not any(first <= start < last for first, last in fences):
            yield start, stop


def _kind_of(found: PatternMatch) -> str:
    return next(kind for at, kind in enumerate(_KINDS, 1) if found.span(at)[0] >= 0)


def _iter_parts(said: str, body: bytes, named: list[tuple[int, str]]) -> Iterator[_Part]:
    """Yield the lines that names stand in, and those behind them, each one once."""
    at = seen = 0
    done: dict[str, int] = {}
    for place, kind in named:
        at += len(body[seen:place].decode(errors="replace"))
        seen = place
        floor = max(at - _FAR, done.get(kind, 0), 0)
        line = said.rfind("\n", floor, at)
        blank = _BLANK.search(said, floor, at) if floor else None
        begin = line if line >= 0 else blank.start() if blank else floor
        limit = min(at + _FAR, len(said))
        end = said.find("\n", said.find("\n", at, limit) + 1 or limit, limit)
        if end < 0:
            end = limit if limit == len(said) else max(said.rfind(" ", at, limit), at)
        done[kind] = end
        yield _Part(begin, end, kind)


def _iter_words(said: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where words stand, without the signs around them and the name of a setting."""
    for run in _RUN.finditer(said, begin, end):
        start, stop = run.span()
        start = max(start, said.rfind("=", start, stop - _SHORTEST) + 1)
        while start < stop and said[start] in _OPEN:
            start += 1
        while start < stop and said[stop - 1] in _CLOSED:
            stop -= 1
        if _SHORTEST <= stop - start <= _LONGEST:
            yield start, stop
