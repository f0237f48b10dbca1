"""Frozen dataclasses to JSON and back: strict on the way in, same bytes on the way out.

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
from dataclasses import asdict, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, TypeVar, cast, get_args, get_origin, get_type_hints

import orjson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import DataclassInstance

    Fields = type[DataclassInstance]
    _Things = dict[str, object] | Sequence[object]

T = TypeVar("T", bound="DataclassInstance")

SMALL = 5
"""As many fields or items fit on a line."""

_encode = json.JSONEncoder(ensure_ascii=False).encode


def to_json(value: DataclassInstance) -> bytes:
    """Return `value` as JSON, UTF-8: keys in the order of the fields, a line a thing."""
    try:
        plain: dict[str, object] = orjson.loads(orjson.dumps(value))
    except orjson.JSONEncodeError:
        # A lone surrogate in a title has no UTF-8 form; readers get a question mark.
        plain = asdict(value)
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

    A missing field takes its default; a field that `kind` does not know is an error, since
    it means that another version wrote the file.
    """
    try:
        value = _read(kind, json.loads(body))
    except (ValueError, TypeError, RecursionError):
        return None
    return cast("T", value)


def _read(kind: object, value: object) -> object:
    arguments: tuple[object, ...] = get_args(kind)
    if get_origin(kind) is tuple:
        return _read_items(arguments, value)
    if arguments:
        return _read_union(arguments, value)
    if isinstance(kind, type):
        return _read_plain(kind, value)
    raise TypeError(kind)


def _read_plain(kind: type[object], value: object) -> object:
    if is_dataclass(kind):
        return _read_fields(kind, value)
    if issubclass(kind, StrEnum):
        return kind(str(value))
    if type(value) is not kind:
        raise TypeError(kind)
    return value


def _read_fields(kind: Fields, value: object) -> object:
    if not isinstance(value, dict):
        raise TypeError(kind)
    hints = _hints(kind)
    given = cast("dict[str, object]", value)
    if not given.keys() <= hints.keys():
        raise TypeError(kind)
    return kind(**{name: _read(hints[name], item) for name, item in given.items()})


def _read_items(kinds: tuple[object, ...], value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise TypeError(kinds)
    items = cast("list[object]", value)
    if len(kinds) == 2 and kinds[1] is ...:
        return tuple(_read(kinds[0], item) for item in items)
    return tuple(_read(kind, item) for kind, item in zip(kinds, items, strict=True))


def _read_union(options: tuple[object, ...], value: object) -> object:
    if value is None and NoneType in options:
        return None
    (kind,) = [option for option in options if option is not NoneType]
    return _read(kind, value)


@cache
def _hints(kind: Fields) -> dict[str, object]:
    return dict(get_type_hints(kind))
