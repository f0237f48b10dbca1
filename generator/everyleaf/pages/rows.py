"""Lists of sessions: the index, the pages of projects, and the months of long lists."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby, pairwise
from typing import TYPE_CHECKING
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import (
    INDEX_URL,
    REPORT_URL,
    month_url,
    project_url,
    relative,
)
from everyleaf.pages.facts import by_project, file_urls
from everyleaf.pages.relations import relations_view
from everyleaf.pages.wording import (
    moment_utc,
    month_key,
    month_of,
    path_work,
    shortened,
)
from everyleaf.render.view import Fact, NavLink, PageView
from everyleaf.theming.formats import MINUS, count_of, format_count, format_moment, visible

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.facts import PathFacts, SessionFacts
    from everyleaf.pages.relations import RelationsView
    from everyleaf.transcript.document import FileChange

LONG = 2_000
"""A list of more sessions is split by month."""
FIRST = 500
"""Sessions that the first page of a split list holds, if its months are no longer."""
ALIKE = 3
"""So many sessions of one prompt that begin alike are one row."""
ALIKE_CHARS = 40
LATEST = 6
"""Projects that stand before all others."""
HUES = 8
FILE_CHARS = 28


class LinkRow(Struct, frozen=True):
    """A path or a subagent as a row below its session."""

    title: str
    """Its first own prompt, or what it was for."""
    url: str
    """Its page; empty: none."""
    meta: str
    """Its length, and what else is to be said: its kind, when, whether it was withdrawn."""


class SessionRow(Struct, frozen=True):
    """A session in a list, or several of one prompt that begin alike."""

    title: str
    """Of the session, on one line; in a row of its like, when it ended."""
    url: str
    """The page of the path that stands for it; empty: it is several."""
    day: str
    """When it ended: `2026-01-31 14:05 UTC`; empty: unknown."""
    project: str
    """Its project, where the list is of several; else empty."""
    facts: tuple[str, ...]
    """How long it took, prompts, calls, commits; empty: it has no path of its own."""
    file: str
    """The name of the file that it changed most; empty: none."""
    file_url: str
    """Its page; empty: none."""
    more_files: int
    """How many others it changed."""
    added: str
    """Lines: `+12`; empty: it changed no file."""
    removed: str
    """Lines, with a minus sign."""
    has_compaction: bool
    """One of its paths contains a compaction."""
    more: NavLink | None
    """The session's page, where there is more to see than one path."""
    attempts: tuple[LinkRow, ...]
    """Its abandoned paths, by number."""
    models: str = ""
    """Which of `ListView.models` replied: their numbers, from 0, with blanks between."""
    all_files: str = ""
    """Names of all files that any of its paths changed, for the filter."""
    is_gone: bool = False
    """Its file is not there any more: its pages are those of an earlier build."""
    alike: tuple[SessionRow, ...] = ()
    """Those that it stands for, newest first."""

    @property
    def hue(self) -> int:
        """Return the number of a colour that all rows of its project have."""
        return crc32(self.project.encode()) % HUES


class RowGroup(Struct, frozen=True):
    """Sessions of one month."""

    name: str
    """`January 2026`."""
    key: str
    """`2026-01`, for links."""
    rows: tuple[SessionRow, ...]
    """Newest first."""
    sessions: int
    """How many; more than `rows` where some are alike."""


class SideLink(Struct, frozen=True):
    """A project or a month, beside a list."""

    name: str
    """As shown."""
    url: str
    """Where it is listed."""
    meta: str
    """How many sessions; of a project, and when the last one ended."""


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
    latest: tuple[SideLink, ...] = ()
    """On the index: the projects that were last worked on."""
    projects: tuple[SideLink, ...] = ()
    """On the index: projects by name."""
    months: tuple[SideLink, ...] = ()
    """Every month of the list, newest first: on this page or on one of its own."""
    total: str = ""
    """How many sessions there are on all pages of the list; empty: it has but this one."""
    models: tuple[str, ...] = ()
    """The models that replied in the sessions listed, by name."""
    links: tuple[NavLink, ...] = ()
    """Further pages: the report, the Markdown index."""
    relations: RelationsView | None = None
    """Of a project: how its sessions continue and copy each other; None: none does."""


class ListPart(Struct, frozen=True):
    """Sessions of one list that stand on one page."""

    url: str
    """Of the page."""
    name: str
    """`January 2026`; empty: it is the first page of the list."""
    sessions: tuple[SessionFacts, ...]
    """Newest first."""


