"""Passwords and tokens that sentences tell: by the words between a name and a value.

the NAS password for ada is now …     told: words that only lead on, and a sign or a verb
I tried … as the admin password       near: what no word and no name looks like
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.judging import is_far_password, is_far_token, is_odd, is_word
from everyleaf.redact.kinds import is_passphrase
from everyleaf.redact.words import is_listed
from everyleaf.sources.content import names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.redact.engine import Pattern
    from everyleaf.redact.views import View

FOREIGN = (
    r"парол[ьяюе]|\bmdp\b|비번|jelsz\x{f3}|\bparola(?:[ ]d.ordine)?|lozink[au]|лозинк(?:\x{430}|\x{443})|סיסמה|รหัสผ่าน|κωδικ(?:\x{f3}|\x{3cc}|\x{1f79})ς"
    r"|kata sandi|パスワード|暗証番号|비밀번호|senha|wachtwoord|has\x{142}[oa]|l\x{f6}senord(?:et)?|adgangskode(?:n|r)?"
    r"|passord(?:et)?|salasana|heslo|\x{15f}ifre(?:si|miz|m|niz|n)?|\bclave\b|m\x{1ead}t kh\x{1ea9}u|كلمة (?:المرور|السر)|पासवर्ड|contrase\x{f1}a"
    r"|mot de passe|passwort|kennwort|\x{5bc6}(?:\x{7801}|\x{78bc})|口令|\bla password"
)
"""Names of passwords in other languages, as RE2 writes them."""
_NAMES = (
    rf"(?i)(pass(?:word|wd|code|[ -]?phrase)(?:strength)?|pas[w]ord|(?:^|[^a-z])(?:(?:db|root|user|admin|my|sql|ftp|mail|smtp)?pwd?|psw|pswd|pass)(?:[^a-z]|$)|pre-?shared[ ]key|community[ ]string|{FOREIGN})"
    r"|((?-i:[a-z](?:Pwd?|Pass)\b))|(\b(?:log(?:ged)?[ ]?in|creds|credentials?|basic(?:[ ]auth)?|mqtt|ftp|vnc)[ :])"
    r"|secret|token|credential|(?:api|private|access|signing|encryption|master|auth|service|licen[cs]e|app|account)[ _-]?key"
    r"|[a-z]_key\b"
)
"""Of passwords, and of other secrets."""
_MORE = re.compile(r"s\b|_?(?:hash|value|prod|dev|test)\b", re.IGNORECASE)
_RUN = re.compile(r"[A-Za-z\u00c0-\u024f0-9!@#$%^&*_+=.~?/:,;()\[\]{}-]{5,}")
"""What no blank, no quote and no letter of another script parts; no value is shorter."""
_SPLIT = re.compile(r"[^/]+")
_PART = re.compile(r"[^:,;()\[\]{}]+")
_VALUE = re.compile(
    r"[A-Za-z\u00c0-\u024f0-9!@#$%^&*_+=.~?-]{5,64}|[A-Za-z0-9+/]{38,}={0,2}"
)
_QUOTE = "\"'`\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb\u300c\u300d*"
_AROUND = ".,;:=!?()[]{}*_"
_LEADING = names(
    """
    is are was were be been being has have had will should must shall can now currently still just
    set reset changed updated rotated created generated to from as it its the a an my our your this
    that new old current real same only you need use used uses using with for of on at in by and
    temporary default initial admin root user test staging prod production dev here says said ist
    lautet war wurde auf f\u00fcr von der die das dein mein neue est sera de du des la le les en pour
    chang\u00e9 chang\u00e9e \u00e9t\u00e9 a es del para el al e \u00e9 \u00e8 do da di per ora \u00e4r \u00e4ndrat till er til \u00e6ndret op on
    v\u00e4r van voor het w to je jest na dla zmienione i\u00e7in olarak l\u00e0 adalah untuk yang diganti menjadi
    """
)
"""Words that lead on from a name to a value."""
_ANSWERING = _LEADING | names(
    "here's i'd it's sure ok okay yes done take try how about go you s result text bash txt plaintext there value key exit code status completed running stdout stderr output retrieval success preview first kb too large full saved"
)
"""Words in front of what someone was asked for."""
_VERBS = names(
    """
    is are was be to now with ist lautet war auf est sera en es \u00e9 \u00e8 \u00e4r er on jest na l\u00e0 adalah
    menjadi i\u00e7in jako c'est
    """
)
_GOES_ON = _LEADING | names("and but or so then und et y e og och en a i ve dan")
"""Words behind a value."""
_OF = names(
    "for of on at in f\u00fcr von der pour de du del para do da di per f\u00f6r till til for van voor dla untuk"
)
"""Whose or what's a password is: any word may follow."""
_GIVES = re.compile(
    r"(?i)\b(?:enter|put|type|try|take|and)[ ][\"'`*\u201c\u00ab(]{0,3}([^\s\"'`\u201d]{5,64})[\"'`*\u201d\u00bb)]{0,3}"
    r"(?:[ ]in)?[ ](?:as|for)[ ](?:[\w'-]+[ ]){0,4}\Z"
)
_WORD = re.compile(r"[^\W\d_]+")
_SIGN = re.compile(r"[?:=\u2192\uff1a\u2013\u2014>(]|-(?= )")
_ENDINGS = re.compile(
    r"(?:ed|ing|ly|[ai]ble|ion|ions|[m]ent|ness|less|ful|ous|ive|ent|ant|al|ary|ory|ic|ical|ity|ty|er|ers|or|ors|est|ism|ist|ize|ise|ate|text|word|words|s)\Z"
)
"""How words of English end that tell of a password."""
_CAMEL = re.compile(r"[A-Z]?[a-z]{3,}")
_HEX = re.compile(r"[0-9a-f]{7,128}")
_NO_VALUE = re.compile(
    r"[-@#].*|m-[0-9a-f]{8,}|css-\w+|req_.*|[a-z]\w*(?:\.[a-z]\w*)+|\^.*|.*\.\*.*|[a-z]+[-_]?\d+(?:\.\d+)+|[\w-]+=\w*|.*[*]{2}.*|\w+\.[a-z]+|u?int\d+_t|[\w.+-]+@[\w-]+\.[\w.]+|[\w-]+\.(?:[a-z]{2,4}|[jt]sx|toml|yaml)\d?"
)
_FARTHEST = 90
_MOST_LINES = 8
_BEFORE = 70
_LONGEST_WORD = 24
_LONGEST_PASSWORD = 64
_LONGEST_RUN = 130
_SHORTEST_TOKEN = 16
_REMARK = re.compile(r"(?://|#|--)[ ](?:[\w'-]+[ ]){0,3}\Z")
_OPTION = re.compile(r"[ ]--[a-z][\w-]*[ =]\Z")
"""What another option is set to."""
_STATE = re.compile(r"\[[^\]\n]{0,24}\]")
"""What a browser says of a field."""
_GIVEN = re.compile(r"(?i)(?:with|and|use|\()[ ](?:the[ ])?\Z|\(\Z|[A-Z_]{3}\Z|[a-z]_\Z")
"""In front of a name, without a sign behind it."""
_LED = re.compile(r"[\w\s:*`\"'.!?=\u2013\u2014\u2192>-]*")
_NOUN = re.compile(
    r"(?i)(?:\b(?:the|my|our|your|its|this|that|new|old|admin|root|db|database|user|server|login|mail|smtp|ftp|ssh|sudo|wi-?fi|vpn"
    r"|test|staging|prod|router|[a-z]*sql|redis|(?-i:[A-Z]\w+))[ ]pass|\w\.pass|\w[_-]pass)\W?\Z"
)
"""Where `pass` is no verb."""


