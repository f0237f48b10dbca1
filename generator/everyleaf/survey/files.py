"""Which sessions and paths changed a file, and how a path left it.

Records tell most of it; at `file-history` beside the projects folder, the CLI keeps what
files held before it changed them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import Archive
from everyleaf.compare.split import Attempt, ForkSplit
from everyleaf.errors import SourceError
from everyleaf.graph.forest import ConversationPath, Turn
from everyleaf.opening import reading
from everyleaf.opening.named import open_named
from everyleaf.opening.reading import FamilyReader, Scope
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.pages.work import SessionWork, whole_paths
from everyleaf.records.text import as_object, as_text
from everyleaf.render.entries import anchor_of
from everyleaf.sources.discover import find_settings_dir
from everyleaf.sources.files import SourceFile
from everyleaf.sources.lines import iter_lines, load_strict
from everyleaf.transcript.edits import FileTouch
from everyleaf.transcript.words import short_file, whole_file
from everyleaf.workers import OnProgress

DatedTouch = tuple[str, FileTouch]
"""When something is said about a file, and what."""

LISTED = 6
"""Files that an error names."""
READ_LIMIT_BYTES = 16 * 1024 * 1024
"""A larger backup is not read."""

_BACKUP_NAME = re.compile(r"[0-9A-Za-z]{1,64}@v[0-9]{1,9}")
_BACKUP_TYPES = ("file-history-snapshot", "file-history-delta")


class Change(Struct, frozen=True):
    """What one path, or one subagent, did to one file."""

    file: str
    """As seen from the folder that the path began in."""
    project: str
    session: str
    path: int
    """0: a subagent's change, which no path made itself."""
    agent_id: str
    status: str
    """ACTIVE or ABANDONED; empty for a subagent."""
    title: str
    ended: str
    added: int
    removed: int
    is_exact: bool
    """From the contents at the start to those at the end; else all recorded changes."""
    is_new: bool
    has_foreign_changes: bool
    """Something else than its edit tools changed the file meanwhile."""
    url: str
    """The last change on its page, as seen from the root of a site."""
    whole_name: str
    """With the folder that the path began in, as patterns may name it."""


class FileAtEnd(Struct, frozen=True):
    """A file at the end of a path."""

    file: str
    path: ConversationPath
    text: str | None
    """None: it cannot be told."""
    lost_at: str
    """When it could be told no more; empty where it can, or never could."""
    has_foreign_changes: bool
    """Something else than the path's edit tools changed the file meanwhile."""


def list_changes(scope: Scope, on_progress: OnProgress, pattern: str) -> tuple[Change, ...]:
    """Return what the sessions of `scope` did to files that fit `pattern`.

    Sorted by project, file and time. `pattern` is a shell pattern for the whole name of a
    file or for its last parts.
    """
    found = reading.survey(scope, look_at_files, on_progress, kind=tuple[Change, ...])
    return choose_changes(found.seen, pattern)


def choose_changes(seen: Iterable[tuple[Change, ...]], pattern: str) -> tuple[Change, ...]:
    """Return the changes to files that fit `pattern`, by project, file and time."""
    fitting = [one for some in seen for one in some if _fits(one.whole_name, pattern)]
    fitting.sort(key=lambda o: (o.project, o.file, o.ended, o.session, o.path, o.agent_id))
    return tuple(fitting)


def _fits(file: str, pattern: str) -> bool:
    """Return whether a file's whole name fits, or its last parts.

    >>> _fits("/home/ada/src/a.py", "src/*.py"), _fits("/home/ada/src/a.py", "b*")
    (True, False)
    """
    name = file.replace("\\", "/")
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"*/{pattern}")


def look_at_files(archive: Archive) -> tuple[Change, ...]:
    """Return what the paths and agents of `archive` did to files."""
    readers = map(FamilyReader, reading.families_of(archive))
    return tuple(
        change
        for reader in readers
        for session in reader.work.sessions
        for change in _changes_in(session, reader)
    )


def _changes_in(session: SessionWork, reader: FamilyReader) -> Iterator[Change]:
    # A quarter of a second to import, for what may all be remembered.
    from everyleaf.compare.files import compare_files  # noqa: PLC0415

    tree, shown = reader.work.tree, whole_paths(reader.work.tree, session.paths)
    ends = tree.leaves
    owners = [
        (ends[one.ref], one.number, "", str(one.status), one.label or one.title, one.ended)
        for one in session.paths
    ]
    owners += [
        (one.leaves[one.main], 0, one.agent_id, "", title, one.ended)
        for one in session.agents
        for title in (one.description or one.agent_type,)
        if one.leaves
    ]
    for leaf, number, agent_id, status, title, ended in owners:
        turns = tree.line(leaf)
        folder = reader.files(turns[0]).folder
        alone = ForkSplit(Attempt((), tuple(turns)), Attempt((), ()), 0)
        for each in compare_files(alone, reader.files):
            side, file = each.left, each.file
            if side is None:
                continue
            page, uuid = agent_url(session.session, agent_id), side.changed_by
            if not agent_id:
                holds = (
                    key
                    for key in reversed(tree.chain(leaf))
                    if any(one.envelope.uuid == uuid for one in tree.turns[key].records)
                )
                page = transcript_url(session.session, shown[next(holds, leaf)])
            yield Change(
                file=file,
                project=session.project,
                session=session.session,
                path=number,
                agent_id=agent_id,
                status=status,
                title=title,
                ended=ended,
                added=side.change.added,
                removed=side.change.removed,
                is_exact=side.is_exact,
                is_new=side.is_new,
                has_foreign_changes=side.has_foreign_changes,
                url=f"{page}#{anchor_of(uuid)}" if uuid else page,
                whole_name=whole_file(file, folder),
            )


