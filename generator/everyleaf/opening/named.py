"""What a person means by a name, reading no more of the input than that needs.

Files are looked through without parsing them: what must stand on a line for it to matter.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import lru_cache, partial
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import Archive, solve_all
from everyleaf.errors import SourceError
from everyleaf.graph.forest import Contained, ConversationPath, PathRef, Status
from everyleaf.opening.reading import Scope, load_index, open_workers, survey
from everyleaf.records.recover import decode_line
from everyleaf.records.text import as_text
from everyleaf.sources import discover
from everyleaf.sources.files import Found, Role, SourceFile
from everyleaf.sources.lines import iter_lines
from everyleaf.sources.projects import namesakes
from everyleaf.transcript.words import squeezed
from everyleaf.workers import OnProgress, iter_done, say_nothing

LATEST = "latest"
"""Names the session in which something was said last."""
SHORTEST_UUID = 4
"""Characters of a uuid that are worth looking for in every file."""


class Asked(Struct, frozen=True):
    """What a person named, and the sessions that were read for it."""

    archive: Archive
    session: str
    number: int | None = None
    """Of a path; None: none was named."""
    uuid: str = ""
    """Of a record, where that was named instead of a session."""

    def path(self) -> ConversationPath:
        """Return the path that was named, or the last ACTIVE one of the session.

        Raises:
            SourceError: the session has no such path.
        """
        left = (one for one in self.archive.forest.sessions if one.name == self.session)
        if not any(one.files for one in left):
            raise SourceError(
                f"of session {self.session!r}, subagents alone are left",
                hint=f"`everyleaf agents {self.session}` shows them",
            )
        number = "" if self.number is None else f":{self.number}"
        return PathFinder(self.archive.description.paths).find(f"{self.session}{number}")


def open_named(
    scope: Scope,
    on_progress: OnProgress,
    name: str,
    *,
    takes_uuid: bool = False,
    beside: Callable[[Found], Sequence[SourceFile]] | None = None,
) -> Asked:
    """Return the session that `name` fits, with what it goes on from, and nothing else.

    `name` is an id or its beginning, with or without `:N`, a session's file, `latest`, or a
    title; with `takes_uuid` also the uuid of a record or its beginning. Paths are those of
    the session as it stands, also where another session holds all of one. What lies
    `beside` the files that are read is searched for secrets, too.
    """
    session, number = (name, None) if discover.named_file(name) else split_number(name)
    # Most are told by their name alone, and go on from no other session.
    found, fitting = discover.find_named(session, scope.sources, is_alone=True)
    if not fitting or any(first_parent(one.location) for one in fitting):
        found, fitting = discover.find_named(session, scope.sources)
    with open_workers(found) as executor:
        uuid = ""
        is_uuid = takes_uuid and name != LATEST and len(name) >= SHORTEST_UUID
        if not fitting and is_uuid:
            fitting, uuid = _find_record(found, name, executor)
        fitting = fitting or _left_agents(session, found)
        fitting = fitting or _pick_files(session, found, scope, on_progress)
        names = sorted({one.session for one in fitting})
        if not names:
            raise discover.no_session(name)
        if len(names) > 1 and not uuid:
            raise discover.several_fit(name, names)
        near = narrow(found, [fitting[0].session], executor)
    whole = Scope(redact=scope.redact, beside=tuple(beside(near)) if beside else ())
    with open_workers(near) as executor:
        index = load_index(near, executor, on_progress, whole)
    archive = solve_all(index, on_progress)
    return Asked(archive, name_in(archive, fitting[0]), number, uuid)


def _left_agents(name: str, found: Found) -> list[SourceFile]:
    """Return the agents of the session `name` whose own file is gone; `latest`: of any."""
    has_sessions = any(file.role is Role.SESSION for file in found.files)
    is_any = name == LATEST and not has_sessions
    agents = (file for file in found.files if file.role is Role.AGENT)
    return [one for one in agents if is_any or (name and one.session.startswith(name))]


def find_files(name: str, sources: Sequence[Path]) -> list[SourceFile]:
    """Return the session files that `name` means: by id, file, title, or the newest."""
    found, fitting = discover.find_named(name, sources, is_alone=True)
    if not fitting:
        found, fitting = discover.find_named(name, sources)
    if len(fitting) == 1 or {one.session for one in fitting} - {name}:
        return fitting
    return _pick_files(name, found, Scope(tuple(sources)), say_nothing)


def _pick_files(
    name: str, found: Found, scope: Scope, on_progress: OnProgress
) -> list[SourceFile]:
    """Return the files of the newest session, of the one `name`, else of fitting titles.

    Names and titles are as lists show them. To know them, all is read, a group at a time.
    """
    mains = [file for file in found.files if file.role is Role.SESSION]
    if name == LATEST:
        said = [(last_said(file.location), file.session) for file in mains]
        newest = max(((at, session) for at, session in said if at), default=None)
        return [file for file in mains if newest and file.session == newest[1]]
    everything = Scope(scope.places, include_archive=True, redact=scope.redact)
    # Nothing of a group is looked at: what its sessions are called, it tells anyway.
    known = survey(everything, bool, on_progress, kind=bool).sessions
    titles = {session: one.title for session, one in known.items()}
    wanted = {at for one in fitting_titles(name, titles) for at in known[one].locations}
    return [file for file in mains if file.place in wanted]


def name_in(archive: Archive, file: SourceFile) -> str:
    """Return what the session of `file` is called where names are masked."""
    places = {one.place: number for number, one in archive.files.items()}
    source = places[file.place]
    sessions = archive.forest.sessions
    held = ((one.name, each) for one in sessions for each in (*one.files, *one.agent_files))
    return next(name for name, each in held if each.source == source)


def narrow(found: Found, sessions: Iterable[str], executor: Executor) -> Found:
    """Return `found` with the files of `sessions` alone, and of what they go on from."""
    wanted = set(sessions)
    fresh = wanted
    mains = [file for file in found.files if file.role is Role.SESSION]
    while fresh:
        heads = (first_parent(one.location) for one in mains if one.session in fresh)
        parents = [above for above in heads if above]
        others = [one for one in mains if one.session not in wanted]
        locations = [one.location for one in others]
        hits = find_uuids(locations, parents, executor) if parents else []
        fresh = {others[place].session for place, _ in hits}
        wanted |= fresh
    # What a second session of a name is called depends on what the others are.
    names = {one.casefold() for one in wanted}
    files = (file for file in found.files if not names.isdisjoint(namesakes(file.session)))
    return replace(found, files=tuple(files), foreign=(), whole=found.files)


def narrow_around(
    found: Found, sessions: Iterable[str], above: Sequence[str], executor: Executor
) -> Found:
    """Return `found` with `sessions`, what they go on from, and what goes on from them.

    `above` is what `first_parent` says of each file.
    """
    held = set(sessions)
    if not held:
        return replace(found, files=())
    waiting: dict[str, str] = {
        file.session: parent
        for file, parent in zip(found.files, above, strict=True)
        if parent and file.role is Role.SESSION and file.session not in held
    }
    # Paths that begin in one of the sessions end in those that go on from it.
    fresh = held
    while fresh and waiting:
        locations = [file.location for file in found.files if file.session in fresh]
        hits = find_uuids(locations, sorted(set(waiting.values())), executor)
        uuids = {uuid for _, uuid in hits}
        fresh = {session for session, parent in waiting.items() if parent in uuids}
        waiting = {s: parent for s, parent in waiting.items() if s not in fresh}
        held |= fresh
    return narrow(found, held, executor)


def _find_record(
    found: Found, name: str, executor: Executor
) -> tuple[list[SourceFile], str]:
    """Return the files with the record `name`, copies and agents last, and its uuid."""
    hits = find_uuids([file.location for file in found.files], [name], executor)
    uuids = sorted({uuid for _, uuid in hits})
    if not uuids:
        return [], ""
    if len(uuids) > 1 and name not in uuids:
        raise discover.several_fit(name, uuids, "records")
    uuid = name if name in uuids else uuids[0]
    files = [found.files[place] for place, one in hits if one == uuid]
    # A copy says in its first record where it is from.
    files.sort(key=lambda file: bool(_first_record(file.location).get("forkedFrom")))
    files.sort(key=lambda file: file.role is not Role.SESSION)
    return files, uuid


_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]*)"')
BLOCK_BYTES = 32 * 1024 * 1024
_TAIL_BYTES = 64 * 1024
_HEAD_LINES = 200
"""A file's first tree record stands among these."""


