"""Passwords and tokens among the arguments of commands: by options, verbs and users.

tool -u bob -p …                  an option whose letter says so, where someone logs in
vault unlock …, add-user bob …    what stands behind a verb that takes a password
tool -A bob:…, bob:…@host         behind who logs in with it
tool unlock <<< …                 all that a command gets to read
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from everyleaf.redact import judging, words
from everyleaf.redact.engine import compile_pattern
from everyleaf.redact.examples import PUBLIC, is_example
from everyleaf.redact.words import is_numbered
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.redact.views import View

_LETTER = r"(?:[a-z]?p|P|[uo]?pw|[kKwWaAstTNxX])"
_NAME = (
    r"[\w.-]*(?:pass(?:word|wd|phrase|code)?\d?|pwd?|psk|secret|hmac|authorization"
    r"|(?:secret|api|access|auth|private|master|encryption)-?key|token|pin)"
)
_VERB = (
    r"(?:log[ _-]?[io]n|unlock|sign-?in|authenticate\w*|auth(?:[ ]\w+)?|authorize[\w-]*|identify|upwd"
    r"|obscure|radtest|openssl[ ]passwd|mkpasswd|passwordspray|encrypt_string"
    r"|(?:add|create|new|make|register)[-_:]?(?:super)?(?:user|admin|account)"
    r"|(?:super)?(?:user|admin|account)s?[-_: ](?:add|create|new|passwd|password|(?:re)?set\w*)"
    r"|(?:re)?set[\w-]*pass(?:word|wd)?|change[\w-]*pass(?:word|wd)?|ctl[ ]password"
    r"|(?:set|add)-?(?:env|secret|key|token)|(?:alias|host|remote)[ ](?:add|set)"
    r"|(?:keys?|secrets?|tokens?|env|config)[: ](?:set|add|put|create|generic)|from-literal"
    r"|(?:configure|config|crudini)(?:[ ][\w./:=-]{1,40}){0,5}?[ ][\w./-]{0,40}(?:http-basic[.\w-]*|token|secret|key|pass(?:word)?))"
)
_USER = (
    r"(?:-(?:A|E|u|U|l|xu|id)|--?(?:user(?:name)?|login|auth(?:-cred)?|basic-auth|(?:src-|dest-)?creds|credentials?"
    r"|proxy-user))"
)
_MIXED = r"(?:[a-z!#%^+=~@][.-]?[0-9]|[0-9][a-z!#%^+=~@]|(?-i:[a-z][A-Z][a-z]{3,}!))"
_LOGS_IN = (
    r"(?:auth|log[io]n|sign_?in|user|key|pass|secret|pw|unlock|crypt|codecov|snmp|sql|smb|ldap|ftp|mail|vpn|zip|rar|7z|pk?12"
    r"|hide|pdf|vault|redis|rcon|ss-(?:local|server|redir|tunnel)|ss(?:local|server|url)|kt|kinit|kadmin|cli\b)"
)
_ASSIGNED = r"[ \t]--?[A-Za-z][\w-]{0,20}[ =]?[\"']?[\w.-]{0,40}(?:pass(?:word|wd|phrase)?|pwd|secret|token)="
SIGNS = (
    rf"[ \t](?:-[a-z]?u|-l|-D|--user(?:name)?|--login)[ =\t][^\n]{{1,80}}[ \t]-{_LETTER}[ \t]*[\"']?[^\s-]{{5}}",
    rf"[ \t]-[a-z]?pw?[ \t]*[\"']?[\w!#%^+=~.@/-]{{0,40}}{_MIXED}",
    rf"{_LOGS_IN}[^\n]{{0,80}}[ \t]-{_LETTER}[ \t]*[\"']?[^\s./~$-][^\s/]{{4}}",
    rf"[ \t]-[kta][ \t]+[\"']?[a-z0-9-]{{0,30}}{_MIXED}[a-z0-9-]{{8}}",
    rf"[ \t]-{{1,2}}{_NAME}[ \t=]+[\"']?[!-~]{{6}}",
    rf"{_VERB}(?:\.[a-z]{{2}})?[ \t\[=][^\n]{{0,60}}{_MIXED}",
    rf"(?:[-_:]{_VERB}|(?:user|admin|account)s?[-_:](?:add|create|new|set)|(?:add|create|new|make)[-_:](?:user|admin|account))(?:\.[a-z]{{2}})?[ \t\[]",
    rf"[ \t]{_USER}[ =][\"']?[\w.@-]{{1,40}}[:,][^\s/:]{{6}}",
    r"[\w.-]:[\"']?[^\s:,;<>/\"']{6,64}[\"']?@[a-z0-9-]+\.",
    r"(?:^|[\s\"'`=(])(?-i:[A-Z])[\w.-]{1,40}[/\\][\w.-]{1,40}:[\"']?[^\s:/\"']{8}",
    r"[^<]<<<[ \t]*\$?\\?[\"']?[^\s$<]{6}",
    _ASSIGNED,
)
"""What is in each line that something is found in, without regard to case."""
_PLACES = (
    rf"(?:^|[ \t\"'`(\[,])(?:-{{1,2}}({_NAME})[ \t=]|{_USER}[ =][\"']?[\w.@-]{{1,40}}([:,])|-({_LETTER}))"
    rf"|(?i:({_VERB}(?:\.[a-z]{{2}})?))[ \t\[=]"
    r"|(?:^|[\s\"'`=(/\\])(?:[a-z]{2,8}:)?([A-Za-z][\w.-]{1,40}):[\"']?[^\s:,;<>/\"']{6,64}[\"']?@"
    r"|(?:^|[\s\"'`=(])[A-Z][\w.-]{1,40}[/\\][\w.-]{1,40}(:)"
    rf"|(<<<)|(?i:{_ASSIGNED}())"
)
_NAMED, _OF_USER, _OF_LETTER, _BEHIND_VERB, _AT_HOST, _OF_DOMAIN, _READ, _SET = range(8)
"""An option by its name, who logs in, an option of one letter, a verb, who stands before a
host, who is in a domain, what is read, what an option sets."""
_ARGUMENT = lazily(
    r"[ \t]*(?:=[ \t]*)?(?:\$?\\?\"([^\"\n\\]{4,128})\\?\"|\$?\\?'([^'\n\\]{4,128})\\?'|([^\s\"'`|;<>\\]{4,128}))"
)
_POSITIONAL = lazily(
    r"[ \t,\[=]+(?:([\w.-]{1,60}[=:])(?!=))?(?:\"([^\"\n]{1,128})\"|'([^'\n]{1,128})'|([^\s\"'`|;<>,\[\]()#][^\s\"'`|;<>,\[\]()]{0,127}))"
)
_LINES = lazily(r"[ \t]*\$?\\?[\"']?([^\s\"'\\]{2,64})(?:(?:\\+n|\n)([^\s\"'\\]{4,64}))?")
_HOST = lazily(r"[\"']?([^\s:,;<>/\"']{6,64})[\"']?@[A-Za-z0-9-]+\.")
_BEGINS = lazily(r"[\n|;`]|&&")
_LOGIN = lazily(
    rf"(?i)(?:^|[\s\"'`(/_-])\w*{_LOGS_IN}\w*|[ \t](?:-[a-z]?u|-l|-D|--user(?:name)?)[ =\t]"
)
_USER_GIVEN = lazily(r"[ \t](?:-[a-z]?[uU]|--user(?:name)?|--login)[ =\t]")
_USER_BEHIND = lazily(r"[\"']?[ \t]+(?:-[uU]|--user(?:name)?)[ =\t]")
_ARCHIVER = lazily(
    r"(?:^|[\s\"'`(/])(?:7z\w{0,2}|(?:un)?rar|zip\w*|unzip|arj|steghide|mysql\w*|mariadb\w*|[iot]sql|sqlcmd|bcp)[ ]"
)
_PROMPTS = lazily(r"(?:^|[\s\"'`(/])(?:mysql|mariadb)[\w-]*[ ]")
_TYPED = lazily(
    r"<<-?[ ]?\\?[\"']?([A-Za-z]\w*)[\"']?[^\n]{0,200}\n"
    r"|\\?\"([^\s\"'\\]{6,128})\\?\"|\\?'([^\s\"'\\]{6,128})\\?'|[^\s\"'`|;<>()\\]{6,128}"
)
"""The begin of a here-document, a word in quotes, a word."""
_PARTS = lazily(r"[=:,%/\u2192]+")
_AT_END = lazily(r"@[\w-]+\.[\w.:/-]+\Z|@\Z")
_TAKES = lazily(r"\b(?:chpasswd|passwd|sudo|su|kinit|cryptsetup|ssh-add|gpg|login)\b")
_ENTRY = lazily(r"(?:[\w.@-]{1,40}:)?([^\s:]*)[^\n]*(?:\n|\Z)")
_GIVEN = lazily(
    r"[ ]-{1,2}[A-Za-z][\w-]*[ =]?\Z|(?i:pass(?:word)?|pwd|secret|token|key)[ ]\Z"
)
_OF_KEY = lazily(r"[ ]-[kKtT][ ]\Z")
_KEY = lazily(r"[0-9a-f]{32,39}|[0-9a-f]{41,128}")
_MOST_ENTRIES = 20
_SHAPED = lazily(r"[A-Za-z0-9!#$%&*@^_.+/~-]{8,48}")
_UNPADDED = lazily(judging.UNPADDED)
_HARD = lazily(r"[A-Za-z0-9][!#$%&*@]|!\w")
_BRACKET = lazily(r"[^=/]*[({]\w*[^\w)}:=/.][^=/]*")
_ENDS = lazily(r"[ \t]*(?:\Z|[\n\"'`;|&)\]]|-)")
"""What no argument of the same kind follows."""
_SOLE = lazily(r"unlock|obscure|radtest|mkpasswd|upwd|(?:openssl|ctl) passw(?:or)?d")
"""Verbs that take nothing but a password."""
_ENDED = frozenset({"", "\n", "\r", '"', "'"})
_PROSE = names("as at by for from in is of on see was were")
"""What no argument is, but a word of a sentence."""
_REVISION = lazily(r"[0-9a-f]{7,15}")
_SURE = lazily(r"[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f-]{27}")
_SIGN = lazily(r"[!#$%^+~]")
_STRANGE = lazily(r"[^\w\s./:@=,-]")
_CAMEL = lazily(r"[A-Z]?[a-z]{3,}")
_BEFORE = 300
_MOST_ARGUMENTS = 6
_LONG = 32
_SHORTEST = 8


def iter_arguments(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where values stand among the arguments of commands, and the kind of each."""
    text = view.text
    for found in compile_pattern(_PLACES).finditer(view.body):
        spans = [found.span(number) for number in range(1, 9)]
        place = next(at for at, span in enumerate(spans) if span[0] >= 0)
        start, end = view.span(*spans[place])
        name = text[start:end]
        kind = "secret" if "token" in name or "key" in name else "password"
        for at, stop in _iter_values(text, place, start, end):
            yield at, stop, kind


