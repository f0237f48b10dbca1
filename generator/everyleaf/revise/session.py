"""One session's file, read and solved on its own: what a change is planned from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.errors import SourceError
from everyleaf.graph.describe import describe
from everyleaf.graph.solve import solve
from everyleaf.model import CONVERSATION
from everyleaf.opening.picking import find_files
from everyleaf.records.index import index_file
from everyleaf.records.recover import read_object
from everyleaf.sources.content import Head, is_array
from everyleaf.sources.naming import no_session, several_sessions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.graph.describe import Description
    from everyleaf.graph.solve import Forest
    from everyleaf.model import Envelope, SessionRecords
    from everyleaf.sources.files import SourceFile


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
        try:
            found = location.stat()
        except OSError as error:
            raise SourceError(f"cannot read {str(location)!r}: {error.strerror}") from error
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
    description: Description

    @property
    def conversation(self) -> list[Envelope]:
        """Return the records of the main conversation, in the order of the file."""
        return [record for record in self.records.records if not record.is_sidechain]

    @property
    def active(self) -> frozenset[int]:
        """Return the numbers of the paths that are ACTIVE."""
        return active_paths(self.forest)

    def last_uuid(self) -> str:
        """Return the uuid of the last thing said in the file, whatever branch it is on.

        Raises:
            SourceError: the record has no uuid of its own.
        """
        tree = self.forest.trees[0]
        said = [at for at, kind in enumerate(tree.kinds) if kind in CONVERSATION]
        return self._named(tree.records[said[-1]] if said else self.conversation[-1])

    def last_uuid_of(self, leaf: int) -> str:
        """Return the uuid of the last thing said on the path that ends in `leaf` (a gid).

        Raises:
            SourceError: the record has no uuid of its own.
        """
        tree = self.forest.trees[0]
        for gid in self.forest.atlas.up(leaf):
            for at in reversed(self.forest.atlas.members(gid)):
                if tree.kinds[at] in CONVERSATION:
                    return self._named(tree.records[at])
        return self._named(tree.records[self.forest.atlas.members(leaf)[-1]])

    def leaves_below(self, position: int) -> list[int]:
        """Return the leaves (gid) of the paths that hold the record at `position`."""
        atlas = self.forest.atlas
        waiting, leaves = [atlas.gid_of(self.forest.trees[0], position)], list[int]()
        while waiting:
            gid = waiting.pop()
            waiting += atlas.children(gid)
            if gid in self.forest.refs:
                leaves.append(gid)
        return leaves

    def paths_of(self, position: int) -> list[int]:
        """Return the numbers of the paths that hold the record at `position`."""
        refs = self.forest.refs
        return sorted(refs[leaf].number for leaf in self.leaves_below(position))

    def words_at(self, position: int) -> Envelope:
        """Return the last record with words at `position` or above it, else that one."""
        tree, atlas = self.forest.trees[0], self.forest.atlas
        for gid in atlas.up(atlas.gid_of(tree, position)):
            for at in reversed(atlas.members(gid)):
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


def active_paths(forest: Forest) -> frozenset[int]:
    """Return the numbers of the ACTIVE paths of a forest that holds one session."""
    verdicts = forest.verdicts.items()
    return frozenset(forest.refs[leaf].number for leaf, said in verdicts if said.is_active)


def find_session(name: str, sources: Sequence[Path]) -> SourceFile:
    """Return the file of the session that `name` means: see `find_files`.

    Looks in `sources`, or else where `everyleaf build` looks.

    Raises:
        SourceError: nothing fits, or several files do.
    """
    fitting = find_files(name, sources, on_progress=lambda _stage, _done, _total: None)
    if not fitting:
        raise no_session(name)
    if len(fitting) > 1:
        is_id = len({one.session for one in fitting}) == 1
        names = [str(one.location) if is_id else one.session for one in fitting]
        raise several_sessions(name, names)
    return fitting[0]


def open_session(source: SourceFile) -> OpenSession:
    """Return the session in `source`, read and solved as if it stood alone.

    Raises:
        SourceError: the file cannot be read, or holds no conversation.
    """
    location = Path(os.path.realpath(source.location))
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
    forest = solve([records])
    return OpenSession(
        name=source.session,
        source=source,
        location=location,
        state=state,
        records=records,
        forest=forest,
        description=describe(forest),
    )