def iter_blocks(location: Path) -> Iterator[bytes]:
    """Yield the whole file in blocks of whole lines: memory is that of a few blocks.

    Raises:
        OSError: the file cannot be read.
    """
    with location.open("rb") as file:
        # Asking for no more than there is saves making room for a whole block.
        size_bytes = os.fstat(file.fileno()).st_size
        while block := file.read(min(BLOCK_BYTES, size_bytes + 1)):
            yield block if block.endswith(b"\n") else block + file.readline()


def find_uuids(
    locations: Sequence[Path], beginnings: Sequence[str], executor: Executor
) -> list[tuple[int, str]]:
    """Return (index in `locations`, uuid) of records whose uuid begins so.

    Sorted, each once. The files are read once, none of their lines is parsed.
    """
    done = iter_done(executor, partial(_uuids_in, tuple(beginnings)), locations)
    return sorted({(place, uuid) for place, uuids in done for uuid in uuids})


def _uuids_in(beginnings: Sequence[str], location: Path) -> list[str]:
    # One pass for all of them: looking for one after another takes hours where many files
    # go on from others.
    finder = BytesAhoCorasick([text.encode("utf-8", "replace") for text in beginnings])
    found: list[str] = []
    try:
        for data in iter_blocks(location):
            for _, at, _ in finder.find_matches_as_indexes(data):
                # Whether a key and a colon stand before it is seen on few bytes.
                key = data.rfind(b'"uuid"', max(0, at - 40), at)
                match = _UUID.match(data, key) if key >= 0 else None
                if match and match.start(1) == at:
                    found.append(match[1].decode("utf-8", "replace"))
    except OSError:
        return []  # Whoever reads the file for what it says reports it.
    return found


