"""What an earlier build found out about turns, so that a page that stands costs no drawing.

A page's facts, forks and links need something of every turn on its path. That is noted with
a digest of all that the turn was made of; while it is the same, the note is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

# msgspec reads the annotations, so their names must exist when the module runs.
from everyleaf.fingerprint import digest_value
from everyleaf.render.view import OutlineItem  # noqa: TC001  (msgspec reads it)
from everyleaf.search.pages import SearchText  # noqa: TC001  (msgspec reads it)
from everyleaf.transcript.document import (
    Task,  # noqa: TC001  (msgspec reads it)
    TurnFacts,  # noqa: TC001  (msgspec reads it)
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.graph.forest import Turn
    from everyleaf.pages.work import FamilyWork, TurnKey


class TurnNote(Struct, frozen=True, kw_only=True):
    """What pages need to know of a turn, beside what they show of it."""

    key: tuple[str, int]
    """(session or agent file key, index) of the turn."""
    made_of: str
    """Digest of all that goes into it; empty where no notes are kept."""
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
    reads_tasks: bool = False
    """With another list before it, it might be another one."""
    linked: tuple[tuple[str, bool], ...] = ()
    """The subagents that it leads to where they have a page, and whether they have."""
    has_html: bool
    """It shows something on HTML pages."""
    has_markdown: bool


class NoteBook:
    """The notes of a family's turns: what is known of them, and what is found out."""

    def __init__(
        self, work: FamilyWork, context: str, known: Iterable[TurnNote] = ()
    ) -> None:
        """Take the notes of earlier builds, of this family or whatever it was then.

        `context` is a digest of what goes into every page: code, theme, settings.
        """
        self.notes: dict[TurnKey, TurnNote] = {}
        """Those that are true now."""
        self._work = work
        self._context = context
        self._known = {note.key: note for note in known}
        agents = [agent for session in work.sessions for agent in session.agents]
        self._agents = {(agent.session, agent.agent_id) for agent in agents}
        self._asked: dict[str, bool] = {}
        self._called = {
            (agent.session, agent.tool_use_id): agent.agent_id
            for agent in agents
            if agent.tool_use_id
        }

    def made_of(self, turn: Turn, tasks: Sequence[Task]) -> str:
        """Return a digest of all that goes into `turn`; `tasks` is the list before it."""
        uuids = (placed.envelope.uuid for placed in turn.records)
        withdrawn = self._work.withdrawn
        return digest_value(
            [
                self._context,
                turn,
                tasks,
                list(self._sources(turn)),
                list(self._calls(turn)),
                [uuid for uuid in uuids if uuid in withdrawn],
            ]
        )

    def was_known(self, note: TurnNote) -> bool:
        """Return whether `note` is that of an earlier build."""
        return self._known.get(note.key) is note

    def find(self, key: TurnKey, made_of: str, *, is_sketched: bool) -> TurnNote | None:
        """Return what is known of a turn, if it was `made_of` the same then."""
        note = self._known.get(key)
        if note is None or note.made_of != made_of:
            return None
        if is_sketched and note.sketch is None:
            return None
        agents, session = self._agents, self._work.tree.turns[key].session
        stands = all(((session, name) in agents) is has for name, has in note.linked)
        return note if stands else None

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
        """Yield what is masked in the turn's sources and lies beside them.

        What a record says is known by its line; where it has no one line, by its file.
        """
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

    def _calls(self, turn: Turn) -> Iterator[tuple[str, str]]:
        """Yield the calls of the turn of which only the agent knows that they began it."""
        for placed in turn.records:
            for call in placed.envelope.tool_use_ids:
                agent = self._called.get((turn.session, call))
                if agent is not None:
                    yield call, agent
