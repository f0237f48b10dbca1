"""Pictures in records that are not to be published."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from everyleaf.config import Images
from everyleaf.redact.texts import is_opaque

if TYPE_CHECKING:
    Fields = dict[str, object]

_DATA_KEYS = ("data", "base64")


def mask_pictures(raw: object, images: Images) -> None:
    """Empty the data of a record's pictures, or drop the blocks with one, in place."""
    pending: list[object] = [raw]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            fields = cast("Fields", value)
            _empty(fields)
            pending += fields.values()
        elif isinstance(value, list):
            items = cast("list[object]", value)
            if images is Images.DROP:
                items[:] = [item for item in items if not _is_picture(item)]
            pending += items


def _empty(fields: Fields) -> None:
    for key in _DATA_KEYS:
        data = fields.get(key)
        if isinstance(data, str) and is_opaque(key, data):
            fields[key] = ""


def _is_picture(item: object) -> bool:
    return isinstance(item, dict) and cast("Fields", item).get("type") == "image"