def find_texts(
    locations: Sequence[Path], texts: Iterable[bytes], executor: Executor
) -> list[tuple[bool, str]]:
    """Return of each file whether it holds one of `texts`, and what `first_parent` says.

    Each file is looked through once; of its lines, only the first ones are parsed.
    """
    done = iter_done(executor, partial(_holds, tuple(sorted(texts))), locations)
    return [held for _, held in sorted(done)]


def _holds(texts: tuple[bytes, ...], location: Path) -> tuple[bool, str]:
    finder = _finder(texts)
    try:
        blocks = iter_blocks(location)
        is_there = any(finder.find_matches_as_indexes(block) for block in blocks)
    except OSError:
        return False, ""  # Whoever reads the file for what it says reports it.
    return is_there, first_parent(location)


@lru_cache(maxsize=1)
def _finder(texts: tuple[bytes, ...]) -> BytesAhoCorasick:
    return BytesAhoCorasick(texts)


def written_forms(text: str) -> set[bytes]:
    r"""Return `text` as JSON may say it, a file's name also as Windows has it.

    >>> sorted(written_forms("a/b"))
    [b'a/b', b'a\\/b', b'a\\\\b']
    """
    written = {json.dumps(text, ensure_ascii=only)[1:-1] for only in (True, False)}
    forms = {one.replace("/", slash) for one in written for slash in ("/", "\\/", "\\\\")}
    return {one.encode("utf-8", "replace") for one in forms}


def first_parent(location: Path) -> str:
    """Return the parent that the first tree record of a file names; empty: none.

    Such a file goes on from another one.
    """
    raw = _first_record(location)
    return as_text(raw.get("parentUuid") or raw.get("logicalParentUuid")) or ""


def _first_record(location: Path) -> dict[str, object]:
    """Return the first tree record of a file; empty: its first lines hold none."""
    try:
        for line in iter_lines(location):
            if line.number > _HEAD_LINES:
                break
            for found in decode_line(line.data).objects:
                if as_text(found.raw.get("uuid")) and "parentUuid" in found.raw:
                    return found.raw
    except OSError:
        pass  # Whoever reads the file for what it says reports it.
    return {}


def last_said(location: Path) -> str:
    """Return when the last prompt or reply of a session was said; empty: it is not told.

    Reads the file from its end, no more of it than that needs.
    """
    try:
        with location.open("rb") as file:
            size_bytes = os.fstat(file.fileno()).st_size
            tail_bytes = _TAIL_BYTES
            while True:
                start = max(size_bytes - tail_bytes, 0)
                file.seek(start)
                # What it begins with is a part of a line, most likely.
                lines = file.read().split(b"\n")[1 if start else 0 :]
                for line in reversed(lines):
                    if said := _said_at(line):
                        return said
                if not start:
                    return ""
                tail_bytes *= 8
    except OSError:
        return ""  # Whoever reads the file for what it says reports it.


