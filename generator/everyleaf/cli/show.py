"""`everyleaf show`: one transcript on standard output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import width_of_output
from everyleaf.cli.options import (
    masking,
    quiet_option,
    raw_option,
    session_argument,
    source_option,
)
from everyleaf.cli.paging import pager_option, print_lines
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.explore.story import Story

EPILOG = """\b
Examples:
  everyleaf show latest
  everyleaf show 66e54b32:1 --detail talk
  everyleaf show 66e54b32 --format md > fractions.md
  everyleaf show session.jsonl --format json | jq '.turns | length'

Markdown is the file that `everyleaf build --format md` writes, without what that says of
other sessions, and with all that led to a withdrawn prompt. Text is for reading here: on
a terminal its lines are broken between words.

\b
JSON: one object: session, project, number, of, status, reason, title, label, started,
  ended, messages, prompts, compactions, fork_point, taken_over_by ("session:number"),
  turns: [{kind, seam, session, index, records [uuid], entries: [{type (prompt, reply,
  thinking, tool-call, compaction, notice, rewritten), uuid, at, also [uuid], …}]}];
  parts of entries have a type as well (prose, code, diff, table, picture, …)

Exit codes: 0 done, 1 nothing fits or an error, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@session_argument("name", "SESSION[:N]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "text", "json"]),
    help="What to print.  [default: text on a terminal, else md]",
)
@click.option(
    "--detail",
    type=click.Choice(["full", "talk", "prompts"]),
    default="full",
    show_default=True,
    help="How much of it: all, prompts and replies with tools as one line each, or prompts "
    "alone.",
)
@pager_option
@source_option
@raw_option
@quiet_option
def show(  # noqa: PLR0913  (an argument an option)
    name: str,
    *,
    form: str | None,
    detail: str,
    has_pager: bool,
    sources: tuple[Path, ...],
    is_raw: bool,
    is_quiet: bool,
) -> None:
    """Print the transcript of a path: of a session without a number, of its ACTIVE one.

    SESSION is an id, the beginning of one, a session's file, latest, or a title.
    """
    from everyleaf.explore.story import open_story  # noqa: PLC0415  (slow to import)
    from everyleaf.opening.named import open_named  # noqa: PLC0415  (slow to import)

    with show_progress(is_quiet=is_quiet) as on_progress:
        redact = masking(is_raw=is_raw)
        asked = open_named(name, sources, on_progress=on_progress, redact=redact)
    is_terminal = sys.stdout.isatty()
    shown = form or ("text" if is_terminal else "md")
    width = width_of_output() if shown == "text" else None
    text = _drawn(open_story(asked), shown, detail, width)
    if is_terminal:
        print_lines(text.splitlines(), has_pager=has_pager)
    else:
        click.echo(text.encode("utf-8", "replace"), nl=False)


def _drawn(story: Story, form: str, detail: str, width: int | None) -> str:
    from everyleaf.config import Detail  # noqa: PLC0415  (slow to import)

    wanted = Detail(detail)
    match form:
        case "json":
            from everyleaf.explore.storyjson import story_json  # noqa: PLC0415  (slow)

            return f"{story_json(story, wanted)}\n"
        case "text":
            from everyleaf.explore.plain import iter_plain  # noqa: PLC0415  (slow)

            lines = iter_plain(story, wanted)
            if width is None:
                return "".join(f"{line}\n" for line in lines)
            from everyleaf.cli.showtext import iter_drawn  # noqa: PLC0415  (seldom)

            drawn = "".join(f"{line}\n" for line in iter_drawn(lines, width))
            return drawn if sys.stdout.isatty() else click.unstyle(drawn)
        case _:
            return story.markdown(wanted)
