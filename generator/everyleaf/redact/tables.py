"""Columns of passwords, in Markdown, as databases print them, and as CSV; and lists.

| user | password |      user | password      USER    PASSWORD      user,password
|------|----------|     ------+----------     ada     …             ada,…
| ada  | …        |      ada  | …
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.redact import codes, judging, neighbours, words
from everyleaf.redact.examples import FOREIGN, is_example
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from everyleaf.redact.views import View

    Judge = Callable[[str], bool]

_NAMES = (
    r"(?:password|passwd|passwort|passcode|(?:pass|key[ _-])phrase|kennwort|secret|token"
    r"|(?:api|access|auth|secret)[ _-]?key)"
)
_CODES = r"(?:combination|(?:access|alarm|door|entry|gate|guest|keypad|lock|login|safe|unlock|user)[ _-]?codes?|code)"
_COLUMN = rf"(?:{_NAMES}|{_CODES}|totp|pin|puk)"
_SHORT = r"(?:\w*_)?(?:pass|pwd?)"
_WHICH = r"(?:_(?:plain|clear|old|new)|[ ]\((?:old|new|plain|clear(?:text)?|current|initial|alt|neu)\))"
"""What names of such columns end with."""
HEADS = (
    rf"(?i){_NAMES}[\"'*`,]{{0,2}}[ \t]*(?:[|\x{{2502}}][^\n]*)?\r?\n"
    r"[^\n]*?[|+: \t>\d\x{2192}\x{2500}-\x{257f}-][-=\x{2500}\x{2550}]{2}"
    rf"|[,;\t][\"']?(?:\w*|secret ){_COLUMN}[\"']?[,;\t\r\n$]"
    rf"|\n[\"']?\w*{_NAMES}[\"']?[,;\t]|[,;|\t]\s?{_SHORT}[\"']?\s?[,;|\t\r\n]"
    r"|\|\s?[\w-]+[ ]pwd?\s?[|\r\n]"
    rf"|(?-i:(?:PASSWORD|SECRET|TOKEN|_KEY)(?:[ ]{{2}}|[ ]*\n))"
    rf"|\w[ ]{{2,}}(?:{_NAMES}|{_SHORT})(?:[ ]{{2}}|[ ]*\r?\n)"
    rf"|\|[ ]*(?:\w*_)?(?:{_NAMES}|pass|pwd)[ ]*(?:\|[^\n]*)?\r?\n(?:[^\n|]*\||[ \t]*\+-)"
    r"|\bpin[ ]*(?:\|[^\n]*)?\r?\n[ ]*-|\|[ ]*plain(?:_?(?:text|pw))?[ ]*\|"
    rf"|\bCOPY [^\n(]+\([^)\n]*{_NAMES}|(?:^|[\n|,;\t\x{{2502}}])[ \t\"'*`]*(?:[\w-]+[ _-])?"
    rf"(?:(?:{_NAMES}|{_SHORT}){_WHICH}|(?:credentials|{_CODES}|{FOREIGN}){_WHICH}?)[ \t\"'*`]*[|,;\t\r\n\x{{2502}}]"
)
"""Where such a column is named; counted repetitions would take RE2 twenty times as long."""
_USERS = (
    r"(?:\b(?:users|accounts|logins|credentials?|creds|passwords|secrets|admins"
    r"|basic_?auth(?:_users)?|stringData)[\"']?(?:[ \t]?:|[ \t]?[=:][ \t]?[{\[])"
    r"|(?:\n|^)[ \t#*>\d→|-]*(?:passwords|passwörter|zugangsdaten|logins|mots[ ]de[ ]passe"
    r"|claves|contraseñas|senhas|hasła|wachtwoorden|lösenord|пароли)[*_: ]*"
    r"|\[(?:users|accounts|auth|admins|secrets|credentials)\]"
    r"|users\.(?:properties|conf|ini|txt|yml)[^\n]{0,20}"
    r"|chpasswd:[^\n]{0,40}\n[^\n\w]{0,20}list:[^\n]{0,10})"
)
_TOKENS = r"(?:\b(?:tokens|api_?keys|(?:encryption|signing|secret)_?keys|keys)[\"']?(?:[ \t]?:|[ \t]?[=:][ \t]?[{\[]))"
LISTS = (
    rf"(?i){_NAMES}s[^\w\n]{{0,4}}(?:&?quot;|u0022|#34;)?[^\w\n]{{0,4}}"
    r"[:=][^\w\n]{0,8}[\[\n]"
    rf"|variable[^\n]{{0,12}}[\w-]*{_NAMES}s?\b"
    rf"|{_USERS}[ \t]*\r?\n|{_TOKENS}[ \t]*\r?\n|chpasswd:"
    rf"|{codes.RECOVERY}|{codes.SEEDS}|{codes.LISTED}|{codes.NUMBERED}"
    rf"|{_NAMES}[\"'][ ]?:[ ]?\{{[ ]*\n|random_password[\\\"]"
    r"|apiVersion[\\\"']{0,8}:[ ]*[\\\"']{0,8}v1[\\\"']{0,8},?[ \t]*\r?\n"
    r"[^\n]{0,60}data[\\\"']{0,8}:|kind[\\\"']{0,8}:[ ]*[\\\"']{0,8}Secret\b"
)
"""Where a list of them begins."""
_LIST = lazily(
    rf"(?:variable\s+\"[\w-]*({_NAMES})s?\"\s*\{{[^{{}}]{{0,300}}?default\s*=\s*+|({_NAMES}|(?<![\w-])key)s[\"']?\s?[:=]\s*+)"
    r"(?:([\[{])|(?=[ \t\d>|+\u2192]*(?:[-*\u2022]|\d[.)])[ \t]))",
    re.IGNORECASE,
)
_MAY_LIST = rf"(?i)variable\s|(?:{_NAMES}|\bkey)s\W{{0,3}}[:=]"
"""What each such list begins with."""
_ITEM = lazily(r"[\"'`]([^\"'`\n]{4,300})[\"'`](?!\s*[:=])|[\]}]")
_LINE_ITEM = lazily(
    r"[ \t\d>|+\u2192]*(?:[-*\u2022]|\d[.)])[ \t]+[\"'`]?([^\s\"'`]{4,})[\"'`]?[ \t]*(?:\r?\n|\Z)"
)
_OBJECT = lazily(
    rf"(?:{_NAMES}\"\s?:\s?\{{[^{{}}]{{0,300}}?\"(?:value|default)|\"random_password\"[^$]{{0,600}}?\bresult)"
    r"\"?\s*[:=]\s?\"([^\"\n]{4,300})\"",
    re.IGNORECASE,
)
"""What Terraform says of an output, or made itself."""
_OF_OBJECT = rf"(?i){_NAMES}\"\s?:\s?\{{|\"random_password"
_SECRET = lazily(r"\bkind[\"']?:[ ]*[\"']?Secret\b")
_DATA = lazily(r"\bdata[\"']?:[ \t]*\{?[ \t]*\r?\n")
_DATUM = lazily(
    r"[ \t\d>|+\u2192]*[\"']?[\w.-]+[\"']?:[ ]*"
    r"[\"']?([A-Za-z0-9+/]{4,}={0,2})[\"']?,?[ \t]*(?:\r?\n|\Z)"
)
"""What Kubernetes keeps in a secret: base64, whatever it is called."""
_OF_USERS = lazily(rf"(?i)(?:({_TOKENS})|{_USERS})[ \t]*\r?\n(?:[ \t]*\r?\n)?")
_OF_USER = lazily(
    r"[ \t\d>|+*\u2022\u2192-]*\[?[\"']?\w[\w.@ -]{0,40}[\"']?[ \t]*(?::|=>?|,)[ \t]*"
    r"(?:[\"']([^\s\"']{6,300})[\"']|([^\s\"',{}\[\]][^\s\"',\]]{5,300}))?,?[^\n]{0,60}(?:\r?\n|\Z)"
)
"""A line with a name and a value, which what stands above says is a secret."""
_INDENT = lazily(r"[ \t\d>|+\u2192\"'-]*")
_NO_USER = lazily(
    r"[ \t\d>|+\u2192-]*[\"']?(?:login|(?:user|host|full)?_?name|user|e-?mail|(?:\w+_)?id|title|url|host|path|file|image|kid|\w*(?:key|token)(?:_?id)?)\b",
    re.IGNORECASE,
)
_TITLED = lazily(r"[ \t]*[-*\u2022][ \t]")
_PLAIN = lazily(r"[^\s()\[\]{}\\|]{8,64}")
_HEAD = lazily(
    rf"[\"'*`]{{0,2}}(?:[\w-]+[ _-])?(?:\w+(?=passw))?({_COLUMN}|pass|pwd?|plain|credentials|{FOREIGN}){_WHICH}?[\"'*`]{{0,2}}",
    re.IGNORECASE,
)
_USER_HEAD = lazily(
    r"(?i)[\"'*`]{0,2}(?:user(?:[ _-]?name)?|login|account|ssid|e-?mail|benutzer(?:name)?|nutzer|usuario|utilisateur|identifiant|utente|usu\xe1rio|gebruiker(?:snaam)?|u\u017cytkownik|логин|пользователь|用户名?|ユーザー名?)[\"'*`]{0,2}"
)
"""The column beside it says that passwords stand below an ambiguous name in a file."""
_AMBIGUOUS: dict[str, Judge] = {
    **dict.fromkeys(("token", "secret"), judging.is_far_token),
    **dict.fromkeys(("pass", "pw", "pwd", "plain", "credentials"), judging.is_printed),
    **dict.fromkeys(
        ("pin", "puk"), lambda value: value.isdecimal() and 4 <= len(value) <= 8
    ),
    **dict.fromkeys(("clave", "parola", "parole", "sandi"), judging.is_far_password),
}
"""Names that have other columns as well, and who judges what stands in theirs."""
_LOCKED = lazily(
    r"(?i)(?:^|[^a-z])(?:lock|door|gate|room|alarm|guest|tür|porte|puerta|porta)"
)
"""Stands in the head of a table in which a code opens something."""
_NAMED, _OF_CODES = lazily(_COLUMN), lazily(_CODES)
"""A name in English; below one of another language, no list knows the word for `lost`."""
_UNSURE = (judging.is_printed, judging.is_far_password)
"""Who judges below names that may be of something else: less strictly beside users."""
_COPY = lazily(r"\bCOPY [^(]{1,80}\(([^()]*)\) FROM stdin")
"""What PostgreSQL dumps a table with."""
_RULE = lazily(r"[ \t>\d\u2192+-]{0,12}[|+:\u2500-\u257f-][-=+|: \t\u2500-\u257f]{2,}")
_FRAMED = lazily(r"[\s\d\u2192]*\|[^\n]*\|[ \t\r]*")
_UNSPACED = lazily(r"[^\s|][^|\n]*(?<! )(?:\|(?! )[^|\n]*)+")
"""Rows of tables that have no rule below their head, as Gherkin and SQLite write them."""
_BARS = ("|", "\u2502")
_SEPARATORS = ("\t", ",", ";")
_PARTS = {
    **{sign: re.compile(re.escape(sign)) for sign in (*_BARS, *_SEPARATORS)},
    "  ": re.compile(r" {2,}"),
    " ": re.compile(r" +"),
}
_QUOTES = lazily(
    r"^[^|\u2502]*[\"'`>](?=[|\u2502])|^[\w.-]{1,30}[ \t]+\|(?=[ \t]*\|)"
    r"|(?<=[|\u2502])[\"'`<][^|\u2502]*$|(?:\^M)?\$$"
)
"""What stands before and behind a table that a string of a program or a log has."""
_MOST_ROWS = 500
_TOKEN = lazily(r"(?!v\d+-|[0-9A-F]{40}\Z)[A-Za-z0-9_+/=.~:-]{12,}")
_FEWEST_DIGITS = 2
_FARTHEST = 400
"""Behind one item of a list ends the next one, so far away at most."""


def iter_cells(text: str, heads: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Yield where values stand in columns of passwords and tokens.

    `heads` are places in lines that name them. A table goes on for as long as its lines
    have as many cells, and 500 lines at most.
    """
    done = -1
    for at in heads:
        if at <= done:
            continue
        start = text.rfind("\n", 0, at) + 1
        done = _end(text, start)
        line = text[start:done]
        if line.lstrip(" \t>").startswith("||"):  # A head of a wiki.
            line = line.replace("||", " |")
        if (copied := _COPY.search(line)) is not None:
            heads_ = [_HEAD.fullmatch(name.strip()) for name in copied[1].split(",")]
            named_ = [(n, None) for n, head in enumerate(heads_) if head]
            yield from _below(text, done + 1, "\t", named_, len(heads_))
            continue
        above = text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)]
        for sign in _PARTS:
            cells = _cells(line, sign) if sign in line.strip() else []
            named = [_HEAD.fullmatch(line, a, b) for a, b in cells]
            has_users = any(_USER_HEAD.fullmatch(line, a, b) for a, b in cells)
            is_file = has_users and sign in _SEPARATORS and f"{sign} " not in line
            columns = [
                (n, _judge_below(head[1].lower(), is_file=is_file))
                for n, head in enumerate(named)
                if head and (head[1].lower() != "code" or _LOCKED.search(line))
            ]
            # What has a line of as many cells above it is no head, but a row.
            is_row = "|" in line if sign == " " else len(_cells(above, sign)) == len(cells)
            if columns and len(cells) > 1 and not is_row:
                yield from _below(text, done + 1, sign, columns, len(cells))
                break


