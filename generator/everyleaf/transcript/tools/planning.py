"""What the model plans and asks: todo and task lists, questions to the person, plans."""

from __future__ import annotations

from msgspec.structs import replace

from everyleaf.transcript import document as doc
from everyleaf.transcript.content import Json, as_cell, code, prose, typed
from everyleaf.transcript.tools import call as cards
from everyleaf.transcript.tools.call import Call, Card, Tool, size_words, text_parts
from everyleaf.transcript.words import duration, first_line, joined, one_line

_WORDS = {"pending": "to do", "in_progress": "in progress", "completed": "done"}
"""States of a task, for a reader."""


def _done(items: tuple[doc.CheckItem, ...]) -> str:
    done = sum(item.status == "completed" for item in items)
    return f"{done} of {len(items)} done"


def _todos(call: Call) -> Card:
    """Return the list as it stands, with what changed since the last one."""
    asked = call.input.each("todos")
    at_hand = [todo for todo in asked if todo.text("status") == "in_progress"]
    old = {one.text("content"): one.text("status") for one in call.result.each("oldTodos")}
    items = tuple(
        doc.CheckItem(
            todo.text("content"),
            todo.text("status"),
            # All of a first list is new, and no mark would tell one item from another.
            is_changed=bool(old) and old.get(todo.text("content")) != todo.text("status"),
        )
        for todo in call.result.each("newTodos") or asked
    )
    return Card(
        one_line(at_hand[0].text("content") if at_hand else ""),
        _done(items) if items else "empty",
        (doc.Checklist(items),),
        (doc.Checklist(items),) if items and not call.is_done else (),
    )


def _task_before(call: Call) -> doc.Task:
    number = call.input.word("taskId", "id") or call.result.word("taskId")
    number = number or call.result.at("task").word("id")
    unknown = doc.Task(number, "", "pending")
    return next((known for known in call.tasks if known.number == number), unknown)


def _task_card(call: Call) -> Card:
    """Return the number and the subject of a task, and what is to be done."""
    known = _task_before(call)
    subject = call.input.text("subject") or call.result.at("task").text("subject")
    subject = subject or known.subject
    return Card(
        one_line(f"#{known.number} {subject}" if known.number else subject),
        size_words(call.text),
        text_parts(call.text),
        prose(call.input.text("description")),
    )


def _task_made(call: Call) -> Card:
    subject = call.input.text("subject") or one_line(call.text)
    task = replace(_task_before(call), subject=subject, status="pending")
    return _list_after(call, task, "added")


def _task_changed(call: Call) -> Card:
    """Return the list with what changed of a task, or what was to."""
    known, state = _task_before(call), call.input.text("status")
    change = call.result.at("statusChange")
    to = change.text("to") or state
    states = (change.text("from"), to)
    moved = " → ".join(_WORDS.get(each, each) for each in states if each)
    said = moved or joined(*call.result.texts("updatedFields")) or size_words(call.text)
    said = joined(said, call.result.text("error"))
    subject = call.input.text("subject") or known.subject
    task = doc.Task(known.number, subject, to or known.status)
    card = _list_after(call, task, one_line(said))
    if call.is_done or not state:
        return card
    return replace(card, asked=(*card.asked, doc.Chip("status", _WORDS.get(state, state))))


def _list_after(call: Call, task: doc.Task, said: str) -> Card:
    """Return the list after `task` was put on it, or changed."""
    is_new = all(known.number != task.number for known in call.tasks)
    after = tuple(task if t.number == task.number else t for t in call.tasks)
    after = (*after, task) if is_new else after
    items = tuple(
        doc.CheckItem(
            one_line(f"#{each.number} {each.subject}"),
            each.status,
            is_changed=each.number == task.number,
        )
        for each in after
    )
    kept = tuple(each for each in after if each.status != "deleted")
    return replace(_task_card(call), text=said, parts=(doc.Checklist(items),), tasks=kept)


def _item(task: Json) -> doc.CheckItem:
    waits = ", ".join(f"#{as_cell(other)}" for other in task.values("blockedBy"))
    said = joined(
        one_line(f"#{task.word('id')} {task.text('subject')}"),
        task.text("owner"),
        f"waits for {waits}" if waits else "",
    )
    return doc.CheckItem(said, task.text("status"))


def _all_tasks(call: Call) -> Card:
    """Return the tasks with their states."""
    tasks = call.result.each("tasks")
    if not tasks:
        return _task_card(call)
    items = tuple(map(_item, tasks))
    known = tuple(
        doc.Task(t.word("id"), t.text("subject"), t.text("status")) for t in tasks
    )
    shown = (doc.Checklist(items),)
    return replace(_task_card(call), text=_done(items), parts=shown, tasks=known)


