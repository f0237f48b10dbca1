"""A file as a path left it, as far as records and backups tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.contents import contents_after, tell_story
from everyleaf.compare.touches import FileTouch
from everyleaf.errors import SourceError
from everyleaf.opening.families import find_work
from everyleaf.opening.named import open_named
from everyleaf.opening.reader import FamilyReader
from everyleaf.survey.backups import history_dir, iter_backups, read_backup
from everyleaf.survey.files import fits
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from everyleaf.archive import Archive
    from everyleaf.graph.forest import ConversationPath
    from everyleaf.opening.reading import Scope
    from everyleaf.sources.files import Found, SourceFile
    from everyleaf.workers import OnProgress

LISTED = 6


class Leftover(Struct, frozen=True):
    """A file at the end of a path."""

    file: str
    path: ConversationPath
    text: str | None
    """None: it cannot be told."""
    lost_at: str
    """When it could be told no more; empty where it can, or never could."""
    has_foreign_changes: bool
    """Something else than the path's edit tools changed the file meanwhile."""


class _Dated(Struct, frozen=True):
    """What is said about a file, and when."""

    at: str
    touch: FileTouch


def file_at(scope: Scope, name: str, file: str, on_progress: OnProgress) -> Leftover:
    """Return `file` as the path called `name` left it.

    `name` is what `open_named` takes; `file` a whole name, or the last parts of one.

    Raises:
        SourceError: the input cannot be read; the path never saw such a file, or several.
        RedactError: secrets cannot be looked for.
    """
    asked = open_named(
        name,
        scope.sources,
        on_progress=on_progress,
        redact=scope.redact,
        beside=_histories,
    )
    path = asked.path()
    by_file = _Told(asked.archive, path).gather(file)
    if len(by_file) != 1:
        known = sorted(by_file)
        raise SourceError(
            f"path {path.number} of session {path.session!r} saw no file {file!r}"
            if not known
            else f"{file!r} fits {len(known)} files",
            hint=f"say {', '.join(known[:LISTED])}"
            if known
            else "`everyleaf files` lists what each path changed",
        )
    ((known_name, dated),) = by_file.items()
    return _leave(known_name, path, dated)


def _histories(found: Found) -> tuple[SourceFile, ...]:
    """Return the sessions with backups, as files beside which to look for secrets."""
    return tuple(
        replace(file, tool_results_dir=folder)
        for file in found.files
        if file.agent_id is None and (folder := history_dir(file))
    )


def _leave(file: str, path: ConversationPath, dated: Sequence[_Dated]) -> Leftover:
    story = tell_story([one.touch for one in dated])
    lost_at, now = "", None
    for one in dated:
        before = one.touch.before if one.touch.before is not None else now
        after = contents_after(one.touch, before)
        if after is None and before is not None:
            lost_at = one.at
        now = after
    return Leftover(
        file=file,
        path=path,
        text=story.end,
        lost_at=lost_at if story.end is None else "",
        has_foreign_changes=story.has_foreign_changes,
    )


class _Told:
    """What the turns of a path and the backups beside it say about files."""

    def __init__(self, archive: Archive, path: ConversationPath) -> None:
        self._archive = archive
        self._mask = archive.redaction.redactor(path.session).text
        work, session = find_work(archive, path.session)
        self._reader = FamilyReader(work)
        leaf = next(item.leaf for item in session.paths if item.path.ref == path.ref)
        self._turns = self._reader.turns(leaf)

    def gather(self, pattern: str) -> dict[str, list[_Dated]]:
        """Return what is said of the files that are called so, in order, by name."""
        folder = next((f for t in self._turns if (f := self._reader.files(t).folder)), "")
        # A person types the name as it is on disk.
        pattern = short_file(self._mask(pattern), folder)
        backups = self._backups(pattern)
        found: dict[str, list[_Dated]] = {}
        for turn in self._turns:
            at = next((p.envelope.timestamp for p in turn.records), "")
            kept = [b for p in turn.records for b in backups.get(p.envelope.uuid, ())]
            for touch in (*kept, *self._reader.files(turn).touches):
                name = short_file(touch.file, folder)
                if pattern in {name, touch.file} or fits(touch.file, pattern):
                    found.setdefault(name, []).append(_Dated(at, touch))
        return found

    def _backups(self, pattern: str) -> dict[str, list[FileTouch]]:
        """Return what files held, by the uuid of the message at which it was kept."""
        found: dict[str, list[FileTouch]] = {}
        for location, folder, session in self._histories():
            mask = self._archive.redaction.redactor(session).text
            texts: dict[str, str | None] = {}
            for backup in iter_backups(location):
                file = mask(backup.file)
                if not fits(f"/{file}", pattern) and not fits(file, pattern):
                    continue
                if backup.name not in texts:
                    texts[backup.name] = read_backup(folder, backup.name, mask)
                touch = FileTouch(file=file, after=texts[backup.name], is_change=False)
                if touch.after is not None:
                    found.setdefault(backup.message, []).append(touch)
        return found

    def _histories(self) -> Iterator[tuple[Path, Path, str]]:
        sources = {placed.source for turn in self._turns for placed in turn.records}
        for source in sorted(sources):
            file = self._archive.files[source]
            folder = history_dir(file)
            if folder is not None:
                yield file.location, folder, file.session
