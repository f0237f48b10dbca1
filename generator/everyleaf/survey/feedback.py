"""What people said in sessions: prompts, refusals with reasons, answers, interruptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.config import FEEDBACK
from everyleaf.graph.titles import is_warmup_text
from everyleaf.opening.families import survey, whole_paths
from everyleaf.opening.reader import FamilyReader
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.pages.walk import first_paths
from everyleaf.render.anchors import anchor_of
from everyleaf.survey.remarks import Remark, RemarkKind, last_words, remarks_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from everyleaf.archive import Archive
    from everyleaf.config import FeedbackOptions
    from everyleaf.opening.reading import Scope
    from everyleaf.pages.work import FamilyWork, SessionWork, TurnKey
    from everyleaf.workers import OnProgress


class Said(Struct, frozen=True):
    """One thing that a person said, with where and when."""

    project: str
    session: str
    path: int
    """The first of the session's paths that it is on; 0: on none, or an agent's."""
    agent_id: str
    """The subagent that was told so; empty: the session itself."""
    kind: RemarkKind
    at: str
    """As recorded (ISO 8601, UTC)."""
    text: str
    answered: str
    """What it answered: the reply or the call before it, in few words."""
    uuid: str
    url: str
    """The place, as seen from the root of a site; empty where there is none."""


class Feedback(Struct, frozen=True):
    """All that people said."""

    archive: Archive
    said: tuple[Said, ...]
    """In order of time."""
    prompts: tuple[str, ...]
    """All prompts, trivial ones too: what `history.jsonl` is compared with."""


def gather_feedback(
    scope: Scope,
    on_progress: OnProgress,
    *,
    options: FeedbackOptions = FEEDBACK,
) -> Feedback:
    """Return what people said in the sessions that `scope` names, without the trivial.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    archive, seen = survey(scope, look_at_talk, on_progress, kind=tuple[Said, ...])
    return choose_feedback(archive, seen, options)


def choose_feedback(
    archive: Archive, seen: Iterable[tuple[Said, ...]], options: FeedbackOptions
) -> Feedback:
    """Return what was said in the families of `archive`, without the trivial."""
    found = sorted(
        (one for family in seen for one in family),
        key=lambda one: (one.at, one.session, one.agent_id, one.path),
    )
    return Feedback(
        archive=archive,
        said=tuple(one for one in found if not is_trivial(one, options.trivial)),
        prompts=tuple(one.text for one in found if one.kind is RemarkKind.PROMPT),
    )


def is_trivial(said: Said, trivial: Collection[str]) -> bool:
    """Return whether a prompt says nothing: `trivial`, a command, or the CLI's own."""
    if said.kind is not RemarkKind.PROMPT:
        return False
    words = said.text.strip().rstrip(".!").casefold()
    is_command = said.text.startswith(("/", "! "))
    return not words or words in trivial or is_command or is_warmup_text(said.text)


def look_at_talk(work: FamilyWork) -> tuple[Said, ...]:
    """Return what people said in a family, each thing once, in no promised order.

    What copies of a session repeat counts for the first of them.
    """
    found: dict[str, Said] = {}
    for session in work.sessions:
        for said in _session(_Talk(FamilyReader(work)), session):
            found.setdefault(said.uuid, said)
    return tuple(found.values())


class _Talk:
    """Looks at turns in reading order, knowing what was said before each."""

    def __init__(self, reader: FamilyReader) -> None:
        self.reader = reader
        self._before: dict[TurnKey, str] = {}

    def remarks(self, key: TurnKey, above: TurnKey | None) -> Sequence[Remark]:
        """Return what people said in a turn; the turn `above` was looked at before."""
        before = self._before.get(above, "") if above else ""
        document = self.reader.document(key)
        self._before[key] = last_words(document.entries) or before
        return remarks_in(document.entries, before)


def _session(talk: _Talk, session: SessionWork) -> Iterator[Said]:
    tree = talk.reader.work.tree
    numbers = first_paths(tree, session.paths)
    shown = whole_paths(tree, session.paths)
    done: set[TurnKey] = set()
    for item in session.paths:
        yield from _line(talk, session, item.leaf, numbers, shown, done)
    # Agents are listed flat, with those that agents called: no way around in a circle.
    for agent in session.agents:
        for leaf in agent.leaves:
            yield from _line(talk, session, leaf, {}, {}, done, agent_id=agent.agent_id)


def _line(  # noqa: PLR0913, PLR0917  (what a line is, and what is known of others)
    talk: _Talk,
    session: SessionWork,
    leaf: TurnKey,
    numbers: dict[TurnKey, int],
    shown: dict[TurnKey, int],
    done: set[TurnKey],
    *,
    agent_id: str = "",
) -> Iterator[Said]:
    above: TurnKey | None = None
    for key in talk.reader.work.tree.chain(leaf):
        if key not in done:
            done.add(key)
            number = numbers.get(key, 0)
            page = transcript_url(session.session, shown[key]) if key in shown else ""
            page = agent_url(session.session, agent_id) if agent_id else page
            turn = talk.reader.work.tree.turns[key]
            names = {p.envelope.uuid: p.canonical for p in turn.records}
            for remark in talk.remarks(key, above):
                # A prompt to an agent is the model's that called it.
                if agent_id and remark.kind is RemarkKind.PROMPT:
                    continue
                uuid = names.get(remark.uuid, remark.uuid)
                yield Said(
                    project=session.project,
                    session=session.session,
                    path=number,
                    agent_id=agent_id,
                    kind=remark.kind,
                    at=remark.at,
                    text=remark.text,
                    answered=remark.answered,
                    uuid=uuid,
                    url=f"{page}#{anchor_of(remark.uuid)}" if page else "",
                )
        above = key
