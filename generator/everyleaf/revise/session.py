"""One session's file, read and solved on its own: may it be written to, where it resumes.

The second half says what Claude Code makes of it: where it resumes, what its list says.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import psutil
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.errors import SourceError, refused
from everyleaf.graph.solve import Forest, solve
from everyleaf.graph.trees import Tree
from everyleaf.model import CONVERSATION, Envelope, Kind, MarkerKind, SessionRecords
from everyleaf.opening.named import find_files
from everyleaf.records.index import index_file
from everyleaf.records.recover import read_object
from everyleaf.records.text import as_list, as_object, as_text, one_line
from everyleaf.sources import discover
from everyleaf.sources.files import SourceFile
from everyleaf.sources.lines import Head, is_array
from everyleaf.sources.unpacked import is_unpacked

WHOLE_BYTES = 5 << 20
"""Of a larger file nothing before its last compaction is loaded (`format.md` §4.2)."""
LISTED_BYTES = 64 << 10
"""How much of a file's beginning and end the list looks at for titles (`format.md` §5)."""
SETTLED_SECONDS = 0.5
"""How long a file must keep still before it is written to."""


class FileState(Struct, frozen=True):
    """How a file looks from outside; another state means that someone wrote to it."""

    size_bytes: int
    mtime_ns: int
    mode: int

    @classmethod
    def of(cls, location: Path) -> FileState:
        """Return the state of the file at `location`.

        Raises:
            SourceError: it is not there, or may not be looked at.
        """
        with refused(SourceError, f"cannot read {str(location)!r}"):
            found = location.stat()
        return cls(found.st_size, found.st_mtime_ns, found.st_mode & 0o777)


class OpenSession(Struct, frozen=True):
    """A session's own file and what is in it."""

    name: str
    source: SourceFile
    location: Path
    """The file itself, not a link to it."""
    state: FileState
    """As it was before it was read."""
    records: SessionRecords
    forest: Forest

    @property
    def tree(self) -> Tree:
        """Return the records of the main conversation, solved."""
        return self.forest.trees[0]

    @property
    def conversation(self) -> list[Envelope]:
        """Return the records of the main conversation, in the order of the file."""
        return [record for record in self.records.records if not record.is_sidechain]

    @property
    def active(self) -> frozenset[int]:
        """Return the numbers of the paths that are ACTIVE."""
        verdicts, refs = self.forest.verdicts, self.forest.refs
        active = (leaf for leaf, found in verdicts.items() if found.is_active)
        return frozenset(refs[leaf].number for leaf in active)

    def last_uuid(self) -> str:
        """Return the uuid of the last thing said in the file, whatever branch it is on.

        Raises:
            SourceError: the record has no uuid of its own.
        """
        tree = self.tree
        said = [at for at, kind in enumerate(tree.kinds) if kind in CONVERSATION]
        return self._named(tree.records[said[-1]] if said else self.conversation[-1])

    def last_uuid_of(self, leaf: int) -> str:
        """Return the uuid of the last thing said on the path to the unit `leaf`.

        Raises:
            SourceError: the record has no uuid of its own.
        """
        units = self.forest.units
        said, last = units.conversation_at(leaf), units.members(leaf)[-1]
        return self._named(self.tree.records[last] if said < 0 else units.last_said(said))

    def leaves_below(self, position: int) -> list[int]:
        """Return the leaves (unit id) of the paths that hold the record at `position`."""
        units = self.forest.units
        waiting, leaves = [units.id_of(self.tree, position)], list[int]()
        while waiting:
            unit_id = waiting.pop()
            waiting += units.children(unit_id)
            if unit_id in self.forest.refs:
                leaves.append(unit_id)
        return leaves

    def words_at(self, position: int) -> Envelope:
        """Return the last record with words at `position` or above it, else that one."""
        tree, units = self.tree, self.forest.units
        for unit_id in units.up(units.id_of(tree, position)):
            for at in reversed(units.members(unit_id)):
                if at <= position and tree.is_conversation[at] and tree.records[at].words:
                    return tree.records[at]
        return tree.records[position]

    def _named(self, record: Envelope) -> str:
        if read_object(self.location, record).get("uuid") != record.uuid:
            raise SourceError(
                f"the record in line {record.line} has no uuid to be named by",
                hint="exports of old versions and streams cannot be renamed or switched",
            )
        return record.uuid