def split_list(ordered: Sequence[SessionFacts], project: str | None) -> list[ListPart]:
    """Return the pages on which `ordered` (newest first) stand, of one project or of all.

    A list that is not long is one page. A long one is split by month, and a month that is
    itself long from its oldest session on, so that a new one changes the first page alone.
    """
    first_url = INDEX_URL if project is None else project_url(project)
    front: list[SessionFacts] = []
    further: list[ListPart] = []
    for name, month in groupby(ordered, key=lambda session: month_of(session.ended)):
        some = tuple(month)
        key = month_key(some[0].ended)
        cuts = [0, *range(len(some) % LONG or LONG, len(some), LONG), len(some)]
        for number, (start, end) in zip(
            range(len(cuts) - 1, 0, -1), pairwise(cuts), strict=True
        ):
            whole = len(front) + end - start <= (LONG if len(ordered) <= LONG else FIRST)
            if not further and (whole or not front):
                front += some[start:end]
                continue
            shown = name if len(cuts) == 2 else f"{name}, part {number}"
            url = month_url(key, number, project)
            further.append(ListPart(url, shown, some[start:end]))
    return [ListPart(first_url, "", tuple(front)), *further]


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
    groups: list[RowGroup] = []
    for month, some in groupby(sessions, key=lambda session: month_of(session.ended)):
        of_month = list(some)
        rows = tuple(_fold_alike(of_month, style))
        key = month_key(of_month[0].ended) or "unknown"
        groups.append(RowGroup(month, key, rows, len(of_month)))
    return tuple(groups)


def _fold_alike(sessions: Sequence[SessionFacts], style: RowStyle) -> Iterator[SessionRow]:
    """Yield a row for each session, and one for all of one prompt that begin alike."""
    alike: defaultdict[tuple[str, str], list[SessionFacts]] = defaultdict(list)
    keys = [_beginning(session) for session in sessions]
    for key, session in zip(keys, sessions, strict=True):
        alike[key].append(session)
    for key, session in zip(keys, sessions, strict=True):
        like = alike[key]
        if not key[1] or len(like) < ALIKE:
            yield session_row(session, style)
        elif like[0] is session:
            yield _alike_row(like, style)


def _beginning(session: SessionFacts) -> tuple[str, str]:
    """Return what sessions that are alike have in common; nothing of one that is long."""
    is_short = len(session.paths) == 1 and session.paths[0].prompts <= 1
    words = shortened(session.title)[:ALIKE_CHARS] if is_short else ""
    return session.project, words


def _alike_row(like: Sequence[SessionFacts], style: RowStyle) -> SessionRow:
    rows = [session_row(session, style) for session in like]
    calls = sum(path.tool_calls for session in like for path in session.paths)
    facts = (
        f"{format_count(len(rows))} sessions of one prompt",
        count_of(calls, "call") if calls else "",
    )
    return SessionRow(
        title=rows[0].title,
        url="",
        day=f"{rows[-1].day[:10]} to {rows[0].day[:10]}",
        project=rows[0].project,
        facts=tuple(filter(None, facts)),
        file="",
        file_url="",
        more_files=0,
        added="",
        removed="",
        has_compaction=False,
        more=None,
        attempts=(),
        alike=tuple(replace(row, title=row.day or row.title, project="") for row in rows),
    )


def session_row(session: SessionFacts, style: RowStyle) -> SessionRow:
    """Return the row of a session."""
    here = style.here
    main = session.main
    abandoned = [path for path in session.paths if path.status is Status.ABANDONED]
    changes = main.files if main else ()
    most = _most_changed(changes)
    page = file_urls(session).get(most.file) if most else None
    return SessionRow(
        title=shortened(session.title) or "Untitled",
        url=relative(here, main.url if main else session.url),
        day=moment_utc(session.ended),
        project=(visible(session.project) or "Unnamed") if style.shows_project else "",
        facts=tuple(path_work(main)) if main else (),
        file=_name(most.file) if most else "",
        file_url=relative(here, page) if page else "",
        more_files=max(len(changes) - 1, 0),
        added=f"+{sum(one.added for one in changes):,}" if changes else "",
        removed=f"{MINUS}{sum(one.removed for one in changes):,}" if changes else "",
        has_compaction=any(path.compactions for path in session.paths),
        more=_more(session, here),
        attempts=tuple(_attempt(path, here) for path in abandoned if path is not main),
        models=" ".join(str(style.models.index(name)) for name in models_of([session])),
        is_gone=session.session in style.gone,
        all_files=_all_names(session, most),
    )


def _all_names(session: SessionFacts, shown: FileChange | None) -> str:
    """Return the names of its files that the row does not tell, each once."""
    changed = {one.file for path in session.paths for one in path.files}
    names = {_name(file) for file in changed}
    return " ".join(sorted(names - {_name(shown.file) if shown else ""}))


