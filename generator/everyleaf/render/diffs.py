"""Diffs as HTML: numbers of old and new lines, signs, colours, marks on changed words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, pairwise, zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from everyleaf.render.entries import MAX_DIFF_LINES
from everyleaf.render.highlight import Run, highlight_lines, render_runs, slice_runs
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import Code, Diff, DiffLine, Hunk
from everyleaf.transcript.edits import make_diff
from everyleaf.transcript.words import counted

Span = tuple[int, int]
Row = tuple["_Line | None", "_Line | None"]

MAX_FOLDED = 1_000
"""Unchanged lines of a file that a split diff holds folded; of more, it says how many."""
LEAST_FOLDED = 4
"""Fewer lines are not worth a fold."""
FIRST_LINES = 60
FIRST_CHARS = 500
"""What is remembered of an edit for the page of its file."""
LEAST_LEFT = 6
"""Fewer lines are not worth being left out, or folded."""
MAX_MARKED_CHARS = 400
MAX_MARKED_WORDS = 120
"""Longer lines get no word marks: comparing takes quadratic time and shows nothing."""
ALIKE = 0.4
"""Share of equal words below which two lines are not the same line, edited."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_ELEMENTS = {"+": "ins", "-": "del", " ": "span"}
_LINES = {"+": ("ins", "<u>+</u>"), "-": ("del", "<u>-</u>")}


class _Line(NamedTuple):
    """A line of a hunk, drawn."""

    sign: str
    old: int | str
    """Its number; empty on the side that has no such line."""
    new: int | str
    body: str


def render_diff(diff: Diff, *, limit: int = MAX_DIFF_LINES) -> str:
    """Return the first `limit` lines of `diff` as HTML for the inside of a `pre`.

    Numbers are attributes, so that what is copied is the text of a diff.
    """
    return "".join(islice(_unified(diff, limit), limit))


def render_split(diff: Diff, after: str | None = None) -> str:
    """Return `diff` as HTML with what was beside what is, a `div` a block of rows.

    What did not change is folded, if the text `after` the change is given, else counted.
    """
    lines, limit = (after or "").split("\n"), MAX_DIFF_LINES
    has_lines = after is not None and len(lines) <= MAX_FOLDED
    drawn: list[str] = []
    old = new = 1
    for hunk in diff.hunks:
        between = lines[new - 1 : hunk.new_start - 1] if has_lines else []
        drawn.append(_unchanged(diff.file, old, new, hunk.old_start - old, between))
        for rows in _blocks(list(_drawn(diff.file, hunk, limit))):
            drawn.append(_block(rows[:limit]))
            limit -= len(rows)
            if limit <= 0:
                return "".join(drawn)
        old = hunk.old_start + sum(line.sign != "+" for line in hunk.lines)
        new = hunk.new_start + sum(line.sign != "-" for line in hunk.lines)
    rest = lines[new - 1 :][: -1 if lines[-1] == "" else None] if has_lines else []
    drawn.append(_unchanged(diff.file, old, new, len(rest), rest))
    return "".join(drawn)


def diff_text(diff: Diff) -> str:
    """Return `diff` as a unified diff, for its blob."""
    lines = [f"--- {diff.file}", f"+++ {diff.file}"]
    for hunk in diff.hunks:
        lines.append(hunk.head)
        lines += [line.sign + line.text for line in hunk.lines]
    return visible("\n".join(lines) + "\n")


def first_lines(part: Diff | Code) -> str:
    """Return the first lines that a diff changes, or of a new file, for `remembered`.

    `enough` of `FIRST_LINES`, each cut (`…`) after `FIRST_CHARS`, with `+` or `-` before
    it; before those that follow each other, `@` and the numbers of the first, old and new.
    """
    most = FIRST_LINES + LEAST_LEFT
    if isinstance(part, Diff):
        first = list(islice(_changed(part), most))
    else:
        lines = part.text.split("\n", most)[:most]
        first = [(0, number, f"+{line}") for number, line in enumerate(lines, 1)]
    kept: list[str] = []
    expected = (0, 0)
    for old, new, line in first[: enough(len(first), FIRST_LINES)]:
        if (old, new) != expected:
            kept.append(f"@{old} {new}")
        cut = "…" if len(line) > FIRST_CHARS else ""
        kept.append(line.replace("\n", " ")[:FIRST_CHARS] + cut)
        expected = (old + (line[0] == "-"), new + (line[0] == "+"))
    return "\n".join(kept)


