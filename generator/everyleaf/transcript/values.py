"""Reading loosely typed JSON: whatever a value is, asking for a text gives a text.

Tool inputs and results change between versions and are written by models and servers, so
nothing about them can be relied on.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from msgspec import Struct

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject, JsonValue

_DECODER = json.JSONDecoder()


class Json(Struct, frozen=True):
    """A JSON value of any shape; each method asks for the first of some keys it has."""

    raw: JsonValue = None

    def __bool__(self) -> bool:
        return isinstance(self.raw, dict) and bool(self.raw)

    @property
    def fields(self) -> JsonObject:
        """Return the value itself if it is an object, else an empty one."""
        return self.raw if isinstance(self.raw, dict) else {}

    def value(self, *keys: str) -> JsonValue:
        """Return what stands under the first key, whatever it is, or None."""
        if isinstance(self.raw, dict):
            for key in keys:
                if key in self.raw:
                    return self.raw[key]
        return None

    def text(self, *keys: str) -> str:
        """Return the text under the first key, or ""."""
        found = self.value(*keys)
        return found if isinstance(found, str) else ""

    def word(self, *keys: str) -> str:
        """Return the text, number or truth value under the first key, as text, or ""."""
        found = self.value(*keys)
        if isinstance(found, bool):
            return "true" if found else "false"
        return str(found) if isinstance(found, str | int | float) else ""

    def number(self, *keys: str) -> int | None:
        """Return the whole number under the first key, or None; fractions are cut."""
        found = self.value(*keys)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return None
        try:
            return int(found)
        except (OverflowError, ValueError):
            return None

    def is_set(self, *keys: str) -> bool:
        """Return whether the first key that is there holds `true`."""
        return self.value(*keys) is True

    def at(self, *keys: str) -> Json:
        """Return the object under the first key, or an empty one."""
        found = self.value(*keys)
        return Json(found if isinstance(found, dict) else {})

    def values(self, *keys: str) -> list[JsonValue]:
        """Return the list under the first key, or an empty one."""
        found = self.value(*keys)
        return found if isinstance(found, list) else []

    def texts(self, *keys: str) -> list[str]:
        """Return the texts of the list under the first key, in order."""
        return [item for item in self.values(*keys) if isinstance(item, str)]

    def each(self, *keys: str) -> list[Json]:
        """Return the objects of the list under the first key, in order."""
        return objects_in(self.values(*keys))


def objects_in(value: JsonValue) -> list[Json]:
    """Return the objects in `value` if it is a list, in order, else none."""
    items = value if isinstance(value, list) else []
    return [Json(item) for item in items if isinstance(item, dict)]


def parse_json(text: str, start: int = 0) -> tuple[JsonValue, int]:
    """Return the JSON value at `start` of `text` and its end; (None, start) if none is."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
    return cast("JsonValue", value), end


def as_json(value: JsonValue, *, indent: int | None = 2) -> str:
    """Return `value` as indented JSON, keys in the order written."""
    try:
        return json.dumps(value, indent=indent, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to be shown)"


def as_cell(value: JsonValue) -> str:
    """Return `value` for a table: a text as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else as_json(value, indent=None)
