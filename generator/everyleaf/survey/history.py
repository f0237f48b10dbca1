"""The prompts of `history.jsonl`, and which of them no session holds any more."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import orjson
from msgspec import Struct

from everyleaf.records.text import as_object
from everyleaf.sources.files import Role, SourceFile
from everyleaf.sources.lines import iter_lines
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from everyleaf.redact.masking import SessionRedactor

NAME = "history.jsonl"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class LostPrompt(Struct, frozen=True):
    """A prompt that the history holds and no session does."""

    project: str
    """The last part of the folder that it was typed in."""
    session: str
    """Empty where the history does not say."""
    at: str
    text: str


class History(Struct, frozen=True):
    """What the histories beside the sources say."""

    prompts: int
    unreadable: int
    """Lines that are no prompt."""
    lost: tuple[LostPrompt, ...]
    """In order of time."""


def find_histories(places: Iterable[Path]) -> tuple[SourceFile, ...]:
    """Return the histories beside the sources `places`, each once, in their order.

    They are files to look for secrets in, like those of sessions.
    """
    found: dict[Path, None] = {}
    for place in places:
        start = place if place.is_dir() else place.parent
        # The history stands in the folder that `projects` stands in.
        for folder in (start, *list(start.resolve().parents)[:3]):
            location = folder / NAME
            is_settings = (folder / "projects").is_dir()
            if is_settings and location.is_file():
                found[location.resolve()] = None
                break
    return tuple(
        SourceFile(
            project="",
            file=NAME,
            location=location,
            session=f"{NAME}#{number}",
            role=Role.SESSION,
            size_bytes=location.stat().st_size if location.is_file() else 0,
            tool_results_dir=location.parent / "no-such-folder",
        )
        for number, location in enumerate(found)
    )


def read_histories(
    histories: Sequence[tuple[Path, SessionRedactor]],
    *,
    sessions: Iterable[str],
    prompts: Iterable[str],
) -> History:
    """Return how many prompts there are, and those that have no session left.

    A prompt that names its session has one if that is among `sessions`. One that names
    none has one if it begins as one of `prompts` does.
    """
    known, said = set(sessions), {_key(text) for text in prompts}
    count, unreadable, lost = 0, 0, list[LostPrompt]()
    for location, redactor in histories:
        for entry in _read(location):
            if entry is None:
                unreadable += 1
                continue
            count += 1
            is_there = entry.session in known if entry.session else _key(entry.text) in said
            if not is_there:
                masked = redactor.text(entry.text), redactor.text(entry.project)
                lost.append(LostPrompt(masked[1], entry.session, entry.at, masked[0]))
    lost.sort(key=lambda one: (one.at, one.session, one.text))
    return History(count, unreadable, tuple(lost))


def _key(text: str) -> str:
    return one_line(text, limit=60).rstrip("…").strip()


def _read(location: Path) -> Iterator[LostPrompt | None]:
    """Yield the prompts of a history; None for a line that is none."""
    for line in iter_lines(location):
        if not line.data.strip():
            continue
        try:
            raw = orjson.loads(line.data)
        except orjson.JSONDecodeError:
            yield None
            continue
        yield _prompt(raw)


def _prompt(raw: object) -> LostPrompt | None:
    fields = as_object(raw) or {}
    text, folder = fields.get("display"), fields.get("project")
    session, time = fields.get("sessionId"), fields.get("timestamp")
    if not isinstance(text, str):
        return None
    folder = folder.replace("\\", "/").rstrip("/") if isinstance(folder, str) else ""
    return LostPrompt(
        project=folder.rsplit("/", 1)[-1],
        session=session if isinstance(session, str) else "",
        at=_moment(time),
        text=text,
    )


def _moment(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=value)
    except (OverflowError, ValueError):
        return ""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