def file_at(scope: Scope, on_progress: OnProgress, name: str, file: str) -> FileAtEnd:
    """Return `file` as the path called `name` left it.

    `name` is what `open_named` takes; `file` a whole name, or the last parts of one.
    """
    asked = open_named(
        scope,
        on_progress,
        name,
        # Sessions with backups, as files beside which to look for secrets.
        beside=lambda found: [
            replace(one, tool_results_dir=str(folder))
            for one in found.files
            if one.agent_id is None and (folder := _history_dir(one))
        ],
    )
    path = asked.path()
    by_file = _gather_touches(asked.archive, path, file)
    known = sorted(by_file)
    if not known:
        raise SourceError(
            f"path {path.number} of session {path.session!r} saw no file {file!r}",
            hint="`everyleaf files` lists what each path changed",
        )
    if len(known) > 1:
        raise SourceError(
            f"{file!r} fits {len(known)} files", hint=f"say {', '.join(known[:LISTED])}"
        )
    from everyleaf.compare.files import contents_after, tell_story  # noqa: PLC0415

    touches = by_file[known[0]]
    story = tell_story(touch for _, touch in touches)
    lost_at, now = "", None
    for at, touch in touches:
        before = touch.before if touch.before is not None else now
        now = contents_after(touch, before)
        if now is None and before is not None:
            lost_at = at
    return FileAtEnd(
        file=known[0],
        path=path,
        text=story.end,
        lost_at=lost_at if story.end is None else "",
        has_foreign_changes=story.has_foreign_changes,
    )


def _gather_touches(
    archive: Archive, path: ConversationPath, pattern: str
) -> dict[str, list[DatedTouch]]:
    """Return what records and backups say of the files that are called so, by name."""
    work, _ = reading.find_work(archive, path.session)
    reader = FamilyReader(work)
    turns = work.tree.line(work.tree.leaves[path.ref])
    folder = next(filter(None, (reader.files(turn).folder for turn in turns)), "")
    # A person types the name as it is on disk.
    mask = archive.redaction.redactor(path.session).text
    pattern = short_file(mask(pattern), folder)
    backups = _read_backups(archive, turns, pattern)
    found: dict[str, list[DatedTouch]] = {}
    for turn in turns:
        at = next((placed.envelope.timestamp for placed in turn.records), "")
        kept = [b for placed in turn.records for b in backups.get(placed.envelope.uuid, ())]
        for touch in (*kept, *reader.files(turn).touches):
            name = short_file(touch.file, folder)
            if pattern in {name, touch.file} or _fits(touch.file, pattern):
                found.setdefault(name, []).append((at, touch))
    return found


def _read_backups(
    archive: Archive, turns: Sequence[Turn], pattern: str
) -> dict[str, list[FileTouch]]:
    """Return what files held, by the uuid of the message at which it was kept."""
    found: dict[str, list[FileTouch]] = {}
    sources = {placed.source for turn in turns for placed in turn.records}
    for source in (archive.files[number] for number in sorted(sources)):
        folder = _history_dir(source)
        if folder is None:
            continue
        mask = archive.redaction.redactor(source.session).text
        texts: dict[str, str | None] = {}
        for message, tracked, name in _iter_backups(source.location):
            file = mask(tracked)
            if not _fits(f"/{file}", pattern) and not _fits(file, pattern):
                continue
            if name not in texts:
                texts[name] = _read_backup(folder / name, mask)
            touch = FileTouch(file=file, after=texts[name], is_change=False)
            if touch.after is not None:
                found.setdefault(message, []).append(touch)
    return found


def _history_dir(source: SourceFile) -> Path | None:
    """Return the folder with the backups of a session, if there is one."""
    name = source.session
    home = find_settings_dir(source.location.resolve())
    if home is None or name in {"", ".", ".."} or set(name) & set("/\\\0"):
        return None
    place = home / "file-history" / name
    return place if place.is_dir() and not place.is_symlink() else None


def _iter_backups(location: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (uuid of a message, file as tracked, its copy's name then) in file order."""
    for line in iter_lines(location):
        raw = load_strict(line.data) if b"file-history-" in line.data else None
        if raw is None or raw.get("type") not in _BACKUP_TYPES:
            continue
        message = as_text(raw.get("messageId"))
        snapshot = as_object(raw.get("snapshot")) or {}
        tracked = dict(as_object(snapshot.get("trackedFileBackups")) or {})
        file = as_text(raw.get("trackingPath"))
        if file:
            tracked[file] = raw.get("backup")
        for name, value in tracked.items():
            kept = as_text((as_object(value) or {}).get("backupFileName"))
            if message and kept and _BACKUP_NAME.fullmatch(kept):
                yield message, name, kept


def _read_backup(location: Path, mask: Callable[[str], str]) -> str | None:
    """Return the text of a backup, masked; None where it is gone, no text, or too large."""
    try:
        if location.is_symlink() or location.stat().st_size > READ_LIMIT_BYTES:
            return None
        return mask(location.read_bytes().decode())
    except (OSError, UnicodeDecodeError):
        return None
