"""Sessions as rows of a list, by month; those of one prompt that begin alike are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.grouping import grouped
from everyleaf.pages import wording
from everyleaf.pages.addresses import relative
from everyleaf.pages.facts import PathFacts, SessionFacts, file_urls
from everyleaf.render.view import NavLink
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import PULL_REQUEST, FileChange
from everyleaf.transcript.words import counted

ALIKE = 3
"""So many sessions of one prompt that begin alike are one row."""
ALIKE_CHARS = 40
HUES = 8
FILE_CHARS = 28


class LinkRow(Struct, frozen=True):
    """A path or a subagent as a row below its session."""

    title: str
    """Its first own prompt, or what it was for."""
    url: str
    """Its page; empty: none."""
    meta: str
    """Its length, and what else is to be said: its kind, when."""
    is_withdrawn: bool = False


class SessionRow(Struct, frozen=True):
    """A session in a list, or several of one prompt that begin alike."""

    title: str
    """Of the session, on one line; in a row of its like, what was replied, or when."""
    url: str
    """The page of the path that stands for it; empty: it is several."""
    day: str
    """When it ended: `2026-01-31 14:05 UTC`; empty: unknown."""
    project: str
    """Its project, where the list is of several; else empty."""
    facts: tuple[str, ...]
    """How long it took, prompts, calls, commits; empty: it has no path of its own."""
    file: str = ""
    """The name of the file that it changed most; empty: none."""
    file_url: str = ""
    """Its page; empty: none."""
    more_files: int = 0
    """How many others it changed."""
    added: int = 0
    """Lines."""
    removed: int = 0
    """Lines."""
    has_compaction: bool = False
    """One of its paths contains a compaction."""
    more: NavLink | None = None
    """The session's page, where there is more to see than one path."""
    pull_request: NavLink | None = None
    """Its pull requests; the address is that of the last, empty where that is not known."""
    attempts: tuple[LinkRow, ...] = ()
    """Its abandoned paths, by number."""
    left: str = ""
    """How many of them were attempts, and how many withdrawn prompts."""
    models: str = ""
    """Which of `ListView.models` replied: their numbers, from 0, with blanks between."""
    all_files: str = ""
    """Files that any of its paths changed and the row does not tell, for the filter: names,
    each with its page's address in the folder of files, less its suffix; `/` between."""
    git_names: str = ""
    """Its pull requests, if several, and commits (seven digits), for the filter, with
    blanks between."""
    answered: str = ""
    """First words of its last reply, where nothing else tells what came of it, or others of
    the list are called the same."""
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


class RowStyle(Struct, frozen=True):
    """What the rows of one list have in common."""

    here: str
    """The page that they stand on."""
    models: tuple[str, ...]
    """What `models_of` says of all sessions in the list."""
    shows_project: bool
    gone: Container[str] = ()
    """Sessions whose files are not there any more."""
    shared: Container[str] = ()
    """Titles that several sessions in the list have."""


def models_of(sessions: Iterable[SessionFacts]) -> tuple[str, ...]:
    """Return the names of the models that replied in `sessions`, sorted."""
    paths = (path for session in sessions for path in session.paths)
    return tuple(sorted({name for path in paths for name, _ in path.models if name}))


def group_rows(sessions: Sequence[SessionFacts], style: RowStyle) -> tuple[RowGroup, ...]:
    """Return sessions that are sorted by time as groups of rows."""
    titles = Counter(wording.titled(session.title) for session in sessions)
    shared = {title for title, times in titles.items() if times > 1}
    style = replace(style, shared=shared)
    groups: list[RowGroup] = []
    for month, some in groupby(
        sessions, key=lambda session: wording.month_of(session.ended)
    ):
        of_month = list(some)
        rows = tuple(_fold_alike(of_month, style))
        key = wording.month_key(of_month[0].ended) or "unknown"
        groups.append(RowGroup(month, key, rows, len(of_month)))
    return tuple(groups)


def _fold_alike(sessions: Sequence[SessionFacts], style: RowStyle) -> Iterator[SessionRow]:
    """Yield a row for each session, and one for all of one prompt that begin alike."""
    keyed = [(_beginning(session), session) for session in sessions]
    alike = grouped(keyed)
    for key, session in keyed:
        like = alike[key]
        if not key[1] or len(like) < ALIKE:
            yield session_row(session, style)
        elif like[0] is session:
            yield _alike_row(like, style)


