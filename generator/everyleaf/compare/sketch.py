"""A turn in few words, and the steps of two paths beside each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest

from msgspec import Struct

from everyleaf.graph.forest import Turn
from everyleaf.model import Kind
from everyleaf.records.text import without_escapes
from everyleaf.transcript import document as doc
from everyleaf.transcript.edits import FILE_TOOLS, pair_up
from everyleaf.transcript.words import one_line, tool_name

PROMPT_CHARS = 20_000
REPLY_CHARS = 1_200
LINE_CHARS = 160
STEP_CHARS = 600
TESTS = "tests"

SHELLS = frozenset({"Bash", "PowerShell"})
_CHECKS = tuple(
    (kind, re.compile(rf"(?:^|[\s;&|(/])(?:{commands})(?=$|[\s:;&|)\-])"))
    for kind, commands in {
        TESTS: (
            r"pytest|py\.test|unittest|tox|nox|ctest|vitest|jest|mocha|rspec|phpunit|"
            r"(?:npm|pnpm|yarn|bun|deno|go|cargo|dotnet|mvn|gradle|gradlew|just|make|mix|"
            r"swift|rake|npm run|pnpm run|yarn run|bun run|python -m|uv run|npx|zig build)"
            r" (?:run )?(?:test|tests|check|verify|unittest)"
        ),
        "type check": "(?:vue-)?tsc|mypy|(?:based)?pyright|ty check|flow check|cargo check|"
        "(?:npm|pnpm|yarn|bun)(?: run)? type-?check",
        "lint": "eslint|ruff check|biome (?:check|lint)|golangci-lint|cargo clippy|"
        "go vet|(?:npm|pnpm|yarn|bun)(?: run)? lint",
        "build": "(?:cargo|go|dotnet|gradle|swift|npm run|pnpm|yarn|bun run) build",
    }.items()
)
"""What commands look into, and those that do: where several fit, the first counts."""
_TELLS = re.compile(r"[^\W_]")
_RESULT = re.compile(r"(?i)\b(?:pass|fail|ok\b|error)")


class StepKind(StrEnum):
    """What a step of a conversation is."""

    PROMPT = "prompt"
    REPLY = "reply"
    TOOL = "tool"
    COMPACTION = "compaction"
    NOTICE = "notice"


class Step(Struct, frozen=True, array_like=True, omit_defaults=True):
    """One thing that happened, in one line."""

    uuid: str
    kind: StepKind
    name: str
    """Of a tool; else empty."""
    words: str
    """What was said, or what the call was about."""
    ending: str = ""
    """How a call ended, in a few words."""
    outcome: doc.Outcome | None = None
    """Of a call."""
    text: str = ""
    """How a prompt or a reply begins, as it was written."""

    @property
    def signature(self) -> tuple[str, str, str]:
        """Return what makes two steps the same attempt at something, ended as they may."""
        return (self.kind, self.name, self.words)


class Passage(Struct, frozen=True, array_like=True):
    """A text of the conversation, at most as long as a comparison shows."""

    uuid: str
    text: str


class CheckRun(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A shell command that looks like a run of tests, or of another check."""

    uuid: str
    command: str
    outcome: doc.Outcome
    said: str
    """The last line that it printed."""
    kind: str = TESTS
    """`tests`, `type check`, `lint` or `build`."""
    counted: str = ""
    """How many tests passed or failed; empty: not known."""


def last_checks(runs: Iterable[CheckRun]) -> tuple[CheckRun, ...]:
    """Return the last run of each kind, in their order."""
    last = {run.kind: run for run in runs}
    return tuple(last[kind] for kind, _ in _CHECKS if kind in last)


class TurnSketch(Struct, frozen=True, array_like=True, omit_defaults=True):
    """What a comparison needs of a turn."""

    messages: int
    """Conversation records."""
    facts: doc.TurnFacts
    steps: tuple[Step, ...]
    prompt: Passage | None
    """The first prompt, in full."""
    reply: Passage | None
    """The last reply."""
    checks: tuple[CheckRun, ...]
    """The last run of each kind."""
    is_interrupted: bool
    """The turn ends with a person's interruption."""
    tells_of_files: bool = True
    """Its records may say something about files; False: they do not."""


def sketch_turn(turn: Turn, document: doc.TurnDocument) -> TurnSketch:
    """Return the sketch of `turn`, of which `document` is made."""
    entries = document.entries
    replies = (e for e in reversed(entries) if isinstance(e, doc.Reply))
    said = ((e.uuid, text) for e in replies if (text := prose_of(e.parts).strip()))
    prompts = (e for e in entries if isinstance(e, doc.Prompt))
    asked = ((e.uuid, prose_of(e.parts) or e.words) for e in prompts)
    return TurnSketch(
        messages=sum(placed.kind is not Kind.NOTE for placed in turn.records),
        facts=document.facts,
        steps=tuple(_steps(entries)),
        prompt=next((_passage(*one, PROMPT_CHARS) for one in asked), None),
        reply=next((_passage(*one, REPLY_CHARS) for one in said), None),
        checks=last_checks(_check_runs(entries)),
        is_interrupted=bool(entries) and _interrupts(entries[-1]),
        tells_of_files=_tells_of_files(turn, entries),
    )


