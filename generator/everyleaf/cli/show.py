"""`everyleaf show`: one transcript on standard output."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from everyleaf.cli.options import (
    masking,
    quiet_option,
    raw_option,
    session_argument,
    source_option,
)
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.explore.story import Story

EPILOG = """\b
Examples:
  everyleaf show 66e54b32
  everyleaf show 66e54b32:1 --detail talk
  everyleaf show 66e54b32 --format md > fractions.md
  everyleaf show session.jsonl --format json | jq '.turns | length'

Markdown is the file that `everyleaf build --format md` writes, without what that says of
other sessions, and with all that led to a withdrawn prompt. Text is for reading here.

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
    default="md",
    show_default=True,
    help="What to print.",
)
@click.option(
    "--detail",
    type=click.Choice(["full", "talk", "prompts"]),
    default="full",
    show_default=True,
    help="How much of it: all, prompts and replies with tools as one line each, or prompts "
    "alone.",
)
@click.option(
    "--pager/--no-pager",
    "has_pager",
    default=True,
    help="On a terminal, show it in $PAGER.  [default: pager]",
)
@source_option
@raw_option
@quiet_option
def show(  # noqa: PLR0913  (an argument an option)
    name: str,
    *,
    form: str,
    detail: str,
    has_pager: bool,
    sources: tuple[Path, ...],
    is_raw: bool,
    is_quiet: bool,
) -> None:
    """Print the transcript of a path: of a session without a number, of its ACTIVE one.

    SESSION is an id, the beginning of one, or a session's file.
    """
    from everyleaf.explore.story import open_story  # noqa: PLC0415  (slow to import)
    from everyleaf.opening.named import open_named  # noqa: PLC0415  (slow to import)

    with show_progress(is_quiet=is_quiet or has_pager) as on_progress:
        redact = masking(is_raw=is_raw)
        asked = open_named(name, sources, on_progress=on_progress, redact=redact)
    text = _drawn(open_story(asked), form, detail)
    if has_pager and sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        click.echo(text.encode("utf-8", "replace"), nl=False)


def _drawn(story: Story, form: str, detail: str) -> str:
    from everyleaf.config import Detail  # noqa: PLC0415  (slow to import)

    wanted = Detail(detail)
    match form:
        case "json":
            from everyleaf.explore.storyjson import story_json  # noqa: PLC0415  (slow)

            return f"{story_json(story, wanted)}\n"
        case "text":
            from everyleaf.explore.plain import iter_plain  # noqa: PLC0415  (slow)

            return "".join(f"{line}\n" for line in iter_plain(story, wanted))
        case _:
            return story.markdown(wanted)