def _beginning(session: SessionFacts) -> tuple[str, str]:
    """Return what sessions that are alike have in common; nothing of one that is long."""
    is_short = len(session.paths) == 1 and session.paths[0].prompts <= 1
    words = wording.shortened(session.title)[:ALIKE_CHARS] if is_short else ""
    return session.project, words


def _alike_row(like: Sequence[SessionFacts], style: RowStyle) -> SessionRow:
    rows = [session_row(session, style) for session in like]
    calls = sum(path.tool_calls for session in like for path in session.paths)
    facts = (
        f"{len(rows):,} sessions of one prompt",
        counted(calls, "call") if calls else "",
    )
    return SessionRow(
        title=rows[0].title,
        url="",
        day=f"{rows[-1].day[:10]} to {rows[0].day[:10]}",
        project=rows[0].project,
        facts=tuple(filter(None, facts)),
        alike=tuple(
            replace(row, title=row.answered or row.day, answered="", project="")
            for row in rows
        ),
    )


def session_row(session: SessionFacts, style: RowStyle) -> SessionRow:
    """Return the row of a session."""
    here = style.here
    main = session.main
    abandoned = [
        path
        for path in session.paths
        if path.status is Status.ABANDONED and path is not main
    ]
    changes = main.files if main else ()
    commits = main.commits if main else ()
    facts = (*wording.path_effort(main), wording.commits_made(commits)) if main else ()
    made = dict.fromkeys(one.subject for one in commits if one.kind == PULL_REQUEST)
    hashes = dict.fromkeys(one.hash[:7] for one in commits if one.hash)
    named = [*(made if len(made) > 1 else ()), *hashes]
    most = min(changes, key=lambda one: (-one.added - one.removed, one.file), default=None)
    pages = file_urls(session)
    title = wording.titled(session.title)
    # A command alone says as little as a title that others have, too.
    is_vague = title in style.shared or (title.startswith("/") and " " not in title)
    return SessionRow(
        title=title,
        url=relative(here, main.url if main else session.url),
        day=wording.moment_utc(session.ended),
        project=(visible(session.project) or "Unnamed") if style.shows_project else "",
        facts=(*filter(None, facts),),
        file=_name(most.file) if most else "",
        file_url=relative(here, pages.get(most.file, "") if most else ""),
        more_files=max(len(changes) - 1, 0),
        added=sum(one.added for one in changes),
        removed=sum(one.removed for one in changes),
        has_compaction=any(path.compactions for path in session.paths),
        more=_more(session, here, abandoned),
        pull_request=wording.pull_request_link(commits),
        attempts=tuple(_attempt(path, here) for path in abandoned),
        left=wording.left_behind(abandoned),
        models=" ".join(str(style.models.index(name)) for name in models_of([session])),
        is_gone=session.session in style.gone,
        all_files=_all_names(session, most, pages),
        git_names=" ".join(visible(name) for name in named),
        # Of one prompt that changed no file, nothing else tells what came of it.
        answered=wording.shortened(main.answered)
        if main and (is_vague or (main.prompts <= 1 and not main.files))
        else "",
    )


def _all_names(
    session: SessionFacts, shown: FileChange | None, pages: Mapping[str, str]
) -> str:
    """Return its files that the row does not tell, each name once, with a page if any."""
    changed = sorted({one.file for path in session.paths for one in path.files})
    names = {_name(file): pages.get(file, "") for file in changed}
    if shown:
        names.pop(_name(shown.file), None)
    return "/".join(
        f"{name}/{PurePosixPath(url).stem}" for name, url in sorted(names.items())
    )


def _name(file: str) -> str:
    return wording.shortened(file.rstrip("/").rpartition("/")[2], FILE_CHARS)


def _more(
    session: SessionFacts, here: str, abandoned: Sequence[PathFacts]
) -> NavLink | None:
    """Return the link to the session's page; how many are `abandoned` is told below it."""
    several = "all paths" if abandoned else counted(len(session.paths), "path")
    counts = (
        several if len(session.paths) > 1 else "",
        counted(len(session.agents), "agent") if session.agents else "",
    )
    text = ", ".join(filter(None, counts))
    return NavLink(text, relative(here, session.url)) if text else None


def _attempt(path: PathFacts, here: str) -> LinkRow:
    own = max(path.messages - path.shared, 0)
    meta = f"{counted(own, 'message')} of its own"
    url = relative(here, path.url)
    return LinkRow(wording.titled(path.label or path.title), url, meta, path.is_withdrawn)
