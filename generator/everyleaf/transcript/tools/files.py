"""Read, Edit, MultiEdit, Write, NotebookEdit: what was read of a file, and what changed."""

from __future__ import annotations

import re

from msgspec.structs import replace

from everyleaf.records.schema import JsonValue
from everyleaf.transcript import document as doc
from everyleaf.transcript import edits as of_edits
from everyleaf.transcript.content import Json, as_cell, terminal
from everyleaf.transcript.tools.call import Call, Card, Tool, is_among, is_number, is_switch
from everyleaf.transcript.words import count_lines, counted, joined, one_line

_NUMBERED = re.compile(r"^ {0,8}(\d{1,9})(?:→|\t)", re.MULTILINE)
_FILE_KEYS = ("file_path", "notebook_path", "path")
_EDIT_KEYS = ("edits", "old_string", "new_string", "oldString", "newString")


def _file(call: Call) -> str:
    return call.input.text(*_FILE_KEYS) or call.result.text("filePath", "notebook_path")


def _read(call: Call) -> Card:
    """Return what was read, by the kind of file, and the lines that were asked for."""
    start, limit = call.input.number("offset"), call.input.number("limit")
    pages = call.input.text("pages")
    lines = ""
    if start is not None and limit is not None:
        lines = f"lines {start}-{start + limit - 1}"
    elif start is not None:
        lines = f"from line {start}"
    elif limit is not None:
        lines = f"first {counted(limit, 'line')}"
    name = call.short(call.input.text(*_FILE_KEYS))
    said, parts = _contents(call)
    if lines and said.startswith(lines):  # It says of how many.
        lines, _, said = said.partition(", ")
    line = joined(name, lines, f"pages {pages}" if pages else "")
    return Card(one_line(line), said, parts)


def _contents(call: Call) -> tuple[str, doc.Parts]:
    """Return how much was read, and that."""
    file = call.result.at("file")
    match call.result.text("type"):
        case "text":
            return _text(file)
        case "image":
            return _image(file)
        case "notebook":
            cells = file.each("cells")
            parts = tuple(part for cell in cells for part in _cell(cell))
            return counted(len(cells), "cell"), parts
        case "pdf" | "parts" as kind:
            size, count = file.number("originalSize"), file.number("count")
            said = joined(
                "PDF",
                counted(count if kind == "parts" else None, "page"),
                f"{size:,} bytes" if size is not None else "",
            )
            name = one_line(file.text("filePath"))
            return said, (doc.Chip("document", name, said), *call.media)
        case "file_unchanged":
            return "unchanged since it was read", ()
        case _:
            return _numbered(call)


def _text(file: Json) -> tuple[str, doc.Parts]:
    content = file.text("content")
    start, total = file.number("startLine") or 1, file.number("totalLines")
    lines = file.number("numLines") or count_lines(content)
    said = counted(lines, "line")
    if total is not None and lines < total:
        said = f"lines {start}-{start + lines - 1} of {total:,}"
    shown = doc.Code(content, language=file.text("filePath"), first_line=start)
    said = joined(said, "cut" if file.is_set("truncatedByTokenCap") else "")
    return said, (shown,) if content else ()


def _image(file: Json) -> tuple[str, doc.Parts]:
    size, data = file.at("dimensions"), file.text("base64")
    width = size.number("originalWidth", "width")
    height = size.number("originalHeight", "height")
    shown = doc.Picture(
        data,
        media_type=file.text("type") or "image/png",
        alt=one_line(file.text("filePath")) or "image",
        problem="" if data else "not recorded",
    )
    return f"image, {width} by {height}" if width and height else "image", (shown,)


def _cell(cell: Json) -> doc.Parts:
    """Return a cell of a notebook, and its outputs."""
    kind = cell.text("cellType", "cell_type")
    language = cell.text("language") or ("python" if kind == "code" else kind)
    source = _joined_lines(cell.value("source"))
    parts: list[doc.Part] = [
        doc.Code(source, language=language, caption=cell.text("cell_id"))
    ]
    for output in cell.each("outputs"):
        parts += terminal(_joined_lines(output.value("text")), caption="output")
        image = output.at("image")
        if image:
            data, media = image.text("image_data", "data"), image.text("media_type")
            parts.append(doc.Picture(data, media_type=media, alt="output of the cell"))
    return tuple(parts)


