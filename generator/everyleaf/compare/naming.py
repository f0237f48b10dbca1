"""The path that a person means: a session and a number, or a leaf."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from everyleaf.errors import SourceError
from everyleaf.graph.forest import Contained, ConversationPath, PathRef, Status
from everyleaf.sources.discover import listed, no_session
from everyleaf.transcript.words import squeezed

LATEST = "latest"
"""Names the session in which something was said last."""


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
            raise no_session(name)
        if len(sessions) + len(leaves) > 1:
            candidates = [*sessions, *(f"{ref.session}:{ref.number}" for ref in leaves)]
            raise SourceError(
                f"{name!r} fits {len(candidates)} paths", hint=f"say {listed(candidates)}"
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
            numbers = listed([str(ref.number) for ref in refs])
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
