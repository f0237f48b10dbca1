"""What the model plans and asks: todo and task lists, questions to the person, plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.transcript.content import prose
from everyleaf.transcript.document import (
    CheckItem,
    Checklist,
    Chip,
    Code,
    Fold,
    Outcome,
    Prose,
    Task,
)
from everyleaf.transcript.tools.call import (
    Answered,
    Tool,
    is_among,
    is_switch,
    size_words,
    text_parts,
)
from everyleaf.transcript.values import (
    as_cell,
    int_at,
    is_set,
    list_at,
    object_at,
    objects_at,
    text_at,
    texts_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import duration, first_line, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.document import Part, Parts
    from everyleaf.transcript.tools.call import Call

_WORDS = {"pending": "to do", "in_progress": "in progress", "completed": "done"}
"""States of a task, for a reader."""


def _done(items: tuple[CheckItem, ...]) -> str:
    done = sum(item.status == "completed" for item in items)
    return f"{done} of {len(items)} done"


def _todos(call: Call) -> tuple[CheckItem, ...]:
    before = {
        text_at(todo, "content"): text_at(todo, "status")
        for todo in objects_at(call.result, "oldTodos")
    }
    todos = objects_at(call.result, "newTodos") or objects_at(call.input, "todos")
    # All of a first list is new, and no mark would tell one item from another.
    return tuple(
        CheckItem(
            text_at(todo, "content"),
            text_at(todo, "status"),
            is_changed=bool(before)
            and before.get(text_at(todo, "content")) != text_at(todo, "status"),
        )
        for todo in todos
    )


def _todo_at_hand(call: Call) -> str:
    todos = objects_at(call.input, "todos")
    at_hand = [todo for todo in todos if text_at(todo, "status") == "in_progress"]
    return one_line(text_at(at_hand[0], "content") if at_hand else "")


def _todos_asked(call: Call) -> Parts:
    """Return the list, only if it was not taken over."""
    items = () if call.outcome is Outcome.OK else _todos(call)
    return (Checklist(items),) if items else ()


def _todos_after(call: Call) -> Answered:
    """Return the list as it stands, with what changed since the last one."""
    items = _todos(call)
    return Answered(_done(items) if items else "empty", (Checklist(items),))


def _task_before(call: Call) -> Task:
    """Return the task that a call names, as it was before."""
    task = object_at(call.result, "task")
    number = word_at(call.input, "taskId", "id") or word_at(call.result, "taskId")
    number = number or word_at(task, "id")
    unknown = Task(number, "", "pending")
    return next((known for known in call.tasks if known.number == number), unknown)


def _task_named(call: Call) -> str:
    """Return the number and the subject of a task."""
    known = _task_before(call)
    subject = (
        text_at(call.input, "subject")
        or text_at(object_at(call.result, "task"), "subject")
        or known.subject
    )
    return one_line(f"#{known.number} {subject}" if known.number else subject)


def _task_asked(call: Call) -> Parts:
    return prose(text_at(call.input, "description"))


def _change_asked(call: Call) -> Parts:
    """Return what a task was to become where that is not told by the result."""
    state = text_at(call.input, "status")
    if call.outcome is Outcome.OK or not state:
        return _task_asked(call)
    return (*_task_asked(call), Chip("status", _WORDS.get(state, state)))


def _task_made(call: Call) -> Answered:
    """Return the list with the task that was put on it."""
    subject = text_at(call.input, "subject") or one_line(call.text)
    task = replace(_task_before(call), subject=subject, status="pending")
    return _list_after(call, task, "added")


def _task_changed(call: Call) -> Answered:
    """Return the list with what changed of a task."""
    known = _task_before(call)
    change = object_at(call.result, "statusChange")
    to = text_at(change, "to") or text_at(call.input, "status")
    states = (text_at(change, "from"), to)
    subject = text_at(call.input, "subject") or known.subject
    moved = " → ".join(_WORDS.get(state, state) for state in states if state)
    said = moved or joined(*texts_at(call.result, "updatedFields")) or size_words(call.text)
    said = joined(said, text_at(call.result, "error"))
    task = Task(known.number, subject, to or known.status)
    return _list_after(call, task, one_line(said))


def _list_after(call: Call, task: Task, said: str) -> Answered:
    """Return the list after `task` was put on it, or changed."""
    is_new = all(known.number != task.number for known in call.tasks)
    after = tuple(task if t.number == task.number else t for t in call.tasks)
    after = (*after, task) if is_new else after
    items = tuple(
        CheckItem(
            one_line(f"#{each.number} {each.subject}"),
            each.status,
            is_changed=each.number == task.number,
        )
        for each in after
    )
    kept = tuple(each for each in after if each.status != "deleted")
    return Answered(said, (Checklist(items),), tasks=kept)


def _item(task: JsonObject) -> CheckItem:
    waits = ", ".join(f"#{as_cell(other)}" for other in list_at(task, "blockedBy"))
    said = joined(
        one_line(f"#{word_at(task, 'id')} {text_at(task, 'subject')}"),
        text_at(task, "owner"),
        f"waits for {waits}" if waits else "",
    )
    return CheckItem(said, text_at(task, "status"))


def _all_tasks(call: Call) -> Answered:
    """Return the tasks with their states."""
    tasks = objects_at(call.result, "tasks")
    items = tuple(_item(task) for task in tasks)
    if not items:
        return Answered(size_words(call.text), text_parts(call.text))
    known = tuple(
        Task(word_at(task, "id"), text_at(task, "subject"), text_at(task, "status"))
        for task in tasks
    )
    return Answered(_done(items), (Checklist(items),), tasks=known)


def _one_task(call: Call) -> Answered:
    task = object_at(call.result, "task")
    if not task:
        return Answered(size_words(call.text), text_parts(call.text))
    state = text_at(task, "status")
    item = Checklist((_item(task),))
    return Answered(_WORDS.get(state, state), (item, *prose(text_at(task, "description"))))


def _questions(call: Call) -> list[JsonObject]:
    return objects_at(call.input, "questions") or objects_at(call.result, "questions")


def _questions_named(call: Call) -> str:
    return one_line(" / ".join(text_at(each, "question") for each in _questions(call)))


def _questions_asked(call: Call) -> Parts:
    """Return the questions with their options, only if nothing was chosen."""
    if object_at(call.result, "answers"):
        return ()
    return tuple(part for each in _questions(call) for part in _question(each, "", ""))


def _questions_answered(call: Call) -> Answered:
    """Return each question with its options and what was chosen."""
    answers = object_at(call.result, "answers")
    if not answers:
        return Answered(first_line(call.text), text_parts(call.text))
    annotations = object_at(call.result, "annotations")
    parts: list[Part] = []
    said: list[str] = []
    for question in _questions(call):
        name = text_at(question, "question")
        answer = _answer(answers, name)
        said.append(answer)
        parts += _question(question, answer, text_at(object_at(annotations, name), "notes"))
    response = text_at(call.result, "response")
    parts += _as_typed(response)
    waited = int_at(call.result, "afkTimeoutMs")
    words = " / ".join(filter(None, said))
    if waited is not None and not words:
        words = f"no answer within {duration(waited)}"
    return Answered(one_line(words), tuple(parts))


def _answer(answers: JsonObject, question: str) -> str:
    answer = value_at(answers, question)
    if isinstance(answer, list):
        return ", ".join(as_cell(one) for one in answer)
    return "" if answer is None else as_cell(answer)


def _question(question: JsonObject, answer: str, notes: str) -> Parts:
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
    return (*parts, *_as_typed(notes))


def _as_typed(text: str) -> Parts:
    return (Prose(text, keeps_breaks=True),) if text.strip() else ()


def _plan(call: Call) -> str:
    return text_at(call.result, "plan") or text_at(call.input, "plan")


def _plan_asked(call: Call) -> Parts:
    """Return the plan, only if it was not approved."""
    return () if call.outcome is Outcome.OK else prose(_plan(call))


def _plan_approved(call: Call) -> Answered:
    """Return the plan that was approved."""
    waits = is_set(call.result, "awaitingLeaderApproval")
    said = joined(
        "waits for the lead" if waits else "approved",
        "changed by the user" if is_set(call.result, "planWasEdited") else "",
    )
    return Answered(said, prose(_plan(call)) or text_parts(call.text))


def _mode_entered(call: Call) -> Answered:
    """Return what the CLI said; the instructions to the model behind it are not news."""
    said = text_at(call.result, "message") or call.text
    words = said.partition(". ")[0].rstrip(".")
    return Answered(size_words(words), text_parts(said))


_STATES = is_among("pending", "in_progress", "completed", "deleted")
_QUESTION_KEYS = ("questions", "question", "header", "options", "label")

TOOLS = (
    Tool(
        ("TodoWrite",),
        _todo_at_hand,
        _todos_asked,
        _todos_after,
        draws=frozenset({"todos", "content"}),
        told={"status": _STATES},
    ),
    *(
        Tool(
            names,
            _task_named,
            asked,
            answered,
            draws=frozenset({"taskId", "id", "subject", "description"}),
            told={"status": _STATES} if asked is _change_asked else {},
            reads_tasks=True,
        )
        for names, asked, answered in (
            (("TaskCreate",), _task_asked, _task_made),
            (("TaskUpdate",), _change_asked, _task_changed),
            (("TaskList", "TodoRead"), _task_asked, _all_tasks),
            (("TaskGet",), _task_asked, _one_task),
        )
    ),
    Tool(
        ("AskUserQuestion",),
        _questions_named,
        _questions_asked,
        _questions_answered,
        draws=frozenset({*_QUESTION_KEYS, "description", "preview"}),
        told={"multiSelect": is_switch},
    ),
    Tool(
        ("ExitPlanMode", "exit_plan_mode"),
        lambda call: first_line(_plan(call)).lstrip("# "),
        _plan_asked,
        _plan_approved,
        draws=frozenset({"plan"}),
    ),
    # The name of the tool says all that was asked for.
    Tool(("EnterPlanMode",), lambda _call: "", answered=_mode_entered),
)
