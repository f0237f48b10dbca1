"""Tokens and models of sessions, from nothing but the replies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.model import Kind
from everyleaf.records.mending import load_strict
from everyleaf.records.recover import read_object
from everyleaf.records.text import as_object, as_text
from everyleaf.sources.lines import read_span
from everyleaf.transcript.document import Usage
from everyleaf.transcript.pathfacts import add_usage
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from everyleaf.archive import Archive
    from everyleaf.model import Envelope
    from everyleaf.opening.notes import Opened
    from everyleaf.workers import OnProgress

_COUNTS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
Place = tuple[int, int]
"""(offset, size) of a record in its file."""
Answer = tuple[str, str, Usage, str]
"""(response, model, tokens, git branch); a response without an id is named by its place."""
_NOTHING = Usage()


class Spent(Struct, frozen=True):
    """What the responses of a session took, its agents' included."""

    usage: Usage = _NOTHING
    models: tuple[str, ...] = ()
    """Those that answered, most output first."""
    branch: str = ""
    """The git branch that the last reply of the session itself names."""


def read_spent(opened: Opened, on_progress: OnProgress) -> dict[str, Spent]:
    """Return what each session spent, each response counted once with its largest usage.

    Reads the replies of files that its notes do not know again, and parses them: a third to
    a half of what `read_archive` takes.
    """
    archive, notes = opened.archive, opened.notes
    files = archive.files
    replies = dict(_replies(archive))
    names = {source: notes.name(notes.contents.get(source, "")) for source in replies}
    read = {source: notes.find(name, list[Answer]) for source, name in names.items()}
    missing = [source for source, found in read.items() if found is None]
    items = [(files[source].location, replies[source]) for source in missing]
    for done, (at, found) in enumerate(iter_done(opened.executor, _read_answers, items), 1):
        read[missing[at]] = found
        notes.keep(names[missing[at]], found)
        on_progress("counting tokens", done, len(items))
    answers: dict[str, dict[str, tuple[str, Usage]]] = {}
    for session, source in _owned(archive, replies):
        known = answers.setdefault(session, {})
        for name, model, usage, _ in read[source] or ():
            before = known.get(name)
            if before is None or usage.output >= before[1].output:
                known[name] = (model, usage)
    branches = _branches(archive, read)
    return {
        session: replace(_sum(found.values()), branch=branches.get(session, ""))
        for session, found in answers.items()
    }


def _branches(archive: Archive, read: Mapping[int, list[Answer] | None]) -> dict[str, str]:
    """Return session → the branch that the last of its replies names that name one."""
    return {
        session.name: archive.redaction.text(branch)
        for session in archive.forest.sessions
        for file in session.files
        for *_, branch in read.get(file.source) or ()
        if branch
    }


def _replies(archive: Archive) -> Iterator[tuple[int, tuple[list[Place], list[Envelope]]]]:
    for file in archive.forest.files:
        wanted = [r for r in file.records if r.kind is Kind.REPLY and not r.is_synthetic]
        # Of damaged lines the envelope is needed to find the record again.
        sound = [(r.offset, r.size_bytes) for r in wanted if r.size_bytes]
        damaged = [r for r in wanted if not r.size_bytes]
        if wanted:
            yield file.source, (sound, damaged)


def _owned(archive: Archive, replies: Mapping[int, object]) -> list[tuple[str, int]]:
    owner = {
        file.source: session.name
        for session in archive.forest.sessions
        for file in (*session.files, *session.agent_files)
    }
    return [(owner[source], source) for source in replies]


def _read_answers(item: tuple[Path, tuple[list[Place], list[Envelope]]]) -> list[Answer]:
    location, (sound, damaged) = item
    try:
        with location.open("rb") as file:
            raws = [_read(file, place) for place in sound]
            raws += [(one.offset, read_object(file, one)) for one in damaged]
    except OSError:
        return []  # It was there a moment ago; a list is no place to fail for it.
    return [answer for at, raw in raws if (answer := _answer(location, at, raw))]


def _read(file: BinaryIO, place: Place) -> tuple[int, dict[str, object]]:
    return place[0], load_strict(read_span(file, *place)) or {}


def _answer(location: Path, at: int, raw: dict[str, object]) -> Answer | None:
    message = as_object(raw.get("message"))
    if message is None:
        return None
    used = as_object(message.get("usage")) or {}
    counts = [used.get(name) for name in _COUNTS]
    usage = Usage(*(each if isinstance(each, int) and each > 0 else 0 for each in counts))
    name = as_text(message.get("id"))
    request = raw.get("requestId")
    named = f"{name}/{request}" if name else f"{location}@{at}"
    model = as_text(message.get("model")) or ""
    return named, model, usage, as_text(raw.get("gitBranch")) or ""


def _sum(answers: Iterable[tuple[str, Usage]]) -> Spent:
    output: dict[str, int] = {}
    usages: list[Usage] = []
    for model, usage in answers:
        usages.append(usage)
        if model:
            output[model] = output.get(model, 0) + usage.output
    models = sorted(output, key=lambda model: (-output[model], model))
    return Spent(add_usage(usages), tuple(models))
