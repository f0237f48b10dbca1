"""What people said in sessions: prompts, refusals with reasons, answers, interruptions.

And the prompts of `history.jsonl` that no session holds any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import EVERYTHING, Archive
from everyleaf.compare.sketch import prose_of
from everyleaf.config import TRIVIAL
from everyleaf.graph.describe import is_warmup_text
from everyleaf.opening.reading import FamilyReader, Scope, families_of, survey
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.pages.work import FamilyWork, TurnKey, climb, first_paths, whole_paths
from everyleaf.redact.masking import SessionRedactor
from everyleaf.render.entries import anchor_of
from everyleaf.sources.files import Role, SourceFile
from everyleaf.sources.lines import iter_lines, load_strict, text_in
from everyleaf.transcript import document as doc
from everyleaf.transcript.words import one_line
from everyleaf.workers import OnProgress

HISTORY = "history.jsonl"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
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


class LostPrompt(Struct, frozen=True):
    """A prompt that the history holds and no session does."""

    project: str
    """The last part of the folder that it was typed in."""
    session: str
    """Empty where the history does not say."""
    at: str
    text: str


class History(Struct, frozen=True):
    """What the histories beside the sources say."""

    prompts: int
    unreadable: int
    """Lines that are no prompt."""
    lost: tuple[LostPrompt, ...]
    """In order of time."""


class Feedback(Struct, frozen=True):
    """What people said, in sessions and beside them."""

    said: tuple[Said, ...]
    """In order of time, without the trivial."""
    titles: dict[str, str]
    """Session → what it is called."""
    history: History | None
    """None: there is no `history.jsonl`, or only some of the sessions were asked for."""


def gather_feedback(
    scope: Scope, on_progress: OnProgress, *, trivial: Collection[str] = TRIVIAL
) -> Feedback:
    """Return what people said in the sessions that `scope` names and in their histories.

    Prompts that say nothing but what is `trivial` are left out.
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
        said=choose_said(seen, trivial),
        titles={name: listed.title for name, listed in surveyed.sessions.items()},
        history=found if histories else None,
    )


def choose_said(
    seen: Iterable[tuple[Said, ...]], trivial: Collection[str]
) -> tuple[Said, ...]:
    """Return what was said by time, without the `trivial`."""
    found = (one for group in seen for one in group)
    told = [one for one in found if not _is_trivial(one, trivial)]
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
        lines = [(tree.leaves[path.ref], "") for path in session.paths]
        # Agents are listed flat, with those that agents called: no way around in a circle.
        lines += [(leaf, one.agent_id) for one in session.agents for leaf in one.leaves]
        for leaf, agent_id in lines:
            for key in reversed(list(climb(tree, leaf, words))):
                above = tree.parents[key]
                before = words[above] if above else ""
                entries = reader.document(key).entries
                told = (one for entry in reversed(entries) if (one := _words(entry)))
                words[key] = next(told, before)
                page = transcript_url(session.session, shown[key]) if key in shown else ""
                page = agent_url(session.session, agent_id) if agent_id else page
                names = {p.envelope.uuid: p.canonical for p in tree.turns[key].records}
                for kind, entry, text, answered in _remarks_in(entries, before):
                    # A prompt to an agent is the model's that called it.
                    if agent_id and kind is RemarkKind.PROMPT:
                        continue
                    said = Said(
                        kind=kind,
                        uuid=names.get(entry.uuid, entry.uuid),
                        at=entry.at,
                        text=text.strip(),
                        answered=answered,
                        project=session.project,
                        session=session.session,
                        path=numbers.get(key, 0),
                        agent_id=agent_id,
                        url=f"{page}#{anchor_of(entry.uuid)}" if page else "",
                    )
                    found.setdefault(said.uuid, said)
    return found.values()


