"""The sessions of an archive and their paths, as `everyleaf list` and `paths` show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from everyleaf.archive import Archive
from everyleaf.clock import moment_of
from everyleaf.graph.forest import Contained, ConversationPath, PathRef, Status
from everyleaf.graph.solve import Session
from everyleaf.grouping import grouped
from everyleaf.model import Envelope, Kind
from everyleaf.opening.reading import Scope, survey
from everyleaf.records.recover import read_object
from everyleaf.records.text import as_object, as_text
from everyleaf.sources.lines import load_strict, read_span
from everyleaf.transcript.document import USAGE_KEYS, Response, Usage
from everyleaf.workers import OnProgress

Answer = tuple[Response, str]
"""A response, and the git branch that its record names."""


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
    usage: Usage
    """Of its responses, those of its agents included."""
    models: tuple[str, ...]
    """Those that answered, most output first."""
    branch: str
    """The git branch that the last reply of the session itself names."""


def is_listed(
    one: ListedSession, *, status: Status | None, title: str, models: Sequence[str]
) -> bool:
    """Return whether a list that is asked for such sessions has `one`.

    `title` is a part of one, in whatever case, `models` are shell patterns or parts of
    names; what is empty asks for nothing.
    """
    counts = {Status.ACTIVE: one.paths - one.abandoned, Status.ABANDONED: one.abandoned}
    if title.casefold() not in one.title.casefold() or (status and not counts[status]):
        return False
    return not models or any(
        pattern in model or fnmatchcase(model, pattern)
        for pattern in models
        for model in one.models
    )


def read_sessions(scope: Scope, on_progress: OnProgress) -> list[ListedSession]:
    """Return every session that `scope` names, by id."""
    found = survey(scope, list_sessions, on_progress, kind=tuple[ListedSession, ...])
    return sorted(chain.from_iterable(found.seen), key=lambda one: one.session)


def list_sessions(archive: Archive) -> tuple[ListedSession, ...]:
    """Return every session of `archive` that holds conversation. Linear."""
    known = archive.description.paths.values()
    paths = grouped((path.session, path) for path in known)
    dropped = {copy.path.session: copy for path in known for copy in path.contains}
    agents = grouped(
        (agent.session, max((one.timestamp for one in agent.tree.records), default=""))
        for agent in archive.forest.agents
    )
    return tuple(
        _listed(
            archive,
            session,
            paths.get(session.name, []),
            dropped.get(session.name),
            agents.get(session.name, []),
        )
        for session in archive.forest.sessions
        if session.name in paths or session.name in dropped or session.name in agents
    )


def _listed(
    archive: Archive,
    session: Session,
    paths: Sequence[ConversationPath],
    copy: Contained | None,
    agents: Sequence[str],
) -> ListedSession:
    """Return a session; one without `paths` of its own with what is known of its `copy`."""
    name, redaction = session.name, archive.redaction
    active = [path for path in paths if path.status is Status.ACTIVE]
    main = (active or paths)[-1] if paths else None
    ended = max((path.ended for path in paths), default=max(agents, default=""))
    messages = main.messages if main else 0
    if copy is not None and not paths:
        ended = ended or archive.description.paths[copy.by].ended
        messages = copy.messages
    place = archive.files[session.files[0].source] if session.files else None
    usage, models, branch = _spent(archive, session)
    return ListedSession(
        session=name,
        project=archive.projects[session.project],
        title=archive.description.titles[name],
        started=min((path.started for path in paths if path.started), default=""),
        ended=ended,
        prompts=main.prompts if main else 0,
        messages=messages,
        paths=len(paths),
        abandoned=len(paths) - len(active),
        compactions=max((path.compactions for path in paths), default=0),
        agents=len(agents),
        is_warmup=name in archive.description.warmups,
        file=redaction.location(place.session, str(place.location)) if place else "",
        cwd=redaction.text(next((cwd for file in session.files for cwd in file.cwds), "")),
        contained_in=copy.by if copy and not paths else None,
        usage=usage,
        models=models,
        branch=redaction.text(branch),
    )


ORDERS: dict[str, Callable[[ListedSession], str | float]] = {
    "time": lambda one: -(moment_of(one.ended) - moment_of("")).total_seconds(),
    "title": lambda one: one.title.casefold(),
    "project": lambda one: one.project.casefold(),
    "prompts": lambda one: -one.prompts,
    "paths": lambda one: -one.paths,
    "tokens": lambda one: -sum(astuple(one.usage)),
}
"""What lists are sorted by: newest or most first, names from A."""


def sort_sessions(
    listed: Iterable[ListedSession], order: str, *, is_reversed: bool = False
) -> list[ListedSession]:
    """Return `listed` in one of `ORDERS`, then by time and id.

    `is_reversed` turns the whole list round.
    """
    rows = sorted(listed, key=lambda one: one.session)
    for key in (ORDERS["time"], ORDERS[order]):
        rows.sort(key=key)
    return rows[::-1] if is_reversed else rows


def _spent(archive: Archive, session: Session) -> tuple[Usage, tuple[str, ...], str]:
    """Return tokens (each response once, at its largest usage), models and last branch."""
    # 0.2 s to import, and not needed where all that was seen is remembered.
    from everyleaf.transcript.facts import add_usage, distinct_responses  # noqa: PLC0415

    answers = [
        (file.agent_id, answer)
        for file in (*session.files, *session.agent_files)
        for answer in _read_answers(archive.files[file.source].location, file.records)
    ]
    branches = [branch for agent_id, (_, branch) in answers if agent_id is None]
    told = distinct_responses((None, response) for _, (response, _) in answers)
    responses = [response for _, response in told]
    output: Counter[str] = Counter()
    for one in responses:
        if one.model:
            output[one.model] += one.usage.output
    models = tuple(sorted(output, key=lambda model: (-output[model], model)))
    last_branch = next(filter(None, reversed(branches)), "")
    return add_usage(one.usage for one in responses), models, last_branch


def _read_answers(location: Path, records: Sequence[Envelope]) -> list[Answer]:
    """Return what the replies among the `records` of a file tell; they are read again."""
    replies = [one for one in records if one.kind is Kind.REPLY and not one.is_synthetic]
    try:
        with location.open("rb") as file:
            # Of damaged lines the envelope is needed to find the record again.
            raws = [
                load_strict(read_span(file, one.offset, one.size_bytes)) or {}
                if one.size_bytes
                else read_object(file, one)
                for one in replies
            ]
    except OSError:
        return []  # It was there a moment ago; a list is no place to fail for it.
    return [answer for raw in raws if (answer := _answer(raw))]


def _answer(raw: dict[str, object]) -> Answer | None:
    message = as_object(raw.get("message"))
    if message is None:
        return None
    used = as_object(message.get("usage")) or {}
    counts = [used.get(name) for name in USAGE_KEYS]
    usage = Usage(*(each if isinstance(each, int) and each > 0 else 0 for each in counts))
    response = Response(
        message_id=as_text(message.get("id")) or "",
        request_id=as_text(raw.get("requestId")) or "",
        model=as_text(message.get("model")) or "",
        usage=usage,
    )
    return response, as_text(raw.get("gitBranch")) or ""


class PathListing(Struct, frozen=True):
    """A path with its records."""

    path: ConversationPath
    ids: tuple[str, ...]
    """Canonical ids of its conversation records, in order."""
    inferred: tuple[str, ...]
    """uuids of the records whose edge to their parent was repaired, in order."""


def read_paths(
    scope: Scope, on_progress: OnProgress, *, is_strict: bool = False
) -> list[PathListing]:
    """Return every kept path of the sessions that `scope` names, by session and number.

    With `is_strict`, a path for each leaf uuid.
    """
    kind = tuple[PathListing, ...]
    found = survey(scope, list_paths, on_progress, kind=kind, is_strict=is_strict)
    return sorted(chain.from_iterable(found.seen), key=lambda one: one.path.ref)


def list_paths(archive: Archive) -> tuple[PathListing, ...]:
    """Return every kept path of `archive`."""
    forest, units = archive.forest, archive.forest.units
    return tuple(
        PathListing(
            path=archive.description.paths[forest.refs[leaf]],
            ids=tuple(name for unit_id in down for name in units.ids(unit_id)),
            inferred=units.inferred(down),
        )
        for leaf in forest.kept
        for down in [[*units.up(leaf)][::-1]]
    )
