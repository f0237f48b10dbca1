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
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact import text_of, words
from everyleaf.redact.anywhere import is_public
from everyleaf.redact.codes import phrase_length
from everyleaf.redact.contexts import written
from everyleaf.redact.engine import compile_pattern, may_have
from everyleaf.redact.examples import PIECES, PUBLIC, is_example
from everyleaf.redact.judging import is_identifier, is_punctuated, is_unlisted_token
from everyleaf.redact.views import View
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PIECES = PIECES | {"ACCOUNTS": words.ACCOUNTS, "MISSPELT": words.MISSPELT}
_TEXT = text_of("talk")
_KINDS: dict[str, str] = {
    kind: written("|".join(rows.splitlines()), _PIECES)
    for kind, rows in re.findall(r"(?m)^== (\w+):.*\n((?:.+\n)+)", _TEXT)
}
"""What a message may tell of, the name that counts first: kind → a pattern of its names."""
_PATTERNS = {
    name: lazily(written("".join(rows.splitlines()), _PIECES))
    for name, rows in re.findall(r"(?m)^-- ([\w ]+):.*\n((?:.+\n)+)", _TEXT)
}
"""What is looked for in what is said."""
_REMARKS = names(text_of("remarks"))
"""How words begin, of forty languages, that people say of a password: it is missing, it is
the same, it comes later."""
_NAMES = f"(?i)({')|('.join(_KINDS.values())})"
_PASSWORD = f"(?i){_KINDS['password']}"
_NONE = "none"
"""The kind of codes that open nothing."""
_TOLD = "told"
"""Stands among what is kept of a chat for the kind that its last messages told of, with a
blank for each message that may answer yet."""
ASKED = "?"
"""Stands there for how what was asked for at last leads to an answer, and a line below for
the question."""
_LABELS = {"password": "password?", "code": "PIN:", "key": "API key:"}
_OPEN, _CLOSED = "([{<*_.,;:", ")]}>*_.,;:?\u2026\u3002\u3001\uff0c"
_IN_FRONT = "#@~_?*+,'!$%&^\u00a7"
"""Signs that a password may begin with, and what is none."""
_SHORT, _ANSWER, _BARE, _FAR, _QUESTION = 400, 120, 40, 200, 200
"""Characters of a message that is short; of one that may answer; of one that may answer
with a number alone; around a name in a long one; of a question."""
_OF_NUMBER = names(
    "code codes kode codice digits password passwort prova prueba essaie versuch probier"
)
"""Words that may stand before a number that somebody was asked for."""
_OF_PHRASE = lazily(r"(?i)phrase|frase|\bseed\b|\bwords\b")
_NEAR = 30
"""Characters before words in which a name says that they are a passphrase."""
_FEW_SIGNS = 14
"""Signs of writings that part no words which may be a password; more are a sentence."""
_LONG_NOUN = 4
"""Letters of a word that may say what a number is of."""
_TURNS = 3
"""So many messages behind one that tells of passwords may answer."""
_BLANK, _NAME, _LONG_WORD = lazily(r"\s"), lazily(r"[\w-]+"), lazily(r"[^\W\d_]{4,}")
_SHORTEST, _LONG, _LONG_ALONE, _LONGEST = 6, 8, 10, 48
"""Characters of a password that is named; of one where only access is told of; of one of
letters alone behind a verb; of each."""


