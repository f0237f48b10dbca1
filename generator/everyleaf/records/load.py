"""Reading records again, in full, where they are drawn."""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from everyleaf.records.recover import read_record
from everyleaf.records.schema import parse_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from everyleaf.model import Envelope
    from everyleaf.records.schema import AnyRecord

READ_AHEAD_BYTES = 64 * 1024
"""Records of a turn mostly stand one behind the other: few reads bring them all."""

Redact: TypeAlias = "Callable[[dict[str, object], bytes], dict[str, object]]"
"""Masks what must not be published in a raw record (`everyleaf.redact`).

Is given the JSON that says this record and nothing else, empty where it is not known: where
there is nothing to be masked in it, nothing is in the record.
"""


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
        return _parse(file, envelopes, redact)


class RecordFiles:
    """Loads records of several files again and again; the last one stays open meanwhile.

    It is closed with this object, or by `close`.
    """

    def __init__(self) -> None:
        """Begin with no file open."""
        self._location: Path | None = None
        self._file: BinaryIO | None = None
        self._open = ExitStack()
        self.close = weakref.finalize(self, self._open.close)

    def load(
        self, location: Path, envelopes: Sequence[Envelope], redact: Redact
    ) -> list[AnyRecord]:
        """Return the records of `envelopes` in the file at `location`, in the order given.

        Every record is masked by `redact` before it is modelled.

        Raises:
            SourceError: A record is not there any more: the file was changed meanwhile.
            OSError: The file cannot be read any more.
        """
        if self._file is None or location != self._location:
            self._open.close()
            self._file, self._location = None, None
            file = location.open("rb", buffering=READ_AHEAD_BYTES)
            self._file, self._location = self._open.enter_context(file), location
        return _parse(self._file, envelopes, redact)


def _parse(
    file: BinaryIO, envelopes: Sequence[Envelope], redact: Redact
) -> list[AnyRecord]:
    return [parse_record(redact(*read_record(file, each))) for each in envelopes]
