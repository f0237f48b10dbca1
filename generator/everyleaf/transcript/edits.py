"""What changed in files: diffs, as recorded or made, and what tools say of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from everyleaf.grouping import grouped
from everyleaf.transcript.document import Diff, DiffLine, Hunk

if TYPE_CHECKING:
    from everyleaf.transcript.content import Json


Pairs: TypeAlias = "Iterator[tuple[int, int]]"

CONTEXT_LINES = 3
_HUNK = re.compile(
    r"^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@[^\n]*\n", re.MULTILINE
)
MOST_CELLS = 4_000_000_000
"""Items of one side times those of the other that are compared: a second or two."""
_HELD_CELLS = 100_000_000
"""So many of them are held at once, a bit each."""
_FEW = 8
"""So many places of an item are looked up for each row; of more, a mask is kept."""


def recorded_diff(file: str, result: Json) -> Diff | None:
    """Return the diff in `structuredPatch`, else in `gitDiff`; None: none was recorded."""
    told = [
        (hunk.number("oldStart") or 0, hunk.number("newStart") or 0, hunk.texts("lines"))
        for hunk in result.each("structuredPatch")
    ]
    told = told or _git_hunks(result.at("gitDiff").text("patch"))
    hunks = tuple(Hunk(old, new, tuple(map(_diff_line, lines))) for old, new, lines in told)
    return make_diff(file, hunks) if hunks else None


def _git_hunks(patch: str) -> list[tuple[int, int, list[str]]]:
    """Return the hunks of a unified diff; what stands before the first is left out."""
    pieces = _HUNK.split(patch)[1:]
    return [
        (int(old), int(new), body.removesuffix("\n").split("\n"))
        for old, new, body in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    ]


def _diff_line(line: str) -> DiffLine:
    sign = line[:1]
    if sign in {"+", "-", " "}:
        return DiffLine(sign, line[1:])
    # `\ No newline at end of file`, or a context line that lost its blank.
    return DiffLine(" ", line)


def make_diff(file: str, hunks: tuple[Hunk, ...], *, is_cut: bool = False) -> Diff:
    """Return `hunks` with their lines counted."""
    signs = [line.sign for hunk in hunks for line in hunk.lines]
    return Diff(file, hunks, signs.count("+"), signs.count("-"), is_cut)


def joint_diff(file: str, diffs: Iterable[Diff]) -> Diff:
    """Return the diffs of several edits of one file as one, one after the other."""
    all_of_them = tuple(diffs)
    hunks = tuple(hunk for diff in all_of_them for hunk in diff.hunks)
    return make_diff(file, hunks, is_cut=any(diff.is_cut for diff in all_of_them))


def text_diff(file: str, old: str, new: str) -> Diff:
    """Return what turns `old` into `new`, with places counted from the start of the texts.

    As few lines as can be are taken out and put in, unless the diff says that it is cut.
    """
    before, after = split_lines(old), split_lines(new)
    pairs, is_cut = pair_up(before, after)
    lines: list[DiffLine] = []
    at = to = 0
    for one, other in (*pairs, (len(before), len(after))):
        lines += (DiffLine("-", line) for line in before[at:one])
        lines += (DiffLine("+", line) for line in after[to:other])
        lines += (DiffLine(" ", line) for line in before[one : one + 1])
        at, to = one + 1, other + 1
    return make_diff(file, tuple(_hunks(lines)), is_cut=is_cut)


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`; a last line break begins no further line."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _hunks(lines: Sequence[DiffLine]) -> Iterator[Hunk]:
    """Yield the changed lines with a little around them, joined where they are near."""
    changed = [at for at, line in enumerate(lines) if line.sign != " "]
    spans: list[tuple[int, int]] = []
    for at in changed:
        start, end = max(0, at - CONTEXT_LINES), min(len(lines), at + CONTEXT_LINES + 1)
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    old = new = 1
    at = 0
    for start, end in spans:
        # Between hunks all lines are alike, so both sides move on by as many.
        old, new = old + start - at, new + start - at
        part = tuple(lines[start:end])
        yield Hunk(old, new, part)
        old += sum(line.sign != "+" for line in part)
        new += sum(line.sign != "-" for line in part)
        at = end


def change_words(diff: Diff) -> str:
    """Return the counts of a diff in a few characters."""
    return f"{'at most ' if diff.is_cut else ''}+{diff.added} -{diff.removed}"


class Pairing(NamedTuple):
    """Which items of two sequences belong together."""

    pairs: list[tuple[int, int]]
    """Places of equal items, rising on both sides."""
    is_cut: bool
    """Too much to compare: only what the two begin and end with is paired."""


def pair_up(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairing:
    """Return as many pairs of equal items as there can be: what `diff --minimal` keeps.

    What both begin or end with, and what one side alone has, is set aside first. Of the
    rest, time grows with the product of the lengths, memory does not: 20,000 items beside
    20,000 take 0.2 s.

    Source: the rows are those of Hyyrö, "Bit-parallel LCS-length computation revisited"
    (2004), in Python's own numbers; a table too large to hold is halved, as Hirschberg
    does (1975). RapidFuzz was as fast, 12 MB, and holds all rows.
    """
    start = count_alike(left, right)
    tail = count_alike(left[start:][::-1], right[start:][::-1])
    end, other_end = len(left) - tail, len(right) - tail
    both = set(left[start:end]) & set(right[start:other_end])
    ones = [at for at in range(start, end) if left[at] in both]
    others = [at for at in range(start, other_end) if right[at] in both]
    is_cut = len(ones) * len(others) > MOST_CELLS
    pairs = [(at, at) for at in range(start)]
    if not is_cut:
        found = _pairs([left[at] for at in ones], [right[at] for at in others])
        pairs += ((ones[at], others[to]) for at, to in found)
    pairs += zip(range(end, len(left)), range(other_end, len(right)), strict=True)
    return Pairing(pairs, is_cut)


def count_alike(left: Sequence[Hashable], right: Sequence[Hashable]) -> int:
    """Return how many items the two begin with alike."""
    count = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        count += 1
    return count


def _pairs(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairs:
    if len(left) <= 1 or len(left) * len(right) <= _HELD_CELLS:
        yield from _walk(left, right)
        return
    half = len(left) // 2
    cut = _cut(left[:half], left[half:], right)
    yield from _pairs(left[:half], right[:cut])
    yield from ((half + at, cut + to) for at, to in _pairs(left[half:], right[cut:]))


def _cut(
    above: Sequence[Hashable], below: Sequence[Hashable], right: Sequence[Hashable]
) -> int:
    """Return where to cut `right` so that the two parts have most with the two others."""
    before = _counts(above, right)
    after = _counts(below[::-1], right[::-1])[::-1]
    sums = [one + other for one, other in zip(before, after, strict=True)]
    return sums.index(max(sums))


def _counts(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[int]:
    """Return how many pairs `left` has with the first 0, 1, … items of `right`."""
    last = (1 << len(right)) - 1
    for row in _rows(left, right):
        last = row
    bits = f"{last:0{len(right)}b}"[::-1] if right else ""
    return list(accumulate((bit == "0" for bit in bits), initial=0))


def _walk(left: Sequence[Hashable], right: Sequence[Hashable]) -> Pairs:
    """Yield the pairs, walking the whole table from its beginning.

    Its rows are made from the end, so that of equal lines the first are paired: what was
    put in among them then ends where a reader expects it to.
    """
    size = len(right) // 8 + 1
    backwards = _rows(left[::-1], right[::-1])
    rows = [row.to_bytes(size, "little") for row in backwards][::-1]
    at = to = 0
    while at < len(left) and to < len(right):
        place = len(right) - 1 - to
        if left[at] == right[to]:
            yield at, to
            at, to = at + 1, to + 1
        elif rows[at][place >> 3] >> (place & 7) & 1:
            to += 1
        else:
            at += 1


def _rows(left: Sequence[Hashable], right: Sequence[Hashable]) -> Iterator[int]:
    """Yield a row of the table after each item of `left`, a bit for an item of `right`.

    A bit is unset where one pair more can be made with the items up to there than with
    those before.
    """
    places = grouped((item, at) for at, item in enumerate(right))
    masks = {
        item: _mask(found, len(right))
        for item, found in places.items()
        if len(found) > _FEW
    }
    whole = (1 << len(right)) - 1
    row = whole
    for item in left:
        mask = masks.get(item)
        if mask is None:
            mask = sum(1 << at for at in places.get(item, ()))
        hits = row & mask
        row = ((row + hits) | (row - hits)) & whole
        yield row


def _mask(places: Sequence[int], width: int) -> int:
    """Return a number whose bits at `places` are set."""
    cells = bytearray(width // 8 + 1)
    for at in places:
        cells[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(cells, "little")


class Replacement(Struct, frozen=True):
    """A text of a file that was replaced by another one."""

    old: str
    new: str
    is_everywhere: bool = False


class FileTouch(Struct, frozen=True, kw_only=True):
    """What one record says about a file, in the order in which it happened."""

    file: str
    """As recorded, usually with its whole folder."""
    before: str | None = None
    """Contents before; None: not recorded."""
    after: str | None = None
    """Contents after; None: only as `replacements` or `hunks`, or not at all."""
    replacements: tuple[Replacement, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    is_change: bool = True
    """False: the file was only looked at."""
    is_new: bool = False
    """There was no such file before."""
    is_foreign: bool = False
    """Somebody else changed the file; nobody recorded how."""
    uuid: str = ""
    """The record of the call; empty where none is known."""


def replacements_in(asked: Json, result: Json) -> tuple[Replacement, ...]:
    """Return what an edit replaced: as it was in the file, else as it was asked for."""
    whole = asked if _text(result, "oldString") is None else result
    return tuple(
        Replacement(
            edit.text("oldString", "old_string"),
            edit.text("newString", "new_string"),
            edit.is_set("replaceAll", "replace_all"),
        )
        for edit in result.each("edits") or asked.each("edits") or [whole]
    )


def _text(value: Json, *keys: str) -> str | None:
    """Return the text under the first of `keys` that is there; an empty one is a text."""
    found = value.value(*keys)
    return found if isinstance(found, str) else None


def _recorded_hunks(file: str, result: Json) -> tuple[Hunk, ...]:
    diff = recorded_diff(file, result)
    return diff.hunks if diff else ()


def _edited(asked: Json, result: Json) -> FileTouch:
    file = result.text("filePath") or asked.text("file_path")
    replacements = replacements_in(asked, result)
    before = _text(result, "originalFile", "originalFileContents")
    # A large original may be cut short: one that does not hold the text is none.
    is_whole = before is not None and replacements[0].old in before
    return FileTouch(
        file=file,
        before=before if is_whole else None,
        # What a person changed while accepting it stands in the patch alone.
        replacements=() if result.is_set("userModified") else replacements,
        hunks=_recorded_hunks(file, result),
    )


def _written(asked: Json, result: Json) -> FileTouch:
    file = result.text("filePath") or asked.text("file_path")
    content = _text(result, "content")
    # Since CLI 2.1.97 an empty original says nothing: it is left out where it is large.
    before = _text(result, "originalFile") or None
    return FileTouch(
        file=file,
        before=before,
        after=_text(asked, "content") if content is None else content,
        hunks=_recorded_hunks(file, result),
        is_new=result.text("type") == "create" and before is None,
    )


def _read(_asked: Json, result: Json) -> FileTouch | None:
    """Return the contents of a file that was read as a whole."""
    file = result.at("file")
    is_whole = (
        result.text("type") == "text"
        and (file.number("startLine") or 1) == 1
        and file.number("numLines") == file.number("totalLines")
        and not file.is_set("truncatedByTokenCap")
    )
    contents = _text(file, "content")
    if not is_whole or contents is None:
        return None
    return FileTouch(file=file.text("filePath"), after=contents, is_change=False)


def _notebook(asked: Json, result: Json) -> FileTouch:
    return FileTouch(
        file=result.text("notebook_path") or asked.text("notebook_path"),
        before=_text(result, "original_file"),
        after=_text(result, "updated_file"),
    )


FILE_TOOLS: dict[str, Callable[[Json, Json], FileTouch | None]] = {
    "Edit": _edited,
    "MultiEdit": _edited,
    "Update": _edited,
    "Write": _written,
    "NotebookEdit": _notebook,
    "Read": _read,
}
"""The tools whose results say something about files: from what was asked and the result
of a call that ended well to what it says."""


def attached_touch(attachment: Json) -> FileTouch | None:
    """Return what the CLI told the model of a file by itself."""
    match attachment.text("type"):
        case "edited_text_file":
            file = attachment.text("filename")
            return FileTouch(file=file, is_change=False, is_foreign=True)
        case "file":
            return _read(attachment, attachment.at("content"))
        case _:
            return None
