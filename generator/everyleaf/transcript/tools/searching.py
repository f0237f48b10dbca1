"""Glob, Grep, LS, LSP, ToolSearch: lists of what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Chip, Code
from everyleaf.transcript.tools.call import Answered, Asked, Tool, is_switch
from everyleaf.transcript.tools.generic import size_words, text_parts
from everyleaf.transcript.values import (
    int_at,
    is_set,
    list_at,
    text_at,
    texts_at,
    word_at,
)
from everyleaf.transcript.words import count_lines, counted, joined, one_line

if TYPE_CHECKING:
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

_GREP_FLAGS = (
    *("output_mode", "-i", "-n", "-A", "-B", "-C"),
    *("multiline", "head_limit", "offset"),
)
_SEARCHED = frozenset({"pattern", "query", "path", "glob", "type", *_GREP_FLAGS})
_SWITCHES = dict.fromkeys(_GREP_FLAGS[1:], is_switch)


def asked_search(call: Call) -> Asked:
    """Return the pattern and where it was looked for."""
    where = " ".join(
        call.short(text_at(call.input, key))
        for key in ("path", "glob", "type")
        if call.input.get(key)
    )
    pattern = text_at(call.input, "pattern", "query")
    flags = " ".join(
        text_at(call.input, flag)
        if flag == "output_mode"
        else f"{flag} {word_at(call.input, flag)}".removesuffix(" true")
        for flag in _GREP_FLAGS
        if word_at(call.input, flag) not in {"", "false"}
    )
    parts: tuple[Part, ...] = (Chip("options", flags),) if flags else ()
    return Asked(one_line(f"{pattern} in {where}" if where else pattern), parts)


def answered_glob(call: Call) -> Answered:
    """Return the files that fit."""
    files = texts_at(call.result, "filenames")
    text = "\n".join(map(call.short, files)) or call.text
    count = int_at(call.result, "numFiles")
    if count is None:
        count = 0 if call.text.startswith("No files") else count_lines(text)
    total = int_at(call.result, "totalMatches")
    said = joined(
        counted(count, "file"),
        f"of {total:,}" if total is not None and total > count else "",
        "list cut" if is_set(call.result, "truncated") else "",
    ).replace(", of", " of")
    return Answered(
        text=said,
        parts=(Code(text),) if text.strip() and count else (),
        duration_ms=int_at(call.result, "durationMs"),
    )


def answered_grep(call: Call) -> Answered:
    """Return what was found, in the form that was asked for: lines, files or counts."""
    files, matches = int_at(call.result, "numFiles"), int_at(call.result, "numMatches")
    lines = int_at(call.result, "numLines")
    limit, start = (int_at(call.result, f"applied{key}") for key in ("Limit", "Offset"))
    said = joined(
        counted(matches, "match", "matches") if matches is not None else "",
        counted(lines, "line") if lines is not None else "",
        counted(files, "file") if files else "",
        f"cut at {limit:,}" if limit is not None else "",
        f"from {start + 1:,} on" if start else "",
    )
    names = map(call.short, texts_at(call.result, "filenames"))
    text = text_at(call.result, "content") or "\n".join(names) or call.text
    nothing = text.startswith(("No matches", "No files")) or not text.strip()
    return Answered(
        text="nothing found" if nothing else said or size_words(text),
        parts=() if nothing else (Code(text),),
    )


def asked_folder(call: Call) -> Asked:
    """Return the folder."""
    return Asked(call.short(text_at(call.input, "path")))


def answered_text(call: Call) -> Answered:
    """Return a result that is a text, as it is."""
    text = call.text or (call.result if isinstance(call.result, str) else "")
    return Answered(text=size_words(text), parts=text_parts(text))


def asked_language_server(call: Call) -> Asked:
    """Return the operation and the place in the code."""
    place = ":".join(
        call.short(word_at(call.input, key))
        for key in ("filePath", "line", "character")
        if key in call.input
    )
    query = text_at(call.input, "query")
    return Asked(one_line(f"{text_at(call.input, 'operation')} {place} {query}"))


def answered_language_server(call: Call) -> Answered:
    """Return what the language server found."""
    text = text_at(call.result, "result") or call.text
    results, files = int_at(call.result, "resultCount"), int_at(call.result, "fileCount")
    said = joined(
        counted(results, "result") if results is not None else "",
        counted(files, "file") if files is not None else "",
    )
    return Answered(text=said or size_words(text), parts=text_parts(text))


def asked_tools(call: Call) -> Asked:
    """Return what tools were looked for."""
    return Asked(one_line(text_at(call.input, "query")))


def answered_tools(call: Call) -> Answered:
    """Return the names of the tools that were found."""
    names = texts_at(call.result, "matches")
    chips: tuple[Part, ...] = tuple(Chip("tool", name) for name in names) or call.media
    total = int_at(call.result, "total_deferred_tools")
    said = joined(
        counted(len(chips), "tool"), f"of {total:,}" if total is not None else ""
    ).replace(", of", " of")
    waiting = list_at(call.result, "pending_mcp_servers")
    if waiting:
        chips = (*chips, Chip("servers still starting", str(len(waiting))))
    return Answered(text=said, parts=chips or text_parts(call.text))


TOOLS = (
    Tool(("Glob",), asked_search, answered=answered_glob, draws=_SEARCHED, told=_SWITCHES),
    Tool(
        ("Grep", "Search"),
        asked_search,
        answered=answered_grep,
        draws=_SEARCHED,
        told=_SWITCHES,
    ),
    Tool(("LS",), asked_folder, answered=answered_text, draws=frozenset({"path"})),
    Tool(
        ("LSP",),
        asked_language_server,
        answered=answered_language_server,
        draws=frozenset({"operation", "filePath", "line", "character", "query"}),
    ),
    Tool(("ToolSearch",), asked_tools, answered=answered_tools, draws=frozenset({"query"})),
)