def _remarks_in(  # noqa: C901  (a case a kind)
    entries: Sequence[doc.AnyEntry], before: str
) -> Iterator[tuple[RemarkKind, doc.AnyEntry, str, str]]:
    """Yield what a person said among `entries`, behind what was said `before`."""
    notices = (entry for entry in entries if isinstance(entry, doc.Notice))
    has_notice = any(entry.kind is doc.NoticeKind.INTERRUPT for entry in notices)
    for entry in entries:
        match entry:
            case doc.Prompt(
                manner=doc.Manner.COMMAND | doc.Manner.SHELL | doc.Manner.MEMORY
            ):
                yield RemarkKind.PROMPT, entry, entry.words, before
            case doc.Prompt():
                yield RemarkKind.PROMPT, entry, prose_of(entry.parts) or entry.words, before
            case doc.Notice(kind=doc.NoticeKind.INTERRUPT):
                yield RemarkKind.INTERRUPTION, entry, "", before
            case doc.ToolCall(outcome=doc.Outcome.DENIED):
                said = prose_of(entry.answered)
                if said or entry.outcome_text.startswith(_BY_A_PERSON):
                    is_plan = entry.name in PLANS
                    kind = RemarkKind.PLAN_REJECTION if is_plan else RemarkKind.DENIAL
                    yield kind, entry, said, _call_words(entry)
            case doc.ToolCall(outcome=doc.Outcome.INTERRUPTED, outcome_text="interrupted"):
                if not has_notice:  # Where the turn says so itself, that counts.
                    yield RemarkKind.INTERRUPTION, entry, "", _call_words(entry)
            case doc.ToolCall(name="AskUserQuestion", outcome=doc.Outcome.OK):
                text = _answer(entry)
                if text and not entry.outcome_text.startswith(_BY_NOBODY):
                    yield RemarkKind.ANSWER, entry, text, entry.target
            case _:
                pass
        before = _words(entry) or before


def _answer(entry: doc.ToolCall) -> str:
    """Return what was chosen where a call asked, and what was written."""
    chosen: list[str] = []
    written: list[str] = []
    for part, below in zip_longest(entry.answered, entry.answered[1:]):
        if isinstance(part, doc.Checklist):
            chosen += [item.text for item in part.items if item.status == "chosen"]
        # The question stands before its options.
        elif isinstance(part, doc.Prose) and not isinstance(below, doc.Checklist):
            written.append(part.text)
    return "; ".join([*chosen, *written]) or entry.outcome_text


def _words(entry: doc.AnyEntry) -> str:
    if isinstance(entry, doc.Reply):
        return one_line(prose_of(entry.parts))
    return _call_words(entry) if isinstance(entry, doc.ToolCall) else ""


def _call_words(entry: doc.ToolCall) -> str:
    code = next((one_line(p.text) for p in entry.asked if isinstance(p, doc.Code)), "")
    return one_line(f"{entry.label or entry.name}: {entry.target or code}".rstrip(": "))


def find_histories(places: Iterable[Path]) -> tuple[SourceFile, ...]:
    """Return the histories beside the sources `places`, each once, in their order.

    They are files to look for secrets in, like those of sessions.
    """
    found: dict[Path, None] = {}
    for place in places:
        start = place if place.is_dir() else place.parent
        # The history stands in the folder that `projects` stands in.
        for folder in (start, *list(start.resolve().parents)[:3]):
            location = folder / HISTORY
            is_settings = (folder / "projects").is_dir()
            if is_settings and location.is_file():
                found[location.resolve()] = None
                break
    return tuple(
        SourceFile(
            project="",
            file=HISTORY,
            place=str(location),
            session=f"{HISTORY}#{number}",
            role=Role.SESSION,
            size_bytes=location.stat().st_size if location.is_file() else 0,
            tool_results_dir=str(location.parent / "no-such-folder"),
        )
        for number, location in enumerate(found)
    )


def read_histories(
    histories: Sequence[tuple[Path, SessionRedactor]],
    *,
    sessions: Iterable[str],
    prompts: Iterable[str],
) -> History:
    """Return how many prompts there are, and those that have no session left.

    A prompt that names its session has one if that is among `sessions`. One that names
    none has one if it begins as one of `prompts` does.
    """
    known, said = set(sessions), {_key(text) for text in prompts}
    count, unreadable, lost = 0, 0, list[LostPrompt]()
    for location, redactor in histories:
        for entry in _read(location):
            if entry is None:
                unreadable += 1
                continue
            count += 1
            is_there = entry.session in known if entry.session else _key(entry.text) in said
            if not is_there:
                masked = redactor.text(entry.text), redactor.text(entry.project)
                lost.append(LostPrompt(masked[1], entry.session, entry.at, masked[0]))
    lost.sort(key=lambda one: (one.at, one.session, one.text))
    return History(count, unreadable, tuple(lost))


def _key(text: str) -> str:
    return one_line(text, limit=60).rstrip("…").strip()


def _read(location: Path) -> Iterator[LostPrompt | None]:
    """Yield the prompts of a history; None for a line that is none."""
    for line in iter_lines(location):
        if not line.data.strip():
            continue
        raw = load_strict(line.data) or {}
        text, session = raw.get("display"), text_in(raw, "sessionId")
        folder = text_in(raw, "project").replace("\\", "/").rstrip("/")
        project, at = folder.rsplit("/", 1)[-1], _moment(raw.get("timestamp"))
        yield LostPrompt(project, session, at, text) if isinstance(text, str) else None


def _moment(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=value)
    except (OverflowError, ValueError):
        return ""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
