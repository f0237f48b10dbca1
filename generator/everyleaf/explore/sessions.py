"""Sessions as `everyleaf list` shows them: what each is, what it took, which are wanted."""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import astuple, replace

from everyleaf.archive import Choice
from everyleaf.clock import moment_of
from everyleaf.graph.forest import Status
from everyleaf.model import Kind
from everyleaf.opening.notes import open_archive
from everyleaf.opening.reading import Scope
from everyleaf.records.mending import load_strict
from everyleaf.records.recover import read_object
from everyleaf.records.text import as_object, as_text
from everyleaf.sources.lines import read_span
from everyleaf.transcript.document import Response, Usage
from everyleaf.transcript.facts import distinct_responses
from everyleaf.transcript.pathfacts import add_usage
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from everyleaf.archive import Archive
    from everyleaf.config import RedactOptions
    from everyleaf.graph.forest import Contained, ConversationPath, PathRef
    from everyleaf.graph.sessions import Session
    from everyleaf.model import Envelope
    from everyleaf.opening.notes import Opened
    from everyleaf.workers import OnProgress

    _Reading = tuple[Path, list[tuple[int, int]], list[Envelope]]
    """A file, the (offset, size) of its sound replies, and those that are damaged."""

_COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
_NOTHING = Usage()

Answer = tuple[Response, str]
"""A response, and the git branch that its record names."""


class Order(StrEnum):
    """What a list is sorted by."""

    TIME = "time"
    TITLE = "title"
    PROJECT = "project"
    PROMPTS = "prompts"
    PATHS = "paths"
    TOKENS = "tokens"


class Spent(Struct, frozen=True):
    """What the responses of a session took, its agents' included."""

    usage: Usage = _NOTHING
    models: tuple[str, ...] = ()
    """Those that answered, most output first."""
    branch: str = ""
    """The git branch that the last reply of the session itself names."""


class ListedSession(Struct, frozen=True):
    """A session, as a list shows it."""

    session: str
    project: str
    title: str
    started: str
    ended: str
    """What lists sort by (`paths.md` §7)."""
    prompts: int
    """Of the path that stands for the session: the last ACTIVE one."""
    messages: int
    paths: int
    """Unique ones."""
    abandoned: int
    compactions: int
    agents: int
    is_warmup: bool
    file: str
    """Where it is on this machine; empty: it has no file of its own."""
    cwd: str
    """Where it began to run, as records tell it."""
    contained_in: PathRef | None
    """The path that holds all of it, where no path is its own."""
    spent: Spent


class Wanted(Struct, frozen=True):
    """Which sessions a list is asked for; what is empty asks for nothing."""

    since: datetime | None = None
    until: datetime | None = None
    """The first moment that is too late."""
    status: Status | None = None
    """Sessions with a path of this status."""
    title: str = ""
    """A part of the title, in whatever case."""
    models: tuple[str, ...] = ()
    """Shell patterns; or a part of the name."""
    has_warmups: bool = False

    def takes(self, one: ListedSession) -> bool:
        """Return whether the session is asked for."""
        if one.is_warmup and not self.has_warmups:
            return False
        ended = moment_of(one.ended)
        if (self.since and ended < self.since) or (self.until and ended >= self.until):
            return False
        if self.title.casefold() not in one.title.casefold():
            return False
        return self._has_status(one) and self._has_model(one)

    def _has_status(self, one: ListedSession) -> bool:
        if self.status is None:
            return True
        is_left = self.status is Status.ABANDONED
        return one.abandoned > 0 if is_left else one.paths > one.abandoned

    def _has_model(self, one: ListedSession) -> bool:
        return not self.models or any(
            pattern in model or fnmatchcase(model, pattern)
            for pattern in self.models
            for model in one.spent.models
        )


def read_sessions(
    sources: Sequence[Path],
    *,
    on_progress: OnProgress,
    redact: RedactOptions,
    projects: tuple[str, ...] = (),
    include_archive: bool = False,
) -> list[ListedSession]:
    """Return every session in `sources`, or where `everyleaf build` looks, by id.

    Raises:
        SourceError: the input cannot be read at all, or no project fits `projects`.
        RedactError: secrets cannot be looked for.
    """
    scope = Scope(
        tuple(sources),
        include_archive=include_archive,
        redact=redact,
        choice=Choice(projects=projects),
    )
    with open_archive(scope, on_progress, purpose="list") as opened:
        spent = read_spent(opened, on_progress)
    return list_sessions(opened.archive, spent)


def list_sessions(archive: Archive, spent: Mapping[str, Spent]) -> list[ListedSession]:
    """Return every session of `archive` that holds conversation, by id. Linear."""
    paths: dict[str, list[ConversationPath]] = {}
    dropped: dict[str, Contained] = {}
    for path in archive.description.paths.values():
        paths.setdefault(path.session, []).append(path)
        dropped.update((copy.path.session, copy) for copy in path.contains)
    agents: dict[str, list[str]] = {}
    for agent in archive.forest.agents:
        times = [record.timestamp for record in agent.tree.records if record.timestamp]
        agents.setdefault(agent.session, []).append(max(times, default=""))
    listed: list[ListedSession] = []
    for session in archive.forest.sessions:
        name = session.name
        own = paths.get(name, [])
        if own or name in dropped or name in agents:
            project = archive.projects[session.project]
            used = spent.get(name, Spent())
            one = _listed(archive, session, project, own, agents.get(name, []), used)
            listed.append(one if own else _copied(one, dropped.get(name), archive))
    return listed


