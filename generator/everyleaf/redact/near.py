"""Passwords and tokens that sentences tell: by the words between a name and a value.

the NAS password for ada is now …     told: words that only lead on, and a sign or a verb
I tried … as the admin password       near: what no word and no name looks like
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact import words
from everyleaf.redact.codes import iter_phrase
from everyleaf.redact.engine import compile_pattern, may_have
from everyleaf.redact.examples import FOREIGN
from everyleaf.redact.judging import is_far_password, is_word
from everyleaf.redact.kinds import is_told_of
from everyleaf.redact.neighbours import (
    AROUND,
    DIGEST,
    LONG,
    LONGEST_RUN,
    QUOTES,
    bare,
    is_apart,
    is_long_key,
    is_mixed_key,
    is_said,
    is_sayable,
    is_told,
    iter_runs,
    iter_split,
    looks_made,
    stands_out,
)
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.redact.views import View

_MORE = lazily(r"(?i)s\b|nya\b|_?(?:hash|value|prod|dev|test)\b")
_GIVES = lazily(
    r"(?i)\b(?:(?:['\u2019]|i)s(?=[ ]\S*\d)|enter(?:ed)?|put|typed?|try|tried|take|and|with|use[ds]?|using|make|pasted?|fill(?:ed)?|replace|set|send_?keys|nimm|nutze|setz[et]|verwende|benutze|probiere?|prova|prueba|essaie|con|avec|mit|usa|utilise[rz]?|prends|u\u017cyj|используй(?:те)?)(?:[ ](?:bitte|lieber|plut\u00f4t|mejor))?[ (][\"'`*\u201c\u00ab(]{0,3}([^\s\"'`\u201d]{5,64})[\"'`*\u201d\u00bb)]{0,3}(?:[ ](?:in|be|instead))?[ ](?:as|al[s]|com[eo]|comme|jako|как|at|into|to|an?|the|when|if|wenn|quand|cuando|quando|(?<!use[ ])for|with[ ][\w ]{1,20},[ ]it(?:['\u2019]s|[ ]is))[ ](?:[\w'-]+[ ]){0,4}[\"'`]?(?:\w+-)?\Z"
)
_PURPOSE = lazily(
    r"(?i)[ -]?\w*(?:hash|encod|manag|stor|alg|valid|check|gener|provision|polic|rule|reset)"
)
"""What a name of a password goes on with where a program or a method is told of."""
_WORD = lazily(r"[^\W\d_]+")
_HEX = lazily(r"[0-9a-f]{7,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONG_HEX = lazily(r"[0-9a-f]{32,128}")
_SHA1 = 40  # So many hexadecimal digits has the name of a commit.
_MOST_LINES, _FARTHEST, _BEFORE, _LONGEST_LEAD = 8, 90, 110, 40
_REMARK = lazily(r"(?<![#/-])(?://|#|--)[ ](?:[\w'-]+[ ]){0,3}[A-Z\d_]*\Z")
_OPTION = lazily(r"[ ]--[a-z][\w-]*[ =]\Z|::test_\w+\[\Z")
"""What another option is set to, and what a test is given."""
_NEXT = lazily(f"[ :{QUOTES}]*(?:[a-z][\\w.-]*:)?")
_NO_NAME = lazily(
    r"(?<=trength)|(?<=(?:lidate|sValid|Strong)Password)\(|(?<=1[Pp]assword)|(?<=/passwd)|(?<=passwd)\(\d|Key|[ ]polic|\(\)"
)
_BEHIND_ACCOUNT = ("", " ", ":", "\n", "\uff1a", "=", "/")
_ENGLISH = lazily(r"(?i)\b(?:is|was|to|are|now|still|be)\W*\Z")
_USED = lazily(r"(?i)\b(?:with|and|use|try)[ ](?:the[ ])?\Z")
_GIVEN = lazily(r"(?i)(?:with|and|use|try|\()[ ](?:the[ ])?\Z|\(\Z|[A-Z_]{3}\Z|[a-z]_\Z")
"""In front of a name, without a sign behind it."""
_TALKS = lazily(r"[\w\s,:=.'\"`*()\u2013\u2014\u2192-]{0,60}")
"""What stands between a name and a value in a sentence, and in no program."""
_TELLS = lazily(
    r"(?:\b(?:(?:starts|begins) with|is|are|was|now|still|use|words|definitely|currently)|\bit['\u2019]s|[\w)!]:|[\w)]:?[ ]?=|\u2192)[ ][\"'`*(]{0,3}\Z"
)
"""What stands right before a value, whatever the sentence says of it."""
_WHERE = lazily(
    r"(?i)\b(?:in|into|inside|under|from|via|by|en|im|dans|nell?a?|w)[ ](?:(?:the|my|our|your|el|la|le|les|de[rnm]|het|il)[ ])?[\"'`(]{0,2}\Z"
)
"""Where a password is, and not what it is."""
_LOGGED = lazily(r"[0-9a-f]{7,12} ")
_EMPTY = lazily("\"\"|''")
_OF_DIGEST = lazily(
    r"(?i)\b(?:commit|sha|hash|digest|checksum|md5|rev|u?uid|id|etag|version|tag|branch|build|trace|span|object|blob|layer|integrity|fingerprint|head)"
)
"""What is called so is written in hexadecimal, and no secret."""
_ALSO = lazily(
    r"(?i)[\"'`*\u201d\u00bb)]{0,3}(?:,?[ ](?:it['\u2019]s|and|but|or|not|to|then|instead[ ]of|expected|the|new|old|one|is|was|now|nor|und|nicht|y|no|et|pas)){1,7}:?[ ][\"'`*\u201c\u00ab(]{0,3}"
)
"""What stands between one value and another."""
_BESIDE = lazily(
    r"[\w.@+-]{2,60}[\"'`*\u201d]{0,3}(?:[ ]([/|,\u2013\u2014]|::?|and|with|und|y|et|e|-)[ ]|[/|:,\uff0f][ ]?|[ ])[\"'`*\u201c]{0,3}\Z"
)
"""Who logs in, in front of a password."""
_NEAR = 20  # In it are the last two characters of who logs in, and all that may follow.
_USER = lazily(
    r"(?i)\b(?:user(?:name|s)?|login|usu[a\u00e1]rio|benutzer|utente|e-?mail)[ ]?[:=]?[ ]?\S+\W+(?:(?:and|und|y|e|with|then)[ ])?\W*(?:\w+[ ])?\Z"
)
_PLAIN = lazily(r"(?i)(?:the|my|our|your|this|that|new|old|both|two|of)[ ]keys?")
_PROSE = lazily(rf"[\s:,.]*(?:[a-z]{{1,{LONG - 1}}}[.,;]?(?:\s+|\Z))*")
"""Sentences in small letters: none of the words is a token."""
_MAY_TELL = lazily(rf"\d|\S{{{LONG}}}|(?<![A-Za-z])is(?![A-Za-z])")
"""What is in or in front of each token."""
_BEGINNING = lazily(r"[\s>|+\d\u2192.#*-]*[\w -]{0,40}")
"""What stands in front of a name that is all there is in its line."""
_OPENS = (" ", "(", "\n", *QUOTES)
_ASKED = lazily(
    r"[ ]?(?:(?:for|of|to)[ ](?:the[ ])?[\w.-]+)?(?:[ ](?:again|pls|please|now))?[ ]?\?[ ]*"
)
_SPEAKER = lazily(r"^[ \t>*]*(?:\[[^\]\n]{4,24}\] )?[\w.@ -]{1,24}(?:: | \d+:\d\d[ APM]*$)")
_LED = lazily(r"[\w\s:*`\"'.!?=\u2013\u2014\u2192>-]*")
_NOUN = lazily(
    r"(?i)(?:\b(?:the|my|our|your|its|this|that|new|old|admin|root|db|database|user|server|login|mail|smtp|ftp|ssh|sudo|wi-?fi|vpn|test|staging|prod|router|[a-z]*sql|redis|(?-i:[A-Z]\w+))[ ]pass|\w\.pass|\w[_-]pass)\W?\Z"
)
"""Where `pass` is no verb."""


def iter_near(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where values stand that a sentence of a form tells, and the kind of each.

    Each name is looked at with so many characters around it: linear.
    """
    text = view.text
    for found in compile_pattern(words.NAMES).finditer(view.body):
        first, at = view.span(*found.span())
        name = text[first:at]
        is_part = text[first - 1 : first] == "-" == text[at : at + 1]
        if is_part or _NO_NAME.match(text, at):
            continue
        at -= not name[-1].isalnum()
        first += not name[0].isalnum()
        is_password = found.span(1)[0] >= 0 or found.span(2)[0] >= 0
        is_verb = name.strip(AROUND + QUOTES + " \n\t-|").lower() == "pass"
        at = more.end() if (more := _MORE.match(text, at)) is not None else at
        end = min(len(text), at + _FARTHEST)
        end = text.find("\n", at, end) if "\n" in text[at:end] else end
        begin = max(first - _BEFORE, 0)
        begin = text.rfind("\n", begin, first) + 1 or begin
        if begin and text[begin - 1] != "\n":  # Not within a word.
            begin = min(text.find(" ", begin, first) + 1 or first, first)
        said = _Said(text, begin, first, at, end)
        if found.span(3)[0] >= 0 and text[at : at + 1] in _BEHIND_ACCOUNT:
            yield from ((*span, "password") for span in said.accounts())
        elif is_password:
            yield from ((*span, "password") for span in said.passwords(is_verb=is_verb))
            yield from ((*span, "password") for span in iter_phrase(text, at))
        elif found.span(3)[0] < 0:
            yield from ((*span, "secret") for span in said.tokens())
            if text[first:at].lower().endswith(("secret", "phrase")):  # No token is words.
                yield from ((*span, "password") for span in iter_phrase(text, at))


