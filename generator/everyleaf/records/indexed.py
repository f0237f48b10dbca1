"""What reading a file gives, and what it takes to read on once the file has grown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.issues import Issue  # noqa: TC001  (msgspec reads it)

# msgspec reads the annotations, so their names must exist when the module runs.
from everyleaf.model import Envelope, Kind, SessionRecords
from everyleaf.records.asides import AsidesSoFar  # noqa: TC001  (msgspec reads it)
from everyleaf.sources.lines import HEAD_BYTES, find_array

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.sources.files import SourceFile

Tally = tuple[tuple[str, int], ...]
"""(name, how many), sorted by name."""
_ANSWERS = frozenset({Kind.REPLY, Kind.RESULT})


class Counts(Struct, frozen=True):
    """What a file holds: `lines` are `blank`, `unreadable`, or have objects."""

    lines: int = 0
    size_bytes: int = 0
    blank: int = 0
    unreadable: int = 0
    recovered: int = 0
    """Damaged lines that gave at least one object."""
    objects: int = 0
    """JSON objects; more than lines where objects were glued together."""
    types: Tally = ()
    """Objects by `type`; `?` where there is none."""
    unknown_types: Tally = ()
    unknown_fields: Tally = ()
    """`type.field`, for the types that are drawn."""
    redactions: Tally = ()
    """What was masked in its records, by kind."""


class Ending(Struct, frozen=True):
    """What is known at the end of a list of lines, and not told by its records."""

    offset: int
    """Of the first byte behind the last whole line."""
    plans: tuple[str, ...]
    """As the records name them."""
    asides: AsidesSoFar


class Indexed(Struct, frozen=True):
    """One file, read."""

    records: SessionRecords
    issues: tuple[Issue, ...]
    """In the order of the file."""
    counts: Counts
    asides: tuple[Envelope, ...] = ()
    """Records beside the tree that are shown, in the order of the file."""
    ending: Ending | None = None
    """None where more bytes could change what these lines say: half a line, an array."""


def tally(counted: Mapping[str, int]) -> Tally:
    """Return what was `counted`, sorted."""
    return tuple(sorted(counted.items()))


def are_linked(records: Sequence[Envelope], *, has_key: bool) -> bool:
    """Return whether records name a parent, or may well have none.

    `has_key`: one of them has the key for it. Prompts alone may all be beginnings. An
    answer never is one: if one is here and no parent is named, all were left out.
    """
    if not records or any(record.parent_uuid for record in records):
        return True
    return has_key and not any(record.kind in _ANSWERS for record in records)


def end_of_lines(source: SourceFile, end: int) -> int | None:
    """Return where the next line of a file begins whose last one ends at byte `end`.

    None where the file cannot be read, is one array, or the line is not whole.
    """
    try:
        with source.location.open("rb") as file:
            head = file.read(HEAD_BYTES)
            file.seek(end)
            following = file.read(2)
    except OSError:
        return None
    if find_array(head) is not None:
        return None
    if following[:1] == b"\n":
        return end + 1
    return end + 2 if following == b"\r\n" else None
