r"""The forms in which readers and programs get a text.

"key: \\u001b[1msk-\\u001b[0mabc\\\\nB"   as it stands
"key: sk-abc\\nB"                      without colours, zero-width characters, marks
"key: sk-abc⏎B"                        escapes resolved, level by level
"""

from __future__ import annotations

import base64
import html
import re
import sys
from contextlib import suppress
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from everyleaf.redact import codes, tuples
from everyleaf.redact.anywhere import is_public
from everyleaf.redact.engine import Gate, compile_pattern
from everyleaf.redact.tables import HEADS
from everyleaf.redact.views import Pass, View
from everyleaf.redact.words import is_listed, is_plain
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_LEVELS = 3
"""As often may one text be escaped: a tool's JSON in a record of JSON in a log."""

_WIDTHLESS = (
    r"\x{ad}\x{34f}\x{61c}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{200b}-\x{200f}"
    r"\x{202a}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0f}\x{feff}\x{ffa0}"
    r"\x{fff9}-\x{fffb}\x{e0000}-\x{e0fff}"
)
"""Characters without width, as RE2 writes them."""
_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_ODD = lazily(
    "["
    + _CONTROL
    + re.sub(r"\\x\{([0-9a-f]+)\}", lambda code: chr(int(code[1], 16)), _WIDTHLESS)
    + r"](?:(?<=\x1b)(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~])"
    r"|(?<=\x9b)[0-?]*[ -/]*[@-~])?"
)
"""Colour codes, titles of terminals, and what has no width."""
_MARK = lazily(
    r"[*`~<'\"](?:(?:(?<=[\w=+/.:@%-]\*)\*{0,2}|(?<=[\w=+/.:@%-]`)`{0,2}|(?<=[\w=+/.:@%-]~)~)"
    r"(?=[\w=+/.:@%-])|(?<=<)/?(?:b|i|em|strong|mark|wbr|span|u|code)\b[^<>]{0,80}>"
    r"|(?:(?<=\w')'|(?<=\w\")\")(?=\w))"
)
"""What Markdown draws in another way, inside of a word."""
_SAID = r"(?:[+\->|](?!----) ?|(?:<|#|//|--|;|[ \t]*\*) |[ \t]*[│┃║├└]─{0,2} ?)"
_GUTTER = lazily(
    r"(?m)^(?:(?:[ \t]*\d{1,7}(?:→|\t|[ \t]*[|│:] ?)|[ \t]+\d{1,7}  "
    r"|[^\n]{0,60}\d\d:\d\d:\d\d[.\d]*Z[ \t](?:\[\w+\][ \t])?"
    r"|[\w./+~-]{1,100}[:-]\d{1,7}[:-](?:\d{1,5}:)?"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,60} [\w./-]{1,60}(?:\[\d+\])?: "
    r"|\[[\w./-]{3,80}\] |[\w.-]{1,30}[ \t]{1,20}\| ?"
    rf"|\^?[0-9a-f]{{7,40}} [^\n()]{{0,60}}\([^()\n]{{5,80}} \d{{1,7}}\) ?){_SAID}?|{_SAID})"
)
_ENDING = lazily(r"[│┃║^$](?:(?<=[│┃║])[ \t]*$|(?<=\$)$|(?<=\^)(?:M\$$|I))", re.MULTILINE)
_ENDINGS = lazily("[│┃║$^]")
"""What a listing adds to lines: numbers, places in files, signs of a diff, what quotes or
comments a line, who said it when; a frame; `$`, `^M` and `^I` of `cat -A`."""
_AS_ASCII = {
    **str.maketrans("“”„‟«»「」‘’‚‛‐‑", '"' * 8 + "'" * 4 + "--"),  # noqa: RUF001
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},  # As wide as kanji.
}
_OTHER = lazily(f"[\u00a0\u2000-\u200a\u202f\u205f\u3000{''.join(map(chr, _AS_ASCII))}]")
"""Blanks, quotes, dashes and signs that are none of ASCII."""
_QUOTED = lazily(r"([\"']),\s{1,200}[bru]?[\"'](?!,)(?=([ |+-])?)")
"""What stands between an option and its value in a list of words, or two lines of a list."""
_OPTION = lazily(r"--?[\w-]{1,40}")
_ELEMENT = lazily(
    r"<(?:(br|p|div|dd|dt|h[1-6]|li|pre|tr)|/?(?:a|abbr|b|code|dd|div|dt|em|font|h[1-6]|i|kbd|li|mark|p"
    r"|pre|s|samp|small|span|strong|su[bp]|t[dhrt]|u|[ou]l|var|wbr))(?:\s[^<>\n]{0,200})?/?>",
    re.IGNORECASE,
)
"""The beginning or the end of an element of HTML."""
_CLOSING = lazily("(?i)</|<br")
_TYPED = r"</?(?:command-args|bash-(?:input|stdout|stderr)|local-command-std(?:out|err)|user-[a-z-]{3,20})>"
"""What stands around what someone typed, and what it printed, in a prompt."""
_PLACE = r"(?:[\w.+~-]{0,60}[/.][\w./+~-]{0,60}[:-]\d{1,7}[:-]|(?:\d{1,3}\.){3}\d|[a-z]+(?:://|\.[A-Za-z]+=)|[a-z]+\d?(?:[.-][a-z]+\d?)+:|[a-z\d]+(?:[.-][a-z\d]+)+[ ]+\w+=)"
"""Where what follows stands, as grep prints it; a host, an address, a setting of Java."""
_NEXT_LINE = (
    r"\n(?:[ \t]*\d{1,7}[\u2192\t])?[|\u2502\u2503>+-]?[ \t]*"
    rf"(?!\d{{4}}-\d\d-\d\d|{_PLACE})"
    r"(?=([\w~+/.-]{40,}=[\w~+/.-]+={0,2}|[\w~+/.-]{6,}(?:=[0-9A-F]{8}|={0,2}))"
    r"([ \t]*:)?(?![ \t]*=|[ \t]{2,}\w)(?:[\s|\"'`*,;?!@&()\]}<>\\$%#^]|[^\x00-\x7f]|\Z))"
)
_BREAK = lazily(rf"(?<=[\w~+/=.:-])[ \t]*[|\u2502\u2503]?[ \t]*\r?{_NEXT_LINE}")
"""Where a terminal may have broken a word: at the end of a line, maybe in a frame."""
_MAY_BREAK = lazily(_NEXT_LINE)
"""What goes on in the next line; it takes a tenth of the time to see that nothing does."""
_WRAP = lazily(
    rf"(?<=\S)(?:\r?\n(?=\S)(?!\d{{1,7}}[\u2192\t:|]|[A-Z][\w-]{{2,30}}(?::[ ]|[ ]{{2,}}\w)|{_PLACE})| ?[\u2502\u2503\u2551]\r?\n[\u2502\u2503\u2551] (?=\S))"
)
"""Where a terminal or a frame may have cut a line at its last column."""
_WIDTHS = frozenset({80, 100, 120, 132, 160, 200})
"""Columns that terminals have."""
_FRAME = lazily("[\u2502\u2503\u2551]")
_NARROWEST = 40
"""Fewer columns have few terminals: what goes on below them has to be long."""
_LONG_REST, _WIDEST = 12, 120
_MAIL = 66, 78
_PADDED = lazily(r"(?=[A-Za-z+/_-]*\d)(?=[\d+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{14,}={1,2}\Z")
"""Base64 that `=` may fill up: a mail cuts a key at so many characters."""
_ESCAPE = lazily(
    r"[\\%=&\"'](?:(?<=')\\+''|(?<=\\)(?:u([Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}"
    r"|[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]{1,6}\})|([^\w\s]|[_nrtbfv])"
    r"|(?:0?33|e)(?=\[)|(\r?\n(?:(?<=[ \t]\\\n)[ \t]*)?)|x[0-9A-Fa-f]{2}(?:\\x[0-9A-Fa-f]{2})*)"
    r"|(?<=%)[0-9A-Fa-f]{2}(?:%[0-9A-Fa-f]{2})*(?![A-Za-z_]\w*%(?![0-9A-Fa-f]{2}))"
    r"|(?<=[^\s=]=)(?!(?<=[\w+/-]{15}=)\r?\n[+>-]?[ ]?(?:[\w-]+[ \t]*[:=][ \t]|\[\w+\]))(\r?\n)(?=\S)(?!#?[A-Z\d]+_[A-Z\d_]*=|\d{4}-\d\d-\d\d|[a-z]+://)|(?<==)(?:3D|[C-F][0-9A-F](?:=[89AB][0-9A-F])+)"
    r"|(?<=&)(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});"
    r"|(?<=([\"']))\5(?:(?=[^\s\"',:;)\]}])|(?<=[^\s\"'(\[{:,=]\5\5)(?!\5)))"
)
"""Also bytes of URLs, programs and mails, and the lines that a mail cuts; and quotes within
quotes: doubled in SQL and CSV, between other ones in a shell."""
_ESCAPING = lazily(r"[\\%&]|''|\"\"|=(?:3D|\r?\n\S|[C-F][0-9A-F]=)")
_BYTE = lazily(r"\\x|=")
_LETTERS = {"n": "\n", "r": "\n", "t": "\t", "b": "", "f": "\n", "v": "\n"}
_LINE_END = r"(?:\r?\n|\\+r?\\*n)"
"""The end of a line, also as JSON writes it."""
_BASE64 = (
    rf"(?:[A-Za-z0-9+/]{{20,}}|[A-Za-z0-9+/]{{12,}}{_LINE_END}[A-Za-z0-9+/]{{12,}})"
    rf"(?:{_LINE_END}[ \t]*[A-Za-z0-9+/]{{2,}})*|[A-Za-z0-9_-]{{32,}}"
)
_GAP = lazily(rf"{_LINE_END}[ \t]*".encode())
_BASE64_OF_TEXT = (
    r"(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]){5,}"
    r"|[A-Za-z0-9+/]{4}={0,2}[\"']?[ \t]*\|[ \t]*base64[ \t]"
)
"""Base64 of bytes below 128: of each four characters, three come from half of all.

Or what a command says is base64, however short.
"""
_SHORTEST_LINE = 20
_LONGEST_ITEM = 300
_DUMPED = lazily(
    r"^[^\n]{0,60}?\b[0-9a-f]{7,8}:? {1,2}((?:(?:[0-9a-f]{2}){1,2} {1,2}){1,16})[^\n]*\n?",
    re.MULTILINE,
)
"""A line of such a dump of bytes, with the place of its first one."""
_LONGEST_BASE64 = 200_000
_READABLE = lazily(r"[\t\n\r\x1b -~\u00a0-\uffef\U00010000-\U0010ffff]+")
TAG = r"(?:b|i|em|strong|mark|wbr|span|u|code)"
"""Elements that may stand in a word."""


