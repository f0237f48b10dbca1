"""`everyleaf find`: where something was said, and on which path."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.clock import shown_moment
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from everyleaf.explore.matches import Match, SiteLinks, Snippet

NO_WORDS = "(no words)"

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


@options.command(epilog=EPILOG, error_code=2)
@click.argument("text", metavar="TEXT")
@options.flag("--regex", "is_regex", help="TEXT is a regular expression.")
@options.flag("--case", "is_exact", help="Tell upper case and lower case apart.")
@options.one_of(
    "--in",
    "where",
    known=["prompts", "replies", "tools", "titles", "all"],
    default="all",
    help="What people said, what models said, calls and their results, titles of sessions,"
    " or all of it.",
)
@options.limit(50, "Show so many; 0: all.")
@options.choice
@click.option("--site", metavar="DIR|URL", help="Link to the matches in a built site.")
@options.pager
@options.utc
@options.json
@options.sessions
def find(
    *,
    reading: Reading,
    text: str,
    is_regex: bool,
    is_exact: bool,
    where: str,
    site: str | None,
) -> int:
    """Find TEXT in what was said and done and in titles, in whatever case."""
    # All of it is slow to import, and only wanted here.
    from everyleaf.explore.matches import SiteLinks
    from everyleaf.explore.query import Query, Where, check_pattern
    from everyleaf.explore.search import search

    if not text.strip():
        raise click.BadParameter("is empty", param_hint="TEXT")
    if is_regex and (problem := check_pattern(text)):
        raise click.BadParameter(f"{text!r} is no expression: {problem}", param_hint="TEXT")
    query = Query(text, is_pattern=is_regex, is_exact=is_exact)
    wheres = frozenset(Where) if where == "all" else frozenset({Where(where)})
    scope = replace(reading, include_archive=True)
    result = scope.look(partial(search, query=query, wheres=wheres))
    shown = reading.cut(result.matches)
    links = SiteLinks(site) if site else None
    lines = iter_lines(shown, links, reading.zone)
    reading.print((to_json(match, links) for match in shown), lines)
    sessions = len({match.session for match in result.matches})
    more = f", {len(shown):,} shown (--limit 0 shows all)"
    found = f"{count_of(len(result.matches), 'record')} in {count_of(sessions, 'session')}"
    click.echo(
        f"{found}{more if len(shown) < len(result.matches) else ''};"
        f" {count_of(result.files, 'file')} searched",
        err=True,
    )
    return 0 if result.matches else 1


def to_json(match: Match, links: SiteLinks | None) -> str:
    """Return a match as one line of JSON, as `everyleaf find --help` describes it."""
    picked = output.pick(
        match,
        "session project title path status other_paths=others agent=agent_id? uuid? kind"
        " in=wheres at line count before=snippet.before match=snippet.found"
        " after=snippet.after",
    )
    around = {
        "above": [output.pick(nearby, "uuid words") for nearby in match.above],
        "prompts_above": match.prompts_above,
        "below": [output.pick(nearby, "uuid kind words") for nearby in match.below],
        "link": (links.link(match) or None) if links else None,
    }
    return output.json_line(picked | around, is_sorted=False)


def iter_lines(
    matches: Sequence[Match], links: SiteLinks | None, zone: tzinfo | None
) -> Iterator[str]:
    """Yield the lines of matches, those of one session under its title."""
    for number, (_, some) in enumerate(groupby(matches, key=lambda match: match.session)):
        for at, match in enumerate(some):
            if at == 0:
                yield from ("",) if number else ()
                name = click.style(match.session[:8], fg="cyan")
                yield output.row(f"{match.title} · {match.project}", f"{name}  ", bold=True)
            yield output.row(_facts(match, zone), "  ")
            yield from _words_of(match)
            if links and (link := links.link(match)):
                yield f"    {output.printable(link)}"


def _facts(match: Match, zone: tzinfo | None) -> str:
    if match.path is not None:
        others = f" and {match.others:,} more" if match.others else ""
        place = f":{match.path.number} {match.status}{others}"
    else:
        place = f"agent {match.agent_id[:8]}" if match.agent_id else "on no path"
    times = f" · {match.count} times" if match.count > 1 else ""
    what = f"{match.kind} {match.uuid[:8]}".rstrip()
    return f"{place} · {what} · {shown_moment(match.at, zone)}{times}"


def _words_of(match: Match) -> Iterator[str]:
    earlier = match.prompts_above - len(match.above)
    more = f"(+{earlier:,}) " if earlier else ""
    for nearby in match.above:
        yield output.row(f"↑ {more}{nearby.words or NO_WORDS}", "    ", dim=True)
        more = ""
    yield f"    {_snippet(match.snippet, output.room_beside('    '))}"
    for nearby in match.below:
        yield output.row(f"↓ {nearby.kind}: {nearby.words or NO_WORDS}", "    ", dim=True)


def _snippet(snippet: Snippet, room: int | None) -> str:
    """Return the snippet with its match in colour, cut on the left so that it is seen."""
    before, found = output.printable(snippet.before), output.printable(snippet.found)
    if room is None:
        return f"{before}{_marked(found)}{output.printable(snippet.after)}"
    while output.cells_of(before) > max(room // 3, 4):
        before = "…" + before[2:]
    found = output.fit(found, room - output.cells_of(before))
    after = output.fit(
        snippet.after, room - output.cells_of(before) - output.cells_of(found)
    )
    return f"{before}{_marked(found)}{after}"


def _marked(found: str) -> str:
    return click.style(found, fg="red", bold=True)
