"""What search finds, by page, and the file that keeps it: what was said, called, linked to.

`data/search/<session>.json` holds `{"pages": [{"url": …, "title": …, "project": …,
"status": …, "month": …, "said": [[kind, anchor, text, prompt, at], …], …}, …],
"version": 1}`. It is a file of the site and not of a cache: a session whose source has
gone, or that somebody else published into the folder, stays searchable, and scripts can
read it, too.

Thinking, results and notices but those of links (pull requests) are left out: what a
person remembers is what was said, and an index of every long output would be larger than
the archive.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.records.text import as_list, as_object
from everyleaf.theming.formats import coloured, visible
from everyleaf.transcript import document as doc
from everyleaf.transcript.words import squeezed, tool_name

WORDS_DIR = "data/search/"
"""Folder of the files with what is found of each session."""

VERSION = 1
_URL = re.compile(r"(?:transcripts|agents)/[A-Za-z0-9._-]+\.html")
"""Pages that can be found; what a file says of others is not believed."""

LONGEST = 8_000
"""Characters of a message that can be found; what is pasted behind them is not."""
LONGEST_TARGET = 300
"""Characters of what a tool was called on."""

_FENCE = re.compile(r"(?m)^[ \t]*(?:`{3,}[^`\n]*|~{3,}.*|={3,}|[-*_|:][-*_|: \t]+)$")
"""A line that says nothing: of a fence, below a heading or a table's head, a rule."""
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\((?:[^()\n]|\([^()\n]*\))*\)")
_AT_START = re.compile(
    r"(?m)^[ \t]*(?:>+(?:[ \t]+|$)|(?:#{1,6}|[-*+])[ \t]+(?:\[[ xX]\] )?)+"
)
_EMPHASIS = re.compile(
    r"""(?<![/\w*])\*{1,3}(?=[\w"'(`\[])|(?<=[\w.!?,:;)%"'`\]])\*{1,3}(?![/\w*]|\.\w)"""
    r"""|(?<=[^\x00-\x7f])\*\*(?![/*])|(?<![/*])\*\*(?=[^\x00-\x7f])"""
)
"""Stars at the ends of words, but for those of patterns: `*.py`, `refs/*`; pairs of them
inside of words, too, in writing that puts no blanks between words and what marks them."""
_IN_LINE = str.maketrans({"`": None, "|": " "})


class SearchText(Struct, frozen=True, array_like=True):
    """A message as it can be found."""

    kind: str
    """`prompt`, `reply`, `answer` (the person's, to a tool), `tool` or `notice`."""
    anchor: str
    """Id of its element on the page."""
    text: str
    """Plain words in lines, control characters dropped; never empty."""
    prompt: int = 0
    """Number of the prompt that it is or follows; 0: not known."""
    at: str = ""
    """When (UTC): `2026-01-31T14:05`; empty: not known."""


class SearchPage(Struct, frozen=True):
    """The messages of a page that are not found on another one."""

    url: str
    """Site-relative."""
    title: str
    project: str
    status: str
    """`active`, `abandoned` or `subagent`."""
    month: str
    """When it ended: `2026-03`; empty: unknown."""
    said: tuple[SearchText, ...]
    """In page order."""
    ended: str = ""
    """When (UTC): `2026-01-31 14:05`; empty: not known."""
    path: str = ""
    """`Path 2 of 3`; empty: the only one, or a subagent."""
    session: str = ""
    """Title of the session, where the page has another one."""


def said_in(
    entries: Iterable[doc.AnyEntry], anchors: Mapping[str, str]
) -> Iterator[SearchText]:
    """Yield what can be found of `entries`, in order; `anchors` are those of the page."""
    for entry in entries:
        match entry:
            case doc.Prompt():
                kind, text = "prompt", _parts(entry.parts)
            case doc.Reply():
                kind, text = "reply", _parts(entry.parts)
            case doc.ToolCall():
                kind = "answer" if entry.is_personal else "tool"
                text = _call(entry)
            case doc.Notice(kind=doc.NoticeKind.LINK):
                kind, text = "notice", squeezed(entry.text)
            case doc.Rewritten():
                yield from said_in(entry.entries, anchors)
                continue
            case _:
                continue
        words = visible(text)
        if entry.uuid in anchors and words:
            yield SearchText(kind, anchors[entry.uuid], words)


def plain(markdown: str) -> str:
    r"""Return Markdown as words on one line: marks go, the text of links and code stays.

    Linear in the length; good enough to find and to quote, not to render.

    >>> plain("**Fix** the `lexer`, *not* refs/* or *.py, see [docs](x.md):\n- > now")
    'Fix the lexer, not refs/* or *.py, see docs: now'
    >>> plain("2**3, **\uc778\ud504**\ub97c") == "2**3, \uc778\ud504\ub97c"
    True
    """
    return squeezed(_unmarked(markdown))


def _unmarked(markdown: str) -> str:
    text = _AT_START.sub("", _LINK.sub(r"\1", _FENCE.sub("", markdown)))
    text = _EMPHASIS.sub("", text) if "*" in text else text  # Seldom is.
    return text.translate(_IN_LINE)


def _lines(text: str) -> str:
    # As they stand on a page: what a line tells of may be the one below it.
    return "\n".join(filter(None, map(squeezed, text.split("\n"))))


def _parts(parts: Sequence[doc.Part]) -> str:
    words: list[str] = []
    left = LONGEST
    for part in parts:
        match part:
            case doc.Prose(text=text):
                words.append(_lines(_unmarked(text[:left])))
            case doc.Code(text=text):
                words.append(_lines(text[:left]))
            case doc.Chip(label=label, text=text, detail=detail):
                words.append(squeezed(f"{label} {text[:left]} {detail[:left]}"))
            case doc.Checklist(items=items):
                words.append(_lines("\n".join(item.text for item in items)[:left]))
            case _:
                continue
        left -= len(words[-1])
        if left <= 0:
            break
    return "\n".join(filter(None, words))


def _call(call: doc.ToolCall) -> str:
    name = call.label or tool_name(call.name)
    outcome = coloured(call.outcome_text).striptags()
    told = ((step.hash, step.subject) for step in call.commits)
    made = " ".join(word for words in told for word in words if word not in call.target)
    said = _parts(call.answered) if call.is_personal else ""
    target = call.target[:LONGEST_TARGET]
    return squeezed(f"{name} {call.about} {target} {outcome} {made} {said}")


class _SearchFile(Struct, frozen=True):
    pages: list[object]
    version: Literal[1]


_T = TypeVar("_T")


def write_search_pages(pages: Iterable[SearchPage]) -> bytes:
    """Return the body of `data/search/<session>.json`: the same bytes each time."""
    shown = [msgspec.to_builtins(page) for page in pages]
    text = json.dumps({"pages": shown, "version": VERSION}, ensure_ascii=False)
    return text.encode("utf-8", "replace") + b"\n"


def parse_search_pages(body: bytes) -> tuple[SearchPage, ...]:
    """Return the pages that `body` holds; none if this version did not write it.

    What makes no sense in it is left out.
    """
    try:
        listed = msgspec.json.decode(body, type=_SearchFile).pages
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return ()
    pages: list[SearchPage] = []
    for value in listed:
        fields = as_object(value) or {}
        said = tuple(_valid(as_list(fields.get("said")), SearchText))
        whole = _valid([{**fields, "said": []}], SearchPage)
        pages += [replace(page, said=said) for page in whole if _URL.fullmatch(page.url)]
    return tuple(pages)


def _valid(values: Iterable[object], kind: type[_T]) -> Iterator[_T]:
    for value in values:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(value, kind)
