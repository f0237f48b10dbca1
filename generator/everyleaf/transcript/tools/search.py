"""Glob, Grep, LSP, ToolSearch, WebFetch, WebSearch: what was found, in files and beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.content import code, link_to, prose
from everyleaf.transcript.document import Chip, Code, Link, Links
from everyleaf.transcript.tools.call import (
    Answered,
    Tool,
    answered_text,
    is_switch,
    size_words,
    text_parts,
)
from everyleaf.transcript.values import (
    as_objects,
    int_at,
    is_set,
    list_at,
    objects_at,
    parse_json,
    text_at,
    texts_at,
    value_at,
    word_at,
)
from everyleaf.transcript.words import count_lines, counted, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Parts
    from everyleaf.transcript.tools.call import Call

_GREP_FLAGS = (
    *("output_mode", "-i", "-n", "-A", "-B", "-C"),
    *("multiline", "head_limit", "offset"),
)
_LINKS = "Links: ["


def _searched(call: Call) -> str:
    """Return the pattern and where it was looked for."""
    where = " ".join(
        call.short(text_at(call.input, key))
        for key in ("path", "glob", "type")
        if call.input.get(key)
    )
    pattern = text_at(call.input, "pattern", "query")
    return one_line(f"{pattern} in {where}" if where else pattern)


def _search_options(call: Call) -> Parts:
    flags = " ".join(
        text_at(call.input, flag)
        if flag == "output_mode"
        else f"{flag} {word_at(call.input, flag)}".removesuffix(" true")
        for flag in _GREP_FLAGS
        if word_at(call.input, flag) not in {"", "false"}
    )
    return (Chip("options", flags),) if flags else ()


def _globbed(call: Call) -> Answered:
    """Return the files that fit."""
    text = "\n".join(map(call.short, texts_at(call.result, "filenames"))) or call.text
    count = int_at(call.result, "numFiles")
    if count is None:
        count = 0 if call.text.startswith("No files") else count_lines(text)
    total = int_at(call.result, "totalMatches")
    said = joined(
        counted(count, "file"),
        f"of {total:,}" if total is not None and total > count else "",
        "list cut" if is_set(call.result, "truncated") else "",
    ).replace(", of", " of")
    parts = code(text) if count else ()
    return Answered(said, parts, duration_ms=int_at(call.result, "durationMs"))


def _grepped(call: Call) -> Answered:
    """Return what was found, in the form that was asked for: lines, files or counts."""
    limit, start = (int_at(call.result, f"applied{key}") for key in ("Limit", "Offset"))
    said = joined(
        counted(int_at(call.result, "numMatches"), "match", "matches"),
        counted(int_at(call.result, "numLines"), "line"),
        counted(int_at(call.result, "numFiles") or None, "file"),
        f"cut at {limit:,}" if limit is not None else "",
        f"from {start + 1:,} on" if start else "",
    )
    names = map(call.short, texts_at(call.result, "filenames"))
    text = text_at(call.result, "content") or "\n".join(names) or call.text
    if text.startswith(("No matches", "No files")) or not text.strip():
        return Answered("nothing found")
    return Answered(said or size_words(text), (Code(text),))


def _place_in_code(call: Call) -> str:
    place = ":".join(
        call.short(word_at(call.input, key))
        for key in ("filePath", "line", "character")
        if key in call.input
    )
    query = text_at(call.input, "query")
    return one_line(f"{text_at(call.input, 'operation')} {place} {query}")


def _language_server(call: Call) -> Answered:
    text = text_at(call.result, "result") or call.text
    said = joined(
        counted(int_at(call.result, "resultCount"), "result"),
        counted(int_at(call.result, "fileCount"), "file"),
    )
    return Answered(said or size_words(text), text_parts(text))


def _found_tools(call: Call) -> Answered:
    """Return the names of the tools that were found."""
    names = texts_at(call.result, "matches")
    chips = tuple(Chip("tool", name) for name in names) or call.media
    total = int_at(call.result, "total_deferred_tools")
    found = counted(len(chips), "tool")
    waiting = list_at(call.result, "pending_mcp_servers")
    if waiting:
        chips = (*chips, Chip("servers still starting", str(len(waiting))))
    return Answered(
        f"{found} of {total:,}" if total is not None else found,
        chips or text_parts(call.text),
    )


def _page_asked(call: Call) -> Parts:
    """Return the address, and what was to be found out there."""
    return (*link_to(text_at(call.input, "url")), *prose(text_at(call.input, "prompt")))


def _page(call: Call) -> Answered:
    """Return what a small model made of the page."""
    text = text_at(call.result, "result") or call.text
    size, status = int_at(call.result, "bytes"), int_at(call.result, "code")
    words = text_at(call.result, "codeText")
    said = joined(
        f"{status} {words}".strip() if status is not None else "",
        f"{size:,} bytes" if size is not None else "",
    )
    took = int_at(call.result, "durationMs")
    return Answered(said or size_words(text), prose(text), duration_ms=took)


def _web_query(call: Call) -> str:
    """Return the query, and the domains that it is limited to."""
    only = " ".join(texts_at(call.input, "allowed_domains"))
    never = " ".join(texts_at(call.input, "blocked_domains"))
    limits = (f"only {only}" if only else "", f"not {never}" if never else "")
    return one_line(joined(text_at(call.input, "query"), *limits))


def _web_results(call: Call) -> Answered:
    """Return the links that were found, and what was said of them."""
    results = list_at(call.result, "results")
    found = [link for result in results for link in objects_at(result, "content")]
    found = found or [link for link in objects_at(call.result, "content") if "url" in link]
    said = "\n\n".join(result for result in results if isinstance(result, str))
    if not found:
        found, said = _links_in(call.text)
    links = tuple(Link(text_at(link, "title"), text_at(link, "url")) for link in found)
    return Answered(
        counted(len(links), "link"),
        (*((Links(links),) if links else ()), *prose(said)),
        duration_ms=_milliseconds(value_at(call.result, "durationSeconds")),
    )


def _milliseconds(seconds: JsonValue) -> int | None:
    # Ten days: what is longer is no length of time, and infinity cannot be an int.
    if isinstance(seconds, int | float) and 0 <= seconds < 864_000:
        return int(seconds * 1000)
    return None


def _links_in(text: str) -> tuple[list[JsonObject], str]:
    """Return the links that stand as JSON in a result's text, and the text around them."""
    start = text.find(_LINKS)
    if start < 0:
        return [], text
    found, end = parse_json(text, start + len(_LINKS) - 1)
    links = as_objects(found)
    return links, f"{text[:start]}{text[end:]}" if links else text