def _listed(  # noqa: PLR0913, PLR0917  (each from a table of its own)
    archive: Archive,
    listed: Session,
    project: str,
    paths: list[ConversationPath],
    agents: list[str],
    spent: Spent,
) -> ListedSession:
    name = listed.name
    cwd = next((cwd for file in listed.files for cwd in file.cwds), "")
    active = [path for path in paths if path.status is Status.ACTIVE]
    main = (active or paths)[-1] if paths else None
    return ListedSession(
        session=name,
        project=project,
        title=archive.description.titles[name],
        started=min((path.started for path in paths if path.started), default=""),
        ended=max((path.ended for path in paths), default=max(agents, default="")),
        prompts=main.prompts if main is not None else 0,
        messages=main.messages if main is not None else 0,
        paths=len(paths),
        abandoned=len(paths) - len(active),
        compactions=max((path.compactions for path in paths), default=0),
        agents=len(agents),
        is_warmup=name in archive.description.warmups,
        file=_place(archive, listed.files[0].source) if listed.files else "",
        cwd=archive.redaction.text(cwd),
        contained_in=None,
        spent=spent,
    )


def _copied(one: ListedSession, copy: Contained | None, archive: Archive) -> ListedSession:
    """Return a session without a path of its own, with what is known of its copy."""
    if copy is None:
        return one
    holder = archive.description.paths[copy.by]
    return replace(
        one,
        ended=one.ended or holder.ended,
        messages=copy.messages,
        contained_in=copy.by,
    )


_KEYS: Mapping[Order, Callable[[ListedSession], str | int]] = {
    Order.TITLE: lambda one: one.title.casefold(),
    Order.PROJECT: lambda one: one.project.casefold(),
    Order.PROMPTS: lambda one: -one.prompts,
    Order.PATHS: lambda one: -one.paths,
    Order.TOKENS: lambda one: -sum(astuple(one.spent.usage)),
}
"""What lists are sorted by; by time, they are already."""


def sort_sessions(
    listed: Iterable[ListedSession], order: Order, *, is_reversed: bool = False
) -> list[ListedSession]:
    """Return `listed` in `order`: newest or most first, names from A; then by time and id.

    `is_reversed` turns the whole list round.
    """
    by_time = sorted(listed, key=lambda one: one.session)
    by_time.sort(key=lambda one: moment_of(one.ended), reverse=True)
    rows = sorted(by_time, key=_KEYS[order]) if order in _KEYS else by_time
    return rows[::-1] if is_reversed else rows


def _place(archive: Archive, source: int) -> str:
    file = archive.files[source]
    return archive.redaction.location(file.session, str(file.location))


def read_spent(opened: Opened, on_progress: OnProgress) -> dict[str, Spent]:
    """Return what each session spent, each response counted once with its largest usage.

    Reads the replies of files that its notes do not know again, and parses them: a third to
    a half of what reading an archive takes.
    """
    archive, notes = opened.archive, opened.notes
    replies = {
        file.source: found
        for file in archive.forest.files
        if (
            found := [
                r for r in file.records if r.kind is Kind.REPLY and not r.is_synthetic
            ]
        )
    }
    names = {source: notes.name(notes.contents.get(source, "")) for source in replies}
    read = {source: notes.find(name, list[Answer]) for source, name in names.items()}
    missing = [source for source, found in read.items() if found is None]
    items = [
        _reading(archive.files[source].location, replies[source]) for source in missing
    ]
    for done, (at, new) in enumerate(iter_done(opened.executor, _read_answers, items), 1):
        read[missing[at]] = new
        notes.keep(names[missing[at]], new)
        on_progress("counting tokens", done, len(items))
    owners = {
        file.source: session
        for session in archive.forest.sessions
        for file in (*session.files, *session.agent_files)
    }
    answers: defaultdict[str, list[tuple[None, Response]]] = defaultdict(list)
    for source in replies:
        answers[owners[source].name] += [(None, one) for one, _ in read[source] or ()]
    # The last reply of the session itself that names a branch counts.
    branches = {
        session.name: archive.redaction.text(branch)
        for session in archive.forest.sessions
        for file in session.files
        for _, branch in read.get(file.source) or ()
        if branch
    }
    return {
        session: _sum(
            (one for _, one in distinct_responses(found)), branches.get(session, "")
        )
        for session, found in answers.items()
    }


def _reading(location: Path, records: Sequence[Envelope]) -> _Reading:
    # Of damaged lines the envelope is needed to find the record again.
    sound = [(record.offset, record.size_bytes) for record in records if record.size_bytes]
    return location, sound, [record for record in records if not record.size_bytes]


def _read_answers(item: _Reading) -> list[Answer]:
    location, sound, damaged = item
    try:
        with location.open("rb") as file:
            raws = [load_strict(read_span(file, *place)) or {} for place in sound]
            raws += [read_object(file, one) for one in damaged]
    except OSError:
        return []  # It was there a moment ago; a list is no place to fail for it.
    return [answer for raw in raws if (answer := _answer(raw))]


def _answer(raw: dict[str, object]) -> Answer | None:
    message = as_object(raw.get("message"))
    if message is None:
        return None
    used = as_object(message.get("usage")) or {}
    counts = [used.get(name) for name in _COUNTS]
    usage = Usage(*(each if isinstance(each, int) and each > 0 else 0 for each in counts))
    response = Response(
        message_id=as_text(message.get("id")) or "",
        request_id=as_text(raw.get("requestId")) or "",
        model=as_text(message.get("model")) or "",
        usage=usage,
    )
    return response, as_text(raw.get("gitBranch")) or ""


def _sum(responses: Iterable[Response], branch: str) -> Spent:
    output: defaultdict[str, int] = defaultdict(int)
    usages: list[Usage] = []
    for one in responses:
        usages.append(one.usage)
        if one.model:
            output[one.model] += one.usage.output
    models = sorted(output, key=lambda model: (-output[model], model))
    return Spent(add_usage(usages), tuple(models), branch)
