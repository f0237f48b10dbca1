"""The types that fields of records are made of: what does not fit becomes a default."""

from __future__ import annotations

from typing import Annotated, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    JsonValue,
    PlainValidator,
    SkipValidation,
)
from pydantic.alias_generators import to_camel

from everyleaf.records.text import as_time

JsonObject = dict[str, JsonValue]
"""A JSON object as read; its values are looked at through `everyleaf.transcript.values`."""


def text_or_empty(value: object) -> str:
    """Return `value` if it is a text."""
    return value if isinstance(value, str) else ""


def _flag(value: object) -> bool:
    return value is True


def _count(value: object) -> int:
    return _optional_count(value) or 0


def _optional_count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return None


def list_or_empty(value: object) -> object:
    """Return `value` if it is a list."""
    return cast("list[object]", value) if isinstance(value, list) else []


def object_or_empty(value: object) -> object:
    """Return `value` if it is an object."""
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


Text = Annotated[str, PlainValidator(text_or_empty)]
"""A string, or "" for anything else. Not pydantic's own: that refuses lone surrogates."""
Time = Annotated[str, PlainValidator(as_time)]
"""A time as written, or "" for what cannot be one."""
Flag = Annotated[bool, PlainValidator(_flag)]
Count = Annotated[int, PlainValidator(_count)]
OptionalCount = Annotated[int | None, PlainValidator(_optional_count)]
Raw = Annotated[JsonValue, SkipValidation]
RawObject = Annotated[JsonObject, SkipValidation, BeforeValidator(object_or_empty)]


class Lenient(BaseModel):
    """A model of which every field has a default and nothing is forbidden.

    Its validator is built with the first record: a small build meets few types of them.
    """

    model_config = ConfigDict(
        extra="ignore",
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=True,
        defer_build=True,
    )


class ApiObject(Lenient):
    """A model of the API's own objects, which are written in snake_case."""

    model_config = ConfigDict(alias_generator=None)