TOOLS = (
    *(
        Tool(
            names,
            _searched,
            _search_options,
            answered,
            draws=frozenset({"pattern", "query", "path", "glob", "type", *_GREP_FLAGS}),
            told=dict.fromkeys(_GREP_FLAGS[1:], is_switch),
        )
        for names, answered in ((("Glob",), _globbed), (("Grep", "Search"), _grepped))
    ),
    Tool(
        ("LS",),
        lambda call: call.short(text_at(call.input, "path")),
        answered=answered_text,
        draws=frozenset({"path"}),
    ),
    Tool(
        ("LSP",),
        _place_in_code,
        answered=_language_server,
        draws=frozenset({"operation", "filePath", "line", "character", "query"}),
    ),
    Tool(
        ("ToolSearch",),
        lambda call: one_line(text_at(call.input, "query")),
        answered=_found_tools,
        draws=frozenset({"query"}),
    ),
    Tool(
        ("WebFetch", "web_fetch"),
        lambda call: one_line(text_at(call.input, "url")),
        _page_asked,
        _page,
        draws=frozenset({"url", "prompt"}),
    ),
    Tool(
        ("WebSearch", "web_search"),
        _web_query,
        answered=_web_results,
        draws=frozenset({"query", "allowed_domains", "blocked_domains"}),
    ),
)
