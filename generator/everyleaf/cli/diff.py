"""`everyleaf diff`: two paths held against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import width_of_output
from everyleaf.cli.errors import show_error
from everyleaf.cli.options import (
    masking,
    quiet_option,
    raw_option,
    session_argument,
    source_option,
)
from everyleaf.cli.progress import show_progress
from everyleaf.errors import EveryleafError

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.attempts import Attempts

TROUBLE = 2
"""Exit code of `diff` for what is no difference."""

EPILOG = """\b
Examples:
  everyleaf diff 66e54b32:1 66e54b32:2
  everyleaf diff 66e54b32:1 66e54b32 --files-only --word
  everyleaf diff first.jsonl second.jsonl:2 --format json
  everyleaf diff 3f0c 9a1b --source logs/ --format html > attempts.html

\b
JSON: one object, its keys sorted:
  same      whether neither path has anything that the other one has not
  shared    messages that both begin with
  left, right
            session, number, status, title, messages, prompts, replies, calls, tools
            {name: count}, usage {input, output, cache_read, cache_written}, errors,
            wall_s, working_s, commits, prompt, last_reply, test_run {command, outcome,
            said} or null, interrupted, withdrawn
  files     file, verdict (same, different, only-left, only-right, unknown), diff
            (unified, from left to right, or null), left and right: null, or {added,
            removed, diff, exact, new, changed_elsewhere}
  prompt_words
            [[sign, text], …] with the signs "+", "-" and " "; empty: not alike
  steps     [left, right] side by side, each null or {kind, name, words, ending,
            outcome, uuid}
With --files-only: same (here: all files ended the same), shared and files.

Exit codes, like those of diff: 0 nothing differs, 1 something does, 2 trouble.
"""


@click.command(epilog=EPILOG)
@session_argument("left", "A")
@session_argument("right", "B")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "html"]),
    default="text",
    show_default=True,
    help="What to print.",
)
@click.option("--files-only", is_flag=True, help="Only what became of files.")
@click.option("--word", "by_word", is_flag=True, help="Mark words in the text's diffs.")
@source_option
@raw_option
@quiet_option
def diff(  # noqa: PLR0913  (an argument an option)
    left: str,
    right: str,
    *,
    form: str,
    files_only: bool,
    by_word: bool,
    sources: tuple[Path, ...],
    is_raw: bool,
    is_quiet: bool,
) -> int:
    """Compare two attempts: what each said, did, and made of the files.

    A and B are a session with the number of a path (SESSION:N), a session alone (its
    ACTIVE path), the uuid of a leaf, or a session's file. A session is an id, the beginning
    of one if it fits nothing else, latest, or a title.
    """
    from everyleaf.attempts import compare_attempts  # noqa: PLC0415  (slow to import)

    try:
        with show_progress(is_quiet=is_quiet) as on_progress:
            attempts = compare_attempts(
                sources,
                (left, right),
                on_progress=on_progress,
                redact=masking(is_raw=is_raw),
            )
    except EveryleafError as error:
        show_error(error)
        return TROUBLE
    if form == "html":
        _print_page(attempts, files_only=files_only)
    else:
        _print_text(
            attempts, is_json=form == "json", files_only=files_only, by_word=by_word
        )
    comparison = attempts.comparison
    is_same = comparison.has_same_files if files_only else comparison.is_same
    return 0 if is_same else 1


def _print_page(attempts: Attempts, *, files_only: bool) -> None:
    from everyleaf.pages.comparealone import lone_page  # noqa: PLC0415  (slow to import)

    page = lone_page(
        attempts.comparison, attempts.left, attempts.right, files_only=files_only
    )
    click.echo(page.encode("utf-8", "replace"), nl=False)


def _print_text(
    attempts: Attempts, *, is_json: bool, files_only: bool, by_word: bool
) -> None:
    from everyleaf.cli.diffjson import to_json  # noqa: PLC0415  (slow to import)
    from everyleaf.cli.difftext import iter_lines  # noqa: PLC0415  (slow to import)

    if is_json:
        click.echo(to_json(attempts, files_only=files_only))
        return
    width = width_of_output()
    for line in iter_lines(attempts, files_only=files_only, by_word=by_word, width=width):
        click.echo(line)
