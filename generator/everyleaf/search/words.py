"""The words of entries that people search for: prompts, replies, tool calls in one line.

Thinking, results and notices are left out: what a person remembers is what was said, and an
index of every long output would be larger than the archive.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.search.pages import Said
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import tool_name
from everyleaf.transcript.document import (
    Chip,
    Code,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.transcript.document import AnyEntry, Part

LONGEST = 8_000
"""Characters of a message that can be found; what is pasted behind them is not."""
LONGEST_TARGET = 300
"""Characters of what a tool was called on."""

_FENCE = re.compile(r"(?m)^[ \t]*(?:`{3,}|~{3,}).*$")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\n]*\)")
_AT_START = re.compile(r"(?m)^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+")
_IN_LINE = str.maketrans({"*": None, "`": None, "|": " "})


def said_in(entries: Iterable[AnyEntry], anchors: Mapping[str, str]) -> Iterator[Said]:
    """Yield what can be found of `entries`, in order; `anchors` are those of the page."""
    for entry in entries:
        match entry:
            case Prompt():
                yield from _said("prompt", entry.uuid, _parts(entry.parts), anchors)
            case Reply():
                yield from _said("reply", entry.uuid, _parts(entry.parts), anchors)
            case ToolCall():
                yield from _said("tool", entry.uuid, _call(entry), anchors)
            case Rewritten():
                yield from said_in(entry.entries, anchors)
            case _:
                pass


def plain(markdown: str) -> str:
    r"""Return Markdown as words on one line: marks go, the text of links and code stays.

    Linear in the length; good enough to find and to quote, not to render.

    >>> plain("**Fix** the `lexer`, see [docs](x.md):\n- now")
    'Fix the lexer, see docs: now'
    """
    text = _AT_START.sub("", _LINK.sub(r"\1", _FENCE.sub("", markdown)))
    return _flat(text.translate(_IN_LINE))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _said(kind: str, uuid: str, text: str, anchors: Mapping[str, str]) -> Iterator[Said]:
    words = visible(text)
    if uuid in anchors and words:
        yield Said(kind, anchors[uuid], words)


def _parts(parts: Sequence[Part]) -> str:
    words: list[str] = []
    left = LONGEST
    for part in parts:
        match part:
            case Prose(text=text):
                words.append(plain(text[:left]))
            case Code(text=text):
                words.append(_flat(text[:left]))
            case Chip(label=label, text=text):
                words.append(_flat(f"{label} {text[:left]}"))
            case _:
                continue
        left -= len(words[-1])
        if left <= 0:
            break
    return " ".join(filter(None, words))


def _call(call: ToolCall) -> str:
    name = call.label or tool_name(call.name)
    return _flat(f"{name} {call.target[:LONGEST_TARGET]} {call.outcome_text}")
