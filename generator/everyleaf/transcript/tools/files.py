"""Read, Edit, MultiEdit, Write, NotebookEdit: what was read of a file, and what changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.content import terminal
from everyleaf.transcript.diffs import (
    change_of,
    change_words,
    joint_diff,
    recorded_diff,
    text_diff,
)
from everyleaf.transcript.document import Chip, Code, FileChange, Outcome, Picture
from everyleaf.transcript.tools.call import (
    Answered,
    Tool,
    is_among,
    is_number,
    is_switch,
)
from everyleaf.transcript.values import (
    as_cell,
    as_object,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
    value_at,
)
from everyleaf.transcript.words import count_lines, counted, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Diff, Part, Parts
    from everyleaf.transcript.tools.call import Call

_NUMBERED = re.compile(r"^ {0,8}(\d{1,9})(?:→|\t)", re.MULTILINE)
_FILE_KEYS = ("file_path", "notebook_path", "path")
_EDIT_KEYS = ("edits", "old_string", "new_string", "oldString", "newString")


def _file(call: Call) -> str:
    return text_at(call.input, *_FILE_KEYS) or text_at(
        call.result, "filePath", "notebook_path"
    )


def _short(call: Call) -> str:
    return call.short(_file(call))


def _lines_asked(call: Call) -> str:
    """Return the file, and the lines of it that were asked for."""
    file = text_at(call.input, *_FILE_KEYS)
    start, limit = int_at(call.input, "offset"), int_at(call.input, "limit")
    pages = text_at(call.input, "pages")
    lines = ""
    if start is not None and limit is not None:
        lines = f"lines {start}-{start + limit - 1}"
    elif start is not None:
        lines = f"from line {start}"
    elif limit is not None:
        lines = f"first {counted(limit, 'line')}"
    return one_line(joined(call.short(file), lines, f"pages {pages}" if pages else ""))


def _read(call: Call) -> Answered:
    """Return what was read, by the kind of file."""
    file = object_at(call.result, "file")
    match text_at(call.result, "type"):
        case "text":
            return _text(file)
        case "image":
            return _image(file)
        case "notebook":
            cells = objects_at(file, "cells")
            parts = tuple(part for cell in cells for part in _cell(cell))
            return Answered(counted(len(cells), "cell"), parts)
        case "pdf" | "parts" as kind:
            return _document(kind, file, call)
        case "file_unchanged":
            return Answered("unchanged since it was read")
        case _:
            return _numbered(call)


def _text(file: JsonObject) -> Answered:
    content = text_at(file, "content")
    start, total = int_at(file, "startLine") or 1, int_at(file, "totalLines")
    lines = int_at(file, "numLines") or count_lines(content)
    said = counted(lines, "line")
    if total is not None and lines < total:
        said = f"lines {start}-{start + lines - 1} of {total:,}"
    shown = Code(content, language=text_at(file, "filePath"), first_line=start)
    return Answered(
        joined(said, "cut" if is_set(file, "truncatedByTokenCap") else ""),
        (shown,) if content else (),
    )


def _image(file: JsonObject) -> Answered:
    size = object_at(file, "dimensions")
    width = int_at(size, "originalWidth", "width")
    height = int_at(size, "originalHeight", "height")
    data = text_at(file, "base64")
    shown = Picture(
        data,
        media_type=text_at(file, "type") or "image/png",
        alt=one_line(text_at(file, "filePath")) or "image",
        problem="" if data else "not recorded",
    )
    return Answered(
        f"image, {width} by {height}" if width and height else "image", (shown,)
    )


def _cell(cell: JsonObject) -> Parts:
    """Return a cell of a notebook, and its outputs."""
    kind = text_at(cell, "cellType", "cell_type")
    source = _joined_lines(value_at(cell, "source"))
    language = text_at(cell, "language") or ("python" if kind == "code" else kind)
    parts: list[Part] = [Code(source, language=language, caption=text_at(cell, "cell_id"))]
    for output in objects_at(cell, "outputs"):
        parts += terminal(_joined_lines(value_at(output, "text")), caption="output")
        image = object_at(output, "image")
        if image:
            data, media = text_at(image, "image_data", "data"), text_at(image, "media_type")
            parts.append(Picture(data, media_type=media, alt="output of the cell"))
    return tuple(parts)


def _joined_lines(source: JsonValue) -> str:
    """Return a notebook's text, which is one text or a list of lines."""
    if isinstance(source, list):
        return "".join(as_cell(line) for line in source)
    return source if isinstance(source, str) else ""


def _document(kind: str, file: JsonObject, call: Call) -> Answered:
    size, count = int_at(file, "originalSize"), int_at(file, "count")
    said = joined(
        "PDF",
        counted(count if kind == "parts" else None, "page"),
        f"{size:,} bytes" if size is not None else "",
    )
    name = one_line(text_at(file, "filePath"))
    return Answered(said, (Chip("document", name, said), *call.media))


