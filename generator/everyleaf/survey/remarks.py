"""What a person said in one turn: the entries that are theirs, and what each answered."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.sketch import prose_of
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
    from collections.abc import Iterator, Sequence

    from everyleaf.transcript.document import AnyEntry

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


class Remark(Struct, frozen=True):
    """One thing that a person said in a turn."""

    kind: RemarkKind
    uuid: str
    at: str
    text: str
    """Empty where a call was refused, or work interrupted, without a word."""
    answered: str


def last_words(entries: Sequence[AnyEntry]) -> str:
    """Return the last thing that the model said or did among `entries`, on one line."""
    said = (_words(entry) for entry in reversed(entries))
    return next((words for words in said if words), "")


def remarks_in(entries: Sequence[AnyEntry], before: str) -> list[Remark]:
    """Return what a person said among `entries`; `before` is what was said before them."""
    has_notice = any(_is_interrupt(entry) for entry in entries)
    found: list[Remark] = []
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


def _remark(kind: RemarkKind, entry: AnyEntry, text: str, answered: str) -> Remark:
    return Remark(kind, entry.uuid, entry.at, text.strip(), answered)


def _prompt(entry: Prompt, before: str) -> Remark:
    is_short = entry.manner in {Manner.COMMAND, Manner.SHELL, Manner.MEMORY}
    text = entry.words if is_short else prose_of(entry.parts) or entry.words
    return _remark(RemarkKind.PROMPT, entry, text, before)


def _of_call(entry: ToolCall, *, has_notice: bool) -> Iterator[Remark]:
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


def _answers(entry: ToolCall) -> Iterator[Remark]:
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
