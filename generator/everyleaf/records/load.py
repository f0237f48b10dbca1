"""Reading records again, in full, where they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from everyleaf.records.recover import read_object
from everyleaf.records.schema import parse_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from everyleaf.model import Envelope
    from everyleaf.records.schema import AnyRecord

Redact: TypeAlias = "Callable[[dict[str, object]], dict[str, object]]"
"""Masks what must not be published in a raw record (`everyleaf.redact`)."""


def load_records(
    location: Path, envelopes: Sequence[Envelope], *, redact: Redact
) -> list[AnyRecord]:
    """Return the records of `envelopes` in the file at `location`, in the order given.

    The file is opened once. A record is masked by `redact` before it is modelled.

    Raises:
        SourceError: A record is not there any more: the file was changed meanwhile.
        OSError: The file cannot be read any more.
    """
    with location.open("rb") as file:
        return [parse_record(redact(read_object(file, each))) for each in envelopes]