def iter_near(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where values stand that a sentence of a form tells, and the kind of each.

    Each name is looked at with so many characters around it: linear.
    """
    text = view.text
    for found in _open_names().finditer(view.body):
        first, at = view.span(*found.span())
        name = text[first:at]
        if name.endswith("trength"):
            continue
        if not name[-1].isalnum():
            at -= 1
        if not name[0].isalnum():
            first += 1
        is_password = found.span(1)[0] >= 0 or found.span(2)[0] >= 0
        is_verb = name.strip(_AROUND + _QUOTE + " \n\t-").lower() == "pass"
        if (more := _MORE.match(text, at)) is not None:
            at = more.end()
        end = text.find("\n", at, at + _FARTHEST)
        end = min(len(text), at + _FARTHEST) if end < 0 else end
        begin = text.rfind("\n", max(first - _BEFORE, 0), first) + 1
        begin = begin or max(first - _BEFORE, 0)
        if begin and text[begin - 1] != "\n":  # Not within a word.
            begin = min(text.find(" ", begin, first) + 1 or first, first)
        said = _Said(text, begin, first, at, end)
        if found.span(3)[0] >= 0:
            yield from ((*span, "password") for span in said.accounts())
        elif not is_password:
            yield from ((*span, "secret") for span in said.tokens())
        else:
            yield from ((*span, "password") for span in said.passwords(is_verb=is_verb))


@cache
def _open_names() -> Pattern:
    return compile_pattern(_NAMES)


@cache
def _open_foreign() -> Pattern:
    """Return what finds names whose words for "wrong" or "too short" are not listed."""
    return compile_pattern(f"(?i){FOREIGN}")


class _Said(NamedTuple):
    """A line with a name in it."""

    text: str
    begin: int
    name: int
    at: int
    """Behind the name."""
    end: int

    def tokens(self) -> Iterator[tuple[int, int]]:
        """Yield where a token stands to which words lead on from its name."""
        for start, stop in self._runs():
            gap = self.text[self.at : start]
            if not _leads(gap):
                return
            value = self.text[start:stop]
            if (_has_sign(gap) or self._is_quoted(start, stop)) and (
                _is_token(value) or ("is" in _WORD.findall(gap) and _is_strong(value))
            ):
                yield start, stop
                return
        if (said := _REMARK.search(self.text, self.begin, self.name)) is not None:
            for start, stop in _iter_runs(self.text, self.begin, said.start()):
                if self.text[start - 1] in "\"'" and (
                    _is_odd(self.text[start:stop]) or is_word(self.text[start:stop])
                ):
                    yield start, stop
        if re.fullmatch(
            r"[\s>|+\d\u2192.#*-]*[\w -]{0,40}", self.text[self.begin : self.name]
        ):
            yield from self._below(_is_token)

    def accounts(self) -> Iterator[tuple[int, int]]:
        """Yield where a password stands behind who logs in with it."""
        for start, stop in self._runs():
            for part in _SPLIT.finditer(self.text, start, stop):
                if is_far_password(part[0]) and _is_strong(part[0]):
                    yield part.span()

    def passwords(self, *, is_verb: bool) -> Iterator[tuple[int, int]]:
        """Yield where passwords stand; `is_verb` where the name may be one, too."""
        leads = True
        for start, stop in self._runs():
            value = self.text[start:stop]
            gap = self.text[self.at : start]
            leads = leads and _leads(gap)
            if leads and self._is_told(start, stop, gap, is_verb=is_verb):
                yield start, stop
                leads = False
                continue
            if (is_verb and not is_far_password(value)) or _OPTION.search(gap):
                continue
            if _is_strong(value) and (leads or not _HEX.fullmatch(value)):
                yield start, stop
        if leads and not is_verb:
            yield from self._below(_is_below)
        yield from self._in_front()

    def _runs(self) -> Iterator[tuple[int, int]]:
        return _iter_runs(self.text, self.at, self.end)

    def _name(self) -> bytes:
        return self.text[self.name : self.at].encode(errors="replace")

    def _is_quoted(self, start: int, stop: int) -> bool:
        around = self.text[start - 1], self.text[stop : stop + 1] or " "
        return all(sign in _QUOTE for sign in around) or around in {("(", ")"), (">", "<")}

    def _is_told(self, start: int, stop: int, gap: str, *, is_verb: bool) -> bool:
        value = self.text[start:stop]
        is_quoted = self._is_quoted(start, stop)
        if is_verb and not _NOUN.search(self.text[self.begin : self.at]):
            return is_far_password(value) and _is_strong(value)
        if not _has_sign(gap) and (is_verb or not is_quoted or "," in gap):
            return _is_strong(value) or (
                not is_verb
                and is_word(value)
                and not _ENDINGS.search(value)
                and gap in {" ", "\t"}
                and not self.text[stop : stop + 1].strip(" )\r\n.,!|")
                and _GIVEN.search(self.text[self.begin : self.name]) is not None
            )
        if _is_odd(value):
            return True
        if is_verb and not is_quoted:
            return False
        if not is_quoted and not self._ends_at(stop, has_words=bool(_WORD.search(gap))):
            return False
        return is_word(value) and (
            is_quoted
            or not (_ENDINGS.search(value) or _open_foreign().search(self._name()))
        )

    def _ends_at(self, stop: int, *, has_words: bool) -> bool:
        """Return whether a word ends there what is said of a password."""
        after = self.text[stop : stop + 2]
        if not has_words and after.strip() and after[0] not in ".!?":
            return False  # Programs assign so.
        following = _WORD.match(self.text, stop + 1) if after.startswith(" ") else None
        return following is None or following[0].lower() in _GOES_ON

    def _below(self, judge: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
        """Yield the first word of the next line, or of the one below, if it is a value."""
        gap = self.text[self.at : self.end]
        if len(gap) > _LONGEST_WORD or not (_LED.fullmatch(gap) and _leads(gap)):
            return
        at = self.end + 1
        for _ in range(_MOST_LINES):
            end = self.text.find("\n", at)
            end = len(self.text) if end < 0 else end
            for start, stop in _iter_runs(self.text, at, min(end, at + _FARTHEST)):
                before = self.text[at:start]
                is_first = all(word.lower() in _ANSWERING for word in _WORD.findall(before))
                value = self.text[start:stop]
                if not _has_sign(gap) and _HEX.fullmatch(value):
                    return  # The digest that begins a line of a log.
                if (is_first and judge(value)) or (
                    judge is _is_below and _is_strong(value)
                ):
                    yield start, stop
                    return
            line = self.text[at:end]
            at = end + 1
            if at > len(self.text) or not all(
                word.lower() in _ANSWERING for word in _WORD.findall(line)
            ):
                return

    def _in_front(self) -> Iterator[tuple[int, int]]:
        for start, stop in _iter_runs(self.text, self.begin, self.name):
            value = self.text[start:stop]
            if not _HEX.fullmatch(value) and _is_strong(value):
                yield start, stop
        if (given := _GIVES.search(self.text, self.begin, self.name)) is not None:
            start, stop = _bare(self.text, *given.span(1))
            if is_word(self.text[start:stop]):
                yield start, stop


def _iter_runs(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the runs stand that begin in a part of a text, and may be a value.

    If all of one is none, its parts, but for names of what is called.
    """
    for run in _RUN.finditer(text, begin, end + _LONGEST_RUN):
        if run.start() >= end:
            return
        start, stop = _bare(text, *run.span())
        spans = [(start, stop)]
        if _VALUE.fullmatch(text, start, stop) is None:
            parts = _PART.finditer(text, start, stop)
            spans = [_bare(text, *part.span()) for part in parts]
        yield from (span for span in spans if text[span[1] : span[1] + 1] != "(")


def _bare(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return where a run stands without the punctuation around it."""
    while start < stop and text[start] in _AROUND:
        start += 1
    while start < stop and text[stop - 1] in _AROUND:
        stop -= 1
    return start, stop


def _leads(gap: str) -> bool:
    """Return whether only words stand in a gap that lead on to a value."""
    words = [word.lower() for word in _WORD.findall(_STATE.sub("", gap))]
    return all(
        word in _LEADING or before in _OF or second in _OF or not word.isascii()
        for second, (before, word) in zip(
            ["", *words], pairwise(["", *words]), strict=False
        )
    )


def _has_sign(gap: str) -> bool:
    words = {word.lower() for word in _WORD.findall(gap)}
    return (
        _SIGN.search(gap) is not None
        or not words.isdisjoint(_VERBS)
        or not all(map(str.isascii, words))
    )


def _is_token(value: str) -> bool:
    return (
        len(value) >= _SHORTEST_TOKEN
        and any(map(str.isdigit, value))
        and _VALUE.fullmatch(value) is not None
        and is_far_token(value)
    )


def _is_odd(value: str) -> bool:
    return (
        _VALUE.fullmatch(value) is not None
        and is_odd(value)
        and (value.isascii() or any(map(str.isdigit, value)))
        and not _NO_VALUE.fullmatch(value)
    )


def _is_below(value: str) -> bool:
    return _is_odd(value) or (len(value) > _LONGEST_PASSWORD and _is_token(value))


def _is_strong(value: str) -> bool:
    """Judge what stands near a name of a password: no word, and no name, looks so."""
    if _VALUE.fullmatch(value) is None or _NO_VALUE.fullmatch(value):
        return False
    words = _CAMEL.findall(value)
    if sum(len(word) for word in words if is_listed(word)) * 2 >= sum(
        map(str.isalpha, value)
    ):
        return False
    return (
        (is_far_password(value) and not value.isalpha())
        or is_passphrase(value)
        or (is_odd(value) and value.islower() and any(map(str.isdigit, value)))
    )
