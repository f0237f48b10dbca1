"""Sessions as lines of text, and as lines of JSON."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

import click

from everyleaf.cli.columns import cells_of, fit, joined, less, padded
from everyleaf.explore.listing import all_tokens
from everyleaf.explore.times import group_of, shown_moment
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from everyleaf.explore.listing import ListedSession
    from everyleaf.transcript.document import Usage

SHORT = 8
"""Characters of an id, unless another id begins with the same ones."""
WIDE = 96
"""Columns from which a session takes one line."""
TITLE = 60
"""Columns of the longest title that others are filled up to."""


def iter_lines(
    rows: Sequence[ListedSession],
    names: Iterable[str],
    now: datetime,
    *,
    width: int | None,
    is_grouped: bool,
) -> Iterator[str]:
    """Yield the lines of a list that is sorted; grouped by age if it is by time.

    `names` are the ids that the shown ones must be told from. Colours are for `click.echo`
    to keep or to drop.
    """
    short = short_names(names)
    column = _TitleColumn(rows, width)
    grouped = groupby(rows, key=lambda one: is_grouped and group_of(one.ended, now))
    for number, (group, some) in enumerate(grouped):
        if number:
            yield ""
        if group:
            yield click.style(group, bold=True)
        for one in some:
            yield from _session(one, short[one.session], now, width, column)


class _TitleColumn:
    """How wide titles are drawn where a session takes one line."""

    def __init__(self, rows: Sequence[ListedSession], width: int | None) -> None:
        self.is_wide = width is None or width >= WIDE
        longest = max((cells_of(one.title) for one in rows), default=0)
        self.width = min(longest, TITLE)


def _session(
    one: ListedSession,
    name: str,
    now: datetime,
    width: int | None,
    column: _TitleColumn,
) -> Iterator[str]:
    when = shown_moment(one.ended, now.tzinfo) or "no time"
    counts = _counts(one)
    if column.is_wide:
        cut = fit(one.title, column.width if width else None)
        title = padded(cut, column.width)
        line = fit(
            f"{when:16}  {title}  {one.project} · {counts}", less(width, len(name) + 4)
        )
        yield f"  {click.style(name, fg='cyan')}  {line}"
        return
    title = fit(one.title, less(width, len(name) + 4))
    yield f"  {click.style(name, fg='cyan')}  {title}"
    for line in joined(f"{when} · {one.project} · {counts}".split(" · "), less(width, 4)):
        yield f"    {line}"


def _counts(one: ListedSession) -> str:
    holder = one.contained_in
    paths = count_of(one.paths, "path")
    left = f" ({one.abandoned} abandoned)" if one.abandoned else ""
    counts = (
        count_of(one.prompts, "prompt") if one.paths else "",
        f"{paths}{left}" if one.paths else "",
        f"all of it is in {holder.session[:SHORT]}:{holder.number}" if holder else "",
        count_of(one.agents, "agent") if one.agents else "",
        _tokens(one.spent.usage) if all_tokens(one.spent) else "",
        "warm-up" if one.is_warmup else "",
    )
    return " · ".join(filter(None, counts))


def _tokens(usage: Usage) -> str:
    read = usage.input + usage.cache_read + usage.cache_written
    return f"{_short_count(read)} tokens in, {_short_count(usage.output)} out"


def _short_count(number: int) -> str:
    """Return a number with three digits at most.

    >>> [_short_count(n) for n in (999, 1234, 45_678, 999_999, 12_345_678)]
    ['999', '1.2k', '46k', '1.0M', '12M']
    """
    for unit, size in (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9)):
        amount = number / size
        if amount < 999.5:
            return (
                f"{amount:.1f}{unit}" if unit and amount < 9.95 else f"{amount:.0f}{unit}"
            )
    return f"{number / 1e9:,.0f}G"


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Return the beginning of each name that tells it from the others, or all of it.

    >>> short_names(["0123456789", "0123456788"])["0123456788"]
    '0123456788'
    """
    ordered = sorted(set(names))
    short: dict[str, str] = {}
    for before, name, after in zip(
        ["", *ordered], ordered, [*ordered[1:], ""], strict=False
    ):
        length = SHORT
        while length < len(name) and any(
            other.startswith(name[:length]) for other in (before, after)
        ):
            length += 1
        short[name] = name[:length]
    return short


def to_json(one: ListedSession) -> str:
    """Return the session as one line of ASCII, as `everyleaf list --help` describes it."""
    usage, holder = one.spent.usage, one.contained_in
    return json.dumps(
        {
            "session": one.session,
            "project": one.project,
            "file": one.file or None,
            "cwd": one.cwd or None,
            "branch": one.spent.branch or None,
            "title": one.title,
            "started": one.started,
            "ended": one.ended,
            "messages": one.messages,
            "prompts": one.prompts,
            "paths": one.paths,
            "abandoned": one.abandoned,
            "compactions": one.compactions,
            "agents": one.agents,
            "warmup": one.is_warmup,
            "contained_in": f"{holder.session}:{holder.number}" if holder else None,
            "usage": {
                "input": usage.input,
                "output": usage.output,
                "cache_read": usage.cache_read,
                "cache_written": usage.cache_written,
            },
            "models": list(one.spent.models),
        }
    )
