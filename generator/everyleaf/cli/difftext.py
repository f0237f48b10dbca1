"""A comparison as JSON, and as text: `<` for the first path and `>` for the second."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

import click

from everyleaf.attempts import Attempts
from everyleaf.cli.output import Json, headline, pick, printable, rows, width_of_output
from everyleaf.compare.comparison import Comparison, Side, WordPiece, diff_words
from everyleaf.compare.files import FileComparison, FileSide
from everyleaf.compare.sketch import Passage, Row
from everyleaf.graph.forest import ConversationPath
from everyleaf.pages import comparewords
from everyleaf.render.diffs import diff_text
from everyleaf.transcript.document import Diff, DiffLine

NARROW = 72
"""Columns that two values may take up before they are put below each other."""
_COLOURS = {"+": "green", "-": "red", "<": "red", ">": "green"}
_MARKS = {"+": ("{+", "+}"), "-": ("[-", "-]"), " ": ("", "")}


def to_json(attempts: Attempts, *, files_only: bool) -> Json:
    """Return the comparison, as `everyleaf diff --help` describes it."""
    comparison = attempts.comparison
    whole: Json = {
        "same": comparison.has_same_files if files_only else comparison.is_same,
        "shared": comparison.shared,
        "files": [
            pick(each, "file verdict")
            | {"diff": _unified(each.difference)}
            | {"left": _change_json(each.left), "right": _change_json(each.right)}
            for each in comparison.files
        ],
    }
    if files_only:
        return whole
    prompts = comparison.prompts
    return whole | {
        "left": _side_json(attempts.left, comparison.left, prompts.left),
        "right": _side_json(attempts.right, comparison.right, prompts.right),
        "prompt_words": [[piece.sign, piece.text] for piece in prompts.words],
        "steps": [
            [
                pick(step, "kind name words ending outcome uuid") if step else None
                for step in (row.left, row.right)
            ]
            for row in comparison.rows
        ],
    }


def _side_json(path: ConversationPath, side: Side, prompt: Passage | None) -> Json:
    ending, run = side.ending, side.ending.test_run
    return {
        **pick(path, "session number status title"),
        **pick(
            side, "messages prompts replies calls=tool_calls errors usage wall_s working_s"
        ),
        **pick(ending, "interrupted=is_interrupted withdrawn=is_withdrawn"),
        "tools": dict(side.tools),
        "commits": [commit.hash or commit.subject for commit in side.commits],
        "prompt": prompt.text if prompt else None,
        "last_reply": ending.reply.text if ending.reply else None,
        "test_run": pick(run, "command outcome said") if run else None,
    }


def _change_json(side: FileSide | None) -> Json | None:
    if side is None:
        return None
    names = "added=change.added removed=change.removed exact=is_exact new=is_new"
    told = pick(side, f"{names} changed_elsewhere=has_foreign_changes")
    return told | {"diff": _unified(side.change)}


def _unified(diff: Diff | None) -> str | None:
    return diff_text(diff) if diff is not None and diff.hunks else None


def iter_lines(attempts: Attempts, *, files_only: bool, by_word: bool) -> Iterator[str]:
    """Yield the lines of a comparison; colours are for `click.echo` to keep or to drop.

    Words are broken to the output; lines of files are as long as they are.
    """
    comparison = attempts.comparison
    labels = comparewords.path_labels(attempts.left, attempts.right)
    if not files_only:
        yield from rows(comparewords.shared_words(comparison, *labels))
        paths = (attempts.left, attempts.right)
        for sign, label, path in zip("<>", labels, paths, strict=True):
            said = f"{label}, {path.status}: {headline(path.label or path.title)}"
            yield from _coloured(sign, said)
        if comparison.is_same:
            return
        yield from _facts(comparison)
        yield from _prompts(comparison)
        yield from _steps(comparison.rows)
    for each in comparison.files:
        yield ""
        yield from _file(each, labels, by_word=by_word)
    if files_only and not comparison.files:
        yield "Neither path changed a file."
    if not files_only:
        yield from _endings(comparison, labels)


def _facts(comparison: Comparison) -> Iterator[str]:
    yield from _titled("After the fork" if comparison.shared else "In figures")
    room = min(width_of_output() or NARROW, NARROW)
    for label, left, right, _ in comparewords.fact_rows(comparison):
        if len(left) + len(right) < room - 24:
            yield printable(f"  {label}: {left} | {right}")
        else:
            yield f"  {label}:"
            yield from rows(f"< {left}", "    ")
            yield from rows(f"> {right}", "    ")


def _prompts(comparison: Comparison) -> Iterator[str]:
    pair = comparison.prompts
    if pair.left is None and pair.right is None:
        return
    yield from _titled("The prompts")
    if pair.words:
        yield from (f"  {line}" for line in _marked(pair.words).split("\n"))
        return
    for sign, prompt in (("<", pair.left), (">", pair.right)):
        for line in prompt.text.split("\n") if prompt else ():
            yield from _coloured(sign, line)


def _steps(steps: Sequence[Row]) -> Iterator[str]:
    if steps:
        yield from _titled("Step by step")
    for is_same, some in groupby(steps, key=lambda row: row.is_same):
        if is_same:
            count = sum(1 for _ in some)
            yield f"= {count} {'step' if count == 1 else 'steps'} alike on both sides"
            continue
        for row in some:
            for sign, step in (("<", row.left), (">", row.right)):
                if step is not None:
                    outcome = f" ({step.ending})" if step.ending else ""
                    words = f"{step.name or step.kind} {step.words}{outcome}"
                    yield from _coloured(sign, words)


def _file(
    comparison: FileComparison, labels: tuple[str, str], *, by_word: bool
) -> Iterator[str]:
    words = comparewords.verdict_words(comparison, *labels)
    yield click.style(printable(f"{comparison.file}: {words}"), bold=True)
    for note in comparewords.file_notes(comparison, *labels):
        yield printable(f"  {note}")
    if comparison.difference is not None:
        if comparison.difference.hunks:
            yield from _diff(comparison.difference, labels, by_word=by_word)
        return
    for label, side in zip(labels, (comparison.left, comparison.right), strict=True):
        if side is not None:
            names = ("before", comparewords.change_words(label, side))
            yield from _diff(side.change, names, by_word=by_word)


def _diff(diff: Diff, names: tuple[str, str], *, by_word: bool) -> Iterator[str]:
    if not diff.hunks:
        return
    yield _styled("-", f"--- {diff.file} ({names[0]})")
    yield _styled("+", f"+++ {diff.file} ({names[1]})")
    for hunk in diff.hunks:
        yield click.style(hunk.head, fg="cyan")
        if by_word:
            yield from _word_lines(hunk.lines)
        else:
            yield from (_styled(line.sign, line.sign + line.text) for line in hunk.lines)


def _word_lines(lines: Sequence[DiffLine]) -> Iterator[str]:
    """Yield lines with the words that changed marked, as `git diff --word-diff` does."""
    for is_kept, some in groupby(lines, key=lambda line: line.sign == " "):
        part = list(some)
        if is_kept:
            yield from (printable(line.text) for line in part)
            continue
        old = [line.text for line in part if line.sign == "-"]
        new = [line.text for line in part if line.sign == "+"]
        for before, after in zip_longest(old, new):
            words = diff_words(before, after) if before and after else ()
            if words:
                yield _marked(words)
            else:
                for sign, text in (("-", before), ("+", after)):
                    if text is not None:
                        yield _piece(sign, text)


def _marked(words: Sequence[WordPiece]) -> str:
    return "".join(_piece(piece.sign, piece.text) for piece in words)


def _piece(sign: str, text: str) -> str:
    opening, closing = _MARKS[sign]
    shown = "\n".join(map(printable, text.split("\n")))
    return click.style(f"{opening}{shown}{closing}", fg=_COLOURS.get(sign))


def _endings(comparison: Comparison, labels: tuple[str, str]) -> Iterator[str]:
    yield from _titled("How each ended")
    sides = (comparison.left, comparison.right)
    for sign, label, side in zip("<>", labels, sides, strict=True):
        yield from _coloured(sign, f"{label}:")
        for sentence in comparewords.ending_words(side):
            yield from _coloured(sign, f"  {sentence}")
        reply = side.ending.reply
        for line in reply.text.split("\n") if reply else ():
            yield from _coloured(sign, f"  {line}")


def _titled(title: str) -> tuple[str, str]:
    return "", click.style(title, bold=True)


def _coloured(sign: str, text: str) -> Iterator[str]:
    return rows(text, f"{sign} ", fg=_COLOURS.get(sign))


def _styled(sign: str, text: str) -> str:
    return click.style(printable(text), fg=_COLOURS.get(sign))
