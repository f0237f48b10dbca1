"""Turns as pages take them: what is known of one, and what it shows.

What pages need to know of a turn, for facts, forks and links, is kept from build to build
under a digest of all that went into it; while that is the same, the turn is not drawn to
know it. Those of a long group may be drawn before its pages: a chunk is two files, its
fragments (`Chunk`), and beside that what they show, one turn behind the other.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, product
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr, replace

from everyleaf.digest import digest_value
from everyleaf.graph.forest import Turn
from everyleaf.outputs import StagedFile
from everyleaf.pages.work import FamilyWork, TurnKey
from everyleaf.render.view import OutlineItem
from everyleaf.search.pages import SearchText
from everyleaf.transcript.document import FileEdit, Task, TurnFacts


class TurnFragment(Struct, frozen=True, kw_only=True, gc=False):
    """A turn that was drawn: what pages need to know of it, beside what they show."""

    key: tuple[str, int]
    """(session or agent file key, index) of the turn."""
    input_digest: str
    """Digest of all that goes into it; empty where nothing is kept."""
    anchors: dict[str, str]
    """By uuid, in page order: all that the turn shows, results and fragments included."""
    numbered: tuple[str, ...]
    """Anchors of the prompts that count, in order."""
    facts: TurnFacts
    outline: tuple[OutlineItem, ...]
    blobs: tuple[str, ...]
    """Names, sorted."""
    said: tuple[SearchText, ...] = ()
    """What search finds of it."""
    sketch: bytes | None = None
    """Of a turn that is compared, encoded: as values, they would take much memory."""
    tasks: tuple[Task, ...] | None = None
    """The task list after it; None: as it was before."""
    edits: tuple[FileEdit, ...] = ()
    """What its calls did to files, in page order."""
    reads_tasks: bool = False
    """With another list before it, it might be another one."""
    linked: tuple[tuple[str, bool], ...] = ()
    """The subagents that it leads to where they have a page, and whether they have."""
    has_reply: bool = False
    """It shows words of the model."""
    gist: str | None = ""
    """What its last reply says, in a few lines; empty where it says nothing or calls, None
    where it stays on disk beside what the turn shows."""
    is_personal: bool = False
    """A call in it holds what the person said."""
    unrecorded: int = 0
    """Times that it thought and nothing of it was recorded."""
    has_html: bool
    """It shows something on HTML pages."""
    has_markdown: bool


class FragmentText(Struct, frozen=True):
    """What pages show of a turn; what a format does not need is empty.

    Kept as UTF-8: a text with a single sign beyond Latin-1 takes twice the memory or more.
    """

    html: bytes
    markdown: bytes


class FragmentBook:
    """The fragments of a family: those of earlier builds, and those that are true now."""

    def __init__(
        self, work: FamilyWork, context: str, known: Iterable[TurnFragment] = ()
    ) -> None:
        """Take fragments of earlier builds; `context`: code, theme, settings digested."""
        self.now: dict[TurnKey, TurnFragment] = {}
        """Those that are true now."""
        self._work = work
        self._context = context
        self._known = {one.key: one for one in known}
        self._agents = work.agents()
        self._projects = work.projects()
        self._called = work.called()
        self._asked: dict[str, bool] = {}

    def input_digest(self, turn: Turn, tasks: Sequence[Task]) -> str:
        """Return a digest of all that goes into `turn`; `tasks` is the list before it."""
        uuids = (placed.envelope.uuid for placed in turn.records)
        calls = (call for one in turn.records for call in one.envelope.tool_use_ids)
        found = ((call, self._called.get((turn.session, call))) for call in calls)
        withdrawn = self._work.withdrawn
        return digest_value(
            [
                self._context,
                turn,
                tasks,
                list(self._sources(turn)),
                # Calls of which only the agent knows that they began it.
                [pair for pair in found if pair[1] is not None],
                [uuid for uuid in uuids if uuid in withdrawn],
                self._projects.get(turn.session),
            ]
        )

    def was_known(self, fragment: TurnFragment) -> bool:
        """Return whether `fragment` is that of an earlier build."""
        return self._known.get(fragment.key) is fragment

    def find(
        self, key: TurnKey, input_digest: str, *, is_sketched: bool
    ) -> TurnFragment | None:
        """Return what is known of a turn, if it was drawn of the same then."""
        known = self._known.get(key)
        if known is None or known.input_digest != input_digest:
            return None
        if is_sketched and known.sketch is None:
            return None
        agents, session = self._agents, self._work.tree.turns[key].session
        stands = all(((session, name) in agents) is has for name, has in known.linked)
        return known if stands else None

    def knows(self, session: str, agent_id: str) -> bool:
        """Return whether an agent has a page, and remember that it was asked for."""
        is_known = (session, agent_id) in self._agents
        self._asked[agent_id] = is_known
        return is_known

    def take_asked(self) -> tuple[tuple[str, bool], ...]:
        """Return what was asked for since the last time, and what was said, sorted."""
        asked, self._asked = self._asked, {}
        return tuple(sorted(asked.items()))

    def _sources(self, turn: Turn) -> Iterator[tuple[str, str]]:
        """Yield what is masked in the turn's sources and beside them, by line or file."""
        used, whole = {turn.source}, set[int]()
        for placed in turn.records:
            copies = ((each.source, each.envelope) for each in placed.variants)
            for source, envelope in ((placed.source, placed.envelope), *copies):
                used.add(source)
                if not envelope.line_digest:
                    whole.add(source)
        for source in sorted(used):
            ref = self._work.sources[source]
            yield ref.beside, ref.content if source in whole else ""