def _most_changed(changes: Sequence[FileChange]) -> FileChange | None:
    def rank(one: FileChange) -> tuple[int, str]:
        return -one.added - one.removed, one.file

    return min(changes, key=rank, default=None)


def _name(file: str) -> str:
    return shortened(file.rstrip("/").rpartition("/")[2], FILE_CHARS)


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
    # Names sort before times, and sorting keeps their order.
    by_name = by_project(ordered)
    by_time = sorted(by_name, key=lambda one: one[1][0].ended, reverse=True)
    parts = split_list(ordered, None)
    return replace(
        _first_view(parts, visible(settings.title), gone, None),
        lede="Claude Code conversations: every path taken, also those that were left.",
        stats=tuple(_stats(ordered, len(by_name))),
        latest=tuple(_card(name, some) for name, some in by_time[:LATEST]),
        projects=tuple(_card(name, some) for name, some in by_name),
        links=tuple(links),
    )


def project_view(
    project: str, ordered: Sequence[SessionFacts], gone: Container[str] = ()
) -> ListView:
    """Return the view of a project's page."""
    parts = split_list(ordered, project)
    relations = relations_view(ordered, project_url(project))
    stats = list(_stats(ordered))
    if relations:
        stats.append(Fact("that belong together", str(relations.sessions), "#together"))
    return replace(
        _first_view(parts, visible(project), gone, project),
        stats=tuple(stats),
        relations=relations,
    )


def month_view(
    parts: Sequence[ListPart],
    number: int,
    project: str | None,
    gone: Container[str] = (),
) -> ListView:
    """Return the view of one of the further `parts` of a list."""
    part, near = parts[number], parts[number - 1 : number + 2]
    first = parts[0].url
    newer = near[0].name or "the newest sessions"
    names = ("Newer: " + newer, *(f"Older: {one.name}" for one in near[2:]))
    links = zip(names, (near[0], *near[2:]), strict=True)
    crumbs = [NavLink(visible(project), relative(part.url, first))] if project else []
    return replace(
        _list_view(part, part.name, gone, project),
        crumbs=tuple(crumbs),
        stats=tuple(_stats(part.sessions)),
        links=tuple(NavLink(name, relative(part.url, one.url)) for name, one in links),
    )


def _first_view(
    parts: Sequence[ListPart], title: str, gone: Container[str], project: str | None
) -> ListView:
    total = sum(len(one.sessions) for one in parts)
    return replace(
        _list_view(parts[0], title, gone, project),
        months=tuple(_months(parts)),
        total=format_count(total) if len(parts) > 1 else "",
    )


def _list_view(
    part: ListPart, title: str, gone: Container[str], project: str | None
) -> ListView:
    models = models_of(part.sessions)
    style = RowStyle(part.url, models, shows_project=project is None, gone=gone)
    groups = group_rows([one for one in part.sessions if not _is_minor(one)], style)
    return ListView(
        title=title,
        lede="",
        stats=(),
        models=tuple(map(visible, models)),
        groups=groups,
        warmups=tuple(session_row(one, style) for one in part.sessions if _is_minor(one)),
    )


def _months(parts: Sequence[ListPart]) -> Iterator[SideLink]:
    first, *further = parts
    talks = [one for one in first.sessions if not _is_minor(one)]
    for name, some in groupby(talks, key=lambda session: month_of(session.ended)):
        of_month = list(some)
        key = month_key(of_month[0].ended) or "unknown"
        yield SideLink(name, f"#{key}", format_count(len(of_month)))
    for part in further:
        count = format_count(len(part.sessions))
        yield SideLink(part.name, relative(first.url, part.url), count)


def _is_minor(session: SessionFacts) -> bool:
    return session.is_warmup or not (session.paths or session.agents)


def _stats(ordered: Sequence[SessionFacts], projects: int = 0) -> Iterator[Fact]:
    paths = [path for session in ordered for path in session.paths]
    abandoned = sum(path.status is Status.ABANDONED for path in paths)
    times = sorted(filter(None, (session.ended for session in ordered)))
    yield Fact("sessions" if len(ordered) != 1 else "session", format_count(len(ordered)))
    if projects > 1:
        yield Fact("projects", format_count(projects), "#projects")
    if abandoned:
        yield Fact("paths" if len(paths) != 1 else "path", format_count(len(paths)))
        yield Fact("abandoned", format_count(abandoned))
    if times:
        first, last = format_moment(times[0])[:10], format_moment(times[-1])[:10]
        yield Fact("", first if first == last else f"{first} to {last}")


def _card(project: str, some: Sequence[SessionFacts]) -> SideLink:
    last = format_moment(some[0].ended)[:10]
    meta = ", ".join(filter(None, (count_of(len(some), "session"), last)))
    return SideLink(visible(project), relative(INDEX_URL, project_url(project)), meta)
