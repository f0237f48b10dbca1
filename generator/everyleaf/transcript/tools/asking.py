"""AskUserQuestion and plan mode: where the model asked the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import (
    CheckItem,
    Checklist,
    Chip,
    Code,
    Fold,
    Outcome,
    Prose,
)
from everyleaf.transcript.tools.call import Answered, Asked, Tool, is_switch
from everyleaf.transcript.tools.generic import size_words, text_parts
from everyleaf.transcript.values import (
    as_cell,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    value_at,
)
from everyleaf.transcript.words import duration, first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call


def _questions(call: Call) -> list[JsonObject]:
    return objects_at(call.input, "questions") or objects_at(call.result, "questions")


def asked_questions(call: Call) -> Asked:
    """Return the questions; their options stand here only if nothing was chosen."""
    questions = _questions(call)
    words = " / ".join(text_at(question, "question") for question in questions)
    is_answered = bool(object_at(call.result, "answers"))
    shown = () if is_answered else tuple(p for q in questions for p in _question(q, "", ""))
    return Asked(one_line(words), shown)


def answered_questions(call: Call) -> Answered:
    """Return each question with its options and what was chosen."""
    answers = object_at(call.result, "answers")
    if not answers:
        return Answered(text=first_line(call.text), parts=text_parts(call.text))
    annotations = object_at(call.result, "annotations")
    parts: list[Part] = []
    said: list[str] = []
    for question in _questions(call):
        name = text_at(question, "question")
        answer = _answer(answers, name)
        said.append(answer)
        parts.extend(
            _question(question, answer, text_at(object_at(annotations, name), "notes"))
        )
    response = text_at(call.result, "response")
    if response.strip():
        parts.append(Prose(response, keeps_breaks=True))
    waited = int_at(call.result, "afkTimeoutMs")
    words = " / ".join(filter(None, said))
    if waited is not None and not words:
        words = f"no answer within {duration(waited)}"
    return Answered(text=one_line(words), parts=tuple(parts))


def _answer(answers: JsonObject, question: str) -> str:
    answer = value_at(answers, question)
    if isinstance(answer, list):
        return ", ".join(as_cell(one) for one in answer)
    return "" if answer is None else as_cell(answer)


def _question(question: JsonObject, answer: str, notes: str) -> tuple[Part, ...]:
    """Return a question with its options: the chosen ones ticked, an own answer added."""
    options = objects_at(question, "options")
    labels = [text_at(option, "label") for option in options]
    chosen = {answer} if answer in labels else set(answer.split(", "))
    items = [
        CheckItem(
            ": ".join(filter(None, (label, text_at(option, "description")))),
            "chosen" if label in chosen else "option",
        )
        for label, option in zip(labels, options, strict=True)
    ]
    if answer and not chosen & set(labels):
        items.append(CheckItem(answer, "chosen"))
    topic = text_at(question, "header")
    parts: list[Part] = [Chip("topic", topic)] if topic else []
    parts.append(Prose(text_at(question, "question")))
    if items:
        parts.append(Checklist(tuple(items)))
    if is_set(question, "multiSelect"):
        parts.append(Chip("answers", "any number"))
    parts.extend(
        Fold(f"preview of {label}", (Code(preview),))
        for label, option in zip(labels, options, strict=True)
        if (preview := text_at(option, "preview")).strip()
    )
    if notes.strip():
        parts.append(Prose(notes, keeps_breaks=True))
    return tuple(parts)


def _plan(call: Call) -> str:
    return text_at(call.result, "plan") or text_at(call.input, "plan")


def asked_plan(call: Call) -> Asked:
    """Return the plan's first line; the plan itself only if it was not approved."""
    plan = _plan(call)
    words = first_line(plan).lstrip("# ")
    shown = plan.strip() and call.outcome is not Outcome.OK
    return Asked(words, (Prose(plan),) if shown else ())


def answered_plan(call: Call) -> Answered:
    """Return the plan that was approved."""
    plan = _plan(call)
    said = joined(
        "waits for the lead"
        if is_set(call.result, "awaitingLeaderApproval")
        else "approved",
        "changed by the user" if is_set(call.result, "planWasEdited") else "",
    )
    return Answered(
        text=said, parts=(Prose(plan),) if plan.strip() else text_parts(call.text)
    )


def asked_mode(_call: Call) -> Asked:
    """Return nothing: the name of the tool says it."""
    return Asked()


def answered_mode(call: Call) -> Answered:
    """Return what the CLI said; the instructions to the model behind it are not news."""
    said = text_at(call.result, "message") or call.text
    words = said.partition(". ")[0].rstrip(".")
    return Answered(text=size_words(words), parts=text_parts(said))


TOOLS = (
    Tool(
        ("AskUserQuestion",),
        asked_questions,
        answered=answered_questions,
        draws=frozenset(
            {
                "questions",
                "question",
                "header",
                "options",
                "label",
                "description",
                "preview",
            }
        ),
        told={"multiSelect": is_switch},
    ),
    Tool(
        ("ExitPlanMode", "exit_plan_mode"),
        asked_plan,
        answered=answered_plan,
        draws=frozenset({"plan"}),
    ),
    Tool(("EnterPlanMode",), asked_mode, answered=answered_mode),
)