def _tells_of_files(turn: Turn, entries: Iterable[doc.AnyEntry]) -> bool:
    """Return whether to read the records for what they say about files."""
    made: set[str] = set()
    answered: set[str] = set()
    for placed in turn.records:
        if placed.kind in {Kind.NOTE, Kind.STEERING}:
            return True  # An attachment may hold a file.
        ids = made if placed.kind is Kind.REPLY else answered
        ids.update(placed.envelope.tool_use_ids)
    # Of a call in another turn, the name is guessed.
    is_told_by_name = answered <= made
    names = (entry.name for entry in entries if isinstance(entry, doc.ToolCall))
    return not is_told_by_name or any(name in FILE_TOOLS for name in names)


def _steps(entries: Iterable[doc.AnyEntry]) -> Iterator[Step]:
    for entry in entries:
        match entry:
            case doc.Prompt():
                said = prose_of(entry.parts)
                words, text = one_line(entry.words or said), _begin(said)
                yield Step(entry.uuid, StepKind.PROMPT, "", words, text=text)
            case doc.Reply():
                said = prose_of(entry.parts)
                if words := one_line(said):
                    text = _begin(said)
                    yield Step(entry.uuid, StepKind.REPLY, "", words, text=text)
            case doc.ToolCall():
                yield Step(
                    uuid=entry.uuid,
                    kind=StepKind.TOOL,
                    name=tool_name(entry.name),
                    words=entry.target,
                    ending=entry.outcome_text,
                    outcome=entry.outcome,
                )
            case doc.Compaction():
                yield Step(entry.uuid, StepKind.COMPACTION, "", entry.title)
            case doc.Notice(is_trouble=True) | doc.Notice(kind=doc.NoticeKind.INTERRUPT):
                yield Step(entry.uuid, StepKind.NOTICE, "", one_line(entry.text))
            case _:
                pass


def _interrupts(entry: doc.AnyEntry) -> bool:
    if isinstance(entry, doc.ToolCall):
        return entry.outcome is doc.Outcome.INTERRUPTED
    return isinstance(entry, doc.Notice) and entry.kind is doc.NoticeKind.INTERRUPT


def prose_of(parts: Iterable[doc.Part]) -> str:
    """Return the text of the prose among `parts`, a blank line between two of them."""
    return "\n\n".join(part.text for part in parts if isinstance(part, doc.Prose))


def _begin(text: str) -> str:
    return _passage("", text, STEP_CHARS).text


def _passage(uuid: str, text: str, limit: int) -> Passage:
    text = text.strip()
    if len(text) > limit:
        text = text[:limit].rsplit(" ", 1)[0].rstrip() + " …"
    return Passage(uuid, text)


def _check_runs(entries: Iterable[doc.AnyEntry]) -> Iterator[CheckRun]:
    for entry in entries:
        if isinstance(entry, doc.ToolCall) and entry.name in SHELLS:
            command = "\n".join(p.text for p in entry.asked if isinstance(p, doc.Code))
            kinds = (kind for kind, look in _CHECKS if look.search(command[:4_000]))
            if kind := next(kinds, None):
                said = _last_line(entry.answered)
                counted = entry.tests.words if entry.tests else ""
                yield CheckRun(entry.uuid, entry.target, entry.outcome, said, kind, counted)


def _last_line(parts: Iterable[doc.Part]) -> str:
    """Return the last line that a terminal showed, of those that tell a result if any."""
    said = ""
    for part in parts:
        text = without_escapes(part.text[-4_000:]) if isinstance(part, doc.Code) else ""
        lines = [line for line in text.splitlines() if _TELLS.search(line)]
        telling = [line for line in lines if _RESULT.search(line)]
        said = (telling or lines or [said])[-1]
    return one_line(said, limit=LINE_CHARS)


class Row(Struct, frozen=True):
    """Steps beside each other: the same thing, or what each side did instead."""

    left: Step | None
    right: Step | None

    @property
    def is_same(self) -> bool:
        """Return whether both sides did the same, with the same ending."""
        one, other = self.left, self.right
        if one is None or other is None or one.signature != other.signature:
            return False
        return one.ending == other.ending and one.outcome is other.outcome


def align(left: Sequence[Step], right: Sequence[Step]) -> tuple[Row, ...]:
    """Return all steps of both sides, each side in its order; the same stand in one row."""
    pairs, _ = pair_up([s.signature for s in left], [s.signature for s in right])
    rows: list[Row] = []
    at = to = 0
    for one, other in (*pairs, (len(left), len(right))):
        rows += (Row(*both) for both in zip_longest(left[at:one], right[to:other]))
        if one < len(left) and other < len(right):
            rows.append(Row(left[one], right[other]))
        at, to = one + 1, other + 1
    return tuple(rows)