def looks_chosen(value: str) -> bool:
    """Judge a word of a chat that tells of passwords: no word, no name, no version.

    >>> looks_chosen("Gravel-Otter-1956"), looks_chosen("test_login_bad2")
    (True, False)
    """
    if _PATTERNS["handle"].fullmatch(value):
        return False
    if _PATTERNS["ideograms"].fullmatch(value) or words.CHAIN.fullmatch(value):
        return True
    if sum(sign > "\u0dff" for sign in value) * 2 > len(value):
        return False  # A sentence of a writing that puts no blanks between words.
    value = value.lstrip(_IN_FRONT)
    row = value.rstrip("0123456789")
    is_like_branch = _PATTERNS["joined"].search(row) is None and len(value) - len(row) < 2
    is_row = words.is_words(row) and not (is_like_branch and not words.are_everyday(row))
    if (
        is_row
        or words.is_shouted(value)
        or is_punctuated(value)
        or words.is_compound(value)
    ):
        return True
    bare = value.strip("0123456789!?#$%&*+~^=_.-")
    is_plain = _NAME.fullmatch(bare) and (words.is_listed(bare) or bare in words.USUAL)
    is_camel = value[:1].islower() and value.isalnum() and is_identifier(value)
    is_one = value[:-1].isalpha() and words.ENDINGS.search(bare) is not None
    are_odd = all(map(words.is_unusual, _LONG_WORD.findall(value)))
    return (
        sum(map(str.isalpha, value)) >= 3
        and _PATTERNS["mixed"].search(value) is not None
        and (are_odd or any(map(str.isdigit, value)))
        and not (is_plain or is_camel or is_one)
        and not (PUBLIC["talk"].fullmatch(value) or is_public(value))
        and not (is_example(value) or words.is_counted(value))
    )


def _is_phrase(value: str, *, is_apart: bool) -> bool:
    """Judge words with blanks; `is_apart`: in quotes, behind a sign, or all that is said."""
    parts = value.rstrip("!?").split()
    plain = [part for part in parts if not part.isdigit()]
    odd = [*filter(words.is_unusual, plain)]
    if len(plain) == len(parts) and max(value) > "\u024f":
        return False  # Which words of other scripts are usual, nobody knows.
    if is_apart or len(plain) < len(parts):
        is_sentence = not is_apart and any(map(words.is_common, plain))
        least = max(2, len(plain) / (2 if is_apart else 3))
        return len(parts) > 2 and len(odd) >= least and not is_sentence
    is_row = len(odd) > 3 and len(odd) >= len(plain) - len(plain) // 4
    is_row = is_row and (len(odd) == len(plain) or all(map(words.is_english, plain)))
    return is_row and min(map(len, plain)) > 3 and not any(map(words.is_common, plain))


def _is_unusual(word: str) -> bool:
    """Judge letters alone behind a name of passwords and a verb: no word of a sentence."""
    one = word.rstrip("s")
    is_like_others = words.ENDINGS.search(one) or _PATTERNS["ending"].search(one)
    is_alone = len(word) >= _LONG_ALONE and words.is_unusual(word) and not is_like_others
    return is_alone or words.is_compound_abroad(word)


def _describes(word: str, *, is_verb: bool) -> bool:
    """Return whether a word, of any language, tells how a password is, and is none."""
    small = word.casefold()
    if is_verb and any(_PATTERNS[how].search(small) for how in ("ending", "slavic")):
        return True
    stems = {small[:end] for end in range(_LONG_NOUN, len(small) + 1)}
    return (
        not stems.isdisjoint(_REMARKS)
        or small in words.USUAL
        or is_public(word)
        or is_example(word)
        or (words.ENDINGS.search(small) is not None and words.is_english(small))
    )


