"""The advisor and code execution, which run at the API, and REPL, which runs code, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.document import Code, Outcome, Prose
from everyleaf.transcript.tools.call import Answered, Asked, Tool
from everyleaf.transcript.tools.generic import (
    argument_parts,
    size_words,
    telling_argument,
    value_parts,
)
from everyleaf.transcript.values import as_object, int_at, object_at, text_at
from everyleaf.transcript.words import count_lines, counted, first_line, joined

if TYPE_CHECKING:
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call


_LANGUAGES = {"bash_code_execution": "bash", "REPL": "javascript"}


def asked_advice(call: Call) -> Asked:
    """Return what the advisor was asked, where it was anything beside the conversation."""
    parts = argument_parts(call.input)
    return Asked(telling_argument(call.input), parts, is_whole=True)


def answered_advice(call: Call) -> Answered:
    """Return the advice, or that the API kept it to itself."""
    content = object_at(call.result, "content")
    if not call.text.strip() and text_at(content, "type").endswith("redacted_result"):
        return Answered(text="the advice was not recorded")
    parts: tuple[Part, ...] = (Prose(call.text),) if call.text.strip() else ()
    return Answered(text=size_words(call.text), parts=parts)


def asked_code(call: Call) -> Asked:
    """Return the code or the command that was to run."""
    code = text_at(call.input, "code", "command")
    language = _LANGUAGES.get(call.name, "python")
    if not code or "path" in call.input:
        return Asked(telling_argument(call.input), argument_parts(call.input))
    return Asked(first_line(code), (Code(code, language=language),))


def answered_code(call: Call) -> Answered:
    """Return what the code put out and how it ended."""
    content = object_at(call.result, "content") or as_object(call.result)
    exit_code = int_at(content, "return_code")
    outputs = [(k, text_at(content, k)) for k in ("stdout", "result", "stderr", "error")]
    parts = tuple(
        Code(text, caption="" if key == "stdout" else key, is_terminal=True)
        for key, text in outputs
        if text.strip()
    )
    if exit_code is None and not parts:
        return Answered(text=size_words(call.text), parts=value_parts(content))
    lines = sum(count_lines(part.text) for part in parts)
    return Answered(
        text=joined(
            f"exit {exit_code}" if exit_code else "",
            counted(lines, "line") if lines else "no output",
        ),
        parts=(*parts, *call.media),
        outcome=Outcome.ERROR if exit_code or text_at(content, "error") else None,
    )


TOOLS = (
    Tool(("advisor",), asked_advice, answered=answered_advice),
    Tool(
        ("code_execution", "bash_code_execution", "text_editor_code_execution", "REPL"),
        asked_code,
        answered=answered_code,
        draws=frozenset({"code", "command"}),
    ),
)
