"""Two paths of an archive, named by a person, held against each other."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import Archive, ArchiveIndex
from everyleaf.compare.comparison import Comparison, compare_chains
from everyleaf.compare.sketch import TurnSketch, sketch_turn
from everyleaf.compare.split import part_ways
from everyleaf.graph.forest import ConversationPath, PathRef, Turn
from everyleaf.opening.named import PathFinder, name_in, split_number
from everyleaf.opening.reading import FamilyReader, Scope, find_work, open_index
from everyleaf.sources.discover import named_file, no_session
from everyleaf.sources.files import Role, SourceFile
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
            known = opened.survey(_paths_of, kind=tuple[ConversationPath, ...])
            finder = PathFinder({path.ref: path for group in known.seen for path in group})
            for place in [at for at, one in enumerate(sessions) if one is None]:
                path = finder.find(asked[place][1])
                sessions += known.sessions[path.session].locations
                asked[place] = (None, f"{path.session}:{path.number}")
        archive = opened.solve(lambda f: f.session in sessions or f.place in sessions)
    finder = PathFinder(archive.description.paths)
    left, right = (
        finder.find(name if source is None else f"{name_in(archive, source)}{name}")
        for (_, name), source in zip(asked, named, strict=True)
    )
    return Attempts(left, right, compare_paths(archive, left.ref, right.ref))


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


def compare_paths(archive: Archive, left: PathRef, right: PathRef) -> Comparison:
    """Return what two kept paths share, and what each made of the rest."""
    readers: dict[str, FamilyReader] = {}
    """Session → what reads its group: each turn of it at most once."""
    chains: list[list[Turn]] = []
    for ref in (left, right):
        if ref.session not in readers:
            work, _ = find_work(archive, ref.session)
            readers |= dict.fromkeys(
                (one.session for one in work.sessions), FamilyReader(work)
            )
        tree = readers[ref.session].work.tree
        chains.append(tree.line(tree.leaves[ref]))

    def sketch(turn: Turn) -> TurnSketch:
        document = readers[turn.session].document((turn.session, turn.index))
        return sketch_turn(turn, document)

    return compare_chains(
        part_ways(*chains),
        read_files=lambda turn: readers[turn.session].files(turn),
        sketch=sketch,
    )
