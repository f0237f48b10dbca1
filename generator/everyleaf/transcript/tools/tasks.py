"""TodoWrite and the Task lists: what was to be done, what is, and what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.transcript.document import (
    CheckItem,
    Checklist,
    Chip,
    Outcome,
    Prose,
    Task,
)
from everyleaf.transcript.tools.call import Answered, Asked, Tool, is_among
from everyleaf.transcript.tools.generic import size_words, text_parts
from everyleaf.transcript.values import (
    as_cell,
    list_at,
    object_at,
    objects_at,
    text_at,
    texts_at,
    word_at,
)
from everyleaf.transcript.words import joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.document import Part
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


def asked_todos(call: Call) -> Asked:
    """Return the task at hand; the list stands here only if it was not taken over."""
    todos = objects_at(call.input, "todos")
    at_hand = [todo for todo in todos if text_at(todo, "status") == "in_progress"]
    words = one_line(text_at(at_hand[0], "content") if at_hand else "")
    items = _todos(call) if call.outcome is not Outcome.OK else ()
    return Asked(words, (Checklist(items),) if items else ())


def answered_todos(call: Call) -> Answered:
    """Return the list as it stands, with what changed since the last one."""
    items = _todos(call)
    return Answered(text=_done(items) if items else "empty", parts=(Checklist(items),))


def _number(call: Call) -> str:
    task = object_at(call.result, "task")
    number = word_at(call.input, "taskId", "id") or word_at(call.result, "taskId")
    return number or word_at(task, "id")


def _known(call: Call, number: str) -> Task:
    """Return the task with a number, as it was before the call."""
    return next((t for t in call.tasks if t.number == number), Task(number, "", "pending"))


def asked_task(call: Call) -> Asked:
    """Return the number and the subject of a task."""
    number = _number(call)
    subject = (
        text_at(call.input, "subject")
        or text_at(object_at(call.result, "task"), "subject")
        or _known(call, number).subject
    )
    description = text_at(call.input, "description")
    parts = (Prose(description),) if description.strip() else ()
    return Asked(one_line(f"#{number} {subject}" if number else subject), parts)


def asked_change(call: Call) -> Asked:
    """Return the task, and what it was to become where that is not told by the result."""
    asked = asked_task(call)
    state = text_at(call.input, "status")
    if call.outcome is Outcome.OK or not state:
        return asked
    return replace(asked, parts=(*asked.parts, Chip("status", _WORDS.get(state, state))))


def answered_new_task(call: Call) -> Answered:
    """Return the list with the task that was put on it."""
    number = _number(call)
    subject = text_at(call.input, "subject") or one_line(call.text)
    return _list_after(call, Task(number, subject, "pending"), "added")


def answered_changed_task(call: Call) -> Answered:
    """Return the list with what changed of a task."""
    known = _known(call, _number(call))
    change = object_at(call.result, "statusChange")
    to = text_at(change, "to") or text_at(call.input, "status")
    origin = text_at(change, "from")
    task = Task(
        known.number, text_at(call.input, "subject") or known.subject, to or known.status
    )
    moved = " → ".join(_WORDS.get(state, state) for state in (origin, to) if state)
    said = moved or joined(*texts_at(call.result, "updatedFields")) or size_words(call.text)
    said = joined(said, text_at(call.result, "error"))
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
    return Answered(
        text=said,
        parts=(Checklist(items),),
        tasks=tuple(each for each in after if each.status != "deleted"),
    )


def _item(task: JsonObject) -> CheckItem:
    waits = ", ".join(f"#{as_cell(other)}" for other in list_at(task, "blockedBy"))
    said = joined(
        one_line(f"#{word_at(task, 'id')} {text_at(task, 'subject')}"),
        text_at(task, "owner"),
        f"waits for {waits}" if waits else "",
    )
    return CheckItem(said, text_at(task, "status"))


def answered_list(call: Call) -> Answered:
    """Return the tasks with their states."""
    tasks = objects_at(call.result, "tasks")
    items = tuple(_item(task) for task in tasks)
    if not items:
        return Answered(text=size_words(call.text), parts=text_parts(call.text))
    known = tuple(
        Task(word_at(task, "id"), text_at(task, "subject"), text_at(task, "status"))
        for task in tasks
    )
    return Answered(text=_done(items), parts=(Checklist(items),), tasks=known)


def answered_task(call: Call) -> Answered:
    """Return one task."""
    task = object_at(call.result, "task")
    if not task:
        return Answered(text=size_words(call.text), parts=text_parts(call.text))
    description = text_at(task, "description")
    item: tuple[Part, ...] = (Checklist((_item(task),)),)
    more: tuple[Part, ...] = (Prose(description),) if description.strip() else ()
    state = text_at(task, "status")
    return Answered(text=_WORDS.get(state, state), parts=item + more)


_STATES = is_among("pending", "in_progress", "completed", "deleted")
_TASK_KEYS = frozenset({"taskId", "id", "subject", "description"})

TOOLS = (
    Tool(
        ("TodoWrite",),
        asked_todos,
        answered=answered_todos,
        draws=frozenset({"todos", "content"}),
        told={"status": _STATES},
    ),
    Tool(
        ("TaskCreate",),
        asked_task,
        answered=answered_new_task,
        draws=_TASK_KEYS,
        reads_tasks=True,
    ),
    Tool(
        ("TaskUpdate",),
        asked_change,
        answered=answered_changed_task,
        draws=_TASK_KEYS,
        told={"status": _STATES},
        reads_tasks=True,
    ),
    Tool(
        ("TaskList", "TodoRead"),
        asked_task,
        answered=answered_list,
        draws=_TASK_KEYS,
        reads_tasks=True,
    ),
    Tool(
        ("TaskGet",),
        asked_task,
        answered=answered_task,
        draws=_TASK_KEYS,
        reads_tasks=True,
    ),
)
