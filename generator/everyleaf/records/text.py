"""The text of a message: its blocks, its first words, what wraps it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Block: TypeAlias = "dict[str, object]"
"""A content block, as on disk."""

LONGEST_WORDS = 200
_READ_CHARACTERS = 1000
_ENOUGH_CHARACTERS = 300
"""Of most texts; of one with much white space `_READ_CHARACTERS` are read."""

_BREAK = re.compile(r"(?<=[^\W_])[ \t]*\r?\n[ \t]*\r?\n\s*(?=[^\W_a-z])")
"""Between paragraphs, the first of which ends without a mark: a title, a list of facts."""
_WRAPPER = re.compile(
    r"\s*<(ide_opened_file|ide_selection|ide_diagnostics|new-diagnostics|system-reminder)"
    r"(?=[\s>])"
)
_COMMAND_NAME = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_COMMAND_ARGS = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)
_BASH_INPUT = re.compile(r"<bash-input>\s*(.*?)\s*</bash-input>", re.DOTALL)
_TIME = re.compile(r"[0-9TZ:.+ -]{1,40}")
ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)(?P<codes>[0-?]*)[ -/]*(?P<final>[@-~]?)"
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?"
    r"|\x1b[ -/]*[0-~]?"
)
"""What a terminal does not show but obey: colours, titles, moves."""
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
"""Control characters and marks that turn the direction of the text around them."""


def as_object(value: object) -> dict[str, object] | None:
    """Return `value` if it is a JSON object."""
    return value if isinstance(value, dict) else None  # pyright: ignore[reportUnknownVariableType]  (the keys of JSON are strings)


def as_list(value: object) -> list[object]:
    """Return `value` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]  (items are objects)


def as_text(value: object) -> str | None:
    """Return `value` if it is a string that is not empty."""
    return value if isinstance(value, str) and value else None


def as_time(value: object) -> str:
    """Return `value` if only what a time is written with stands in it, else nothing.

    Pages show a time that they cannot read as it is: it must not be markup.
    """
    return value if isinstance(value, str) and _TIME.fullmatch(value) else ""


def content_blocks(content: object) -> list[Block]:
    """Return content as blocks: a string is one; what is no block is left out."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    items = [content] if "type" in (as_object(content) or {}) else as_list(content)
    return [block for item in items if (block := as_object(item)) is not None]


def said_in(raw: dict[str, object]) -> object:
    """Return the content of a message, or what an attachment carries; None elsewhere."""
    message = raw.get("message")
    if (told := as_object(message)) is not None:
        return told.get("content")
    if isinstance(message, str):
        return message
    attachment = as_object(raw.get("attachment")) or {}
    return attachment.get("prompt", attachment.get("content"))


def iter_texts(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the texts of text blocks, in order."""
    for block in blocks:
        text = block.get("text")
        if isinstance(text, str) and block.get("type") == "text":
            yield text


def first_text(blocks: Sequence[Block]) -> str:
    """Return the first text that a person may have typed, from its first character on.

    Context that an editor or the CLI put before it is skipped, and white space; if there is
    nothing else, the result is empty.
    """
    typed = (skip_wrappers(text) for text in iter_texts(blocks))
    return next(filter(None, typed), "")


def skip_wrappers(text: str) -> str:
    """Return `text` after the editor context and reminders that it begins with."""
    position = 0
    while match := _WRAPPER.match(text, position):
        closing = f"</{match[1]}>"
        end = text.find(closing, match.end())
        if end < 0:
            break
        position = end + len(closing)
    return text[position:].lstrip()


def without_escapes(text: str) -> str:
    r"""Return `text` without what colours it in a terminal.

    >>> without_escapes("Set model to \x1b[1mopus\x1b[22m")
    'Set model to opus'
    """
    return ESCAPES.sub("", text) if "\x1b" in text or "\x9b" in text else text


def one_line(text: str) -> str:
    """Return the start of `text` on one line: 200 characters, none for control."""
    text = without_escapes(text[: 2 * _READ_CHARACTERS])
    line = " ".join(text[:_ENOUGH_CHARACTERS].split())
    if len(line) <= LONGEST_WORDS or not line.isprintable():
        line = " ".join(text[:_READ_CHARACTERS].split())
    if not line.isprintable():
        line = " ".join(_UNSEEN.sub(" ", line).split())
    if len(line) <= LONGEST_WORDS:
        return line
    return line[: LONGEST_WORDS - 1].rstrip() + "…"


def words_of(blocks: Sequence[Block]) -> str:
    """Return the first words of a message as a list shows them: at most 200 characters.

    A slash command reads `/name arguments`, a shell command `! command`; Markdown stays.
    Where a paragraph ends without a mark, a dot stands between it and the next.
    """
    text = first_text(blocks)
    if text.startswith("<command-"):
        name = _COMMAND_NAME.search(text)
        if name:
            args = _COMMAND_ARGS.search(text)
            return one_line(f"/{name[1].lstrip('/')} {args[1] if args else ''}")
    if text.startswith("<bash-input>") and (typed := _BASH_INPUT.match(text)):
        return one_line(f"! {typed[1]}")
    return one_line(_BREAK.sub(" · ", text[: 2 * _READ_CHARACTERS]))
