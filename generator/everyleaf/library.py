"""everyleaf from Python: read an archive, list its paths, read, compare, publish them.

What these functions give is masked as pages are, unless `redact` says otherwise.

    >>> import everyleaf
    >>> archive = everyleaf.load_archive("examples/archive")
    >>> [path.label for path in everyleaf.paths(archive) if path.session[:4] == "79ed"][0]
    'Sort it by aisle.'
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from everyleaf.archive import Archive
from everyleaf.attempts import PathReader
from everyleaf.build import build_site as build
from everyleaf.compare.comparison import Comparison
from everyleaf.compare.naming import PathFinder
from everyleaf.config import REDACT_ALL, BuildOptions, RedactOptions
from everyleaf.errors import EveryleafError
from everyleaf.graph.forest import ConversationPath
from everyleaf.opening.reading import find_places, load, open_workers
from everyleaf.report import BuildReport

if TYPE_CHECKING:
    import os

    from everyleaf.transcript.document import Task, TurnDocument
    from everyleaf.workers import OnProgress

__all__ = [
    "Archive",
    "BuildOptions",
    "BuildReport",
    "Comparison",
    "ConversationPath",
    "EveryleafError",
    "RedactOptions",
    "Transcript",
    "build_site",
    "compare",
    "load_archive",
    "paths",
    "transcript",
]

PathName: TypeAlias = "ConversationPath | str"
"""A path, or what names one: `SESSION` or `SESSION:N`; a prefix of the id is enough."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The neutral document of one path: what HTML, Markdown and JSON are drawn from."""

    path: ConversationPath
    turns: tuple[TurnDocument, ...]
    """From the root on."""


def load_archive(
    *sources: str | os.PathLike[str],
    redact: RedactOptions = REDACT_ALL,
    include_archive: bool = False,
    strict_paths: bool = False,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> Archive:
    """Return the sessions of `sources`, read and solved; without any, those of the CLI.

    Args:
        sources: What `everyleaf build` takes: folders, session files, recordings, exports.
        redact: What is masked in all that is read from the archive;
            `RedactOptions(is_on=False)` looks for nothing.
        include_archive: Read sessions in `_archive` folders, too.
        strict_paths: The raw graph: a path for each leaf uuid.
        jobs: Worker processes; 0: one a core. More than one needs a main module that can
            be imported again, as `multiprocessing` says.
        on_progress: Told (stage, done, total).

    Raises:
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
    """
    places = [Path(source) for source in sources]
    found = find_places(places, include_archive=include_archive)
    tell = on_progress or _say_nothing
    with open_workers(found, jobs) as executor:
        return load(found, executor, tell, redact=redact, is_strict=strict_paths)


def paths(archive: Archive) -> tuple[ConversationPath, ...]:
    """Return every unique path of `archive`, by session and number.

    >>> archive = load_archive("examples/archive")
    >>> sum(path.status == "ABANDONED" for path in paths(archive)), len(paths(archive))
    (6, 19)
    """
    found = archive.description.paths
    return tuple(found[ref] for ref in sorted(found))


def transcript(archive: Archive, path: PathName) -> Transcript:
    """Return what was said and done on a path, entry by entry.

    Reads the records of the path from their files.

    >>> told = transcript(load_archive("examples/archive"), "7348294b")
    >>> [type(entry).__name__ for turn in told.turns for entry in turn.entries]
    ['Prompt', 'Reply']

    Raises:
        SourceError: no path is named so, or a file was changed meanwhile.
    """
    found, reader = _find(archive, path), PathReader(archive)
    turns: list[TurnDocument] = []
    tasks: tuple[Task, ...] = ()
    for turn in reader.turns(found.ref):
        turns.append(reader.document(turn, tasks))
        tasks = turns[-1].tasks
    return Transcript(found, tuple(turns))


def compare(archive: Archive, left: PathName, right: PathName) -> Comparison:
    """Return what two paths share, and what each made of the rest.

    >>> archive = load_archive("examples/archive")
    >>> left = next(path for path in paths(archive) if path.status == "ABANDONED")
    >>> comparison = compare(archive, left, f"{left.session}:{left.of}")
    >>> comparison.shared, comparison.left.messages, comparison.right.messages
    (8, 4, 29)

    Raises:
        SourceError: no path is named so, or a file was changed meanwhile.
    """
    one, other = _find(archive, left), _find(archive, right)
    return PathReader(archive).compare(one.ref, other.ref)


def build_site(
    options: BuildOptions, *, on_progress: OnProgress | None = None
) -> BuildReport:
    """Build the site that `options` ask for, and return what was done.

    Raises:
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
        OutputError: the output folder is not ours, or cannot be written.
        ThemeError: the theme is missing or broken.
    """
    return build(options, on_progress=on_progress or _say_nothing)


def _find(archive: Archive, path: PathName) -> ConversationPath:
    if isinstance(path, ConversationPath):
        return path
    return PathFinder(archive.description.paths).find(path)


def _say_nothing(_stage: str, _done: int, _total: int) -> None:
    """Take a report of progress that nobody asked for."""