def _is_remark(value: str, gap: str) -> bool:
    """Judge letters behind a name of another language: `wachtwoord is gewijzigd`."""
    return "(" in gap or (value.endswith(("d", "t", "en")) and words.is_abroad(value))


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
        at = self.at
        is_plain = _PLAIN.fullmatch(self.text, self.name, at) is not None
        has_rest = self.text[self.end : self.end + 1] not in {"\n", ""}
        said = self.text, at, self.end + LONGEST_RUN * has_rest
        prose = _PROSE.match(*said) if _MAY_TELL.search(*said) else None
        for start, stop in self._runs() if prose and prose.end() < self.end else ():
            gap, value = self.text[at:start], self.text[start:stop]
            talks = _TALKS.fullmatch(gap) is not None
            if value.isalpha() and value.islower() and len(value) < LONG:  # As most are.
                if talks:
                    continue
                break
            is_quoted, leads = self._is_quoted(start, stop), words.leads_on(gap)
            is_told = leads and (words.has_sign(gap) or is_quoted)
            says_is = talks and _TELLS.search(gap) is not None
            says_is = says_is and not (set(value) <= DIGEST and _OF_DIGEST.search(gap))
            is_key = says_is and len(value) != _SHA1 and _LONG_HEX.fullmatch(value)
            is_name = is_plain and (value.isalpha() or set(value) <= DIGEST)
            is_last = gap == " " and self._ends_at(stop, has_words=False)
            if (is_key or not is_name) and (
                ((is_told or says_is or (gap[:1] == " " and leads)) and is_long_key(value))
                or (is_told and "is" in _WORD.findall(gap) and is_sayable(value))
                or (is_last and words.is_numbered(value))
                or (talks and gap[-1:] in _OPENS and is_mixed_key(value))
            ):
                yield start, stop
                at = stop
            elif not talks:
                break
        yield from self._remarked()
        if _BEGINNING.fullmatch(self.text, self.begin, self.name):
            yield from self._below(is_long_key)

    def accounts(self) -> Iterator[tuple[int, int]]:
        """Yield where a password stands behind who logs in with it."""
        last = (0, 0)
        for start, stop in self._runs():
            for begin, end in iter_split(self.text, start, stop):
                value = self.text[begin:end]
                is_next = _NEXT.fullmatch(self.text, self.at, begin)
                user = _BESIDE.search(self.text, max(self.at, begin - _NEAR), begin)
                is_with = user is not None and user[1] == "with"
                if is_told(value) and (is_next or is_with or is_apart(value)):
                    yield begin, end
                elif user and self._may_log_in(begin, end):
                    last = begin, end
        if last[1] and not any(map(str.isalnum, self.text[last[1] : self.end])):
            yield last

    def _may_log_in(self, start: int, stop: int) -> bool:
        """Return whether a value may be a password: no part of a path, no digest."""
        value, before = self.text[start:stop], self.text[max(start - _FARTHEST, 0) : start]
        is_path = before.endswith("/") and "/" in before[:-1].rpartition(" ")[2]
        return (
            not is_path
            and not set(value) <= DIGEST
            and not words.is_counted(value)
            and any(judge(value) for judge in (is_said, words.is_numbered, is_far_password))
        )

    def passwords(self, *, is_verb: bool) -> Iterator[tuple[int, int]]:
        """Yield where passwords stand; `is_verb` where the name may be one, too."""
        leads, told = True, 0
        for start, stop in self._runs():
            gap, value = self.text[self.at : start], self.text[start:stop]
            if (set(value) <= DIGEST and _OF_DIGEST.search(gap)) or " \u00b7 " in gap:
                continue
            leads = leads and words.leads_on(gap) and not _WHERE.search(gap)
            leads = leads and not _EMPTY.search(gap)
            if leads and self._is_told(start, stop, gap, is_verb=is_verb):
                yield start, stop
                leads, told = False, stop
                continue
            is_quoted = self._is_quoted(start, stop)
            is_also = told > 0 and _ALSO.fullmatch(self.text, told, start) is not None
            is_alike = told > 0 and is_quoted and self.text[told] == self.text[start - 1]
            is_next = is_also and is_quoted and is_word(value)
            is_next = is_next or ((is_also or is_alike) and is_sayable(value))
            is_other = is_verb and (". " in gap or not is_far_password(value))
            if not is_next and (is_other or _OPTION.search(gap)):
                continue
            is_made = stands_out(value) and (leads or not _HEX.fullmatch(value))
            is_aside = self.text[start - 1] == "(" and self.text[stop : stop + 1] == ")"
            says = is_aside or _TELLS.search(gap) is not None
            if is_next or is_made or (says and is_sayable(value)):
                yield start, stop
                told = stop
        if leads and not (is_verb and self._is_verb(self.text[self.at : self.end])):
            yield from self._below(looks_made)
        yield from self._in_front()

    def _runs(self) -> Iterator[tuple[int, int]]:
        return iter_runs(self.text, self.at, self.end)

    def _is_quoted(self, start: int, stop: int) -> bool:
        around = self.text[start - 1], self.text[stop : stop + 1] or " "
        return all(sign in QUOTES for sign in around) or around in {("(", ")"), (">", "<")}

    def _is_told(self, start: int, stop: int, gap: str, *, is_verb: bool) -> bool:
        value = self.text[start:stop]
        is_quoted = self._is_quoted(start, stop)
        has_user = _USER.search(self.text, self.begin, self.name) is not None
        if (is_verb := is_verb and self._is_verb(gap)) and not has_user:
            return is_apart(value)
        says = words.has_sign(gap) or (is_quoted and not is_verb and "," not in gap)
        if (says or gap in {"'s ", "\u2019s "}) and (
            any(judge(value) for judge in (looks_made, words.is_numbered, is_said))
            or words.is_words(value, 2 if value.count("-") > 2 else 0)
        ):
            return not (value.isalpha() and self._is_foreign() and _is_remark(value, gap))
        if not says:
            is_beside = gap == " " or (not gap and self.text[self.at - 1] > "\x7f")
            judges = [is_told, is_said, words.is_words] if has_user else [is_told]
            is_near = is_beside and any(judge(value) for judge in judges)
            is_blank = not is_verb and gap in {" ", "\t"}
            return is_near or stands_out(value) or (is_blank and self._is_bare(value, stop))
        has_words = _WORD.search(gap) is not None
        if not is_quoted and (is_verb or not self._ends_at(stop, has_words=has_words)):
            return False
        # `Password: la mando domani`
        is_abroad = has_words and not (is_quoted or _ENGLISH.search(gap))
        if not is_word(value) or (is_abroad and words.is_abroad(value)):
            return False
        # `Passord (gjenta)` asks for it once more.
        is_again = self.text[start - 1] == "(" and self._is_foreign()
        return bool(
            (is_quoted and not is_again)
            or (has_user and not has_words)
            or words.COINED.fullmatch(value)
            or not (words.ENDINGS.search(value) or self._is_foreign())
        )

    def _is_foreign(self) -> bool:
        """Return whether the name is one of another language than English."""
        return may_have(f"(?i){FOREIGN}", self.text[self.name : self.at])

    def _is_bare(self, value: str, stop: int) -> bool:
        """Return whether a word behind a name and a blank ends what is said, and is none."""
        before = self.text[self.begin : self.name]
        return bool(
            is_word(value)
            and not self.text[stop : stop + 1].strip(" )\r\n.,!|")
            and not words.ENDINGS.search(value)
            and (words.COINED.fullmatch(value) or _GIVEN.search(before))
            and (_USED.search(before) or not words.is_abroad(value))
        )

    def _is_verb(self, gap: str) -> bool:
        is_noun = _NOUN.search(self.text[self.begin : self.at]) is not None
        return not (is_noun or gap.startswith((":", " is ", " is:")))

    def _ends_at(self, stop: int, *, has_words: bool) -> bool:
        """Return whether a word ends there what is said of a password."""
        after = self.text[stop : stop + 2]
        if not has_words and after.strip() and after[0] not in ".!?":
            return False  # Programs assign so.
        following = _WORD.match(self.text, stop + 1) if after.startswith(" ") else None
        return following is None or following[0].lower() in words.GOES_ON

    def _below(self, judge: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
        """Yield the first word of the next line, or of the one below, if it is a value."""
        gap = self.text[self.at : self.end]
        is_asked = _ASKED.fullmatch(gap) is not None
        if len(gap) > _LONGEST_LEAD or not (
            is_asked or (_LED.fullmatch(words.STATE.sub("", gap)) and words.leads_on(gap))
        ):
            return
        at = self.end + 1
        for _ in range(0 if _EMPTY.search(gap) else _MOST_LINES):
            end = self.text.find("\n", at)
            end = len(self.text) if end < 0 else end
            for start, stop in iter_runs(self.text, at, min(end, at + _FARTHEST)):
                before = self.text[at:start]
                before = _SPEAKER.sub("", before) if is_asked else before
                is_first = words.ANSWERING.issuperset(map(str.lower, _WORD.findall(before)))
                value = self.text[start:stop]
                if "=" in value and is_told_of(value[: value.index("=") + 1]):
                    return  # Of another setting.
                is_alone = not gap.strip("*: ") and self.text[at:end].strip() == value
                is_key = is_alone and _LONG_HEX.fullmatch(value) is not None
                is_named = not words.has_sign(gap) or bool(_OF_DIGEST.search(before))
                is_named |= start == at and _LOGGED.match(self.text, self.begin) is not None
                if is_named and not is_key and _HEX.fullmatch(value):
                    return  # The digest that begins a line of a log.
                is_only = words.has_sign(gap) and not (is_asked and _WORD.search(before))
                is_password = judge is looks_made and (
                    (is_told(value) or is_said(value))
                    if is_first and is_only
                    else stands_out(value)
                )
                if is_password or (is_first and judge(value)):
                    yield start, stop
                    return
            said = _SPEAKER.sub("", self.text[at:end]) if is_asked else self.text[at:end]
            others = map(str.lower, _WORD.findall(said))
            at = end + 1
            if at > len(self.text) or not words.ANSWERING.issuperset(others):
                return

    def _remarked(self) -> Iterator[tuple[int, int]]:
        """Yield what stands in quotes in front of a remark that says what it is."""
        if (said := _REMARK.search(self.text, self.begin, self.name)) is not None:
            for start, stop in iter_runs(self.text, self.begin, said.start()):
                value, around = self.text[start:stop], self.text[start - 1 : stop + 2]
                is_whole = around.rstrip(" ,;)]}\n") in {f'"{value}"', f"'{value}'"}
                if is_whole and (is_word(value) or looks_made(value) or is_long_key(value)):
                    yield start, stop

    def _in_front(self) -> Iterator[tuple[int, int]]:
        yield from self._remarked()
        has_use = _PURPOSE.match(self.text, self.at) is not None
        for start, stop in iter_runs(self.text, self.begin, self.name):
            value = self.text[start:stop]
            is_prompt = "@" in value and self.text[stop : stop + 1] == ":"
            is_name = is_prompt or _HEX.fullmatch(value) or (has_use and value.islower())
            if stop <= self.name and not is_name and stands_out(value):
                yield start, stop
        if (given := _GIVES.search(self.text, self.begin, self.name)) is not None:
            start, stop = bare(self.text, *given.span(1))
            value = self.text[start:stop]
            if not has_use and (
                (is_word(value) and not words.ENDINGS.search(value))
                or is_told(value)
                or (looks_made(value) and any(map(str.isdigit, value)))
            ):
                yield start, stop