def _one_task(call: Call) -> Card:
    task = call.result.at("task")
    if not task:
        return _task_card(call)
    state = task.text("status")
    parts = (doc.Checklist((_item(task),)), *prose(task.text("description")))
    return replace(_task_card(call), text=_WORDS.get(state, state), parts=parts)


def _questions(call: Call) -> Card:
    """Return each question with its options and what was chosen."""
    questions = call.input.each("questions") or call.result.each("questions")
    target = one_line(" / ".join(question.text("question") for question in questions))
    answers = call.result.at("answers")
    if not answers:
        asked = tuple(part for each in questions for part in _question(each, "", ""))
        return Card(target, first_line(call.text), text_parts(call.text), asked)
    annotations = call.result.at("annotations")
    parts: list[doc.Part] = []
    said: list[str] = []
    for question in questions:
        name = question.text("question")
        given = answers.value(name)
        given = given if isinstance(given, list) else [] if given is None else [given]
        answer = ", ".join(map(as_cell, given))
        said.append(answer)
        parts += _question(question, answer, annotations.at(name).text("notes"))
    parts += typed(call.result.text("response"))
    waited = call.result.number("afkTimeoutMs")
    words = " / ".join(filter(None, said))
    if waited is not None and not words:
        words = f"no answer within {duration(waited)}"
    return Card(target, one_line(words), tuple(parts))


def _question(question: Json, answer: str, notes: str) -> doc.Parts:
    """Return a question with its options: the chosen ones ticked, an own answer added."""
    options = [(option.text("label"), option) for option in question.each("options")]
    labels = {label for label, _ in options}
    chosen = {answer} if answer in labels else set(answer.split(", "))
    items = [
        doc.CheckItem(
            ": ".join(filter(None, (label, option.text("description")))),
            "chosen" if label in chosen else "option",
        )
        for label, option in options
    ]
    if answer and not chosen & labels:
        items.append(doc.CheckItem(answer, "chosen"))
    topic = question.text("header")
    parts: list[doc.Part] = [doc.Chip("topic", topic)] if topic else []
    parts.append(doc.Prose(question.text("question")))
    if items:
        parts.append(doc.Checklist(tuple(items)))
    if question.is_set("multiSelect"):
        parts.append(doc.Chip("answers", "several may be chosen"))
    parts.extend(
        doc.Fold(f"preview of {label}", code(option.text("preview")))
        for label, option in options
        if option.text("preview").strip()
    )
    return (*parts, *typed(notes))


def _plan(call: Call) -> Card:
    """Return the plan, which was approved or not."""
    plan = call.result.text("plan") or call.input.text("plan")
    waits = call.result.is_set("awaitingLeaderApproval")
    file = call.input.text("planFilePath")
    named = (doc.Chip("plan file", file),) if file else ()
    return Card(
        first_line(plan).lstrip("# "),
        joined(
            "waits for the lead" if waits else "approved",
            "changed by the user" if call.result.is_set("planWasEdited") else "",
        ),
        prose(plan) or text_parts(call.text),
        named if call.is_done else (*named, *prose(plan)),
    )


def _mode_entered(call: Call) -> Card:
    """Return what the CLI said; the tool's name and its instructions are no news."""
    said = call.result.text("message") or call.text
    words = said.partition(". ")[0].rstrip(".")
    return Card("", size_words(words), text_parts(said))


_STATES = cards.is_among("pending", "in_progress", "completed", "deleted")
_QUESTION_KEYS = ("questions", "question", "header", "options", "label")

TOOLS = (
    Tool(("TodoWrite",), _todos, draws=("todos", "content"), told={"status": _STATES}),
    *(
        Tool(
            names,
            draw,
            draws=("taskId", "id", "subject", "description"),
            told={"status": _STATES} if draw is _task_changed else {},
            reads_tasks=True,
        )
        for names, draw in (
            (("TaskCreate",), _task_made),
            (("TaskUpdate",), _task_changed),
            (("TaskList", "TodoRead"), _all_tasks),
            (("TaskGet",), _one_task),
        )
    ),
    Tool(
        ("AskUserQuestion",),
        _questions,
        draws=(*_QUESTION_KEYS, "description", "preview"),
        told={"multiSelect": cards.is_switch},
    ),
    Tool(("ExitPlanMode", "exit_plan_mode"), _plan, draws=("plan", "planFilePath")),
    Tool(("EnterPlanMode",), _mode_entered),
)