class Shape(IntEnum):
    """What a text may hold that takes more than a look at it as it stands."""

    LINES = 0
    """What stands in the lines below its name."""
    PRIVATE_KEY = 1
    TABLE = 2
    """Names of passwords where columns have theirs."""
    DUMP = 3
    """Bytes as `xxd` and `hexdump` print them."""
    ROWS = 4
    """Names of passwords where tuples of programs, or rows of HTML, have theirs."""
    PHRASE = 5  # A row of words, as those of wallets are.
    PACKED = -1
    """Base64 of text; no pattern of `SHAPES`, but looked for only where it may stand."""


SHAPES = (
    r"(?i)PRIVATE[\s_-]*(?:KEY|LINES)|(?:pass\w*|secret|token|key)[\"']?\s*[:=]\s*[|>]?-?\s*\n|[^pP]assword[^\n]{0,30}\n",
    r"PRIVATE|PuTTY|OpenVPN.{1,3}Static|rivate key[^\n]{0,60}[\s`]+[A-Za-z0-9+/]{60}",
    HEADS,
    r"0000010:?[ ]",
    f"(?i){'|'.join(tuples.HEADS)}",
    codes.WORDS,
)
"""Patterns of what is in each text of such a shape."""
UNSEEN = (
    rf"[{_CONTROL}{_WIDTHLESS}\x{{a0}}\x{{2000}}-\x{{200a}}\x{{2010}}\x{{2011}}\x{{202f}}\x{{205f}}\x{{3000}}]",
    r"[\w=+/.:@%-](?:\*|~~|`)[\w=+/.:@%*`-]|[^\x00-\x7f](?:\*|~~|`)|(?:\*|~|`)[^\x00-\x7f]"
    rf"|{_TYPED}|[\w=:]</?{TAG}\b|</{TAG}>\w|\w(?:''|\"\")\w"
    r"|[\x{ff10}-\x{ff19}\x{ff21}-\x{ff3a}\x{ff41}-\x{ff5a}]{2}"
    r"|\w[\x{ff1a}\x{ff1d}][ ]?[!-~\x{201c}]{4}|[=:(,][ ]?[\x{2018}-\x{201f}\x{ab}\x{300c}][!-~]{6}"
    r"|[\x{2018}-\x{201f}\x{ab}\x{300c}][ ]?[!-~]{0,20}\d[!-~]{4}",
)
"""Patterns of what a reader does not see: characters without width, marks in a word."""
HIDING = (
    r"(?:hooks|amzn|xoxe|ya29|dp|s[lk]|hv[bsr]|SG)\\\.|\\(?:[-_\n]|u\{?[0-9a-fA-F]{2}|x[01-7c-fC-F]|(?:0?33|e)\[)|%(?:2[5bBdDeEfF]|3[AaDd]|40|5[fF]|[46][0-9a-fA-F]|[57][0-9aA]|[c-fC-F][0-9a-fA-F]%)|&#|=3D|[^\s=]=\r?\n\S|=[C-F][0-9A-F]=[89AB]",
)
"""Escapes that may be inside of a key, or of its name."""