def _judge_below(name: str, *, is_file: bool) -> Judge | None:
    """Return who judges the cells below a name; None: as where no name says more."""
    named = None if _NAMED.fullmatch(name) else judging.is_printed
    if _OF_CODES.fullmatch(name):
        return codes.is_code
    judge = _AMBIGUOUS.get(name, judging.is_cell if is_file else named)
    return _is_of_login if is_file and judge in _UNSURE else judge


def iter_items(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield where values stand in lists of passwords and tokens, and the kind of each.

    In brackets, in YAML, and those of `codes`.
    """
    text = view.text
    yield from codes.iter_lists(view)
    yield from _iter_users(view)
    for said in view.found(_OF_OBJECT, _OBJECT):
        if judging.is_phrase(said[1]):
            yield *said.span(1), "secret"
    at = 0
    for head in _DATA.finditer(text) if _SECRET.search(text) else ():
        at = max(head.end(), at)
        column = _column(text, text.rfind("\n", 0, head.start()) + 1)
        while (datum := _DATUM.match(text, at)) and _column(text, at) > column:
            at = datum.end()
            yield *datum.span(1), "secret"
    yield from _iter_listed(view)


def _iter_listed(view: View) -> Iterator[tuple[int, int, str]]:
    text, at = view.text, 0
    for head in view.found(_MAY_LIST, _LIST):
        if head.start() < at:  # It is in the list above.
            continue
        name = (head[1] or head[2]).lower()
        is_password = name.startswith(("pass", "kenn"))
        kind = "password" if is_password else "secret"
        judge = _is_secret_item if name == "secret" else _is_item
        judge = _is_listed_password if is_password else judge
        at = head.end()
        item = _ITEM if head[3] else _LINE_ITEM
        while (
            found := item.search(text, at, at + _FARTHEST)
            if head[3]
            else item.match(text, at)
        ) is not None:
            at = found.end()
            if found[1] is None:
                break
            if judge(found[1]):
                yield *found.span(1), kind


def _iter_users(view: View) -> Iterator[tuple[int, int, str]]:
    """Yield the values that are named in a line each below what says that they are secret."""
    text, at = view.text, 0
    for head in view.found(_OF_USERS.pattern, _OF_USERS):
        at = max(head.end(), at)
        is_secret = judging.is_far_token if head[1] else _is_of_user
        kind = "secret" if head[1] else "password"
        column = _column(text, text.rfind("\n", 0, head.start()) + 1)
        is_titled = ":" not in head[0]
        for _ in range(_MOST_ROWS):
            user = _OF_USER.match(text, at)
            is_below = _column(text, at) > column or (is_titled and _TITLED.match(text, at))
            if user is None or not (is_below or head[0][0] == "["):
                break
            value = user[1] or user[2]
            if value and not _NO_USER.match(text, at) and is_secret(value):
                yield *user.span(user.lastindex or 0), kind
            at = user.end()


def _column(text: str, at: int) -> int:  # Of the first name in a line.
    return found.end() - at if (found := _INDENT.match(text, at)) else 0


def _is_of_user(value: str) -> bool:
    judges = (judging.is_odd, judging.is_far_token, neighbours.is_noted)
    return value[0] != "#" and any(judge(value) for judge in judges)


def _is_first(value: str) -> bool:
    """Judge the first of several words in a cell."""
    return judging.is_printed(value) or (judging.is_cell(value) and not value.isalpha())


def _is_of_login(value: str) -> bool:
    """Judge a cell of a file beside the name of a user: no number, no listed word."""
    return judging.is_printed(value) or (
        judging.is_cell(value) and any(map(str.isalpha, value))
    )


def _is_listed_password(value: str) -> bool:
    return judging.is_cell(value) and not is_example(value)


def _is_item(value: str) -> bool:
    return (
        _TOKEN.fullmatch(value) is not None
        and sum(map(str.isdigit, value)) >= _FEWEST_DIGITS
        and judging.is_unquoted_token(value)
    )


def _is_secret_item(value: str) -> bool:
    """Judge an item of `secrets`, of which some are passwords."""
    return _is_item(value) or (
        _PLAIN.fullmatch(value) is not None and judging.is_far_password(value)
    )


def _below(
    text: str, at: int, sign: str, columns: Sequence[tuple[int, Judge | None]], width: int
) -> Iterator[tuple[int, int, str]]:
    has_rule = False
    head = text[text.rfind("\n", 0, at - 1) + 1 : at - 1]
    like = next((one for one in (_FRAMED, _UNSPACED) if one.fullmatch(head)), None)
    for _ in range(_MOST_ROWS):
        row = text[at : _end(text, at)]
        if _RULE.fullmatch(_blanked(row).strip()):
            has_rule = sign != " " or len(_cells(row, sign)) == width
        else:
            cells = _cells(row, sign)
            if sign == "  " and len(cells) == width + 1 and row[slice(*cells[0])].isdigit():
                cells = cells[1:]  # The number of a row, which has no head.
            # Behind the last bar of a row anything may stand.
            if not width <= len(cells) <= width + (sign in _BARS) or (
                sign in (*_BARS, " ") and not (has_rule or (like and like.fullmatch(row)))
            ):
                return
            for column, ambiguous in columns:
                start, end = cells[column]
                value = row[start:end].strip("\"'`*")
                start = row.index(value, start)
                judge = ambiguous or (
                    judging.is_cell if has_rule or like else judging.is_word_too
                )
                # What goes on behind a blank is prose, or the end of a program's line.
                parts = value.split()
                is_whole = len(parts) < 2 or (
                    judging.is_phrase(value)
                    and (len(parts) > 2 or all(map(words.is_english, parts)))
                )
                value = value if is_whole else value.split(" ")[0].rstrip("\"'`,;)]}")
                if not is_whole and ambiguous is None:
                    judge = _is_first
                is_row = is_whole and " " in value and ambiguous is None
                if value and (judge(value) or is_row):
                    yield at + start, at + start + len(value), "password"
        at += len(row) + 1


def _end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return found if found >= 0 else len(text)


def _blanked(line: str) -> str:
    """Return a line of a table with blanks for what is none of it."""
    return _QUOTES.sub(lambda found: " " * len(found[0]), line).rstrip()


def _cells(line: str, sign: str) -> list[tuple[int, int]]:
    """Return where the cells of a line stand, without the blanks around them."""
    cells: list[tuple[int, int]] = []
    at = 0
    if sign in _BARS:
        line = _blanked(line)
    ends = [found.span() for found in _PARTS[sign].finditer(line)]
    for end, after in [*ends, (len(line), len(line))]:
        cell = line[at:end]
        start = at + len(cell) - len(cell.lstrip())
        # The bars at both sides of a line part nothing.
        if cell.strip() or 0 < at < len(line) or sign in _SEPARATORS:
            cells.append((start, max(start, at + len(cell.rstrip()))))
        at = after
    return cells
