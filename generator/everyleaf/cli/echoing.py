"""Values as JSON on standard output: ASCII, and the same bytes each time."""

from __future__ import annotations

import json

import click
from msgspec import Struct
from msgspec.structs import asdict


def echo_json(value: object) -> None:
    """Print `value` as one indented document, its keys sorted."""
    click.echo(json.dumps(value, indent=2, sort_keys=True, default=fields_of))


def json_line(value: object) -> str:
    """Return `value` as one line, its keys sorted."""
    return json.dumps(value, sort_keys=True, default=fields_of)


def fields_of(value: object) -> object:
    """Return a reference to a path as "session:number", of other values the fields.

    `asdict` would copy ids by the hundred thousand.

    Raises:
        TypeError: it is something else.
    """
    from everyleaf.graph.forest import PathRef  # noqa: PLC0415  (slow to import)

    if isinstance(value, PathRef):
        return f"{value.session}:{value.number}"
    return row_of(value)


def row_of(value: object) -> dict[str, object]:
    """Return the fields of a value by their names.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(value, Struct):
        raise TypeError(f"{type(value).__name__} cannot be listed")
    return asdict(value)


def path_name(session: str, number: int) -> str | None:
    """Return what refers to a path; None where `number` is 0: there is no path."""
    return f"{session}:{number}" if number else None
