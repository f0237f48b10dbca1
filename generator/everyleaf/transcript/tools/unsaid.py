"""What a call asked for and its card does not draw: listed, so that no word is lost.

Inputs change between versions, and models write fields that no tool has. A card draws what
it knows; each text of the input is looked for in what was drawn, and what is not there is
listed under its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from everyleaf.transcript.document import (
    AgentPage,
    Checklist,
    Chip,
    Code,
    Diff,
    Fold,
    Links,
    Picture,
    Prose,
    Table,
)
from everyleaf.transcript.tools.generic import argument_parts, short_cell
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.records.schema import JsonObject, JsonValue
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tools.call import Answered, Asked, Call, Tool

UNPARSED = "__unparsedToolInput"
"""The field that holds an input which is no JSON; it is drawn for every tool."""
_Found: TypeAlias = "Iterator[tuple[str, JsonValue]]"

_DEEPEST = 8
"""Levels that are looked into; what is nested deeper is listed whole."""


def list_unsaid(
    call: Call, tool: Tool, asked: Asked, answered: Answered
) -> tuple[Part, ...]:
    """Return what `call` asked for and neither `asked` nor `answered` draws, listed.

    Short values are chips, the rest stands in a fold, open where the card is bare. Linear
    in what was asked and drawn.
    """
    if asked.is_whole:
        return ()
    look = _Look(call, tool, asked, answered)
    found: dict[str, list[JsonValue]] = {}
    for name, value in look.unsaid(call.input, ""):
        if name == UNPARSED:
            continue
        found.setdefault(name, []).append(value)
    listed: JsonObject = {
        name: some[0] if len(some) == 1 else some for name, some in found.items()
    }
    chips = {name: cell for name, value in listed.items() if (cell := short_cell(value))}
    rest = {name: value for name, value in listed.items() if name not in chips}
    parts: list[Part] = [Chip(name, cell) for name, cell in chips.items()]
    if rest:
        is_bare = not asked.target and not asked.parts
        parts.append(Fold("more of what was asked", argument_parts(rest), is_open=is_bare))
    return tuple(parts)


class _Look:
    """Looks for texts in what is drawn of one call: first where it is drawn most likely."""

    def __init__(self, call: Call, tool: Tool, asked: Asked, answered: Answered) -> None:
        self._call = call
        self._tool = tool
        self._waiting = [
            [answered.text, *_texts(answered.parts)],
            [asked.target, *_texts(asked.parts)],
        ]
        self._flat = ""
        self._lines: set[str] = set()

    def unsaid(self, value: JsonValue, name: str, depth: int = 0) -> _Found:
        """Yield (name, value) of what is not drawn of a known field `name`, in order."""
        if depth > _DEEPEST:
            yield name, value
        elif isinstance(value, dict):
            for key, inner in value.items():
                within = f"{name}.{key}" if name else key
                if self._is_told(key, inner, depth):
                    continue
                if key in self._tool.draws or key in self._tool.told:
                    yield from self.unsaid(inner, within, depth + 1)
                else:
                    yield within, inner
        elif isinstance(value, list):
            for inner in value:
                yield from self.unsaid(inner, name, depth + 1)
        elif value is not None and value is not False and not self._is_drawn(str(value)):
            yield name, value
            # What is listed is drawn: of two texts of an edit mostly one is enough.
            self._lines.update(map(_flat, str(value).split("\n")))

    def _is_told(self, key: str, value: JsonValue, depth: int) -> bool:
        """Return whether the card says in its own words that a field has such a value."""
        is_told = self._tool.told.get(key)
        is_deep_number = depth > 0 and isinstance(value, int | float) and value is not True
        return is_told is not None and is_told(value) and not is_deep_number

    def _is_drawn(self, text: str) -> bool:
        while not self._is_among(text):
            if not self._waiting:
                return False
            lines = [_flat(line) for one in self._waiting.pop() for line in one.split("\n")]
            self._flat = " ".join([self._flat, *filter(None, lines)])
            self._lines.update(lines)
        return True

    def _is_among(self, text: str) -> bool:
        if (
            _flat(text) in self._flat
            or _flat(short_file(text, self._call.folder)) in self._flat
        ):
            return True
        # A diff sets lines apart, and shows the whole of one that is asked for in part.
        first, *between = map(_flat, text.strip("\n").split("\n"))
        last = between.pop() if between else first
        return all(line in self._lines for line in between) and all(
            line in self._lines or line in self._flat for line in (first, last)
        )


def _flat(text: str) -> str:
    return " ".join(text.split())


def _texts(parts: Iterable[Part]) -> Iterator[str]:  # noqa: C901  (a case a class)
    """Yield the texts that `parts` draw, in order."""
    for part in parts:
        match part:
            case Prose():
                yield part.text
            case Code():
                yield from (part.caption, part.text)
            case Chip():
                yield from (part.label, part.text, part.detail)
            case Diff():
                yield from (line.text for hunk in part.hunks for line in hunk.lines)
            case Table():
                yield from (cell for row in part.rows for cell in row)
            case Checklist():
                yield from (item.text for item in part.items)
            case Links():
                yield from (text for link in part.items for text in (link.text, link.url))
            case Fold():
                yield part.summary
                yield from _texts(part.parts)
            case Picture() | AgentPage():
                continue
