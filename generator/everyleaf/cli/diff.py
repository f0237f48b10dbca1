"""`everyleaf diff`: two paths held against each other."""

from __future__ import annotations

from functools import partial

from everyleaf.cli import options
from everyleaf.cli.options import Reading
from everyleaf.cli.output import echo_file, echo_json, echo_lines

EPILOG = """\b
Examples:
  everyleaf diff 66e54b32:1 66e54b32:2
  everyleaf diff 66e54b32:1 66e54b32 --files-only --word
  everyleaf diff first.jsonl second.jsonl:2 --json
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


@options.command(epilog=EPILOG, error_code=2)
@options.session("left", "A")
@options.session("right", "B")
@options.one_of(
    "--format", "form", known=["text", "html"], default="text", help="What to print."
)
@options.json
@options.flag("--files-only", help="Only what became of files.")
@options.flag("--word", "by_word", help="Mark words in the text's diffs.")
@options.sessions
def diff(
    *, reading: Reading, left: str, right: str, form: str, files_only: bool, by_word: bool
) -> int:
    """Compare two attempts: what each said, did, and made of the files.

    A and B are a session with the number of a path (SESSION:N), a session alone (its
    ACTIVE path), the uuid of a leaf, or a session's file. A session is an id, the beginning
    of one if it fits nothing else, latest, or a title.
    """
    # All of it is slow to import, and only wanted here.
    from everyleaf.attempts import compare_attempts
    from everyleaf.cli.difftext import iter_lines, to_json

    attempts = reading.look(partial(compare_attempts, names=(left, right)))
    comparison = attempts.comparison
    match "json" if reading.is_json else form:
        case "html":
            # A tenth of a second that the others need not wait.
            from everyleaf.pages.comparepages import lone_page

            sides = attempts.left, attempts.right
            echo_file(lone_page(comparison, *sides, files_only=files_only))
        case "json":
            echo_json(to_json(attempts, files_only=files_only))
        case _:
            echo_lines(iter_lines(attempts, files_only=files_only, by_word=by_word))
    is_same = comparison.has_same_files if files_only else comparison.is_same
    return 0 if is_same else 1
