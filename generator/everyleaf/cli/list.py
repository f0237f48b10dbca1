"""`everyleaf list`, `paths` and `find`: sessions, their paths, where something was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, tzinfo
from functools import partial
from itertools import groupby
from os.path import commonprefix
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.clock import group_of, shown_moment
from everyleaf.graph.forest import Status
from everyleaf.sources.projects import is_uuid, short_session
from everyleaf.transcript.words import counted

if TYPE_CHECKING:
    from everyleaf.explore.matches import Match, SiteLinks, Snippet
    from everyleaf.explore.sessions import ListedSession, PathListing

SHORT = 8
"""Characters of an id, unless another id begins with the same ones."""
WIDE = 96
"""Columns from which a session takes one line."""
TITLE = 60
"""Columns of the longest title that others are filled up to."""


@options.command("list")
@options.sources
@options.git
@options.choice
@click.option("--title", default="", metavar="TEXT", help="Only titles with this text.")
@options.one_of(
    "--status", known=["active", "abandoned"], help="Only sessions with such a path."
)
@click.option(
    "--model", "models", multiple=True, metavar="PATTERN", help="Only this model."
)
@options.one_of(
    "--sort",
    "order",
    known=["time", "title", "project", "prompts", "paths", "tokens"],
    default="time",
    help="Newest, most, or from A.",
)
@options.flag("--reverse", "is_reversed", help="The other way round.")
@options.flag("--warmup", "has_warmups", help="Also sessions that are only warm-ups.")
@options.limit(0, "Show so many.  [default: all]")
@options.pager
@options.utc
@options.json
@options.raw
@options.archive
@options.quiet
def list_command(
    *,
    reading: Reading,
    title: str,
    status: str | None,
    models: tuple[str, ...],
    order: str,
    is_reversed: bool,
    has_warmups: bool,
) -> int:
    """List the sessions in SOURCE with their prompts, paths and tokens.

    SOURCE is what `everyleaf build` takes. Nothing is written.
    """
    from everyleaf.archive import Choice
    from everyleaf.explore.sessions import is_listed, read_sessions, sort_sessions

    now = options.this_moment(is_utc=reading.is_utc)
    asked = Status(status.upper()) if status else None
    sessions = reading.look(read_sessions, choice=Choice(projects=reading.project))
    dated = Choice(since=reading.since, until=reading.until)
    kept = [
        one
        for one in sessions
        if (has_warmups or not one.is_warmup)
        and dated.takes(one.session, one.project, one.ended)
        and is_listed(one, status=asked, title=title, models=models)
    ]
    fitting = sort_sessions(kept, order, is_reversed=is_reversed)
    shown = reading.cut(fitting)
    short = short_names(one.session for one in sessions)
    lines = iter_lines(shown, short, now, is_grouped=order == "time")
    reading.print(map(to_json, shown), lines)
    if not reading.is_json:
        hidden = 0 if has_warmups else sum(one.is_warmup for one in sessions)
        if not shown:
            click.echo("no session fits", err=True)
        if hidden:
            held = counted(hidden, "session holds", "sessions hold")
            click.echo(f"{held} only warm-ups: --warmup shows them", err=True)
    if len(shown) < len(fitting) and not reading.is_quiet:
        click.echo(f"{len(shown):,} of {len(fitting):,} sessions shown", err=True)
    return 0 if shown else 1


def to_json(one: ListedSession) -> str:
    """Return the session as a line of JSON, as `everyleaf list --help` describes it."""
    picked = output.pick(
        one,
        "session project file? cwd? branch? title started ended messages prompts paths"
        " abandoned compactions agents warmup=is_warmup contained_in usage models",
    )
    return output.json_line(picked, is_sorted=False)


def iter_lines(
    shown: Sequence[ListedSession],
    short: dict[str, str],
    now: datetime,
    *,
    is_grouped: bool,
) -> Iterator[str]:
    """Yield the lines of a list that is sorted; grouped by age if it is by time.

    `short` are the ids as they are shown. Colours are for `click.echo` to keep or to drop.
    """
    width = output.width_of_output()
    titles = {one.session: output.headline(one.title) for one in shown}
    title_width = min(max(map(output.cells_of, titles.values()), default=0), TITLE)
    grouped = groupby(shown, key=lambda one: is_grouped and group_of(one.ended, now))
    for number, (group, some) in enumerate(grouped):
        if number:
            yield ""
        if group:
            yield click.style(group, bold=True)
        for one in some:
            name = output.padded(short[one.session], SHORT)
            lead = f"  {click.style(name, fg='cyan')}  "
            when = shown_moment(one.ended, now.tzinfo) or "no time"
            facts = (one.project, *_counts(one))
            if width is None or width >= WIDE:
                title = output.fit(titles[one.session], title_width if width else None)
                title = output.padded(title, title_width)
                yield output.row(f"{when:16}  {title}  {' · '.join(facts)}", lead)
            else:
                yield output.row(titles[one.session], lead)
                yield from output.joined((when, *facts), "    ")


def _counts(one: ListedSession) -> Iterator[str]:
    if one.paths:
        left = f" ({one.abandoned:,} abandoned)" if one.abandoned else ""
        yield counted(one.prompts, "prompt")
        yield f"{counted(one.paths, 'path')}{left}"
    if holder := one.contained_in:
        yield f"all of it is in {short_session(holder.session)}:{holder.number}"
    if one.agents:
        yield counted(one.agents, "agent")
    usage = one.usage
    read = usage.input + usage.cache_read + usage.cache_written
    if read + usage.output:
        sent, got = map(output.short_count, (read, usage.output))
        yield f"{sent} tokens in, {got} out"
    if one.is_warmup:
        yield "warm-up"


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return the beginning of each uuid that tells it from the others; other names as is.

    >>> short_names(["66e54b32-51e7-4c2c-8d1c-0c6a3f1d5b0e", "notes-2025"]).values()
    dict_values(['66e54b32', 'notes-2025'])
    """
    ordered = ["", *sorted(set(names)), ""]
    short: dict[str, str] = {}
    for before, name, after in zip(ordered, ordered[1:], ordered[2:], strict=False):
        others = (commonprefix([name, other]) for other in (before, after))  # noqa: RUF071  (of characters)
        shared = max(map(len, others))
        short[name] = name[: max(SHORT, shared + 1)] if is_uuid(name) else name
    return short