_COLUMNS = {Shape.TABLE, Shape.ROWS}
_MANY_LINES = {Shape.PRIVATE_KEY, *_COLUMNS}


def _join(match: re.Match[str]) -> str:
    """Return what stands for the end of a line: nothing, if a terminal broke it there."""
    begin = match.string.rfind("\n", 0, match.start()) + 1
    rest = match[1]
    has_digit = any(map(str.isdigit, rest))
    is_random = has_digit or not (rest.islower() or rest.istitle() or rest.isupper())
    end = match.string.find("\n", match.end())
    width = match.start() - begin
    # Where there is room for the next line, there was for the word, but for a frame.
    has_room = width + 2 < (end if end >= 0 else len(match.string)) - match.end()
    head = match.string[max(match.start() - _LONG_REST, begin) : match.start()]
    is_name = any(map(str.isdigit, head)) and (is_listed(rest) or is_public(rest))
    if has_room or is_name or _is_whole(match.string, match.start()):
        return match[0]
    is_long = len(rest) >= _LONG_REST and (has_digit or not is_plain(rest))
    if match[2]:  # It may be a name.
        return "" if is_long and has_digit else match[0]
    return "" if is_random and (width >= _NARROWEST or is_long) else match[0]


def _is_whole(text: str, end: int) -> bool:
    """Return whether base64 ends at a place that `=` fills up: nothing goes on behind it."""
    run = _PADDED.search(text, max(end - _WIDEST, 0), end)
    return run is not None and len(run[0]) % 4 == 0