def find_session(name: str, sources: Sequence[Path]) -> SourceFile:
    """Return the file of the session that `name` means: see `find_files`.

    Looks in `sources`, or else where `everyleaf build` looks.

    Raises:
        SourceError: nothing fits, or several files do.
    """
    fitting = find_files(name, sources)
    if not fitting:
        raise discover.no_session(name)
    if len(fitting) > 1:
        same = Counter(one.session for one in fitting)
        names = [one.session if same[one.session] == 1 else one.place for one in fitting]
        raise discover.several_fit(name, names)
    return fitting[0]


def open_session(source: SourceFile) -> OpenSession:
    """Return the session in `source`, read and solved as if it stood alone.

    Raises:
        SourceError: the file cannot be read, or holds no conversation.
    """
    if is_unpacked(source.location):
        raise SourceError(
            f"{source.session!r} is in a store or an archive, in which nothing is changed",
            hint="`everyleaf keep STORE --restore` puts it back where it can be",
        )
    location = Path(os.path.realpath(source.place))
    if source.is_capture or is_array(Head(location)):
        raise SourceError(
            f"{source.session!r} is a recording or an export, which the CLI cannot resume",
            hint="name the session's own .jsonl file",
        )
    state = FileState.of(location)
    found = replace(source, size_bytes=state.size_bytes)
    records = index_file(found, source_index=0).records
    if not any(record for record in records.records if not record.is_sidechain):
        raise SourceError(
            f"session {source.session!r} holds no conversation",
            hint="there is nothing in it that a title or a branch could name",
        )
    return OpenSession(
        name=source.session,
        source=source,
        location=location,
        state=state,
        records=records,
        forest=solve([records]),
    )


def check_idle(session: OpenSession) -> None:
    """Return once the session's file has kept still for `SETTLED_SECONDS`.

    Raises:
        SourceError: its size or time moved since it was read, or a process that lives says
            (in `sessions/<pid>.json`, `format.md` §1) that it works on the session.
    """
    own = discover.find_settings_dir(session.location) or discover.default_inputs()
    for settings_dir in dict.fromkeys([own, discover.default_inputs()]):
        for pid in _listed(settings_dir / "sessions", session.name):
            if psutil.pid_exists(pid):
                raise SourceError(
                    f"session {session.name!r} is open in process {pid}",
                    hint="leave it there (/exit) and try again",
                )
    time.sleep(SETTLED_SECONDS)
    check_unmoved(session)


def check_writable(session: OpenSession) -> None:
    """Return if the session's file may be written to, and looks as when it was read.

    Replacing a file asks for no leave; a person's wish that it stays would be lost.

    Raises:
        SourceError: nobody may, as its mode says, or its size or time has moved.
    """
    if not session.state.mode & 0o222:
        raise SourceError(
            f"the file of session {session.name!r} is read-only",
            hint="give yourself leave to write to it, if it is meant to change",
        )
    check_unmoved(session)


def check_unmoved(session: OpenSession) -> None:
    """Return if the session's file looks as it did when it was read.

    Raises:
        SourceError: its size or time has moved.
    """
    if FileState.of(session.location) != session.state:
        raise SourceError(
            f"session {session.name!r} is being written to",
            hint="try again when nothing works on it",
        )


def _listed(registry: Path, session: str) -> Iterator[int]:
    """Yield the ids of the processes that a live registry lists for `session`."""
    for entry in sorted(registry.glob("*.json")):
        told = _object_in(entry)
        pid = str(told.get("pid", entry.stem))
        if told.get("sessionId") == session and pid.isdecimal():
            yield int(pid)


def _object_in(file: Path) -> dict[str, object]:
    try:
        return as_object(json.loads(file.read_bytes())) or {}
    except (OSError, ValueError):
        return {}  # Not there, being written, or nothing of the CLI's.


