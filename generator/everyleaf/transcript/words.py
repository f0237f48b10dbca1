"""Short texts: first words, counts, sizes, durations."""

from __future__ import annotations

from everyleaf.records.text import without_escapes

WORDS_LIMIT = 200
"""Longest text that stands in one line of an outline or a summary, in characters."""


def one_line(text: str, *, limit: int = WORDS_LIMIT) -> str:
    """Return the beginning of `text` with white space collapsed, at most `limit` long.

    It has no colours: what a terminal would obey is left out.
    Cost does not grow with the text.
    """
    # Four times the limit leaves room for white space that collapses.
    words = " ".join(without_escapes(text[: 4 * limit]).split())
    is_cut = len(text) > 4 * limit or len(words) > limit
    return words[: limit - 1].rstrip() + "…" if is_cut else words


def first_line(text: str, *, limit: int = WORDS_LIMIT) -> str:
    """Return the first line of `text` that is not blank, with `…` if more follows."""
    stripped = text.strip()
    line, _, rest = stripped.partition("\n")
    short = one_line(line, limit=limit)
    return f"{short} …" if rest and not short.endswith("…") else short


def count_lines(text: str) -> int:
    r"""Return how many lines `text` has; a last line without its `\n` counts."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return `number` with its noun.

    >>> counted(1, "line"), counted(1200, "match", "matches")
    ('1 line', '1,200 matches')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(milliseconds: int) -> str:
    """Return a length of time in the unit that suits it.

    >>> duration(420), duration(4200), duration(192_000), duration(7_260_000)
    ('420 ms', '4.2 s', '3 min 12 s', '2 h 1 min')
    """
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    if milliseconds < 60_000:
        return f"{milliseconds / 1000:.1f} s"
    minutes, seconds = divmod(milliseconds // 1000, 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def short_file(file: str, folder: str) -> str:
    """Return `file` as seen from `folder`, if it lies below it.

    >>> short_file("/home/a/src/x.py", "/home/a"), short_file("/etc/hosts", "/home/a")
    ('src/x.py', '/etc/hosts')
    """
    inside = file[len(folder) :] if folder and file.startswith(folder) else ""
    return inside[1:] if len(inside) > 1 and inside[0] in "/\\" else file


def joined(*texts: str) -> str:
    """Return the texts that are not empty, separated by commas."""
    return ", ".join(text for text in texts if text)
