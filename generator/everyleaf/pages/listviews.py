"""The views of lists: the index, the pages of projects, and the months of long lists."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.describe import UNTITLED
from everyleaf.graph.forest import Status
from everyleaf.pages import rows, wording
from everyleaf.pages.addresses import (
    INDEX_URL,
    REPORT_URL,
    SiteSettings,
    file_url,
    month_url,
    project_url,
    relative,
)
from everyleaf.pages.facts import SessionFacts, by_project
from everyleaf.pages.filepages import file_totals
from everyleaf.pages.relations import RelationsView, relations_view
from everyleaf.render.view import Fact, NavLink, PageView
from everyleaf.theming.formats import format_moment, visible
from everyleaf.transcript.document import FileChange
from everyleaf.transcript.words import duration

LONG = 1_000
"""A list of more sessions is split by month; so many make less than 1 MB."""
FIRST = 500
"""Sessions that the first page of a split list holds, if its months are no longer."""
LATEST = 6
"""Projects that stand before all others."""
IN_SIGHT = 3
"""Sessions among which nobody needs a filter."""
LEFT_URL = "#/status=abandoned"
"""Where a filter shows what has something abandoned."""


class SideLink(Struct, frozen=True):
    """A project, a month or a file, beside a list."""

    name: str
    """As shown."""
    url: str
    """Where it is listed."""
    meta: str
    """How many sessions; of a file, how many lines."""


class ListView(PageView, frozen=True, kw_only=True):
    """Sessions by time: the index (`index.html.j2`) or a project (`project.html.j2`)."""

    lede: str
    """One line under the title."""
    stats: tuple[Fact, ...]
    """Counts of what is listed."""
    groups: tuple[rows.RowGroup, ...]
    """Sessions by month, newest first."""
    warmups: tuple[rows.SessionRow, ...]
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
    files: tuple[SideLink, ...] = ()
    """Of a project: the files that its sessions edited, those edited most first."""
    relations: RelationsView | None = None
    """Of a project: how its sessions continue and copy each other; None: none does."""

    @property
    def has_filter(self) -> bool:
        """Return whether there are so many sessions that not each is in sight."""
        return sum(group.sessions for group in self.groups) > IN_SIGHT


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
    for name, month in groupby(
        ordered, key=lambda session: wording.month_of(session.ended)
    ):
        some = tuple(month)
        key = wording.month_key(some[0].ended)
        cuts = [0, *range(len(some) % LONG or LONG, len(some), LONG), len(some)]
        for number, (start, end) in zip(
            range(len(cuts) - 1, 0, -1), pairwise(cuts), strict=True
        ):
            whole = len(front) + end - start <= (LONG if len(ordered) <= LONG else FIRST)
            if not further and (whole or not front):
                front += some[start:end]
                continue
            shown = name if len(cuts) == 2 else _part_name(name, number, some[start:end])
            url = month_url(key, number, project)
            further.append(ListPart(url, shown, some[start:end]))
    return [ListPart(first_url, "", tuple(front)), *further]


def _part_name(month: str, number: int, some: Sequence[SessionFacts]) -> str:
    """Return what to call a part of a month: by its days, where it has several."""
    first, last = (format_moment(some[at].ended)[8:10].lstrip("0") for at in (-1, 0))
    return f"{month}, {f'{first} to {last}' if first != last else f'part {number}'}"


def index_view(
    ordered: Sequence[SessionFacts], settings: SiteSettings, gone: Container[str] = ()
) -> ListView:
    """Return the view of the archive's first page."""
    links = [NavLink("Report: what was masked, and what was odd in the files", REPORT_URL)]
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
    files = file_totals(project, ordered)
    stats = [*_stats(ordered), *_work(ordered, files)]
    if relations:
        stats.append(Fact("related", str(relations.sessions), "#together"))
    return replace(
        _first_view(parts, visible(project), gone, project),
        stats=tuple(stats),
        files=tuple(_files(project, files)),
        relations=relations,
    )


