"""Pages of files: who edited one, at whose prompt, on paths that stand and that were left.

Each session's facts say what its prompts led to; a page is made of those of a project.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import digest_bytes
from everyleaf.grouping import grouped
from everyleaf.pages.addresses import file_url, relative
from everyleaf.pages.facts import BriefFacts, EditFacts, SessionFacts, brief_of, less_of
from everyleaf.pages.pathpage import ConversationPage, PathPage, SubagentPage
from everyleaf.pages.wording import project_link, shortened, titled
from everyleaf.pages.work import TurnKey
from everyleaf.render.diffs import remembered, render_diff
from everyleaf.render.view import OutlineKind, PageView
from everyleaf.theming.formats import format_moment, visible
from everyleaf.transcript.document import Diff, FileChange, FileEdit
from everyleaf.transcript.words import counted, one_line, short_file

MOST_LINES = 4_000
"""Changed lines that a page shows; the more edits, the fewer of each."""
OPEN_LINES = 8
"""So many lines of an edit are in sight; the rest is folded."""


def edited_files(page: ConversationPage) -> dict[str, str]:
    """Return the pages of the files that turns of `page` edited, by name as it shows it."""
    projects, url = page.group.work.projects(), page.url
    return {
        short_file(edit.file, page.totals.folder): relative(
            url, file_url(projects[page_turn.turn.session], edit.name)
        )
        for page_turn in page.shown
        for edit in page_turn.fragment.edits
        if page_turn.turn.session in projects
    }


def edits_made(
    page: PathPage | SubagentPage, home: Container[TurnKey] | None = None
) -> Iterator[EditFacts]:
    """Yield what the prompts on `page` led to in turns in `home` alone (None: in all)."""
    projects = page.group.work.projects()
    if isinstance(page, PathPage):
        path, agent = page.path.number, ""
    else:
        path, agent = 0, page.agent.agent_id
    words = anchor = ""
    found: EditFacts | None = None
    for page_turn in page.shown:
        fragment = page_turn.fragment
        for item in fragment.outline:
            if item.kind is OutlineKind.PROMPT:
                words, anchor = item.words, item.anchor
        if not fragment.edits or (home is not None and page_turn.key not in home):
            continue
        made = EditFacts(
            path=path,
            agent=agent,
            project=projects.get(page_turn.turn.session, page.session.project),
            at=page_turn.turn.records[0].envelope.timestamp or "",
            words=words,
            anchor=anchor,
            edits=tuple(_seen_from(page.totals.folder, edit) for edit in fragment.edits),
        )
        if found and (found.anchor, found.project) == (made.anchor, made.project):
            found = replace(found, edits=found.edits + made.edits)
            continue
        if found:
            yield found
        found = made
    if found:
        yield found


def _seen_from(folder: str, edit: FileEdit) -> FileEdit:
    file = one_line(short_file(edit.file, folder))
    return replace(edit, file=file, name="" if edit.name == file else edit.name)


def file_totals(project: str, sessions: Iterable[SessionFacts]) -> list[FileChange]:
    """Return what `sessions` did to files of `project`, those edited most often first."""
    edits = grouped(
        (edit.file, edit)
        for session in sessions
        for facts in session.edits
        for edit in (facts.edits if facts.project == project else ())
    )
    return [
        FileChange(
            file=file,
            added=sum(edit.added for edit in some),
            removed=sum(edit.removed for edit in some),
        )
        for file, some in sorted(edits.items(), key=lambda one: (-len(one[1]), one[0]))
    ]


class ShownEdit(Struct, frozen=True):
    """An edit of the file, with the lines that it changed."""

    url: str
    """Of the call."""
    added: int
    removed: int
    lines: Diff
    """The first; without any: not recorded, or too many edits to show any."""
    folded: Diff
    """Those behind them, up to a sensible number."""

    @property
    def body(self) -> Markup:
        """Return the first lines, drawn."""
        return Markup(render_diff(self.lines))  # noqa: S704 - texts are escaped in it

    @property
    def rest(self) -> Markup:
        """Return those behind them, drawn."""
        return Markup(render_diff(self.folded))  # noqa: S704 - texts are escaped in it

    @property
    def line(self) -> int | None:
        """Return the line that it begins in, to tell links apart; None: not recorded."""
        return self.lines.hunks[0].new_start if self.lines.hunks else None

    @property
    def more(self) -> int:
        """Return how many lines it changed beside these."""
        shown = sum(one.added + one.removed for one in (self.lines, self.folded))
        return max(self.added + self.removed - shown, 0) if shown else 0


class LedTo(Struct, frozen=True):
    """What one prompt led to in a file."""

    words: str
    """The prompt, on one line."""
    url: str
    """Where it stands."""
    at: str
    """When (UTC, to the minute)."""
    edits: tuple[ShownEdit, ...]
    """In order."""


class FileAttempt(Struct, frozen=True):
    """A path or a subagent that edited the file."""

    label: str
    """`Path 2`; of a subagent, what it was for."""
    url: str
    """Its page."""
    status: str
    """ACTIVE or ABANDONED; empty: a subagent."""
    is_withdrawn: bool
    prompts: tuple[LedTo, ...]
    """In the order of its page."""
    added: int
    removed: int
    compare_url: str
    """The page that holds it against what took over; empty: none."""


class FileSession(Struct, frozen=True):
    """A session that edited the file."""

    title: str
    url: str
    day: str
    """Of the prompt that led to its last edit (UTC)."""
    attempts: tuple[FileAttempt, ...]
    """By number, subagents last."""

    @property
    def added(self) -> int:
        """Return how many lines all of them added."""
        return sum(attempt.added for attempt in self.attempts)

    @property
    def removed(self) -> int:
        """Return how many lines all of them removed."""
        return sum(attempt.removed for attempt in self.attempts)


class FilePageView(PageView, frozen=True, kw_only=True):
    """A file, and all that sessions of a project did to it (`file.html.j2`)."""

    lede: str
    """How many sessions and edits, in a sentence."""
    sessions: tuple[FileSession, ...]
    """Newest first."""


class ListedFacts(Struct, frozen=True, array_like=True):
    """What lists show of a session."""

    brief: BriefFacts
    """What goes into lists of all sessions."""
    files: tuple[tuple[str, str, bytes], ...]
    """(project, file, digest of all that was done to it) of each that it edited."""
    moved: dict[str, str]
    """Page that a file has under another name → the page of the file."""
    packed: bytes
    """All facts: of few sessions they are asked for."""

    def whole(self) -> SessionFacts:
        """Return all that some list shows of it."""
        return _unpacked(self.packed)


# Files whose pages stand side by side were often edited by the same few sessions.
@lru_cache(maxsize=8)
def _unpacked(packed: bytes) -> SessionFacts:
    return msgspec.msgpack.decode(zlib.decompress(packed), type=SessionFacts)


def list_session(session: SessionFacts, *, has_page: bool = True) -> bytes:
    """Return what lists show of a session, as MessagePack of a `ListedFacts`.

    Unless it `has_page`, its own is one of them.
    """
    done, moved = _edited(session)
    files = ((*key, digest_bytes(msgspec.msgpack.encode(one))) for key, one in done.items())
    told = less_of(session) if has_page else session
    packed = zlib.compress(msgspec.msgpack.encode(told), 1)
    listed = ListedFacts(brief_of(session), tuple(files), moved, packed)
    return msgspec.msgpack.encode(listed)


class FilePage(NamedTuple):
    """The page of a file, or one that leads there; all that its view is made of."""

    url: str
    project: str = ""
    file: str = ""
    sessions: Sequence[ListedFacts] = ()
    """Those that edited it."""
    digests: Sequence[bytes] = ()
    """Of what each did to it."""
    target: str = ""
    """Of one that only leads on: where."""

    def view(self) -> FilePageView:
        """Return what the page shows."""
        key = self.project, self.file
        by_session = [_edited(one.whole(), key)[0][key] for one in self.sessions]
        edits = sum(len(each.facts.edits) for some in by_session for each in some)
        where = counted(len(by_session), "session")
        return FilePageView(
            title=visible(self.file),
            crumbs=(project_link(self.project, self.url),),
            lede=f"{counted(edits, 'edit')} in {where} of this project.",
            # By what was done to the file, so that what is said elsewhere changes no order.
            sessions=tuple(
                _session(self.url, some, MOST_LINES // edits)
                for some in sorted(by_session, key=_last_edit, reverse=True)
            ),
        )


class _Done(NamedTuple):
    """What one prompt led to in the file; `facts` has no other edits."""

    facts: EditFacts
    session: str
    title: str
    session_url: str
    page: str
    """The page of the path or the subagent, site-relative."""
    name: str
    """What the subagent was for."""
    status: str
    is_withdrawn: bool
    compare_url: str


def file_pages(sessions: Iterable[ListedFacts]) -> Iterator[FilePage]:
    """Yield the page of each file that `sessions` edited, sorted by address.

    A file that a call knew by another name, since the working folder was another, has a
    page under that name, too, which leads to the first.
    """
    held: defaultdict[tuple[str, str], list[tuple[ListedFacts, bytes]]] = defaultdict(list)
    others: dict[str, str] = {}
    for session in sorted(sessions, key=lambda one: one.brief.session):
        for url, target in session.moved.items():
            others.setdefault(url, target)
        for project, file, digest in session.files:
            held[project, file].append((session, digest))
    pages = {file_url(*key): key for key in held}
    for url, target in sorted(others.items()):
        if url not in pages:
            yield FilePage(url, target=target)
    for url, key in sorted(pages.items()):
        some, digests = zip(*held[key], strict=True)
        yield FilePage(url, *key, some, digests)


def _edited(
    session: SessionFacts, only: tuple[str, str] | None = None
) -> tuple[dict[tuple[str, str], list[_Done]], dict[str, str]]:
    """Return what a session did, by project and file (`only` one), and where they moved."""
    done: defaultdict[tuple[str, str], list[_Done]] = defaultdict(list)
    others: dict[str, str] = {}
    paths = {path.number: path for path in session.paths}
    agents = {agent.agent_id: agent for agent in session.agents}
    for facts in session.edits:
        project = facts.project
        made = [one for one in facts.edits if only in (None, (project, one.file))]
        if not made:
            continue
        for edit in made:
            if edit.name:
                url = file_url(project, edit.file)
                others.setdefault(file_url(project, edit.name), url)
        path, agent = paths.get(facts.path), agents.get(facts.agent)
        told = (
            session.session,
            session.title,
            session.url,
            (path or agent or session).url,
            (agent.description or agent.agent_type) if agent else "",
            path.status if path else "",
            path is not None and path.is_withdrawn,
            path.compare_url if path else "",
        )
        for file, edits in grouped((edit.file, edit) for edit in made).items():
            own = replace(facts, edits=tuple(edits))
            done[project, file].append(_Done(own, *told))
    return done, others


def _last_edit(done: Sequence[_Done]) -> str:
    return max(each.facts.at for each in done)


def _session(here: str, done: Sequence[_Done], lines: int) -> FileSession:
    """Return what a session did, with at most so many `lines` of each edit."""
    attempts = grouped(
        ((not each.facts.path, each.facts.path, each.facts.agent), each) for each in done
    )
    return FileSession(
        title=titled(done[0].title),
        url=relative(here, done[0].session_url),
        day=format_moment(_last_edit(done))[:10],
        attempts=tuple(_attempt(here, some, lines) for _, some in sorted(attempts.items())),
    )


def _attempt(here: str, done: Sequence[_Done], lines: int) -> FileAttempt:
    first = done[0]
    edits = [edit for each in done for edit in each.facts.edits]
    page = relative(here, first.page)
    return FileAttempt(
        label=f"Path {first.facts.path}"
        if first.status
        else shortened(f"Agent: {first.name}"),
        url=page,
        status=first.status,
        is_withdrawn=first.is_withdrawn,
        prompts=tuple(_led_to(page, each.facts, lines) for each in done),
        added=sum(edit.added for edit in edits),
        removed=sum(edit.removed for edit in edits),
        compare_url=relative(here, first.compare_url),
    )


def _led_to(page: str, facts: EditFacts, lines: int) -> LedTo:
    return LedTo(
        words=shortened(facts.words) or "Before the first prompt of this page",
        url=f"{page}#{facts.anchor}" if facts.anchor else page,
        at=format_moment(facts.at),
        edits=tuple(
            ShownEdit(
                f"{page}#{edit.anchor}",
                edit.added,
                edit.removed,
                *remembered(edit.file, edit.lines, lines, OPEN_LINES),
            )
            for edit in facts.edits
        ),
    )