def _rejoin(match: re.Match[str]) -> str:
    """Return what stands for the end of a line: nothing, if it fills all columns."""
    begin = match.string.rfind("\n", 0, match.start()) + 1
    if match[0].lstrip("\r") == "\n":
        return "" if match.start() - begin in _WIDTHS else match[0]
    is_only = len(_FRAME.findall(match.string, begin, match.start())) == 1
    return "" if is_only else match[0]  # In a table are more.


def _resolve(match: re.Match[str]) -> str:
    """Return what an escape stands for: JSON, shells, URLs, HTML."""
    code, sign, line_end, soft, _ = match.groups()
    said = match[0]
    if said[0] in "\"'":
        return said[0]
    if code:
        return _character(code)
    if sign:
        return _LETTERS.get(sign, sign)
    if line_end or soft:
        width = match.start() - match.string.rfind("\n", 0, match.start())
        is_whole = _is_whole(match.string, match.start() + 1)
        least, most = _MAIL if is_whole else (_NARROWEST, _WIDEST)
        return "" if line_end or least <= width < most else said
    if said[0] == "&":
        return html.unescape(said)
    return unquote(_BYTE.sub("%", said)) if said[0] in "%=" or said[1] == "x" else "\x1b"


def _character(code: str) -> str:
    if "u" in code:  # A pair of surrogates.
        return bytes.fromhex(code.replace("\\u", "")).decode("utf-16-be")
    number = int(code.strip("{}"), 16)
    return chr(number) if number <= sys.maxunicode else ""