def _numbered(call: Call) -> Answered:
    """Return a text without structure, its line numbers taken off."""
    if not call.text.strip() and call.media:
        return Answered("image", call.media)
    first = _NUMBERED.match(call.text)
    if first is None:
        said = one_line(call.text, limit=80)
        plain = () if said == call.text.strip() else (Code(call.text),)
        return Answered(said, (*plain, *call.media))
    text = _NUMBERED.sub("", call.text)
    file = text_at(call.input, "file_path", "path")
    return Answered(
        counted(count_lines(text), "line"),
        (Code(text, language=file, first_line=int(first[1])), *call.media),
    )


def _edit_diff(call: Call) -> Diff:
    file = _short(call)
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


def _everywhere(call: Call) -> str:
    """Return that an edit was meant for every place that fits, where it was."""
    edits = [call.input, *objects_at(call.input, "edits")]
    return "everywhere" if any(is_set(edit, "replace_all") for edit in edits) else ""


def _by_user(call: Call) -> str:
    return "changed by the user" if is_set(call.result, "userModified") else ""


def _edit_asked(call: Call) -> Parts:
    """Return what was to change, only if it did not happen."""
    if call.outcome is Outcome.OK:
        return ()
    everywhere = _everywhere(call)
    return (_edit_diff(call), *((Chip("options", everywhere),) if everywhere else ()))


def _edited(call: Call) -> Answered:
    """Return what changed, as recorded, else as asked for."""
    return _changed(call, _edit_diff(call), _everywhere(call), _by_user(call))


def _changed(call: Call, diff: Diff, *words: str) -> Answered:
    return Answered(
        joined(change_words(diff), *words),
        (diff,),
        changes=(change_of(_file(call), diff),),
    )


def _write_asked(call: Call) -> Parts:
    """Return what was to be written, only if it was not."""
    content = Code(text_at(call.input, "content"), language=_file(call))
    return () if call.outcome is Outcome.OK else (content,)


def _written(call: Call) -> Answered:
    """Return the new file, or what its new content changed."""
    file = _short(call)
    content = text_at(call.input, "content") or text_at(call.result, "content")
    diff = recorded_diff(file, call.result)
    original = value_at(call.result, "originalFile")
    if diff is None and isinstance(original, str) and original:
        diff = text_diff(file, original, content)
    if diff is not None:
        return _changed(call, diff, _by_user(call))
    lines = count_lines(content)
    is_new = text_at(call.result, "type") == "create" or "created" in call.text[:200]
    said = "created" if is_new else "written"
    return Answered(
        joined(said, counted(lines, "line"), _by_user(call)),
        (Code(content, language=file, first_line=1),),
        # Of a file that was there before nobody knows how many lines went.
        changes=(FileChange(_file(call), lines if is_new else 0, 0),),
    )


def _cell_named(call: Call) -> str:
    """Return the notebook and the cell."""
    cell, mode = text_at(call.input, "cell_id"), text_at(call.input, "edit_mode")
    named = f"cell {cell}" if cell else ""
    return joined(_short(call), named, mode if mode != "replace" else "")


def _cell_diff(call: Call) -> Diff:
    is_removal = text_at(call.input, "edit_mode") == "delete"
    new = "" if is_removal else text_at(call.input, "new_source")
    return text_diff(_short(call), text_at(call.result, "old_source"), new)


def _cell_edited(call: Call) -> Answered:
    """Return what changed in the cell."""
    diff = _cell_diff(call)
    error = text_at(call.result, "error")
    if error:
        return Answered(one_line(error), (diff,), Outcome.ERROR)
    return _changed(call, diff)


TOOLS = (
    Tool(
        ("Read", "NotebookRead"),
        _lines_asked,
        answered=_read,
        draws=frozenset({*_FILE_KEYS, "pages"}),
        told={"offset": is_number, "limit": is_number},
    ),
    Tool(
        ("Edit", "MultiEdit", "Update"),
        _short,
        _edit_asked,
        _edited,
        draws=frozenset({*_FILE_KEYS, *_EDIT_KEYS}),
        told={"replace_all": is_switch},
    ),
    Tool(
        ("Write",),
        _short,
        _write_asked,
        _written,
        draws=frozenset({*_FILE_KEYS, "content"}),
    ),
    Tool(
        ("NotebookEdit",),
        _cell_named,
        lambda call: () if call.outcome is Outcome.OK else (_cell_diff(call),),
        _cell_edited,
        draws=frozenset({*_FILE_KEYS, "cell_id", "new_source"}),
        told={"edit_mode": is_among("replace", "insert", "delete")},
    ),
)