def iter_typed(text: str, *, is_held: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where passwords stand in what someone ran, by their shape; linear.

    What a tool that logs in gets need not look so strange, nor what it gets to read, nor
    what is held in a file of secrets.
    """
    done = 0
    for typed in _TYPED.finditer(text):
        if typed[1] is not None:
            yield from _entered(text, typed)
            continue
        start, end = typed.span(typed.lastindex or 0)
        is_part = text[start - 1 : start] == "|" or text[start - 2 : start - 1] == "["
        if start < done or (is_part and not is_held):  # Of an expression, an index.
            continue
        if text[end - 1] != "!" and not any(map(str.isdigit, text[start:end])):
            continue  # None that is found is without.
        is_given = is_held or typed.lastindex is not None
        is_given = is_given or _GIVEN.search(text, max(start - _LONG, 0), start) is not None
        for at in (start, *(one.end() for one in _PARTS.finditer(text, start, end))):
            host = _AT_END.search(text, at + 1, end)
            stop = host.start() if host else end
            value = text[at:stop]
            if not _has_shape(value):
                continue
            is_word = words.is_shouted(value)
            is_made = judging.is_far_password(value) and not is_word
            if (_HARD.search(value) and not is_word) or (
                (is_made or ((at > start or is_given or host) and _is_likely(value)))
                and (host or is_held or _logs_in(text, start, is_sure=is_made))
            ):
                yield at, stop
                done = end
                break
        else:
            if _KEY.fullmatch(text, start, end) and _OF_KEY.search(text, start - 4, start):
                yield start, end


def _has_shape(value: str) -> bool:
    """Return whether a value has the characters of a password, and is no path and no id."""
    return (
        _SHAPED.fullmatch(value) is not None
        and (_UNPADDED.fullmatch(value) or not PUBLIC["typed"].fullmatch(value))
        and (any(map(str.isdigit, value)) or words.is_shouted(value))
        and any(map(str.isalpha, value))
        and not is_example(value)
        and not judging.is_identifier(value)
    )


def _entered(text: str, opened: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield where passwords stand in a here-document, if what reads it takes some."""
    if not _TAKES.search(text, _begin(text, opened.start()), opened.start()):
        return
    for entry in islice(_ENTRY.finditer(text, opened.end()), _MOST_ENTRIES):
        if entry[0].strip() == opened[1]:
            return
        if judging.is_odd(entry[1]) or _is_likely(entry[1]):
            yield entry.span(1)


def _logs_in(text: str, at: int, *, is_sure: bool) -> bool:
    """Return whether what stands before a place logs in, or may, and is no other tool."""
    begin = _begin(text, at)
    logs_in = is_sure or _LOGIN.search(text, begin, at) is not None
    return logs_in and not _is_other(text[begin:at])


def _iter_values(text: str, place: int, start: int, end: int) -> Iterator[tuple[int, int]]:
    name = text[start:end]
    if place == _BEHIND_VERB:
        yield from _behind_verb(text, end, name.lower())
    elif place == _READ:
        yield from _read(text, start, end)
    elif place in {_AT_HOST, _OF_DOMAIN, _OF_USER} and (
        (found := _HOST.match(text, end + (place == _AT_HOST))) is not None
    ):
        judge = judging.is_odd if place == _AT_HOST else _is_likely
        if name.lower() not in words.SCHEMES and judge(found[1]):
            yield found.span(1)
    elif (found := _ARGUMENT.match(text, end)) is not None:
        at, stop = _trimmed(text, *found.span(found.lastindex or 0))
        value = text[at:stop]
        if place == _OF_LETTER:
            is_secret = _is_of_letter(text, start, name, (at, stop))
        elif place == _OF_DOMAIN:
            is_secret = _is_sure(value)
        else:
            is_word = name != "," and "  " not in text[end:at] and judging.is_word(value)
            is_secret = _is_likely(value) or is_word  # Blanks stand before what help says.
            is_secret |= _is_quoted(text[at - 1], value)
        if is_secret:
            yield at, stop


def _is_of_letter(text: str, start: int, name: str, span: tuple[int, int]) -> bool:
    """Return whether an option of one letter is that of a password."""
    value = text[slice(*span)]
    is_chosen = judging.is_word(value) or _is_likely(value)
    begin = _begin(text, start)
    logs_in = any((_LOGIN.search(text, begin, start), _USER_BEHIND.match(text, span[1])))
    is_password = name[-1] in "pP" or name.endswith("pw")
    is_other = _is_other(text[begin:start])
    if text[span[0] - 1].isalpha():  # Nothing stands between them.
        is_archive = _ARCHIVER.search(text, begin, start) is not None
        if len(name) > 1 or not is_password or (is_other and not is_archive):
            return False
        return (is_archive and is_chosen) or _is_sure(value)
    if is_other:
        has_user = _USER_GIVEN.search(text, begin, start) is not None
        return is_password and has_user and _is_value(value)
    if name == "p" and _PROMPTS.search(text, begin, start):  # What follows is a database.
        return _HARD.search(value) is not None
    if not is_password:
        return (logs_in and (_is_value(value) or is_numbered(value))) or _is_long(value)
    is_quoted = _is_quoted(text[span[0] - 1], value)
    return (is_quoted or is_chosen) if logs_in else _is_sure(value)


def _behind_verb(text: str, end: int, verb: str) -> Iterator[tuple[int, int]]:
    """Yield where values stand that a verb takes; a word only where none follows."""
    is_strict = not set(verb).isdisjoint("-_:") or _SOLE.fullmatch(verb) is not None
    is_address = False
    at = end - 1 if text[end - 1] == "=" else end
    for count in range(_MOST_ARGUMENTS):
        if (found := _POSITIONAL.match(text, at)) is None:
            return
        start, stop = _trimmed(text, *found.span(found.lastindex or 0))
        at = found.end()
        value = text[start:stop]
        if value[0] == "-":
            continue
        if value.lower() in _PROSE:
            return
        is_first = count == 0
        is_near = count <= 1 or verb == "radtest"
        is_taken = is_strict and is_near and not (is_first and "user" in verb)
        is_last = is_taken and _ENDS.match(text, at) is not None
        may_be_word = is_address or (is_last and not (is_first and "pass" not in verb))
        if (
            _is_sure(value)
            or _is_long(value)
            or ((is_address or is_taken) and _is_likely(value))
            or (may_be_word and judging.is_word(value))
        ):
            yield start, stop
        is_address = "@" in value and (is_strict or verb.startswith("log"))


def _read(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where values stand that are all that a command gets to read."""
    begin = _begin(text, start)
    found = _LINES.match(text, end)
    if found is None or _is_other(text[begin:start]):
        return
    logs_in = _LOGIN.search(text, begin, start) is not None
    for span in found.regs[1:]:
        if span[0] < 0:
            return  # There is one alone.
        at, stop = _trimmed(text, *span)
        value = text[at:stop]
        is_ended = text[stop : stop + 1] in _ENDED
        is_told = judging.is_word(value) or (is_ended and _is_likely(value))
        if _is_sure(value) or _is_long(value) or (logs_in and is_told):
            yield at, stop


def _begin(text: str, at: int) -> int:
    """Return where the command begins that goes on at a place."""
    begin = max(at - _BEFORE, 0)
    for found in _BEGINS.finditer(text, begin, at):
        begin = found.end()
    return begin


def _is_other(command: str) -> bool:
    """Return whether a command's tool, a word that no option stands before, is another.

    The options of such say other things.
    """
    return any(
        word.rpartition("/")[2].strip("\"'`($[{*.:,\u2192").lower() in words.TOOLS
        for before, word in pairwise(["", *command.split()])
        if before[:1] != "-"
    )


def _trimmed(text: str, start: int, stop: int) -> tuple[int, int]:
    while stop - start > 1 and text[stop - 1] in "),.:;]}\\*_":
        stop -= 1
    return start, stop


def _is_value(value: str) -> bool:
    return (
        not PUBLIC["argument"].fullmatch(value)
        and ("/" not in value or value[-1] == "=" or bool(_UNPADDED.fullmatch(value)))
        and (judging.is_odd(value) or judging.is_far_token(value))
    ) or (_BRACKET.search(value) is not None and judging.is_mixed_up(value))


def _is_likely(value: str) -> bool:
    """Judge where someone logs in: letters and digits are no name of a file or a host."""
    return (
        _is_value(value)
        or is_numbered(value)
        or words.is_words(value)
        or (
            len(value) >= _SHORTEST
            and any(map(str.isdigit, value))
            and any(map(str.isalpha, value))
            and not is_example(value)
            and not PUBLIC["argument"].fullmatch(value)
            and "/" not in value
        )
    )


def _is_quoted(before: str, value: str) -> bool:
    """Judge what is between quotes: signs that no name has, and no variable."""
    if before not in {'"', "'"} or value[0] in "$<%{/.~^*" or is_example(value):
        return False
    is_strange = len(_STRANGE.findall(value)) > 1 and any(map(str.islower, value))
    return is_strange and len(value) >= _SHORTEST


def _is_long(value: str) -> bool:
    """Judge what nothing but a token looks like: no digest has letters of both sizes."""
    return (
        len(value) >= _LONG
        and value.replace("-", "").replace("_", "").isalnum()
        and any(map(str.islower, value))
        and any(map(str.isupper, value))
        and judging.is_far_token(value)
    )


def _is_sure(value: str) -> bool:
    """Judge what no word and no name looks like."""
    if not _is_value(value) or _REVISION.fullmatch(value) or words.is_counted(value):
        return False
    known = sum(len(word) for word in _CAMEL.findall(value) if words.is_listed(word))
    return known * 2 < sum(map(str.isalpha, value)) and (
        judging.is_far_password(value)
        or _SURE.fullmatch(value) is not None
        or (value.rstrip("?").isalnum() and value.islower())
        or _SIGN.search(value) is not None
    )