class _Part(NamedTuple):
    """A part of a message, and what is looked for there."""

    begin: int
    end: int
    kind: str
    is_answer: bool = False
    """A message before tells of it, this one does not."""
    is_asked: bool = False
    """The one before asked for it."""

    def spans(self, said: str) -> Iterator[tuple[int, int]]:
        """Yield where secrets stand in this part of what is `said`."""
        where = said, self.begin, self.end
        for start, stop in _iter_words(*where):
            value = said[start:stop]
            is_row = words.is_words(value) and self._leads(said, start) is not None
            if is_row or (looks_chosen(value) and self._is_sure(value)):
                two = None if self.is_answer else self._leads(said, start)
                is_two = two is not None and words.is_unusual(two["word"] or "")
                # `is sparkle nugg4959` has two words.
                yield (two.start("word") if two and is_two else start), stop
        part = said[self.begin : self.end]
        is_bare = len(part) <= _BARE and self.kind in {"code", "password"}
        if self.is_answer and not self.is_asked:  # `increase the timeout to 3000`
            clauses = [one for one in re.split("[,:;]", part) if re.search(r"\d", one)]
            parts = [word for one in clauses for word in _LONG_WORD.findall(one)]
            is_bare &= all(words.is_common(w) or w.lower() in _OF_NUMBER for w in parts)
        if is_bare or (self.kind == "code" and not self.is_answer):
            yield from (one.span() for one in _PATTERNS["number"].finditer(*where))
        if self.kind == "key" and not _PATTERNS["digest"].search(part):
            yield from (one.span() for one in _PATTERNS["key"].finditer(*where))
        if self.kind == "password":
            yield from self._phrases(said)
            yield from (one.span("word") for one in _PATTERNS["keyed"].finditer(*where))

    def _phrases(self, said: str) -> Iterator[tuple[int, int]]:
        """Yield where words with blanks stand that are a password."""
        for found in _PATTERNS["phrase"].finditer(said, self.begin, self.end):
            is_told = self._is_told(found, is_short=len(said) <= _SHORT)
            if is_told and not may_have(_PASSWORD, found[2]):  # It tells of one.
                yield found.span(2)
        for found in _PATTERNS["row"].finditer(said, self.begin, self.end):
            parts = found["row"].split()
            if row := " ".join(parts[: phrase_length(parts)]):
                yield found.start("row"), found.start("row") + len(row)
        for found in _PATTERNS["spelled"].finditer(said, self.begin, self.end):
            phrase = found["word"]
            is_row = all(map(words.is_unusual, phrase.split()))
            is_row = is_row or _is_phrase(phrase, is_apart=True)
            if is_row and not _PATTERNS["count"].search(phrase):
                yield found.span("word")

    def _leads(self, said: str, start: int) -> re.Match[str] | None:
        """Return the verb or the sign that leads to what begins at `start`, if one does."""
        return _PATTERNS["leads"].search(said, max(start - _NEAR, self.begin), start)

    def _is_sure(self, value: str) -> bool:
        """Return whether a word is enough here: less is, where a password is named."""
        is_clear = not value.isalnum() or _PATTERNS["clear"].search(value) is not None
        is_clear = is_clear or value.isalpha() or words.is_compound(value)
        if self.kind in {"access", "account"}:
            return is_clear and len(value) >= _LONG
        return is_clear or not self.is_answer

    def _is_told(self, found: re.Match[str], *, is_short: bool) -> bool:
        """Return whether words with blanks, which `phrase` found, are a secret here."""
        lead, quote, phrase, after = found[0], *found.groups()
        is_last = after == "\n" or found.end(3) >= self.end - 2
        if _PATTERNS["length" if quote else "count"].search(phrase):
            return False  # `the password field shows 7 stars`
        if not lead:  # All that is said, or its first line, and no sentence.
            is_whole = is_last and after not in {".", ":"}
            is_row = min(map(len, phrase.split())) > 2 or any(map(str.isdigit, phrase))
            if not self.is_asked:  # Any sentence may stand here, of any language.
                parts = re.findall(r"[^\W\d_]+", phrase)
                is_row = is_row and all(map(words.is_english, parts))
                is_row = is_row and not any(map(words.is_common, parts))
            is_row = is_row and not is_kept(phrase)
            return is_whole and is_row and _is_phrase(phrase, is_apart=True)
        is_behind_sign = lead[0] in ":=" and (not self.is_answer or self.is_asked)
        is_apart = is_short and (quote != "" or is_behind_sign)
        first, _, _ = phrase.partition(" ")
        is_word = not (first.isdigit() or words.is_unusual(first))
        is_named = lead.lower().startswith("pass") and not quote
        is_counted = re.search(r"[^\W\d_] \d+ [^\W\d_]", phrase) is not None
        if is_named and first.istitle() and is_counted and after in ".\n":
            return True  # `passphrase Our popcorn eats 74 clouds.`
        if is_named and is_word:
            return False  # `password reset mails arrive late`
        if lead.lower() == "passphrase " and is_last:
            parts = phrase.split()  # `passphrase fossil crystal fountain`
            are_odd = len(parts) > 2 and all(map(words.is_unusual, parts))
            if are_odd and not any(map(words.is_common, parts)):
                return True
        names_phrase = _OF_PHRASE.search(
            found.string, max(found.start() - _NEAR, 0), found.start(1)
        )
        # `Passwort: steht im Tresor`
        is_remark = not (quote or names_phrase) and words.is_remark(phrase)
        is_here = (is_apart or not self.is_answer) and not is_remark
        return is_here and _is_phrase(phrase, is_apart=is_apart)