def enough(lines: int, most: int) -> int:
    """Return how many of `lines` to show where `most` would do: all, if few were left.

    >>> enough(13, 8), enough(14, 8), enough(2, 1)
    (13, 8, 1)
    """
    return lines if lines <= most + min(LEAST_LEFT, most) - 1 else most


def _changed(diff: Diff) -> Iterator[tuple[int, int, str]]:
    """Yield the lines that change, each with the numbers of the old and the new text."""
    for hunk in diff.hunks:
        old, new = hunk.old_start, hunk.new_start
        for line in hunk.lines:
            if line.sign != " ":
                yield old, new, line.sign + line.text
            old, new = old + (line.sign != "+"), new + (line.sign != "-")


def remembered(file: str, lines: str, most: int, in_sight: int) -> tuple[Diff, Diff]:
    """Return what `first_lines` kept of `file` as two diffs: what is in sight, the rest.

    Both together have `most` lines, if that is `enough`.
    """
    changed: list[tuple[int, int, DiffLine]] = []
    old = new = 0
    for line in lines.split("\n") if lines else ():
        if line.startswith("@"):
            old, new = map(int, line[1:].split())
            continue
        changed.append((old, new, DiffLine(line[0], line[1:])))
        old, new = old + (line[0] == "-"), new + (line[0] == "+")
    shown = changed[: enough(len(changed), most)]
    end = enough(len(shown), in_sight)
    return _diff_of(file, shown[:end]), _diff_of(file, shown[end:])


def _diff_of(file: str, changed: Sequence[tuple[int, int, DiffLine]]) -> Diff:
    """Return lines, each with its numbers, old and new, as a diff: a hunk a run of them."""
    hunks: list[Hunk] = []
    expected = (-1, -1)
    for old, new, line in changed:
        if (old, new) != expected:
            hunks.append(Hunk(old, new, ()))
        hunks[-1] = replace(hunks[-1], lines=(*hunks[-1].lines, line))
        expected = (old + (line.sign == "-"), new + (line.sign == "+"))
    return make_diff(file, tuple(hunks))


def _unified(diff: Diff, limit: int) -> Iterator[str]:
    for hunk in diff.hunks:
        if len(diff.hunks) > 1:
            yield f"<i class=hunk>{hunk.head}\n</i>"
        for sign, old, new, body in _drawn(diff.file, hunk, limit):
            was, now = f" data-o={old}" * (old != ""), f" data-n={new}" * (new != "")
            element, shown = _LINES.get(sign, ("i", " "))
            yield f"<{element}{was}{now}>{shown}{body}\n</{element}>"


def _blocks(lines: Sequence[_Line]) -> Iterator[list[Row]]:
    """Yield what stays, and what was removed beside what was put in its place, in rows."""
    starts = [at for at in range(len(lines)) if _begins(lines, at)]
    for start, end in pairwise([*starts, len(lines)]):
        block = lines[start:end]
        if block[0].sign not in _LINES:
            yield [(line, line) for line in block]
            continue
        removed = [line for line in block if line.sign == "-"]
        yield list(zip_longest(removed, [line for line in block if line.sign == "+"]))


def _begins(lines: Sequence[_Line], at: int) -> bool:
    """Return whether a block begins: of lines that stay, or of removed ones, then added."""
    before, sign = lines[at - 1].sign if at else "", lines[at].sign
    return sign != before and (before, sign) != ("-", "+")


def _block(rows: Sequence[Row]) -> str:
    return f'<div class="sr">{"".join(map(_row, rows))}</div>\n'


def _row(row: Row) -> str:
    left, right = row
    old, new = left.old if left else "", right.new if right else ""
    return _cell(left, old, ' aria-hidden="true"' * (left is right)) + _cell(right, new)


def _cell(line: _Line | None, number: int | str, attributes: str = "") -> str:
    if line is None:
        return '<span class="sl none"></span>'
    element = _ELEMENTS.get(line.sign, "span")
    return f'<{element} class="sl" data-n="{number}"{attributes}>{line.body}</{element}>'


