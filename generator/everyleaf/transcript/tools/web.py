"""WebFetch and WebSearch: pages and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Link, Links, Prose
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.tools.generic import size_words
from everyleaf.transcript.values import (
    as_objects,
    int_at,
    list_at,
    objects_at,
    parse_json,
    text_at,
    texts_at,
    value_at,
)
from everyleaf.transcript.words import counted, joined, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

_LINKS = "Links: ["


def asked_page(call: Call) -> Asked:
    """Return the address, and what was to be found out there."""
    url, prompt = text_at(call.input, "url"), text_at(call.input, "prompt")
    parts: list[Part] = [Links((Link(url, url),))] if url else []
    if prompt.strip():
        parts.append(Prose(prompt))
    return Asked(one_line(url), tuple(parts))


def answered_page(call: Call) -> Answered:
    """Return what a small model made of the page."""
    text = text_at(call.result, "result") or call.text
    size, code = int_at(call.result, "bytes"), int_at(call.result, "code")
    said = joined(
        f"{code} {text_at(call.result, 'codeText')}".strip() if code is not None else "",
        f"{size:,} bytes" if size is not None else "",
    )
    return Answered(
        text=said or size_words(text),
        parts=(Prose(text),) if text.strip() else (),
        duration_ms=int_at(call.result, "durationMs"),
    )


def asked_search(call: Call) -> Asked:
    """Return the query, and the domains that it is limited to."""
    query = text_at(call.input, "query")
    only = texts_at(call.input, "allowed_domains")
    never = texts_at(call.input, "blocked_domains")
    limits = joined(
        f"only {' '.join(only)}" if only else "", f"not {' '.join(never)}" if never else ""
    )
    return Asked(one_line(joined(query, limits)))


def answered_search(call: Call) -> Answered:
    """Return the links that were found, and what was said of them."""
    results = list_at(call.result, "results")
    found = [link for result in results for link in objects_at(result, "content")]
    found = found or [link for link in objects_at(call.result, "content") if "url" in link]
    said = "\n\n".join(result for result in results if isinstance(result, str))
    if not found:
        found, said = _links_in(call.text)
    links = tuple(Link(text_at(link, "title"), text_at(link, "url")) for link in found)
    parts: list[Part] = [Links(links)] if links else []
    if said.strip():
        parts.append(Prose(said))
    return Answered(
        text=counted(len(links), "link"),
        parts=tuple(parts),
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
    Tool(
        ("WebFetch", "web_fetch"),
        asked_page,
        answered=answered_page,
        draws=frozenset({"url", "prompt"}),
    ),
    Tool(
        ("WebSearch", "web_search"),
        asked_search,
        answered=answered_search,
        draws=frozenset({"query", "allowed_domains", "blocked_domains"}),
    ),
)