def _joined_lines(source: JsonValue) -> str:
    """Return a notebook's text, which is one text or a list of lines."""
    if isinstance(source, list):
        return "".join(as_cell(line) for line in source)
    return source if isinstance(source, str) else ""


def _numbered(call: Call) -> tuple[str, doc.Parts]:
    """Return a text without structure, its line numbers taken off."""
    if not call.text.strip() and call.media:
        return "image", call.media
    first = _NUMBERED.match(call.text)
    if first is None:
        said = one_line(call.text, limit=80)
        plain = () if said == call.text.strip() else (doc.Code(call.text),)
        return said, (*plain, *call.media)
    text = _NUMBERED.sub("", call.text)
    file = call.input.text("file_path", "path")
    shown = doc.Code(text, language=file, first_line=int(first[1]))
    return counted(count_lines(text), "line"), (shown, *call.media)


def _changed(call: Call, diff: doc.Diff, *words: str) -> Card:
    """Return what changed, or what was to change."""
    options = tuple(doc.Chip("options", word) for word in words)
    by_user = "changed by the user" if call.result.is_set("userModified") else ""
    return Card(
        call.short(_file(call)),
        joined(of_edits.change_words(diff), *words, by_user),
        (diff,),
        asked=() if call.is_done else (diff, *options),
        changes=(doc.FileChange(_file(call), diff.added, diff.removed),),
    )


def _edited(call: Call) -> Card:
    """Return what changed as recorded, else as asked for; and whether everywhere."""
    file = call.short(_file(call))
    replacements = of_edits.replacements_in(call.input, call.result)
    diff = of_edits.recorded_diff(file, call.result) or of_edits.joint_diff(
        file, (of_edits.text_diff(file, one.old, one.new) for one in replacements)
    )
    edits = (call.input, *call.input.each("edits"))
    is_everywhere = any(edit.is_set("replace_all") for edit in edits)
    return _changed(call, diff, *(("everywhere",) if is_everywhere else ()))


def _written(call: Call) -> Card:
    """Return the new file, or what its new content changed."""
    file = call.short(_file(call))
    content = call.input.text("content")
    asked = () if call.is_done else (doc.Code(content, language=_file(call)),)
    content = content or call.result.text("content")
    diff = of_edits.recorded_diff(file, call.result)
    original = call.result.value("originalFile")
    if diff is None and isinstance(original, str) and original:
        diff = of_edits.text_diff(file, original, content)
    if diff is not None:
        return replace(_changed(call, diff), asked=asked)
    lines = count_lines(content)
    is_new = call.result.text("type") == "create" or "created" in call.text[:200]
    by_user = "changed by the user" if call.result.is_set("userModified") else ""
    return Card(
        file,
        joined("created" if is_new else "written", counted(lines, "line"), by_user),
        (doc.Code(content, language=file, first_line=1),),
        asked,
        # Of a file that was there before nobody knows how many lines went.
        changes=(doc.FileChange(_file(call), lines if is_new else 0, 0),),
    )


def _cell_edited(call: Call) -> Card:
    """Return the notebook and the cell, and what changed in it."""
    file, mode = call.short(_file(call)), call.input.text("edit_mode")
    new = "" if mode == "delete" else call.input.text("new_source")
    diff = of_edits.text_diff(file, call.result.text("old_source"), new)
    cell, error = call.input.text("cell_id"), call.result.text("error")
    named = f"cell {cell}" if cell else ""
    target = joined(file, named, mode if mode != "replace" else "")
    card = replace(_changed(call, diff), target=target)
    if not error:
        return card
    return replace(card, text=one_line(error), outcome=doc.Outcome.ERROR, changes=())


TOOLS = (
    Tool(
        ("Read", "NotebookRead"),
        _read,
        draws=(*_FILE_KEYS, "pages"),
        told={"offset": is_number, "limit": is_number},
    ),
    Tool(
        ("Edit", "MultiEdit", "Update"),
        _edited,
        draws=(*_FILE_KEYS, *_EDIT_KEYS),
        told={"replace_all": is_switch},
    ),
    Tool(("Write",), _written, draws=(*_FILE_KEYS, "content")),
    Tool(
        ("NotebookEdit",),
        _cell_edited,
        draws=(*_FILE_KEYS, "cell_id", "new_source"),
        told={"edit_mode": is_among("replace", "insert", "delete")},
    ),
)
