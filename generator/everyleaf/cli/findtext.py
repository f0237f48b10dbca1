"""What a search found, as text and as JSON."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import cells_of, fit, less
from everyleaf.cli.errors import printable
from everyleaf.explore.times import shown_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from everyleaf.explore.links import SiteLinks
    from everyleaf.explore.matching import Match, Nearby
    from everyleaf.explore.snippets import Snippet


def iter_match_lines(
    matches: Sequence[Match],
    links: SiteLinks | None,
    width: int | None,
    zone: tzinfo | None,
) -> Iterator[str]:
    """Yield the lines of matches, those of one session under its title."""
    for number, (_, some) in enumerate(groupby(matches, key=lambda match: match.session)):
        for at, match in enumerate(some):
            if at == 0:
                yield from ("",) if number else ()
                head = f"{match.title} · {match.project}"
                name = match.session[:8]
                yield f"{click.style(name, fg='cyan')}  " + click.style(
                    fit(head, less(width, len(name) + 2)), bold=True
                )
            yield from _match(match, links, width, zone)


def _match(
    match: Match, links: SiteLinks | None, width: int | None, zone: tzinfo | None
) -> Iterator[str]:
    if match.path is not None:
        others = f" and {match.others:,} more" if match.others else ""
        place = f":{match.path.number} {match.status}{others}"
    else:
        place = f"agent {match.agent_id[:8]}" if match.agent_id else "on no path"
    times = f" · {match.count} times" if match.count > 1 else ""
    when = shown_moment(match.at, zone)
    what = f"{match.kind} {match.uuid[:8]}".rstrip()
    facts = f"{place} · {what} · {when}{times}"
    yield "  " + fit(facts, less(width, 2))
    if match.above:
        earlier = match.prompts_above - len(match.above)
        more = f"(+{earlier:,}) " if earlier else ""
        for nearby in match.above:
            yield click.style(
                f"    {fit(f'↑ {more}{_words(nearby)}', less(width, 4))}", dim=True
            )
            more = ""
    yield "    " + _snippet(match.snippet, less(width, 4))
    for nearby in match.below:
        yield click.style(
            f"    {fit(f'↓ {nearby.kind}: {_words(nearby)}', less(width, 4))}", dim=True
        )
    link = links.link(match) if links else ""
    if link:
        yield f"    {printable(link)}"


def _words(nearby: Nearby) -> str:
    return nearby.words or "(no words)"


def _snippet(snippet: Snippet, width: int | None) -> str:
    """Return the snippet with its match in colour, cut on the left so that it is seen."""
    before, found = printable(snippet.before), printable(snippet.found)
    if width is not None:
        room = max(width // 3, 4)
        while cells_of(before) > room:
            before = "…" + before[2:]
    found = fit(found, less(width, cells_of(before)))
    used = cells_of(before) + cells_of(found)
    after = fit(snippet.after, less(width, used))
    return f"{before}{click.style(found, fg='red', bold=True)}{after}"


def match_json(match: Match, links: SiteLinks | None) -> str:
    """Return a match as one line of ASCII, as `everyleaf find --help` describes it."""
    path = match.path
    return json.dumps(
        {
            "session": match.session,
            "project": match.project,
            "title": match.title,
            "path": f"{path.session}:{path.number}" if path else None,
            "status": match.status,
            "other_paths": match.others,
            "agent": match.agent_id or None,
            "uuid": match.uuid or None,
            "kind": match.kind,
            "in": list(match.wheres),
            "at": match.at,
            "line": match.line,
            "count": match.count,
            "before": match.snippet.before,
            "match": match.snippet.found,
            "after": match.snippet.after,
            "above": [{"uuid": n.uuid, "words": n.words} for n in match.above],
            "prompts_above": match.prompts_above,
            "below": [
                {"uuid": n.uuid, "kind": n.kind, "words": n.words} for n in match.below
            ],
            "link": (links.link(match) or None) if links else None,
        }
    )
