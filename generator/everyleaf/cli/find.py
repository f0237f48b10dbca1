"""`everyleaf find`: where something was said, and on which path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import width_of_output
from everyleaf.cli.options import (
    choice_options,
    json_option,
    masking,
    quiet_option,
    raw_option,
    source_option,
    utc_option,
)
from everyleaf.cli.paging import pager_option, print_lines
from everyleaf.cli.progress import show_progress

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from everyleaf.explore.matching import Match
    from everyleaf.explore.needle import Needle
    from everyleaf.explore.search import SearchResult
    from everyleaf.explore.texts import Where

EPILOG = """\b
Examples:
  everyleaf find "cup fractions"
  everyleaf find "off-by-one" --in replies --source logs/
  everyleaf find --regex "TODO\\(\\w+\\)" --in tools
  everyleaf find checkout --site ./site
  everyleaf find checkout --json | jq -r .session | sort -u

Each record is told once, on the path that holds it: the ACTIVE one, else the lowest. A
title is told where no prompt of its session is.

\b
JSON: one object a line:
  session, project, title, path ("session:number", or null for an agent's record),
  status, other_paths (how many more go through it), agent, uuid (null: a title), kind,
  in [prompts, replies, tools, titles, other], at, line, count, before, match, after,
  above [{uuid, words}] (the last prompts before it), prompts_above, below [{uuid, kind,
  words}] (what came next: several at a fork), link (with --site, or null)

Exit codes, like those of grep: 0 found, 1 not found, 2 trouble or wrong usage.
"""
TROUBLE = 2


@click.command(epilog=EPILOG)
@click.argument("text", metavar="TEXT")
@click.option("--regex", "is_regex", is_flag=True, help="TEXT is a regular expression.")
@click.option(
    "--case", "is_exact", is_flag=True, help="Tell upper case and lower case apart."
)
@click.option(
    "--in",
    "where",
    type=click.Choice(["prompts", "replies", "tools", "titles", "all"]),
    default="all",
    show_default=True,
    help="What people said, what models said, calls and their results, titles of sessions,"
    " or all of it.",
)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=0),
    default=50,
    show_default=True,
    metavar="N",
    help="Show so many; 0: all.",
)
@choice_options
@click.option("--site", metavar="DIR|URL", help="Link to the matches in a built site.")
@pager_option
@utc_option
@json_option
@source_option
@raw_option
@quiet_option
def find(  # noqa: PLR0913  (an argument an option)
    text: str,
    *,
    is_regex: bool,
    is_exact: bool,
    where: str,
    limit: int,
    projects: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    site: str | None,
    has_pager: bool,
    is_utc: bool,
    is_json: bool,
    sources: tuple[Path, ...],
    is_raw: bool,
    is_quiet: bool,
) -> int:
    """Find TEXT in what was said and done and in titles, in whatever case."""
    from everyleaf.archive import Choice  # noqa: PLC0415  (slow to import)
    from everyleaf.cli.errors import show_error  # noqa: PLC0415  (with the rest)
    from everyleaf.errors import EveryleafError  # noqa: PLC0415  (with the rest)
    from everyleaf.explore.search import search  # noqa: PLC0415  (slow to import)

    needle = _needle(text, is_regex=is_regex, is_exact=is_exact)
    try:
        with show_progress(is_quiet=is_quiet) as on_progress:
            result = search(
                sources,
                needle,
                _wheres(where),
                redact=masking(is_raw=is_raw),
                choice=Choice(projects=projects, since=since, until=until),
                on_progress=on_progress,
            )
    except EveryleafError as error:
        show_error(error)
        return TROUBLE
    shown = result.matches[:limit] if limit else result.matches
    _print(shown, site, has_pager=has_pager, is_json=is_json, is_utc=is_utc)
    _sum_up(result, len(shown))
    return 0 if result.matches else 1


def _needle(text: str, *, is_regex: bool, is_exact: bool) -> Needle:
    from everyleaf.explore.needle import Pattern, Words, check_pattern  # noqa: PLC0415

    if not text.strip():
        raise click.BadParameter("is empty", param_hint="TEXT")
    if not is_regex:
        return Words(text, is_exact=is_exact)
    problem = check_pattern(text)
    if problem:
        raise click.BadParameter(f"{text!r} is no expression: {problem}", param_hint="TEXT")
    return Pattern(text, is_exact=is_exact)


def _wheres(where: str) -> frozenset[Where]:
    from everyleaf.explore.texts import Where  # noqa: PLC0415  (slow to import)

    return frozenset(Where) if where == "all" else frozenset({Where(where)})


def _print(
    matches: tuple[Match, ...],
    site: str | None,
    *,
    has_pager: bool,
    is_json: bool,
    is_utc: bool,
) -> None:
    from datetime import UTC  # noqa: PLC0415  (with the rest of what is printed)

    from everyleaf.cli.findtext import iter_match_lines, match_json  # noqa: PLC0415
    from everyleaf.explore.links import SiteLinks  # noqa: PLC0415  (slow to import)

    links = SiteLinks(site) if site else None
    if is_json:
        for match in matches:
            click.echo(match_json(match, links))
        return
    zone = UTC if is_utc else None
    lines = iter_match_lines(matches, links, width_of_output(), zone)
    print_lines(lines, has_pager=has_pager)


def _sum_up(result: SearchResult, shown: int) -> None:
    from everyleaf.theming.formats import count_of  # noqa: PLC0415  (with the rest)

    sessions = len({match.session for match in result.matches})
    more = f", {shown:,} shown (--limit 0 shows all)" * (shown < len(result.matches))
    found = f"{count_of(len(result.matches), 'record')} in {count_of(sessions, 'session')}"
    click.echo(f"{found}{more}; {count_of(result.files, 'file')} searched", err=True)
