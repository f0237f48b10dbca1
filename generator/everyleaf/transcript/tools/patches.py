"""Diffs: from the hunks that the CLI recorded, else from the old and the new text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.document import Diff, DiffLine, FileChange, Hunk
from everyleaf.transcript.pairing import pair_up
from everyleaf.transcript.values import int_at, object_at, objects_at, text_at, texts_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.records.schema import JsonValue

CONTEXT_LINES = 3
_HUNK = re.compile(
    r"^@@ -(\d{1,9})(?:,\d{1,9})? \+(\d{1,9})(?:,\d{1,9})? @@[^\n]*\n", re.MULTILINE
)


def recorded_diff(file: str, result: JsonValue) -> Diff | None:
    """Return the diff in `structuredPatch`, else in `gitDiff`; None: none was recorded."""
    hunks = tuple(
        Hunk(
            int_at(hunk, "oldStart") or 0,
            int_at(hunk, "newStart") or 0,
            tuple(_diff_line(line) for line in texts_at(hunk, "lines")),
        )
        for hunk in objects_at(result, "structuredPatch")
    )
    hunks = hunks or _git_hunks(text_at(object_at(result, "gitDiff"), "patch"))
    return make_diff(file, hunks) if hunks else None


def _git_hunks(patch: str) -> tuple[Hunk, ...]:
    """Return the hunks of a unified diff; what stands before the first is left out."""
    pieces = _HUNK.split(patch)[1:]
    return tuple(
        Hunk(
            int(old),
            int(new),
            tuple(_diff_line(line) for line in body.removesuffix("\n").split("\n")),
        )
        for old, new, body in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    )


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
    before, after = _lines(old), _lines(new)
    pairs, is_cut = pair_up(before, after)
    lines: list[DiffLine] = []
    at = to = 0
    for one, other in (*pairs, (len(before), len(after))):
        lines += (DiffLine("-", line) for line in before[at:one])
        lines += (DiffLine("+", line) for line in after[to:other])
        lines += (DiffLine(" ", line) for line in before[one : one + 1])
        at, to = one + 1, other + 1
    return make_diff(file, tuple(_hunks(lines)), is_cut=is_cut)


def _lines(text: str) -> list[str]:
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


def change_of(file: str, diff: Diff) -> FileChange:
    """Return what `diff` did to `file`, in lines."""
    return FileChange(file, diff.added, diff.removed)


def change_words(diff: Diff) -> str:
    """Return the counts of a diff in a few characters."""
    return f"{'at most ' if diff.is_cut else ''}+{diff.added} -{diff.removed}"
