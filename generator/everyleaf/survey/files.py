"""Which sessions and paths wrote or edited a file, and what became of it on each."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.attempt import Attempt, Parting
from everyleaf.opening.families import survey, whole_paths
from everyleaf.opening.reader import FamilyReader
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.render.anchors import anchor_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.compare.files import FileSide
    from everyleaf.opening.reading import Scope
    from everyleaf.pages.work import FamilyWork, SessionWork, TurnKey
    from everyleaf.workers import OnProgress

_NO_ATTEMPT = Attempt((), ())


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


class Touched(Struct, frozen=True):
    """A change, with all of the file's name that is known."""

    name: str
    """With the folder that the path began in, as patterns may name it."""
    change: Change


def list_changes(scope: Scope, pattern: str, on_progress: OnProgress) -> tuple[Change, ...]:
    """Return what the sessions of `scope` did to files that fit `pattern`.

    Sorted by project, file and time. `pattern` is a shell pattern for the whole name of a
    file or for its last parts.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    _, seen = survey(scope, look_at_files, on_progress, kind=tuple[Touched, ...])
    return choose_changes((one for family in seen for one in family), pattern)


def choose_changes(touched: Iterable[Touched], pattern: str) -> tuple[Change, ...]:
    """Return the changes to files that fit `pattern`, by project, file and time."""
    return tuple(
        sorted(
            (one.change for one in touched if fits(one.name, pattern)),
            key=lambda o: (o.project, o.file, o.ended, o.session, o.path, o.agent_id),
        )
    )


def look_at_files(work: FamilyWork) -> tuple[Touched, ...]:
    """Return what the paths and agents of a family did to files."""
    looker = _Looker(FamilyReader(work))
    return tuple(touched for one in work.sessions for touched in looker.session(one))


def fits(file: str, pattern: str) -> bool:
    """Return whether a file's whole name fits, or its last parts.

    >>> fits("/home/ada/src/a.py", "src/*.py"), fits("/home/ada/src/a.py", "b*")
    (True, False)
    """
    name = file.replace("\\", "/")
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"*/{pattern}")


class _Looker:
    def __init__(self, reader: FamilyReader) -> None:
        self.reader = reader

    def session(self, session: SessionWork) -> Iterator[Touched]:
        shown = whole_paths(self.reader.work.tree, session.paths)
        for item in session.paths:
            path = item.path
            for name, file, side in self._changes(item.leaf):
                number = shown[self._turn_of(item.leaf, side.changed_by)]
                change = replace(
                    _change(session, file, side),
                    path=path.number,
                    status=str(path.status),
                    title=path.label or path.title,
                    ended=path.ended,
                    url=_place(transcript_url(path.session, number), side),
                )
                yield Touched(name, change)
        for agent in session.agents:
            for name, file, side in (
                self._changes(agent.leaves[agent.main]) if agent.leaves else ()
            ):
                change = replace(
                    _change(session, file, side),
                    agent_id=agent.agent_id,
                    title=agent.description or agent.agent_type,
                    ended=agent.ended,
                    url=_place(agent_url(agent.session, agent.agent_id), side),
                )
                yield Touched(name, change)

    def _turn_of(self, leaf: TurnKey, uuid: str) -> TurnKey:
        """Return the turn that holds a record of the path to `leaf`, else `leaf`."""
        tree = self.reader.work.tree
        for key in reversed(tree.chain(leaf)):
            if any(placed.envelope.uuid == uuid for placed in tree.turns[key].records):
                return key
        return leaf

    def _changes(self, leaf: TurnKey) -> Iterator[tuple[str, str, FileSide]]:
        """Yield (whole name, name, what was done) of each file that a path changed."""
        from everyleaf.compare.files import compare_files  # noqa: PLC0415  (slow to import)

        turns = self.reader.turns(leaf)
        parting = Parting(Attempt((), tuple(turns)), _NO_ATTEMPT, 0)
        folder = self.reader.files(turns[0]).folder
        for each in compare_files(parting, self.reader.files):
            if each.left is not None:
                yield _whole_name(each.file, folder), each.file, each.left


def _whole_name(file: str, folder: str) -> str:
    is_whole = file.startswith(("/", "\\", "~")) or file[1:2] == ":"
    return file if is_whole or not folder else f"{folder}/{file}"


def _place(page: str, side: FileSide) -> str:
    return f"{page}#{anchor_of(side.changed_by)}" if side.changed_by else page


def _change(session: SessionWork, file: str, side: FileSide) -> Change:
    return Change(
        file=file,
        project=session.project,
        session=session.session,
        path=0,
        agent_id="",
        status="",
        title="",
        ended="",
        added=side.change.added,
        removed=side.change.removed,
        is_exact=side.is_exact,
        is_new=side.is_new,
        has_foreign_changes=side.has_foreign_changes,
        url="",
    )
