"""Which edits wrote lines, how sure that is, and what else was tried there.

Nothing is guessed: a session is told where it recorded the commit, or where its edit wrote
just these lines and no other edit can have; where several can, all are told.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.opening.groups import open_index
from everyleaf.redact.masking import OPENING
from everyleaf.transcript.diffs import pair_up
from everyleaf.transcript.words import counted as count_of
from everyleaf.why.answers import SAID, FileAnswers, LineAnswer, Sureness
from everyleaf.why.edits import (
    LineOrigin,
    TracedEdit,
    Traces,
    Worked,
    bare,
    is_telling,
    look_at_work,
    read_traces,
    root_of,
    seconds,
)
from everyleaf.why.history import find_names, find_roots, is_ancestor, known_hashes, read_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from everyleaf.opening.reading import Scope
    from everyleaf.why.edits import MadeCommit, SeenFile, Snapshot
    from everyleaf.why.history import AskedLines, FileCommit
    from everyleaf.workers import OnProgress

_SHORTEST_HASH = 7
_WAIT_S = 600
"""A commit is made at most so long after its call began: hooks may run first."""
_SLACK_S = 2
"""Clocks of records and of git are read at different moments."""


class _Hit(NamedTuple):
    sure: Sureness
    edit: TracedEdit
    root: str
    is_whole: bool
    matched: int
    """Telling lines of the edit that the commit added, too."""
    lines: int
    """Telling lines of the edit that were there when it was committed."""


def trace(
    scope: Scope, on_progress: OnProgress, top: Path, asked: Sequence[AskedLines]
) -> tuple[FileAnswers, ...]:
    """Return where lines of the repository at `top` come from, by the sessions of `scope`.

    Cost: a look at all sessions, which is remembered; then the sessions that edited the
    files or made their commits are read.

    Raises:
        SourceError: the input cannot be read, or holds no session.
        RedactError: secrets cannot be looked for.
    """
    with open_index(scope, on_progress) as opened:
        seen = opened.survey(look_at_work, kind=tuple[Worked, ...]).seen
        worked = [one for some in seen for one in some]
        mask = opened.index.redaction
        roots = _find_roots(top, worked, asked, mask.text)
        names = {one.file for each in asked for one in each.history}

        def is_wanted(file: str) -> bool:
            return any(root_of(file, name) in roots for name in names)

        wanted = {
            place
            for one in worked
            if any(map(is_wanted, one.files)) or _made_any(one, asked)
            for place in one.locations
        }
        traces = Traces([], [])
        if wanted:
            archive = opened.solve(lambda file: str(file.location) in wanted)
            traces = read_traces(archive, is_wanted)
    masks = {view.session: mask.redactor(view.session).text for view in traces.views}
    return tuple(_Tracer(top, one, traces, roots, masks).result() for one in asked)


def _find_roots(
    top: Path,
    worked: Iterable[Worked],
    asked: Iterable[AskedLines],
    mask: Callable[[str], str],
) -> set[str]:
    """Return the folders in which sessions worked on the repository at `top`.

    These are its own, and those where a commit of it was made; where none of them is known
    to any session, as on another machine, folders of the same name.
    """
    names = {one.file for each in asked for one in each.history}
    sure = {mask(place.replace("\\", "/")) for place in find_roots(top)}
    made = {hash_ for one in worked for hash_ in (c.hash for c in one.commits)}
    known = known_hashes(top, sorted(made))
    seen: set[str] = set()
    for one in worked:
        found = {root_of(file, name) for file in one.files for name in names} - {None}
        seen |= {root for root in found if root}
        if any(commit.hash in known for commit in one.commits):
            sure |= {root for root in found if root}
    alike = {root for root in seen if root.rpartition("/")[2].lower() in find_names(top)}
    return sure & seen or alike


def _made_any(worked: Worked, asked: Iterable[AskedLines]) -> bool:
    commits = {commit for each in asked for _, commit, _ in each.lines}
    return any(
        _is_recorded(made, commit) or _is_rewritten(made, commit)
        for made in worked.commits
        for commit in commits
    )


def _is_recorded(made: MadeCommit, commit: FileCommit) -> bool:
    return len(made.hash) >= _SHORTEST_HASH and commit.hash.startswith(made.hash)


def _is_rewritten(made: MadeCommit, commit: FileCommit) -> bool:
    waited = commit.authored - seconds(made.at)
    is_then = -_SLACK_S <= waited <= _WAIT_S
    return is_then and bool(made.subject) and made.subject == commit.subject


class _Tracer:
    """Finds where the lines of one file come from."""

    def __init__(
        self,
        top: Path,
        asked: AskedLines,
        traces: Traces,
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
            for root in {root_of(view.file, name) for name in names}
            if root in roots
        ]
        self._bodies: dict[tuple[str, str], list[str]] = {}
        self._pairs: dict[tuple[str, int, int], dict[int, int]] = {}
        self._above: dict[tuple[str, str], bool] = {}
        self._added = {one.hash: {line for line, _ in one.added} for one in asked.history}
        for _, commit, line in asked.lines:
            if not commit.hash:
                self._added.setdefault("", set()).add(line)

    def result(self) -> FileAnswers:
        """Return what was found."""
        commits = {commit.hash: commit for _, commit, _ in self._asked.lines}
        groups: defaultdict[_Group, list[tuple[int, int, _Found]]] = defaultdict(list)
        for number, commit, line in self._asked.lines:
            answer = self._find(commit, line)
            calls = tuple(hit.edit.origin for hit in answer.hits) or answer.made
            groups[_Group(commit.hash, answer.sure, calls)].append((number, line, answer))
        answers = [
            self._answer(commits[key.commit], key.sure, key.origins, some)
            for key, some in groups.items()
        ]
        loose = self._loose(answers) if self._asked.is_now else ()
        return FileAnswers(self._asked.file, tuple(answers), loose)

    def _loose(self, answers: Sequence[LineAnswer]) -> tuple[LineOrigin, ...]:
        """Return the edits of which neither a commit nor the file itself has a line."""
        told = {one for each in answers for one in each.origins}
        carried = {bare(text) for one in self._asked.history for _, text in one.added}
        now = self._top / self._asked.file
        if self._views and now.is_file():
            carried |= {
                bare(line) for line in now.read_text("utf-8", "replace").split("\n")
            }
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
        sure: Sureness,
        origins: tuple[LineOrigin, ...],
        some: Sequence[tuple[int, int, _Found]],
    ) -> LineAnswer:
        said = some[0][2].said
        if sure in {Sureness.MATCHED, Sureness.SEVERAL}:
            best = max((hit for _, _, a in some for hit in a.hits), key=lambda h: h.matched)
            whole = count_of(best.lines, "line")
            said = f"{said} ({best.matched} of its {whole})" if len(origins) == 1 else said
        return LineAnswer(
            spans=tuple(_spans(number for number, _, _ in some)),
            commit=commit.hash,
            subject=commit.subject,
            committed=commit.committed if commit.hash else 0,
            sure=sure,
            said=said,
            origins=origins,
            abandoned=self._attempts(commit, [line for _, line, _ in some], origins, some),
        )

    def _find(self, commit: FileCommit, line: int) -> _Found:
        """Return who wrote a line that `commit` added, as far as that is known."""
        if commit.is_by_bot:
            return _Found(Sureness.UNKNOWN, "a bot made the commit", (), ())
        hits = [
            hit
            for root, view in self._views
            if (hit := self._hit(root, view, commit, line))
        ]
        best = min((list(Sureness).index(hit.sure) for hit in hits), default=None)
        hits = [hit for hit in hits if list(Sureness).index(hit.sure) == best]
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
        if len(kept) > 1:
            said = "several edits wrote it before the commit, and nothing tells which"
            return _Found(Sureness.SEVERAL, said, tuple(kept), ())
        if kept:
            return _Found(kept[0].sure, SAID[kept[0].sure], tuple(kept), ())
        made = {
            origin: None
            for one, origin in self._made
            if _is_recorded(one, commit) or _is_rewritten(one, commit)
        }
        if len({origin.session for origin in made}) == 1:
            return _Found(Sureness.COMMIT, SAID[Sureness.COMMIT], (), tuple(made)[:1])
        return _Found(Sureness.UNKNOWN, SAID[Sureness.UNKNOWN], (), ())

    def _hit(self, root: str, view: SeenFile, commit: FileCommit, line: int) -> _Hit | None:
        """Return the edit of a view that wrote a line which `commit` added."""
        made = [one for one, origin in self._made if origin.session == view.session]
        for sure, is_one in (
            (Sureness.RECORDED, _is_recorded),
            (Sureness.REWRITTEN, _is_rewritten),
        ):
            times = [seconds(one.at) for one in made if is_one(one, commit)]
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
        text, at = self._body(commit)[line - 1], seconds(hit.edit.origin.at)
        between = [
            one
            for one in self._asked.history
            if at <= one.authored < commit.authored and self._is_above(one, commit)
        ]
        if any(text == bare(added) for one in between for _, added in one.added):
            return None
        return hit._replace(sure=Sureness.POSSIBLE) if between else hit

    def _is_above(self, one: FileCommit, commit: FileCommit) -> bool:
        """Return whether `commit` was made on top of `one`, after however many others."""
        key = (one.hash, commit.hash or "HEAD")
        if key not in self._above:
            self._above[key] = is_ancestor(self._top, *key)
        return self._above[key]

    def _written(
        self, root: str, view: SeenFile, commit: FileCommit, line: int, until: float
    ) -> _Hit | None:
        """Return the edit whose work a line was at the moment `until`."""
        for place in range(len(view.snapshots) - 1, -1, -1):
            shot = view.snapshots[place]
            if shot.at > until:
                continue
            pairs = self._paired(view, place, shot, commit)
            to = pairs.get(line - 1)
            edit = None if to is None else shot.authors[to]
            if edit is not None:
                matched, lines = self._count(shot, pairs, edit, commit, line - 1)
                # Of some lines around an edit, a bracket may be any bracket.
                if shot.is_whole or matched:
                    whole = shot.is_whole
                    return _Hit(Sureness.MATCHED, edit, root, whole, matched, lines)
            if shot.is_whole:
                return None
        return None

    def _count(
        self,
        shot: Snapshot,
        pairs: dict[int, int],
        edit: TracedEdit,
        commit: FileCommit,
        at: int,
    ) -> tuple[int, int]:
        """Return how many telling lines of `edit` the commit added, and how many it has.

        0 where none of them stands in one piece with the line at `at`.
        """
        added = self._added.get(commit.hash, set())
        own = {
            to
            for to, author in enumerate(shot.authors)
            if author is edit and is_telling(shot.lines[to])
        }
        hits = {one for one, to in pairs.items() if to in own and one + 1 in added}
        is_near = False
        for step in (1, -1):
            one = at
            while one in pairs and pairs[one] - pairs[at] == one - at and not is_near:
                is_near = one in hits
                one += step
        return (len(hits) if is_near else 0), len(own)

    def _paired(
        self, view: SeenFile, place: int, shot: Snapshot, commit: FileCommit
    ) -> dict[int, int]:
        key = (commit.hash, id(view.snapshots), place)
        if key not in self._pairs:
            body = self._body(commit, view.session)
            self._pairs[key] = dict(pair_up(body, [*map(bare, shot.lines)]).pairs)
        return self._pairs[key]

    def _body(self, commit: FileCommit, session: str = "") -> list[str]:
        """Return the bare lines of the file as `commit` left it, masked for a session."""
        key = (commit.hash, session)
        if key not in self._bodies:
            if session:
                body = [self._masks[session](line) for line in self._body(commit)]
            else:
                body = [*map(bare, read_at(self._top, commit, self._asked.file))]
            self._bodies[key] = body
        return self._bodies[key]

    def _attempts(
        self,
        commit: FileCommit,
        lines: Sequence[int],
        origins: Sequence[LineOrigin],
        some: Sequence[tuple[int, int, _Found]],
    ) -> tuple[LineOrigin, ...]:
        """Return the edits on abandoned paths that touched the same lines.

        They wrote them, too, or took out what the edits that stand took out.
        """
        replaced = {
            t for _, _, answer in some for hit in answer.hits for t in hit.edit.removed
        }
        found: dict[LineOrigin, None] = {}
        for _, view in self._views:
            texts = self._body(commit, view.session)
            wanted = {texts[line - 1] for line in lines if line <= len(texts)}
            wanted = {text for text in wanted if is_telling(text)} | replaced
            for edit in view.edits:
                origin = edit.origin
                is_other = origin.status == "ABANDONED" and origin not in origins
                if is_other and wanted & (edit.added | edit.removed):
                    found[origin] = None
        return _by_time(found)


class _Found(NamedTuple):
    sure: Sureness
    said: str
    hits: tuple[_Hit, ...]
    made: tuple[LineOrigin, ...]
    """The call that made the commit, where no edit is known."""


class _Group(NamedTuple):
    """Lines that have one answer."""

    commit: str
    sure: Sureness
    origins: tuple[LineOrigin, ...]


def _by_time(origins: Iterable[LineOrigin]) -> tuple[LineOrigin, ...]:
    return tuple(sorted(origins, key=lambda one: (one.at, one.session, one.uuid)))


def _spans(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each stretch of `numbers`.

    >>> list(_spans([1, 2, 3, 7]))
    [(1, 3), (7, 7)]
    """
    first = last = 0
    for number in numbers:
        if first and number == last + 1:
            last = number
            continue
        if first:
            yield first, last
        first = last = number
    if first:
        yield first, last