def _unchanged(file: str, old: int, new: int, count: int, lines: Sequence[str]) -> str:
    """Return what stands between two hunks, folded."""
    if count <= 0:
        return ""
    words = f"{counted(count, 'line')} unchanged"
    if not lines:
        return f'<p class="gap">{words}</p>\n'
    hunk = Hunk(old, new, tuple(DiffLine(" ", line) for line in lines))
    rows = _block([(line, line) for line in _drawn(file, hunk, len(lines))])
    if count < LEAST_FOLDED:
        return rows
    return f'<details class="same"><summary>{words}</summary>{rows}</details>\n'


def _drawn(file: str, hunk: Hunk, limit: int) -> Iterator[_Line]:
    """Yield the lines of a hunk; those beyond `limit` are neither coloured nor compared."""
    texts = [visible(line.text).replace("\n", " ") for line in hunk.lines]
    signs = [line.sign for line in hunk.lines]
    runs = [*_coloured(file, signs[:limit], texts[:limit])]
    runs += [[(text, "")] for text in texts[limit:]]
    old, new = hunk.old_start, hunk.new_start
    for sign, line, spans in zip(signs, runs, _marks(signs, texts, limit), strict=True):
        is_old, is_new = sign != "+", sign != "-"
        body = _body(line, spans, _ELEMENTS.get(sign, "span"))
        yield _Line(sign, old if is_old else "", new if is_new else "", body)
        old, new = old + is_old, new + is_new


def _coloured(file: str, signs: Sequence[str], texts: Sequence[str]) -> list[list[Run]]:
    """Return each line in its colours, as they are in the old text or in the new one."""
    found: list[list[Run]] = [[] for _ in texts]
    for other, own in (("+", "-"), ("-", "+")):
        places = [at for at, sign in enumerate(signs) if sign != other]
        if places and (own in signs or own == "+"):
            text = "\n".join(texts[at] for at in places)
            for at, line in zip(places, highlight_lines(text, file), strict=True):
                found[at] = line
    return found


def _body(runs: Sequence[Run], spans: Sequence[Span], element: str) -> str:
    """Return a line with an `element` around what changed in it."""
    if not spans:
        return render_runs(runs)
    drawn: list[str] = []
    at = 0
    for start, end in spans:
        before, marked = slice_runs(runs, at, start), slice_runs(runs, start, end)
        drawn.append(f"{render_runs(before)}<{element}>{render_runs(marked)}</{element}>")
        at = end
    rest = slice_runs(runs, at, sum(len(text) for text, _ in runs))
    return "".join([*drawn, render_runs(rest)])


def _marks(
    signs: Sequence[str], texts: Sequence[str], limit: int
) -> list[tuple[Span, ...]]:
    """Return what changed in each line; of a run, only `limit` are drawn, and compared."""
    marks: list[tuple[Span, ...]] = [()] * len(texts)
    at = 0
    while at < len(signs):
        middle = _end_of(signs, at, "-")
        end = _end_of(signs, middle, "+")
        pairs = zip(range(at, middle), range(middle, end), strict=False)
        for old, new in islice(pairs, limit):
            marks[old], marks[new] = _mark_words(texts[old], texts[new])
        at = max(end, at + 1)
    return marks


def _end_of(signs: Sequence[str], at: int, sign: str) -> int:
    while at < len(signs) and signs[at] == sign:
        at += 1
    return at


def _mark_words(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return where the two differ; nothing where they are two lines, not one, edited."""
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    is_long = max(len(old), len(new)) > MAX_MARKED_CHARS
    if is_long or max(len(old_words), len(new_words)) > MAX_MARKED_WORDS:
        return (), ()
    matcher = SequenceMatcher(a=old_words, b=new_words, autojunk=False)
    if matcher.ratio() < ALIKE:
        return (), ()
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    return (
        tuple(_span(old_words, a, b) for _, a, b, _, _ in changes if a < b),
        tuple(_span(new_words, a, b) for _, _, _, a, b in changes if a < b),
    )


def _span(words: Sequence[str], start: int, end: int) -> Span:
    at = sum(map(len, words[:start]))
    return at, at + sum(map(len, words[start:end]))
