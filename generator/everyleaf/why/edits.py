"""What sessions did to files and to a git history, line by line, and at whose prompt."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from everyleaf.archive import Archive, Choice
from everyleaf.clock import moment_of
from everyleaf.graph.forest import Turn
from everyleaf.grouping import grouped
from everyleaf.opening.reading import FamilyReader, families_of
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.pages.work import SessionWork, TurnKey, whole_paths
from everyleaf.render.entries import anchor_of
from everyleaf.transcript.document import Commit, Manner, Prompt, ToolCall
from everyleaf.transcript.edits import FileTouch, pair_up, split_lines
from everyleaf.transcript.words import squeezed, whole_file

_TELLING = 8
"""Letters and digits of a line that says something: not a bracket, not an `else:`."""
_LED = frozenset({Manner.TYPED, Manner.COMMAND, Manner.STEERING})
_WORKTREES = "/.claude/worktrees/"


class LineOrigin(Struct, frozen=True):
    """A call in a session, and the prompt that led to it."""

    session: str
    title: str
    project: str
    path: int
    """Where it is to be seen: on an ACTIVE path, if on any."""
    status: str
    """ACTIVE or ABANDONED; of a subagent, that of the path which called it."""
    agent_id: str
    at: str
    uuid: str
    """Of the call."""
    prompt: str
    """Its first words."""
    prompt_at: str
    prompt_uuid: str
    """Empty: there is none before the call."""
    url: str
    """The call on its page, as seen from the root of a site."""


class TracedEdit(NamedTuple):
    """What one call did to a file."""

    origin: LineOrigin
    added: frozenset[str]
    """Lines that say something; likewise those that it took out."""
    removed: frozenset[str]


class Snapshot(NamedTuple):
    """A file as a call left it."""

    at: float
    """Seconds since 1970; where no time is recorded, long before."""
    lines: tuple[str, ...]
    authors: tuple[TracedEdit | None, ...]
    """Of each line; None: it was there before, or something else wrote it."""
    text: str | None
    """None: only the lines around the edit are known."""


class SeenFile(NamedTuple):
    """A file as one path or subagent saw it."""

    session: str
    file: str
    """Its whole name."""
    snapshots: tuple[Snapshot, ...]
    edits: tuple[TracedEdit, ...]


class Traces(NamedTuple):
    """What sessions did."""

    views: list[SeenFile]
    commits: list[tuple[Commit, LineOrigin]]


def is_telling(line: str) -> bool:
    """Return whether `line` says enough to be told from others.

    >>> is_telling("    return None"), is_telling("    });")
    (True, False)
    """
    return sum(map(str.isalnum, line)) >= _TELLING


def roots_of(file: str, names: Iterable[str]) -> set[str]:
    """Return the folders in which `file` is called one of `names`.

    >>> roots_of("/home/ada/app/.claude/worktrees/x/src/a.py", ["src/a.py", "b.py"])
    {'/home/ada/app'}
    """
    whole = file.replace("\\", "/")
    ends = [f"/{name}" for name in names if whole.endswith(f"/{name}")]
    return {whole.removesuffix(end).partition(_WORKTREES)[0] for end in ends} - {""}


def read_traces(archive: Archive, names: Collection[str], choice: Choice) -> Traces:
    """Return what the sessions of `archive` that `choice` takes did.

    These are all their commits, and views of files that are called one of `names`.
    """
    traces = Traces([], [])
    for work in families_of(archive):
        reader = FamilyReader(work)
        for session in work.sessions:
            ended = max((path.ended for path in session.paths), default="")
            if choice.takes(session.session, session.project, ended):
                walk = _Walk(reader, session)
                traces.views.extend(walk.views(names))
                traces.commits.extend(one for s in walk.steps.values() for one in s.commits)
    return traces


class _Touched(NamedTuple):
    file: str
    origin: LineOrigin
    touch: FileTouch


class _Step(NamedTuple):
    """What matters of a turn."""

    prompt: Prompt | None
    """The last one, up to its end."""
    touched: list[_Touched]
    commits: list[tuple[Commit, LineOrigin]]


class _Walk:
    """Walks the paths of a session, then those of its subagents; each turn once."""

    def __init__(self, reader: FamilyReader, session: SessionWork) -> None:
        self.session = session
        self._reader = reader
        self.steps: dict[TurnKey, _Step] = {}
        self._lines: list[list[_Step]] = []
        tree = reader.work.tree
        shown = whole_paths(tree, session.paths)
        status = {path.number: str(path.status) for path in session.paths}
        self._callers: dict[str, tuple[Prompt | None, int, str]] = {}
        places = {key: (n, status[n], "") for key, n in shown.items()}
        for path in session.paths:
            self._walk(tree.leaves[path.ref], None, places)
        # Those that agents called come behind their callers.
        for agent in sorted(session.agents, key=lambda one: bool(one.parent_agent_id)):
            prompt, number, state = self._callers.get(agent.agent_id, (None, 0, ""))
            place = (number, state, agent.agent_id)
            for leaf in agent.leaves:
                self._walk(leaf, prompt, dict.fromkeys(tree.chain(leaf), place))

    def views(self, names: Collection[str]) -> Iterator[SeenFile]:
        """Yield how each path and agent saw each file called so that it edited."""
        for steps in self._lines:
            told = (one for step in steps for one in step.touched)
            by_file = grouped((one.file, one) for one in told if roots_of(one.file, names))
            for file, touched in by_file.items():
                if any(one.touch.is_change for one in touched):
                    yield SeenFile(self.session.session, file, *_play(touched))

    def _walk(
        self,
        leaf: TurnKey,
        prompt: Prompt | None,
        places: Mapping[TurnKey, tuple[int, str, str]],
    ) -> None:
        tree = self._reader.work.tree
        steps: list[_Step] = []
        for key in tree.chain(leaf):
            if key not in self.steps:
                self.steps[key] = self._step(key, tree.turns[key], prompt, places[key])
            steps.append(self.steps[key])
            prompt = steps[-1].prompt
        self._lines.append(steps)

    def _step(
        self, key: TurnKey, turn: Turn, prompt: Prompt | None, place: tuple[int, str, str]
    ) -> _Step:
        number, status, agent_id = place
        name = self.session.session
        page = agent_url(name, agent_id) if agent_id else transcript_url(name, number)
        led: dict[str, Prompt | None] = {}
        times = {one.envelope.uuid: one.envelope.timestamp for one in turn.records}
        made: list[tuple[Commit, str]] = []
        for entry in self._reader.document(key).entries:
            if isinstance(entry, Prompt) and not agent_id:
                is_one = entry.is_numbered and entry.manner in _LED
                prompt = entry if is_one else prompt
            elif isinstance(entry, ToolCall):
                led[entry.uuid] = prompt
                made += [(one, entry.uuid) for one in entry.commits if one.hash]
                if entry.agent_id:
                    self._callers.setdefault(entry.agent_id, (prompt, number, status))

        def origin(uuid: str) -> LineOrigin:
            by = led.get(uuid, prompt)
            return LineOrigin(
                session=name,
                title=self.session.title,
                project=self.session.project,
                path=number,
                status=status,
                agent_id=agent_id,
                at=times.get(uuid, ""),
                uuid=uuid,
                prompt=by.words if by else "",
                prompt_at=by.at if by else "",
                prompt_uuid=by.uuid if by else "",
                url=f"{page}#{anchor_of(uuid)}" if uuid else page,
            )

        files = self._reader.files(turn)
        return _Step(
            prompt,
            [
                _Touched(whole_file(one.file, files.folder), origin(one.uuid), one)
                for one in files.touches
            ],
            [(one, origin(uuid)) for one, uuid in made],
        )


def _play(calls: Sequence[_Touched]) -> tuple[tuple[Snapshot, ...], tuple[TracedEdit, ...]]:
    """Return a file after each call that did something to it, and what each did."""
    from everyleaf.compare.files import contents_after  # noqa: PLC0415  (slow to import)

    snapshots: list[Snapshot] = []
    edits: list[TracedEdit] = []
    now: Snapshot | None = None
    for _, origin, touch in calls:
        at = moment_of(origin.at).timestamp()
        if touch.before is not None or touch.is_new:
            now = _next(now, touch.before or "", None, at)
        text = contents_after(touch, now.text if now else None)
        if not touch.is_change:
            now = None if text is None else _next(now, text, None, at)
            continue
        pieces = _pieces(touch)
        if text is not None:
            after = split_lines(text)
            old = {to for _, to in pair_up(now.lines, after).pairs} if now else set[int]()
            pieces = [(line, at in old) for at, line in enumerate(after)]
        added = _telling(one for one, is_old in pieces if not is_old)
        edits.append(TracedEdit(origin, added, _taken(touch, now, text)))
        if text is not None:
            now = _next(now, text, edits[-1], at)
            snapshots.append(now)
        else:
            authors = tuple(None if is_old else edits[-1] for _, is_old in pieces)
            lines = tuple(line for line, _ in pieces)
            snapshots.append(Snapshot(at, lines, authors, None))
            now = None
    return tuple(snapshots), tuple(edits)


def _next(now: Snapshot | None, text: str, edit: TracedEdit | None, at: float) -> Snapshot:
    """Return a file that holds `text`, of which `edit` wrote what was not there."""
    after = tuple(split_lines(text))
    authors = [edit] * len(after)
    for one, to in pair_up(now.lines, after).pairs if now else ():
        authors[to] = now.authors[one] if now else None
    return Snapshot(at, after, tuple(authors), text)


def _pieces(touch: FileTouch) -> list[tuple[str, bool]]:
    """Return the lines around an edit, and whether each was there before."""
    if touch.hunks:
        lines = [line for hunk in touch.hunks for line in hunk.lines if line.sign != "-"]
        return [(line.text, line.sign == " ") for line in lines]
    found: list[tuple[str, bool]] = []
    for each in touch.replacements:
        new = split_lines(each.new)
        paired = {to for _, to in pair_up(split_lines(each.old), new).pairs}
        found += [(line, at in paired) for at, line in enumerate(new)]
    return found


def _taken(touch: FileTouch, before: Snapshot | None, after: str | None) -> frozenset[str]:
    """Return the telling lines that an edit took out, as far as they are known."""
    if before and after is not None:
        return _telling(before.lines) - _telling(split_lines(after))
    if touch.hunks:
        lines = (line for hunk in touch.hunks for line in hunk.lines)
        return _telling(line.text for line in lines if line.sign == "-")
    return _telling(line for each in touch.replacements for line in split_lines(each.old))


def _telling(lines: Iterable[str]) -> frozenset[str]:
    # Without what indents it: the CLI writes tabs as blanks in its diffs.
    return frozenset(squeezed(line) for line in lines if is_telling(line))


class Sureness(StrEnum):
    """How it is known where lines come from, the surest first."""

    RECORDED = "recorded"
    REWRITTEN = "rewritten"
    """By a rebase, an amendment or a pick: same moment, same subject."""
    MATCHED = "matched"
    POSSIBLE = "possible"
    SEVERAL = "several"
    COMMIT = "commit"
    UNKNOWN = "unknown"


SAID = {
    Sureness.RECORDED: "the session recorded the commit",
    Sureness.REWRITTEN: "the session made the commit, which was rewritten since",
    Sureness.MATCHED: "the edit is older than the commit and wrote the same",
    Sureness.POSSIBLE: "the edit wrote the same, but a commit between did not carry it",
    Sureness.SEVERAL: "several edits wrote it before the commit, and nothing tells which",
    Sureness.COMMIT: "the session made the commit; none of its edits wrote this",
    Sureness.UNKNOWN: "no session is known to have written this",
}
"""Why it is as sure as that."""


class LineAnswer(Struct, frozen=True):
    """Where some lines of a file come from."""

    spans: tuple[tuple[int, int], ...]
    """First and last line of each stretch."""
    commit: str
    """Hash; empty: not committed yet."""
    subject: str
    committed: int
    sure: Sureness
    said: str
    """Why it is as sure as that, in a few words."""
    origins: tuple[LineOrigin, ...]
    """One, several that cannot be told apart, or none."""
    abandoned: tuple[LineOrigin, ...]
    """Edits on abandoned paths that touched the same lines."""


class FileAnswers(Struct, frozen=True):
    """Where lines of a file come from."""

    file: str
    """As seen from the top of the repository."""
    answers: tuple[LineAnswer, ...]
    """In the order of their first lines."""
    loose: tuple[LineOrigin, ...]
    """Edits of the file that no commit carries, nor the file itself."""
