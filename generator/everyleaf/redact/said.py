"""What is said where no message is: titles, todos, answers, notes, pages, pasted chats."""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from everyleaf.records.text import as_object, as_text, content_blocks, said_in
from everyleaf.redact.asked import Alone, iter_said, iter_shown
from everyleaf.redact.engine import may_have
from everyleaf.redact.talk import iter_accounts, iter_talked, iter_told
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.redact.texts import Nested

_SPOKEN = names("prompt summary aiTitle customTitle lastPrompt question plan")
_OF_ITEM = _SPOKEN | {"content"}
"""Fields that hold what somebody says; those of a todo and of a waiting prompt."""
_WRITTEN, _PRINTED = ("content", "new_string"), ("content", "stdout", "text")
"""Fields that hold a note; what a command or a tool prints."""
_HERE_DOCUMENT = lazily(r"<<-?[ ]?[\"']?\w+[\"']?\n([^<]{1,2000}?)\n\w+")
"""What a command writes down."""
_SENTENCES = lazily(
    r"(?s)(?!.{401}|.*\t|(?:.*\s)?(?<!\bis\s)(?<!\bwas\s)\S*(?:=[\"']|[\"']:|\w\(|[{}<>|;\\\[\]]))"
    r".*[^\W\d_]{2,}(?: [^\W\d_]{2,}[,.:]?){3}.*"
)
"""Four words in a row in 400 characters, and no sign that programs, tables, logs have, but
in what something is."""
_MIXED = lazily(r"[^\W\d_]\d|\d[^\W\d_]|[\W_]")
"""What is neither letters alone nor digits alone."""
_VERB, _NEAR = lazily(r"\b(?:is|was|put|est|es|ist|lautet)[ ]\W{0,2}\Z"), 12
_SHORT, _LONGEST_NOTE, _LONGEST_PAGE = 160, 2_000, 20_000
"""Characters of sentences in which a number is a code, and a word may be a password; of
what somebody writes down; of an output that is looked through by lines: others are logs."""
_SPEAKS = (
    r"(?m)^[ \t>*]*(?:\[[^\]\n]{4,24}\][ ]"
    r"|\d[\d./-]{5,9},?[ ]\d\d?:\d\d(?::\d\d)?(?:[ ][AP]M)?[ ]-[ ])?"
    r"(?:[^\W\d]|[ .@-]){1,24}(?::[ *]+|[ ]\[?\d\d?:\d\d(?:[ ][AP]M)?\]?[ ]*\n)"
)
_TURN = lazily(rf"{_SPEAKS}(?=\S)")
_SPEAKER = _SPEAKS.replace(r"[^\W\d]", r"[A-Za-z_]|[^\x00-\x7f]")
_CHAT = (
    rf"{_SPEAKER}[^\n]*[?:.]\s*\n{_SPEAKER}\S"
    r"|^\[[\d./:, -]{4,20}\][ ][^\n]*\b(?:passw|pin|pw|code|creds)[^\n]*\n\[\d\d?[.:]\d"
)
"""What someone says in a chat, and a question with an answer below it."""
_MOST_SPEAKERS, _FEW_TURNS = 6, 3
"""More people are in no chat that is pasted; in one of so few turns, each may say one."""


def iter_spoken(raw: dict[str, object]) -> Iterator[Alone]:
    """Yield what titles, prompts, todos and answers to questions tell."""
    result = as_object(raw.get("toolUseResult")) or {}
    yield from _iter_talked((as_object(result.get("answers")) or {}).values())
    said_in_fields = [raw, as_object(raw.get("attachment")) or {}]
    for block in content_blocks(said_in(raw)):
        if (asked := as_object(block.get("input"))) is not None:
            said_in_fields += [asked, *content_blocks(asked.get("todos"))]
            said_in_fields += content_blocks(asked.get("questions"))
    for fields in said_in_fields:
        is_item = "status" in fields or "operation" in fields
        yield from _iter_talked(map(fields.get, _OF_ITEM if is_item else _SPOKEN))


def iter_written(nested: Iterable[Nested]) -> Iterator[Alone]:
    """Yield what is said where no message is: in notes, in pages."""
    for fields in nested:
        if isinstance(fields, list):
            continue
        command = as_text(fields.get("command")) or ""
        for note in _HERE_DOCUMENT.finditer(command):
            yield from _talked(command, *note.span(1))
        for text in (as_text(fields.get(name)) or "" for name in _PRINTED):
            if len(text) <= _LONGEST_PAGE:
                yield from _find_printed(text)
        if str(fields.get("file_path")).endswith((".md", ".txt")):
            yield from _iter_talked(map(fields.get, _WRITTEN))


@lru_cache(maxsize=4)  # A result says it twice.
def _find_printed(text: str) -> tuple[Alone, ...]:
    """Return what sentences of an output tell; others may be values of fields."""
    told = [*iter_told(text)]
    found = [Alone(text, *span) for span in iter_accounts(text, told)]
    for start, end in _iter_sentences(text, told):
        for one in _talked(text, start, end):
            verb = _VERB.search(text, max(one.start - _NEAR, 0), one.start)
            is_said = end - start <= _SHORT and (verb or text[one.start].isdigit())
            found += [one] if is_said or _MIXED.search(*one) else []
    return tuple(found)


def _iter_sentences(text: str, told: list[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """Yield where sentences tell of secrets: all of a text, or lines of it."""
    is_short = "```" not in text and _SENTENCES.fullmatch(text) is not None
    if is_short and any(kind == "password" for _, kind in told):
        yield 0, len(text)
        return
    end = 0
    for place, kind in told:
        if place >= end and kind != "account":
            begin = text.rfind("\n", 0, place) + 1
            end = text.find("\n", place) % (len(text) + 1)
            if _SENTENCES.fullmatch(text, begin, end):
                yield begin, end


def _iter_talked(texts: Iterable[object]) -> Iterator[Alone]:
    """Yield what is told in those of some fields that hold texts of no great length."""
    for text in texts:
        if isinstance(text, str) and len(text) <= _LONGEST_NOTE:
            yield from _talked(text)


def _talked(text: str, start: int = 0, end: int | None = None) -> Iterator[Alone]:
    for first, last in iter_talked(text[start:end], {}):
        yield Alone(text, start + first, start + last)


def iter_answered(text: str) -> Iterator[list[str] | Alone]:
    """Yield what a text tells below a command, or as an answer in a pasted chat."""
    yield from iter_shown(text)
    calls: dict[str, str] = {}
    turns = [*_TURN.finditer(text)] if may_have(_CHAT, text) else []
    speakers = {turn[0].rpartition("]")[2].strip() for turn in turns}
    if len(speakers) > _MOST_SPEAKERS or len(speakers) == len(turns) > _FEW_TURNS:
        return  # Fields of a file, headings of a manual.
    for turn, after in zip_longest(turns, turns[1:]):
        at, end = turn.end(), after.start() if after else len(text)
        for told in iter_said(text[at:end].rstrip(), calls):
            if isinstance(told, list):
                yield told
            else:
                yield Alone(text, at + told.start, at + told.end)
