"""everyleaf from Python: read an archive; list, read, search, compare, publish its paths.

What these functions give is masked as pages are, unless `redact` says otherwise.

    >>> import everyleaf
    >>> archive = everyleaf.load_archive("examples/archive")
    >>> [path.label for path in everyleaf.paths(archive) if path.session[:4] == "79ed"][0]
    'Sort it by aisle.'
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias, Unpack

from msgspec import Struct

from everyleaf import config
from everyleaf.archive import Archive, Choice, solve_all
from everyleaf.attempts import compare_paths
from everyleaf.build import build_site as build
from everyleaf.buildwords import BuildWords, options_of
from everyleaf.compare.comparison import Comparison
from everyleaf.config import REDACT_ALL, BuildOptions, RedactOptions
from everyleaf.errors import ConfigError, EveryleafError as EveryleafError  # noqa: PLC0414  (offered)
from everyleaf.explore.matches import Match
from everyleaf.explore.query import Query, Where, check_pattern
from everyleaf.explore.search import search_archive
from everyleaf.explore.story import open_story
from everyleaf.graph.forest import ConversationPath
from everyleaf.opening.named import Asked, PathFinder
from everyleaf.opening.reading import Scope, load_index, open_workers
from everyleaf.report import BuildReport
from everyleaf.survey.feedback import Said, choose_said, look_at_talk
from everyleaf.survey.files import Change, choose_changes, look_at_files
from everyleaf.transcript.document import TurnDocument
from everyleaf.workers import OnProgress, say_nothing

PathName: TypeAlias = "ConversationPath | str"
"""A path, or what names one: `SESSION` or `SESSION:N`; a prefix of the id is enough."""


class Transcript(Struct, frozen=True):
    """The neutral document of one path: what HTML, Markdown and JSON are drawn from."""

    path: ConversationPath
    turns: tuple[TurnDocument, ...]
    """From the root on."""

    def __repr__(self) -> str:
        """Return which path it is, and how long: all of it would fill a terminal."""
        return f"<Transcript of {self.path!r}, {len(self.turns)} turns>"


def load_archive(  # noqa: PLR0913  (an argument an option)
    *sources: str | os.PathLike[str],
    raw: bool = False,
    redact: RedactOptions = REDACT_ALL,
    project: str | Sequence[str] = (),
    include_archive: bool = False,
    strict_paths: bool = False,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
) -> Archive:
    """Return the sessions of `sources`, read and solved; without any, those of the CLI.

    Args:
        sources: What `everyleaf build` takes: folders, session files, recordings, exports.
        raw: Mask nothing.
        redact: What is masked otherwise in all that is read from the archive.
        project: Read only projects whose name fits this pattern, or one of these.
        include_archive: Read sessions in `_archive` folders, too.
        strict_paths: The raw graph: a path for each leaf uuid.
        jobs: Worker processes; 0: one a core. More than one needs a main module that can
            be imported again, as `multiprocessing` says.
        on_progress: Told (stage, done, total).

    Raises:
        SourceError: the input cannot be read at all, or no project fits.
        RedactError: secrets cannot be looked for.
    """
    patterns = (project,) if isinstance(project, str) else tuple(project)
    scope = Scope(
        tuple(_places(sources)),
        include_archive,
        RedactOptions(is_on=False) if raw else redact,
        Choice(projects=patterns),
    )
    found, tell = scope.find(), on_progress or say_nothing
    with open_workers(found, jobs) as executor:
        index = load_index(found, executor, tell, scope, is_strict=strict_paths)
        return solve_all(index, tell)


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
    found = _find(archive, path)
    story = open_story(Asked(archive, found.session, found.number))
    turns = tuple(document for _, document in story.turns(config.Detail.FULL))
    return Transcript(found, turns)


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
    return compare_paths(archive, one.ref, other.ref)


def find(
    archive: Archive,
    text: str,
    *,
    regex: bool = False,
    case: bool = False,
    in_: Literal["prompts", "replies", "tools", "titles", "all"] = "all",
) -> tuple[Match, ...]:
    """Return where `text` was said, or done, newest session first, each record once.

    >>> found = find(load_archive("examples/archive"), "fractions", in_="prompts")
    >>> [(match.project, match.path.number) for match in found]
    [('ladle', 2)]

    Raises:
        ConfigError: it is empty, or no regular expression.
        SourceError: the regular expression takes too long.
    """
    problem = check_pattern(text) if regex else ""
    if problem or not text.strip():
        raise ConfigError(f"{text!r} cannot be looked for: {problem or 'it is empty'}")
    wheres = frozenset(Where) if in_ == "all" else frozenset({Where(in_)})
    return search_archive(archive, Query(text, regex, case, wheres))


def files(archive: Archive, match: str = "*") -> tuple[Change, ...]:
    """Return what each path and subagent did to files whose name, or its end, fits.

    >>> changes = files(load_archive("examples/archive"), "*.ipynb")
    >>> [(change.file, change.project, str(change.status)) for change in changes]
    [('calibration.ipynb', 'dewpoint', 'ACTIVE')]
    """
    return choose_changes([look_at_files(archive)], match)


def feedback(archive: Archive, *, trivial: Sequence[str] = ()) -> tuple[Said, ...]:
    """Return what people said, in order of time, without the trivial and what is `trivial`.

    >>> said = feedback(load_archive("examples/archive"))
    >>> sorted({str(one.kind) for one in said})[0]
    'answer'
    """
    words = (*config.TRIVIAL, *(word.strip().casefold() for word in trivial))
    return choose_said([look_at_talk(archive)], words)


def build_site(
    *sources: BuildOptions | str | os.PathLike[str],
    out: str | os.PathLike[str] = "site",
    on_progress: OnProgress | None = None,
    **options: Unpack[BuildWords],
) -> BuildReport:
    """Build a site of `sources` in the folder `out`, and return what was done.

    `options` are those of `everyleaf build`, with `_` for `-`; settings files are not read.
    Instead of all this, one value with all options may be given.

        build_site("logs", out="docs", format="md", project="parser", no_search=True)

    Raises:
        ConfigError: there is no such option, or a value does not fit it.
        SourceError: the input cannot be read at all.
        RedactError: secrets cannot be looked for.
        OutputError: the output folder is not ours, or cannot be written.
        ThemeError: the theme is missing or broken.
    """
    if len(sources) == 1 and isinstance(sources[0], BuildOptions):
        asked = sources[0]
    else:
        named = [one for one in sources if not isinstance(one, BuildOptions)]
        asked = options_of(_places(named), out, options)
    return build(asked, on_progress=on_progress or say_nothing)


def _places(sources: Sequence[str | os.PathLike[str]]) -> list[Path]:
    return [Path(source).expanduser() for source in sources]


def _find(archive: Archive, path: PathName) -> ConversationPath:
    if isinstance(path, ConversationPath):
        return path
    return PathFinder(archive.description.paths).find(path)