def month_view(
    parts: Sequence[ListPart], number: int, project: str | None, gone: Container[str] = ()
) -> ListView:
    """Return the view of one of the further `parts` of a list."""
    newer, part, *older = parts[number - 1 : number + 2]
    links = [(f"Newer: {newer.name or 'the newest sessions'}", newer)]
    links += [(f"Older: {one.name}", one) for one in older]
    crumbs = [(visible(project), parts[0])] if project else []
    return replace(
        _list_view(part, part.name, gone, project),
        crumbs=tuple(NavLink(name, relative(part.url, one.url)) for name, one in crumbs),
        stats=tuple(_stats(part.sessions)),
        links=tuple(NavLink(name, relative(part.url, one.url)) for name, one in links),
    )


def _first_view(
    parts: Sequence[ListPart], title: str, gone: Container[str], project: str | None
) -> ListView:
    """Return the view of the first of `parts`; its months come first, then the others."""
    total = sum(len(one.sessions) for one in parts)
    first, *others = parts
    view = _list_view(first, title, gone, project)
    here = [(one.name, f"#{one.key}", one.sessions) for one in view.groups]
    far = [(one.name, relative(first.url, one.url), len(one.sessions)) for one in others]
    months = (SideLink(name, url, f"{n:,}") for name, url, n in (*here, *far))
    shown = f"{total:,}" if others else ""
    return replace(view, months=tuple(months), total=shown)


def _list_view(
    part: ListPart, title: str, gone: Container[str], project: str | None
) -> ListView:
    models = rows.models_of(part.sessions)
    style = rows.RowStyle(part.url, models, shows_project=project is None, gone=gone)
    groups = rows.group_rows([one for one in part.sessions if not _is_minor(one)], style)
    return ListView(
        title=title,
        lede="",
        stats=(),
        models=tuple(map(visible, models)),
        groups=groups,
        warmups=tuple(
            rows.session_row(one, style) for one in part.sessions if _is_minor(one)
        ),
    )


def _is_minor(session: SessionFacts) -> bool:
    is_said = session.title != UNTITLED or any(path.prompts for path in session.paths)
    return session.is_warmup or not (session.agents or (session.paths and is_said))


def _stats(ordered: Sequence[SessionFacts], projects: int = 0) -> Iterator[Fact]:
    paths = [path for session in ordered for path in session.paths]
    left = wording.left_behind(path for path in paths if path.status is Status.ABANDONED)
    times = sorted(filter(None, (session.ended for session in ordered)))
    yield Fact(_noun(len(ordered), "session"), f"{len(ordered):,}")
    if projects > 1:
        yield Fact("projects", f"{projects:,}", "#projects")
    for some in filter(None, left.split(", ")):
        count, _, noun = some.partition(" ")
        yield Fact(noun, count, LEFT_URL)
    if times:
        first, last = format_moment(times[0])[:10], format_moment(times[-1])[:10]
        yield Fact("", first if first == last else f"{first} to {last}")


def _work(sessions: Sequence[SessionFacts], files: Sequence[FileChange]) -> Iterator[Fact]:
    """Yield what `sessions` did, on the paths that stand for them, and to `files`."""
    mains = [session.main for session in sessions if session.main]
    worked = sum(path.working_s for path in mains)
    made = sum(wording.count_commits(path.commits) for path in mains)
    if worked:
        yield Fact("of work", duration(worked * 1000))
    if made:
        yield Fact(_noun(made, "commit"), f"{made:,}")
    if files:
        yield Fact("lines", wording.changed_lines(files))


def _noun(number: int, noun: str) -> str:
    return noun if number == 1 else f"{noun}s"


def _files(project: str, files: Iterable[FileChange]) -> Iterator[SideLink]:
    here = project_url(project)
    for one in files:
        url = relative(here, file_url(project, one.file))
        yield SideLink(visible(one.file), url, wording.changed_lines([one]))


def _card(project: str, some: Sequence[SessionFacts]) -> SideLink:
    url = relative(INDEX_URL, project_url(project))
    return SideLink(visible(project), url, f"{len(some):,}")
