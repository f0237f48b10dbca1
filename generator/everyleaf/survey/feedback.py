"""What people said in sessions: prompts, refusals with reasons, answers, interruptions."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import EVERYTHING
from everyleaf.compare.sketch import prose_of
from everyleaf.config import FEEDBACK
from everyleaf.graph.describe import is_warmup_text
from everyleaf.opening.groups import FamilyReader, families_of, survey, whole_paths
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.pages.walk import first_paths
from everyleaf.render.entries import anchor_of
from everyleaf.survey.history import History, find_histories, read_histories
from everyleaf.transcript.document import (
    Checklist,
    Code,
    Manner,
    Notice,
    NoticeKind,
    Outcome,
    Prompt,
    Prose,
    Reply,
    ToolCall,
)
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from everyleaf.archive import Archive
    from everyleaf.config import FeedbackOptions
    from everyleaf.opening.reading import Scope
    from everyleaf.pages.work import FamilyWork, TurnKey, TurnTree
    from everyleaf.transcript.document import AnyEntry
    from everyleaf.workers import OnProgress

QUESTIONS = "AskUserQuestion"
PLANS = frozenset({"ExitPlanMode", "exit_plan_mode"})
_BY_A_PERSON = ("refused by the user", "denied (user")
"""How a refusal that a person made is told; rules and hooks refuse, too."""
_BY_NOBODY = ("no answer within", "No response after")
"""How a question that nobody answered in time is told."""


class RemarkKind(StrEnum):
    """How a person said something."""

    PROMPT = "prompt"
    DENIAL = "denial"
    INTERRUPTION = "interruption"
    ANSWER = "answer"
    PLAN_REJECTION = "plan-rejection"


class Said(Struct, frozen=True):
    """One thing that a person said, with where and when."""

    kind: RemarkKind
    uuid: str
    at: str
    """As recorded (ISO 8601, UTC)."""
    text: str
    """Empty where a call was refused, or work interrupted, without a word."""
    answered: str
    """What it answered: the reply or the call before it, in few words."""
    project: str = ""
    session: str = ""
    path: int = 0
    """The first of the session's paths that it is on; 0: on none, or an agent's."""
    agent_id: str = ""
    """The subagent that was told so; empty: the session itself."""
    url: str = ""
    """The place, as seen from the root of a site; empty where there is none."""


class Feedback(Struct, frozen=True):
    """What people said, in sessions and beside them."""

    said: tuple[Said, ...]
    """In order of time, without the trivial."""
    titles: dict[str, str]
    """Session → what it is called."""
    history: History | None
    """None: there is no `history.jsonl`, or only some of the sessions were asked for."""


def gather_feedback(
    scope: Scope, on_progress: OnProgress, *, options: FeedbackOptions = FEEDBACK
) -> Feedback:
    """Return what people said in the sessions that `scope` names and in their histories.

    Raises:
        SourceError: the input cannot be read.
        RedactError: secrets cannot be looked for.
    """
    # Of prompts alone, it cannot be told which session they would have been in.
    histories = find_histories(scope.places) if scope.choice == EVERYTHING else ()
    surveyed = survey(
        replace(scope, beside=histories), look_at_talk, on_progress, kind=tuple[Said, ...]
    )
    index, seen = surveyed.index, surveyed.seen
    found = read_histories(
        [(one.location, index.redaction.redactor(one.session)) for one in histories],
        sessions={file.session for file in index.found.files},
        prompts=(o.text for some in seen for o in some if o.kind is RemarkKind.PROMPT),
    )
    return Feedback(
        said=choose_said(seen, options),
        titles={name: listed.title for name, listed in surveyed.sessions.items()},
        history=found if histories else None,
    )


def choose_said(
    seen: Iterable[tuple[Said, ...]], options: FeedbackOptions
) -> tuple[Said, ...]:
    """Return what was said by time, without the trivial."""
    found = (one for group in seen for one in group)
    told = [one for one in found if not _is_trivial(one, options.trivial)]
    return tuple(sorted(told, key=lambda o: (o.at, o.session, o.agent_id, o.path)))


def _is_trivial(said: Said, trivial: Collection[str]) -> bool:
    """Return whether a prompt says nothing: `trivial`, a command, or the CLI's own."""
    if said.kind is not RemarkKind.PROMPT:
        return False
    words = said.text.strip().rstrip(".!").casefold()
    is_command = said.text.startswith(("/", "! "))
    return not words or words in trivial or is_command or is_warmup_text(said.text)


def look_at_talk(archive: Archive) -> tuple[Said, ...]:
    """Return what people said in `archive`, each thing once, in no promised order.

    What copies of a session repeat counts for the first of them. Each turn is read once.
    """
    return tuple(said for work in families_of(archive) for said in _said_in(work))


