"""`everyleaf diff`: two paths held against each other."""

from __future__ import annotations

from functools import partial

from everyleaf.cli import options
from everyleaf.cli.options import Reading
from everyleaf.cli.output import echo_file, echo_json, echo_lines


@options.command(error_code=2)
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