@options.command()
@options.sources
@options.flag(
    "--strict-paths",
    help="The raw graph: a path for each leaf uuid, tool results and hooks included.",
)
@options.one_of(
    "--ids",
    "which",
    known=["full", "own", "none"],
    default="full",
    help="Which record ids to list: of the whole path, only after its fork point, none.",
)
@options.flag("--json", "_", help="What it prints anyway.")
@options.archives
def paths(*, reading: Reading, strict_paths: bool, which: str, _: bool) -> None:
    """List every unique path of the sessions in SOURCE, one JSON object a line.

    SOURCE is what `everyleaf build` takes. Nothing is written.
    """
    from everyleaf.explore.sessions import read_paths

    output.echo_lines(
        path_json(listing, which)
        for listing in reading.look(partial(read_paths, is_strict=strict_paths))
    )


def path_json(listing: PathListing, which: str) -> str:
    """Return `listing` as one line of JSON, with the ids that `which` asks for."""
    path = listing.path
    told = output.pick(
        path,
        "session project number of status reason title label fork_point taken_over_by"
        " compactions messages shared started ended",
    )
    if which != "none":
        told["ids"] = listing.ids[path.shared if which == "own" else 0 :]
    rest: output.Json = {"contains": path.contains, "inferred": listing.inferred}
    return output.json_line(told | rest, is_sorted=False)


@options.command(error_code=2)
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
@options.site("Link to the matches in a built site.")
@options.pager
@options.utc
@options.json
@options.sessions
def find(
    *, reading: Reading, text: str, is_regex: bool, is_exact: bool, where: str, site: str
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
    wheres = frozenset(Where) if where == "all" else frozenset({Where(where)})
    query = Query(text, is_regex, is_exact, wheres)
    result = replace(reading, include_archive=True).look(partial(search, query=query))
    shown = reading.cut(result.matches)
    links = SiteLinks(site)
    lines = iter_matches(shown, links, reading.zone)
    reading.print((match_json(match, links) for match in shown), lines)
    sessions = len({match.session for match in result.matches})
    found = f"{counted(len(result.matches), 'record')} in {counted(sessions, 'session')}"
    if len(shown) < len(result.matches):
        found += f", {len(shown):,} shown (--limit 0 shows all)"
    click.echo(f"{found}; {counted(result.files, 'file')} searched", err=True)
    return 0 if result.matches else 1


def match_json(match: Match, links: SiteLinks) -> str:
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
        "link": links.link(match) or None,
    }
    return output.json_line(picked | around, is_sorted=False)


def iter_matches(
    matches: Sequence[Match], links: SiteLinks, zone: tzinfo | None
) -> Iterator[str]:
    """Yield the lines of matches, those of one session under its title."""
    for number, (_, some) in enumerate(groupby(matches, key=lambda match: match.session)):
        for at, match in enumerate(some):
            if at == 0:
                yield from ("",) if number else ()
                name = click.style(short_session(match.session), fg="cyan")
                title = f"{output.headline(match.title)} · {match.project}"
                yield output.row(title, f"{name}  ", bold=True)
            yield output.row(_facts(match, zone), "  ")
            yield from _words_of(match)
            if link := links.link(match):
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
        words = output.headline(nearby.words) or "(no words)"
        yield output.row(f"↑ {more}{words}", "    ", dim=True)
        more = ""
    yield f"    {_snippet(match.snippet, output.room_beside('    '))}"
    for nearby in match.below:
        if words := output.headline(nearby.words):
            yield output.row(f"↓ {nearby.kind}: {words}", "    ", dim=True)


def _snippet(snippet: Snippet, room: int | None) -> str:
    """Return the snippet with its match in colour, cut on the left so that it is seen."""
    before, found = output.printable(snippet.before), output.printable(snippet.found)
    if room is None:
        return f"{before}{_marked(found)}{output.printable(snippet.after)}"
    while output.cells_of(before) > max(room // 3, 4):
        before = "…" + before[2:]
    room -= output.cells_of(before)
    found = output.fit(found, room)
    after = output.fit(snippet.after, room - output.cells_of(found))
    return f"{before}{_marked(found)}{after}"


def _marked(found: str) -> str:
    return click.style(found, fg="red", bold=True)
