"""Glob, Grep, LSP, ToolSearch, WebFetch, WebSearch: what was found, in files and beyond."""

from __future__ import annotations

from everyleaf.transcript.content import Json, code, link_to, objects_in, parse_json, prose
from everyleaf.transcript.document import Chip, Code, Link, Links, Parts
from everyleaf.transcript.tools.call import (
    Call,
    Card,
    Tool,
    is_switch,
    plain_card,
    size_words,
    text_parts,
)
from everyleaf.transcript.words import count_lines, counted, joined, one_line

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
    found, end = parse_json(text, start + len(_LINKS) - 1)
    links = objects_in(found)
    return links, f"{text[:start]}{text[end:]}" if links else text


TOOLS = (
    *(
        Tool(
            names,
            draw,
            draws=("pattern", "query", "path", "glob", "type", *_GREP_FLAGS),
            told=dict.fromkeys(_GREP_FLAGS[1:], is_switch),
        )
        for names, draw in ((("Glob",), _glob), (("Grep", "Search"), _grep))
    ),
    Tool(
        ("LS",),
        lambda call: plain_card(call, call.short(call.input.text("path"))),
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
