"""Reading records again, in full, where they are drawn.

Fields that no model has are not worth masking: to mask a record costs more than to model
it, and half of its texts are ids, versions and signatures that no page shows; of an edit,
all of the file as it was before.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from everyleaf.model import Envelope
from everyleaf.records import schema
from everyleaf.records.recover import read_record
from everyleaf.records.text import as_object

READ_AHEAD_BYTES = 64 * 1024
"""Records of a turn mostly stand one behind the other: few reads bring them all."""

Redact: TypeAlias = "Callable[[dict[str, object], bytes], dict[str, object]]"
"""Masks what must not be published in a raw record (`everyleaf.redact`).

Is given the JSON that says this record and nothing else, empty where it is not known: where
there is nothing to be masked in it, nothing is in the record.
"""


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

    def read(self, location: Path, envelope: Envelope) -> tuple[dict[str, object], bytes]:
        """Return the record of `envelope` in the file at `location`, as `read_record` does.

        Raises:
            SourceError: The record is not there any more: the file was changed meanwhile.
            OSError: The file cannot be read any more.
        """
        return read_record(self._opened(location), envelope)

    def load(
        self, location: Path, envelopes: Sequence[Envelope], redact: Redact
    ) -> list[schema.AnyRecord]:
        """Return the records of `envelopes`, in the order given. Raises as `read` does.

        Every record is masked by `redact` before it is modelled.
        """
        file = self._opened(location)
        return [schema.parse_record(redact(*read_record(file, each))) for each in envelopes]

    def _opened(self, location: Path) -> BinaryIO:
        if self._file is None or location != self._location:
            self._open.close()
            self._file, self._location = None, None
            file = location.open("rb", buffering=READ_AHEAD_BYTES)
            self._file, self._location = self._open.enter_context(file), location
        return self._file


def _names(model: type[schema.Lenient]) -> tuple[str, ...]:
    """Return the names that fields of `model` have on disk, in either spelling."""
    fields = model.model_fields
    names = (name for key, field in fields.items() for name in (key, field.alias or key))
    return tuple(dict.fromkeys(("type", *names)))


_RECORDS = {
    "user": _names(schema.UserRecord),
    "assistant": _names(schema.AssistantRecord),
    "attachment": _names(schema.AttachmentRecord),
}
_MESSAGE = _names(schema.Message)
_USAGE = _names(schema.RecordedUsage)
_THINKING = _names(schema.ThinkingBlock)
_EDIT = ("oldString", "newString", "originalFile")


def keep_needed(raw: dict[str, object]) -> dict[str, object]:
    """Return `raw` without fields that no model has: `parse_record` makes the same of it.

    Of a progress record, which is not drawn, what it tells is left out. Nothing of `raw`
    itself is changed.
    """
    kind = raw.get("type")
    if kind == "progress":
        return {name: value for name, value in raw.items() if name != "data"}
    names = _RECORDS.get(kind) if isinstance(kind, str) else None
    if names is None:
        return raw
    kept = _only(raw, names)
    if (message := as_object(kept.get("message"))) is not None:
        kept["message"] = _message(message)
    return kept


def drop_original(raw: dict[str, object]) -> dict[str, object]:
    """Return `raw` without the file as it was before an edit of which the patch is there.

    Documents show the patch; contents of files are for who compares them.
    """
    result = as_object(raw.get("toolUseResult")) or {}
    is_whole = all(isinstance(result.get(name), str) for name in _EDIT)
    if not (is_whole and result.get("structuredPatch")):
        return raw
    rest = {name: value for name, value in result.items() if name != "originalFile"}
    return {**raw, "toolUseResult": rest}


def _message(message: dict[str, object]) -> dict[str, object]:
    kept = _only(message, _MESSAGE)
    usage, content = as_object(kept.get("usage")), kept.get("content")
    if usage is not None:
        kept["usage"] = _only(usage, _USAGE)
    if isinstance(content, list):
        kept["content"] = [_block(block) for block in cast("list[object]", content)]
    return kept


def _block(block: object) -> object:
    told = as_object(block) or {}
    return _only(told, _THINKING) if told.get("type") == "thinking" else block


def _only(raw: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: raw[name] for name in names if name in raw}
