"""Lists of sessions: the index and the pages of projects."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.clock import parse_timestamp
from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import (
    INDEX_URL,
    REPORT_URL,
    project_url,
    relative,
)
from everyleaf.pages.facts import by_project
from everyleaf.pages.relations import relations_view
from everyleaf.pages.wording import month_of, shortened
from everyleaf.render.view import Fact, NavLink, PageView
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count, format_moment

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.facts import PathFacts, SessionFacts
    from everyleaf.pages.relations import RelationsView


class LinkRow(Struct, frozen=True):
    """A path or a subagent as a row below its session."""

    title: str
    """Its first own prompt, or what it was for."""
    url: str
    """Its page; empty: none."""
    meta: str
    """Its length, and what else is to be said: its kind, when, whether it was withdrawn."""


class SessionRow(Struct, frozen=True):
    """A session in a list."""

    title: str
    """Of the session, cut to one or two lines."""
    url: str
    """The page of the path that stands for it."""
    day: str
    """When it ended (UTC, to the minute): `2026-01-31 14:05`; empty: unknown."""
    project: str
    """Its project, where the list is of several; else empty."""
    prompts: str
    """How many; empty: it has no path of its own."""
    has_compaction: bool
    """One of its paths contains a compaction."""
    more: NavLink | None
    """The session's page, where there is more to see than one path."""
    attempts: tuple[LinkRow, ...]
    """Its abandoned paths, by number."""
    models: str = ""
    """Which of `ListView.models` replied: their numbers, from 0, with blanks between."""
    is_gone: bool = False
    """Its file is not there any more: its pages are those of an earlier build."""


class RowGroup(Struct, frozen=True):
    """Sessions of one month."""

    name: str
    """`January 2026`."""
    rows: tuple[SessionRow, ...]
    """Newest first."""


class ProjectCard(Struct, frozen=True):
    """A project on the index."""

    name: str
    """As shown."""
    url: str
    """Its page."""
    meta: str
    """Sessions, and when the last one ended."""


class ListView(PageView, frozen=True, kw_only=True):
    """Sessions by time: the index (`index.html.j2`) or a project (`project.html.j2`)."""

    lede: str
    """One line under the title."""
    stats: tuple[Fact, ...]
    """Counts of what is listed."""
    groups: tuple[RowGroup, ...]
    """Sessions by month, newest first."""
    warmups: tuple[SessionRow, ...]
    """Sessions that only warmed up, or hold no conversation of their own; newest first."""
    projects: tuple[ProjectCard, ...] = ()
    """On the index: projects by name."""
    models: tuple[str, ...] = ()
    """The models that replied in the sessions listed, by name."""
    links: tuple[NavLink, ...] = ()
    """Further pages: the report, the Markdown index."""
    relations: RelationsView | None = None
    """Of a project: how its sessions continue and copy each other; None: none does."""


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


def _attempt(path: PathFacts, here: str) -> LinkRow:
    own = max(path.messages - path.shared, 0)
    meta = "withdrawn" if path.is_withdrawn else f"{count_of(own, 'message')} of its own"
    return LinkRow(shortened(path.label or path.title), relative(here, path.url), meta)


def index_view(
    ordered: Sequence[SessionFacts], settings: SiteSettings, gone: Container[str] = ()
) -> ListView:
    """Return the view of the archive's first page."""
    links = [NavLink("Report: what was odd in the files", REPORT_URL)]
    if settings.has_markdown:
        links.append(NavLink("Markdown index", settings.markdown_index_url))
    return replace(
        _list_view(ordered, INDEX_URL, visible(settings.title), gone),
        lede="Claude Code conversations: every path taken, also those that were left.",
        projects=tuple(_card(name, some) for name, some in by_project(ordered)),
        links=tuple(links),
    )


def project_view(
    project: str, ordered: Sequence[SessionFacts], gone: Container[str] = ()
) -> ListView:
    """Return the view of a project's page."""
    here = project_url(project)
    return replace(
        _list_view(ordered, here, visible(project), gone),
        lede="Sessions of this project, newest first.",
        relations=relations_view(ordered, here),
    )


def _list_view(
    ordered: Sequence[SessionFacts], here: str, title: str, gone: Container[str]
) -> ListView:
    models = models_of(ordered)
    style = RowStyle(here, models, shows_project=here == INDEX_URL, gone=gone)
    return ListView(
        title=title,
        lede="",
        stats=tuple(_stats(ordered)),
        models=tuple(map(visible, models)),
        groups=group_rows([one for one in ordered if not _is_minor(one)], style),
        warmups=tuple(session_row(one, style) for one in ordered if _is_minor(one)),
    )


def _is_minor(session: SessionFacts) -> bool:
    return session.is_warmup or not (session.paths or session.agents)


def _stats(ordered: Sequence[SessionFacts]) -> list[Fact]:
    paths = [path for session in ordered for path in session.paths]
    active = sum(path.status is Status.ACTIVE for path in paths)
    times = sorted(filter(None, (session.ended for session in ordered)))
    stats = [
        Fact("sessions" if len(ordered) != 1 else "session", format_count(len(ordered))),
        Fact("paths" if len(paths) != 1 else "path", format_count(len(paths))),
        Fact("active", format_count(active)),
        Fact("abandoned", format_count(len(paths) - active)),
    ]
    if times:
        first, last = format_moment(times[0])[:10], format_moment(times[-1])[:10]
        stats.append(Fact("", first if first == last else f"{first} to {last}"))
    return stats


def _card(project: str, some: Sequence[SessionFacts]) -> ProjectCard:
    last = format_moment(some[0].ended)[:10]
    meta = ", ".join(
        filter(None, (count_of(len(some), "session"), last and f"last {last}"))
    )
    return ProjectCard(visible(project), relative(INDEX_URL, project_url(project)), meta)