def _as_ascii(found: re.Match[str]) -> str:
    return chr(_AS_ASCII.get(ord(found[0]), ord(" ")))


def _tab_or_nothing(match: re.Match[str]) -> str:
    return "\t" if match[0] == "^I" else ""


def _option_or_line_end(match: re.Match[str]) -> str:
    """Return what stands between two words, or two lines, of a list."""
    at = match.start()
    begin = match.string.rfind(match[1], max(at - _LONGEST_ITEM, 0), at) + 1
    item = match.string[begin:at]
    if _OPTION.fullmatch(item):
        return " "
    if item.endswith("\n"):
        return ""
    is_line = match[2] or " " in item or "\t" in item or item.endswith((":", ">"))
    return "\n" if is_line else match[0]


def _line_end_or_nothing(match: re.Match[str]) -> str:
    return "\n" if match[1] else " " * (match[0][1] == "/")


_NOTHING = Pass(_ODD, "")
_LAST_STRUCK = Pass(lazily(r"[^\n]\x08"), "")
"""What was written over."""
_UNMARKED = Pass(_MARK, "")
_PLAIN = Pass(_ESCAPE, _resolve)
_SPACED = Pass(_OTHER, _as_ascii)
_SHOWN = Pass(re.compile(_TYPED), "\n")
_BARE = Pass(_GUTTER, "")
_ENDLESS = Pass(_ENDING, _tab_or_nothing)
_LISTED = Pass(_QUOTED, _option_or_line_end)
_UNTAGGED = Pass(_ELEMENT, _line_end_or_nothing)
_JOINED = Pass(_BREAK, _join)
_REJOINED = Pass(_WRAP, _rejoin)


def iter_cleaned(view: View) -> Iterator[View]:
    """Yield a form as it is, and as readers get it where that differs; escapes stay.

    Of the latter, if someone looked at the former meanwhile: the lines that differ, with
    two above and below; and all of it, only for what takes many lines, if it has that.
    """
    yield view
    if view.unseen is None:
        if (clean := _cleaned(view)) is not view:
            yield clean
        return
    around = view.pieces(view.lines(view.unseen, above=2, below=2))
    if around is None or (lines := _cleaned(around)) is around:
        return
    yield lines
    shapes = (view.shapes | lines.shapes) & _MANY_LINES
    if "PRIVATE" in lines.text:
        shapes.add(Shape.PRIVATE_KEY)
    if shapes:
        whole = _cleaned(view)
        whole.shapes, whole.unseen = shapes, []
        yield whole


def iter_bare(view: View) -> Iterator[View]:
    """Yield further forms in which a key may stand of a text that someone looked at.

    Without the gutter of a listing where that matters, what base64 and dumps of bytes say,
    and the lines with escapes that can be inside of a key with those resolved. Linear.
    """
    has_packed = Shape.PACKED in view.shapes
    is_listing = not {Shape.LINES, *_COLUMNS}.isdisjoint(view.shapes)
    if is_listing or has_packed:
        clean = _cleaned(view) if view.unseen else view
        if (bare := _bared(clean)) is not clean and is_listing:
            yield bare
        if has_packed:
            for form in dict.fromkeys((clean, bare)):
                yield from _iter_decoded(form)
    if Shape.DUMP in view.shapes:
        yield from _iter_dumped(_cleaned(view) if view.unseen else view)
    around = view.pieces(view.lines(view.hiding, above=2, below=2))
    for plain in iter_levels(_cleaned(around)) if around else ():
        yield plain
        if has_packed:
            yield from _iter_decoded(plain)


def iter_unlisted(lines: View) -> Iterator[View]:
    """Yield forms of some lines without what a listing adds, elements, quotes of a list."""
    bare = _bared(lines)
    untagged = bare.passed(_UNTAGGED) if _CLOSING.search(bare.text) else bare
    listed = untagged.passed(_LISTED)
    forms = [bare, untagged, listed]
    if listed is not untagged:  # In a list may be lines of a listing, or of a list.
        forms.append(_bared(listed.passed(_LISTED)))
    yield from (form for form in dict.fromkeys(forms) if form is not lines)


