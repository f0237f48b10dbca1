"""Values of columns that are named once: tuples of SQL, JSON and programs, rows of HTML.

INSERT INTO users (name, password) VALUES ('ada', '…'), ('eve', '…')
CREATE TABLE users (name text, password text); INSERT INTO users VALUES ('ada', '…')
execute("INSERT INTO users (name, password) VALUES (?, ?)", ("ada", "…"))
{"columns": ["user", "password"], "rows": [["ada", "…"]]}
parametrize("user,password", [("ada", "…")])    <th>User</th><th>Password</th> … <td>…</td>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from everyleaf.redact.examples import FOREIGN
from everyleaf.redact.judging import is_cell, is_far_token, is_password, is_token
from everyleaf.redact.neighbours import is_long_key, is_told
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.redact.views import View

    Found = tuple[int, int, str]
    """Where a value stands, and its kind."""

_PASSING = r"(?:passw(?:or)?d|passwort|passphrase|passcode|pass|pwd?)"
_OPENING = r"(?:secret|token|(?:api|access|secret|private|auth|encryption)_?key)"
_SECRET = rf"(?:{_PASSING}|{_OPENING})"
HEADS = (
    r"\b(?:insert|replace)(?:\s|%20)+(?:\w+(?:\s|%20)+){0,2}into\b",
    rf"[\"'](?:[\w ]{{1,30}},){{0,8}}[ ]?\w{{0,20}}{_SECRET}\\*(?:[\"']\s?[,\])]|,[\w, ]{{1,60}}[\"'])",
    rf"<th\b[^<>]{{0,80}}>[\w ]{{0,20}}{_SECRET}",
)
"""What such columns are named in, without regard to case."""
_COLUMN = lazily(
    rf"(?i)\W*(?:\w*[_ -])?(?:({_PASSING}|(?!(?:clave|parol[ae]|sandi)\b)(?:{FOREIGN}))|{_OPENING})(?:_?(?:hash|digest|value|enc(?:rypted)?|plain\w*|\d))?\W*"
)
_PIN = lazily(r"(?i)\W*(?:\w*_)?pin(?:_?code)?\W*")
_OF_KEYS = lazily("key|token|secret|cred")
_KEY = lazily(r"(?i)\W*(?:key|value)\W*")
"""What is one in a table of them."""
_SAYS = r"(?i)\b(?:create|insert|replace)\s"
_STATEMENT = lazily(
    r"(?i)\b(?:(create)\s+(?:\w+\s+){0,2}table|(?:insert|replace)\s+(?:\w+\s+){0,2}into)\s+"
    r"(?:if\s+not\s+exists\s+)?([\w.`\"\[\]]{1,80}?)\s*(?:(\()|\bvalues\b)"
)
_VALUES = lazily(r"(?i)\)?[^()\n;]{0,60}\s*+\bvalues\b")
_NESTED = lazily(r"\([^()]*\)")
_DECLARED = lazily(r"[A-Za-z_]\w*")
_UUID = lazily(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_USERS = lazily("user|account|login|member|cred")
"""Tables in which passwords stand whose columns nothing names."""
_NO_COLUMN = names("PRIMARY KEY UNIQUE CONSTRAINT FOREIGN CHECK INDEX FULLTEXT")
_LIST = lazily(
    r"[\[(]\s*((?:[\"'][\w -]{1,40}[\"']\s*+,?\s*+){2,30})[\])]"
    r"|[\"']([\w ]{1,40}(?:,[\w ]{1,40}){1,20})[\"']"
)
_BETWEEN = r"[\s\d\u2192|>+\u2502-]"
_OPENS = lazily(rf"{_BETWEEN}{{0,40}},?{_BETWEEN}{{0,40}}[\[(]")
_ROWS = lazily(r"[\s,]*+(?:[\"']?\w{1,20}[\"']?\s*[:=]\s*+)?\[?[\s\[]*(?<=[\[\s,])[\[(]")
"""What stands between the names of columns and the first row."""
_BOUND = lazily(r"[\"'`\s);]{0,40},\s*(?:new\s\w+\[\]\s*)?[\s\[({]{0,40}")
"""The same where a row has marks in place of its values, and a call gets those."""
_ITEM = lazily(
    r"\s*+(?:[A-Za-z]{0,2}'((?:[^'\\\n]|''|\\.){0,400})'|\"((?:[^\"\\\n]|\"\"|\\.){0,400})\""
    r"|((?:[^,'\"()\[\]\n]|\((?:[^()\n]|\([^()\n]{0,80}\)){0,120}\)){0,200}))\s*+([,)\]])"
)
_QUOTED = lazily(r"'([^'\n]{2,200})'")
_MARK = lazily(r"\s*(?:\?|%s|%\(\w+\)s|[$:@]\w+)\s*")
_CELL = lazily(
    r"(?i)<(?:(/table|tr)\b[^<>]{0,200}|t[hd]\b[^<>]{0,200}>"
    r"(?:\s*+<\w+>)?\s*+([^<>]{0,300}?)\s*+</\w+)>"
)
_MOST_COLUMNS = 60
_MOST_ROWS = 2_000
_LONGEST_HEAD = 6_000
_BARE = 3
"""The group of an item without quotes."""


class _Columns(NamedTuple):
    """Names of columns, of which some are secret."""

    width: int
    kinds: dict[int, str]

    def judged(
        self, text: str, column: int, span: tuple[int, int], *, is_sql: bool
    ) -> Iterator[Found]:
        """Yield what stands in a column, if it is one of secrets."""
        kind = self.kinds.get(column)
        value = text[slice(*span)]
        if kind == "pin":
            kind = "password"
            is_secret = value.isdecimal() and 4 <= len(value) <= 8
        elif kind == "password":
            is_secret = (
                is_password(value) and " " not in value if is_sql else is_cell(value)
            )
        else:
            is_secret = is_token(value) if is_sql else is_far_token(value)
        if kind and len(value) >= 2 and is_secret:
            yield *span, kind


def iter_tuples(view: View) -> Iterator[Found]:
    """Yield where values stand in columns of passwords and tokens, and the kind of each.

    Each statement is read once, and each list of names with the rows behind it: linear.
    """
    yield from _iter_statements(view)
    text, at = view.text, 0
    for head in _LIST.finditer(text):
        columns = _named((head[1] or head[2]).split(","))
        before = text[max(head.start() - 40, 0) : head.start()].rstrip()
        # No row behind another one names columns.
        if head.start() < at or before.endswith(("),", "],")) or not columns.kinds:
            continue
        rows = _ROWS.match(text, head.end())
        for row, after in _iter_rows(text, rows.end() if rows else -1):
            if len(row) != columns.width:
                break
            at = after
            for column, (_, start, end) in enumerate(row):
                yield from columns.judged(text, column, (start, end), is_sql=False)
    yield from _iter_cells(text)


def _iter_statements(view: View) -> Iterator[Found]:
    """Yield the values of statements that name the table whose columns they fill."""
    text = view.text
    tables: dict[str, _Columns] = {}
    for said in view.found(_SAYS, _STATEMENT):
        at = said.end()
        table = said[2].strip('`"[]').lower()
        if said[1]:
            inner = _NESTED.sub("", text[at : at + _LONGEST_HEAD]).split(")")[0]
            words = [_DECLARED.search(part) for part in inner.split(",")]
            named = [word[0] for word in words if word]
            named = [one for one in named if one == "key" or one.upper() not in _NO_COLUMN]
            tables[table] = _named(named, table)
            continue
        columns = tables.get(table)
        if said[3]:
            end = text.find(")", at, at + _LONGEST_HEAD)
            columns = _named(text[at:end].split(","), table) if end > 0 else None
            values = _VALUES.match(text, end) if columns else None
            at = values.end() if values else -1
        elif columns is None and (_USERS.search(table) or _OF_KEYS.search(table)):
            for row, _ in _iter_rows(text, text.find("(", at) + 1):
                for is_quoted, start, end in row:
                    value = text[start:end]
                    is_key = _OF_KEYS.search(table) is not None and is_long_key(value)
                    tells = is_key or (_USERS.search(table) and is_told(value))
                    if is_quoted and tells and not _UUID.fullmatch(value):
                        yield start, end, "password"
        if columns is not None and columns.kinds:
            yield from _iter_values(text, at, columns)


def _iter_values(text: str, at: int, columns: _Columns) -> Iterator[Found]:
    opens = _OPENS.match(text, at) if at > 0 else None
    for row, end in _iter_rows(text, opens.end() if opens else -1):
        marks = [
            at
            for at, (is_quoted, *span) in enumerate(row)
            if not is_quoted and _MARK.fullmatch(text, *span)
        ]
        for column, (is_quoted, *span) in enumerate(row):
            inner = None if is_quoted else _QUOTED.search(text, *span)
            if is_quoted or inner:
                place = inner.span(1) if inner else (span[0], span[1])
                yield from columns.judged(text, column, place, is_sql=True)
        if set(columns.kinds) & set(marks):
            kinds = {n: columns.kinds.get(one, "") for n, one in enumerate(marks)}
            bound = _Columns(len(marks), kinds)
            given = _BOUND.match(text, end)
            for said, _ in _iter_rows(text, given.end() if given else -1):
                for column, (is_quoted, start, stop) in enumerate(said):
                    if is_quoted:
                        yield from bound.judged(text, column, (start, stop), is_sql=True)


def _named(columns: Sequence[str], table: str = "") -> _Columns:
    is_of_keys = _OF_KEYS.search(table) is not None
    kinds: dict[int, str] = {}
    for at, name in enumerate(columns):
        if (one := _COLUMN.fullmatch(name)) is not None:
            kinds[at] = "password" if one[1] else "secret"
        elif _PIN.fullmatch(name):
            kinds[at] = "pin"
        elif is_of_keys and _KEY.fullmatch(name):
            kinds[at] = "secret"
    return _Columns(len(columns), kinds)


def _iter_rows(text: str, at: int) -> Iterator[tuple[list[tuple[bool, int, int]], int]]:
    """Yield tuples from behind a bracket on: whether it is in quotes and where, by item."""
    for _ in range(_MOST_ROWS if at > 0 else 0):
        row: list[tuple[bool, int, int]] = []
        while len(row) < _MOST_COLUMNS and (item := _ITEM.match(text, at)) is not None:
            number = next(number for number in (1, 2, 3) if item[number] is not None)
            row.append((number < _BARE, *item.span(number)))
            at = item.end()
            if item[4] != ",":
                break
        else:
            return
        yield row, at
        if (more := _OPENS.match(text, at)) is None:
            return
        at = more.end()


def _iter_cells(text: str) -> Iterator[Found]:
    """Yield what stands in cells of HTML below a head of such a name."""
    column = 0
    columns = _Columns(0, {})
    for cell in _CELL.finditer(text):
        if cell[1]:
            column = 0
            if cell[1][0] == "/":
                columns.kinds.clear()
            continue
        if named := _COLUMN.fullmatch(cell[2]):
            columns.kinds[column] = "password" if named[1] else "secret"
        else:
            yield from columns.judged(text, column, cell.span(2), is_sql=False)
        column += 1
