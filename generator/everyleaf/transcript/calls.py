"""The entry of a tool call with its result: what all tools have in common.

A card draws what it knows of an input. Inputs change between versions, and models write
fields that no tool has, so each text of the input is looked for in what was drawn, and what
is not there is listed under its name: no word is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.clock import parse_timestamp
from everyleaf.grouping import grouped
from everyleaf.records.schema import JsonObject, JsonValue
from everyleaf.transcript import document as doc, results
from everyleaf.transcript.content import Json, blocks_text, cut_reminders, media_parts
from everyleaf.transcript.tools.call import Call, Card, Tool, argument_parts, short_cell
from everyleaf.transcript.tools.table import find_tool
from everyleaf.transcript.words import MCP, one_line, short_file, squeezed, tool_name

UNKNOWN_CALL = "unknown call"
"""Name of a call that is not in the turn of its result."""
OUTCOME_LIMIT = 80
"""Longest text of how a call ended; all of it stands in the fold."""
UNPARSED = "__unparsedToolInput"
"""The field that holds an input which is no JSON; it is drawn for every tool."""
_DEEPEST = 8
"""Levels that are looked into; what is nested deeper is listed whole."""


class CallContext(Struct):
    """What a call may need from outside of its two records."""

    read_spilled: Callable[[str], str | None]
    """Gives the text of a result that was written to a file of its own, by base name."""
    tasks: tuple[doc.Task, ...] = ()
    """The task list so far."""
    reads_tasks: bool = False
    """Some call so far is shown with that list."""


def lone_call(result: results.ToolResult, known: Call | None) -> Call:
    """Return a call to draw a result with: the `known` one, else what its shape tells."""
    at = result.record.timestamp
    if known is not None:
        return replace(known, uuid=result.uuid, at=at)
    return Call(
        uuid=result.uuid,
        at=at,
        tool_use_id=result.block.tool_use_id,
        name=results.guess_name(result.structured) or UNKNOWN_CALL,
        input=Json({}),
        folder=result.record.cwd,
    )


def call_entry(
    made: Call, result: results.ToolResult | None, context: CallContext
) -> doc.ToolCall:
    """Return the entry of a call, with its result if there is one.

    The task list in `context` moves on where the call changed it.
    """
    ending = results.CallEnding(doc.Outcome.MISSING, "")
    around: doc.Parts = ()
    if result is None:
        call = replace(made, tasks=context.tasks)
    else:
        ending, around = _read(result, context.read_spilled)
        call = replace(
            made,
            outcome=ending.outcome,
            text=ending.text,
            media=media_parts(result.block.content),
            result=result.structured,
            structured=result.record.mcp_meta.get("structuredContent"),
            tasks=context.tasks,
        )
    tool = find_tool(call.name)
    card = tool.draw(call)
    is_error = ending.outcome is doc.Outcome.ERROR
    if ending.outcome is not doc.Outcome.OK and not (is_error and tool.reads_errors):
        parts = (*_refusal(ending), *call.media)
        card = Card(card.target, ending.words, parts, card.asked, about=card.about)
    context.reads_tasks |= tool.reads_tasks
    context.tasks = context.tasks if card.tasks is None else card.tasks
    unparsed = call.input.text(UNPARSED)
    unsaid = () if tool.is_whole else _list_unsaid(call, tool, card)
    return doc.ToolCall(
        uuid=call.uuid,
        at=call.at,
        also=() if result is None or result.uuid == call.uuid else (result.uuid,),
        tool_use_id=call.tool_use_id,
        name=call.name,
        target=card.target,
        about=one_line(card.about),
        outcome=card.outcome or ending.outcome,
        outcome_text=one_line(card.text or ending.words, limit=OUTCOME_LIMIT),
        asked=(
            *card.asked,
            *(() if card.changes else unsaid),
            *((doc.Code(unparsed, caption="input that is no JSON"),) if unparsed else ()),
        ),
        # What an edit changed is read first.
        answered=(*card.parts, *around, *(unsaid if card.changes else ())),
        duration_ms=_duration(call, result, card),
        agent_id=card.agent_id,
        changes=card.changes,
        commits=card.commits,
        tests=card.tests,
        label=tool_name(call.name) if call.name.startswith(MCP) else "",
    )


def _read(
    result: results.ToolResult, read_spilled: Callable[[str], str | None]
) -> tuple[results.CallEnding, doc.Parts]:
    """Return how a call ended, with its text, and what the CLI said around that."""
    text, around = cut_reminders(blocks_text(result.block.content))
    spill = results.read_spill(text)
    if spill is not None:
        whole = read_spilled(spill.name)
        text = spill.preview if whole is None else whole
        if whole is None:
            note = doc.Prose(f"{spill.note} Only a preview is in this archive.")
            around = (note, *around)
    is_error = result.block.is_error
    return results.read_ending(text, is_error=is_error, record=result.record), around


def _refusal(ending: results.CallEnding) -> doc.Parts:
    """Return the text of a call that failed: a person's own words stand open."""
    if not ending.text.strip():
        return ()
    body = doc.Code(ending.text, is_terminal=True)
    if not ending.is_boilerplate:
        return (body,)
    said = (doc.Prose(ending.said, keeps_breaks=True),) if ending.said else ()
    return (*said, doc.Fold("what the model was told", (body,)))


