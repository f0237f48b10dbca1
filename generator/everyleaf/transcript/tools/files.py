"""What was read, changed and found, in files and on the web: Read, Edit, Grep, others."""

from __future__ import annotations

import re

from msgspec.structs import replace

from everyleaf.records.schema import JsonValue
from everyleaf.transcript import content, document as doc, edits as of_edits
from everyleaf.transcript.content import Json, code, link_to, prose
from everyleaf.transcript.document import Chip, Code, Link, Links, Parts
from everyleaf.transcript.tools import call as cards
from everyleaf.transcript.tools.call import Call, Card, Tool, size_words, text_parts
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
    alt = one_line(file.text("filePath")) or "image"
    problem = "" if data else "not recorded"
    shown = doc.Picture(data, file.text("type") or "image/png", alt=alt, problem=problem)
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
        parts += content.terminal(_joined_lines(output.value("text")), caption="output")
        image = output.at("image")
        if image:
            data, media = image.text("image_data", "data"), image.text("media_type")
            parts.append(doc.Picture(data, media_type=media, alt="output of the cell"))
    return tuple(parts)


def _joined_lines(source: JsonValue) -> str:
    """Return a notebook's text, which is one text or a list of lines."""
    if isinstance(source, list):
        return "".join(content.as_cell(line) for line in source)
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


_GREP_FLAGS = (
    *("output_mode", "-i", "-n", "-A", "-B", "-C"),
    *("multiline", "head_limit", "offset"),
)
_LINKS = "Links: ["


def _searched(call: Call) -> tuple[str, Parts]:
    """Return the pattern with where it was looked for, and the options."""
    asked = call.input
    where = " ".join(
        call.short(asked.text(key)) for key in ("path", "glob", "type") if asked.value(key)
    )
    pattern = asked.text("pattern", "query")
    flags = " ".join(
        asked.text(flag)
        if flag == "output_mode"
        else f"{flag} {asked.word(flag)}".removesuffix(" true")
        for flag in _GREP_FLAGS
        if asked.word(flag) not in {"", "false"}
    )
    options = (Chip("options", flags),) if flags else ()
    return one_line(f"{pattern} in {where}" if where else pattern), options


def _glob(call: Call) -> Card:
    """Return the files that fit."""
    target, options = _searched(call)
    result = call.result
    text = "\n".join(map(call.short, result.texts("filenames"))) or call.text
    count, total = result.number("numFiles"), result.number("totalMatches")
    if count is None:
        count = 0 if call.text.startswith("No files") else count_lines(text)
    said = joined(
        counted(count, "file"),
        f"of {total:,}" if total is not None and total > count else "",
        "list cut" if result.is_set("truncated") else "",
    ).replace(", of", " of")
    parts = code(text) if count else ()
    return Card(target, said, parts, options, duration_ms=result.number("durationMs"))


def _grep(call: Call) -> Card:
    """Return what was found, in the form that was asked for: lines, files or counts."""
    target, options = _searched(call)
    result = call.result
    limit, start = result.number("appliedLimit"), result.number("appliedOffset")
    said = joined(
        counted(result.number("numMatches"), "match", "matches"),
        counted(result.number("numLines"), "line"),
        counted(result.number("numFiles") or None, "file"),
        f"cut at {limit:,}" if limit is not None else "",
        f"from {start + 1:,} on" if start else "",
    )
    names = map(call.short, result.texts("filenames"))
    text = result.text("content") or "\n".join(names) or call.text
    if text.startswith(("No matches", "No files")) or not text.strip():
        return Card(target, "nothing found", asked=options)
    return Card(target, said or size_words(text), (Code(text),), options)


def _language_server(call: Call) -> Card:
    asked, result = call.input, call.result
    place = ":".join(
        call.short(asked.word(key))
        for key in ("filePath", "line", "character")
        if key in asked.fields
    )
    text = result.text("result") or call.text
    said = joined(
        counted(result.number("resultCount"), "result"),
        counted(result.number("fileCount"), "file"),
    )
    return Card(
        one_line(f"{asked.text('operation')} {place} {asked.text('query')}"),
        said or size_words(text),
        text_parts(text),
    )


