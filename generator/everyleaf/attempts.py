"""Two paths of an archive, named by a person, held against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.comparison import compare_chains
from everyleaf.compare.naming import PathFinder, split_number
from everyleaf.compare.sketch import sketch_turn
from everyleaf.compare.split import part_ways
from everyleaf.compare.touches import read_turn_files
from everyleaf.graph.forest import ConversationPath
from everyleaf.graph.views import Views
from everyleaf.opening.groups import open_index
from everyleaf.opening.named import name_in
from everyleaf.records.load import RecordFiles
from everyleaf.sources.discover import named_file, no_session
from everyleaf.sources.files import Role
from everyleaf.transcript.build import build_turn
from everyleaf.transcript.results import open_spills

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from everyleaf.archive import Archive, ArchiveIndex
    from everyleaf.compare.comparison import Comparison
    from everyleaf.compare.sketch import TurnSketch
    from everyleaf.compare.touches import TurnFiles
    from everyleaf.graph.forest import PathRef, Turn
    from everyleaf.model import Envelope
    from everyleaf.opening.reading import Scope
    from everyleaf.records.schema import AnyRecord
    from everyleaf.sources.files import SourceFile
    from everyleaf.transcript.document import Task, TurnDocument
    from everyleaf.workers import OnProgress


class Attempts(Struct, frozen=True):
    """Two paths and what sets them apart."""

    left: ConversationPath
    right: ConversationPath
    comparison: Comparison


def compare_attempts(
    scope: Scope, on_progress: OnProgress, names: tuple[str, str]
) -> Attempts:
    """Return the comparison of the two paths in `scope` that `names` name.

    A name is what `PathFinder.find` takes, or a session's file with or without `:N`. Where
    there are no sources, the files are all that is looked at; without files, too, what
    `everyleaf build` looks at. Solved are the groups of the two alone, where ids name them.

    Raises:
        RedactError: Secrets cannot be looked for.
        SourceError: The input cannot be read, or a name fits no path, or several.
    """
    asked = [_split_file(name) for name in names]
    files = [file for file, _ in asked if file is not None]
    others = scope.places if len(files) < len(names) else scope.sources
    places = tuple(dict.fromkeys([*others, *files]))
    whole = replace(scope, sources=places, include_archive=True)
    with open_index(whole, on_progress) as opened:
        index = opened.index
        named = [None if file is None else _source(index, file) for file, _ in asked]
        sessions = [
            _session_of(index, name) if source is None else source.session
            for (_, name), source in zip(asked, named, strict=True)
        ]
        if None in sessions:
            seen = opened.survey(_paths_of, kind=tuple[ConversationPath, ...]).seen
            finder = PathFinder({path.ref: path for group in seen for path in group})
            for place, session in enumerate(sessions):
                if session is None:
                    path = finder.find(asked[place][1])
                    sessions[place] = path.session
                    asked[place] = (None, f"{path.session}:{path.number}")
        archive = opened.solve(lambda file: file.session in sessions)
    finder = PathFinder(archive.description.paths)
    left, right = (
        finder.find(name if source is None else f"{name_in(archive, source)}{name}")
        for (_, name), source in zip(asked, named, strict=True)
    )
    return Attempts(left, right, PathReader(archive).compare(left.ref, right.ref))


def _paths_of(archive: Archive) -> tuple[ConversationPath, ...]:
    return tuple(archive.description.paths.values())


def _session_of(index: ArchiveIndex, name: str) -> str | None:
    """Return the session whose id `name` gives and nothing else can mean; None: unknown."""
    session, number = split_number(name)
    held = {one.file.session for one in index.files.values() if one.file.agent_id is None}
    fitting = [one for one in held if one.startswith(session)]
    is_sure = len(fitting) == 1 and (number is not None or fitting == [name])
    return fitting[0] if is_sure else None


def _split_file(name: str) -> tuple[Path | None, str]:
    """Return the session's file that `name` begins with, if one does, and what is left."""
    if file := named_file(name):
        return file, ""
    text, number = split_number(name)
    file = named_file(text)
    return file, name if file is None else f":{number}"


def _source(index: ArchiveIndex, file: Path) -> SourceFile:
    for one in index.files.values():
        if one.file.role is Role.SESSION and one.file.location.samefile(file):
            return one.file
    raise no_session(str(file))


class PathReader:
    """Reads the turns and the records of paths of an archive."""

    def __init__(self, archive: Archive) -> None:
        """Begin with nothing read; cost: linear in the records of `archive`."""
        self._forest = archive.forest
        self._files = archive.files
        self._records = RecordFiles()
        self._views = Views(archive.forest.units, archive.forest.copies)
        self._leaves = {self._forest.refs[leaf]: leaf for leaf in self._forest.kept}
        self._redaction = archive.redaction
        self._withdrawn = frozenset(
            uuid
            for tree in archive.forest.trees
            for record in tree.records
            for uuid in record.withdraws
        )

    def turns(self, ref: PathRef) -> list[Turn]:
        """Return the turns of a kept path, from its root on."""
        chain = list(self._forest.units.up(self._leaves[ref]))
        return [self._views.turn(unit_id) for unit_id in reversed(chain)]

    def load(self, source: int, envelopes: Sequence[Envelope]) -> Sequence[AnyRecord]:
        """Return the records of `envelopes`, in their order."""
        file = self._files[source]
        redactor = self._redaction.redactor(file.session)
        return self._records.load(file.location, envelopes, redactor.record)

    def compare(self, left: PathRef, right: PathRef) -> Comparison:
        """Return what two kept paths share, and what each made of the rest."""
        parting = part_ways(self.turns(left), self.turns(right))
        return compare_chains(parting, read_files=self.files, sketch=self.sketch)

    def files(self, turn: Turn) -> TurnFiles:
        """Return what `turn` says about files."""
        return read_turn_files(turn, self.load)

    def document(self, turn: Turn, tasks: tuple[Task, ...] = ()) -> TurnDocument:
        """Return the document of `turn`; `tasks` is the list after the turn before."""
        file = self._files[turn.source]
        redactor = self._redaction.redactor(file.session)
        spilled = open_spills(file.tool_results_dir, redactor.text)
        return build_turn(
            turn,
            self.load,
            read_spilled=spilled,
            tasks=tasks,
            withdrawn=self._withdrawn,
        )

    def sketch(self, turn: Turn) -> TurnSketch:
        """Return the sketch of `turn`."""
        return sketch_turn(turn, self.document(turn))
