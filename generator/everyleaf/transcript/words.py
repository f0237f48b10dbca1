"""Short texts: first words, counts, durations; and the tags that the CLI writes into texts.

Tags are matched literally and never as XML: their content is not escaped and may hold `<`,
so an opening tag ends at the next exact closing tag. All functions take linear time.
"""

from __future__ import annotations

import re

from msgspec import Struct

from everyleaf.records.text import without_escapes

MCP = "mcp__"
"""Begins the names of tools that MCP servers have."""
WORDS_LIMIT = 200
"""Longest text that stands in one line of an outline or a summary, in characters."""
_OPENING = re.compile(r"<([A-Za-z][A-Za-z0-9_-]{0,63})((?:\s[^<>]{0,2000})?)>")
_MARKS = re.compile(
    r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)|!?\[([^\]]+)\]\((?:[^()\s]|\([^()\s]*\))*\)"
    r"|(?<![\w/\\.$=@^)\]}*])(\*{1,3}|~~)(?=[^\s*./,;:)~])(.+?)(?<![\s/\\(*])\3"
    r"(?![0-9A-Za-z/\\*]|[.-]\w)"
)
"""Code, which is left alone, links (group 2: their words) and emphasis (group 4)."""
_AT_START = re.compile(r"(?:^|(?<=\u00b7 ))(?:>+[ \t]+|[-*+][ \t]+(?:\[[ xX]\] )?)+(?=.)")
"""Begins a quotation or an item, at the start of a line or behind the dot for a break."""
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""Code; group 2 is what it says: as many backticks end it as began it."""
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w-]{0,63})=\"([^\"]{0,2000})\"")


def one_line(text: str, *, limit: int = WORDS_LIMIT) -> str:
    """Return the beginning of `text` with white space collapsed, at most `limit` long.

    It has no colours: what a terminal would obey is left out.
    Cost does not grow with the text.
    """
    # Four times the limit leaves room for white space that collapses.
    words = " ".join(without_escapes(text[: 4 * limit]).split())
    is_cut = len(text) > 4 * limit or len(words) > limit
    return words[: limit - 1].rstrip() + "…" if is_cut else words


def squeezed(text: str) -> str:
    r"""Return `text` on one line, with one blank between words.

    >>> squeezed("a  long\nline")
    'a long line'
    """
    return " ".join(text.split())


def unmarked(line: str) -> str:
    """Return a short line of Markdown without marks of code, emphasis, links, quotations.

    >>> unmarked("> See `src/**/a.ts`: *empty* **[list](x_(y))**, > not lib/*.ts or b/*.ts")
    'See src/**/a.ts: empty list, not lib/*.ts or b/*.ts'
    """
    line = _AT_START.sub("", line.replace(" > ", " ") if line.startswith("> ") else line)
    for _ in range(2):  # Emphasis may hold a link, or more of it.
        line = _MARKS.sub(lambda it: it[0] if it[1] else it[2] or it[4], line)
    return _CODE.sub(lambda found: found[2].strip("` ") or found[0], line)


def first_line(text: str, *, limit: int = WORDS_LIMIT) -> str:
    """Return the first line of `text` that is not blank, with `…` if more follows."""
    stripped = text.strip()
    line, _, rest = stripped.partition("\n")
    short = one_line(line, limit=limit)
    return f"{short} …" if rest and not short.endswith("…") else short


def count_lines(text: str) -> int:
    r"""Return how many lines `text` has; a last line without its `\n` counts."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def counted(number: int | None, noun: str, plural: str = "") -> str:
    """Return `number` with its noun, or "" for no number.

    >>> counted(1, "line"), counted(1200, "match", "matches")
    ('1 line', '1,200 matches')
    """
    if number is None:
        return ""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(milliseconds: int | None) -> str:
    """Return a span of time in its two largest units, from `5 ms` to `31 h 4 min`.

    >>> [duration(ms) for ms in (5, 1500, 62_000, 3_600_000, None)]
    ['5 ms', '1.5 s', '1 min 2 s', '1 h', '']
    """
    if milliseconds is None:
        return ""
    if milliseconds < 1000:
        return f"{max(milliseconds, 0)} ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1000:.1f} s".replace(".0 s", " s")
    seconds = round(milliseconds / 1000)
    if seconds < 3600:
        return _two_units(seconds, "min", "s")
    return _two_units(round(seconds / 60), "h", "min")


