"""Frozen dataclasses to JSON and back: strict on the way in, same bytes on the way out."""

from __future__ import annotations

import json
from dataclasses import asdict, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, TypeVar, cast, get_args, get_origin, get_type_hints

import orjson

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Fields = type[DataclassInstance]

T = TypeVar("T", bound="DataclassInstance")


def to_json(value: DataclassInstance) -> bytes:
    """Return `value` as JSON: keys in the order of the fields, one line, UTF-8."""
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        # A lone surrogate in a title has no UTF-8 form; readers get a question mark.
        text = json.dumps(asdict(value), ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace") + b"\n"


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
