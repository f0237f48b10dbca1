"""A tool call with its result: what all tools have in common, whatever theirs shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.clock import parse_timestamp
from everyleaf.transcript.content import blocks_text, cut_reminders, media_parts
from everyleaf.transcript.document import Code, Fold, Outcome, Prose, ToolCall
from everyleaf.transcript.outcomes import Ending, read_ending
from everyleaf.transcript.spilled import read_spill
from everyleaf.transcript.tools.call import Answered, Call
from everyleaf.transcript.tools.guess import guess_name
from everyleaf.transcript.tools.registry import find_tool
from everyleaf.transcript.tools.unsaid import UNPARSED, list_unsaid
from everyleaf.transcript.values import text_at
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.records.schema import JsonObject
    from everyleaf.transcript.document import Part, Task
    from everyleaf.transcript.results import Given
    from everyleaf.transcript.tools.call import Tool

UNKNOWN_CALL = "unknown call"
"""Name of a call that is not in the turn of its result."""
OUTCOME_LIMIT = 80
"""Longest text of how a call ended; all of it stands in the fold."""


class Made(Struct, frozen=True):
    """A call as it was made."""

    uuid: str
    at: str
    tool_use_id: str
    name: str
    input: JsonObject
    folder: str = ""
    """Where the CLI stood."""


class Surroundings(Struct):
    """What a call may need from outside of its two records."""

    read_spilled: Callable[[str], str | None]
    """Gives the text of a result that was written to a file of its own, by base name."""
    tasks: tuple[Task, ...] = ()
    """The task list so far."""
    reads_tasks: bool = False
    """Some call so far is shown with that list."""


class _Read(Struct, frozen=True):
    """A result after everything around its text was taken off."""

    ending: Ending
    around: tuple[Part, ...] = ()
    media: tuple[Part, ...] = ()


_NOTHING = _Read(Ending(Outcome.MISSING, ""))


def lone_call(given: Given, known: Made | None) -> Made:
    """Return a call to draw a result with: the `known` one, else what its shape tells."""
    record = given.record
    if known is not None:
        return replace(known, uuid=given.uuid, at=record.timestamp)
    name = guess_name(given.structured) or UNKNOWN_CALL
    tool_use_id = given.block.tool_use_id
    return Made(given.uuid, record.timestamp, tool_use_id, name, {}, record.cwd)


def call_entry(made: Made, given: Given | None, around: Surroundings) -> ToolCall:
    """Return the entry of a call, with its result if there is one.

    The task list in `around` moves on where the call changed it.
    """
    found = _NOTHING if given is None else _read(given, around.read_spilled)
    ending = found.ending
    call = Call(
        name=made.name,
        input=made.input,
        outcome=ending.outcome,
        text=ending.text,
        media=found.media,
        result=None if given is None else given.structured,
        structured=given.record.mcp_meta.get("structuredContent") if given else None,
        folder=made.folder,
        tasks=around.tasks,
    )
    tool = find_tool(made.name)
    around.reads_tasks |= tool.reads_tasks
    asked = tool.asked(call)
    answered = _answered(tool, call, ending)
    if answered.tasks is not None:
        around.tasks = answered.tasks
    return ToolCall(
        uuid=made.uuid,
        at=made.at,
        also=() if given is None or given.uuid == made.uuid else (given.uuid,),
        tool_use_id=made.tool_use_id,
        name=made.name,
        target=asked.target,
        outcome=answered.outcome or ending.outcome,
        outcome_text=one_line(answered.text or ending.words, limit=OUTCOME_LIMIT),
        asked=(
            *asked.parts,
            *list_unsaid(call, tool, asked, answered),
            *_unparsed(made.input),
        ),
        answered=(*answered.parts, *found.around),
        duration_ms=_duration(made, given, answered),
        agent_id=answered.agent_id,
        changes=answered.changes,
        commits=answered.commits,
        label=asked.label,
    )


def _read(given: Given, read_spilled: Callable[[str], str | None]) -> _Read:
    blocks = given.block.content
    text, around = cut_reminders(blocks_text(blocks))
    spill = read_spill(text)
    if spill is not None:
        whole = read_spilled(spill.name)
        if whole is None:
            text = spill.preview
            around = (Prose(f"{spill.note} Only a preview is in this archive."), *around)
        else:
            text = whole
    ending = read_ending(text, is_error=given.block.is_error, record=given.record)
    return _Read(ending, around, media_parts(blocks))


def _answered(tool: Tool, call: Call, ending: Ending) -> Answered:
    if ending.outcome is Outcome.OK or (
        ending.outcome is Outcome.ERROR and tool.reads_errors
    ):
        return tool.answered(call)
    return Answered(text=ending.words, parts=(*_refusal(ending), *call.media))


def _refusal(ending: Ending) -> tuple[Part, ...]:
    """Return the text of a call that failed: a person's own words stand open."""
    if not ending.text.strip():
        return ()
    body = Code(ending.text, is_terminal=True)
    if not ending.is_boilerplate:
        return (body,)
    said = (Prose(ending.said, keeps_breaks=True),) if ending.said else ()
    return (*said, Fold("what the model was told", (body,)))


def _unparsed(arguments: JsonObject) -> tuple[Part, ...]:
    """Return the arguments that the model wrote as broken JSON, as they are."""
    written = text_at(arguments, UNPARSED)
    return (Code(written, caption="input that is no JSON"),) if written else ()


def _duration(made: Made, given: Given | None, answered: Answered) -> int | None:
    """Return how long the call took, by its own word or by the two timestamps."""
    if answered.duration_ms is not None or given is None:
        return answered.duration_ms
    start, end = parse_timestamp(made.at), parse_timestamp(given.record.timestamp)
    if start is None or end is None or end < start:
        return None
    return int((end - start).total_seconds() * 1000)