LENGTHS = struct.Struct("<3I")


class ChunkTurn(Struct, frozen=True, gc=False):
    """A turn that was drawn."""

    fragment: TurnFragment
    tasks: int
    """Number of the task list that it was drawn with, as if that stood before it."""
    offset: int
    """Where it begins in the file of its chunk: the lengths of its HTML, its Markdown and
    what its fragment leaves out here (its sketch and its gist, encoded), then these."""
    chunk: int = 0
    """Number of the chunk, among those that were read."""


class Chunk(Struct, frozen=True):
    """Turns that were drawn together."""

    turns: list[ChunkTurn]
    lists: list[tuple[Task, ...]]
    """Task lists that they were drawn with."""
    blobs: dict[str, StagedFile]
    """Where the bytes are of what they link to, by name."""


class ChunkFiles:
    """The turns of a group that are drawn.

    What pages show of them stays on disk, and so do sketches and gists, which would be half
    of all that is known of a long session; all are read as often as they are asked for.
    """

    def __init__(
        self, chunks: Iterable[tuple[Path, Path]], known: Iterable[object] = ()
    ) -> None:
        """Read `chunks`, given as their files: fragments, and what they show.

        Of what is `known`, keys and ids which others hold as well, and of what many turns
        say alike, there is one value each.
        """
        self.blobs: dict[str, StagedFile] = {}
        """Where the bytes are of what the turns link to, by name."""
        self._turns: dict[TurnKey, ChunkTurn] = {}
        self._chunks: list[tuple[list[tuple[Task, ...]], Path]] = []
        self._open = lru_cache(maxsize=1)(_open)
        shared: dict[object, object] = {one: one for one in known}
        for known_file, texts_file in chunks:
            chunk = msgspec.msgpack.decode(known_file.read_bytes(), type=Chunk)
            self.blobs |= chunk.blobs
            for turn in chunk.turns:
                _share(turn.fragment, shared)
                force_setattr(turn, "chunk", len(self._chunks))
                self._turns[turn.fragment.key] = turn
            self._chunks.append((chunk.lists, texts_file))

    def __contains__(self, key: TurnKey) -> bool:
        """Return whether a turn is drawn."""
        return key in self._turns

    def find(self, key: TurnKey, tasks: tuple[Task, ...]) -> TurnFragment | None:
        """Return a turn; None where it must be drawn with `tasks` before it.

        What it was made of is left out where that were other tasks, none of which it shows.
        """
        found = self._turns.get(key)
        if found is None:
            return None
        fragment, (lists, _) = found.fragment, self._chunks[found.chunk]
        if tasks == lists[found.tasks]:
            return fragment
        return None if fragment.reads_tasks else replace(fragment, input_digest="")

    def text(self, key: TurnKey) -> FragmentText:
        """Return what pages show of a turn that is drawn."""
        return FragmentText(*self._read(key, 0, 1))

    def whole(self, fragment: TurnFragment) -> TurnFragment:
        """Return `fragment` with its sketch and its gist, if they were left out here."""
        if fragment.gist is not None:
            return fragment
        (rest,) = self._read(fragment.key, 2)
        sketch, gist = msgspec.msgpack.decode(rest, type=tuple[bytes | None, str])
        return replace(fragment, sketch=sketch, gist=gist)

    def _read(self, key: TurnKey, *parts: int) -> Iterator[bytes]:
        turn = self._turns[key]
        _, texts_file = self._chunks[turn.chunk]
        texts, start = self._open(texts_file), turn.offset
        lengths = LENGTHS.unpack_from(texts, start)
        ends = [*accumulate(lengths, initial=start + LENGTHS.size)]
        return (texts[ends[part] : ends[part + 1]] for part in parts)


def _open(texts_file: Path) -> mmap.mmap:
    with texts_file.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _share(fragment: TurnFragment, known: dict[object, object]) -> None:
    """Put what is `known` into `fragment` where it holds an equal value."""
    facts = fragment.facts
    anchors = {known.get(uuid, uuid): at for uuid, at in fragment.anchors.items()}
    force_setattr(fragment, "anchors", anchors)
    alike = ("branch", "version", "folder", "tools", "files")
    told = ("message_id", "request_id", "model")
    places = [(fragment, "key"), *((facts, name) for name in alike)]
    for owner, name in (*places, *product(facts.responses, told)):
        value: object = getattr(owner, name)
        force_setattr(owner, name, known.setdefault(value, value))
