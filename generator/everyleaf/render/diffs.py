"""Diffs as HTML: line numbers, signs, and marks on the words that changed."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import groupby, islice
from typing import TYPE_CHECKING

from markupsafe import escape

from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.transcript.document import Diff, DiffLine, Hunk

MAX_LINES = 400
"""Lines of a diff that are drawn; the rest is in its blob."""
MAX_MARKED_CHARS = 400
MAX_MARKED_WORDS = 120
"""Longer lines get no word marks: comparing takes quadratic time and shows nothing."""
ALIKE = 0.4
"""Share of equal words below which two lines are not the same line, edited."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_CLASSES = {"+": "dl add", "-": "dl del"}


def render_diff(diff: Diff, *, limit: int = MAX_LINES) -> str:
    """Return the first `limit` lines of `diff` as HTML for the inside of a `pre`.

    Numbers are attributes, so that what is copied is the text of a diff.
    """
    return "".join(islice(_drawn_lines(diff, limit), limit))


def diff_text(diff: Diff) -> str:
    """Return `diff` as a unified diff, for its blob."""
    lines = [f"--- {diff.file}", f"+++ {diff.file}"]
    for hunk in diff.hunks:
        lines.append(_hunk_head(hunk))
        lines += [line.sign + line.text for line in hunk.lines]
    return visible("\n".join(lines) + "\n")


def count_lines(diff: Diff) -> int:
    """Return how many lines `render_diff` draws without a limit."""
    return sum(len(hunk.lines) + (len(diff.hunks) > 1) for hunk in diff.hunks)


def _hunk_head(hunk: Hunk) -> str:
    old = sum(line.sign != "+" for line in hunk.lines)
    new = sum(line.sign != "-" for line in hunk.lines)
    return f"@@ -{hunk.old_start},{old} +{hunk.new_start},{new} @@"


def _drawn_lines(diff: Diff, limit: int) -> Iterator[str]:
    for hunk in diff.hunks:
        if len(diff.hunks) > 1:
            yield f'<span class="dl hunk">{_hunk_head(hunk)}\n</span>'
        yield from _drawn_hunk(hunk, limit)


def _drawn_hunk(hunk: Hunk, limit: int) -> Iterator[str]:
    old, new = hunk.old_start, hunk.new_start
    for line, body in zip(hunk.lines, _marked(hunk.lines, limit), strict=True):
        is_old, is_new = line.sign != "+", line.sign != "-"
        numbers = f'data-o="{old if is_old else ""}" data-n="{new if is_new else ""}"'
        sign = line.sign if line.sign in _CLASSES else " "
        yield f'<span class="{_CLASSES.get(sign, "dl")}" {numbers}>{sign}{body}\n</span>'
        old, new = old + is_old, new + is_new


def _marked(lines: Sequence[DiffLine], limit: int) -> Iterator[str]:
    """Yield each line's text as HTML; removed lines are compared with those that follow.

    At most `limit` of each run are compared: the others are not drawn.
    """
    removed: list[str] = []
    for sign, group in groupby(lines, key=lambda line: line.sign):
        texts = [visible(line.text).replace("\n", " ") for line in group]
        if sign == "-":
            removed = texts
            continue
        if removed:
            yield from _pairs(removed, texts if sign == "+" else [], limit)
            texts, removed = ([] if sign == "+" else texts), []
        yield from (str(escape(text)) for text in texts)
    yield from (str(escape(text)) for text in removed)


def _pairs(removed: list[str], added: list[str], limit: int) -> Iterator[str]:
    """Yield the removed lines, then the added ones, marked where they pair off."""
    pairs = islice(zip(removed, added, strict=False), limit)
    both = [_mark_words(old, new) for old, new in pairs]
    yield from (old for old, _ in both)
    yield from (str(escape(text)) for text in removed[len(both) :])
    yield from (new for _, new in both)
    yield from (str(escape(text)) for text in added[len(both) :])


def _mark_words(old: str, new: str) -> tuple[str, str]:
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    is_long = max(len(old), len(new)) > MAX_MARKED_CHARS
    if is_long or max(len(old_words), len(new_words)) > MAX_MARKED_WORDS:
        return str(escape(old)), str(escape(new))
    matcher = SequenceMatcher(a=old_words, b=new_words, autojunk=False)
    if matcher.ratio() < ALIKE:
        return str(escape(old)), str(escape(new))
    changes = matcher.get_opcodes()
    return (
        "".join(_mark("del", old_words[a:b], kind) for kind, a, b, _, _ in changes),
        "".join(_mark("ins", new_words[a:b], kind) for kind, _, _, a, b in changes),
    )


def _mark(element: str, words: list[str], kind: str) -> str:
    text = escape("".join(words))
    return f"<{element}>{text}</{element}>" if words and kind != "equal" else str(text)