def _two_units(amount: int, large: str, small: str) -> str:
    whole, rest = divmod(amount, 60)
    return f"{whole} {large} {rest} {small}" if rest else f"{whole} {large}"


def short_file(file: str, folder: str) -> str:
    """Return `file` as seen from `folder`, if it lies below it.

    >>> short_file("/home/a/src/x.py", "/home/a"), short_file("/etc/hosts", "/home/a")
    ('src/x.py', '/etc/hosts')
    """
    inside = file[len(folder) :] if folder and file.startswith(folder) else ""
    return inside[1:] if len(inside) > 1 and inside[0] in "/\\" else file


def whole_file(file: str, folder: str) -> str:
    """Return `file` below `folder`, unless it is told with all of its folders.

    >>> whole_file("src/x.py", "/home/a"), whole_file("/etc/hosts", "/home/a")
    ('/home/a/src/x.py', '/etc/hosts')
    """
    is_whole = file.startswith(("/", "\\", "~")) or file[1:2] == ":"
    return file if is_whole or not folder else f"{folder}/{file}"


def tool_name(name: str) -> str:
    """Return a tool's name for a reader: of an MCP tool, its server and its own name.

    >>> tool_name("mcp__github__create_issue"), tool_name("Bash")
    ('github: create_issue', 'Bash')
    """
    server, _, tool = name.removeprefix(MCP).partition("__")
    return f"{server}: {tool}" if name.startswith(MCP) and server and tool else name


def joined(*texts: str) -> str:
    """Return the texts that are not empty, separated by commas."""
    return ", ".join(text for text in texts if text)


class Tagged(Struct, frozen=True):
    """A tag with its content, somewhere in a text."""

    name: str
    body: str
    attributes: tuple[tuple[str, str], ...]
    end: int
    """Where the closing tag ends in the text."""

    def attribute(self, name: str) -> str:
        """Return the attribute called `name`, or ""."""
        return next((value for key, value in self.attributes if key == name), "")


def read_tag(text: str, start: int = 0) -> Tagged | None:
    """Return the tag that opens exactly at `start`, if one does and it is closed."""
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    name = opening[1]
    closing = f"</{name}>"
    end = text.find(closing, opening.end())
    if end < 0:
        return None
    attributes = tuple((m[1], m[2]) for m in _ATTRIBUTE.finditer(opening[2]))
    return Tagged(name, text[opening.end() : end], attributes, end + len(closing))


def leading_tags(text: str) -> tuple[list[Tagged], str]:
    """Return the run of tags that `text` begins with, and the text behind them."""
    found: list[Tagged] = []
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        tag = read_tag(text, at)
        if tag is None:
            return found, text[at:]
        found.append(tag)
        at = tag.end


def tag_body(text: str, name: str) -> str | None:
    """Return the content of the first `<name>…</name>` in `text`, or None.

    >>> tag_body("<a>1</a><b>2</b>", "b")
    '2'
    """
    return next(iter(cut_tags(text, name)[1]), None)


def cut_tags(text: str, name: str) -> tuple[str, list[str]]:
    """Return `text` without its `<name>…</name>`, and their contents in order.

    A tag that is never closed stays in the text.
    """
    opening, closing = f"<{name}>", f"</{name}>"
    kept: list[str] = []
    bodies: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        kept.append(text[at:start])
        bodies.append(text[start + len(opening) : end])
        at = end + len(closing)
    if not bodies:
        return text, []
    kept.append(text[at:])
    return "".join(kept), bodies
