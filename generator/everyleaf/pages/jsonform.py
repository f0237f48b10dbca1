"""Frozen values to JSON and back: strict on the way in, same bytes on the way out.

    {
     "title": "Write a parser",
     "ids": [
      "u1",
      "u2"
     ],
     "tools": [
      ["Bash", 12]
     ],
     "usage": {"input": 1, "output": 2}
    }

A line a field and a line an item, so that git shows what became different. A small object
stands on one line, and so does a small list in a list: both with nothing more inside.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar, cast

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    _Things = dict[str, object] | Sequence[object]

T = TypeVar("T", bound=msgspec.Struct)

SMALL = 5
"""As many fields or items fit on a line."""

_encode = json.JSONEncoder(ensure_ascii=False).encode


def to_json(value: msgspec.Struct) -> bytes:
    """Return `value` as JSON, UTF-8: keys in the order of the fields, a line a thing.

    A lone surrogate has no UTF-8 form; readers get a question mark.
    """
    plain = cast("dict[str, object]", msgspec.to_builtins(value))
    return f"{_spread(plain, margin='')}\n".encode("utf-8", "replace")


def _spread(value: _Things, *, margin: str) -> str:
    """Return an object or a list over several lines, the last one behind `margin`."""
    deeper = margin + " "
    if isinstance(value, dict):
        lines = [f"{_encode(k)}: {_field(v, margin=deeper)}" for k, v in value.items()]
        ends = "{}"
    else:
        lines = [_item(item, margin=deeper) for item in value]
        ends = "[]"
    body = ",\n".join(deeper + line for line in lines)
    return f"{ends[0]}\n{body}\n{margin}{ends[1]}" if lines else ends


def _field(value: object, *, margin: str) -> str:
    things = _things(value)
    if things is None or isinstance(things, dict):
        return _item(value, margin=margin)
    return _spread(things, margin=margin)


def _item(value: object, *, margin: str) -> str:
    things = _things(value)
    if things is None:
        return _encode(value)
    inner = things.values() if isinstance(things, dict) else things
    is_flat = all(_things(one) is None for one in inner)
    is_small = is_flat and len(things) <= SMALL
    return _encode(things) if is_small else _spread(things, margin=margin)


def _things(value: object) -> _Things | None:
    """Return `value` if it is an object or a list."""
    return cast("_Things", value) if isinstance(value, dict | list | tuple) else None


def from_json(kind: type[T], body: bytes) -> T | None:
    """Return the `kind` that `body` holds, or None if it holds anything else.

    A missing field takes its default; what a field that `kind` does not know means, `kind`
    says: mostly that another version wrote the file.
    """
    try:
        return msgspec.json.decode(body, type=kind)
    except (ValueError, RecursionError):
        return None