def _bared(view: View) -> View:
    bare = view.passed(_BARE)
    return bare.passed(_ENDLESS) if _ENDINGS.search(bare.text) else bare


def unwrapped(view: View) -> View:
    """Return a form with the words whole that a terminal broke; this one if there is none."""
    return view.passed(_JOINED) if _MAY_BREAK.search(view.text) else view


def rejoined(view: View) -> View:
    """Return a form with the lines whole that fill all columns of a terminal, or a frame."""
    sizes = map(len, view.text.replace("\r\n", "\n").split("\n"))
    has_any = not _WIDTHS.isdisjoint(sizes) or _FRAME.search(view.text) is not None
    return view.passed(_REJOINED) if has_any else view


def iter_levels(view: View) -> Iterator[View]:
    """Yield a form with its escapes resolved, level by level, `MOST_LEVELS` at most."""
    for _ in range(MOST_LEVELS):
        if _ESCAPING.search(view.text) is None:
            return
        plain = view.passed(_PLAIN)
        if plain is view:
            return
        view = _cleaned(plain)
        yield view


def _cleaned(view: View) -> View:
    """Return a form without what a reader does not see; the same one if nothing is."""
    if "\x08" in view.text:
        view = view.passed(_LAST_STRUCK)
    # RE2 sees in a tenth of the time of others that there is nothing.
    if compile_pattern(UNSEEN[0]).search(view.body):
        view = view.passed(_NOTHING)
    if not view.text.isascii() and compile_pattern(_OTHER.pattern).search(view.body):
        view = view.passed(_SPACED)
    return view.passed(_SHOWN).passed(_UNMARKED)


def without_width(text: str) -> str:
    """Return `text` without colours and what else has no width."""
    return _ODD.sub("", text)


@cache
def open_packed() -> Gate:
    """Return what says whether there may be text in base64 in UTF-8."""
    return Gate([_BASE64_OF_TEXT], has_many=True)


def _iter_decoded(view: View) -> Iterator[View]:
    """Yield what base64 in a text says, if that is text; it stands for its whole run.

    Lines may be one text, but for the last one, or one each.
    """
    for match in compile_pattern(_BASE64).finditer(view.body):
        start, end = match.span()
        gaps = [gap.span() for gap in _GAP.finditer(view.body, start, end)]
        last = gaps[-1][0] if gaps else start
        for stop in (end, last):
            if stop > start and (said := _decoded(view.body[start:stop])) is not None:
                yield View(said, view, view.span(start, stop))
                break
        else:
            starts = [start, *(after for _, after in gaps)]
            for begin, stop in zip(starts, (*(at for at, _ in gaps), end), strict=True):
                line = view.body[begin:stop]
                if gaps and len(line) >= _SHORTEST_LINE and (said := _decoded(line)):
                    yield View(said, view, view.span(begin, stop))


def _decoded(run: bytes) -> str | None:
    """Return the text that base64 stands for; None if that is none, or too long."""
    run = _GAP.sub(b"", run).translate(bytes.maketrans(b"-_", b"+/"))
    if len(run) > _LONGEST_BASE64:
        return None
    whole = len(run) - (len(run) % 4 == 1)
    packed = run[:whole] + b"=" * (-whole % 4)
    with suppress(UnicodeDecodeError):
        said = base64.b64decode(packed).decode()
        return said if _READABLE.fullmatch(said) else None
    return None


def _iter_dumped(view: View) -> Iterator[View]:
    """Yield what dumps of bytes in a text say; each stands for all of its lines."""
    for level in (view, *iter_levels(view)):
        runs: list[list[re.Match[str]]] = []
        for line in _DUMPED.finditer(level.text):
            if not runs or runs[-1][-1].end() != line.start():
                runs.append([])
            runs[-1].append(line)
        for run in runs:
            said = bytes.fromhex("".join(line[1] for line in run))
            place = run[0].start(), run[-1].end()
            yield View(said.decode(errors="replace"), level, place)
