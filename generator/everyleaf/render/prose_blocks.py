"""Prose cut into blocks that mean the same alone: most of them need no parser then.

Every cut is at a place where nothing is open: no list, no quote, no fence. What this module
does not know is one block that the parser takes whole; and where even the cuts are in
doubt, or a block could mean something to another, the text is not cut at all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator


class Block(Struct, frozen=True):
    """Lines `first` to `end` (not included) of the text, 0-based; not further known."""

    first: int
    end: int
    source: str

    @property
    def inlines(self) -> tuple[str, ...]:
        """Return its inline markup, where it is known to be no more than that."""
        return ()


class Paragraph(Block, frozen=True):
    """Lines without any markup of blocks: its source is its inline markup."""

    @property
    def inlines(self) -> tuple[str, ...]:
        """Return the one text."""
        return (self.source.strip(),)


class Heading(Block, frozen=True):
    """A line with hashes."""

    level: int
    text: str

    @property
    def inlines(self) -> tuple[str, ...]:
        """Return the title."""
        return (self.text,)


class Rule(Block, frozen=True):
    """A line across."""


class Fence(Block, frozen=True):
    """A fence that is closed; `content` ends with a line break if there is any."""

    language: str
    content: str


class FlatList(Block, frozen=True):
    """A list of one level whose items are a line each."""

    items: tuple[str, ...]
    start: int | None
    """First number; None: not numbered."""
    is_loose: bool
    """Items are paragraphs."""

    @property
    def inlines(self) -> tuple[str, ...]:
        """Return the items."""
        return self.items


_FENCE = re.compile(r"(`{3,})([^`]*)|(~{3,})(.*)")
_HEADING = re.compile(r"(#{1,6}) +([^\s#](?:.*[^\s#])?)[ \t]*")
_ANY_HEADING = re.compile(r"#{1,6}(?:\s|$)")
_RULE = re.compile(r"-{3,}|\*{3,}|_{3,}")
_LINE_OF_MARKS = re.compile(r"[-=_*\s]+")
_MARKER = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?:\s|$)")
_ITEM = re.compile(r"(?:([-+*])|([0-9]{1,9})([.)])) (?=\S)")
_OPENS_BLOCK = re.compile(r"[\s#>|:=+_~-]|\*(?!\*[^\s*])|```|[0-9]{1,9}[.)](?:\s|$)")
_INSIDE = r"(?:[^\S\n]|[>*+0-9.)-])"
_DOUBT = re.compile(
    r"\]:"  # what defines a link or a footnote does so for all blocks
    r"|```|~~~"  # a fence in a list
    # A heading in a quote or a list; at each place in a line is looked at once.
    rf"|(?m:^{_INSIDE}++(?:\#{{1,6}}(?:\s|$)|=[=-]*+[ \t]*+$)|^{_INSIDE}+-[ \t]*+$)"
    r"|(?m:(?<=[\s>*+0-9.)-]\n)(?:\#{1,6}(?:\s|$)|[=-]++[ \t]*+$))"
)


@lru_cache(maxsize=32)
def cut_prose(text: str) -> tuple[Block, ...] | None:
    """Return the blocks of `text` in order, or None where it must stay whole.

    Between blocks there are blank lines only. Linear in `text`.
    """
    if (
        "\r" in text or "\0" in text or "^[" in text
    ):  # (`^[` is a note, all notes come last)
        return None
    blocks: list[Block] = []
    for block in _iter_blocks(text.split("\n")):
        if block is None:
            return None
        blocks.append(block)
    return tuple(blocks)


def _iter_blocks(lines: list[str]) -> Iterator[Block | None]:
    """Yield blocks; None where the text cannot be cut safely."""
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip(" \t"):
            at += 1
        elif fence := _FENCE.fullmatch(line):
            block = _fence(lines, at, fence)
            yield block
            at = block.end
        elif _ANY_HEADING.match(line):
            yield _heading(line, at)
            at += 1
        elif _RULE.fullmatch(line):
            yield Rule(at, at + 1, line)
            at += 1
        else:
            end = _end_of_group(lines, at)
            yield from _group(lines, at, end)
            at = end


def _fence(lines: list[str], first: int, opening: re.Match[str]) -> Block:
    mark, info = (opening[1] or opening[3]), (opening[2] or opening[4] or "")
    closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*")
    for end in range(first + 1, len(lines)):
        if closing.fullmatch(lines[end]):
            source = "\n".join(lines[first : end + 1])
            content = "".join(f"{line}\n" for line in lines[first + 1 : end])
            language = "".join(info.split(maxsplit=1)[:1])
            return Fence(first, end + 1, source, language, content)
    return Block(first, len(lines), "\n".join(lines[first:]))


def _heading(line: str, at: int) -> Block | None:
    found = _HEADING.fullmatch(line)
    return Heading(at, at + 1, line, len(found[1]), found[2]) if found else None


def _end_of_group(lines: list[str], first: int) -> int:
    """Return the line behind what begins in line `first` and may hang together."""
    is_list = _is_inside(lines[first])
    at = end = first + 1
    while at < len(lines):
        line = lines[at]
        if not line.strip(" \t"):
            at += 1
            continue
        is_after_blank = at > end
        if _FENCE.fullmatch(line) or _ANY_HEADING.match(line):
            return end
        if is_after_blank and not (is_list and _is_inside(line)):
            return end
        is_list = is_list or _is_inside(line)
        at = end = at + 1
    return end


def _is_inside(line: str) -> bool:
    """Return whether `line` may be in a list or in indented code."""
    return line[0] in " \t" or _MARKER.match(line) is not None


def _group(lines: list[str], first: int, end: int) -> Iterator[Block | None]:
    """Yield the paragraph and the list that a group is, or else one block of all of it."""
    group = lines[first:end]
    text = "\n".join(group)
    if _DOUBT.search(text) or any(_LINE_OF_MARKS.fullmatch(line) for line in group if line):
        yield None
        return
    begun = next(
        (n for n, line in enumerate(group) if _OPENS_BLOCK.match(line)), len(group)
    )
    items = _flat_list(group[begun:], first + begun, is_first=not begun)
    if begun < len(group) and items is None:
        yield Block(first, end, text)
        return
    if begun:
        yield Paragraph(first, first + begun, "\n".join(group[:begun]))
    if items:
        yield items


def _flat_list(lines: list[str], first: int, *, is_first: bool) -> FlatList | None:
    """Return the list that `lines` are; `is_first` if there is no text right before it."""
    filled = [line for line in lines if line]
    found = [_ITEM.match(line) for line in filled]
    opening = found[0] if found else None
    if opening is None:
        return None
    start = int(opening[2]) if opening[2] else None
    if not is_first and start not in {None, 1}:
        return None
    items: list[str] = []
    for line, item in zip(filled, found, strict=True):
        if item is None or (item[1], item[3]) != (opening[1], opening[3]):
            return None
        items.append(line[item.end() :].strip())
    if any(_OPENS_BLOCK.match(item) or item[0] == "[" for item in items):
        return None
    is_loose = len(filled) < len(lines)
    return FlatList(
        first, first + len(lines), "\n".join(lines), tuple(items), start, is_loose
    )
