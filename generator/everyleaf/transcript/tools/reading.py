"""Read: the part of a file that was read, whatever kind of file it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.document import Chip, Code, Picture
from everyleaf.transcript.tools.call import Answered, Asked, Tool, is_number
from everyleaf.transcript.values import (
    as_cell,
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
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

_NUMBERED = re.compile(r"^ {0,8}(\d{1,9})(?:→|\t)", re.MULTILINE)
_MEDIA_TYPE = "image/png"


def asked(call: Call) -> Asked:
    """Return the file, and the lines of it that were asked for."""
    file = text_at(call.input, "file_path", "notebook_path", "path")
    start, limit = int_at(call.input, "offset"), int_at(call.input, "limit")
    pages = text_at(call.input, "pages")
    lines = ""
    if start is not None and limit is not None:
        lines = f"lines {start}-{start + limit - 1}"
    elif start is not None:
        lines = f"from line {start}"
    elif limit is not None:
        lines = f"first {counted(limit, 'line')}"
    return Asked(
        one_line(joined(call.short(file), lines, f"pages {pages}" if pages else ""))
    )


def answered(call: Call) -> Answered:
    """Return what was read, by the kind of file."""
    file = object_at(call.result, "file")
    match text_at(call.result, "type"):
        case "text":
            return _text(file)
        case "image":
            return _image(file)
        case "notebook":
            return _notebook(file)
        case "pdf" | "parts" as kind:
            return _document(kind, file, call)
        case "file_unchanged":
            return Answered(text="unchanged since it was read")
        case _:
            return _numbered(call)


def _text(file: JsonObject) -> Answered:
    content = text_at(file, "content")
    name = text_at(file, "filePath")
    start, total = int_at(file, "startLine") or 1, int_at(file, "totalLines")
    lines = int_at(file, "numLines") or count_lines(content)
    is_part = total is not None and lines < total
    said = (
        f"lines {start}-{start + lines - 1} of {total:,}"
        if is_part
        else counted(lines, "line")
    )
    return Answered(
        text=joined(said, "cut" if is_set(file, "truncatedByTokenCap") else ""),
        parts=(Code(content, language=name, first_line=start),) if content else (),
    )


def _image(file: JsonObject) -> Answered:
    size = object_at(file, "dimensions")
    width = int_at(size, "originalWidth", "width")
    height = int_at(size, "originalHeight", "height")
    data = text_at(file, "base64")
    shown = Picture(
        data,
        media_type=text_at(file, "type") or _MEDIA_TYPE,
        alt=one_line(text_at(file, "filePath")) or "image",
        problem="" if data else "not recorded",
    )
    said = f"image, {width} by {height}" if width and height else "image"
    return Answered(text=said, parts=(shown,))


def _notebook(file: JsonObject) -> Answered:
    cells = objects_at(file, "cells")
    parts = tuple(part for cell in cells for part in _cell(cell))
    return Answered(text=counted(len(cells), "cell"), parts=parts)


def _cell(cell: JsonObject) -> tuple[Part, ...]:
    kind = text_at(cell, "cellType", "cell_type")
    source = _joined_lines(value_at(cell, "source"))
    language = text_at(cell, "language") or ("python" if kind == "code" else kind)
    parts: list[Part] = [Code(source, language=language, caption=text_at(cell, "cell_id"))]
    for output in objects_at(cell, "outputs"):
        text = _joined_lines(value_at(output, "text"))
        if text.strip():
            parts.append(Code(text, caption="output", is_terminal=True))
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
        counted(count, "page") if kind == "parts" and count is not None else "",
        f"{size:,} bytes" if size is not None else "",
    )
    name = one_line(text_at(file, "filePath"))
    return Answered(text=said, parts=(Chip("document", name, said), *call.media))


def _numbered(call: Call) -> Answered:
    """Return a text without structure, its line numbers taken off."""
    if not call.text.strip() and call.media:
        return Answered(text="image", parts=call.media)
    first = _NUMBERED.match(call.text)
    if first is None:
        said = one_line(call.text, limit=80)
        return Answered(text=said, parts=(*_plain(call.text, said), *call.media))
    text = _NUMBERED.sub("", call.text)
    file = text_at(call.input, "file_path", "path")
    return Answered(
        text=counted(count_lines(text), "line"),
        parts=(Code(text, language=file, first_line=int(first[1])), *call.media),
    )


def _plain(text: str, said: str) -> tuple[Part, ...]:
    return () if said == text.strip() else (Code(text),)


TOOLS = (
    Tool(
        ("Read", "NotebookRead"),
        asked,
        answered=answered,
        draws=frozenset({"file_path", "notebook_path", "path", "pages"}),
        told={"offset": is_number, "limit": is_number},
    ),
)