def iter_talked(
    said: str, calls: dict[str, str], *, is_asked: bool = False
) -> Iterator[tuple[int, int]]:
    """Yield where passwords, codes and keys stand that somebody says in a chat. Linear.

    `calls` keeps what the messages before told of, and for how many more it counts; the
    last of them may have asked for one.
    """
    said = _PATTERNS["shown"].sub(
        lambda part: " " * len(part[0]) if part["shown"] else part[0], said
    )
    before = calls.pop(_TOLD, "")
    named = [*_iter_named(said)]
    kinds = {kind for _, kind in named} - {"account"}
    is_over = _NONE in kinds or len(said) > _SHORT or _PATTERNS["over"].match(said)
    before = "" if is_over else before
    kinds -= {_NONE, "code"} if _NONE in kinds else set()
    if len(said) <= _SHORT:
        parts = [_Part(0, len(said), kind) for kind in sorted(kinds)]
        if before and len(said) <= _ANSWER:
            told = before.rstrip()
            parts.append(_Part(0, len(said), told, is_answer=True, is_asked=is_asked))
    else:
        parts = [*_iter_parts(said, [one for one in named if one[1] in kinds])]
    if told := next((kind for kind in _KINDS if kind in kinds), ""):
        calls[_TOLD] = told + " " * _TURNS
    elif before[:-1].endswith(" "):
        calls[_TOLD] = before[:-1]
    itself = [one for one in named if one[1] in kinds and _names_one(said, *one)]
    last = [kind for at, kind in itself if len(said) - at <= _QUESTION]
    tail = said[-_QUESTION:]
    if last and _PATTERNS["asks"].search(tail) and not _PATTERNS["elsewhere"].search(tail):
        calls[ASKED] = f"{_LABELS[last[-1]]}\n{tail}"
    for part in parts:
        yield from part.spans(said)
    for at, kind in itself:
        if kind == "password":
            yield from _iter_single(said, at)
    yield from iter_accounts(said, named)


