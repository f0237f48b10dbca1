"""What asks for a secret, and what answers: questions, commands, calls of tools, fields.

An answer says nothing by itself: `hunter7f` alone, below `op read op://prod/db/password`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from everyleaf.records.text import as_object, as_text, content_blocks, iter_texts, said_in
from everyleaf.redact.commands import is_alone, makes_secret, names_secret, printing_line
from everyleaf.redact.texts import iter_strings

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASKS = re.compile(
    r"(?i)\b(?:(passw|passphrase|passcode|kennwort|contrase|mot de passe|парол|密码"
    r"|パスワード|비밀번호)|token|secret|api[ _-]?key)[^\n]{0,100}\s*\Z"
)
_REQUEST = re.compile(
    r"(?i)\?\s*\Z|\b(?:send|give|paste|provide|share|need|generate|create|make|tell|suggest|pick|choose|invent|enter)\b"
    r"[^\n]{0,160}\Z"
)
_LONGEST_ANSWER = 200
_LONGEST_QUESTION = 200
_MOST_STRINGS = 12
_FIELD = re.compile(r"(?i)passw|passphrase|passcode|\botp\b")
_WRAPPING = re.compile(
    r"(?m)^(?:Exit code \d+|</?[\w-]+>(?:[\w ]*</[\w-]+>)?|Output too large.*"
    r"|Preview \(.*|\.\.\.|### Result|`{3}\w*|[ \t]*)$\n?"
)
"""Lines that stand around what a command prints."""
_TYPED = re.compile(r"<bash-input>([^<>\n]+)</bash-input>")
_PRINTED = re.compile(r"<bash-stdout>([^<>]*)</bash-stdout>")
_NAMED_ALONE = "password:"
"""Stands for what asked for a secret by its name, and gets nothing else."""
_ASKED = "?"
_TYPING = "#"
_SHELL = "!"
_BEHIND = "&"
"""Stand among the ids of calls for a question that nobody answered yet, and for a field of
passwords that was looked for or clicked at last."""


def iter_answers(raw: dict[str, object], calls: dict[str, str]) -> Iterator[list[str]]:
    """Yield what asks for a secret, each with what answers, as texts of one text.

    A call and its result are two records, as are a question and its answer; `calls` has
    those of which no answer was seen.
    """
    for block in content_blocks(said_in(raw)):
        if said := as_text(block.get("text")):
            yield from _iter_said(said, calls)
        asked = as_object(block.get("input"))
        if asked is not None:
            yield from _iter_asked(
                str(block.get("name")), str(block.get("id")), asked, calls
            )
        elif (line := calls.pop(str(block.get("tool_use_id")), None)) is not None:
            texts = _told(raw, block)
            if any(len(text) <= _LONGEST_ANSWER and _FIELD.search(text) for text in texts):
                calls[_TYPING] = ""
            yield from _iter_told(line, texts)


def _iter_said(said: str, calls: dict[str, str]) -> Iterator[list[str]]:
    if (typed := _TYPED.search(said)) is not None:
        if names_secret(typed[1]) or makes_secret(typed[1]):
            calls[_SHELL] = ""
        return
    if (
        calls.pop(_SHELL, None) is not None
        and (printed := _PRINTED.search(said)) is not None
    ):
        if is_alone(printed[1]):
            yield [_NAMED_ALONE, said]
        return
    question = calls.pop(_ASKED, "")
    if question and len(said) <= _LONGEST_ANSWER:
        yield [question, said]
        return
    end = said[-_LONGEST_QUESTION:]
    if (asks := _ASKS.search(end)) is not None and _REQUEST.search(end) is not None:
        calls[_ASKED] = "password?" if asks[1] else "API key:"


def _iter_asked(
    tool: str, call: str, asked: dict[str, object], calls: dict[str, str]
) -> Iterator[list[str]]:
    """Yield what a call gives away itself, and keep what it asks for."""
    command = as_text(asked.get("command")) or ""
    file = as_text(asked.get("file_path")) or ""
    typed = as_text(asked.get("text")) or as_text(asked.get("value")) or ""
    if calls.pop(_TYPING, None) is not None and is_alone(typed):
        yield [_NAMED_ALONE, typed]
    line = printing_line(command)
    if file:
        is_named = names_secret(file, is_file=True)
    else:
        texts = [text for _, text in islice(iter_strings(asked), _MOST_STRINGS)]
        is_named = any(map(names_secret, (tool, *texts))) or makes_secret(command)
    if is_named:
        line = f"{_NAMED_ALONE}\n{line}"
        if file and is_alone(written := as_text(asked.get("content")) or ""):
            yield [_NAMED_ALONE, written]
    if asked.get("run_in_background") is True and is_named:
        calls[_BEHIND] = line
    elif tool in {"BashOutput", "TaskOutput"}:
        line = calls.get(_BEHIND, "")
    if line or tool.startswith("mcp__"):  # A browser may tell of a field.
        calls[call] = line


def _told(raw: dict[str, object], block: dict[str, object]) -> list[str]:
    """Return the texts of a result."""
    result = as_object(raw.get("toolUseResult")) or {}
    file = as_object(result.get("file")) or {}
    texts = (
        *iter_texts(content_blocks(block.get("content"))),
        result.get("stdout"),
        file.get("content"),
    )
    return [text for text in texts if isinstance(text, str)]


def _iter_told(line: str, told: list[str]) -> Iterator[list[str]]:
    """Yield the texts of a result, each below what was kept of its call."""
    asked = line.removeprefix(f"{_NAMED_ALONE}\n")
    for text in told:
        if asked != line and is_alone(_WRAPPING.sub("", text)):
            yield [_NAMED_ALONE, text]
        if asked:
            yield [asked, text]
