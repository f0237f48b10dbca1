"""Sessions as rows of a list: newest first, grouped by month (UTC)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.clock import parse_timestamp
from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import relative
from everyleaf.pages.listviews import AttemptRow, RowGroup, SessionRow
from everyleaf.render.view import NavLink
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from everyleaf.pages.facts import PathFacts, SessionFacts

TITLE_CHARS = 100
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
UNKNOWN_MONTH = "Unknown time"


def ended(session: SessionFacts) -> str:
    """Return when a session ended."""
    return session.ended


def newest_first(
    sessions: Iterable[SessionFacts], when: Callable[[SessionFacts], str] = ended
) -> list[SessionFacts]:
    """Return `sessions` by time, newest first; those without a time last, then by id."""

    def age(session: SessionFacts) -> tuple[float, str]:
        moment = parse_timestamp(when(session))
        return (-moment.timestamp() if moment else float("inf"), session.session)

    return sorted(sessions, key=age)


def month_of(timestamp: str) -> str:
    """Return the month of a time (UTC) as a heading says it.

    >>> month_of("2026-01-31T23:59:00Z")
    'January 2026'
    """
    moment = parse_timestamp(timestamp)
    return f"{MONTHS[moment.month - 1]} {moment.year}" if moment else UNKNOWN_MONTH


class RowStyle(Struct, frozen=True):
    """What the rows of one list have in common."""

    here: str
    """The page that they stand on."""
    models: tuple[str, ...]
    """What `models_of` says of all sessions in the list."""
    shows_project: bool
    gone: Container[str] = ()
    """Sessions whose files are not there any more."""


def models_of(sessions: Iterable[SessionFacts]) -> tuple[str, ...]:
    """Return the names of the models that replied in `sessions`, sorted."""
    paths = (path for session in sessions for path in session.paths)
    return tuple(sorted({name for path in paths for name, _ in path.models if name}))


def group_rows(sessions: Iterable[SessionFacts], style: RowStyle) -> tuple[RowGroup, ...]:
    """Return sessions that are sorted by time as groups of rows."""
    grouped = groupby(sessions, key=lambda session: month_of(session.ended))
    return tuple(
        RowGroup(month, tuple(session_row(session, style) for session in some))
        for month, some in grouped
    )


def session_row(session: SessionFacts, style: RowStyle) -> SessionRow:
    """Return the row of a session."""
    here = style.here
    main = session.main
    moment = parse_timestamp(session.ended)
    abandoned = [path for path in session.paths if path.status is Status.ABANDONED]
    return SessionRow(
        title=shortened(session.title) or "Untitled",
        url=relative(here, main.url if main else session.url),
        day=format_moment(session.ended) if moment else "",
        project=(visible(session.project) or "Unnamed") if style.shows_project else "",
        prompts=count_of(main.prompts, "prompt") if main else "",
        has_compaction=any(path.compactions for path in session.paths),
        more=_more(session, here),
        attempts=tuple(_attempt(path, here) for path in abandoned if path is not main),
        models=" ".join(str(style.models.index(name)) for name in models_of([session])),
        is_gone=session.session in style.gone,
    )


def _more(session: SessionFacts, here: str) -> NavLink | None:
    counts = (
        count_of(len(session.paths), "path") if len(session.paths) > 1 else "",
        count_of(len(session.agents), "agent") if session.agents else "",
    )
    text = ", ".join(filter(None, counts))
    return NavLink(text, relative(here, session.url)) if text else None


def _attempt(path: PathFacts, here: str) -> AttemptRow:
    own = max(path.messages - path.shared, 0)
    meta = "withdrawn" if path.is_withdrawn else f"{count_of(own, 'message')} of its own"
    return AttemptRow(shortened(path.label or path.title), relative(here, path.url), meta)


def shortened(text: str, limit: int = TITLE_CHARS) -> str:
    """Return `text` on one line, cut at a blank where it is longer than `limit`."""
    line = " ".join(visible(text).split())
    if len(line) <= limit:
        return line
    return line[:limit].rsplit(" ", 1)[0].rstrip() + "…"