def iter_accounts(said: str, named: Iterable[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield where passwords stand in rows of accounts, of what is `named` in what is said."""
    for at, kind in named:
        if kind == "account" and (row := _PATTERNS["account of"].match(said, at)):
            parts = re.findall(r"[^\W_]+", row["word"])
            is_like_host = len(parts) > 1 and row["word"].islower()
            if not is_like_host or all(map(words.is_unusual, parts)):
                yield from _Part(*row.span("word"), kind).spans(said)


def _iter_single(said: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield where one word stands that the name of a password at `at` tells of."""
    begin = max(at - _NEAR * 2, 0)
    behind = ((_PATTERNS[how].match(said, at), judge) for how, judge in _BEHIND.items())
    ahead = ((_PATTERNS[how].search(said, begin, at), one) for how, one in _AHEAD.items())
    for value, is_one in chain(behind, ahead):
        if value and is_one(value):
            yield value.span("word")


def _is_of_login(value: re.Match[str]) -> bool:
    """Return whether somebody who logs in is named right before a password, or behind it."""
    begin = max(value.start() - _NEAR * 2, 0)
    where = value.string, begin, value.start()
    return bool(value["user"] or _PATTERNS["account"].search(*where))


def _is_thing(word: str) -> bool:
    return word.lower() in words.THINGS and not words.is_listed(word)


def _is_named(word: str) -> bool:
    """Judge a word that is a name, or that English does not have."""
    is_other = word.istitle() or not words.is_english(word) or _is_taken(word)
    return is_other and not _describes(word, is_verb=False)


def _is_worded(value: str) -> bool:
    """Judge a word with digits beside a name of another language: no thing has this name."""
    bare = value.rstrip("0123456789!?#$%&*+~^=_.,-")
    is_usual = bare.lower() in words.USUAL or words.is_counted(value)
    return not (is_usual or is_public(value) or is_example(value) or value[-1] == ",")


def _is_taken(word: str) -> bool:
    """Judge a word of English that a password is said to be: nothing that tells how it is."""
    small = word.lower()
    is_told = small in words.USUAL or words.is_listed(small) or words.is_common(small)
    is_ending = small not in words.THINGS and words.ENDINGS.search(small) is not None
    return words.is_english(small) and not (is_told or is_ending or is_example(word))


_BEHIND: dict[str, Callable[[re.Match[str]], bool]] = {
    "tells": lambda value: _is_unusual(value["word"]),
    "alone": lambda value: not _describes(value["word"], is_verb=value["sign"] is None),
    "thing": lambda value: _is_thing(value["word"]),
    "english": lambda value: _is_taken(value["word"]),
    "login": lambda value: (
        _is_of_login(value) and not _describes(value["word"], is_verb=True)
    ),
    "beside": lambda value: _is_worded(value["word"]),
    "titled": lambda value: _is_named(value["word"]),
    "secret word": lambda value: _is_named(value["word"]) or _is_taken(value["word"]),
    "answer": lambda value: _is_named(value["word"]) or _is_thing(value["word"]),
}
"""Pattern of what the name of a password begins → whether its word is one."""
_AHEAD: dict[str, Callable[[re.Match[str]], bool]] = {
    "ahead": lambda value: _is_worded(value["word"]),
    "uses": lambda value: (
        _is_thing(value["word"]) or not _describes(value["word"], is_verb=False)
    ),
}
"""The same of what leads to such a name."""


def iter_told(said: str) -> Iterator[tuple[int, str]]:
    """Yield where a password, a code or a key is named, and which: nothing about one.

    And where a row of accounts begins.
    """
    for at, kind in _iter_named(said):
        if kind == "account" or _names_one(said, at, kind):
            yield at, kind


def _names_one(said: str, at: int, kind: str) -> bool:
    return kind in _LABELS and not _PATTERNS["about"].match(said, at)


def _iter_named(said: str) -> Iterator[tuple[int, str]]:
    view = View(said)
    for found in compile_pattern(_NAMES).finditer(view.body):
        kind = next(kind for at, kind in enumerate(_KINDS, 1) if found.span(at)[0] >= 0)
        yield view.span(*found.span())[0], kind


def asks_for_password(question: str) -> bool:
    """Return whether a question names a password, and nothing about passwords."""
    return any(kind == "password" for _, kind in iter_told(question))


def is_offered(said: str, question: str) -> bool:
    """Return whether an answer is the other thing that a question offered: `or a key?`."""
    offered = _PATTERNS["offered"].search(question)
    return offered is not None and offered["other"].lower() == said.strip(" .!").lower()


def is_kept(said: str) -> bool:
    """Return whether an answer says where a password is kept."""
    return " " in said and _PATTERNS["kept"].search(said) is not None


def find_answer(said: str) -> tuple[int, int] | None:
    """Return where the one word stands that answers a question for a secret, if one does."""
    given = _PATTERNS["given"].fullmatch(said)
    value = given[1] if given else ""
    is_usual = value.istitle() and value.lower() in words.USUAL
    is_prose = value.isalpha() and bool(is_usual or words.ENDINGS.search(value))
    is_prose = is_prose and value.lower() not in words.THINGS
    is_prose |= sum(sign > "\u0dff" for sign in value) > _FEW_SIGNS
    return given.span(1) if given and is_unlisted_token(value) and not is_prose else None


def _iter_parts(said: str, named: list[tuple[int, str]]) -> Iterator[_Part]:
    """Yield the lines that names stand in, and those behind them, each one once a kind."""
    done: dict[str, int] = {}
    for at, kind in named:
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
    """Yield where words stand that are not letters alone, without signs around them."""
    for run in _PATTERNS["run"].finditer(said, begin, end):
        start, stop = run.span()
        while start < stop and said[start] in _OPEN:
            start += 1
        while start < stop and said[stop - 1] in _CLOSED:
            stop -= 1
        setting = _PATTERNS["setting"].match(said, start, stop - _SHORTEST)
        if setting and is_public(said[start:stop]):
            continue
        is_whole = looks_chosen if setting and setting[0][-1] == ":" else is_punctuated
        if setting and not is_whole(said[start : min(stop, start + _LONGEST)]):
            start = setting.end()
        is_sized = _SHORTEST <= stop - start <= _LONGEST
        value = said[start:stop]
        if is_sized and (not value.isalpha() or words.is_compound(value)):
            yield start, stop