def _duration(call: Call, result: results.ToolResult | None, card: Card) -> int | None:
    """Return how long the call took, by its own word or by the two timestamps."""
    if card.duration_ms is not None or result is None:
        return card.duration_ms
    start, end = parse_timestamp(call.at), parse_timestamp(result.record.timestamp)
    if start is None or end is None or end < start:
        return None
    return int((end - start).total_seconds() * 1000)


def _list_unsaid(call: Call, tool: Tool, card: Card) -> doc.Parts:
    """Return what `call` asked for and its card does not draw, listed.

    Short values are chips, the rest stands in a fold, open where the card is bare. Linear
    in what was asked and drawn.
    """
    drawn = _DrawnTexts(call.folder, card)
    found = grouped(_unsaid(call.input.raw, "", tool, drawn))
    found.pop(UNPARSED, None)
    listed: JsonObject = {
        name: some[0] if len(some) == 1 else some for name, some in found.items()
    }
    chips = {name: cell for name, value in listed.items() if (cell := short_cell(value))}
    rest = {name: value for name, value in listed.items() if name not in chips}
    parts: list[doc.Part] = [doc.Chip(name, cell) for name, cell in chips.items()]
    if rest:
        is_bare = not card.target and not card.asked
        parts.append(
            doc.Fold("more of what was asked", argument_parts(rest), is_open=is_bare)
        )
    return tuple(parts)


def _unsaid(
    value: JsonValue, name: str, tool: Tool, drawn: _DrawnTexts, depth: int = 0
) -> Iterator[tuple[str, JsonValue]]:
    """Yield (name, value) of what is not drawn of a known field `name`, in order."""
    if depth > _DEEPEST:
        yield name, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            within = f"{name}.{key}" if name else key
            if _is_told(tool, key, inner, depth):
                continue
            if key in tool.draws or key in tool.told:
                yield from _unsaid(inner, within, tool, drawn, depth + 1)
            else:
                yield within, inner
    elif isinstance(value, list):
        for inner in value:
            yield from _unsaid(inner, name, tool, drawn, depth + 1)
    elif value is not None and value is not False and not drawn.has(str(value)):
        yield name, value
        # What is listed is drawn: of two texts of an edit mostly one is enough.
        drawn.add_lines(str(value))


def _is_told(tool: Tool, key: str, value: JsonValue, depth: int) -> bool:
    """Return whether the card says in its own words that a field has such a value."""
    is_told = tool.told.get(key)
    is_deep_number = depth > 0 and isinstance(value, int | float) and value is not True
    return is_told is not None and is_told(value) and not is_deep_number


class _DrawnTexts:
    """The texts that are drawn of one call: first those where one is found most likely."""

    def __init__(self, folder: str, card: Card) -> None:
        self._folder = folder
        asked = (card.target, *doc.texts_of(card.asked))
        self._waiting = [(card.text, *doc.texts_of(card.parts)), asked]
        self._all = (*asked, *self._waiting[0])
        self._flat = ""
        self._lines: set[str] = set()

    def has(self, text: str) -> bool:
        """Return whether a reader sees `text`: as it is, or line by line as in a diff."""
        short = short_file(text, self._folder)
        # Most is drawn as it was written: what white space does is looked at last.
        if any(text in one or short in one for one in self._all):
            return True
        while not self._has_flat(text, short):
            if not self._waiting:
                return False
            lines = [
                squeezed(line) for one in self._waiting.pop() for line in one.split("\n")
            ]
            self._flat = " ".join([self._flat, *filter(None, lines)])
            self._lines.update(lines)
        return True

    def add_lines(self, text: str) -> None:
        """Take note that the lines of `text` are drawn, too."""
        self._lines.update(map(squeezed, text.split("\n")))

    def _has_flat(self, text: str, short: str) -> bool:
        if squeezed(text) in self._flat or squeezed(short) in self._flat:
            return True
        # A diff sets lines apart, and shows the whole of one that is asked for in part.
        first, *between = map(squeezed, text.strip("\n").split("\n"))
        last = between.pop() if between else first
        return all(line in self._lines for line in between) and all(
            line in self._lines or line in self._flat for line in (first, last)
        )
