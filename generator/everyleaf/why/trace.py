"""Which edits wrote lines, how sure that is, and what else was tried there.

Nothing is guessed: a session is told where it recorded the commit, or where its edit wrote
just these lines and no other edit can have; where several can, all are told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TypeAlias

from everyleaf.archive import check_projects, solve_all
from everyleaf.clock import moment_of
from everyleaf.opening.named import find_texts, narrow_around, written_forms
from everyleaf.opening.reading import Scope, load_index, open_workers
from everyleaf.redact.masking import OPENING
from everyleaf.transcript.document import Commit
from everyleaf.transcript.edits import pair_up
from everyleaf.transcript.words import counted, squeezed
from everyleaf.why import edits
from everyleaf.why.history import (
    AskedLines,
    FileCommit,
    find_names,
    find_namesakes,
    find_roots,
    is_ancestor,
    known_hashes,
    read_at,
)
from everyleaf.workers import OnProgress

_SHORTEST_HASH = 7
_WAIT_S = 600
"""A commit is made at most so long after its call began: hooks may run first."""
_SLACK_S = 2
"""Clocks of records and of git are read at different moments."""


class _Hit(NamedTuple):
    sure: edits.Sureness
    edit: edits.TracedEdit
    root: str
    is_whole: bool
    matched: int
    """Telling lines of the edit that the commit added, too."""
    lines: int
    """Telling lines of the edit that were there when it was committed."""


def trace(
    scope: Scope, on_progress: OnProgress, top: Path, asked: Sequence[AskedLines]
) -> tuple[edits.FileAnswers, ...]:
    """Return where lines of the repository at `top` come from, by the sessions of `scope`.

    Cost: every file is looked through for the names of files and commits; only sessions
    with one of them, and those that share a path with them, are parsed.
    """
    found = scope.find()
    names = {one.file for each in asked for one in each.history}
    with open_workers(found) as executor:
        places = [file.location for file in found.files]
        told = find_texts(places, _texts(names, asked), executor)
        looked = zip(found.files, told, strict=True)
        held = {file.session for file, (is_there, _) in looked if is_there}
        near = narrow_around(found, held, [above for _, above in told], executor)
        traces, roots, masks = edits.Traces([], []), set[str](), {}
        if near.files:
            index = load_index(near, executor, on_progress, Scope(redact=scope.redact))
            traces = edits.read_traces(solve_all(index, on_progress), names, scope.choice)
            mask = index.redaction
            roots = _find_roots(top, traces, names | find_namesakes(top, asked), mask.text)
            masks = {one.session: mask.redactor(one.session).text for one in traces.views}
    if scope.choice.projects and not (traces.views or traces.commits):
        # Nothing may be known of a project, or none is called so: that is an error.
        check_projects(found, scope.choice)
    return tuple(_Tracer(top, one, traces, roots, masks).result() for one in asked)


def _texts(names: Iterable[str], asked: Iterable[AskedLines]) -> Iterator[bytes]:
    """Yield what a session file holds one of, if it edited a file or made a commit."""
    # Where a file is named, its path begins or goes on before it, and the text ends behind.
    for name in {name.rpartition("/")[2] for name in names}:
        for form in written_forms(name):
            yield from (b'%c%b"' % (mark, form) for mark in b'"/\\')
    for commit in {commit for each in asked for _, commit, _ in each.lines}:
        if commit.hash:
            yield commit.hash[:_SHORTEST_HASH].encode()
        if commit.subject:
            yield from written_forms(f"] {commit.subject}")


def _find_roots(
    top: Path, traces: edits.Traces, names: Iterable[str], mask: Callable[[str], str]
) -> set[str]:
    """Return the folders in which sessions worked on the repository at `top`.

    These are its own, and those where a commit of it was made; where none of them is known
    to any session, as on another machine, folders of the same name. `names` are those of
    its files: of several that a file's whole name ends with, the longest counts.
    """
    own = {mask(place.replace("\\", "/")) for place in find_roots(top)}
    known = known_hashes(top, sorted({commit.hash for commit, _ in traces.commits}))
    committed = {o.session for commit, o in traces.commits if commit.hash in known}
    seen, sure = set[str](), own
    for view in traces.views:
        roots = edits.roots_of(view.file, names)
        found = roots & own or {min(roots, key=len)}
        seen |= found
        if view.session in committed:
            sure = sure | found
    alike = {root for root in seen if root.rpartition("/")[2].lower() in find_names(top)}
    return sure & seen or alike


def _is_recorded(made: Commit, _at: str, commit: FileCommit) -> bool:
    return len(made.hash) >= _SHORTEST_HASH and commit.hash.startswith(made.hash)


def _is_rewritten(made: Commit, at: str, commit: FileCommit) -> bool:
    waited = commit.authored - moment_of(at).timestamp()
    is_then = -_SLACK_S <= waited <= _WAIT_S
    return is_then and bool(made.subject) and made.subject == commit.subject


_WAYS = ((edits.Sureness.RECORDED, _is_recorded), (edits.Sureness.REWRITTEN, _is_rewritten))
"""How it is known that a session made a commit."""


class _Tracer:
    """Finds where the lines of one file come from."""

    def __init__(
        self,
        top: Path,
        asked: AskedLines,
        traces: edits.Traces,
        roots: set[str],
        masks: Mapping[str, Callable[[str], str]],
    ) -> None:
        self._top = top
        self._asked = asked
        self._masks = masks
        self._made = traces.commits
        names = {one.file for one in asked.history}
        self._views = [
            (root, view)
            for view in traces.views
            for root in edits.roots_of(view.file, names) & roots
        ]
        self._bodies: dict[tuple[str, str], list[str]] = {}
        self._pairs: dict[tuple[str, int], dict[int, int]] = {}
        self._is_ancestor = cache(partial(is_ancestor, top))
        self._added = {one.hash: {line for line, _ in one.added} for one in asked.history}
        for _, commit, line in asked.lines:
            if not commit.hash:
                self._added.setdefault("", set()).add(line)

    def result(self) -> edits.FileAnswers:
        """Return what was found."""
        commits = {commit.hash: commit for _, commit, _ in self._asked.lines}
        groups: defaultdict[_Group, list[tuple[int, int, _Found]]] = defaultdict(list)
        for number, commit, line in self._asked.lines:
            answer = self._find(commit, line)
            calls = tuple(hit.edit.origin for hit in answer.hits) or answer.made
            key = (commit.hash, answer.sure, calls)
            groups[key].append((number, line, answer))
        answers = [
            self._answer(commits[commit], sure, origins, some)
            for (commit, sure, origins), some in groups.items()
        ]
        loose = self._loose(answers) if self._asked.is_now else ()
        return edits.FileAnswers(self._asked.file, tuple(answers), loose)

    def _loose(self, answers: Sequence[edits.LineAnswer]) -> tuple[edits.LineOrigin, ...]:
        """Return the edits of which neither a commit nor the file itself has a line."""
        told = {one for each in answers for one in each.origins}
        carried = {squeezed(text) for one in self._asked.history for _, text in one.added}
        now = self._top / self._asked.file
        if self._views and now.is_file():
            carried |= {*map(squeezed, now.read_text("utf-8", "replace").split("\n"))}
        found = {
            edit.origin
            for _, view in self._views
            for edit in view.edits
            if edit.added and not edit.added & carried and edit.origin not in told
            if not any(OPENING in line for line in edit.added)
        }
        return _by_time(found)

    def _answer(
        self,
        commit: FileCommit,
        sure: edits.Sureness,
        origins: tuple[edits.LineOrigin, ...],
        some: Sequence[tuple[int, int, _Found]],
    ) -> edits.LineAnswer:
        said = "a bot made the commit" if commit.is_by_bot else edits.SAID[sure]
        if sure in {edits.Sureness.MATCHED, edits.Sureness.SEVERAL}:
            best = max((hit for _, _, a in some for hit in a.hits), key=lambda h: h.matched)
            whole = counted(best.lines, "line")
            said = f"{said} ({best.matched} of its {whole})" if len(origins) == 1 else said
        return edits.LineAnswer(
            spans=tuple(_spans(number for number, _, _ in some)),
            commit=commit.hash,
            subject=commit.subject,
            committed=commit.committed if commit.hash else 0,
            sure=sure,
            said=said,
            origins=origins,
            abandoned=self._attempts(commit, origins, some),
        )

    def _find(self, commit: FileCommit, line: int) -> _Found:
        """Return who wrote a line that `commit` added, as far as that is known."""
        if commit.is_by_bot:
            return _Found(edits.Sureness.UNKNOWN)
        found = (self._hit(root, view, commit, line) for root, view in self._views)
        hits = [hit for hit in found if hit]
        best = min((list(edits.Sureness).index(hit.sure) for hit in hits), default=None)
        hits = [hit for hit in hits if list(edits.Sureness).index(hit.sure) == best]
        by_call = {hit.edit.origin: hit for hit in hits}
        standing = {o.session for o in by_call if o.status != "ABANDONED"}
        kept = [
            hit
            for origin, hit in by_call.items()
            if origin.status != "ABANDONED" or origin.session not in standing
        ]
        kept.sort(key=lambda hit: (hit.edit.origin.at, hit.edit.origin.uuid))
        # What had the whole file before it, without the line, wrote it after all others.
        if len(kept) > 1 and kept[-1].is_whole and len({hit.root for hit in kept}) == 1:
            kept = kept[-1:]
        if kept:
            sure = kept[0].sure if len(kept) == 1 else edits.Sureness.SEVERAL
            return _Found(sure, tuple(kept))
        made = {
            origin: None
            for one, origin in self._made
            if any(is_one(one, origin.at, commit) for _, is_one in _WAYS)
        }
        if len({origin.session for origin in made}) == 1:
            return _Found(edits.Sureness.COMMIT, made=tuple(made)[:1])
        return _Found(edits.Sureness.UNKNOWN)

    def _hit(
        self, root: str, view: edits.SeenFile, commit: FileCommit, line: int
    ) -> _Hit | None:
        """Return the edit of a view that wrote a line which `commit` added."""
        made = [(one, o.at) for one, o in self._made if o.session == view.session]
        for sure, is_one in _WAYS:
            times = [
                moment_of(at).timestamp() for one, at in made if is_one(one, at, commit)
            ]
            if times and (hit := self._written(root, view, commit, line, max(times))):
                return self._held(hit._replace(sure=sure), commit, line)
        for until in dict.fromkeys((commit.authored, commit.committed)):
            hit = self._written(root, view, commit, line, until + _SLACK_S)
            hit = self._held(hit, commit, line) if hit and hit.matched else None
            if hit:
                return hit
        return None

    def _held(self, hit: _Hit, commit: FileCommit, line: int) -> _Hit | None:
        """Return a hit as sure as it is with the commits between edit and `commit` known.

        None where one of them carried the line: this one wrote it anew. Where one changed
        the file and did not carry it, somebody may have typed it again.
        """
        text, at = self._body(commit)[line - 1], moment_of(hit.edit.origin.at).timestamp()
        head, end = commit.hash or "HEAD", commit.authored
        since = (one for one in self._asked.history if at <= one.authored < end)
        between = [one for one in since if self._is_ancestor(one.hash, head)]
        if any(text == squeezed(added) for one in between for _, added in one.added):
            return None
        return hit._replace(sure=edits.Sureness.POSSIBLE) if between else hit

    def _written(
        self, root: str, view: edits.SeenFile, commit: FileCommit, line: int, until: float
    ) -> _Hit | None:
        """Return the edit whose work a line was at the moment `until`."""
        for shot in reversed(view.snapshots):
            if shot.at > until:
                continue
            is_whole = shot.text is not None
            pairs = self._paired(view.session, shot, commit)
            to = pairs.get(line - 1)
            edit = None if to is None else shot.authors[to]
            if edit is not None:
                matched, lines = self._count(shot, pairs, edit, commit, line - 1)
                # Of some lines around an edit, a bracket may be any bracket.
                if is_whole or matched:
                    sure = edits.Sureness.MATCHED
                    return _Hit(sure, edit, root, is_whole, matched, lines)
            if is_whole:
                return None
        return None

    def _count(
        self,
        shot: edits.Snapshot,
        pairs: dict[int, int],
        edit: edits.TracedEdit,
        commit: FileCommit,
        at: int,
    ) -> tuple[int, int]:
        """Return how many telling lines of `edit` the commit added, and how many it has.

        0 where none of them stands in one piece with the line at `at`.
        """
        added = self._added.get(commit.hash, set())
        wrote = (to for to, author in enumerate(shot.authors) if author is edit)
        own = {to for to in wrote if edits.is_telling(shot.lines[to])}
        hits = {one for one, to in pairs.items() if to in own and one + 1 in added}
        is_near = False
        for step in (1, -1):
            one = at
            while one in pairs and pairs[one] - pairs[at] == one - at and not is_near:
                is_near = one in hits
                one += step
        return (len(hits) if is_near else 0), len(own)

    def _paired(
        self, session: str, shot: edits.Snapshot, commit: FileCommit
    ) -> dict[int, int]:
        key = (commit.hash, id(shot))
        if key not in self._pairs:
            body = self._body(commit, session)
            self._pairs[key] = dict(pair_up(body, [*map(squeezed, shot.lines)]).pairs)
        return self._pairs[key]

    def _body(self, commit: FileCommit, session: str = "") -> list[str]:
        """Return the bare lines of the file as `commit` left it, masked for a session."""
        key = (commit.hash, session)
        if key not in self._bodies:
            if session:
                body = [self._masks[session](line) for line in self._body(commit)]
            else:
                body = [*map(squeezed, read_at(self._top, commit, self._asked.file))]
            self._bodies[key] = body
        return self._bodies[key]

    def _attempts(
        self,
        commit: FileCommit,
        origins: Sequence[edits.LineOrigin],
        some: Sequence[tuple[int, int, _Found]],
    ) -> tuple[edits.LineOrigin, ...]:
        """Return the edits on abandoned paths that wrote, or took out, the same lines."""
        replaced = {t for _, _, a in some for hit in a.hits for t in hit.edit.removed}
        found: dict[edits.LineOrigin, None] = {}
        for _, view in self._views:
            texts = self._body(commit, view.session)
            wanted = {texts[line - 1] for _, line, _ in some if line <= len(texts)}
            wanted = {text for text in wanted if edits.is_telling(text)} | replaced
            for edit in view.edits:
                origin = edit.origin
                is_other = origin.status == "ABANDONED" and origin not in origins
                if is_other and wanted & (edit.added | edit.removed):
                    found[origin] = None
        return _by_time(found)


class _Found(NamedTuple):
    sure: edits.Sureness
    hits: tuple[_Hit, ...] = ()
    made: tuple[edits.LineOrigin, ...] = ()
    """The call that made the commit, where no edit is known."""


_Group: TypeAlias = "tuple[str, edits.Sureness, tuple[edits.LineOrigin, ...]]"
"""What the answer to some lines has in common: the commit, how sure, the calls."""


def _by_time(origins: Iterable[edits.LineOrigin]) -> tuple[edits.LineOrigin, ...]:
    return tuple(sorted(origins, key=lambda one: (one.at, one.session, one.uuid)))


def _spans(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each stretch of `numbers`.

    >>> list(_spans([1, 2, 3, 7]))
    [(1, 3), (7, 7)]
    """
    # In a stretch, numbers grow as their places do.
    for _, some in groupby(enumerate(numbers), lambda one: one[1] - one[0]):
        stretch = [number for _, number in some]
        yield stretch[0], stretch[-1]
