"""The texts of a record: every string in it, wherever it stands, but ids and pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, cast

import orjson

from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

ID_KEYS = names(
    "uuid parentUuid logicalParentUuid sessionId session_id leafUuid messageId messageUuid"
    " requestId promptId id tool_use_id toolUseID toolUseId parentToolUseID agentId"
    " sourceToolAssistantUUID sourceToolUseID anchorUuid headUuid tailUuid timestamp digest"
    " sha hash commit backupFileName request_id message_id"
)
"""Keys whose values name something; a value counts as a name only if it looks like one."""

_ID = lazily(
    r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{7,40}|[0-9a-fA-F]{64}"
    r"|(?:msg|req|toolu|srvtoolu|mcptoolu|chatcmpl|call)_[A-Za-z0-9_]{6,40}"
    r"|[0-9a-fA-F]{6,40}@v\d+|\d{4}-\d\d-\d\dT[\d:.]{5,20}(?:Z|[+-]\d\d:\d\d)?"
)
_BASE64 = lazily(r"[A-Za-z0-9+/_=\r\n-]+")
_PICTURE_STARTS = ("iVBORw0KGgo", "/9j/", "R0lGODdh", "R0lGODlh", "UklGR")
"""PNG, JPEG, GIF and WebP as base64 writes their first bytes."""

SHORTEST = 4
"""Shorter texts hold nothing that could be a secret."""
_LONG_KEY = 12
_NESTED = (dict, list)
Nested = dict[str, object] | list[object]


def is_opaque(key: str, text: str) -> bool:
    """Return whether `text` under `key` is an id, a signature or a picture: kept as is."""
    if key in ID_KEYS:
        return len(text) <= 80 and _ID.fullmatch(text) is not None
    if key in {"data", "base64"}:
        return text.startswith(_PICTURE_STARTS) and _BASE64.fullmatch(text) is not None
    return key == "signature" and len(text) > 80 and _BASE64.fullmatch(text) is not None


def iter_strings(raw: object) -> Iterator[tuple[str, str]]:
    """Yield (key, text) of every string of a JSON value, in an order that only it decides.

    An item of a list has the key of the list. Long keys are texts themselves: tools write
    names of files there. Iterative: records may be nested deeper than Python recurses.
    """
    pending: list[tuple[str, object]] = [("", raw)]
    while pending:
        key, value = pending.pop()
        if isinstance(value, dict):
            for name, item in cast("dict[str, object]", value).items():
                if isinstance(item, str):
                    if len(item) >= SHORTEST:
                        yield name, item
                elif isinstance(item, _NESTED):
                    pending.append((name, cast("object", item)))
                if len(name) >= _LONG_KEY or "/" in name:
                    yield "", name
        elif isinstance(value, list):
            pending += [(key, item) for item in cast("list[object]", value)]
        elif isinstance(value, str) and len(value) >= SHORTEST:
            yield key, value


def iter_nested(raw: object) -> Iterator[Nested]:
    """Yield each object and list of a JSON value, before what it holds."""
    pending = [raw]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            yield (fields := cast("dict[str, object]", value))
            pending += fields.values()
        elif isinstance(value, list):
            yield (items := cast("list[object]", value))
            pending += items


def iter_opened(nested: Iterable[Nested]) -> Iterator[Nested]:
    """Yield objects and lists, and those that texts in them are, as JSON writes them."""
    pending = [*nested]
    while pending:
        yield (held := pending.pop())
        for text in held.values() if isinstance(held, dict) else held:
            if isinstance(text, str) and text[:1] in {"{", "["}:
                with suppress(ValueError):
                    pending += iter_nested(orjson.loads(text))


def mask_texts(
    raw: object, mask: Callable[[str], str], plain: Container[str] = frozenset()
) -> None:
    """Replace every text of a JSON object or list by what `mask` makes of it, in place.

    Texts that are known to be `plain` are left as they are.
    """
    pending: list[tuple[str, object]] = [("", raw)]
    while pending:
        key, value = pending.pop()
        if isinstance(value, dict):
            _mask_fields(cast("dict[str, object]", value), mask, plain, pending)
        elif isinstance(value, list):
            items = cast("list[object]", value)
            for at, item in enumerate(items):
                if isinstance(item, str):
                    is_plain = item in plain or len(item) < SHORTEST
                    if not is_plain and not is_opaque(key, item):
                        items[at] = mask(item)
                elif isinstance(item, _NESTED):
                    pending.append((key, cast("object", item)))


def _mask_fields(
    fields: dict[str, object],
    mask: Callable[[str], str],
    plain: Container[str],
    pending: list[tuple[str, object]],
) -> None:
    renamed: dict[str, str] = {}
    for name, item in fields.items():
        if isinstance(item, str):
            # Most texts are short and were seen before: of them this one look is all.
            if item not in plain and len(item) >= SHORTEST and not is_opaque(name, item):
                fields[name] = mask(item)
        elif isinstance(item, _NESTED):
            pending.append((name, cast("object", item)))
        if name in plain or (len(name) < _LONG_KEY and "/" not in name):
            continue
        if (new := mask(name)) != name:
            renamed[name] = new
    if renamed:
        items = [(renamed.get(name, name), value) for name, value in fields.items()]
        fields.clear()
        fields.update(items)