def _said_in(work: FamilyWork) -> Iterable[Said]:
    reader, tree = FamilyReader(work), work.tree
    found: dict[str, Said] = {}
    words: dict[TurnKey, str] = {}  # What the model said last, up to the end of a turn.
    for session in work.sessions:
        numbers = first_paths(tree, session.paths)
        shown = whole_paths(tree, session.paths)
        lines = [(item.leaf, "") for item in session.paths]
        # Agents are listed flat, with those that agents called: no way around in a circle.
        lines += [(leaf, one.agent_id) for one in session.agents for leaf in one.leaves]
        for leaf, agent_id in lines:
            for key in _turns_ahead(tree, leaf, words):
                above = tree.parents[key]
                before = words[above] if above else ""
                entries = reader.document(key).entries
                words[key] = _last_words(entries) or before
                page = transcript_url(session.session, shown[key]) if key in shown else ""
                page = agent_url(session.session, agent_id) if agent_id else page
                names = {p.envelope.uuid: p.canonical for p in tree.turns[key].records}
                for remark in _remarks_in(entries, before):
                    # A prompt to an agent is the model's that called it.
                    if agent_id and remark.kind is RemarkKind.PROMPT:
                        continue
                    said = replace(
                        remark,
                        uuid=names.get(remark.uuid, remark.uuid),
                        project=session.project,
                        session=session.session,
                        path=numbers.get(key, 0),
                        agent_id=agent_id,
                        url=f"{page}#{anchor_of(remark.uuid)}" if page else "",
                    )
                    found.setdefault(said.uuid, said)
    return found.values()


def _turns_ahead(
    tree: TurnTree, leaf: TurnKey, known: Collection[TurnKey]
) -> list[TurnKey]:
    """Return the turns up to `leaf` that are not `known`, as all above one of them are."""
    keys: list[TurnKey] = []
    key: TurnKey | None = leaf
    while key is not None and key not in known:
        keys.append(key)
        key = tree.parents[key]
    return keys[::-1]


def _last_words(entries: Sequence[AnyEntry]) -> str:
    """Return the last thing that the model said or did among `entries`, on one line."""
    said = (_words(entry) for entry in reversed(entries))
    return next((words for words in said if words), "")


def _remarks_in(entries: Sequence[AnyEntry], before: str) -> list[Said]:
    """Return what a person said among `entries`; `before` is what was said before them."""
    has_notice = any(_is_interrupt(entry) for entry in entries)
    found: list[Said] = []
    for entry in entries:
        if isinstance(entry, Prompt):
            found.append(_prompt(entry, before))
        elif isinstance(entry, Notice) and _is_interrupt(entry):
            found.append(_remark(RemarkKind.INTERRUPTION, entry, "", before))
        elif isinstance(entry, ToolCall):
            found += _of_call(entry, has_notice=has_notice)
        before = _words(entry) or before
    return found


def _is_interrupt(entry: AnyEntry) -> bool:
    return isinstance(entry, Notice) and entry.kind is NoticeKind.INTERRUPT


def _remark(kind: RemarkKind, entry: AnyEntry, text: str, answered: str) -> Said:
    return Said(kind, entry.uuid, entry.at, text.strip(), answered)


def _prompt(entry: Prompt, before: str) -> Said:
    is_short = entry.manner in {Manner.COMMAND, Manner.SHELL, Manner.MEMORY}
    text = entry.words if is_short else prose_of(entry.parts) or entry.words
    return _remark(RemarkKind.PROMPT, entry, text, before)


def _of_call(entry: ToolCall, *, has_notice: bool) -> Iterator[Said]:
    """Yield what a person said to a call: a refusal, an answer, an interruption."""
    name = _call_words(entry)
    if entry.outcome is Outcome.DENIED:
        said = prose_of(entry.answered)
        if said or entry.outcome_text.startswith(_BY_A_PERSON):
            is_plan = entry.name in PLANS
            kind = RemarkKind.PLAN_REJECTION if is_plan else RemarkKind.DENIAL
            yield _remark(kind, entry, said, name)
    elif entry.outcome is Outcome.INTERRUPTED and entry.outcome_text == "interrupted":
        # Where the turn says so itself, that counts.
        if not has_notice:
            yield _remark(RemarkKind.INTERRUPTION, entry, "", name)
    elif entry.name == QUESTIONS and entry.outcome is Outcome.OK:
        yield from _answers(entry)


def _answers(entry: ToolCall) -> Iterator[Said]:
    """Yield one remark for a call that asked: what was chosen, and what was written."""
    parts = entry.answered
    asked = {
        at for at, part in enumerate(parts[1:]) if isinstance(part, Checklist)
    }  # The question stands before its options.
    chosen = [
        item.text
        for part in parts
        if isinstance(part, Checklist)
        for item in part.items
        if item.status == "chosen"
    ]
    written = [
        part.text
        for at, part in enumerate(parts)
        if isinstance(part, Prose) and at not in asked
    ]
    text = "; ".join([*chosen, *written]) or entry.outcome_text
    if text and not entry.outcome_text.startswith(_BY_NOBODY):
        yield _remark(RemarkKind.ANSWER, entry, text, entry.target)


def _words(entry: AnyEntry) -> str:
    if isinstance(entry, Reply):
        return one_line(prose_of(entry.parts))
    return _call_words(entry) if isinstance(entry, ToolCall) else ""


def _call_words(entry: ToolCall) -> str:
    code = next((one_line(p.text) for p in entry.asked if isinstance(p, Code)), "")
    return one_line(f"{entry.label or entry.name}: {entry.target or code}".rstrip(": "))