def _found_tools(call: Call) -> Card:
    """Return the names of the tools that were found."""
    chips = tuple(Chip("tool", name) for name in call.result.texts("matches"))
    shown = chips or call.media
    total = call.result.number("total_deferred_tools")
    found = counted(len(shown), "tool")
    waiting = call.result.values("pending_mcp_servers")
    if waiting:
        shown = (*shown, Chip("servers still starting", str(len(waiting))))
    return Card(
        one_line(call.input.text("query")),
        f"{found} of {total:,}" if total is not None else found,
        shown or text_parts(call.text),
    )


def _page(call: Call) -> Card:
    """Return the address, what was to be found there, and what a small model made of it."""
    url, result = call.input.text("url"), call.result
    text = result.text("result") or call.text
    size, status = result.number("bytes"), result.number("code")
    said = joined(
        f"{status} {result.text('codeText')}".strip() if status is not None else "",
        f"{size:,} bytes" if size is not None else "",
    )
    return Card(
        one_line(url),
        said or size_words(text),
        prose(text),
        (*link_to(url), *prose(call.input.text("prompt"))),
        duration_ms=result.number("durationMs"),
    )


def _web_search(call: Call) -> Card:
    """Return the query with its domains, the links found, and what was said of them."""
    asked = call.input
    only = " ".join(asked.texts("allowed_domains"))
    never = " ".join(asked.texts("blocked_domains"))
    limits = (f"only {only}" if only else "", f"not {never}" if never else "")
    results = call.result.values("results")
    found = [link for result in results for link in Json(result).each("content")]
    found = found or [one for one in call.result.each("content") if "url" in one.fields]
    said = "\n\n".join(result for result in results if isinstance(result, str))
    if not found:
        found, said = _links_in(call.text)
    links = tuple(Link(link.text("title"), link.text("url")) for link in found)
    seconds = call.result.value("durationSeconds")
    # Ten days: what is longer is no length of time, and infinity cannot be an int.
    if not isinstance(seconds, int | float) or not 0 <= seconds < 864_000:
        seconds = None
    return Card(
        one_line(joined(asked.text("query"), *limits)),
        counted(len(links), "link"),
        (*((Links(links),) if links else ()), *prose(said)),
        duration_ms=None if seconds is None else int(seconds * 1000),
    )


def _links_in(text: str) -> tuple[list[Json], str]:
    """Return the links that stand as JSON in a result's text, and the text around them."""
    start = text.find(_LINKS)
    if start < 0:
        return [], text
    found, end = content.parse_json(text, start + len(_LINKS) - 1)
    links = content.objects_in(found)
    return links, f"{text[:start]}{text[end:]}" if links else text


TOOLS = (
    Tool(
        ("Read", "NotebookRead"),
        _read,
        draws=(*_FILE_KEYS, "pages"),
        told={"offset": cards.is_number, "limit": cards.is_number},
    ),
    Tool(
        ("Edit", "MultiEdit", "Update"),
        _edited,
        draws=(*_FILE_KEYS, *_EDIT_KEYS),
        told={"replace_all": cards.is_switch},
    ),
    Tool(("Write",), _written, draws=(*_FILE_KEYS, "content")),
    Tool(
        ("NotebookEdit",),
        _cell_edited,
        draws=(*_FILE_KEYS, "cell_id", "new_source"),
        told={"edit_mode": cards.is_among("replace", "insert", "delete")},
    ),
    *(
        Tool(
            names,
            draw,
            draws=("pattern", "query", "path", "glob", "type", *_GREP_FLAGS),
            told=dict.fromkeys(_GREP_FLAGS[1:], cards.is_switch),
        )
        for names, draw in ((("Glob",), _glob), (("Grep", "Search"), _grep))
    ),
    Tool(
        ("LS",),
        lambda call: cards.plain_card(call, call.short(call.input.text("path"))),
        draws=("path",),
    ),
    Tool(
        ("LSP",),
        _language_server,
        draws=("operation", "filePath", "line", "character", "query"),
    ),
    Tool(("ToolSearch",), _found_tools, draws=("query",)),
    Tool(("WebFetch", "web_fetch"), _page, draws=("url", "prompt")),
    Tool(
        ("WebSearch", "web_search"),
        _web_search,
        draws=("query", "allowed_domains", "blocked_domains"),
    ),
)
