"""`everyleaf tree`: the branches of a session, or what stands around a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import width_of_output
from everyleaf.cli.options import (
    masking,
    quiet_option,
    raw_option,
    session_argument,
    source_option,
    utc_option,
)
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import Path

    from everyleaf.opening.named import Asked

EPILOG = """\b
Examples:
  everyleaf tree 66e54b32
  everyleaf tree 0d3f9a2c-5f0a-4a51-9d6b-1c2d3e4f5a6b --around 3
  everyleaf tree 66e54b32 --svg > tree.svg
  everyleaf tree 66e54b32 --dot | dot -Tpng > tree.png
  everyleaf tree session.jsonl --mermaid

In a terminal each line is a run: all that was said up to the next fork. A filled mark is
on an ACTIVE path, a hollow one was left.

\b
JSON: {session, project, title, record (uuid that was asked for, or null),
  runs: [{number, parent (0: begins a conversation), path, status, words, messages,
  prompts, compactions, agents [id], uuids}],
  paths: [{number, status, title, label, messages, fork_point, taken_over_by}],
  agents: [{agent, type, description, messages}]}; with --around: {path or agent, place
  (index of the first record), of, records: [{uuid, kind, at, line, words, asked}]}

Exit codes: 0 done, 1 nothing fits or an error, 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@session_argument("name", "SESSION|UUID")
@click.option(
    "--around",
    type=click.IntRange(min=0),
    metavar="N",
    help="With a UUID: the N records before it and after it on its path.",
)
@click.option("--svg", "form", flag_value="svg", help="As a picture with its own style.")
@click.option("--mermaid", "form", flag_value="mermaid", help="As a Mermaid flowchart.")
@click.option("--dot", "form", flag_value="dot", help="As a Graphviz digraph.")
@click.option("--json", "form", flag_value="json", help="As JSON.")
@utc_option
@source_option
@raw_option
@quiet_option
def tree(  # noqa: PLR0913  (an argument an option)
    name: str,
    *,
    around: int | None,
    form: str | None,
    is_utc: bool,
    sources: tuple[Path, ...],
    is_raw: bool,
    is_quiet: bool,
) -> int:
    """Draw the branches of a session, or the records around one.

    SESSION is an id, the beginning of one, a session's file, latest, or a title; UUID a
    record's, or its beginning.
    """
    if around is not None and form not in {None, "json"}:
        raise click.UsageError("--around prints text or JSON, no picture")
    from everyleaf.opening.named import open_named  # noqa: PLC0415  (slow to import)

    with show_progress(is_quiet=is_quiet) as on_progress:
        asked = open_named(
            name,
            sources,
            on_progress=on_progress,
            redact=masking(is_raw=is_raw),
            takes_uuid=True,
        )
    if around is None:
        return _print_tree(asked, form)
    if not asked.uuid:
        raise click.UsageError("--around needs the uuid of a record, not a session")
    from datetime import UTC  # noqa: PLC0415  (with the rest of what is printed)

    return _print_around(asked, around, UTC if is_utc else None, is_json=form == "json")


def _print_tree(asked: Asked, form: str | None) -> int:
    from everyleaf.cli.treejson import tree_json  # noqa: PLC0415  (slow to import)
    from everyleaf.cli.treetext import iter_tree_lines  # noqa: PLC0415  (slow to import)
    from everyleaf.explore.branching import grow_session_tree  # noqa: PLC0415  (slow)
    from everyleaf.explore.drawings import to_dot, to_mermaid, to_svg  # noqa: PLC0415

    grown = grow_session_tree(asked)
    match form:
        case "svg":
            drawn = to_svg(grown)
        case "mermaid":
            drawn = to_mermaid(grown)
        case "dot":
            drawn = to_dot(grown)
        case "json":
            drawn = tree_json(grown) + "\n"
        case _:
            lines = iter_tree_lines(grown, width_of_output())
            drawn = "".join(f"{line}\n" for line in lines)
    click.echo(drawn, nl=False)
    return 0


def _print_around(asked: Asked, count: int, zone: tzinfo | None, *, is_json: bool) -> int:
    from everyleaf.cli.treejson import around_json  # noqa: PLC0415  (slow to import)
    from everyleaf.cli.treetext import iter_around_lines  # noqa: PLC0415  (slow to import)
    from everyleaf.explore.around import look_around  # noqa: PLC0415  (slow to import)

    near = look_around(asked, count)
    if near is None:
        click.echo("error: the record stands on no path", err=True)
        return 1
    if is_json:
        click.echo(around_json(near))
        return 0
    for line in iter_around_lines(near, width_of_output(), zone):
        click.echo(line)
    return 0