def _said_at(line: bytes) -> str:
    for found in decode_line(line).objects:
        raw = found.raw
        if raw.get("type") in {"user", "assistant"} and not raw.get("isSidechain"):
            return as_text(raw.get("timestamp")) or ""
    return ""


def fitting_titles(name: str, titles: Mapping[str, str]) -> list[str]:
    """Return the sessions called `name`, else so titled, else those with it in a title.

    The beginning of what they are called will do; in titles, case and blanks do not count.

    >>> fitting_titles("parser", {"a": "Parser", "b": "The parser"})
    ['a']
    """
    wanted = squeezed(name).casefold()
    folded = {one: squeezed(title).casefold() for one, title in sorted(titles.items())}
    fitting = [session for session, title in folded.items() if wanted and wanted in title]
    whole = [session for session in fitting if folded[session] == wanted]
    return _fitting(name, titles) or whole or fitting


class PathFinder:
    """Finds kept paths by the names that people give them."""

    def __init__(self, paths: Mapping[PathRef, ConversationPath]) -> None:
        """Look among the kept `paths` of an archive, and at what each contains."""
        self._paths = paths
        contained = {copy.path: copy for one in paths.values() for copy in one.contains}
        self._known: dict[PathRef, ConversationPath | Contained] = {**contained, **paths}
        self._refs = sorted(self._known)
        self._sessions = sorted({ref.session for ref in self._refs})

    def find(self, name: str) -> ConversationPath:
        """Return the path that `name` fits: `SESSION`, `SESSION:N` or a leaf's uuid.

        Of an id or a uuid the beginning is enough; `latest` is the newest session, and a
        title or a part of one will do where nothing else fits. A session without a number
        stands for its last ACTIVE path; a path that another one contains, for that one.

        Raises:
            SourceError: `name` fits no path, or several.
        """
        session, number = split_number(name)
        sessions = _fitting(session, self._sessions)
        is_leaf = number is None and sessions != [name]
        leaves = self._leaves(name) if is_leaf else []
        if not sessions and not leaves:
            sessions = self._called(session)
        if not sessions and not leaves:
            raise discover.no_session(name)
        if len(sessions) + len(leaves) > 1:
            candidates = [*sessions, *(f"{ref.session}:{ref.number}" for ref in leaves)]
            raise SourceError(
                f"{name!r} fits {len(candidates)} paths",
                hint=f"say {discover.listed(candidates)}",
            )
        return self._of_session(sessions[0], number) if sessions else self._kept(leaves[0])

    def _called(self, name: str) -> list[str]:
        """Return the newest session if that is asked for, else those with such a title."""
        if name == LATEST:
            times = [(path.ended, path.session) for path in self._paths.values()]
            return [max(times)[1]] if times else []
        titles = {ref.session: path.title for ref, path in self._paths.items()}
        return fitting_titles(name, titles)

    def _of_session(self, session: str, number: int | None) -> ConversationPath:
        refs = [ref for ref in self._refs if ref.session == session]
        if number is None:
            active = [ref for ref in refs if self._known[ref].status is Status.ACTIVE]
            return self._kept((active or refs)[-1])
        if PathRef(session, number) not in refs:
            numbers = discover.listed([str(ref.number) for ref in refs])
            raise SourceError(
                f"session {session!r} has no path {number}", hint=f"it has {numbers}"
            )
        return self._kept(PathRef(session, number))

    def _kept(self, ref: PathRef) -> ConversationPath:
        """Return a path, or the one that holds all of it."""
        known = self._known[ref]
        return self._paths[known.by] if isinstance(known, Contained) else known

    def _leaves(self, beginning: str) -> list[PathRef]:
        """Return the paths that end in a record whose uuid begins like this."""
        known = self._known.items()
        fitting = (ref for ref, one in known if one.leaf_uuid.startswith(beginning))
        return sorted({self._kept(ref).ref for ref in fitting}) if beginning else []


def split_number(name: str) -> tuple[str, int | None]:
    """Return a name without its `:N`, and N; None where there is none.

    >>> split_number("66e54b32:2"), split_number("66e54b32")
    (('66e54b32', 2), ('66e54b32', None))
    """
    session, colon, number = name.rpartition(":")
    is_number = colon and number.isascii() and number.isdigit()
    return (session, int(number)) if is_number and session else (name, None)


def _fitting(beginning: str, names: Iterable[str]) -> list[str]:
    """Return the names that begin so, or the one that is just that."""
    found = [name for name in names if beginning and name.startswith(beginning)]
    return [beginning] if beginning in found else found
