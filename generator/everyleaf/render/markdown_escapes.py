"""Inline Markdown made harmless: outside its code spans, nothing is markup that was none.

What stands in a code span stays as it is; the rest may not open HTML, a picture, a link
that leads where none may lead, or a definition.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

from everyleaf.render.markdown_text import is_live

CONTAINER = r"(?:[ \t>]|[-*+](?=[ \t])|[0-9]{1,9}[.)](?=[ \t]))*"
"""What may stand before the first block of a line: quotes, bullets, numbers."""
_DEFINITION = re.compile(rf"(?m)^({CONTAINER})\[(?=(?:[^\[\]\\]|\\.){{1,999}}\]:)")
_MARKS = re.compile(r"\\[\s\S]|`+|<(?=[A-Za-z/!?])|!\[|\]\(")
_TICKS = re.compile(r"`+")
_AUTOLINK = re.compile(r"<(?:https?://|mailto:)[^\s<>`|]*>")
_TARGET = re.compile(r"\]\(\s*<?([^\s)>]{0,20})")
"""As much of where a link leads as tells whether it may work."""
_CELL_END = re.compile(r"((?:[^|\\]|\\.)*)(\|?)", re.DOTALL)


def escape_row(line: str) -> str:
    """Return a table row made harmless cell by cell: code never runs across a pipe."""
    return "".join(escape_text(cell) + end for cell, end in _CELL_END.findall(line))


def escape_text(text: str) -> str:
    """Return inline Markdown made harmless outside its code spans. Near-linear."""
    text = _DEFINITION.sub(r"\1\\[", text)
    runs = _tick_runs(text)
    pieces: list[str] = []
    at = 0
    while mark := _MARKS.search(text, at):
        pieces.append(text[at : mark.start()])
        if mark[0].startswith("`"):
            at = _code_end(mark, runs)
            pieces.append(text[mark.start() : at])
        else:
            piece, at = _escape_mark(text, mark)
            pieces.append(piece)
    pieces.append(text[at:])
    return "".join(pieces)


def _tick_runs(text: str) -> dict[int, list[int]]:
    """Return where runs of backticks start, by their length."""
    runs: defaultdict[int, list[int]] = defaultdict(list)
    for run in _TICKS.finditer(text):
        runs[len(run[0])].append(run.start())
    return runs


def _code_end(mark: re.Match[str], runs: dict[int, list[int]]) -> int:
    """Return where the code span ends that `mark` opens, or the end of `mark` itself."""
    starts = runs.get(len(mark[0]), [])
    index = bisect_right(starts, mark.end())
    # A run right behind the mark would be a part of it, so `>` and `>=` are the same here.
    return starts[index] + len(mark[0]) if index < len(starts) else mark.end()


def _escape_mark(text: str, mark: re.Match[str]) -> tuple[str, int]:
    """Return what stands for `mark`, and where to go on."""
    match mark[0]:
        case "<":
            autolink = _AUTOLINK.match(text, mark.start())
            return (autolink[0], autolink.end()) if autolink else ("&lt;", mark.end())
        case "![":
            return "\\![", mark.end()
        case "](":
            target = _TARGET.match(text, mark.start())
            is_safe = target is not None and is_live(target[1])
            return ("](" if is_safe else "]\\(", mark.end())
        case escaped:
            return escaped, mark.end()
