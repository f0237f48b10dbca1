"""Bash: the command, what the terminal showed, how it ended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.content import picture
from everyleaf.transcript.document import Code, Outcome, Picture
from everyleaf.transcript.tools.call import Answered, Asked, Tool, is_switch
from everyleaf.transcript.tools.commits import find_commits
from everyleaf.transcript.values import (
    as_json,
    int_at,
    is_set,
    object_at,
    objects_at,
    text_at,
)
from everyleaf.transcript.words import count_lines, counted, duration, first_line, joined

if TYPE_CHECKING:
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Call

_NOTHING = ("(Bash completed with no output)", "Tool ran without output or errors")
"""What the model is told of a command that printed nothing."""
_EXIT = re.compile(r"\s*(?:Error: )?Exit code (\d{1,10})(?:\n|$)")
_CHANGE_FOLDER = re.compile(
    r"""\s*cd (?:"([^"\n]{1,1000})"|'([^'\n]{1,1000})'|([^\s;&"']{1,1000}))\s*(?:&&|;)"""
)
_DATA_URL = re.compile(r"data:(image/[\w.+-]{1,40});base64,")


def asked(call: Call) -> Asked:
    """Return the command, with what the model said that it does."""
    command = text_at(call.input, "command")
    caption = text_at(call.input, "description")
    if is_set(call.input, "run_in_background"):
        caption = joined(caption, "in the background")
    return Asked(
        _target(command, call.folder), (Code(command, language="bash", caption=caption),)
    )


def _target(command: str, folder: str) -> str:
    """Return the command on one line, without the way to the folder that it runs in."""
    found = _CHANGE_FOLDER.match(command)
    rest = command[found.end() :].strip() if found else ""
    if found and rest and (found[1] or found[2] or found[3]).rstrip("/") == folder:
        return first_line(rest)
    return first_line(command)


def answered(call: Call) -> Answered:
    """Return the output and the exit; the exit code stands in the text alone."""
    found = _EXIT.match(call.text)
    text = call.text[found.end() :] if found else call.text
    if text.strip() in _NOTHING:
        text = ""
    is_interrupted = is_set(call.result, "interrupted")
    return Answered(
        text=_ending(call, found[1] if found else "", text),
        parts=(*_output(call, text), *call.media),
        outcome=Outcome.INTERRUPTED if is_interrupted else None,
        commits=find_commits(text_at(call.input, "command"), text, call.result),
    )


def _ending(call: Call, exit_code: str, text: str) -> str:
    task = text_at(call.result, "backgroundTaskId")
    timeout = int_at(call.result, "timedOutAfterMs")
    is_moved = any(
        is_set(call.result, key)
        for key in ("backgroundedByUser", "assistantAutoBackgrounded")
    )
    is_free = is_set(call.result, "dangerouslyDisableSandbox")
    return joined(
        f"exit {exit_code}" if exit_code else "",
        text_at(call.result, "returnCodeInterpretation"),
        "interrupted" if is_set(call.result, "interrupted") else "",
        f"timed out after {duration(timeout)}" if timeout is not None else "",
        f"{'put ' * is_moved}in the background as {task}" if task else "",
        "outside of the sandbox" if is_free else "",
        counted(count_lines(text), "line") if text.strip() else "no output",
    )


def _output(call: Call, text: str) -> tuple[Part, ...]:
    stdout = text_at(call.result, "stdout")
    if is_set(call.result, "isImage"):
        return () if call.media else (_picture(stdout),)
    parts = [Code(text, is_terminal=True)] if text.strip() else []
    if not parts and stdout.strip():
        parts.append(Code(stdout, is_terminal=True))
    stderr = text_at(call.result, "stderr")
    if stderr.strip() and stderr.strip() not in text:
        parts.append(Code(stderr, caption="stderr", is_terminal=True))
    parts += [
        Code(hint, caption="hint to the model")
        for key in ("ghRateLimitHint", "staleReadFileStateHint")
        if (hint := text_at(call.result, key)).strip() and hint.strip() not in text
    ]
    return (*parts, *_structured(call, text))


def _structured(call: Call, text: str) -> tuple[Part, ...]:
    """Return the blocks that the command's output was made into, unless `text` has them."""
    parts: list[Part] = []
    for block in objects_at(call.result, "structuredContent"):
        said = text_at(block, "text")
        if text_at(block, "type") == "image":
            if not call.media:
                parts.append(picture(object_at(block, "source"), alt="output"))
        elif not said:
            parts.append(Code(as_json(block), language="json"))
        elif said.strip() not in text:
            parts.append(Code(said, is_terminal=True))
    return tuple(parts)


def _picture(stdout: str) -> Picture:
    found = _DATA_URL.match(stdout)
    if found is None:
        return Picture(stdout, media_type="image/png", alt="output of the command")
    return Picture(stdout[found.end() :], media_type=found[1], alt="output of the command")


TOOLS = (
    Tool(
        ("Bash", "PowerShell"),
        asked,
        answered=answered,
        draws=frozenset({"command", "description"}),
        told={"run_in_background": is_switch},
        reads_errors=True,
    ),
)