def resumed_at(session: OpenSession) -> int | None:
    """Return the position of the record that a resume ends with; None: it begins anew.

    The last record of the file (or, if that is a note, what it hangs from), unless the last
    `last-prompt` that has a leaf names one that this does not hang from. An explicit one is
    taken as it is until something is said.

    Source: 2.1.197 and 2.1.330, driven on files made for it; 2.1.122 does the same, 2.1.118
    reads no pointers. No version lets a `summary` decide.
    """
    tree = session.tree
    tip = _said_at(tree, len(tree.records) - 1)
    last = (one for one in session.records.markers if one.kind is MarkerKind.LAST_PROMPT)
    pointers = [one for one in last if one.leaf_uuid or one.is_explicit]
    if not pointers:
        return tip
    pointer = pointers[-1]
    is_outrun = any(
        record.line > pointer.line and kind in CONVERSATION
        for record, kind in zip(tree.records, tree.kinds, strict=True)
    )
    is_pinned = pointer.is_explicit and not is_outrun
    if pointer.leaf_uuid is None:
        return None if is_pinned else tip
    named = tree.index.get(pointer.leaf_uuid)
    if named is None or not is_loaded(session, named):
        return tip
    units = session.forest.units
    is_above = units.id_of(tree, named) in units.up(units.id_of(tree, tip))
    return tip if is_above and not is_pinned else _said_at(tree, named)


def is_loaded(session: OpenSession, position: int) -> bool:
    """Return whether a resume can reach the record at `position`.

    It cannot where the file's last compaction names messages that it kept, one before
    did so, or the file is large: then only what it kept is left of what came before.

    Source: as for `resumed_at`; a compaction that names a message which is not there
    leaves all as it is.
    """
    tree = session.tree
    boundaries = [at for at, kind in enumerate(tree.kinds) if kind is Kind.BOUNDARY]
    if not boundaries or position >= boundaries[-1]:
        return True
    kept = [_kept(session, tree.records[at]) for at in boundaries]
    last = kept[-1]
    if last is None:
        is_large = session.state.size_bytes > WHOLE_BYTES
        return not is_large and all(each is None for each in kept)
    if any(tree.index.get(uuid, len(tree.records)) > boundaries[-1] for uuid in last):
        return True
    return tree.records[position].uuid in last


def listed_title(session: OpenSession) -> str:
    """Return how Claude Code's list calls the session.

    Source: as for `resumed_at`; the title in a file of its own is what 2.1.330 reads.
    """
    size_bytes = session.state.size_bytes
    beside = session.source.location.with_suffix("") / "custom-title.json"
    with session.location.open("rb") as file:
        head = file.read(LISTED_BYTES)
        file.seek(max(0, size_bytes - LISTED_BYTES))
        tail = file.read()
    texts = (
        _last_text(tail, "custom-title", "customTitle")
        or as_text(_object_in(beside).get("customTitle"))
        or _last_text(head, "custom-title", "customTitle")
        or _last_text(tail, "ai-title", "aiTitle")
        or _last_text(head, "ai-title", "aiTitle")
        or _last_text(tail, "last-prompt", "lastPrompt")
    )
    said = zip(session.tree.records, session.tree.kinds, strict=True)
    first = next((each.words for each, kind in said if kind is Kind.PROMPT), "")
    return one_line(texts) or first


def _said_at(tree: Tree, position: int) -> int:
    """Return the nearest record at or above `position` that is no note, else that one."""
    at = position
    while at >= 0 and not tree.is_conversation[at]:
        at = tree.parents[at]
    return position if at < 0 else at


def _kept(session: OpenSession, boundary: Envelope) -> list[str] | None:
    """Return the messages that a compaction says it kept; None: it says nothing of it."""
    raw = read_object(session.location, boundary)
    told = as_object(raw.get("compactMetadata")) or {}
    kept = as_object(told.get("preservedMessages"))
    if kept is not None:
        return [text for item in as_list(kept.get("uuids")) if (text := as_text(item))]
    ends = as_object(told.get("preservedSegment"))
    if ends is None:
        return None
    return [text for key in ("headUuid", "tailUuid") if (text := as_text(ends.get(key)))]


def _last_text(part: bytes, kind: str, key: str) -> str:
    """Return what the last record of `kind` in a part of a file says, or nothing."""
    said = ""
    for line in part.splitlines():
        if kind.encode() in line:
            try:
                raw = as_object(json.loads(line)) or {}
            except ValueError:
                continue  # Cut through, where the part begins or ends.
            if raw.get("type") == kind:
                said = as_text(raw.get(key)) or said
    return said
