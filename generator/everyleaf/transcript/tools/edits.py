"""Edit, MultiEdit, Write, NotebookEdit: what changed in a file, as a diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Chip, Code, FileChange, Outcome
from everyleaf.transcript.tools.call import Answered, Asked, Tool, is_among, is_switch
from everyleaf.transcript.tools.patches import (
    change_of,
    change_words,
    joint_diff,
    recorded_diff,
    text_diff,
)
from everyleaf.transcript.values import (
    as_object,
    is_set,
    objects_at,
    text_at,
    value_at,
)
from everyleaf.transcript.words import count_lines, counted, joined, one_line

if TYPE_CHECKING:
    from everyleaf.transcript.document import Diff
    from everyleaf.transcript.tools.call import Call


def _file(call: Call) -> str:
    return text_at(call.input, "file_path", "notebook_path", "path") or text_at(
        call.result, "filePath", "notebook_path"
    )


def _edit_diff(call: Call) -> Diff:
    file = call.short(_file(call))
    recorded = recorded_diff(file, call.result)
    if recorded is not None:
        return recorded
    edits = objects_at(call.input, "edits") or objects_at(call.result, "edits")
    return joint_diff(
        file,
        (
            text_diff(
                file,
                text_at(edit, "old_string", "oldString"),
                text_at(edit, "new_string", "newString"),
            )
            for edit in edits or [call.input or as_object(call.result)]
        ),
    )


def asked_edit(call: Call) -> Asked:
    """Return the file; what was to change is shown here only if it did not happen."""
    if call.outcome is Outcome.OK:
        return Asked(call.short(_file(call)))
    everywhere = _everywhere(call)
    chips = (Chip("options", everywhere),) if everywhere else ()
    return Asked(call.short(_file(call)), (_edit_diff(call), *chips))


def answered_edit(call: Call) -> Answered:
    """Return what changed, as recorded, else as asked for."""
    diff = _edit_diff(call)
    return Answered(
        text=joined(
            change_words(diff),
            _everywhere(call),
            _by_user(call),
        ),
        parts=(diff,),
        changes=(change_of(_file(call), diff),),
    )


def _everywhere(call: Call) -> str:
    edits = (call.input, *objects_at(call.input, "edits"))
    return "everywhere" if any(is_set(edit, "replace_all") for edit in edits) else ""


def _by_user(call: Call) -> str:
    return "changed by the user" if is_set(call.result, "userModified") else ""


def asked_write(call: Call) -> Asked:
    """Return the file; its content is shown here only if it was not written."""
    content = Code(text_at(call.input, "content"), language=_file(call))
    return Asked(call.short(_file(call)), () if call.outcome is Outcome.OK else (content,))


def answered_write(call: Call) -> Answered:
    """Return the new file, or what its new content changed."""
    file = call.short(_file(call))
    content = text_at(call.input, "content") or text_at(call.result, "content")
    diff = recorded_diff(file, call.result)
    original = value_at(call.result, "originalFile")
    if diff is None and isinstance(original, str) and original:
        diff = text_diff(file, original, content)
    if diff is not None:
        return Answered(
            text=joined(change_words(diff), _by_user(call)),
            parts=(diff,),
            changes=(change_of(_file(call), diff),),
        )
    lines = count_lines(content)
    is_new = text_at(call.result, "type") == "create" or "created" in call.text[:200]
    return Answered(
        text=joined(
            "created" if is_new else "written", counted(lines, "line"), _by_user(call)
        ),
        parts=(Code(content, language=file, first_line=1),),
        # Of a file that was there before nobody knows how many lines went.
        changes=(FileChange(_file(call), lines if is_new else 0, 0),),
    )


def _notebook_diff(call: Call) -> Diff:
    old = text_at(call.result, "old_source")
    is_removal = text_at(call.input, "edit_mode") == "delete"
    new = "" if is_removal else text_at(call.input, "new_source")
    return text_diff(call.short(_file(call)), old, new)


def asked_notebook(call: Call) -> Asked:
    """Return the notebook and the cell."""
    cell = text_at(call.input, "cell_id")
    mode = text_at(call.input, "edit_mode")
    words = joined(
        call.short(_file(call)),
        f"cell {cell}" if cell else "",
        mode if mode != "replace" else "",
    )
    parts = () if call.outcome is Outcome.OK else (_notebook_diff(call),)
    return Asked(words, parts)


def answered_notebook(call: Call) -> Answered:
    """Return what changed in the cell."""
    diff = _notebook_diff(call)
    error = text_at(call.result, "error")
    if error:
        return Answered(text=one_line(error), parts=(diff,), outcome=Outcome.ERROR)
    return Answered(
        text=change_words(diff), parts=(diff,), changes=(change_of(_file(call), diff),)
    )


_FILE_KEYS = ("file_path", "notebook_path", "path")
_EDIT_KEYS = ("edits", "old_string", "new_string", "oldString", "newString")

TOOLS = (
    Tool(
        ("Edit", "MultiEdit", "Update"),
        asked_edit,
        answered=answered_edit,
        draws=frozenset({*_FILE_KEYS, *_EDIT_KEYS}),
        told={"replace_all": is_switch},
    ),
    Tool(
        ("Write",),
        asked_write,
        answered=answered_write,
        draws=frozenset({*_FILE_KEYS, "content"}),
    ),
    Tool(
        ("NotebookEdit",),
        asked_notebook,
        answered=answered_notebook,
        draws=frozenset({*_FILE_KEYS, "cell_id", "new_source"}),
        told={"edit_mode": is_among("replace", "insert", "delete")},
    ),
)
