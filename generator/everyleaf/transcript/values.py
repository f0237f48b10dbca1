"""Reading loosely typed JSON: each function takes any value and promises its type.

Tool inputs and results change between versions and are written by models and servers, so
nothing about them can be relied on; asking for a text gives a text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonObject, JsonValue

_DECODER = json.JSONDecoder()


def parse_json(text: str, start: int = 0) -> tuple[JsonValue, int]:
    """Return the JSON value at `start` of `text` and its end; (None, start) if none is."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
    return cast("JsonValue", value), end


def value_at(value: JsonValue, *keys: str) -> JsonValue:
    """Return what stands under the first of `keys` that `value` has, or None."""
    if isinstance(value, dict):
        for key in keys:
            if key in value:
                return value[key]
    return None


def text_at(value: JsonValue, *keys: str) -> str:
    """Return the text under the first of `keys` that is there, or ""."""
    found = value_at(value, *keys)
    return found if isinstance(found, str) else ""


def word_at(value: JsonValue, *keys: str) -> str:
    """Return the text or the number under the first of `keys`, as text, or ""."""
    found = value_at(value, *keys)
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found) if isinstance(found, str | int | float) else ""


def int_at(value: JsonValue, *keys: str) -> int | None:
    """Return the whole number under the first of `keys`, or None; fractions are cut."""
    found = value_at(value, *keys)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    try:
        return int(found)
    except (OverflowError, ValueError):
        return None


def is_set(value: JsonValue, *keys: str) -> bool:
    """Return whether the first of `keys` that is there holds `true`."""
    return value_at(value, *keys) is True


def list_at(value: JsonValue, *keys: str) -> list[JsonValue]:
    """Return the list under the first of `keys`, or an empty one."""
    found = value_at(value, *keys)
    return found if isinstance(found, list) else []


def texts_at(value: JsonValue, *keys: str) -> list[str]:
    """Return the texts of the list under the first of `keys`, in order."""
    return [item for item in list_at(value, *keys) if isinstance(item, str)]


def object_at(value: JsonValue, *keys: str) -> JsonObject:
    """Return the object under the first of `keys`, or an empty one."""
    found = value_at(value, *keys)
    return found if isinstance(found, dict) else {}


def objects_at(value: JsonValue, *keys: str) -> list[JsonObject]:
    """Return the objects of the list under the first of `keys`, in order."""
    return as_objects(list_at(value, *keys))


def as_object(value: JsonValue) -> JsonObject:
    """Return `value` itself if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_objects(value: JsonValue) -> list[JsonObject]:
    """Return the objects in `value` if it is a list, in order, else none."""
    return (
        [item for item in value if isinstance(item, dict)]
        if isinstance(value, list)
        else []
    )


def as_json(value: JsonValue) -> str:
    """Return `value` as indented JSON, keys in the order written."""
    return _dumped(value, indent=2)


def as_cell(value: JsonValue) -> str:
    """Return `value` for a table: a text as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else _dumped(value, indent=None)


def _dumped(value: JsonValue, *, indent: int | None) -> str:
    try:
        return json.dumps(value, indent=indent, ensure_ascii=False)
    except RecursionError:
        return "(nested too deeply to be shown)"
